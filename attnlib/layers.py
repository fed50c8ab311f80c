"""Слой многоголового внимания; при общих ключах и значениях — GQA и MQA."""

from __future__ import annotations

from typing import Self, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from attnlib._errors import Array, boolean, broadcastable, real_array, whole, wrong_value
from attnlib.attention import attention
from attnlib.cache import KVCache
from attnlib.flash import flash_attention
from attnlib.heads import merge_heads, split_heads
from attnlib.softmax import quiet, working_dtype


class MultiHeadAttention:
    """Многоголовое внимание: проекции, разрез на головы, внимание, склейка, проекция выхода.

    При `n_kv_heads == n_heads` это MHA, при `n_kv_heads == 1` — MQA, между ними — GQA.
    Веса применяются справа: `x @ w`.

    Args:
        w_q: `D (h d)`.
        w_k: `D (h_kv d)`.
        w_v: `D (h_kv d)`.
        w_o: `(h d) D`.
        n_heads: число голов запроса h.
        n_kv_heads: число голов ключей и значений h_kv, делитель h; по умолчанию h.

    Raises:
        ValueError: формы весов не согласованы, h не делится на h_kv.

    Examples:
        >>> from attnlib import MultiHeadAttention
        >>> import numpy as np
        >>> mha = MultiHeadAttention.random(8, 4, 2, seed=0)
        >>> x = np.random.default_rng(1).standard_normal((1, 5, 8))
        >>> mha(x).shape
        (1, 5, 8)

        С кэшем последовательность можно читать по частям: результат тот же,
        что у причинной маски за один проход.

        >>> from attnlib import KVCache, masks
        >>> cache = KVCache()
        >>> parts = np.concatenate([mha(x[:, :3], cache=cache), mha(x[:, 3:], cache=cache)], axis=1)
        >>> bool(np.allclose(parts, mha(x, mask=masks.causal(5)), atol=1e-12))
        True

    Источники:
        1. Vaswani et al. Attention Is All You Need, 2017, раздел 3.2.2 (arXiv:1706.03762).
        2. Shazeer. Fast Transformer Decoding, 2019 (arXiv:1911.02150).
        3. Ainslie et al. GQA, 2023 (arXiv:2305.13245).
    """

    def __init__(
        self,
        w_q: ArrayLike,
        w_k: ArrayLike,
        w_v: ArrayLike,
        w_o: ArrayLike,
        n_heads: SupportsIndex,
        n_kv_heads: SupportsIndex | None = None,
    ) -> None:
        self.n_heads = whole("n_heads", n_heads, at_least=1)
        self.n_kv_heads = (
            self.n_heads if n_kv_heads is None else whole("n_kv_heads", n_kv_heads, at_least=1)
        )
        if self.n_heads % self.n_kv_heads:
            raise wrong_value(
                "n_kv_heads", f"делитель числа голов n_heads = {self.n_heads}", self.n_kv_heads
            )
        self.w_q = _matrix("w_q", w_q)
        D, width = self.w_q.shape
        if width == 0 or width % self.n_heads:
            expected = f"число столбцов, кратное n_heads = {self.n_heads}"
            raise wrong_value("w_q", expected, f"форма {self.w_q.shape}")
        self.head_dim = width // self.n_heads
        shared = (D, self.n_kv_heads * self.head_dim)
        self.w_k = _matrix("w_k", w_k, shared)
        self.w_v = _matrix("w_v", w_v, shared)
        self.w_o = _matrix("w_o", w_o, (width, D))

    @classmethod
    def random(
        cls,
        D: SupportsIndex,
        n_heads: SupportsIndex,
        n_kv_heads: SupportsIndex | None = None,
        *,
        seed: int = 0,
    ) -> Self:
        """Строит слой со случайными весами для примеров.

        Args:
            D: ширина модели, кратная числу голов.
            n_heads: число голов запроса h.
            n_kv_heads: число голов ключей и значений; по умолчанию h.
            seed: зерно генератора; одинаковое зерно даёт одинаковые веса.

        Returns:
            Слой с нормальными весами, дисперсия которых 1/D.

        Raises:
            ValueError: D не делится на число голов.

        Examples:
            >>> from attnlib import MultiHeadAttention
            >>> MultiHeadAttention.random(8, 4, 1, seed=0).w_k.shape
            (8, 2)
        """
        width, h = whole("D", D, at_least=1), whole("n_heads", n_heads, at_least=1)
        h_kv = h if n_kv_heads is None else whole("n_kv_heads", n_kv_heads, at_least=1)
        if width % h:
            raise wrong_value("D", f"ширина, кратная n_heads = {h}", width)
        shared = h_kv * (width // h)
        generator = np.random.default_rng(seed)
        w_q, w_k, w_v, w_o = (
            generator.standard_normal((width, columns)) / np.sqrt(width)
            for columns in (width, shared, shared, width)
        )
        return cls(w_q, w_k, w_v, w_o, h, h_kv)

    @quiet
    def __call__(
        self, x: ArrayLike, *, mask: ArrayLike | None = None, cache: KVCache | None = None
    ) -> Array:
        """Применяет слой.

        С кэшем причинная маска (а у кэша с окном — и окно) подразумевается: токены x
        продолжают прочитанное раньше. Последняя ось `mask` тогда — полная длина
        вместе с прошлым.

        Args:
            x: `b n D`.
            mask: булева маска (True = разрешено), растяжимая до `b h n n_k`, где n_k — число
                ключей: n, а с кэшем — полная длина; правила растяжения — как у `attention`.
            cache: кэш этого слоя; пополняется.

        Returns:
            Массив `b n D` того же типа, что x; целые числа становятся float64.

        Raises:
            TypeError: маска не булева, x не вещественные числа.
            ValueError: форма x или маски не та.
        """
        tokens = real_array("x", x)
        D = self.w_q.shape[0]
        if tokens.ndim != 3 or tokens.shape[-1] != D:
            raise wrong_value("x", f"форма (b, n, D = {D})", tokens.shape)
        b, n, _ = tokens.shape
        total = n if cache is None else len(cache) + n
        if mask is not None:
            mask = broadcastable("mask", boolean("mask", mask), (b, self.n_heads, n, total))

        work = tokens.astype(working_dtype(tokens.dtype, self.w_q.dtype), copy=False)
        q = split_heads(work @ self.w_q, self.n_heads)  # (b, h, n, d)
        k = split_heads(work @ self.w_k, self.n_kv_heads)  # (b, h_kv, n, d)
        v = split_heads(work @ self.w_v, self.n_kv_heads)  # (b, h_kv, n, d)
        if cache is None:
            out = attention(q, k, v, mask=mask)  # (b, h, n, d)
        else:
            k, v = cache.update(k, v)
            if mask is not None and mask.shape[-1] > 1:
                mask = mask[..., total - cache.held :]
            out = _after_the_past(q, k, v, mask, cache.window)  # (b, h, n, d)
        return (merge_heads(out) @ self.w_o).astype(tokens.dtype, copy=False)


def _after_the_past(q: Array, k: Array, v: Array, mask: Array | None, window: int | None) -> Array:
    """Внимание порции к хранимым ключам; матрица n_q × n_k не нужна ни маске, ни оценкам."""
    if q.shape[-2] == 1:  # последнему токену разрешено всё, что кэш хранит
        return attention(q, k, v, mask=mask)
    return flash_attention(q, k, v, mask=mask, causal=True, window=window)


def _matrix(name: str, value: ArrayLike, shape: tuple[int, int] | None = None) -> Array:
    array = real_array(name, value)
    if array.ndim != 2 or (shape is not None and array.shape != shape):
        raise wrong_value(name, f"форма {shape or '(D, h·d)'}", array.shape)
    return array
