"""Matrices as tables of rectangles: queries go down, keys across, names of keys on top."""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from figures.style.marks import label
from figures.style.palette import colour, text_colour, weight_colour

Point = tuple[float, float]
Numbers = NDArray[np.floating] | NDArray[np.integer]


def number(value: float, digits: int = 2) -> str:
    """Decimal point, real minus, never «−0.00»."""
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if not text.strip("-0.") else text.replace("-", "−")


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
        cell(axes, corner, size, number(value, digits), fill=ground, tone=tone, font=font)


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
        cell(axes, corner, size, number(value), fill=ground, tone=tone, font=font)


def mask(axes: Axes, at: Point, size: Point, allowed: NDArray[np.bool_], fill: str) -> None:
    """A boolean mask: allowed cells filled, forbidden ones hatched."""
    for (i, j), is_allowed in np.ndenumerate(allowed):
        corner = (at[0] + j * size[0], at[1] + i * size[1])
        if is_allowed:
            cell(axes, corner, size, fill=fill)
        else:
            forbidden_cell(axes, corner, size)


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
