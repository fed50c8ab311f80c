"""Blank figures in the common style. Sizes are in points, 440 × anything unless said otherwise."""

from pathlib import Path

import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures.style import fonts
from figures.style.palette import colour

WIDTH = 440
_FOLDER = Path(__file__).parent
_INK = ("text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor")
_RULE = ("axes.edgecolor", "xtick.color", "ytick.color", "grid.color", "patch.edgecolor")


def canvas(height: float, width: float = WIDTH) -> tuple[Figure, Axes]:
    """A figure to draw on in points: x to the right, y down, no axes visible."""
    figure = _blank(height, width, "base")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    return figure, axes


def chart(height: float, width: float = WIDTH) -> tuple[Figure, Axes]:
    """A figure with one pair of numeric axes; the margins are set by its labels."""
    figure = _blank(height, width, "base", "chart")
    figure.set_layout_engine("constrained")
    return figure, figure.add_subplot()


def _blank(height: float, width: float, *sheets: str) -> Figure:
    fonts.register()
    colours = {key: colour("ink") for key in _INK} | {key: colour("rule") for key in _RULE}
    paths = [str(_FOLDER / f"{sheet}.mplstyle") for sheet in sheets]
    matplotlib.style.use(["default", *paths, colours])
    return Figure(figsize=(width / 72, height / 72))
