"""Single rectangles: a cell with text, a forbidden cell, a tile, a piece of a bar."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from attnlib.tiles import PARTIAL, SKIPPED
from figures.style.marks import Point, label
from figures.style.palette import colour, text_on, weight_tone


def cell(axes: Axes, at: Point, size: Point, text: str = "", fill: str = "") -> None:
    """A rectangle with its upper left corner at `at`; `fill` is a tone of the palette."""
    _rectangle(axes, at, size, facecolor=colour(fill) if fill else "none")
    if text:
        label(axes, _inside(at, size), text, tone=text_on(fill))


def forbidden_cell(axes: Axes, at: Point, size: Point, text: str = "") -> None:
    """What the mask forbids: hatched, its text on a plain ground."""
    look = {"facecolor": colour("forbidden"), "hatch": "////", "hatchcolor": colour("hatch")}
    _rectangle(axes, at, size, **look)
    if text:
        label(axes, _inside(at, size), text, ground="forbidden")


def tile(axes: Axes, at: Point, size: Point, state: int) -> None:
    """A tile of the kernel by its state in `attnlib.tile_map`: hatched, light or dark."""
    if state == SKIPPED:
        forbidden_cell(axes, at, size)
    else:
        cell(axes, at, size, fill=weight_tone(0.3 if state == PARTIAL else 0.8))


def portion(axes: Axes, at: Point, size: Point, lines: tuple[str, str], allowed: bool) -> None:
    """A piece of a bar with two lines of text; nothing is drawn for an empty piece."""
    if size[0] == 0:
        return
    if allowed:
        edge = {"edgecolor": colour("paper"), "linewidth": 1.5}
        _rectangle(axes, at, size, facecolor=colour("head-2"), **edge)
    else:
        forbidden_cell(axes, at, size)
    tone, ground = (text_on("head-2"), "") if allowed else ("ink", "forbidden")
    for line, share in zip(lines, (0.28, 0.72), strict=True):
        label(axes, _inside(at, size, share), line, tone=tone, ground=ground)


def gap(axes: Axes, at: Point, size: Point) -> None:
    """The dashed outline of something that is missing."""
    outline = {"facecolor": "none", "edgecolor": colour("muted"), "linestyle": (0, (3, 3))}
    _rectangle(axes, at, size, **outline)


def _rectangle(axes: Axes, at: Point, size: Point, **look: Any) -> None:
    axes.add_patch(Rectangle(at, *size, clip_on=False, **{"edgecolor": colour("rule")} | look))


def _inside(at: Point, size: Point, share: float = 0.5) -> Point:
    return at[0] + size[0] / 2, at[1] + size[1] * share
