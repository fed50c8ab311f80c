"""The lesson on paper: what a teacher would hand out."""

from __future__ import annotations

import io
import re
from collections import Counter

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from figures.browsers.server import StaticServer
from figures.pipeline import widget_html
from figures.widgets.controls import defaults
from tests.browser.pages import LESSON, Open, open_quiet, settled
from tests.conftest import eventually
from tests.site.conftest import embedded

MOST_PAGES = 45
INTERFACE = (
    "Открыть в лаборатории",
    "Как построен рисунок",
    "Запустить Python",
    "Скачать",
    "Сбросить",
    "Во весь экран",
    "Проверить",
    "Наведите указатель",
    "клавишей Tab",
    "Код, который это считает",
    "Ответ и разбор",
    "Поиск по сайту",
    "На этой странице",
    "Дальше",
)
WIDGETS = "section[data-widget]"


def test_the_hand_out_holds_the_lesson_whatever_the_reader_did(
    visit: Open, server: StaticServer
) -> None:
    page = open_quiet(visit, server.url + LESSON, color_scheme="light", reduced_motion="reduce")
    settled(page)
    paper = on_paper(page)
    letters = re.sub(r"\s", "", "".join(text for text, _ in paper))
    assert 5 < len(paper) <= MOST_PAGES, f"{len(paper)} pages"
    for heading in page.locator("article :is(h1, h2)").all():
        words = re.sub(r"[\s#]", "", heading.inner_text())
        assert words in letters, f"«{heading.inner_text()}» is not on paper"
    shown = [words for words in INTERFACE if re.sub(r"\s", "", words) in letters]
    assert shown == [], f"words of the interface on paper: {shown}"
    names = page.locator(WIDGETS).evaluate_all("roots => roots.map(root => root.dataset.widget)")
    wanted = [name for path, name in embedded("widget") if path == f"{LESSON}index.html"]
    assert names == wanted and names, f"widgets of the lesson: {names}, {wanted} in its source"
    for name in names:
        module = widget_html.widgets()[name]
        for key, value in module.frame(defaults(module.CONTROLS)).get("readouts", {}).items():
            wanted = re.sub(r"\s", "", value)
            assert wanted in letters, f"{name}: {key} of the first state is not on paper"

    touch_everything(page, names)
    page.get_by_title("Включить тёмную тему").click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    settled(page)
    left = page.locator("[data-figure]").all_inner_texts()
    again = on_paper(page)
    assert len(again) == len(paper), f"{len(again)} pages instead of {len(paper)}"
    for number, (one, other) in enumerate(zip(paper, again, strict=True), 1):
        assert other[0] == one[0], f"page {number} reads otherwise after the reader's changes"
        assert other[1] == one[1], f"page {number} has other colours after the reader's changes"
    eventually(
        page.locator("[data-figure]").all_inner_texts,
        left,
        "after printing the screen shows another state",
    )


def on_paper(page: Page) -> list[tuple[str, Counter[bytes]]]:
    """The text of each printed page, and how often it takes which colour."""
    sheets = PdfReader(io.BytesIO(page.pdf(format="A4", print_background=True))).pages
    texts = [sheet.extract_text() for sheet in sheets]
    empty = [number for number, text in enumerate(texts, 1) if not text.strip()]
    assert empty == [], f"empty pages: {empty}"
    drawn = [getattr(sheet.get_contents(), "get_data", bytes)() for sheet in sheets]
    colours = [Counter(re.findall(rb"[\d.]+ [\d.]+ [\d.]+ rg", page)) for page in drawn]
    assert len(set().union(*colours)) > 20, "the figures have lost their colours"
    return list(zip(texts, colours, strict=True))


def touch_everything(page: Page, names: list[str]) -> None:
    """Another state in every widget, a locked cell, a state that only Python knows, answers."""
    for name in names:
        root = page.locator(f'section[data-widget="{name}"]')
        before = root.locator("[data-figure]").inner_text()
        control = root.locator("fieldset input:is([type=range], [type=checkbox]):enabled").first
        control.focus()
        is_check = control.get_attribute("type") == "checkbox"
        page.keyboard.press("Space" if is_check else "ArrowRight")
        expect(root).to_have_attribute("data-source", "table")
        assert root.locator("[data-figure]").inner_text() != before, f"{name}: nothing has changed"
        if root.locator("td[data-row]:visible").count():
            root.locator("td[data-row]:visible").last.click()
    page.locator("#attention-sentence").fill("мама мыла раму")
    expect(page.locator('[data-widget="attention"]')).to_have_attribute("data-outdated", "")
    questions = page.locator("[data-self-check]")
    questions.locator("input[type=radio]").first.check()
    questions.locator("input[type=text]").first.fill("12")
    for button in questions.get_by_role("button", name="Проверить").all():
        button.click()


@pytest.fixture
def printed(visit: Open, server: StaticServer) -> Page:
    """The lesson in the dark theme, as the printer sees it."""
    page = open_quiet(visit, server.url + LESSON, color_scheme="dark", reduced_motion="reduce")
    settled(page)
    page.emulate_media(media="print", color_scheme="dark")
    return page


def test_paper_has_no_controls_is_light_and_cuts_no_figure(printed: Page) -> None:
    controls = printed.evaluate(
        """() => [...document.querySelectorAll(
                'button, select, summary, nav, progress, input:not([type=radio], [type=text])')]
             .filter(element => element.checkVisibility() && element.getClientRects().length)
             .map(element => element.outerHTML.slice(0, 100))"""
    )
    assert controls == [], f"printed: {controls}"
    dark = printed.evaluate(
        """() => {
          const canvas = document.createElement('canvas');
          const probe = canvas.getContext('2d', {willReadFrequently: true});
          const lightness = (colour) => {
            probe.clearRect(0, 0, 1, 1);
            probe.fillStyle = colour;
            probe.fillRect(0, 0, 1, 1);
            const [r, g, b, alpha] = probe.getImageData(0, 0, 1, 1).data;
            return alpha === 0 ? 1 : (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
          };
          const grounds = ['body', '.attn-widget', 'article pre > code', 'article .admonition'];
          const inks = ['article p', 'article h2', '.fig-svg text', '.aw-title'];
          const of = (list, property) => list.map(s => [s, document.querySelector(s)])
            .map(([s, element]) => [s, lightness(getComputedStyle(element)[property])]);
          return [
            ...of(grounds, 'backgroundColor').filter(([, light]) => light < 0.9),
            ...of(inks, 'color').filter(([, light]) => light > 0.35),
          ];
        }"""
    )
    assert dark == [], f"dark ground or light ink on paper: {dark}"
    cut = printed.evaluate(
        """() => [...document.querySelectorAll('article :is(.fig, .attn-widget, pre, table)')]
             .filter(element => element.checkVisibility())
             .filter(element => getComputedStyle(element).breakInside !== 'avoid')
             .map(element => element.outerHTML.slice(0, 80))"""
    )
    assert cut == [], f"may be cut in two: {cut}"
