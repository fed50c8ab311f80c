# Полная матрица и плиточное ядро: время
from time import perf_counter

import numpy as np

from attnlib import attention, flash_attention
from attnlib.masks import causal

for n in (256, 1024, 2048):
    q, k, v = np.random.default_rng(0).standard_normal((3, n, 64), dtype=np.float32)
    start = perf_counter()
    attention(q, k, v, mask=causal(n))
    middle = perf_counter()
    flash_attention(q, k, v, causal=True)
    end = perf_counter()
    print(
        f"n = {n}: вся матрица {1e3 * (middle - start):.1f} мс, "
        f"плитками {1e3 * (end - middle):.1f} мс"
    )
