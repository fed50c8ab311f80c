"""What every page has, and what the lesson has."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

import attnlib
from figures.pipeline import markdown_text
from tests.conftest import ROOT
from tests.site.conftest import FIGURES, LESSON, embedded

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
NAMING = ("aria-label", "title", "placeholder")


def test_pages_are_there(pages: dict[str, BeautifulSoup]) -> None:
    """`pages` compares them with the sources; these are addresses that others know."""
    for path in ("index.html", LESSON, "figures/index.html", "lab/index.html", "404.html"):
        assert path in pages, f"the site has no {path}"


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
        assert ids or path == "404.html", f"{path}: no ids are looked at"
        double = [name for name, count in ids.items() if count > 1]
        assert not double, f"{path}: ids that occur twice: {double}"
        counted = [name for name in ids if re.search(r"(^|\w)_\d+$", name) and "__" not in name]
        assert not counted, f"{path}: ids that depend on the order of headings: {counted}"
        empty = [h.get_text() for h in page.select("article :is(h2, h3, h4)") if not h.get("id")]
        assert not empty, f"{path}: headings without an id: {empty}"


def test_headings_do_not_skip_levels(pages: dict[str, BeautifulSoup]) -> None:
    for path, page in pages.items():
        levels = [int(h.name[1]) for h in page.select(":is(article, main) :is(h1, h2, h3, h4, h5)")]
        assert levels and levels[0] == 1, f"{path}: the headings looked at are {levels}"
        for above, below in pairwise(levels):
            assert below <= above + 1, f"{path}: h{above} is followed by h{below}"


def test_lesson_sections_keep_their_ids(lesson: BeautifulSoup) -> None:
    found = [heading["id"] for heading in lesson.select("article h2[id]")]
    assert [name for name in found if name in SECTIONS] == SECTIONS, (
        f"sections of the lesson are {found}"
    )


def test_explicit_ids_of_lesson_headings(lesson: BeautifulSoup) -> None:
    text = (ROOT / "docs/lesson/multihead-masks.md").read_text(encoding="utf-8")
    lines = markdown_text.without_fences(text)
    headings = [line for line in lines if re.match(r"#{2,}\s", line)]
    shown = len(lesson.select("article :is(h2, h3, h4, h5, h6)"))
    assert len(headings) == shown > 0, f"{len(headings)} headings looked at, {shown} on the page"
    for heading in headings:
        assert re.search(r"\{#[\w-]+\}\s*$", heading), f"no explicit id: {heading}"


def test_figures_explain_themselves(pages: dict[str, BeautifulSoup]) -> None:
    shown = [(path, figure) for path, page in pages.items() for figure in page.select("figure.fig")]
    wanted = len(embedded("figure")) + len(FIGURES)  # each has a page of its own too
    assert len(shown) == wanted, f"{len(shown)} figures on the pages, {wanted} in the sources"
    for path, figure in shown:
        svg = figure.find("svg")
        assert svg is not None, f"{path}: a figure without a picture"
        assert svg.get("role") == "img", f"{path}: a picture that is no image to a screen reader"
        said = str(svg.get("aria-label", ""))
        assert len(said) > 60, f"{path}: a description that cannot state the point: {said!r}"


def test_embedded_figures_have_caption_and_page(pages: dict[str, BeautifulSoup]) -> None:
    shown = [
        (path, figure) for path, page in pages.items() for figure in page.select("figure.fig[id]")
    ]
    found = [(path, str(figure["id"])) for path, figure in shown]
    wanted = [(path, f"fig-{name.replace('_', '-')}") for path, name in embedded("figure")]
    assert sorted(found) == sorted(wanted) and found, "embeds and figures of the pages differ"
    for path, figure in shown:
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
    names = {name for path, name in embedded("figure") if path == LESSON}
    assert names == set(FIGURES), f"figures that the lesson does not show: {set(FIGURES) - names}"
    for name in names:
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


def test_theme_speaks_russian(pages: dict[str, BeautifulSoup]) -> None:
    for path, page in pages.items():
        said = page.select("[aria-label], [title], [placeholder]")
        said = [part for part in said if not part.find_parent(class_="doc")]  # names of Python
        assert said or path == "404.html", f"{path}: no names of parts are looked at"
        texts = [str(part.get(name, "")) for part in said for name in NAMING]
        foreign = [text for text in texts if re.search("[A-Za-z]{4,}", text)]
        foreign = [text for text in foreign if not re.search("[а-яё]", text)]
        foreign = [text for text in foreign if not hasattr(attnlib, text)]
        assert not foreign, f"{path}: not in Russian: {foreign}"


def test_icon_is_the_causal_mask(site: Path) -> None:
    icon = (site / "assets/images/icon.svg").read_text(encoding="utf-8")
    opacities = [float(value) for value in re.findall(r'opacity="([\d.]+)"', icon)]
    assert len(opacities) == 16, "the icon is not a 4 × 4 matrix"
    for row in range(4):
        cells = opacities[4 * row : 4 * row + 4]
        assert len(set(cells[: row + 1])) == 1, f"row {row} does not share its weight equally"
        assert all(cell < cells[0] for cell in cells[row + 1 :]), f"row {row} sees the future"
