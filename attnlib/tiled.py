"""Плиточное внимание для чтения: одна голова, плитка за плиткой, softmax на ходу."""

from __future__ import annotations

from math import sqrt

import numpy as np

from attnlib.attention import weighted_sum
from attnlib.errors import Array
from attnlib.softmax import quiet


@quiet
def tiled_attention(
    q: Array, k: Array, v: Array, mask: Array, *, block_q: int = 64, block_k: int = 64
) -> tuple[Array, int]:
    """Считает внимание одной головы, не храня матрицу оценок, и пропускает запрещённые плитки.

    Это ядро для чтения; быстрое ядро с той же идеей — `flash_attention`.

    Args:
        q: запросы `n_q d`.
        k: ключи `n_k d`.
        v: значения `n_k d_v`.
        mask: булева маска `n_q n_k` (True = разрешено).
        block_q: запросов в плитке.
        block_k: ключей в плитке.

    Returns:
        Пара (выход `n_q d_v`, число пропущенных плиток).

    Examples:
        >>> import numpy as np
        >>> from attnlib import tiled_attention
        >>> from attnlib import attention, masks
        >>> x = np.eye(4)
        >>> out, skipped = tiled_attention(x, x, x, masks.causal(4), block_q=2, block_k=2)
        >>> bool(np.allclose(out, attention(x, x, x, mask=masks.causal(4)))), skipped
        (True, 1)

    Источники:
        1. Milakov, Gimelshein. Online normalizer calculation for softmax, 2018 (arXiv:1805.02867).
        2. Dao et al. FlashAttention, 2022, алгоритм 1 (arXiv:2205.14135).
    """
    # --8<-- [start:kernel]
    n_q, n_k = mask.shape
    out = np.zeros((n_q, v.shape[-1]))
    skipped = 0
    for i in range(0, n_q, block_q):
        rows = slice(i, i + block_q)
        top = np.full((len(q[rows]), 1), -np.inf)  # наибольшая оценка строки до сих пор
        total = np.zeros((len(q[rows]), 1))  # сумма exp(s − top)
        summed = np.zeros((len(q[rows]), v.shape[-1]))  # сумма exp(s − top) · v
        for j in range(0, n_k, block_k):
            columns = slice(j, j + block_k)
            allowed = mask[rows, columns]
            if not allowed.any():  # плитка запрещена целиком: k и v не читаются
                skipped += 1
                continue
            s = q[rows] @ k[columns].T / sqrt(q.shape[-1])
            s = np.where(allowed, s, -np.inf)
            new_top = np.maximum(top, s.max(axis=1, keepdims=True))
            zero = np.where(new_top == -np.inf, 0, new_top)  # у строки пока нет ни одного ключа
            e = np.exp(s - zero)
            fade = np.exp(top - zero)  # прежние суммы считались с прежним максимумом
            total = total * fade + e.sum(axis=1, keepdims=True)
            summed = summed * fade + weighted_sum(e, v[columns], allowed)
            top = new_top
        out[rows] = summed / np.where(total == 0, 1, total)
    return out, skipped
    # --8<-- [end:kernel]
