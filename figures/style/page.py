"""How a figure shows itself on its own page."""

from dataclasses import dataclass

from matplotlib.figure import Figure

from figures.style import svg


@dataclass(frozen=True)
class Shown:
    """The last value of a figure script: Jupyter displays it as the SVG of the lesson."""

    markup: str

    def _repr_html_(self) -> str:
        return f'<figure class="fig"><div class="fig-scroll">{self.markup}</div></figure>'


def show(figure: Figure, name: str, description: str) -> Shown:
    """The figure as it stands in the lesson, with its description for a screen reader."""
    return Shown(svg.render(figure, name, description))
