# Разбиение на головы
import numpy as np

from attnlib import merge_heads, split_heads

x = np.arange(24).reshape(1, 2, 12)  # (b, n, D): два токена, двенадцать каналов
heads = split_heads(x, 3)  # (b, h, n, d)

for i, head in enumerate(heads[0]):
    print(f"голова {i}:", *head.tolist())

print("склеить обратно:", np.array_equal(merge_heads(heads), x))
heads[0, 0]
