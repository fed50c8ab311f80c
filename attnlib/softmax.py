"""Softmax, в котором запрещённый ключ весит ровно 0, а строка без ключей — нулевая."""

from __future__ import annotations

import operator
from typing import SupportsIndex, cast

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from attnlib._errors import (
    Array,
    boolean,
    broadcastable,
    real,
    real_array,
    wrong_type,
    wrong_value,
)
from attnlib.scores import in_type

quiet = np.errstate(all="ignore")
"""Бесконечности и nan здесь — законные промежуточные значения: предупреждать не о чем."""


def working_dtype(*dtypes: DTypeLike) -> np.dtype[np.floating]:
    """Тип, в котором идут вычисления: общий для всех входов, но не ýже float32."""
    return cast("np.dtype[np.floating]", np.result_type(np.float32, *dtypes))


def check_temperature(temperature: float) -> float:
    """Температура T ≥ 0; ноль и бесконечность законны как пределы."""
    value = real("temperature", temperature)
    if value < 0:
        raise wrong_value("temperature", "число ≥ 0", value)
    return value


def softmax_in_place(s: Array, temperature: float, axis: int = -1) -> Array:
    """Превращает оценки в веса на месте; −∞ означает запрет.

    Сначала вычитается максимум, потому что exp от большого числа бесконечна, и только при T > 1
    деление идёт раньше вычитания: так не переполняется ни то, ни другое.
    """
    top = s.max(axis=axis, keepdims=True, initial=-np.inf)
    if not np.isfinite(top).all():
        np.copyto(s, np.where(s == np.inf, 0, -np.inf), where=top == np.inf)
        np.copyto(s, np.nan, where=np.isnan(top) & (s != -np.inf))
        top = np.where(np.isfinite(top), top, 0)

    t = in_type(temperature, s.dtype)
    if t == np.inf:
        np.copyto(s, 0, where=np.isfinite(s))
    elif t > 1:
        s /= t
        s -= top / t
    else:
        s -= top
        if t == 0:
            np.copyto(s, -np.inf, where=s < 0)
        elif t != 1:
            s /= t

    np.exp(s, out=s)
    total = s.sum(axis=axis, keepdims=True)
    s /= np.where(total > 0, total, 1)
    return s


@quiet
def softmax(
    scores: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    temperature: float = 1.0,
    axis: SupportsIndex = -1,
) -> Array:
    """Превращает оценки в веса: неотрицательные числа с суммой 1 вдоль оси.

    Запрещён ключ, у которого `mask` равна False или оценка равна −∞. Его вес — ровно 0.0,
    что бы ни стояло в оценке. Строка, где запрещено всё, состоит из нулей.
    Оценки +∞ делят вес поровну; nan в разрешённой оценке делает nan веса всей строки.

    Args:
        scores: оценки любой формы.
        mask: булева маска (True = разрешено), растяжимая до формы оценок.
        temperature: температура T ≥ 0, делит оценки. T = 0 — предел: вес делят максимумы;
            T = ∞ — равные веса разрешённых.
        axis: ось, вдоль которой сумма весов равна 1.

    Returns:
        Веса той же формы и того же типа, что и оценки. float16 считается в float32
        и затем округляется; целые числа становятся float64.

    Raises:
        TypeError: маска не булева, оценки не числа.
        ValueError: T < 0 или nan, маска не растягивается, такой оси нет.

    Examples:
        >>> from attnlib import softmax
        >>> softmax([1, 2, 3], mask=[True, True, False]).round(4)
        array([0.2689, 0.7311, 0.    ])

        Больших оценок бояться не нужно: максимум вычитается.

        >>> softmax([1000.0, 1001.0]).round(4)
        array([0.2689, 0.7311])

        Запрещено всё — веса нулевые; T = 0 — весь вес у максимума.

        >>> softmax([1.0, 2.0], mask=False)
        array([0., 0.])
        >>> softmax([1.0, 3.0, 3.0], temperature=0)
        array([0. , 0.5, 0.5])

    Источники:
        1. Milakov, Gimelshein. Online normalizer calculation for softmax, 2018,
           раздел 2 (arXiv:1805.02867).
    """
    values = real_array("scores", scores)
    t = check_temperature(temperature)
    if not hasattr(axis, "__index__"):
        raise wrong_type("axis", "целое число", type(axis).__name__)
    along = operator.index(axis)
    if not -values.ndim <= along < values.ndim:
        raise wrong_value("axis", f"номер одной из осей формы {values.shape}", along)

    work = values.astype(working_dtype(values.dtype))
    if mask is not None:
        allowed = broadcastable("mask", boolean("mask", mask), values.shape)
        np.copyto(work, -np.inf, where=~allowed)
    return softmax_in_place(work, t, along).astype(values.dtype, copy=False)
