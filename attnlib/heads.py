"""Головы: одна ось ширины D делится на две — номер головы h и размер головы d."""

from __future__ import annotations

from typing import SupportsIndex

from einops import rearrange
from numpy.typing import ArrayLike

from attnlib._errors import Array, as_array, whole, wrong_value


def split_heads(x: ArrayLike, h: SupportsIndex) -> Array:
    """Разрезает ширину на h голов: `b n (h d) -> b h n d`.

    Порядок в скобках важен: голове i достаются соседние каналы от i·d до (i + 1)·d − 1.

    Args:
        x: `b n D`.
        h: число голов, делитель D.

    Returns:
        Массив `b h n d`, где d = D / h.

    Raises:
        TypeError: число голов не целое.
        ValueError: у x не три оси или D не делится на h.

    Examples:
        >>> from attnlib import split_heads
        >>> import numpy as np
        >>> split_heads(np.arange(12).reshape(1, 2, 6), 3)[0, 0]
        array([[0, 1],
               [6, 7]])

    Источники:
        1. Rogozhnikov. Einops, ICLR 2022.
    """
    array, n_heads = check_split(x, h)
    return rearrange(array, "b n (h d) -> b h n d", h=n_heads)


def check_split(x: ArrayLike, h: SupportsIndex) -> tuple[Array, int]:
    """Проверяет, что последнюю ось `b n D` можно разрезать на h голов."""
    array = as_array("x", x)
    n_heads = whole("h", h, at_least=1)
    if array.ndim != 3:
        raise wrong_value("x", "форма (b, n, D)", array.shape)
    if array.shape[-1] % n_heads:
        raise wrong_value("h", f"делитель ширины D = {array.shape[-1]}", n_heads)
    return array, n_heads


def merge_heads(x: ArrayLike) -> Array:
    """Склеивает головы обратно: `b h n d -> b n (h d)`.

    Args:
        x: `b h n d`.

    Returns:
        Массив `b n D`, где D = h·d.

    Raises:
        ValueError: у x не четыре оси.

    Examples:
        >>> from attnlib import merge_heads, split_heads
        >>> import numpy as np
        >>> x = np.arange(12).reshape(1, 2, 6)
        >>> bool((merge_heads(split_heads(x, 3)) == x).all())
        True
    """
    array = as_array("x", x)
    if array.ndim != 4:
        raise wrong_value("x", "форма (b, h, n, d)", array.shape)
    return rearrange(array, "b h n d -> b n (h d)")
