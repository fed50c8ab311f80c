"""Сколько разрешает маска: ключей каждому запросу, элементов, плиток."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib._errors import Array, boolean, whole, wrong_value


def visible_keys(mask: ArrayLike) -> Array:
    """Считает, сколько ключей видит каждый запрос.

    Args:
        mask: булева маска `... n_q n_k`.

    Returns:
        Целые числа `... n_q`, тип int64.

    Raises:
        TypeError: маска не булева.
        ValueError: у маски нет осей.

    Examples:
        >>> from attnlib.masks import causal, visible_keys
        >>> visible_keys(causal(4)).tolist()
        [1, 2, 3, 4]
    """
    allowed = _with_keys(mask)
    return np.asarray(np.count_nonzero(allowed, axis=-1), dtype=np.int64)


def share(mask: ArrayLike) -> Fraction:
    """Доля разрешённых элементов маски, точно; у пустой маски — 0.

    Args:
        mask: булева маска любой формы.

    Returns:
        Дробь от 0 до 1.

    Raises:
        TypeError: маска не булева.

    Examples:
        >>> from attnlib.masks import causal, share
        >>> share(causal(4))
        Fraction(5, 8)
    """
    allowed = boolean("mask", mask)
    return Fraction(int(np.count_nonzero(allowed)), max(prod(allowed.shape), 1))


def block_share(mask: ArrayLike, block: SupportsIndex) -> Fraction:
    """Доля элементов, которые посчитает плиточное ядро с плитками block × block.

    Плитка считается целиком, если в ней разрешён хотя бы один элемент;
    крайние плитки обрезаны по краю маски.

    Args:
        mask: булева маска `... n_q n_k`.
        block: сторона плитки.

    Returns:
        Дробь от 0 до 1; у пустой маски — 0.

    Raises:
        TypeError: маска не булева, сторона плитки не целая.
        ValueError: у маски нет осей, сторона плитки меньше 1.

    Examples:
        >>> from attnlib.masks import block_share, causal
        >>> block_share(causal(4), 1), block_share(causal(4), 2), block_share(causal(4), 4)
        (Fraction(5, 8), Fraction(3, 4), Fraction(1, 1))
    """
    allowed = _with_keys(mask)
    allowed = allowed[None] if allowed.ndim == 1 else allowed
    edge = whole("block", block, at_least=1)
    computed = 0
    for top in range(0, allowed.shape[-2], edge):
        for left in range(0, allowed.shape[-1], edge):
            tile = allowed[..., top : top + edge, left : left + edge]
            touched = np.count_nonzero(tile.any(axis=(-2, -1)))
            computed += int(touched) * tile.shape[-2] * tile.shape[-1]
    return Fraction(computed, max(prod(allowed.shape), 1))


def _with_keys(mask: ArrayLike) -> NDArray[np.bool]:
    allowed = boolean("mask", mask)
    if allowed.ndim == 0:
        raise wrong_value("mask", "не меньше одной оси", "форма ()")
    return allowed
