"""Matrices as tables of cells: queries go down, keys across, names of keys on top."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from numpy.typing import NDArray

from figures.shared.formats import fixed
from figures.style.cells import cell, forbidden_cell
from figures.style.marks import Point, label, upright, zone
from figures.style.palette import colour, weight_tone

Numbers = NDArray[np.floating] | NDArray[np.integer]
Mask = NDArray[np.bool_]


def numbers(
    axes: Axes,
    at: Point,
    size: Point,
    values: Numbers,
    *,
    digits: int = 0,
    fill: Callable[[int, int], str] | None = None,
    allowed: Mask | None = None,
) -> None:
    """A matrix of numbers, forbidden ones shown as −∞; `fill(row, column)` names a ground."""
    for (i, j), value in np.ndenumerate(values):
        corner = _corner(at, size, i, j)
        if allowed is None or allowed[i, j]:
            ground = fill(i, j) if fill else ""
            cell(axes, corner, size, fixed(float(value), digits), ground)
        else:
            forbidden_cell(axes, corner, size, "−∞")


def weights(
    axes: Axes, at: Point, size: Point, values: Numbers, allowed: Mask | None = None
) -> None:
    """A matrix of attention weights on the common scale from 0 to 1."""
    for (i, j), value in np.ndenumerate(values):
        corner = _corner(at, size, i, j)
        if allowed is None or allowed[i, j]:
            cell(axes, corner, size, fixed(value, 2), weight_tone(value))
        else:
            forbidden_cell(axes, corner, size, "0" if value == 0 else fixed(value, 2))


def mask(axes: Axes, at: Point, size: Point, allowed: Mask, fill: str = "head-2") -> None:
    """A boolean mask: allowed cells filled, forbidden ones hatched."""
    rows, columns = allowed.shape
    width, height = columns * size[0], rows * size[1]
    forbidden_cell(axes, at, (width, height))
    for corner, run in _runs(at, size, allowed):
        axes.add_patch(Rectangle(corner, *run, facecolor=colour(fill), edgecolor="none"))
    xs, ys = at[0] + size[0] * np.arange(columns + 1), at[1] + size[1] * np.arange(rows + 1)
    lines = [((x, at[1]), (x, at[1] + height)) for x in xs]
    lines += [((at[0], y), (at[0] + width, y)) for y in ys]
    path = Path(np.reshape(lines, (-1, 2)), [Path.MOVETO, Path.LINETO] * len(lines))
    axes.add_patch(PathPatch(path, facecolor="none", edgecolor=colour("rule")))


def zones(axes: Axes, at: Point, size: Point, allowed: Mask) -> None:
    """Invisible places of the terms "allowed" and "blocked" of the mask's formula."""
    for term, cells in (("allowed", allowed), ("blocked", ~allowed)):
        for corner, run in _runs(at, size, cells):
            zone(axes, corner, run, term)


def row_names(axes: Axes, at: Point, size: Point, names: Sequence[str]) -> None:
    """Names to the left of the matrix whose corner is `at`."""
    for i, name in enumerate(names):
        label(axes, (at[0] - 6, at[1] + (i + 0.5) * size[1]), name, align="right")


def column_names(axes: Axes, at: Point, size: Point, names: Sequence[str]) -> None:
    """Names above the matrix whose corner is `at`."""
    for j, name in enumerate(names):
        label(axes, (at[0] + (j + 0.5) * size[0], at[1] - 9), name)


def axis_names(axes: Axes, at: Point, whole: Point, away: Point) -> None:
    """«запросы» and «ключи» beside a matrix of size `whole`, `away` from its left and top."""
    upright(axes, (at[0] - away[0], at[1] + whole[1] / 2), "запросы")
    label(axes, (at[0] + whole[0] / 2, at[1] - away[1]), "ключи", tone="muted")


def _corner(at: Point, size: Point, i: int, j: int) -> Point:
    return at[0] + j * size[0], at[1] + i * size[1]


def _runs(at: Point, size: Point, cells: Mask) -> Iterator[tuple[Point, Point]]:
    """Corner and size of each unbroken run of True in a row."""
    for i, row in enumerate(cells):
        edges = np.flatnonzero(np.diff(row, prepend=False, append=False))
        for start, end in edges.reshape(-1, 2).tolist():
            yield _corner(at, size, i, start), ((end - start) * size[0], size[1])
