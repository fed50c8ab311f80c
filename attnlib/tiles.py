"""План плиток: какие из них запрещены целиком, какие частично, а какие разрешены."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib.errors import Array, boolean, whole, wrong_value

SKIPPED, PARTIAL, FULL = 0, 1, 2
"""Состояния плитки: пропущена, разрешена частично, разрешена целиком."""


@dataclass(frozen=True)
class TileStats:
    """Сколько работы сделало плиточное ядро; всё просуммировано по батчу и головам запроса.

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

    Крайние плитки обрезаны по краю маски. По этому же плану считает `flash_attention`.

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
    return Plan.of(Allowed(n_q, n_k, mask=allowed), edge_q, edge_k).states


@dataclass(frozen=True)
class Allowed:
    """Разрешённые пары одной плоскости (элемент батча × голова); читаются только частями."""

    n_q: int
    n_k: int
    causal: bool = False
    mask: Array | None = None  # (n_q|1, n_k|1)
    bias: Array | None = None  # так же; запрещает там, где равна −∞

    def part(self, rows: slice, columns: slice) -> Array | None:
        """Разрешённые пары прямоугольника, растяжимые до его размера; None — все."""
        found: Array | None = None
        if self.causal:
            found = self._keys[columns] <= self._last_key[rows]
        if self.mask is not None:
            allowed = cut(self.mask, rows, columns)
            found = allowed if found is None else found & allowed
        if self.bias is not None:
            allowed = cut(self.bias, rows, columns) != -np.inf
            found = allowed if found is None else found & allowed
        return found

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

    @cached_property
    def _keys(self) -> Array:
        return np.arange(self.n_k)

    @cached_property
    def _last_key(self) -> Array:
        """Последний ключ, разрешённый причинной маской каждому запросу, (n_q, 1)."""
        return np.arange(self.n_q)[:, None] + self.n_k - self.n_q


@dataclass(frozen=True)
class Plan:
    """Состояния плиток одной плоскости и счётчики для отчёта."""

    allowed: Allowed
    states: NDArray[np.int8]  # (N_q, N_k)
    allowed_pairs: int
    computed_pairs: int

    @classmethod
    def of(cls, allowed: Allowed, block_q: int, block_k: int) -> Plan:
        """Считает разрешённые пары каждой плитки полоса за полосой."""
        tops, bottoms = edges(allowed.n_q, block_q)
        lefts, rights = edges(allowed.n_k, block_k)
        widths = rights - lefts
        areas = (bottoms - tops)[:, None] * widths
        if allowed.mask is not None or allowed.bias is not None:
            counts = np.zeros_like(areas)
            for i, rows in enumerate(blocks(allowed.n_q, block_q)):
                counts[i] = allowed.count(rows, block_k)
        elif allowed.causal:
            diagonal = allowed.n_k - allowed.n_q - lefts  # от левого края плитки
            counts = pairs_above(bottoms[:, None] + diagonal, widths)
            counts -= pairs_above(tops[:, None] + diagonal, widths)
        else:
            counts = areas
        states = np.where(counts == areas, FULL, np.where(counts > 0, PARTIAL, SKIPPED))
        return cls(allowed, states.astype(np.int8), int(counts.sum()), int(areas[counts > 0].sum()))


def total_stats(plans: Iterable[Plan]) -> TileStats:
    """Складывает планы всех плоскостей."""
    skipped = partial = full = allowed = computed = pairs = 0
    for plan in plans:
        skipped += int((plan.states == SKIPPED).sum())
        partial += int((plan.states == PARTIAL).sum())
        full += int((plan.states == FULL).sum())
        allowed += plan.allowed_pairs
        computed += plan.computed_pairs
        pairs += plan.allowed.n_q * plan.allowed.n_k
    share, tile_share = Fraction(allowed, max(pairs, 1)), Fraction(computed, max(pairs, 1))
    return TileStats(skipped, partial, full, share, tile_share)


def pairs_above(row: Array, width: Array) -> Array:
    """Причинных пар над строкой `row` в полосе ширины `width`; диагональ — из её угла."""
    row = np.maximum(row, 0)
    slope = np.minimum(row, width)
    return np.asarray(slope * (slope + 1) // 2 + (row - slope) * width)


def edges(n: int, block: int) -> tuple[Array, Array]:
    """Начала и концы отрезков из `blocks`."""
    starts = np.arange(0, n, block)
    return starts, np.minimum(starts + block, n)


def blocks(n: int, block: int) -> list[slice]:
    """Режет 0…n на отрезки длины `block`; последний может быть короче."""
    return list(map(slice, *(each.tolist() for each in edges(n, block))))


def cut(array: Array, rows: slice, columns: slice) -> Array:
    """Вырезает прямоугольник из (n_q|1, n_k|1): ось длины 1 остаётся растяжимой."""
    part: Array = array[
        rows if array.shape[0] > 1 else slice(None), columns if array.shape[1] > 1 else slice(None)
    ]
    return part
