"""Text, arrows and brackets on a canvas."""

from matplotlib.axes import Axes

from figures.style.palette import colour

Point = tuple[float, float]


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
    """Text centred on the height of `at`; `ground` is the colour behind it."""
    box = {"facecolor": ground, "edgecolor": "none", "pad": 1.2} if ground else None
    axes.text(
        *at,
        text,
        fontsize=font,
        color=tone or colour("ink"),
        ha=align,
        va="center",
        bbox=box,
        linespacing=1.35,
    )


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
