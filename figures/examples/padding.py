# Забытая padding-маска
import numpy as np

from attnlib import attention, pitfalls
from attnlib.masks import padding

rng = np.random.default_rng(0)
sentence = rng.standard_normal((1, 1, 3, 8))  # (b, h, n, d): три токена
filler = rng.standard_normal((1, 1, 2, 8))
padded = np.concatenate([sentence, filler], axis=2)

alone = attention(sentence, sentence, sentence)
forgotten = pitfalls.attention_forgetting_padding(padded, padded, padded)[:, :, :3]
masked = attention(padded, padded, padded, mask=padding([3], 5))[:, :, :3]

print("без маски отличие", np.abs(forgotten - alone).max())
print("с маской отличие", np.abs(masked - alone).max())
