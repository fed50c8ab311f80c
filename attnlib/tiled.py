"""Плиточное внимание для чтения: одна голова, плитка за плиткой, softmax на ходу."""

from __future__ import annotations

from math import sqrt
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from attnlib._errors import Array, whole, wrong_value
from attnlib.attention import weighted_sum
from attnlib.inputs import check_inputs
from attnlib.softmax import quiet

LARGEST = np.finfo(np.float64).max
"""Вместо оценки +∞: бесконечности не вычитаются друг из друга, а веса те же."""


@quiet
def tiled_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    mask: ArrayLike,
    *,
    block_q: SupportsIndex = 64,
    block_k: SupportsIndex = 64,
) -> tuple[Array, int]:
    """Считает внимание одной головы, не храня матрицу оценок, и пропускает запрещённые плитки.

    Это ядро для чтения; быстрое ядро с той же идеей — `flash_attention`. Правила запрета, входы и
    ошибки — как у `attention`, но голова одна, масштаб — 1/√d, а добавки, температуры и мягкого
    ограничения нет. Внутри — float64, каким бы ни был тип входов; деление одно, в конце, поэтому
    оценки и сумма значений у самого предела float64 могут переполниться.

    Args:
        q: запросы `n_q d`.
        k: ключи `n_k d`.
        v: значения `n_k d_v`.
        mask: булева маска (True = разрешено), растяжимая до `n_q n_k`.
        block_q: запросов в плитке; крайние плитки обрезаны.
        block_k: ключей в плитке.

    Returns:
        Пара (выход `n_q d_v` в типе q, число пропущенных плиток).

    Raises:
        TypeError: маска не булева, входы не вещественные числа, размер плитки не целый.
        ValueError: у входов не две оси, формы не согласованы, размер плитки меньше 1.

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
        2. Dao. FlashAttention-2, 2023, алгоритм 1 (arXiv:2307.08691): снаружи цикл по запросам,
           в конце одно деление.
    """
    x = check_inputs(
        q, k, v, mask=mask, bias=None, scale=None, temperature=1.0, softcap=None
    )  # fmt: skip
    if not x.one_head:
        raise wrong_value("q", "одна голова, форма (n_q, d)", x.q.shape)
    edges = (
        whole(name, edge, at_least=1) for name, edge in (("block_q", block_q), ("block_k", block_k))
    )
    queries, keys, values = (a[0].astype(np.float64) for a in (x.q, x.k, x.v))
    allowed = np.broadcast_to(True if x.mask is None else x.mask[0], (len(queries), len(keys)))
    out, skipped = _kernel(queries, keys, values, allowed, *edges)
    return out.astype(x.dtype, copy=False), skipped


def _kernel(
    q: Array, k: Array, v: Array, mask: Array, block_q: int, block_k: int
) -> tuple[Array, int]:
    # --8<-- [start:kernel]
    n_q, n_k = mask.shape
    q = q / sqrt(q.shape[-1])  # масштаб раньше произведения: так оно реже переполняется
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
            s = np.minimum(q[rows] @ k[columns].T, LARGEST)
            s = np.where(allowed, s, -np.inf)
            new_top = np.maximum(top, s.max(axis=1, keepdims=True))
            zero = np.where(new_top == -np.inf, 0, new_top)  # ещё нет ни одного ключа
            e = np.exp(s - zero)
            fade = np.exp(top - zero)  # прежние суммы считались с прежним максимумом
            total = total * fade + e.sum(axis=1, keepdims=True)
            summed = summed * fade + weighted_sum(e, v[columns], allowed)
            top = new_top
        out[rows] = summed / np.where(total == 0, 1, total)
    return out, skipped
    # --8<-- [end:kernel]
