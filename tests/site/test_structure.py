"""What every page has, and what the lesson has."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.conftest import ROOT

SECTIONS = [
    "heads",
    "why-heads",
    "causal-mask",
    "work",
    "other-masks",
    "kv-sharing",
    "self-check",
    "bibliography",
]
FIGURES = sorted(
    path.stem.removeprefix("fig_") for path in (ROOT / "figures/static").glob("fig_*.py")
)


def test_pages_are_there(site: Path) -> None:
    for path in ("index.html", "lesson/multihead-masks/index.html", "figures/index.html",
                 "contributing/index.html", "404.html"):  # fmt: skip
        assert (site / path).is_file(), f"the site has no {path}"


def test_no_template_is_published(site: Path) -> None:
    assert not list(site.rglob("*.jinja")), "a template of the reference is in the site"


def test_every_page_is_russian_and_titled(pages: dict[str, BeautifulSoup]) -> None:
    titles: Counter[str] = Counter()
    for path, page in pages.items():
        assert page.html["lang"] == "ru", f"{path} is not marked as Russian"
        headings = page.select("h1")
        assert len(headings) == 1, f"{path} has {len(headings)} h1"
        assert headings[0].get_text(strip=True), f"{path} has an empty h1"
        if not path.startswith("w/"):  # a widget alone is called like its figure
            titles[page.title.get_text(strip=True)] += 1
    assert max(titles.values()) == 1, f"pages share a title: {titles.most_common(2)}"


def test_ids_are_unique_and_stable(pages: dict[str, BeautifulSoup]) -> None:
    for path, page in pages.items():
        ids = Counter(element["id"] for element in page.select("[id]"))
        double = [name for name, count in ids.items() if count > 1]
        assert not double, f"{path}: ids that occur twice: {double}"
        counted = [name for name in ids if re.search(r"(^|\w)_\d+$", name) and "__" not in name]
        assert not counted, f"{path}: ids that depend on the order of headings: {counted}"
        empty = [h.get_text() for h in page.select("article :is(h2, h3, h4)") if not h.get("id")]
        assert not empty, f"{path}: headings without an id: {empty}"


def test_headings_do_not_skip_levels(pages: dict[str, BeautifulSoup]) -> None:
    for path, page in pages.items():
        levels = [int(h.name[1]) for h in page.select("article :is(h1, h2, h3, h4, h5)")]
        for above, below in pairwise(levels):
            assert below <= above + 1, f"{path}: h{above} is followed by h{below}"


def test_lesson_sections_keep_their_ids(lesson: BeautifulSoup) -> None:
    found = [heading["id"] for heading in lesson.select("article h2[id]")]
    assert [name for name in found if name in SECTIONS] == SECTIONS, (
        f"sections of the lesson are {found}"
    )


def test_explicit_ids_of_lesson_headings() -> None:
    text = (ROOT / "docs/lesson/multihead-masks.md").read_text(encoding="utf-8")
    outside_code = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#{2,}\s.*$", outside_code, re.MULTILINE):
        assert re.search(r"\{#[\w-]+\}\s*$", heading), f"no explicit id: {heading}"


def test_figures_explain_themselves(pages: dict[str, BeautifulSoup]) -> None:
    shown = [(path, figure) for path, page in pages.items() for figure in page.select("figure.fig")]
    assert len(shown) >= len(FIGURES), "figures are missing from the pages"
    for path, figure in shown:
        svg = figure.find("svg")
        assert svg is not None, f"{path}: a figure without a picture"
        assert svg.get("role") == "img", f"{path}: a picture that is no image to a screen reader"
        said = str(svg.get("aria-label", ""))
        assert len(said) > 60, f"{path}: a description that cannot state the point: {said!r}"


def test_embedded_figures_have_caption_and_page(pages: dict[str, BeautifulSoup]) -> None:
    embedded = [
        (path, figure) for path, page in pages.items() for figure in page.select("figure.fig[id]")
    ]
    for path, figure in embedded:
        caption = figure.find("figcaption")
        assert caption is not None, f"{path}: {figure['id']} has no caption"
        assert caption.select_one("a.fig-source"), f"{path}: {figure['id']} hides how it is made"


@pytest.mark.parametrize("name", FIGURES)
def test_page_of_a_figure(name: str, site: Path, pages: dict[str, BeautifulSoup]) -> None:
    page = pages[f"figures/{name}/index.html"]
    assert page.select_one(".cell-output figure.fig svg"), f"{name}: the output is not shown"
    source = page.select_one(".highlight pre code")
    assert source and "import" in source.get_text(), f"{name}: the source is not shown"
    for file in (f"fig_{name}.py", f"fig_{name}.ipynb", f"{name}.svg"):
        assert page.select_one(f'a[href="{file}"][download]'), f"{name}: no download of {file}"
        assert (site / "figures" / name / file).stat().st_size > 500, f"{file} is empty"


def test_figure_pages_lead_back_to_the_lesson(pages: dict[str, BeautifulSoup]) -> None:
    text = (ROOT / "docs/lesson/multihead-masks.md").read_text(encoding="utf-8")
    for name in re.findall(r"^\[\[figure:\s*(\w+)\s*\]\]", text, re.MULTILINE):
        back = pages[f"figures/{name}/index.html"].select_one(".fig-back a")
        assert back and "multihead-masks/#" in str(back["href"]), f"{name}: no way back"


def test_figure_pages_are_light(site: Path, pages: dict[str, BeautifulSoup]) -> None:
    for name in FIGURES:
        path = site / "figures" / name / "index.html"
        assert path.stat().st_size < 300_000, f"{name}: the notebook's own styles are back"
        foreign = pages[f"figures/{name}/index.html"].select("article script, article style")
        assert not foreign, f"{name}: scripts or styles of the notebook are left"


def test_footer_names_build_licence_and_browsers(lesson: BeautifulSoup) -> None:
    footer = lesson.select_one("footer").get_text(" ", strip=True)
    for expected in ("Сборка", "attnlib 1.", "NumPy 2.", "MIT", "CC BY", "браузеры"):
        assert expected in footer, f"the footer does not say {expected!r}: {footer}"


def test_not_found_page_is_russian(pages: dict[str, BeautifulSoup]) -> None:
    text = pages["404.html"].select_one("article").get_text()
    assert "Такой страницы нет" in text, "the 404 page is not ours"


def test_theme_speaks_russian(lesson: BeautifulSoup) -> None:
    for element in lesson.select("[aria-label], [title], [placeholder]"):
        for name in ("aria-label", "title", "placeholder"):
            text = str(element.get(name, ""))
            words = re.findall(r"[A-Za-z]{4,}", text)
            assert not words or re.search("[а-яё]", text), f"{element.name} {name}={text!r}"


def test_icon_is_the_causal_mask(site: Path) -> None:
    icon = (site / "assets/images/icon.svg").read_text(encoding="utf-8")
    opacities = [float(value) for value in re.findall(r'opacity="([\d.]+)"', icon)]
    assert len(opacities) == 16, "the icon is not a 4 × 4 matrix"
    for row in range(4):
        cells = opacities[4 * row : 4 * row + 4]
        assert len(set(cells[: row + 1])) == 1, f"row {row} does not share its weight equally"
        assert all(cell < cells[0] for cell in cells[row + 1 :]), f"row {row} sees the future"
