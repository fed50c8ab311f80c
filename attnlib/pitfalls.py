"""Как делать не надо: каждая функция названа по ошибке, которую делает.

Остальная библиотека ими не пользуется: они нужны тексту урока, рисункам и тестам.
"""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np
from einops import rearrange
from numpy.typing import ArrayLike

from attnlib._errors import Array, boolean, real_array
from attnlib.attention import attention
from attnlib.heads import check_split
from attnlib.softmax import quiet


@quiet
def softmax_without_subtracting_max(scores: ArrayLike) -> Array:
    """Ошибка: максимум не вычтен. От больших оценок exp бесконечна, и веса становятся nan.

    Args:
        scores: оценки; сумма весов — вдоль последней оси.

    Returns:
        Веса того же типа, что оценки.

    Raises:
        TypeError: оценки не числа.

    Examples:
        >>> from attnlib.pitfalls import softmax_without_subtracting_max
        >>> softmax_without_subtracting_max([1000.0, 1001.0])
        array([nan, nan])
    """
    e = np.exp(real_array("scores", scores))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))


@quiet
def softmax_of_minus_infinities(scores: ArrayLike, mask: ArrayLike) -> Array:
    """Ошибка: строка, где запрещено всё, не предусмотрена. (−∞) − (−∞) даёт nan.

    Args:
        scores: оценки; сумма весов — вдоль последней оси.
        mask: булева маска (True = разрешено).

    Returns:
        Веса того же типа, что оценки.

    Raises:
        TypeError: оценки не числа, маска не булева.

    Examples:
        >>> from attnlib.pitfalls import softmax_of_minus_infinities
        >>> softmax_of_minus_infinities([1.0, 2.0], [False, False])
        array([nan, nan])
    """
    values = real_array("scores", scores)
    return _textbook_softmax(np.where(boolean("mask", mask), values, -np.inf).astype(values.dtype))


@quiet
def mask_by_zero_score(scores: ArrayLike, mask: ArrayLike) -> Array:
    """Ошибка: запрет нулевой оценкой. exp(0) = 1 — это не запрет, а средний вес.

    Args:
        scores: оценки; сумма весов — вдоль последней оси.
        mask: булева маска (True = разрешено).

    Returns:
        Веса того же типа, что оценки.

    Raises:
        TypeError: оценки не числа, маска не булева.

    Examples:
        >>> from attnlib.pitfalls import mask_by_zero_score
        >>> mask_by_zero_score([1.0, 2.0, 3.0], [True, True, False]).round(3)
        array([0.245, 0.665, 0.09 ])
    """
    values = real_array("scores", scores)
    return _textbook_softmax(np.where(boolean("mask", mask), values, 0).astype(values.dtype))


@quiet
def mask_after_softmax(scores: ArrayLike, mask: ArrayLike) -> Array:
    """Ошибка: маска после softmax. Запрещённые остались в знаменателе, и сумма меньше 1.

    Args:
        scores: оценки; сумма весов — вдоль последней оси.
        mask: булева маска (True = разрешено).

    Returns:
        Веса того же типа, что оценки.

    Raises:
        TypeError: оценки не числа, маска не булева.

    Examples:
        >>> from attnlib.pitfalls import mask_after_softmax
        >>> mask_after_softmax([1.0, 2.0, 3.0], [True, True, False]).round(3)
        array([0.09 , 0.245, 0.   ])
    """
    values = real_array("scores", scores)
    return np.asarray(_textbook_softmax(values) * boolean("mask", mask).astype(values.dtype))


@quiet
def mask_by_minus_1e9(scores: ArrayLike, mask: ArrayLike, *, temperature: float = 1.0) -> Array:
    """Ошибка: −1e9 вместо −∞. Большая температура делает из запрета обычную оценку.

    Args:
        scores: оценки; сумма весов — вдоль последней оси.
        mask: булева маска (True = разрешено).
        temperature: температура, делит и добавку тоже.

    Returns:
        Веса того же типа, что оценки.

    Raises:
        TypeError: оценки не числа, маска не булева.

    Examples:
        >>> from attnlib.pitfalls import mask_by_minus_1e9
        >>> mask_by_minus_1e9([1.0, 2.0, 3.0], [True, True, False], temperature=1e9).round(3)
        array([0.422, 0.422, 0.155])

        Строка, где запрещено всё, получает веса, будто маски нет.

        >>> mask_by_minus_1e9([1.0, 1.0], [False, False])
        array([0.5, 0.5])
    """
    values = real_array("scores", scores)
    added = values + additive_mask_minus_1e9(mask, values.dtype)
    return _textbook_softmax(added / values.dtype.type(temperature))


