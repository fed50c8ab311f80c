"""The pictures: the same everywhere, in the page's colours, and as fresh as their sources."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures.pipeline import drawing, sources
from figures.style.palette import colour
from figures.style.svg import FigureError, render
from tests.conftest import ROOT
from tests.site.conftest import FIGURE, Project

NAMES = [sources.name_of(script) for script in sources.scripts()]


def test_pictures_use_only_variables(lesson: BeautifulSoup, site: Path) -> None:
    drawn = lesson.select("svg.fig-svg")
    assert len(drawn) == len(NAMES), f"{len(drawn)} pictures are looked at, {len(NAMES)} are there"
    for svg in drawn:
        assert "var(--fig-" in str(svg), "a picture without the colours of the theme"
        colours = re.findall(r"(?:fill|stroke)[:=]\s*\"?(#[0-9a-fA-F]{3,8}|rgb[^;]*)", str(svg))
        assert not colours, f"colours that cannot follow the theme: {colours}"
    style = "".join(path.read_text(encoding="utf-8") for path in site.glob("assets/css/*.css"))
    for name in set(re.findall(r"var\((--fig-[\w-]+)\)", str(lesson))):
        assert len(re.findall(rf"{name}:", style)) >= 2, f"{name} is not defined for both themes"


def test_ids_in_pictures_are_prefixed_and_used(lesson: BeautifulSoup) -> None:
    figures = lesson.select("figure.fig[id]")
    assert len(figures) == len(NAMES), f"{len(figures)} of {len(NAMES)} figures are looked at"
    for figure in figures:
        text = str(figure.find("svg"))
        for name in re.findall(r'\bid="([^"]+)"', text):
            assert name.startswith("f-"), f"{figure['id']}: the id {name} may meet another"
            assert f"#{name}" in text, f"{figure['id']}: nothing uses the id {name}"


@pytest.mark.parametrize("name", NAMES)
def test_download_stands_alone(name: str, site: Path) -> None:
    svg = (site / "figures" / name / f"{name}.svg").read_text(encoding="utf-8")
    assert svg.startswith("<?xml"), f"{name}.svg is no file of its own"
    assert "var(" not in svg, f"{name}.svg needs the page's colours"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('DESCRIPTION = "', 'DESCRIPTION = "" and "', ": DESCRIPTION is missing or empty"),
        ("axes.set_axis_off()", "raise RuntimeError('не вышло')", ":{}: RuntimeError: не вышло"),
        ("show(draw()", "show(draw", ":{}: show() is given 'probe'"),
        ('show(draw(), "probe", DESCRIPTION)', "draw()", ": the page shows nothing"),
    ],
)
def test_a_bad_figure_is_told_with_its_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    script = tmp_path / ("fig_other.py" if "given" in said else "fig_probe.py")
    script.write_text(FIGURE.replace(old, new), encoding="utf-8")
    line = FIGURE[: FIGURE.index(old)].count("\n") + 1
    with pytest.raises(FigureError) as caught:
        drawing._draw(script)
    assert f"{script.name}{said.format(line)}" in str(caught.value)


def test_an_error_of_a_figure_stops_the_build_with_its_line(project: Project) -> None:
    old = "axes.set_axis_off()"
    project.add_figure(text=FIGURE.replace(old, "axes. = 1"))
    line = FIGURE[: FIGURE.index(old)].count("\n") + 1
    said = project.must_fail(f"ERROR   -  figures/static/fig_probe.py:{line}: ")
    assert "Traceback" not in said, "mkdocs itself crashed"


def test_pictures_that_would_break_on_the_page() -> None:
    with pytest.raises(FigureError, match="raster image"):
        render(_figure(lambda axes: axes.imshow([[1]])), "raster")
    with pytest.raises(FigureError, match="#abcdef"):
        render(_figure(lambda axes: axes.barh(0, 1, color="#abcdef")), "colour")
    with pytest.raises(FigureError, match="lacks a letter"):
        render(_figure(lambda axes: axes.text(0, 0, "漢", color=colour("ink"))), "letter")


def _figure(draw: Callable[[Axes], object]) -> Figure:
    figure = Figure(figsize=(2, 1), facecolor="none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    draw(axes)
    return figure


def test_a_failing_cell_stops_the_build(project: Project) -> None:
    project.add_figure(text=FIGURE + "\n# %%\nif __name__ == '__main__':\n    1 / 0\n")
    said = project.must_fail("figures/static/fig_probe.py", "ZeroDivisionError")
    assert "Traceback (most recent call last):\n  File" not in said, "mkdocs itself crashed"


def test_dependencies_are_followed() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for path in sources.dependencies(sources.STATIC / "fig_causal_mask.py")
    }
    assert "attnlib/masks.py" in found, "attnlib's modules are not followed"
    assert "figures/style/palette.py" in found, "the style is not followed"
    assert any(path.endswith(".mplstyle") for path in found), "style sheets are not followed"
    assert "figures/style/svg.py" in found, "the SVG step is not followed"
    assert "attnlib/__init__.py" in found, "a package on the way is forgotten"
    assert "attnlib/cost.py" not in found, "an edit of cost would draw the mask again"
    costs = sources.dependencies(sources.STATIC / "fig_kv_cache.py")
    assert ROOT / "attnlib" / "cost.py" in costs, "modules of a widget are not followed"
