"""The lesson on paper: what a teacher would hand out."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page
from pypdf import PdfReader

from figures.pipeline import widget_html
from figures.widgets.controls import defaults
from tests.browser.pages import Open, open_quiet, settled
from tests.browser.widget_page import LESSON
from tests.static_server import StaticServer

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


@pytest.fixture
def printed(visit: Open, server: StaticServer) -> Page:
    """The lesson in the dark theme, as the printer sees it."""
    page = open_quiet(visit, server.url + LESSON, color_scheme="dark", reduced_motion="reduce")
    settled(page)
    page.emulate_media(media="print", color_scheme="dark")
    return page


def test_the_hand_out_holds_the_lesson_and_no_interface(printed: Page, tmp_path: Path) -> None:
    reader = PdfReader(io.BytesIO(printed.pdf(format="A4", print_background=True)))
    text = " ".join(" ".join(page.extract_text() for page in reader.pages).split())
    letters = re.sub(r"\s", "", text)
    assert 5 < len(reader.pages) <= MOST_PAGES, f"{len(reader.pages)} pages"
    for heading in printed.locator("article :is(h1, h2)").all():
        words = re.sub(r"[\s#]", "", heading.inner_text())
        assert words in letters, f"«{heading.inner_text()}» is not on paper"
    shown = [words for words in INTERFACE if re.sub(r"\s", "", words) in letters]
    assert shown == [], f"words of the interface on paper: {shown}"
    for number, page in enumerate(reader.pages, 1):
        assert page.extract_text().strip(), f"page {number} is empty"


def test_widgets_are_printed_in_their_first_state(printed: Page) -> None:
    for name in printed.locator("section[data-widget]").evaluate_all(
        "roots => roots.map(root => root.dataset.widget)"
    ):
        module = widget_html.widgets()[name]
        frame = module.frame(defaults(module.CONTROLS))
        root = printed.locator(f'section[data-widget="{name}"]')
        for key, value in frame.get("readouts", {}).items():
            output = root.locator(f'output[data-readout="{key}"]')
            shown = " ".join(output.inner_text().split())
            assert shown == " ".join(value.split()), f"{name}: {key} is not the first state's"


def test_no_control_is_printed(printed: Page) -> None:
    controls = printed.evaluate(
        """() => [...document.querySelectorAll(
                'button, select, summary, nav, progress, input:not([type=radio], [type=text])')]
             .filter(element => element.checkVisibility() && element.getClientRects().length)
             .map(element => element.outerHTML.slice(0, 100))"""
    )
    assert controls == [], f"printed: {controls}"


def test_paper_is_light_in_the_dark_theme(printed: Page) -> None:
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


def test_no_figure_is_cut_by_the_end_of_a_page(printed: Page) -> None:
    cut = printed.evaluate(
        """() => [...document.querySelectorAll('article :is(.fig, .attn-widget, pre, table)')]
             .filter(element => element.checkVisibility())
             .filter(element => getComputedStyle(element).breakInside !== 'avoid')
             .map(element => element.outerHTML.slice(0, 80))"""
    )
    assert cut == [], f"may be cut in two: {cut}"
