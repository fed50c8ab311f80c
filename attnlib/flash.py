"""Быстрое плиточное внимание: та же идея, что в `tiled.py`, и тот же результат, что у `attention`.

Чем оно быстрее учебного ядра:

1. Плиток в одном произведении много, и все промежуточные числа живут в одном небольшом буфере.
2. Опорное число строки берётся из первой плитки, а не обновляется на ходу. Оно вычитается самим
   произведением: у запросов есть ещё столбец «−опора», у ключей — столбец единиц.
3. Сумму строки считает то же произведение, что и выход: у значений есть столбец единиц.
4. Головы считаются в двух потоках: NumPy на время произведений отпускает GIL.

Опора не обязана быть максимумом: e^(s − опора) не переполняется, пока s больше опоры не более чем
на десятки. Если это не так или во входах есть nan и ∞, полоса запросов пересчитывается
ядром `attend`: там всё точно, а памяти нужно block_q × n_k чисел.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Literal, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike

from attnlib.attention import attend, cap_in_place
from attnlib.errors import Array, whole, wrong_type
from attnlib.inputs import Inputs, check_inputs
from attnlib.softmax import quiet
from attnlib.tiles import FULL, SKIPPED, Allowed, Plan, TileStats, blocks, cut, total_stats

CHUNK = 8
"""Плиток в одном произведении: буфер оценок 8 · 64 · 64 чисел помещается в кэш процессора."""

THREADS_PAY_FROM = 10_000_000
"""С какого числа умножений-сложений второй поток окупает своё создание."""

Index = tuple[int, ...]


@overload
def flash_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    causal: bool = False,
    bias: ArrayLike | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    softcap: float | None = None,
    block_q: SupportsIndex = 64,
    block_k: SupportsIndex = 64,
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
    bias: ArrayLike | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    softcap: float | None = None,
    block_q: SupportsIndex = 64,
    block_k: SupportsIndex = 64,
    return_stats: Literal[True],
) -> tuple[Array, TileStats]: ...


@overload
def flash_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    causal: bool = False,
    bias: ArrayLike | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    softcap: float | None = None,
    block_q: SupportsIndex = 64,
    block_k: SupportsIndex = 64,
    return_stats: bool,
) -> Array | tuple[Array, TileStats]: ...


@quiet
def flash_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    causal: bool = False,
    bias: ArrayLike | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    softcap: float | None = None,
    block_q: SupportsIndex = 64,
    block_k: SupportsIndex = 64,
    return_stats: bool = False,
) -> Array | tuple[Array, TileStats]:
    """Считает то же внимание, что `attention`, плитками: памяти O(n · block), а не O(n²).

    Плитка block_q × block_k, запрещённая целиком (причинной маской, `mask` или добавкой −∞),
    пропускается: её ключи и значения не читаются. Плитки пропускаются отдельно в каждой
    плоскости (элемент батча × голова), насколько их различает маска.

    Формы, порядок действий и правила запрета — как у `attention`.

    Args:
        q: запросы `... h n_q d`.
        k: ключи `... h_kv n_k d`.
        v: значения `... h_kv n_k d_v`.
        mask: булева маска (True = разрешено), растяжимая до `... h n_q n_k`.
        causal: запретить будущее, как `masks.causal(n_q, n_k)`; вместе с `mask` — И.
        bias: добавка к оценкам, растяжимая так же.
        scale: множитель оценок; по умолчанию 1/√d.
        temperature: температура T ≥ 0; 0 и ∞ — пределы.
        softcap: плавное ограничение оценок сверху и снизу, число > 0.
        block_q: запросов в плитке; крайние плитки обрезаны.
        block_k: ключей в плитке.
        return_stats: вернуть и отчёт о плитках.

    Returns:
        Выход `... h n_q d_v` в типе q, а при `return_stats=True` — пара (выход, `TileStats`).

    Raises:
        TypeError: маска не булева, входы не вещественные числа.
        ValueError: то же, что у `attention`, а также размер плитки меньше 1.

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
        1. Dao et al. FlashAttention, 2022, алгоритм 1 (arXiv:2205.14135).
        2. Dao. FlashAttention-2, 2023, раздел 3.1 (arXiv:2307.08691).
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
    plans = _plans(x, bool(causal), edge_q, edge_k)
    out = np.zeros((*x.q.shape[:-1], x.v.shape[-1]), x.q.dtype)
    madds = sum(plan.computed_pairs for plan in plans.values()) * x.q.shape[-1]

    def run(plane: Index) -> None:
        with quiet_thread():
            _Plane(x, plane, plans[plane], edge_q, edge_k).run(out[plane])

    _for_each(run, list(plans), threads=_threads() if madds >= THREADS_PAY_FROM else 1)
    result = x.finish(out)
    return (result, total_stats(plans.values())) if return_stats else result


