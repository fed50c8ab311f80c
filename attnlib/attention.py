"""Внимание целой матрицей: все оценки сразу, n_q × n_k чисел на голову."""

from __future__ import annotations

from typing import Literal, overload

import numpy as np
from einops import repeat
from numpy.typing import ArrayLike

from attnlib._errors import Array
from attnlib.inputs import check_inputs
from attnlib.scores import capped, largest, scaled_scores, widened
from attnlib.softmax import quiet, softmax_in_place


@overload
def attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    softcap: float | None = None,
    return_weights: Literal[False] = False,
) -> Array: ...


@overload
def attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    softcap: float | None = None,
    return_weights: Literal[True],
) -> tuple[Array, Array]: ...


@quiet
def attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    softcap: float | None = None,
    return_weights: bool = False,
) -> Array | tuple[Array, Array]:
    """Считает внимание: каждый запрос получает взвешенную сумму значений.

    Порядок действий: s = scale · QKᵀ; затем softcap · tanh(s / softcap); затем s + bias;
    запрещённые оценки становятся −∞; деление на температуру (она делит и bias); softmax;
    произведение весов на V.

    Формы: q — `... h n_q d`, k — `... h_kv n_k d`, v — `... h_kv n_k d_v`. Двумерные q, k, v —
    одна голова без пакета. Голова запроса i берёт ключи и значения головы i // (h / h_kv).

    `mask` и `bias` растягиваются по правилам NumPy: недостающие оси приставляются слева. Общая
    маска — `n_q n_k`, своя у каждого элемента пакета — `b 1 n_q n_k` (заполнитель — `b 1 1 n_k`),
    своя у каждой головы — `h n_q n_k`. Поэтому маска `b n_q n_k` при b = h — это маска голов, а
    `b n_k` при b = n_q — маска запросов, и ошибки не будет: недостающую ось пишите сами,
    `mask[:, None]` или `mask[:, None, None]`.

    Оценки не обязаны помещаться в тип до умножения на scale: где QKᵀ переполнилось бы,
    они считаются заново в float64.

    Запрещён ключ, у которого `mask` равна False или `bias` равна −∞. Его вес — ровно 0.0, и что
    бы ни лежало в его k и v (nan, ∞), до выхода это не доходит — для каждой пары
    (запрос, ключ) отдельно. Запрос, которому запрещено всё, получает нули.
    nan в разрешённых ключах и значениях доходит до выхода.

    Args:
        q: запросы.
        k: ключи.
        v: значения.
        mask: булева маска (True = разрешено), растяжимая до `... h n_q n_k`.
        bias: добавка к оценкам, растяжимая так же.
        scale: множитель оценок; по умолчанию 1/√d.
        temperature: температура T ≥ 0; 0 и ∞ — пределы.
        softcap: плавное ограничение оценок сверху и снизу, число > 0.
        return_weights: вернуть и веса.

    Returns:
        Выход `... h n_q d_v`, а при `return_weights=True` — пара (выход, веса
        `... h n_q n_k`). Тип — как у q; float16 считается в float32 и затем округляется,
        целые числа становятся float64.

    Raises:
        TypeError: маска не булева, входы не вещественные числа или массивы `numpy.ma`.
        ValueError: формы не согласованы, d = 0, T < 0, softcap ≤ 0, h не делится на h_kv.

    Examples:
        >>> import numpy as np
        >>> from attnlib import attention, masks
        >>> x = np.eye(3)
        >>> out, weights = attention(x, x, x, mask=masks.causal(3), return_weights=True)
        >>> weights.round(3)
        array([[1.   , 0.   , 0.   ],
               [0.36 , 0.64 , 0.   ],
               [0.264, 0.264, 0.471]])

        Значение запрещённого ключа не доходит до выхода, даже если это nan.

        >>> attention([[1, 0]], [[1, 0], [0, 1]], [[3, 4], [np.nan, np.nan]], mask=[True, False])
        array([[3., 4.]])

    Источники:
        1. Vaswani et al. Attention Is All You Need, 2017, раздел 3.2.1 (arXiv:1706.03762).
        2. Ainslie et al. GQA, 2023, раздел 2.2 (arXiv:2305.13245).
    """
    x = check_inputs(
        q, k, v, mask=mask, bias=bias, scale=scale, temperature=temperature, softcap=softcap
    )
    keys, values = x.k, x.v
    if x.group != 1:  # у каждой головы запроса — ключи и значения своей группы
        keys, values = (
            repeat(each, "... h_kv n d -> ... (h_kv g) n d", g=x.group) for each in (x.k, x.v)
        )
    out, weights = attend(
        x.q,
        keys,
        values,
        allowed=allowed_pairs(x.mask, x.bias),
        bias=x.bias,
        scale=x.scale,
        softcap=x.softcap,
        temperature=x.temperature,
    )
    return (x.finish(out), x.finish(weights)) if return_weights else x.finish(out)


def attend(
    q: Array,
    k: Array,
    v: Array,
    *,
    allowed: Array | None,
    bias: Array | None,
    scale: float,
    softcap: float | None,
    temperature: float,
) -> tuple[Array, Array]:
    """Ядро: проверенные входы с равным числом голов → выход и веса в рабочем типе."""
    s = scaled_scores(q, k, scale=scale, temperature=temperature, allowed=allowed)
    if softcap is not None:
        s = capped(s, softcap)
    if bias is not None:
        if largest(bias) > np.finfo(s.dtype).max / 2:  # сумма могла бы переполниться
            s = widened(s)
        s += bias
    if allowed is not None:
        np.copyto(s, -np.inf, where=~allowed)
    weights = softmax_in_place(s, temperature).astype(q.dtype, copy=False)
    out = weighted_sum(weights, v, allowed)
    if np.isinf(out).any():  # сумма весов округлилась выше 1; у ∞ в значениях половина — тоже ∞
        half = np.finfo(out.dtype).max / 2
        halved = weighted_sum(weights, v / 2, allowed)
        out = np.where(np.isinf(halved), halved, 2 * np.clip(halved, -half, half))
    return out, weights


def allowed_pairs(mask: Array | None, bias: Array | None) -> Array | None:
    """Разрешённые пары по обоим запретам: маской и добавкой −∞; None — разрешено всё."""
    if bias is None or not (banned := bias == -np.inf).any():
        return mask
    return np.logical_not(banned) if mask is None else np.asarray(mask & ~banned)


def weighted_sum(weights: Array, v: Array, allowed: Array | None) -> Array:
    """Произведение весов на значения, в котором запрет сильнее, чем nan и ∞ в v.

    Обычного произведения мало: 0 · nan = nan. Если выход не конечен, нечисла в v считаются
    отдельно, и только по разрешённым парам.
    """
    out: Array = weights @ v
    if allowed is None or np.isfinite(out).all():
        return out
    pairs = np.broadcast_to(allowed, weights.shape)
    out = weights @ np.where(np.isfinite(v), v, 0)
    zero, positive = pairs & (weights == 0), pairs & (weights > 0)
    out[_meets(pairs, np.isnan(v)) | _meets(zero, np.isinf(v))] = np.nan
    out[_meets(positive, v == np.inf)] += np.inf
    out[_meets(positive, v == -np.inf)] -= np.inf
    return out


def _meets(pairs: Array, values: Array) -> Array:
    """Есть ли у запроса разрешённый ключ с отмеченным значением: (…, n_q, d_v)."""
    found: Array = pairs.astype(np.float32) @ values.astype(np.float32) > 0
    return found
