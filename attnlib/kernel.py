"""Быстрое ядро: та же идея, что в `tiled.py`, но без лишних проходов по оценкам.

1. Плитки нескольких голов и нескольких блоков ключей считаются одним произведением в буферах,
   которые помещаются в кэш процессора.
2. Опорное число строки — её максимум в первой плитке; на ходу оно не обновляется. Вычитает его
   само произведение: у запросов есть ещё столбец «−опора», у ключей — столбец единиц.
3. Сумму строки считает то же произведение, что и выход: у значений есть столбец единиц.

Опора не обязана быть максимумом: e^(s − опора) не переполняется, пока s не больше опоры на
десятки. Если это не так, числа близки к пределам типа или во входах есть nan и ∞, полосу запросов
считает ядро `attend`: там всё точно, а памяти нужно block_q × n_k чисел.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

import numpy as np

from attnlib._errors import Array
from attnlib.attention import attend
from attnlib.inputs import Inputs
from attnlib.scores import capped, largest, normal
from attnlib.tiles import FULL, Plan, cut

PLANES, CHUNK = 4, 8
"""Плоскостей и блоков ключей в одном произведении."""

BUFFER = 2**18
"""Чисел в буфере оценок: большие плитки считаются по одной, буфер не больше самой плитки."""

USUAL_TEMPERATURES = 1e-6, 1e6
"""Вне этих границ (и при T = 0, ∞) полосы считает точное ядро."""

Index = tuple[int, ...]
"""Номер плоскости: пакет и голова запроса."""


def own_plane(array: Array | None, plane: Index) -> Index | None:
    """Номер плоскости в массиве, у которого оси длины 1 общие для всех."""
    if array is None:
        return None
    return tuple(0 if size == 1 else i for i, size in zip(plane, array.shape, strict=False))


def together(block_q: int, block_k: int) -> tuple[int, int]:
    """Сколько плоскостей и сколько блоков ключей считать одним произведением."""
    tiles = max(1, min(PLANES * CHUNK, BUFFER // (block_q * block_k)))
    return max(1, min(PLANES, tiles // CHUNK)), min(CHUNK, tiles)


class Kernel:
    """Внимание нескольких плоскостей с одним планом; p — их число."""

    def __init__(self, x: Inputs, planes: Sequence[Index], plan: Plan) -> None:
        shared = [(*plane[:-1], plane[-1] // x.group) for plane in planes]  # GQA: i // (h / h_kv)
        self.q = [x.q[plane] for plane in planes]
        self.k, self.v = [x.k[plane] for plane in shared], [x.v[plane] for plane in shared]
        bias = x.bias
        self.bias = None if bias is None else [bias[own_plane(bias, plane)] for plane in planes]
        self.x, self.planes, self.plan = x, planes, plan
        self.factor = x.scale if x.softcap else x.scale / x.temperature if x.temperature else 0.0
        self.rows, self.columns, self.runs = plan.rows, plan.columns, plan.key_runs()

    def run(self, out: Array) -> None:
        """Считает свои плоскости выхода полоса за полосой."""
        if not self.plan.computed_pairs:
            return
        if usual := self.usual():
            self.copy_tiles()
        for i, rows in enumerate(self.rows):
            states = self.plan.states(i)
            tiles = np.flatnonzero(states)
            if not len(tiles):
                continue
            if not usual:
                for p, plane in enumerate(self.planes):
                    out[plane][rows] = self.careful(p, rows, tiles)
                continue
            sums = self.sums(states, rows, tiles)
            total = sums[..., -1:]
            means = sums[..., :-1] / np.where(total == 0, 1, total)
            reliable = self.reliable(sums, rows)
            for p, plane in enumerate(self.planes):
                exact = reliable or self.reliable(sums[p], rows)
                out[plane][rows] = means[p] if exact else self.careful(p, rows, tiles)

    def usual(self) -> bool:
        """Нет ли чисел у пределов типа: тогда оценки не переполнятся и не округлятся до 0."""
        lowest, highest = USUAL_TEMPERATURES
        if not lowest < self.x.temperature < highest:
            return False
        d, dtype = self.q[0].shape[-1], self.q[0].dtype
        if not (normal(self.factor, dtype) and normal(self.x.softcap or 0, dtype)):
            return False
        top_k = max(largest(k[keys]) for k in self.k for keys in self.runs)
        top_q = abs(self.factor) * max(map(largest, self.q))
        limit = float(np.finfo(dtype).max)
        return top_k < sqrt(limit) and d * top_q * max(top_k, 1) < limit

    def copy_tiles(self) -> None:
        """Раскладывает непропущенные ключи и значения по плиткам и добавляет единицы.

        Ключи плитки ещё и транспонированы: так OpenBLAS умножает в полтора раза быстрее.
        """
        d, d_v, dtype = self.q[0].shape[-1], self.v[0].shape[-1], self.q[0].dtype
        count, tiles = len(self.planes), len(self.columns)
        height, block = self.rows[0].stop, self.columns[0].stop
        k, v = (
            np.empty((count, tiles, d + 1, block), dtype),
            np.empty((count, tiles, block, d_v + 1), dtype),
        )
        k[:, :, d], v[..., d_v] = 1, 1
        last = self.columns[-1].stop - self.columns[-1].start
        k[:, -1, :, last:], v[:, -1, last:] = 0, 0  # за последним ключом
        for rows in self.runs:
            whole, rest = divmod(rows.stop - rows.start, block)
            some = slice(rows.start // block, rows.start // block + whole)
            for p in range(count):
                keys, values = self.k[p][rows], self.v[p][rows]
                k[p, some, :d] = keys[: whole * block].reshape(whole, block, d).swapaxes(1, 2)
                v[p, some, :, :d_v] = values[: whole * block].reshape(whole, block, d_v)
                if rest:
                    k[p, -1, :d, :rest] = keys[-rest:].T
                    v[p, -1, :rest, :d_v] = values[-rest:]
        self.k_tiles, self.v_tiles = k, v
        _, self.chunk = together(height, block)
        some_tiles = max(1, min(self.chunk, tiles - 1))  # последняя плитка считается отдельно
        self.scores = np.empty((count, some_tiles, height, block), dtype)
        self.products = np.empty((count, some_tiles, height, d_v + 1), dtype)

    def sums(self, states: Array, rows: slice, tiles: Array) -> Array:
        """Полоса запросов: Σ exp(s − опора) · v и, последним столбцом, Σ exp(s − опора)."""
        x, height, d = self.x, rows.stop - rows.start, self.q[0].shape[-1]
        q = np.empty((len(self.planes), 1, height, d + 1), self.q[0].dtype)
        q[..., d] = 0
        for p, queries in enumerate(self.q):
            np.multiply(queries[rows], self.factor, out=q[p, 0, :, :d])
        sums: Array | None = None
        pivot: Array | None = None
        for chunk in chunks(tiles, self.chunk):
            adjacent = chunk[-1] - chunk[0] == len(chunk) - 1
            which = slice(chunk[0], chunk[-1] + 1) if adjacent else chunk
            s = self.scores[:, : len(chunk), :height]  # (p, t, height, block_k)
            np.matmul(q, self.k_tiles[:, which], out=s)
            if x.softcap is not None:
                capped(s, x.softcap)
                s /= x.temperature
            if self.bias is not None:
                self.add_bias(rows, chunk, s)
            self.forbid(states, rows, chunk, s)
            if pivot is None:
                pivot = s.max(axis=-1, keepdims=True)
                np.copyto(pivot, 0, where=pivot == -np.inf)
                s -= pivot
                if x.softcap is None:
                    q[..., d:] = -pivot
            elif x.softcap is not None:
                s -= pivot
            np.exp(s, out=s)
            products = self.products[:, : len(chunk), :height]
            part = np.matmul(s, self.v_tiles[:, which], out=products).sum(axis=1)
            sums = part if sums is None else np.add(sums, part, out=sums)
        assert sums is not None, "a strip without tiles is left out before"
        return sums

    def add_bias(self, rows: slice, chunk: Array, s: Array) -> None:
        """Прибавляет к оценкам bias; температура делит и его."""
        assert self.bias is not None
        for t, j in enumerate(chunk):
            columns = self.columns[j]
            for p, bias in enumerate(self.bias):
                part = cut(bias, rows, columns) / self.x.temperature
                s[p, t, :, : columns.stop - columns.start] += part

    def forbid(self, states: Array, rows: slice, chunk: Array, s: Array) -> None:
        """Ставит −∞ запрещённым парам; целые плитки не трогает."""
        for t, j in enumerate(chunk):
            if states[j] != FULL:
                columns = self.columns[j]
                allowed = self.plan.allowed.part(rows, columns)
                assert allowed is not None, "only a restricted plane has tiles that are not full"
                np.copyto(s[:, t, :, : columns.stop - columns.start], -np.inf, where=~allowed)
        if chunk[-1] == len(self.columns) - 1:
            s[:, -1, :, self.columns[-1].stop - self.columns[-1].start :] = -np.inf

    def reliable(self, sums: Array, rows: slice) -> bool:
        """Нет ли переполнения и потери точности: малая сумма законна, только если всё запрещено."""
        if not np.isfinite(sums).all():
            return False
        small = sums[..., -1] < np.sqrt(np.finfo(sums.dtype).tiny)
        if not small.any():
            return True
        part = self.plan.allowed.part(rows, slice(0, len(self.k[0])))
        return part is not None and not np.broadcast_to(part.any(axis=1), small.shape)[small].any()

    def careful(self, p: int, rows: slice, tiles: Array) -> Array:
        """Точный пересчёт полосы запросов целой строкой, но только по непропущенным плиткам."""
        x, height = self.x, rows.stop - rows.start
        allowed, bias = [], []
        for columns in (self.columns[j] for j in tiles):
            shape = height, columns.stop - columns.start
            part = self.plan.allowed.part(rows, columns)
            allowed.append(np.broadcast_to(True if part is None else part, shape))
            if self.bias is not None:
                bias.append(np.broadcast_to(cut(self.bias[p], rows, columns), shape))
        return attend(
            self.q[p][rows],
            np.concatenate([self.k[p][self.columns[j]] for j in tiles]),
            np.concatenate([self.v[p][self.columns[j]] for j in tiles]),
            allowed=np.concatenate(allowed, axis=1),
            bias=np.concatenate(bias, axis=1) if bias else None,
            scale=x.scale,
            softcap=x.softcap,
            temperature=x.temperature,
        )[0]


def chunks(tiles: Array, size: int) -> Iterator[Array]:
    """Последняя плитка, затем остальные по нескольку.

    При причинной маске в последней плитке у каждого запроса есть свой ключ, то есть опора.
    """
    yield tiles[-1:]
    for start in range(0, len(tiles) - 1, size):
        yield tiles[start : min(start + size, len(tiles) - 1)]
