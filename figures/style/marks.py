"""Text, arrows and brackets on a canvas."""

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from figures.style.palette import colour

Point = tuple[float, float]
HALF_CAPITAL = 0.365


def label(
    axes: Axes,
    at: Point,
    text: str,
    *,
    font: float = 11,
    tone: str = "ink",
    align: str = "center",
    ground: str = "",
) -> None:
    """One line whose capitals are centred on the height of `at`; `ground` is the tone behind."""
    box = {"facecolor": colour(ground), "edgecolor": "none", "pad": 1.2} if ground else None
    baseline = at[1] + HALF_CAPITAL * font
    look = {"fontsize": font, "color": colour(tone), "bbox": box}
    axes.text(at[0], baseline, text, ha=align, va="baseline", **look)


def upright(axes: Axes, at: Point, text: str) -> None:
    """A quiet name of a vertical axis, read from below."""
    axes.text(*at, text, color=colour("muted"), rotation=90, ha="center", va="center")


def arrow(axes: Axes, start: Point, end: Point) -> None:
    """An arrow from `start` to `end`."""
    axes.annotate(
        "",
        xy=end,
        xytext=start,
        arrowprops={
            "arrowstyle": "-|>,head_length=0.45,head_width=0.22",
            "color": colour("muted"),
            "linewidth": 1.2,
            "shrinkA": 0,
            "shrinkB": 0,
        },
    )


def bracket(axes: Axes, start: float, end: float, y: float) -> None:
    """A square bracket over x from `start` to `end`, its ends pointing down from `y`."""
    axes.plot(
        [start, start, end, end],
        [y + 5, y, y, y + 5],
        color=colour("muted"),
        linewidth=1.2,
        solid_joinstyle="miter",
    )


def zone(axes: Axes, at: Point, size: Point, term: str) -> None:
    """An invisible rectangle that a term of a formula lights, and that lights it (`data-k`)."""
    look = {"facecolor": "none", "edgecolor": "none", "zorder": 10}
    axes.add_patch(Rectangle(at, *size, gid=f"k:{term}", **look))
