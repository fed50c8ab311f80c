"""Плиточное внимание с тем же результатом, что у `attention`: граница, план и потоки."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Literal, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike

from attnlib._errors import Array, whole, wrong_type
from attnlib.inputs import Inputs, check_inputs
from attnlib.kernel import Index, Kernel, own_plane, together
from attnlib.softmax import quiet
from attnlib.tiles import Allowed, Plan, TileStats, total_stats

BLOCK_Q, BLOCK_K = 112, 64
"""Плитка по умолчанию: почти наибольшая, для которой OpenBLAS ещё не заводит своих потоков."""

THREADS_PAY_FROM = 10_000_000
"""С какого числа умножений-сложений второй поток окупает своё создание."""


@overload
def flash_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    causal: bool = False,
    window: SupportsIndex | None = None,
    bias: ArrayLike | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    softcap: float | None = None,
    block_q: SupportsIndex = BLOCK_Q,
    block_k: SupportsIndex = BLOCK_K,
    return_stats: Literal[False] = False,
) -> Array: ...


@overload
def flash_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    causal: bool = False,
    window: SupportsIndex | None = None,
    bias: ArrayLike | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    softcap: float | None = None,
    block_q: SupportsIndex = BLOCK_Q,
    block_k: SupportsIndex = BLOCK_K,
    return_stats: Literal[True],
) -> tuple[Array, TileStats]: ...


@quiet
def flash_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    causal: bool = False,
    window: SupportsIndex | None = None,
    bias: ArrayLike | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    softcap: float | None = None,
    block_q: SupportsIndex = BLOCK_Q,
    block_k: SupportsIndex = BLOCK_K,
    return_stats: bool = False,
) -> Array | tuple[Array, TileStats]:
    """Считает то же внимание, что `attention`, плитками: памяти O(n · block), а не O(n²).

    Плитка block_q × block_k, запрещённая целиком (причинной маской, окном, `mask` или добавкой
    −∞), пропускается: её ключи и значения не читаются. Плитки пропускаются отдельно в каждой
    плоскости (элемент пакета × голова), насколько их различает маска.

    Памяти, кроме входов и выхода, нужно на копию ключей и значений и на буфер плиток. `causal` и
    `window` плиток не запоминают; `mask` и `bias` с −∞ — по байту на плитку. Если числа близки к
    пределам типа, полоса из block_q запросов считается целой строкой.

    Формы, порядок действий и правила запрета — как у `attention`.

    Args:
        q: запросы `... h n_q d`.
        k: ключи `... h_kv n_k d`.
        v: значения `... h_kv n_k d_v`.
        mask: булева маска (True = разрешено), растяжимая до `... h n_q n_k`.
        causal: запретить будущее, как `masks.causal(n_q, n_k)`; вместе с `mask` — И.
        window: ширина скользящего окна, как `masks.sliding_window(n_q, window, causal=causal,
            n_k=n_k)`, но без матрицы n²; вместе с `mask` — И.
        bias: добавка к оценкам, растяжимая так же.
        scale: множитель оценок; по умолчанию 1/√d.
        temperature: температура T ≥ 0; 0 и ∞ — пределы.
        softcap: плавное ограничение оценок сверху и снизу, число > 0.
        block_q: запросов в плитке; крайние плитки обрезаны, слишком большие — по всей длине.
        block_k: ключей в плитке.
        return_stats: вернуть и отчёт о плитках.

    Returns:
        Выход `... h n_q d_v` того же типа, что у `attention`, а при `return_stats=True` — пара
        (выход, `TileStats`).

    Raises:
        TypeError: то же, что у `attention`, а также `causal` не True и не False, размер плитки или
            окна не целый.
        ValueError: то же, что у `attention`, а также размер плитки или окна меньше 1.

    Examples:
        >>> import numpy as np
        >>> from attnlib import attention, flash_attention, masks
        >>> q, k, v = np.random.default_rng(0).standard_normal((3, 2, 100, 8))
        >>> out, stats = flash_attention(q, k, v, causal=True, block_q=32, block_k=32,
        ...                              return_stats=True)
        >>> bool(np.allclose(out, attention(q, k, v, mask=masks.causal(100)), atol=1e-12))
        True
        >>> stats.skipped, stats.partial, stats.full
        (12, 8, 12)

    Источники:
        1. Dao et al. FlashAttention, 2022 (arXiv:2205.14135): плитки и softmax на ходу.
        2. Dao. FlashAttention-2, 2023, раздел 3.1 (arXiv:2307.08691): деление в конце, пропуск
           запрещённых плиток.
        3. Milakov, Gimelshein. Online normalizer calculation for softmax, 2018
           (arXiv:1805.02867).
    """
    x = check_inputs(
        q, k, v, mask=mask, bias=bias, scale=scale, temperature=temperature, softcap=softcap
    )
    if not isinstance(causal, bool | np.bool):
        raise wrong_type("causal", "True или False", type(causal).__name__)
    edge_q = whole("block_q", block_q, at_least=1)
    edge_k = whole("block_k", block_k, at_least=1)
    width = None if window is None else whole("window", window, at_least=1)
    edge_q, edge_k = max(1, min(edge_q, x.q.shape[-2])), max(1, min(edge_k, x.k.shape[-2]))
    plans = _plans(x, bool(causal), width, edge_q, edge_k)
    out = np.zeros((*x.q.shape[:-1], x.v.shape[-1]), x.q.dtype)
    madds = sum(plan.computed_pairs for plan in plans.values()) * x.q.shape[-1]
    threads = _threads() if madds >= THREADS_PAY_FROM else 1

    @quiet  # у потока своя настройка предупреждений
    def run(planes: Sequence[Index]) -> None:
        Kernel(x, planes, plans[planes[0]]).run(out)

    at_once = min(together(edge_q, edge_k)[0], max(1, len(plans) // threads))
    _for_each(run, _batches(plans, at_once), threads)
    result = x.finish(out)
    return (result, total_stats(plans.values())) if return_stats else result


def _batches(plans: dict[Index, Plan], size: int) -> list[list[Index]]:
    """Плоскости с общим планом считаются вместе, но не больше `size` сразу."""
    same: dict[int, list[Index]] = {}
    for plane, plan in plans.items():
        same.setdefault(id(plan), []).append(plane)
    return [group[i : i + size] for group in same.values() for i in range(0, len(group), size)]


def _threads() -> int:
    """Два потока, если есть два ядра; в браузере потоков нет."""
    if sys.platform == "emscripten":
        return 1
    if hasattr(os, "sched_getaffinity"):
        return min(2, len(os.sched_getaffinity(0)))
    return min(2, os.cpu_count() or 1)


def _for_each(
    run: Callable[[Sequence[Index]], None], batches: Sequence[Sequence[Index]], threads: int
) -> None:
    if threads == 1 or len(batches) == 1:
        for planes in batches:
            run(planes)
        return
    from concurrent.futures import ThreadPoolExecutor  # в браузере не нужен и не загружается

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, batches))


def _plans(
    x: Inputs, causal: bool, window: int | None, block_q: int, block_k: int
) -> dict[Index, Plan]:
    """План каждой плоскости; плоскости с одной и той же маской делят один план."""
    n_q, n_k = x.q.shape[-2], x.k.shape[-2]
    bias = x.bias if x.bias is not None and (x.bias == -np.inf).any() else None
    known: dict[tuple[Index | None, Index | None], Plan] = {}
    plans: dict[Index, Plan] = {}
    for plane in np.ndindex(x.q.shape[:-2]):
        key = own_plane(x.mask, plane), own_plane(bias, plane)
        if key not in known:
            allowed = Allowed(
                n_q,
                n_k,
                causal,
                None if x.mask is None else x.mask[key[0]],
                None if bias is None else bias[key[1]],
                window,
            )
            known[key] = Plan.of(allowed, block_q, block_k)
        plans[plane] = known[key]
    return plans
