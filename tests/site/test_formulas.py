"""Formulas of the built pages (raw delimiters, errors, versions), and what KaTeX may do."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files

from figures.pipeline import (
    drawing,
    formula_text,
    inline,
    katex,
    katex_math,
    markdown_text,
    places,
)
from tests.conftest import ROOT
from tests.site.conftest import DOCS, FIGURE, PageOf, embedded

KATEX = ROOT / "docs" / "assets" / "katex"
UNSEEN = {"pre", "code", "script", "style", "annotation", "svg"}
DELIMITERS = ("\\(", "\\)", "\\[", "\\]", "$")


def _visible(page: BeautifulSoup) -> str:
    texts = page.body.find_all(string=True)
    return "".join(text for text in texts if not UNSEEN & {part.name for part in text.parents})


def test_every_formula_of_the_sources_is_there(pages: dict[str, BeautifulSoup]) -> None:
    """The tests below look at `.katex`; so many of them there are at least."""
    total = 0
    for source in sorted(DOCS.rglob("*.md")):
        uri = source.relative_to(DOCS)
        folder = uri.parent if uri.stem == "index" else uri.with_suffix("")
        path = (folder / "index.html").as_posix()
        written = markdown_text.formulas(source.read_text(encoding="utf-8"))
        captions = sum(
            drawing.draw(name).caption.count("$") // 2
            for place, name in embedded("figure")
            if place == path
        )
        shown = len(pages[path].select(".katex"))
        assert shown >= written + captions, f"{path}: {written} + {captions} written, {shown} there"
        total += shown
    print(f"{total} formulas on the pages of docs/")


def test_no_raw_delimiters(pages: dict[str, BeautifulSoup]) -> None:
    for path, page in pages.items():
        text = _visible(page)
        assert len(re.findall("[а-яё]", text)) > 100, f"{path}: no text is looked at"
        for delimiter in DELIMITERS:
            at = text.find(delimiter)
            assert at < 0, f"{path}: raw {delimiter!r} in «{text[max(0, at - 40) : at + 40]}»"


def test_no_errors_and_no_emphasis_in_formulas(pages: dict[str, BeautifulSoup]) -> None:
    for path, page in pages.items():
        assert not page.select(".katex-error"), f"{path}: KaTeX reports an error"
        assert not page.select(".katex em, .katex strong"), f"{path}: Markdown inside a formula"
        assert not page.select(".arithmatex"), f"{path}: a formula was not rendered"


def test_each_formula_has_one_mathml(pages: dict[str, BeautifulSoup]) -> None:
    for path, page in pages.items():
        for formula in page.select(".katex"):
            assert len(formula.select("math")) == 1, f"{path}: {formula.get_text()[:60]}"
            assert formula.select_one(".katex-html")["aria-hidden"] == "true", path


def test_annotations_hold_no_markup_commands(pages: dict[str, BeautifulSoup]) -> None:
    for path, page in pages.items():
        notes = page.select("annotation")
        assert len(notes) == len(page.select(".katex")), f"{path}: a formula without its TeX"
        for note in notes:
            assert "\\html" not in note.get_text(), f"{path}: {note.get_text()}"


def test_contents_and_search_hold_no_tex(site: Path, pages: dict[str, BeautifulSoup]) -> None:
    for path, page in pages.items():
        names = " ".join(link.get_text() for link in page.select(".md-nav__link"))
        alone = path == "404.html" or path.startswith("w/")  # pages without a navigation
        assert "Урок" in names or alone, f"{path}: no navigation is looked at"
        assert "\\" not in names, f"{path}: TeX in the navigation"
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    listed = {entry["location"].partition("#")[0] + "index.html" for entry in index["docs"]}
    apart = {path for path in pages if path.startswith("w/")} | {"404.html"}
    assert listed == pages.keys() - apart, f"in the index: {sorted(listed ^ pages.keys())}"
    for entry in index["docs"]:
        assert not re.search(r"\\[(\[]", entry["title"] + entry["text"]), entry["location"]


def test_one_version_of_katex() -> None:
    manifest = json.loads((KATEX / "manifest.json").read_text(encoding="utf-8"))
    version = manifest["origins"][0]["version"]
    script = (KATEX / "katex.min.js").read_text(encoding="utf-8")
    style = (KATEX / "katex.min.css").read_text(encoding="utf-8")
    assert f'version:"{version}"' in script, "katex.min.js is of another version"
    assert f'content:"{version}"' in style, "katex.min.css is of another version"
    fonts = re.findall(r"url\(([^)]+)\)", style)
    assert len(set(fonts)) == len(list((KATEX / "fonts").glob("*.woff2"))), (
        "fonts are not those used"
    )
    for font in fonts:
        assert (KATEX / font).is_file(), f"the style sheet asks for {font}"


def test_html_data_reaches_the_page() -> None:
    [html] = katex.render([katex.Formula(r"\htmlData{k=split}{h} + 1", display=False)])
    assert 'data-k="split"' in html, "\\htmlData left no attribute"
    assert "htmlData" not in html, "\\htmlData is left in the annotation"
    assert '<annotation encoding="application/x-tex">h + 1</annotation>' in html


@pytest.mark.parametrize(
    "tex",
    [
        r"\href{https://example.org}{x}",
        r"\includegraphics{x.png}",
        r"\htmlStyle{color: red}{x}",
        r"\url{https://example.org}",
        r"\unknown",
        r"\frac{1}{",
        "вес",
        "a % b",
    ],
)
def test_refused_formulas(tex: str) -> None:
    with pytest.raises(katex.FormulaError, match="formula:"):
        katex.render([katex.Formula(tex, display=False)])


@pytest.mark.parametrize(
    ("tex", "plain"),
    [
        (r"a + b", "a + b"),
        (r"\htmlData{k=a}{x}", "x"),
        (r"\htmlData{k=a}{\htmlClass{b}{x_{1}}} \{y\}", r"x_{1} \{y\}"),
        (r"\frac{\htmlData{k=a}{1}}{\sqrt{d}}", r"\frac{1}{\sqrt{d}}"),
    ],
)
def test_plain_tex(tex: str, plain: str) -> None:
    assert katex.plain_tex(tex) == plain


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"k \le q", "k ≤ q"),
        (r"\frac{1}{\sqrt{d}}", "1/√d"),
        (r"2n^2D + 4nD^2", "2n²D + 4nD²"),
        (r"h_{kv}", "h_kv"),
        (r"12\,288", "12 288"),
        (r"-\infty", "−∞"),
        (r"QK^{\top}", "QKᵀ"),
    ],
)
def test_formula_as_text(tex: str, text: str) -> None:
    assert formula_text.to_text(tex) == text


@pytest.mark.parametrize(
    ("body", "formula"),
    [
        ("Слово и $\\frac{1}{$.", r"\frac{1}{"),
        ("$$\n\\href{https://example.org}{x}\n$$", r"\href{https://example.org}{x}"),
    ],
)
def test_a_broken_formula_stops_the_build(page_of: PageOf, body: str, formula: str) -> None:
    page, config = page_of(f"# Проба\n\n{body}\n")
    page.render(config, Files([page.file]))
    line = 3 if body.startswith("Слово") else 4
    with pytest.raises(PluginError, match=f"^docs/index.md:{line}: ") as caught:
        katex_math.rendered(page.content or "", page)
    assert f"formula: {formula}" in str(caught.value)


def test_a_broken_formula_of_a_caption_names_its_script(
    page_of: PageOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, _ = page_of("# Проба\n\n[[figure: probe]]\n")
    script = tmp_path / "figures/static/fig_probe.py"
    script.parent.mkdir(parents=True)
    script.write_text(FIGURE.replace("$n^2$", "$\\\\frac{$"), encoding="utf-8")
    monkeypatch.setattr(places, "ROOT", tmp_path)
    line = FIGURE[: FIGURE.index("$n^2$")].count("\n") + 1
    with pytest.raises(PluginError, match=rf"^figures/static/fig_probe\.py:{line}: ") as caught:
        katex_math.rendered(inline.to_html(r"Подпись с формулой $\frac{$."), page)
    assert r"formula: \frac{" in str(caught.value)
