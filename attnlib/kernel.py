"""Быстрое ядро: та же идея, что в `tiled.py`, но без лишних проходов по оценкам.

1. Плитки нескольких голов и нескольких блоков ключей считаются одним произведением в буферах,
   которые помещаются в кэш процессора.
2. Опорное число строки — её максимум в первой плитке; на ходу оно не обновляется. Вычитает его
   само произведение: у запросов есть ещё столбец «−опора», у ключей — столбец единиц.
3. Сумму строки считает то же произведение, что и выход: у значений есть столбец единиц.

Опора не обязана быть максимумом: e^(s − опора) не переполняется, пока s не больше опоры на
десятки. Если это не так или во входах есть nan и ∞, полоса запросов пересчитывается ядром
`attend`: там всё точно, а памяти нужно block_q × n_k чисел.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from attnlib.attention import attend, cap_in_place
from attnlib.errors import Array
from attnlib.inputs import Inputs
from attnlib.tiles import FULL, SKIPPED, Plan, blocks, cut

CHUNK = 8
"""Блоков ключей в одном произведении."""

USUAL_TEMPERATURES = 1e-6, 1e6
"""Вне этих границ (и при T = 0, ∞) полосы считает точное ядро."""

Index = tuple[int, ...]
"""Номер плоскости: батч и голова запроса."""


def own_plane(array: Array | None, plane: Index) -> Index | None:
    """Номер плоскости в массиве, у которого оси длины 1 общие для всех."""
    if array is None:
        return None
    return tuple(0 if size == 1 else i for i, size in zip(plane, array.shape, strict=False))


class Kernel:
    """Внимание нескольких плоскостей с одним планом; p — их число."""

    def __init__(
        self, x: Inputs, planes: Sequence[Index], plan: Plan, block_q: int, block_k: int
    ) -> None:
        shared = [(*plane[:-1], plane[-1] // x.group) for plane in planes]  # GQA: i // (h / h_kv)
        self.q = [x.q[plane] for plane in planes]
        self.k, self.v = [x.k[plane] for plane in shared], [x.v[plane] for plane in shared]
        bias = x.bias
        self.bias = None if bias is None else [bias[own_plane(bias, plane)] for plane in planes]
        self.x, self.planes, self.plan = x, planes, plan
        self.rows, self.columns = blocks(x.q.shape[-2], block_q), blocks(x.k.shape[-2], block_k)
        self.block_q, self.block_k = block_q, block_k

    def run(self, out: Array) -> None:
        """Считает свои плоскости выхода полоса за полосой."""
        lowest, highest = USUAL_TEMPERATURES
        usual = lowest < self.x.temperature < highest and bool(self.plan.computed_pairs)
        if usual:
            self.copy_tiles()
        for i, rows in enumerate(self.rows):
            tiles = np.flatnonzero(self.plan.states[i])
            if not len(tiles):
                continue
            if not usual:
                for p, plane in enumerate(self.planes):
                    out[plane][rows] = self.careful(p, rows, tiles)
                continue
            sums = self.sums(i, rows, tiles)
            total = sums[..., -1:]
            means = sums[..., :-1] / np.where(total == 0, 1, total)
            reliable = self.reliable(sums, rows)
            for p, plane in enumerate(self.planes):
                exact = reliable or self.reliable(sums[p], rows)
                out[plane][rows] = means[p] if exact else self.careful(p, rows, tiles)

    def copy_tiles(self) -> None:
        """Раскладывает непропущенные ключи и значения по плиткам и добавляет единицы.

        Ключи плитки ещё и транспонированы: так OpenBLAS умножает в полтора раза быстрее.
        """
        d, d_v, dtype = self.q[0].shape[-1], self.v[0].shape[-1], self.q[0].dtype
        count, block, tiles = len(self.planes), self.block_k, len(self.columns)
        k, v = (
            np.empty((count, tiles, d + 1, block), dtype),
            np.empty((count, tiles, block, d_v + 1), dtype),
        )
        k[:, :, d], v[..., d_v] = 1, 1
        last = self.columns[-1].stop - self.columns[-1].start
        k[:, -1, :, last:], v[:, -1, last:] = 0, 0  # за последним ключом
        needed = np.flatnonzero((self.plan.states != SKIPPED).any(axis=0))
        for run in np.split(needed, np.flatnonzero(np.diff(needed) > 1) + 1):  # подряд — разом
            rows = slice(self.columns[run[0]].start, self.columns[run[-1]].stop)
            whole, rest = divmod(rows.stop - rows.start, block)
            for p in range(count):
                keys, values = self.k[p][rows], self.v[p][rows]
                some = slice(run[0], run[0] + whole)
                k[p, some, :d] = keys[: whole * block].reshape(whole, block, d).swapaxes(1, 2)
                v[p, some, :, :d_v] = values[: whole * block].reshape(whole, block, d_v)
                if rest:
                    k[p, -1, :d, :rest] = keys[-rest:].T
                    v[p, -1, :rest, :d_v] = values[-rest:]
        self.k_tiles, self.v_tiles = k, v
        self.scores = np.empty((count, CHUNK, self.block_q, block), dtype)
        self.products = np.empty((count, CHUNK, self.block_q, d_v + 1), dtype)

    def sums(self, i: int, rows: slice, tiles: Array) -> Array:
        """Полоса запросов: Σ exp(s − опора) · v и, последним столбцом, Σ exp(s − опора)."""
        x, height, d = self.x, rows.stop - rows.start, self.q[0].shape[-1]
        factor = x.scale if x.softcap else x.scale / x.temperature
        q = np.empty((len(self.planes), 1, height, d + 1), self.q[0].dtype)
        q[..., d] = 0
        for p, queries in enumerate(self.q):
            np.multiply(queries[rows], factor, out=q[p, 0, :, :d])
        sums: Array | None = None
        pivot: Array | None = None
        for chunk in chunks(tiles):
            adjacent = chunk[-1] - chunk[0] == len(chunk) - 1
            which = slice(chunk[0], chunk[-1] + 1) if adjacent else chunk
            s = self.scores[:, : len(chunk), :height]  # (p, t, height, block_k)
            np.matmul(q, self.k_tiles[:, which], out=s)
            if x.softcap is not None:
                cap_in_place(s, x.softcap)
                s /= x.temperature
            if self.bias is not None:
                self.add_bias(rows, chunk, s)
            self.forbid(i, rows, chunk, s)
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

    def forbid(self, i: int, rows: slice, chunk: Array, s: Array) -> None:
        """Ставит −∞ запрещённым парам; целые плитки не трогает."""
        for t, j in enumerate(chunk):
            if self.plan.states[i, j] != FULL:
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


def chunks(tiles: Array) -> Iterator[Array]:
    """Последняя плитка, затем остальные по нескольку.

    При причинной маске в последней плитке у каждого запроса есть свой ключ, то есть опора.
    """
    yield tiles[-1:]
    for start in range(0, len(tiles) - 1, CHUNK):
        yield tiles[start : min(start + CHUNK, len(tiles) - 1)]
