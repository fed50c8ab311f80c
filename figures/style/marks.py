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
    tone: str | None = None,
    align: str = "center",
    ground: str | None = None,
) -> None:
    """One line whose capitals are centred on the height of `at`; `ground` is the colour behind."""
    box = {"facecolor": ground, "edgecolor": "none", "pad": 1.2} if ground else None
    baseline = at[1] + HALF_CAPITAL * font
    tone = tone or colour("ink")
    axes.text(at[0], baseline, text, fontsize=font, color=tone, ha=align, va="baseline", bbox=box)


def upright(axes: Axes, at: Point, text: str) -> None:
    """A quiet name of a vertical axis, read from below."""
    axes.text(*at, text, color=colour("muted"), rotation=90, ha="center", va="center")


def arrow(
    axes: Axes, start: Point, end: Point, *, tone: str | None = None, bend: float = 0
) -> None:
    """An arrow from `start` to `end`."""
    axes.annotate(
        "",
        xy=end,
        xytext=start,
        arrowprops={
            "arrowstyle": "-|>,head_length=0.45,head_width=0.22",
            "color": tone or colour("muted"),
            "linewidth": 1.2,
            "shrinkA": 0,
            "shrinkB": 0,
            "connectionstyle": f"arc3,rad={bend}",
        },
    )


def bracket(axes: Axes, start: float, end: float, y: float, *, tone: str | None = None) -> None:
    """A square bracket over x from `start` to `end`, its ends pointing down from `y`."""
    axes.plot(
        [start, start, end, end],
        [y + 5, y, y, y + 5],
        color=tone or colour("muted"),
        linewidth=1.2,
        solid_joinstyle="miter",
    )


def zone(axes: Axes, at: Point, size: Point, term: str) -> None:
    """An invisible rectangle that a term of a formula lights, and that lights it (`data-k`)."""
    axes.add_patch(Rectangle(at, *size, facecolor="none", edgecolor="none", gid=f"k:{term}"))
