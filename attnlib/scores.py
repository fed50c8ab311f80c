"""Оценки scale · QKᵀ: правильные и там, где само произведение QKᵀ не поместилось бы в тип."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from attnlib._errors import Array


def scaled_scores(
    q: Array, k: Array, *, scale: float, temperature: float, allowed: Array | None
) -> Array:
    """Считает оценки; где произведение могло переполниться до масштаба, пересчитывает точно.

    Так же и там, где малое произведение потеряло знаки, а потом множится на огромное число.
    Пересчёт идёт в float64 и меняет тип оценок, поэтому затевается только ради разрешённых пар.
    """
    s: Array = q @ np.swapaxes(k, -1, -2)  # (…, n_q, n_k)
    s *= in_type(scale, s.dtype)
    info = np.finfo(s.dtype)
    limit = float(info.max) / q.shape[-1]
    magnified = temperature > 0 and max(abs(scale), 1) / temperature > math.sqrt(limit)
    if not magnified and largest(q) * largest(k) < limit:
        return s
    bounds = widened(_row_tops(q))[..., :, None] * widened(_row_tops(k))[..., None, :]
    doubtful = bounds >= limit
    if magnified:
        doubtful |= bounds < info.tiny / info.eps
    if allowed is not None:
        doubtful &= allowed
    if not doubtful.any():
        return s
    s = widened(s)
    for *plane, i in np.argwhere(doubtful.any(axis=-1)):
        row = (*plane, i)
        keys = np.flatnonzero(doubtful[row])
        s[row][keys] = _exact(q[row], k[tuple(plane)][keys], scale)
    return s


def _exact(q: Array, k: Array, scale: float) -> Array:
    """scale · q·k для одного запроса: мантиссы и степени двойки отдельно, без переполнений."""
    (q_part, q_power), (k_part, k_power) = _binary(q), _binary(k)
    scale_part, scale_power = math.frexp(scale)
    products, powers = q_part * k_part, q_power + k_power
    top = powers.max(axis=-1, where=products != 0, initial=-10_000)
    total = np.ldexp(products, powers - top[:, None]).sum(axis=-1)
    return np.asarray(np.ldexp(total * scale_part, top + scale_power))


def _binary(x: Array) -> tuple[Array, Array]:
    part, power = np.frexp(widened(x))
    return part, np.where(np.isfinite(part), power, 0)


def widened(x: Array) -> Array:
    """Тот же массив, но не ýже float64."""
    return x.astype(np.result_type(x.dtype, np.float64), copy=False)


def normal(value: float, dtype: np.dtype[Any]) -> bool:
    """Записывается ли число в этом типе без потери знаков."""
    info, size = np.finfo(dtype), abs(value)
    return bool(size == 0 or math.isinf(size) or info.tiny <= size <= info.max)


def in_type(value: float, dtype: np.dtype[Any]) -> np.floating[Any]:
    """Число в типе оценок; если там оно потеряло бы знаки, остаётся float64."""
    number: np.floating[Any] = dtype.type(value) if normal(value, dtype) else np.float64(value)
    return number


def largest(x: Array) -> float:
    """Наибольший модуль среди конечных чисел массива."""
    top = max(float(x.max(initial=0)), -float(x.min(initial=0)))
    return top if math.isfinite(top) else float(_row_tops(x).max(initial=0))


def _row_tops(x: Array) -> Array:
    return np.asarray(np.abs(np.where(np.isfinite(x), x, 0)).max(axis=-1, initial=0))


def capped(s: Array, softcap: float) -> Array:
    """Плавно ограничивает оценки числами ±softcap, на месте; бесконечный предел их не меняет."""
    if math.isinf(softcap):
        return s
    if not normal(softcap, s.dtype):
        s = widened(s)
    s /= softcap
    np.tanh(s, out=s)
    s *= softcap
    return s
