"""A mask and the tiles of a kernel as paths of an SVG in which one cell is one unit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from attnlib.tiles import FULL, PARTIAL, SKIPPED


def allowed_path(mask: NDArray[np.bool]) -> str:
    """The allowed cells, each run of a row as one rectangle."""
    return "".join(
        f"M{start} {row}h{stop - start}v1h-{stop - start}z"
        for row, allowed in enumerate(mask)
        for start, stop in _runs(allowed)
    )


def tile_paths(states: NDArray[np.int8], block: int, n: int) -> dict[str, str]:
    """Full tiles as rectangles, a stroke through skipped ones, a diagonal in partial ones."""
    full, skipped, partial = "", "", ""
    for row, marks in enumerate(states):
        top, bottom = row * block, min((row + 1) * block, n)
        middle = f"{(top + bottom) / 2:g}"
        for start, stop in _runs(marks == FULL):
            left, right = start * block, min(stop * block, n)
            full += f"M{left} {top}H{right}V{bottom}H{left}z"
        for start, stop in _runs(marks == SKIPPED):
            left, right = start * block + 0.25, min(stop * block, n) - 0.25
            skipped += f"M{left:g} {middle}H{right:g}"
        for column in np.flatnonzero(marks == PARTIAL).tolist():
            left, right = column * block, min((column + 1) * block, n)
            partial += f"M{left} {bottom}L{right} {top}"
    return {"full": full, "skipped": skipped, "partial": partial, "grid": _grid(block, n)}


def _grid(block: int, n: int) -> str:
    places = [*range(0, n, block), n]
    return "".join(f"M0 {place}H{n}M{place} 0V{n}" for place in places)


def _runs(marks: NDArray[np.bool]) -> Iterator[tuple[int, int]]:
    """Where the marks begin and end."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marks, [False]])))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
