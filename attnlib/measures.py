"""Измерения: насколько остры распределения внимания и насколько шумны оценки."""

from __future__ import annotations

from math import sqrt
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from attnlib._errors import Array, boolean, broadcastable, real_array, whole, wrong_value
from attnlib.softmax import quiet


@quiet
def score_spread(scores: ArrayLike, mask: ArrayLike | None = None) -> float:
    """Разброс оценок: наибольшая минус наименьшая среди разрешённых.

    Args:
        scores: оценки любой формы; −∞ считается запретом.
        mask: булева маска (True = разрешено), растяжимая до формы оценок.

    Returns:
        Одно число; если не разрешено ничего — 0.0.

    Raises:
        TypeError: маска не булева, оценки не числа.
        ValueError: маска не растягивается до формы оценок.

    Examples:
        >>> from attnlib.measures import score_spread
        >>> score_spread([[1.0, 9.0], [2.0, 5.0]], mask=[[True, False], [True, True]])
        4.0
    """
    values = real_array("scores", scores)
    allowed = values != -np.inf
    if mask is not None:
        allowed &= broadcastable("mask", boolean("mask", mask), values.shape)
    kept = values[allowed].astype(np.float64)
    return float(kept.max() - kept.min()) if kept.size else 0.0


@quiet
def row_entropy(weights: ArrayLike) -> Array:
    """Энтропия каждой строки весов в битах: −Σ p log₂ p, где 0 · log₂ 0 = 0.

    Равные веса m ключей дают log₂ m бит, единственный ключ и пустая строка — 0.

    Args:
        weights: веса `... n_k`, неотрицательные.

    Returns:
        Биты, `...`, тип float64.

    Raises:
        ValueError: есть отрицательный вес.

    Examples:
        >>> from attnlib.measures import row_entropy
        >>> row_entropy([[0, 0.5, 0.5], [0, 0, 1], [0, 0, 0]])
        array([1., 0., 0.])
        >>> round(float(row_entropy([0.7, 0.2, 0.1, 0])), 4)
        1.1568
    """
    p = _weights(weights)
    bits = -(p * np.log2(p, where=p != 0, out=np.zeros_like(p))).sum(axis=-1)
    return np.where(bits <= 0, 0.0, bits)[()]


@quiet
def max_weight(weights: ArrayLike) -> float:
    """Наибольший из весов.

    Args:
        weights: веса любой формы, неотрицательные.

    Returns:
        Одно число; без весов — 0.0.

    Raises:
        ValueError: есть отрицательный вес.

    Examples:
        >>> from attnlib.measures import max_weight
        >>> max_weight([[0.25, 0.75], [0.5, 0.5]])
        0.75
    """
    return float(_weights(weights).max(initial=0.0))


@quiet
def gradient_scale(weights: ArrayLike) -> float:
    """Масштаб градиента: наибольшее p(1 − p), диагональ якобиана softmax.

    Не больше 1/4; у вырожденных весов 0 и 1 — ноль: градиент через softmax не проходит.

    Args:
        weights: веса любой формы, неотрицательные.

    Returns:
        Одно число; без весов — 0.0.

    Raises:
        ValueError: есть отрицательный вес.

    Examples:
        >>> from attnlib.measures import gradient_scale
        >>> gradient_scale([0.5, 0.5]), gradient_scale([0.0, 1.0])
        (0.25, 0.0)
    """
    p = _weights(weights)
    return float((p * (1 - p)).max(initial=0.0))


def cosine_noise(d: SupportsIndex) -> float:
    """Стандартное отклонение косинуса двух независимых векторов: 1/√d.

    Точно, если распределение хотя бы одного из них не зависит от поворотов (например,
    нормальное) или его составляющие независимы, одинаково распределены и симметричны
    относительно нуля. У скошенных составляющих — лишь приближённо.

    Args:
        d: размер головы, d ≥ 1.

    Returns:
        Одно число.

    Raises:
        TypeError: d не целое.
        ValueError: d < 1.

    Examples:
        >>> from attnlib.measures import cosine_noise
        >>> [round(cosine_noise(d), 3) for d in (8, 64, 768)]
        [0.354, 0.125, 0.036]
    """
    return 1 / sqrt(whole("d", d, at_least=1))


def _weights(weights: ArrayLike) -> np.ndarray[Any, np.dtype[np.float64]]:
    p = real_array("weights", weights, at_least_dims=1).astype(np.float64)
    if (p < 0).any():
        raise wrong_value("weights", "неотрицательные веса", f"наименьший {float(np.nanmin(p))}")
    return p
