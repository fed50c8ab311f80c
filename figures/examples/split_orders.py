# Порядок осей: верный и два неверных
import numpy as np

from attnlib import pitfalls, split_heads

x = np.arange(24).reshape(1, 2, 12)  # (b, n, D)
h = 3

for name, split in {
    "(h d), верно": split_heads,
    "(d h)": pitfalls.split_heads_d_h,
    "reshape без перестановки": pitfalls.split_heads_without_transpose,
}.items():
    print(f"{name}: голова 1 —", *split(x, h)[0, 0].tolist())