@quiet
def additive_mask_minus_1e9(mask: ArrayLike, dtype: np.dtype[np.floating] | str) -> Array:
    """Ошибка: добавка −1e9. В float16 такого числа нет, и она становится −∞.

    Args:
        mask: булева маска (True = разрешено).
        dtype: тип оценок.

    Returns:
        Добавка к оценкам: 0 у разрешённых, −1e9 у запрещённых.

    Raises:
        TypeError: маска не булева.

    Examples:
        >>> from attnlib.pitfalls import additive_mask_minus_1e9
        >>> additive_mask_minus_1e9([True, False], "float32")
        array([ 0.e+00, -1.e+09], dtype=float32)
        >>> additive_mask_minus_1e9([True, False], "float16").tolist()
        [0.0, -inf]
    """
    return np.where(boolean("mask", mask), 0.0, -1e9).astype(dtype)


@quiet
def sum_of_type_minimum_masks(
    first: ArrayLike, second: ArrayLike, dtype: np.dtype[np.floating] | str
) -> Array:
    """Ошибка: две добавки с наименьшим числом типа. Их сумма переполняется до −∞.

    Строка, запрещённая обеими масками, после обычного softmax состоит из nan.

    Args:
        first: булева маска (True = разрешено).
        second: вторая маска.
        dtype: тип оценок.

    Returns:
        Сумма двух добавок.

    Raises:
        TypeError: маска не булева.

    Examples:
        >>> from attnlib.pitfalls import sum_of_type_minimum_masks
        >>> sum_of_type_minimum_masks([True, False, False], [True, True, False], "float16").tolist()
        [0.0, -65504.0, -inf]
    """
    lowest = np.finfo(dtype).min
    one = np.where(boolean("first", first), 0.0, lowest).astype(dtype)
    two = np.where(boolean("second", second), 0.0, lowest).astype(dtype)
    return np.asarray(one + two)


@quiet
def multiply_mask_by_minus_infinity(mask: ArrayLike) -> Array:
    """Ошибка: добавка как произведение запрета на −∞. У разрешённых 0 · (−∞) = nan.

    Args:
        mask: булева маска (True = разрешено).

    Returns:
        Добавка к оценкам.

    Raises:
        TypeError: маска не булева.

    Examples:
        >>> from attnlib.pitfalls import multiply_mask_by_minus_infinity
        >>> multiply_mask_by_minus_infinity([True, False])
        array([ nan, -inf])
    """
    return np.asarray(~boolean("mask", mask) * -np.inf)


def split_heads_d_h(x: ArrayLike, h: SupportsIndex) -> Array:
    """Ошибка: порядок `(d h)` вместо `(h d)`. Форма та же, но головы перемешивают каналы.

    Args:
        x: `b n D`.
        h: число голов.

    Returns:
        Массив `b h n d`.

    Raises:
        TypeError: число голов не целое.
        ValueError: у x не три оси или D не делится на h.

    Examples:
        >>> import numpy as np
        >>> from attnlib.pitfalls import split_heads_d_h
        >>> split_heads_d_h(np.arange(12).reshape(1, 2, 6), 3)[0, 0]
        array([[0, 3],
               [6, 9]])
    """
    array, n_heads = check_split(x, h)
    return rearrange(array, "b n (d h) -> b h n d", h=n_heads)


def split_heads_without_transpose(x: ArrayLike, h: SupportsIndex) -> Array:
    """Ошибка: reshape сразу в (b, h, n, d), без перестановки осей. Головы перемешивают токены.

    Args:
        x: `b n D`.
        h: число голов.

    Returns:
        Массив `b h n d`.

    Raises:
        TypeError: число голов не целое.
        ValueError: у x не три оси или D не делится на h.

    Examples:
        >>> import numpy as np
        >>> from attnlib.pitfalls import split_heads_without_transpose
        >>> split_heads_without_transpose(np.arange(12).reshape(1, 2, 6), 3)[0, 0]
        array([[0, 1],
               [2, 3]])
    """
    array, n_heads = check_split(x, h)
    b, n, width = array.shape
    return array.reshape(b, n_heads, n, width // n_heads)


def attention_forgetting_padding(q: ArrayLike, k: ArrayLike, v: ArrayLike) -> Array:
    """Ошибка: padding-маска забыта. Запрос смотрит и на заполнитель, и ничего не падает.

    Args:
        q: запросы `... h n_q d`.
        k: ключи `... h_kv n_k d`, среди них и заполнитель.
        v: значения `... h_kv n_k d_v`.

    Returns:
        Выход `... h n_q d_v`, который зависит от заполнителя.

    Raises:
        TypeError: входы не вещественные числа.
        ValueError: формы не согласованы.

    Examples:
        Один настоящий токен со значением 1 и три токена заполнителя со значением 0.

        >>> from attnlib import attention
        >>> from attnlib.pitfalls import attention_forgetting_padding
        >>> q, k, v = [[0.0]], [[0.0]] * 4, [[1.0], [0.0], [0.0], [0.0]]
        >>> attention_forgetting_padding(q, k, v)
        array([[0.25]])
        >>> attention(q, k, v, mask=[True, False, False, False])
        array([[1.]])
    """
    return attention(q, k, v)


def _textbook_softmax(scores: Array) -> Array:
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))
