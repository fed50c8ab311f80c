# Полная матрица и плиточное ядро: время
from time import perf_counter

import numpy as np

from attnlib import attention, flash_attention
from attnlib.masks import causal


def milliseconds(function, *arrays, **options):
    times = []
    for _ in range(3):  # лучшее из трёх: первый вызов платит за разогрев
        start = perf_counter()
        function(*arrays, **options)
        times.append(1e3 * (perf_counter() - start))
    return min(times)


for n in (256, 1024, 2048):
    q, k, v = np.random.default_rng(0).standard_normal((3, n, 64), dtype=np.float32)
    full = milliseconds(attention, q, k, v, mask=causal(n))
    tiled = milliseconds(flash_attention, q, k, v, causal=True)
    print(f"n = {n}: вся матрица {full:.1f} мс, плитками {tiled:.1f} мс")
