"""План плиток: какие из них запрещены целиком, какие частично, а какие разрешены."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib._errors import Array, boolean, whole, wrong_value

SKIPPED, PARTIAL, FULL = 0, 1, 2
"""Состояния плитки: пропущена, разрешена частично, разрешена целиком."""


@dataclass(frozen=True)
class TileStats:
    """Сколько работы сделало плиточное ядро; всё просуммировано по пакету и головам запроса.

    Attributes:
        skipped: пропущенных плиток, их ключи и значения не читались.
        partial: плиток, посчитанных с маской.
        full: плиток, посчитанных без маски.
        share: доля разрешённых элементов матрицы оценок.
        tile_share: доля элементов, попавших в посчитанные плитки.

    Examples:
        >>> import numpy as np
        >>> from attnlib import flash_attention
        >>> x = np.eye(6)
        >>> out, stats = flash_attention(x, x, x, causal=True, block_q=2, block_k=2,
        ...                              return_stats=True)
        >>> stats.skipped, stats.partial, stats.full
        (3, 3, 3)
        >>> stats.share, stats.tile_share
        (Fraction(7, 12), Fraction(2, 3))
    """

    skipped: int
    partial: int
    full: int
    share: Fraction
    tile_share: Fraction


def tile_map(mask: ArrayLike, block_q: SupportsIndex, block_k: SupportsIndex) -> NDArray[np.int8]:
    """Состояние каждой плитки маски: 0 — пропущена, 1 — частичная, 2 — целая.

    Крайние плитки обрезаны по краю маски, слишком большие — по всей маске. По этому же плану
    считает `flash_attention`.

    Args:
        mask: булева маска `n_q n_k` (True = разрешено).
        block_q: запросов в плитке.
        block_k: ключей в плитке.

    Returns:
        Целые числа, по одному на плитку.

    Raises:
        TypeError: маска не булева, размер плитки не целый.
        ValueError: у маски не две оси, размер плитки меньше 1.

    Examples:
        >>> from attnlib import tile_map
        >>> from attnlib import masks
        >>> tile_map(masks.causal(6), 2, 2)
        array([[1, 0, 0],
               [2, 1, 0],
               [2, 2, 1]], dtype=int8)
    """
    allowed = boolean("mask", mask)
    if allowed.ndim != 2:
        raise wrong_value("mask", "форма (n_q, n_k)", allowed.shape)
    n_q, n_k = allowed.shape
    edge_q = whole("block_q", block_q, at_least=1)
    edge_k = whole("block_k", block_k, at_least=1)
    plan = Plan.of(Allowed(n_q, n_k, mask=allowed), edge_q, edge_k)
    assert plan.kept is not None, "the plan of a mask is kept"
    return plan.kept


@dataclass(frozen=True)
class Allowed:
    """Разрешённые пары одной плоскости (элемент пакета × голова); читаются только частями."""

    n_q: int
    n_k: int
    causal: bool = False
    mask: Array | None = None  # (n_q|1, n_k|1)
    bias: Array | None = None  # так же; запрещает там, где равна −∞
    window: int | None = None

    @property
    def drawn(self) -> bool:
        """Есть ли маска или добавка: их правило известно только по самим числам."""
        return self.mask is not None or self.bias is not None

    @property
    def band(self) -> tuple[int, int]:
        """Сколько ключей до своего и после своего видит запрос: полоса вокруг диагонали."""
        everything = self.n_q + self.n_k
        around = everything if self.window is None else min(self.window - 1, everything)
        return around, 0 if self.causal else around

    def part(self, rows: slice, columns: slice) -> Array | None:
        """Разрешённые пары прямоугольника, растяжимые до его размера; None — все."""
        before, after = self.band
        found: list[Array] = []
        if after < self.n_q + self.n_k:
            found.append(self._keys[columns] <= self._own_key[rows] + after)
        if before < self.n_q + self.n_k:
            found.append(self._keys[columns] >= self._own_key[rows] - before)
        if self.mask is not None:
            found.append(cut(self.mask, rows, columns))
        if self.bias is not None:
            found.append(cut(self.bias, rows, columns) != -np.inf)
        return reduce(np.logical_and, found) if found else None

    def count(self, rows: slice, block_k: int) -> Array:
        """Число разрешённых пар в каждой плитке одной полосы запросов."""
        starts = np.arange(0, self.n_k, block_k)
        height = rows.stop - rows.start
        part = self.part(rows, slice(0, self.n_k))
        assert part is not None
        narrow = np.uint8 if height <= 255 else np.uint32
        columns = np.add.reduce(part.view(np.uint8), axis=0, dtype=narrow).astype(np.int64)
        columns = np.broadcast_to(columns, self.n_k) * (height // part.shape[0])
        return np.add.reduceat(columns, starts) if len(starts) else columns

    def keys_of(self, rows: slice) -> tuple[range, range]:
        """Ключи полосы вокруг диагонали: нужные хоть одному из запросов и разрешённые каждому."""
        before, after = self.band
        first, last = (i + self.n_k - self.n_q for i in (rows.start, rows.stop - 1))
        return (
            range(max(0, first - before), min(self.n_k, last + after + 1)),
            range(max(0, last - before), min(self.n_k, first + after + 1)),
        )

    def band_pairs(self) -> int:
        """Число пар в полосе вокруг диагонали — формулой, в целых числах Python."""
        before, after = self.band
        corner = self.n_k - self.n_q
        upto_last = _clipped_sum(corner + after + 1, self.n_q, self.n_k)
        return upto_last - _clipped_sum(corner - before, self.n_q, self.n_k)

    @cached_property
    def _keys(self) -> Array:
        return np.arange(self.n_k)

    @cached_property
    def _own_key(self) -> Array:
        """Номер ключа, стоящего на месте запроса: выравнивание по последнему, (n_q, 1)."""
        return np.arange(self.n_q)[:, None] + self.n_k - self.n_q


def _clipped_sum(start: int, count: int, top: int) -> int:
    """Сумма чисел start, start + 1, … (count штук), каждое из которых зажато между 0 и top."""

    def below(stop: int) -> int:
        stop = max(stop, 0)
        low = min(stop, top)
        return low * (low - 1) // 2 + (stop - low) * top

    return below(start + count) - below(start)


@dataclass(frozen=True)
class Plan:
    """Состояния плиток одной плоскости и счётчики для отчёта: целые числа Python, без переполнения.

    Причинная маска, окно и отсутствие маски — формулы: состояния считаются полоса за полосой и не
    хранятся. Маску и добавку пришлось бы читать заново, поэтому для них хранится байт на плитку.
    """

    allowed: Allowed
    rows: list[slice]
    columns: list[slice]
    kept: NDArray[np.int8] | None  # (N_q, N_k)
    needed: NDArray[np.bool]  # (N_k,): какие плитки ключей нужны хоть одной полосе
    skipped: int
    partial: int
    full: int
    allowed_pairs: int
    computed_pairs: int

    @classmethod
    def of(cls, allowed: Allowed, block_q: int, block_k: int) -> Plan:
        """Проходит по плиткам полоса за полосой; плитка больше плоскости обрезается до неё."""
        block_k = max(1, min(block_k, allowed.n_k))
        rows, columns = blocks(allowed.n_q, block_q), blocks(allowed.n_k, block_k)
        widths = np.array([each.stop - each.start for each in columns], np.int64)
        shape = len(rows), len(columns)
        kept = np.empty(shape, np.int8) if allowed.drawn else None
        needed = np.zeros(len(columns), bool)
        partial = full = computed_pairs = 0
        allowed_pairs = 0 if allowed.drawn else allowed.band_pairs()
        for i, strip in enumerate(rows):
            height = strip.stop - strip.start
            if kept is None:
                states = band_states(allowed, strip, columns)
            else:
                counts = allowed.count(strip, block_k)
                states = kept[i]
                states[:] = np.where(counts == height * widths, FULL, counts > 0)
                allowed_pairs += int(counts.sum())
            computed = states != SKIPPED
            needed |= computed
            full += int(np.count_nonzero(states == FULL))
            partial += int(np.count_nonzero(states == PARTIAL))
            computed_pairs += height * int(widths[computed].sum())
        skipped = shape[0] * shape[1] - partial - full
        return cls(
            allowed, rows, columns, kept, needed,
            skipped, partial, full, allowed_pairs, computed_pairs,
        )  # fmt: skip

    def states(self, i: int) -> NDArray[np.int8]:
        """Состояния плиток полосы i, (N_k,)."""
        if self.kept is None:
            return band_states(self.allowed, self.rows[i], self.columns)
        kept: NDArray[np.int8] = self.kept[i]
        return kept

    def key_runs(self) -> list[slice]:
        """Отрезки ключей, которые нужны хоть одной полосе: соседние плитки вместе."""
        needed = np.flatnonzero(self.needed)
        runs = np.split(needed, np.flatnonzero(np.diff(needed) > 1) + 1)
        return [
            slice(self.columns[run[0]].start, self.columns[run[-1]].stop)
            for run in runs
            if len(run)
        ]


def band_states(allowed: Allowed, rows: slice, columns: list[slice]) -> NDArray[np.int8]:
    """Состояния плиток одной полосы, когда разрешена полоса вокруг диагонали или всё."""
    states = np.zeros(len(columns), np.int8)
    some, every = allowed.keys_of(rows)
    if not some:
        return states
    block = columns[0].stop
    states[some.start // block : -(-some.stop // block)] = PARTIAL
    if every:
        end = len(columns) if every.stop == allowed.n_k else every.stop // block
        states[-(-every.start // block) : end] = FULL
    return states


def total_stats(plans: Iterable[Plan]) -> TileStats:
    """Складывает планы всех плоскостей."""
    skipped = partial = full = allowed = computed = pairs = 0
    for plan in plans:
        skipped += plan.skipped
        partial += plan.partial
        full += plan.full
        allowed += plan.allowed_pairs
        computed += plan.computed_pairs
        pairs += plan.allowed.n_q * plan.allowed.n_k
    share, tile_share = Fraction(allowed, max(pairs, 1)), Fraction(computed, max(pairs, 1))
    return TileStats(skipped, partial, full, share, tile_share)


def blocks(n: int, block: int) -> list[slice]:
    """Режет 0…n на отрезки длины `block`; последний может быть короче."""
    return [slice(start, min(start + block, n)) for start in range(0, n, block)]


def cut(array: Array, rows: slice, columns: slice) -> Array:
    """Вырезает прямоугольник из (n_q|1, n_k|1): ось длины 1 остаётся растяжимой."""
    part: Array = array[
        rows if array.shape[0] > 1 else slice(None), columns if array.shape[1] > 1 else slice(None)
    ]
    return part
