# Плитки: пропущенные, частичные и полные
import numpy as np

from attnlib import flash_attention
from attnlib.cost import tile_share

n, block = 128, 32
q, k, v = np.random.default_rng(0).standard_normal((3, n, 8))
out, stats = flash_attention(q, k, v, causal=True, block_q=block, block_k=block, return_stats=True)
print("пропущено", stats.skipped, "частичных", stats.partial, "полных", stats.full)
print("вычисленная доля матрицы:", stats.tile_share, "по формуле:", tile_share(n, block))
