"""With the keyboard alone: the order of Tab, visible focus, no trap, focus that survives."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from figures.browsers.server import StaticServer
from tests.browser.pages import EVERY_PAGE, LAB, LESSON, Open, open_quiet, settled
from tests.conftest import until
from tests.site.conftest import embedded

# Where the focus is, in the coordinates of the page.
FOCUS = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  window.focusOrder ??= new Map();
  const seen = focusOrder.has(element);
  if (!seen) focusOrder.set(element, focusOrder.size);
  const shown = element.closest('label') ?? element;
  const box = shown.getBoundingClientRect();
  const editor = element.closest('.pce-focus');
  const outlined = [element, editor].filter(Boolean).map(each => getComputedStyle(each));
  const header = document.querySelector('.md-header').getBoundingClientRect();
  return {
    seen,
    name: element.outerHTML.slice(0, 110),
    inArticle: Boolean(element.closest('article')),
    left: box.left + scrollX, right: box.right + scrollX,
    top: box.top + scrollY, bottom: box.bottom + scrollY,
    inView: box.bottom > header.bottom && box.top < innerHeight,
    marked: outlined.some(({outlineStyle, outlineWidth}) =>
      outlineStyle !== 'none' && parseFloat(outlineWidth) > 0),
    editor: element.matches('textarea'),
  };
}"""


def walk(page: Page) -> list[dict[str, Any]]:
    """Every stop of Tab from the top of the page until the focus leaves it."""
    most = page.evaluate("document.querySelectorAll('a, button, input, [tabindex]').length") + 50
    stops: list[dict[str, Any]] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUS)
        if stop is None or stop["seen"]:
            return stops
        stops.append(stop)
        if stop["editor"]:
            page.keyboard.press("Escape")  # there Tab indents, and the page says how to leave
    raise AssertionError(f"Tab never leaves the page, last: {stops[-1]['name']}")


def goes_back(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether a stop stands above the one before it, and not in a column to its right."""
    return bool(after["bottom"] <= before["top"] and after["left"] < before["right"])


@pytest.mark.timeout(EVERY_PAGE)
@pytest.mark.parametrize("path", [LESSON, LAB])
def test_tab_follows_the_eye_and_leaves_the_page(
    visit: Open, server: StaticServer, path: str
) -> None:
    page = open_quiet(visit, server.url + path, reduced_motion="reduce")
    settled(page)
    stops = walk(page)
    inside = [stop for stop in stops if stop["inArticle"]]
    assert len(inside) >= 5, f"Tab does not reach the article: {len(inside)} stops"
    unmarked = [stop["name"] for stop in stops if not stop["marked"]]
    assert unmarked == [], f"focus cannot be seen: {unmarked}"
    hidden = [stop["name"] for stop in inside if not stop["inView"]]
    assert hidden == [], f"focused outside the window or below the header: {hidden}"
    back = [
        f"{before['name']} → {after['name']}"
        for before, after in pairwise(inside)
        if goes_back(before, after)
    ]
    assert back == [], f"Tab goes back up: {back}"


def test_every_widget_is_reached_and_keeps_the_focus(visit: Open, server: StaticServer) -> None:
    page = open_quiet(visit, server.url + LESSON, reduced_motion="reduce")
    roots = page.locator("section[data-widget]")
    names = roots.evaluate_all("roots => roots.map(root => root.dataset.widget)")
    wanted = [name for path, name in embedded("widget") if path == f"{LESSON}index.html"]
    assert names == wanted and names, f"widgets of the lesson: {names}, {wanted} in its source"
    for name in names:
        root = page.locator(f'section[data-widget="{name}"]')
        expect(root.locator("fieldset:disabled")).to_have_count(0)
        control = root.locator("fieldset :is(input, select):enabled").first
        control.focus()
        page.keyboard.press(
            "Space" if control.get_attribute("type") == "checkbox" else "ArrowRight"
        )
        expect(root).not_to_have_attribute("data-source", "build")
        expect(control).to_be_focused()
        cell = root.locator('table[data-matrix] td[tabindex="0"]')
        if cell.count():
            cell.first.focus()
            page.keyboard.press("ArrowRight")
            place = page.evaluate("document.activeElement.dataset.col")
            assert place == "1", f"{name}: the arrow keys do not move the cell, it is at {place}"


def test_the_first_stop_skips_to_the_text(visit: Open, server: StaticServer) -> None:
    page = open_quiet(visit, server.url + LESSON)
    page.keyboard.press("Tab")
    focused = page.locator(":focus")
    expect(focused).to_have_text("К содержанию страницы")
    page.keyboard.press("Enter")
    until(page.evaluate, "Boolean(document.querySelector('article :target'))")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUS)["inArticle"], "the link that skips leads elsewhere"
