# Причинная маска: до softmax и после
import numpy as np

from attnlib import softmax
from attnlib.masks import causal

n, d = 6, 64
q, k = np.random.default_rng(0).standard_normal((2, n, d))
scores = q @ k.T / np.sqrt(d)
weights = softmax(scores, mask=causal(n))

print("суммы строк:", weights.sum(axis=1))
weights
