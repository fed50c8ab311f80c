# Четыре маски и их сочетания
import numpy as np

from attnlib.masks import block_sparse, causal, global_tokens, padding, share, sliding_window

n = 12
masks = {
    "причинная": causal(n),
    "padding": np.broadcast_to(padding([7], n)[0, 0], (n, n)),
    "скользящее окно": sliding_window(n, 3),
    "блочно-разреженная": block_sparse(n, 3, np.eye(4, dtype=bool)),
}
for name, mask in masks.items():
    print(f"{name}: разрешено {100 * float(share(mask)):.1f} %")

causal(n) & (sliding_window(n, 3) | global_tokens(n, [0]))
