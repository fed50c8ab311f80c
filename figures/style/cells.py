"""Matrices as tables of rectangles: queries go down, keys across, names of keys on top."""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from numpy.typing import NDArray

from attnlib.tiles import PARTIAL, SKIPPED
from figures.style.marks import label, upright, zone
from figures.style.palette import colour, text_colour, weight_colour
from figures.widgets.formats import fixed

Point = tuple[float, float]
Numbers = NDArray[np.floating] | NDArray[np.integer]


def ground(name: str) -> dict[str, str]:
    """Arguments of `cell` for a ground of the palette and text that is readable on it."""
    return {"fill": colour(name), "tone": colour("on-low")}


def cell(
    axes: Axes,
    at: Point,
    size: Point,
    text: str = "",
    *,
    fill: str = "none",
    tone: str | None = None,
    font: float = 11,
) -> None:
    """One rectangle with its upper left corner at `at` and text in the middle."""
    axes.add_patch(Rectangle(at, *size, facecolor=fill, edgecolor=colour("rule")))
    if text:
        middle = (at[0] + size[0] / 2, at[1] + size[1] / 2)
        label(axes, middle, text, tone=tone or colour("ink"), font=font)


def forbidden_cell(axes: Axes, at: Point, size: Point, text: str = "", font: float = 11) -> None:
    """A cell that the mask forbids: hatched, its text on a plain ground."""
    axes.add_patch(
        Rectangle(
            at,
            *size,
            facecolor=colour("forbidden"),
            edgecolor=colour("rule"),
            hatch="////",
            hatchcolor=colour("hatch"),
        )
    )
    if text:
        middle = (at[0] + size[0] / 2, at[1] + size[1] / 2)
        label(axes, middle, text, font=font, ground=colour("forbidden"))


def numbers(
    axes: Axes,
    at: Point,
    size: Point,
    values: Numbers,
    *,
    digits: int = 0,
    fill: Callable[[int, int], str] | None = None,
    allowed: NDArray[np.bool_] | None = None,
    forbidden_text: str = "−∞",
    font: float = 11,
) -> None:
    """A matrix of numbers; `fill(row, column)` names the ground of a cell."""
    for (i, j), value in np.ndenumerate(values):
        corner = (at[0] + j * size[0], at[1] + i * size[1])
        if allowed is not None and not allowed[i, j]:
            forbidden_cell(axes, corner, size, forbidden_text, font)
            continue
        ground, tone = (colour(fill(i, j)), colour("on-low")) if fill else ("none", None)
        cell(axes, corner, size, fixed(float(value), digits), fill=ground, tone=tone, font=font)


def weights(
    axes: Axes,
    at: Point,
    size: Point,
    values: Numbers,
    *,
    allowed: NDArray[np.bool_] | None = None,
    forbidden_text: str = "0",
    font: float = 11,
) -> None:
    """A matrix of attention weights on the common scale from 0 to 1."""
    for (i, j), value in np.ndenumerate(values):
        corner = (at[0] + j * size[0], at[1] + i * size[1])
        if allowed is not None and not allowed[i, j]:
            forbidden_cell(axes, corner, size, forbidden_text, font)
            continue
        ground, tone = weight_colour(value), text_colour(value)
        cell(axes, corner, size, fixed(float(value), 2), fill=ground, tone=tone, font=font)


def mask(axes: Axes, at: Point, size: Point, allowed: NDArray[np.bool_], fill: str) -> None:
    """A boolean mask: allowed cells filled, forbidden ones hatched."""
    rows, columns = allowed.shape
    whole = (columns * size[0], rows * size[1])
    forbidden_cell(axes, at, whole)
    for i, row in enumerate(allowed):
        edges = np.flatnonzero(np.diff(row, prepend=False, append=False))
        for start, end in edges.reshape(-1, 2):
            corner = (at[0] + start * size[0], at[1] + i * size[1])
            run = ((end - start) * size[0], size[1])
            axes.add_patch(Rectangle(corner, *run, facecolor=fill, edgecolor="none"))
    down = [
        ((at[0] + j * size[0], at[1]), (at[0] + j * size[0], at[1] + whole[1]))
        for j in range(columns + 1)
    ]
    across = [
        ((at[0], at[1] + i * size[1]), (at[0] + whole[0], at[1] + i * size[1]))
        for i in range(rows + 1)
    ]
    path = Path(
        np.reshape([*down, *across], (-1, 2)), [Path.MOVETO, Path.LINETO] * (rows + columns + 2)
    )
    axes.add_patch(PathPatch(path, facecolor="none", edgecolor=colour("rule")))


def zones(axes: Axes, at: Point, size: Point, allowed: NDArray[np.bool_]) -> None:
    """Invisible places of the terms "allowed" and "blocked" of the mask's formula."""
    for term, cells in (("allowed", allowed), ("blocked", ~allowed)):
        for i, row in enumerate(cells):
            edges = np.flatnonzero(np.diff(row, prepend=False, append=False))
            for start, end in edges.reshape(-1, 2):
                corner = (at[0] + start * size[0], at[1] + i * size[1])
                zone(axes, corner, ((end - start) * size[0], size[1]), term)


def tile(axes: Axes, at: Point, size: Point, state: int) -> None:
    """A tile of the kernel by its state in `attnlib.tile_map`: hatched, light or dark."""
    if state == SKIPPED:
        forbidden_cell(axes, at, size)
    else:
        cell(axes, at, size, fill=weight_colour(0.3 if state == PARTIAL else 0.8))


def portion(axes: Axes, at: Point, size: Point, lines: tuple[str, str], allowed: bool) -> None:
    """A piece of a bar with two lines of text; nothing is drawn for an empty piece."""
    if size[0] == 0:
        return
    if allowed:
        piece = {"facecolor": colour("head-2"), "edgecolor": colour("paper"), "linewidth": 1.5}
        axes.add_patch(Rectangle(at, *size, **piece))
    else:
        forbidden_cell(axes, at, size)
    tone = colour("on-low") if allowed else colour("ink")
    ground = None if allowed else colour("forbidden")
    for line, share in zip(lines, (0.28, 0.72), strict=True):
        middle = (at[0] + size[0] / 2, at[1] + share * size[1])
        label(axes, middle, line, tone=tone, ground=ground)


def gap(axes: Axes, at: Point, size: Point) -> None:
    """The outline of something that is missing."""
    outline = {"facecolor": "none", "edgecolor": colour("muted"), "linestyle": (0, (3, 3))}
    axes.add_patch(Rectangle(at, *size, **outline))


def row_names(axes: Axes, at: Point, size: Point, names: Sequence[str], font: float = 11) -> None:
    """Names to the left of the matrix whose corner is `at`."""
    for i, name in enumerate(names):
        middle = (at[0] - 6, at[1] + (i + 0.5) * size[1])
        label(axes, middle, name, align="right", font=font)


def column_names(
    axes: Axes, at: Point, size: Point, names: Sequence[str], font: float = 11
) -> None:
    """Names above the matrix whose corner is `at`."""
    for j, name in enumerate(names):
        label(axes, (at[0] + (j + 0.5) * size[0], at[1] - 9), name, font=font)


def axis_names(axes: Axes, at: Point, size: Point, shape: tuple[int, ...]) -> None:
    """«запросы» down the far left of the matrix, «ключи» over the names of the columns."""
    middle = (at[0] + shape[1] * size[0] / 2, at[1] + shape[0] * size[1] / 2)
    label(axes, (middle[0], at[1] - 27), "ключи", tone=colour("muted"))
    upright(axes, (at[0] - 72, middle[1]), "запросы")
