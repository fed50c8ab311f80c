"""The figures: texts, fonts, colours, size of letters."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from figures.pipeline import drawing, sources
from figures.style import cells, palette, sheets, svg
from figures.style.oklch import contrast, luminance
from figures.vendor import fonts as web_fonts
from tests.site.conftest import FIGURES, TEXT, texts

ROOT = Path(__file__).parents[2]
PHONE_COLUMN = 358  # px: what a 390 px wide screen leaves to a figure
SMALLEST_LETTERS = 8.9  # px


@pytest.mark.parametrize("name", FIGURES)
def test_texts_are_russian_sentences(name: str, drawn: dict[str, drawing.Drawing]) -> None:
    figure = drawn[name]
    for key in ("title", "caption", "description"):
        text = getattr(figure, key)
        russian = len(re.findall(r"[а-яё]", text.lower()))
        assert russian > 8, f"{name}: {key} is not Russian: {text!r}"
        assert '"' not in text and " - " not in text, f"{name}: {key} is typed as on a typewriter"
    assert figure.caption.endswith("."), f"{name}: the caption is not a sentence"
    assert len(figure.description) > 120, f"{name}: the description does not describe the figure"
    assert not figure.title.endswith("."), f"{name}: a title has no full stop"


def test_gallery_shows_every_figure() -> None:
    gallery = (ROOT / "docs" / "figures" / "index.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\[\[figure: (\w+)\]\]$", gallery, re.M)
    assert sorted(shown) == FIGURES, "the gallery and figures/static differ"


def test_drawing_is_the_same_in_another_process(
    tmp_path: Path, drawn: dict[str, drawing.Drawing]
) -> None:
    code = (
        "import sys; from figures.pipeline import drawing, sources\n"
        "for name in reversed(sys.argv[1:]):\n"
        "    print(name, hash('x'), file=sys.stderr)\n"
        "    open(name, 'w', encoding='utf-8').write("
        "drawing._draw(sources.STATIC / f'fig_{name}.py').svg)\n"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": "77",
        "SOURCE_DATE_EPOCH": "1700000000",
        "TZ": "Asia/Tokyo",
    }
    run = [sys.executable, "-c", code, *FIGURES]
    done = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for name in FIGURES:
        again = (tmp_path / name).read_text(encoding="utf-8")
        assert again == drawn[name].svg, f"{name}: another process draws another SVG"


@pytest.mark.parametrize("name", FIGURES)
def test_letters_are_in_the_font_of_the_site(name: str, drawn: dict[str, drawing.Drawing]) -> None:
    cut = (
        web_fonts.LATIN,
        web_fonts.PUNCTUATION,
        web_fonts.CYRILLIC,
        web_fonts.GREEK,
        web_fonts.SUPERSCRIPTS,
        web_fonts.ARROWS,
        web_fonts.OPERATORS,
        web_fonts.SIGNS,
        [0x2003],  # a space that every browser has
    )
    known = {chr(code) for part in cut for code in part}
    used = set("".join(texts(drawn[name])))
    assert used, f"{name}: no letters are looked at"
    assert used - known <= {"\n"}, f"{name}: letters that dejavu-sans.woff2 lacks: {used - known}"


def test_a_letter_that_no_font_has_stops_the_build() -> None:
    figure, axes = sheets.canvas(height=40)
    axes.text(10, 10, "\U0001f408")
    with pytest.raises(svg.FigureError, match="lacks a letter"):
        svg.render(figure, "cat")


def test_a_colour_outside_the_palette_stops_the_build() -> None:
    figure, axes = sheets.canvas(height=40)
    axes.plot([0, 10], [0, 10], color="#123456")
    with pytest.raises(svg.FigureError, match="#123456"):
        svg.render(figure, "colour")


@pytest.mark.parametrize("name", FIGURES)
def test_every_letter_is_readable_on_a_phone(name: str, drawn: dict[str, drawing.Drawing]) -> None:
    root = ET.fromstring(drawn[name].svg)
    assert len(list(root.iter(TEXT))) > 3, f"{name}: no letters are looked at"
    scale = PHONE_COLUMN / float(root.attrib["viewBox"].split()[2])
    for element in root.iter(TEXT):
        size = float(re.search(r"font(?:-size)?: ([\d.]+)px", element.attrib["style"])[1])
        letters = "".join(element.itertext())
        assert size * scale >= SMALLEST_LETTERS, (
            f"{name}: {letters!r} is {size * scale:.1f} px high on a phone"
        )


@pytest.mark.parametrize("name", FIGURES)
def test_every_letter_follows_the_theme(name: str, drawn: dict[str, drawing.Drawing]) -> None:
    words = list(ET.fromstring(drawn[name].svg).iter(TEXT))
    assert len(words) > 3, f"{name}: no letters are looked at"
    for element in words:
        style = element.attrib["style"]
        assert "fill: var(--fig-" in style, f"{name}: {element.text!r} has no colour of the theme"


@pytest.mark.parametrize("theme", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
def test_text_is_readable_on_every_ground(theme: dict[str, str]) -> None:
    grounds = [name for name in theme if name.startswith(("weight-", "head-"))]
    assert len(grounds) > palette.LEVELS, f"grounds that are looked at: {grounds}"
    pairs = [(palette.text_on(ground), ground) for ground in grounds]
    pairs += [(tone, "paper") for tone in ("ink", "muted", "wrong")] + [("ink", "forbidden")]
    for text, ground in pairs:
        ratio = contrast(theme[text], theme[ground])
        assert ratio >= 4.5, f"{text} on {ground}: {ratio:.2f}"


@pytest.mark.parametrize("theme", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
def test_grounds_differ_without_colour(theme: dict[str, str]) -> None:
    levels = [luminance(theme[f"weight-{i:02d}"]) for i in range(palette.LEVELS)]
    steps = np.diff(levels)
    assert (steps > 0).all() or (steps < 0).all(), "the scale of weights is not monotone in grey"
    heads = sorted(luminance(theme[f"head-{i}"]) for i in range(1, 5))
    for darker, lighter in pairwise(heads):
        ratio = (lighter + 0.05) / (darker + 0.05)
        assert ratio > 1.15, f"two heads look alike in grey: ratio {ratio:.2f}"


def test_stylesheet_is_the_palette() -> None:
    kept = palette.STYLESHEET.read_text(encoding="utf-8")
    assert kept == palette.css(), "run `python -m figures.style.palette`"


def test_forbidden_zero_and_small_weight_look_different() -> None:
    figure, axes = sheets.canvas(height=40)
    cells.forbidden_cell(axes, (0, 0), (20, 20))
    cells.cell(axes, (20, 0), (20, 20), fill=palette.weight_tone(0.0))
    cells.cell(axes, (40, 0), (20, 20), fill=palette.weight_tone(0.1))
    styles = re.findall(r"fill: (url\(#[^)]+\)|var\([^)]+\))", svg.render(figure, "three"))
    looks = [style for style in styles if style.startswith("url") or "weight" in style]
    assert len(set(looks)) == 3, f"three kinds of cells share a look: {looks}"


def test_draw_returns_a_figure_without_pyplot() -> None:
    module = drawing._execute(sources.STATIC / "fig_kv_sharing.py")
    assert isinstance(module.draw(), Figure), "draw() does not return a Figure"