def quiet_thread() -> np.errstate:
    """Поток не наследует настройку предупреждений, поэтому получает свою."""
    return np.errstate(all="ignore")


def _threads() -> int:
    """Два потока, если есть два ядра; в браузере потоков нет."""
    if sys.platform == "emscripten":
        return 1
    if hasattr(os, "sched_getaffinity"):
        return min(2, len(os.sched_getaffinity(0)))
    return min(2, os.cpu_count() or 1)


def _for_each(run: Callable[[Index], None], planes: Sequence[Index], threads: int) -> None:
    if threads == 1 or len(planes) == 1:
        for plane in planes:
            run(plane)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, planes))


def _plans(x: Inputs, causal: bool, block_q: int, block_k: int) -> dict[Index, Plan]:
    """План каждой плоскости; плоскости с одной и той же маской делят один план."""
    n_q, n_k = x.q.shape[-2], x.k.shape[-2]
    bias = x.bias if x.bias is not None and (x.bias == -np.inf).any() else None
    known: dict[tuple[Index | None, Index | None], Plan] = {}
    plans: dict[Index, Plan] = {}
    for plane in np.ndindex(x.q.shape[:-2]):
        key = _own_plane(x.mask, plane), _own_plane(bias, plane)
        if key not in known:
            allowed = Allowed(
                n_q,
                n_k,
                causal,
                None if x.mask is None else x.mask[key[0]],
                None if bias is None else bias[key[1]],
            )
            known[key] = Plan.of(allowed, block_q, block_k)
        plans[plane] = known[key]
    return plans


def _own_plane(array: Array | None, plane: Index) -> Index | None:
    """Номер плоскости в массиве, у которого оси длины 1 общие для всех."""
    if array is None:
        return None
    return tuple(0 if size == 1 else i for i, size in zip(plane, array.shape, strict=False))


