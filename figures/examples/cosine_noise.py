# Разброс косинуса случайных векторов
import numpy as np

from attnlib.measures import cosine_noise

rng = np.random.default_rng(0)
for d in (4, 8, 64, 768):
    q, k = rng.standard_normal((2, 2000, d))
    cosine = (q * k).sum(1) / np.linalg.norm(q, axis=1) / np.linalg.norm(k, axis=1)
    print(f"d = {d:3}: измерено {cosine.std():.3f}, 1/√d = {cosine_noise(d):.3f}")
