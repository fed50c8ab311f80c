"""What a reader copies: text that reads once, formulas as TeX, code that runs."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Page

from tests.conftest import Visit, eventually
from tests.site.conftest import LESSON, pages

__all__ = ["pages"]  # a fixture

LESSON_PAGE = LESSON.removesuffix("index.html")
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}
SELECT = """element => {
  const range = document.createRange();
  range.selectNodeContents(element);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""


@pytest.fixture(scope="module")
def lesson(stay: Callable[..., Visit]) -> Page:
    return stay(LESSON_PAGE, service_workers="block", **CLIPBOARD).page


def copied(page: Page, selector: str) -> str:
    """The clipboard after the keys for copying, with all of an element selected."""
    page.locator(selector).first.evaluate(SELECT)
    page.keyboard.press("Control+c")
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_a_paragraph_with_formulas_reads_once(lesson: Page) -> None:
    paragraph = lesson.locator("article > p:has(.katex)").first
    formulas = paragraph.locator(".katex annotation").all_text_contents()
    text = copied(lesson, "article > p:has(.katex)")
    assert "\n" not in text, f"a paragraph of several lines: {text!r}"
    for tex in formulas:
        assert f"${tex.strip()}$" in text, f"no TeX of {tex!r} in {text!r}"
    assert text.count("$") == 2 * len(formulas) > 0, f"formulas twice: {text!r}"


def test_a_part_of_a_formula_is_copied_as_the_formula(lesson: Page) -> None:
    tex = lesson.locator("article .katex annotation").first.text_content()
    text = copied(lesson, "article .katex .katex-html .mord")
    assert text == f"${str(tex).strip()}$", f"copied: {text!r}"


def test_a_display_formula_is_copied_as_tex(lesson: Page) -> None:
    tex = lesson.locator(".math-display annotation").first.text_content()
    assert copied(lesson, ".math-display") == f"$${str(tex).strip()}$$", "not the formula's TeX"


def test_a_table_is_copied_with_tabs(lesson: Page) -> None:
    table = lesson.locator("article table:not([data-matrix]):has(.katex)").first
    rows = copied(lesson, "article table:not([data-matrix]):has(.katex)").splitlines()
    assert len(rows) == table.locator("tr").count() > 2, f"rows: {rows}"
    cells = [len(row.split("\t")) for row in rows]
    assert set(cells) == {table.locator("tr").first.locator("th, td").count()}, f"cells: {cells}"


def test_a_matrix_is_copied_as_it_shows(lesson: Page) -> None:
    matrix = lesson.locator("[data-widget=attention] table[data-matrix=weights]")
    text = copied(lesson, "[data-widget=attention] table[data-matrix=weights] tbody")
    rows = [row.split("\t") for row in text.splitlines()]
    shown = [
        [cell.inner_text().strip() for cell in row.locator("th, td").all()]
        for row in matrix.locator("tbody tr").all()
    ]
    assert [[cell.strip() for cell in row] for row in rows] == shown, f"copied: {text!r}"


def test_a_part_of_a_program_keeps_its_indentation(lesson: Page) -> None:
    lines = lesson.locator("article pre code", has_text="    ").first.evaluate(
        """(code) => {
          const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
          while (walker.nextNode() && !walker.currentNode.data.includes('    '));
          const node = walker.currentNode;
          const range = document.createRange();
          range.setStart(node, node.data.indexOf('    '));
          range.setEnd(code, code.childNodes.length);
          getSelection().removeAllRanges();
          getSelection().addRange(range);
          return range.toString();
        }"""
    )
    lesson.keyboard.press("Control+c")
    text = str(lesson.evaluate("navigator.clipboard.readText()"))
    assert text.startswith("    ") and text.rstrip() == lines.rstrip(), f"copied: {text!r}"


def test_the_copy_button_of_an_example_takes_what_one_types(visit: Callable[..., Visit]) -> None:
    page = visit("reference/attention/", **CLIPBOARD).page
    block = page.locator("[data-copy]:has(.gp)").nth(1)
    block.locator("pre").hover()
    block.locator("button.md-code__button[data-md-type=copy]").click()
    wanted = block.get_attribute("data-copy")
    eventually(lambda: page.evaluate("navigator.clipboard.readText()"), wanted, "not the example")


def test_every_example_of_the_reference_is_copied_ready_to_run(
    pages: dict[str, BeautifulSoup],
) -> None:
    blocks = [
        (path, block)
        for path, page in pages.items()
        if path.startswith("reference/")
        for block in page.select("article pre:has(.gp)")
    ]
    assert len(blocks) > 40, f"only {len(blocks)} examples in the reference"
    for path, block in blocks:
        code = str(block.find_parent(attrs={"data-copy": True})["data-copy"])
        assert ">>>" not in code, f"{path}: prompts are copied: {code}"
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, path, "exec"), {})