class _Plane:
    """Внимание одной плоскости: одна голова запроса одного элемента батча."""

    def __init__(self, x: Inputs, plane: Index, plan: Plan, block_q: int, block_k: int) -> None:
        shared = (*plane[:-1], plane[-1] // x.group)  # GQA: голова i читает i // (h / h_kv)
        self.q, self.k, self.v = x.q[plane], x.k[shared], x.v[shared]
        self.bias = None if x.bias is None else x.bias[_own_plane(x.bias, plane)]
        self.x, self.plan = x, plan
        self.block_q, self.block_k = block_q, block_k
        self.columns = blocks(self.k.shape[0], block_k)

    def run(self, out: Array) -> None:
        d, d_v, dtype = self.q.shape[-1], self.v.shape[-1], self.q.dtype
        # Плитки одного размера; у последней лишние строки нулевые, и оценки их запрещены.
        self.k_tiles = np.zeros((len(self.columns), self.block_k, d + 1), dtype)
        self.v_tiles = np.zeros((len(self.columns), self.block_k, d_v + 1), dtype)
        for j in np.flatnonzero((self.plan.states != SKIPPED).any(axis=0)):
            rows = self.columns[j]
            size = rows.stop - rows.start
            self.k_tiles[j, :size, :d] = self.k[rows]
            self.v_tiles[j, :size, :d_v] = self.v[rows]
        self.k_tiles[..., d] = self.v_tiles[..., d_v] = 1
        self.scores = np.empty((CHUNK, self.block_q, self.block_k), dtype)
        self.products = np.empty((CHUNK, self.block_q, d_v + 1), dtype)

        usual = 1e-6 < self.x.temperature < 1e6
        for i, rows in enumerate(blocks(self.q.shape[0], self.block_q)):
            tiles = np.flatnonzero(self.plan.states[i])
            if len(tiles) and not (usual and self.fast(i, rows, tiles, out[rows])):
                out[rows] = self.careful(rows, tiles)

    def fast(self, i: int, rows: slice, tiles: Array, out: Array) -> bool:
        """Считает полосу запросов; False — числа вышли за пределы, нужен точный пересчёт."""
        x = self.x
        height, d = rows.stop - rows.start, self.q.shape[-1]
        q = np.zeros((height, d + 1), self.q.dtype)
        np.multiply(self.q[rows], x.scale if x.softcap else x.scale / x.temperature, out=q[:, :d])
        sums = np.zeros((height, self.v_tiles.shape[-1]), q.dtype)
        pivot = np.zeros((height, 1), q.dtype)
        # Последняя плитка первая: при причинной маске в ней у каждого запроса есть свой ключ.
        for chunk in [tiles[-1:], *np.split(tiles[:-1], range(CHUNK, len(tiles) - 1, CHUNK))]:
            if not len(chunk):
                continue
            near = chunk[-1] - chunk[0] == len(chunk) - 1
            which = slice(chunk[0], chunk[-1] + 1) if near else chunk
            s = self.scores[: len(chunk), :height]
            np.matmul(q, np.swapaxes(self.k_tiles[which], 1, 2), out=s)
            if x.softcap is not None:
                cap_in_place(s, x.softcap)
                s /= x.temperature
                s -= pivot
            self.mark(i, rows, chunk, s)
            if chunk[0] == tiles[-1]:
                pivot = s[0].max(axis=1, keepdims=True)
                np.copyto(pivot, 0, where=pivot == -np.inf)
                s -= pivot
                if x.softcap is None:
                    q[:, d:] = -pivot
            np.exp(s, out=s)
            products = self.products[: len(chunk), :height]
            np.matmul(s, self.v_tiles[which], out=products)
            sums += products.sum(axis=0)
        total = sums[:, -1:]
        if not np.isfinite(sums).all() or not self.enough(rows, total):
            return False
        np.divide(sums[:, :-1], np.where(total == 0, 1, total), out=out)
        return True

    def mark(self, i: int, rows: slice, chunk: Array, s: Array) -> None:
        """Добавляет bias и ставит −∞ запрещённым парам; целые плитки не трогает."""
        for t, j in enumerate(chunk):
            columns = self.columns[j]
            size = columns.stop - columns.start
            if self.bias is not None:
                s[t, :, :size] += cut(self.bias, rows, columns) / self.x.temperature
            if self.plan.states[i, j] != FULL:
                allowed = self.plan.allowed.part(rows, columns)
                assert allowed is not None, "only a restricted plane has tiles that are not full"
                np.copyto(s[t, :, :size], -np.inf, where=~allowed)
            s[t, :, size:] = -np.inf

    def enough(self, rows: slice, total: Array) -> bool:
        """Не потеряла ли строка точность: малая сумма законна, только если не разрешено ничего."""
        small = total[:, 0] < np.sqrt(np.finfo(total.dtype).tiny)
        if not small.any():
            return True
        part = self.plan.allowed.part(rows, slice(0, self.k.shape[0]))
        return part is not None and not np.broadcast_to(part.any(axis=1), small.shape)[small].any()

    def careful(self, rows: slice, tiles: Array) -> Array:
        """Точный пересчёт полосы запросов целой строкой, но только по непропущенным плиткам."""
        x = self.x
        parts, biases = [], []
        for j in tiles:
            shape = rows.stop - rows.start, self.columns[j].stop - self.columns[j].start
            part = self.plan.allowed.part(rows, self.columns[j])
            parts.append(np.broadcast_to(True if part is None else part, shape))
            if self.bias is not None:
                biases.append(np.broadcast_to(cut(self.bias, rows, self.columns[j]), shape))
        return attend(
            self.q[rows],
            np.concatenate([self.k[self.columns[j]] for j in tiles]),
            np.concatenate([self.v[self.columns[j]] for j in tiles]),
            allowed=np.concatenate(parts, axis=1),
            bias=np.concatenate(biases, axis=1) if biases else None,
            scale=x.scale,
            softcap=x.softcap,
            temperature=x.temperature,
        )[0]
