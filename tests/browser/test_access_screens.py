"""Narrow screens, zoom, reduced motion, forced colours: every page can still be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from figures.browsers.server import StaticServer
from tests.browser.pages import EVERY_PAGE, LAB, LESSON, Open, open_quiet, paths, settled

# 640 pixels are what a window of 1280 shows at a zoom of 200 %.
PHONE = 390
WIDTHS = (320, PHONE, 640)
SMALLEST_TARGET = 24

# What sticks out of the page, or scrolls in a box that the keyboard cannot reach.
MISFITS = """() => {
  const described = (element) =>
    `${element.tagName}.${element.className} ${element.textContent.trim().slice(0, 40)}`;
  const misfits = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width)
    misfits.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const box of document.querySelectorAll('article *')) {
    if (box.scrollWidth <= box.clientWidth + 1 || !box.checkVisibility()) continue;
    const { overflowX, display } = getComputedStyle(box);
    if (display === 'inline' || !['auto', 'scroll'].includes(overflowX)) continue;
    const inside = box.querySelector('a, button, input, select, textarea, [tabindex="0"]');
    if (box.tabIndex < 0 && !inside)
      misfits.push(`not to be reached by keyboard: ${described(box)}`);
  }
  for (const cell of document.querySelectorAll('article td[data-row]'))
    if (cell.checkVisibility() && cell.firstElementChild?.scrollWidth > cell.clientWidth + 1)
      misfits.push(`text wider than its cell: ${described(cell)}`);
  return misfits;
}"""

# A link within a sentence is as high as its line: the rules of target size leave it out.
SMALL_TARGETS = """least => [...document.querySelectorAll(
    'article :is(button, select, summary, input, textarea, td[data-row])')]
  .filter(target => target.checkVisibility({visibilityProperty: true}))
  .map(target => [target, [target, target.closest('label')]
    .filter(Boolean).map(each => each.getBoundingClientRect())])
  .filter(([, [own]]) => own.width > 0)
  .filter(([, boxes]) => boxes.every(box => box.width < least || box.height < least))
  .map(([target, [own]]) => `${target.outerHTML.slice(0, 90)}: ${own.width} × ${own.height}`)"""


@pytest.mark.timeout(EVERY_PAGE)
def test_pages_fit_narrow_screens_and_fingers(
    visit: Open, server: StaticServer, site: Path
) -> None:
    page = open_quiet(visit, "about:blank", device_scale_factor=2, has_touch=True)
    problems: list[str] = []
    for path in paths(site):
        page.goto(server.url + path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            settled(page)
            problems += [f"{path}, {width} px: {each}" for each in page.evaluate(MISFITS)]
            if width == PHONE:
                small = page.evaluate(SMALL_TARGETS, SMALLEST_TARGET)
                problems += [f"{path}, under {SMALLEST_TARGET} px: {each}" for each in small]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("path", [LESSON, LAB])
def test_nothing_moves_for_those_who_asked_for_less(
    visit: Open, server: StaticServer, path: str
) -> None:
    page = open_quiet(visit, server.url + path, reduced_motion="reduce")
    moving = page.evaluate(
        """() => [...document.querySelectorAll('*')].filter(element => {
             const style = getComputedStyle(element);
             const lasts = parseFloat(style.transitionDuration) > 0;
             const moves = style.transitionProperty !== 'none' && lasts;
             return moves || style.animationName !== 'none' || style.scrollBehavior === 'smooth';
           }).map(element => element.outerHTML.slice(0, 100))"""
    )
    assert moving == [], f"still moves: {moving}"


def test_forced_colours_leave_all_that_is_told(visit: Open, server: StaticServer) -> None:
    page = open_quiet(visit, server.url + LESSON, forced_colors="active", color_scheme="dark")
    widget = page.locator('section[data-widget="attention"]')
    blocked, allowed = (
        widget.locator(f'table[data-matrix="weights"] td[data-k="{kind}"]').first
        for kind in ("blocked", "allowed")
    )
    assert blocked.text_content() != allowed.text_content(), "cells differ by colour alone"
    for cell in (blocked, allowed):
        border = cell.evaluate("cell => parseFloat(getComputedStyle(cell).borderTopWidth)")
        assert border > 0, "cells without a border run together"
    bar = widget.locator(".aw-bar-track i").first.evaluate(
        "bar => getComputedStyle(bar).backgroundColor"
    )
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert bar != ground, "bars cannot be seen"
    slider = widget.locator("input[type=range]").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    outline = slider.evaluate("slider => getComputedStyle(slider).outlineStyle")
    assert outline != "none", "focus cannot be seen"
