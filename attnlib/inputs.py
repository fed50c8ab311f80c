"""Общая граница `attention` и `flash_attention`: проверка и приведение входов."""

from __future__ import annotations

from dataclasses import dataclass
from math import isinf, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attnlib._errors import (
    Array,
    boolean,
    broadcastable,
    real,
    real_array,
    wrong_type,
    wrong_value,
)
from attnlib.softmax import check_temperature, working_dtype


@dataclass(frozen=True)
class Inputs:
    """Проверенные входы в рабочем типе; у одной головы добавлена ось h = 1."""

    q: Array  # (…, h, n_q, d)
    k: Array  # (…, h_kv, n_k, d)
    v: Array  # (…, h_kv, n_k, d_v)
    mask: Array | None  # (…|1, h|1, n_q|1, n_k|1)
    bias: Array | None  # (…|1, h|1, n_q|1, n_k|1)
    scale: float
    temperature: float
    softcap: float | None
    dtype: np.dtype[Any]
    one_head: bool

    @property
    def group(self) -> int:
        """Сколько голов запроса приходится на одну голову ключей и значений."""
        return int(self.q.shape[-3] // max(self.k.shape[-3], 1))

    def finish(self, result: Array) -> Array:
        """Возвращает результат в типе запроса и без добавленной оси."""
        return (result[0] if self.one_head else result).astype(self.dtype, copy=False)


def check_inputs(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None,
    bias: ArrayLike | None,
    scale: float | None,
    temperature: float,
    softcap: float | None,
) -> Inputs:
    """Проверяет формы и типы и приводит числа к рабочему типу; входы не меняются."""
    queries = real_array("q", q, at_least_dims=2)
    keys = real_array("k", k, at_least_dims=2)
    values = real_array("v", v, at_least_dims=2)
    _check_shapes(queries.shape, keys.shape, values.shape)

    one_head = queries.ndim == 2
    scores = (*queries.shape[:-1], keys.shape[-2])  # (…, h, n_q, n_k)
    allowed = None if mask is None else broadcastable("mask", boolean("mask", mask), scores)
    added = None if bias is None else broadcastable("bias", _bias_array(bias), scores)
    work = working_dtype(*(a.dtype for a in (queries, keys, values, added) if a is not None))

    def ready(array: Array, dtype: np.dtype[Any]) -> Array:
        return (array[None] if one_head else array).astype(dtype, copy=False)

    return Inputs(
        q=ready(queries, work),
        k=ready(keys, work),
        v=ready(values, work),
        mask=None if allowed is None else ready(allowed, allowed.dtype),
        bias=None if added is None else ready(added, work),
        scale=_check_scale(scale, queries.shape[-1]),
        temperature=check_temperature(temperature),
        softcap=None if softcap is None else _check_softcap(softcap),
        dtype=queries.dtype,
        one_head=one_head,
    )


def _check_shapes(q: tuple[int, ...], k: tuple[int, ...], v: tuple[int, ...]) -> None:
    if q[-1] == 0:
        raise wrong_value("q", "размер головы d ≥ 1", f"форма {q}")
    if len(k) != len(q) or k[:-3] != q[:-3] or k[-1] != q[-1]:
        expected = "(n_k, d)" if len(q) == 2 else "(…, h_kv, n_k, d)"
        raise wrong_value("k", f"форма {expected} с теми же «…» и d, что у q {q}", k)
    if v[:-1] != k[:-1]:
        raise wrong_value("v", f"столько же голов и ключей, сколько у k {k}", v)
    if len(q) > 2:
        h, h_kv = q[-3], k[-3]
        if h and (h_kv == 0 or h % h_kv):
            raise wrong_value("k", f"число голов h_kv, на которое делится h = {h} у q", h_kv)


def _bias_array(bias: ArrayLike) -> Array:
    if np.asarray(bias).dtype == np.bool:
        raise wrong_type(
            "bias", "числа, добавляемые к оценкам", "булев массив (передайте как mask)"
        )
    return real_array("bias", bias)


def _check_scale(scale: float | None, d: int) -> float:
    value = 1 / sqrt(d) if scale is None else real("scale", scale)
    if isinf(value):
        raise wrong_value("scale", "конечное число", value)
    return value


def _check_softcap(softcap: float) -> float:
    value = real("softcap", softcap)
    if value <= 0:
        raise wrong_value("softcap", "число > 0", value)
    return value
