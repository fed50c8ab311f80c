"""Nothing moves under the reader's eyes: when scripts and fonts come, when Python starts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from figures.browsers.server import StaticServer
from tests.browser.any_widget import AnyWidget
from tests.browser.pages import LAB, LESSON, Open, open_quiet, settled
from tests.conftest import until

HEIGHTS = """() => [...document.querySelector('article').children].map(
  (part) => [part.id || part.className || part.localName, part.offsetHeight])"""


@pytest.mark.parametrize("width", [390, 1280])
def test_scripts_move_nothing_when_they_come(visit: Open, server: StaticServer, width: int) -> None:
    """The questions at the end become forms, which are higher: what is above them stays."""
    options: dict[str, Any] = {"viewport": {"width": width, "height": 800}}
    bare = visit("about:blank", service_workers="block", **options)
    bare.page.route("**/assets/js/**", lambda route: route.abort())  # those of the theme still run
    bare.page.goto(server.url + LESSON)
    settled(bare.page)
    page = open_quiet(visit, server.url + LESSON, **options)
    AnyWidget(page)
    settled(page)
    with_scripts, without = (
        {f"{place} {name}": height for place, (name, height) in enumerate(found)}
        for found in (page.evaluate(HEIGHTS), bare.page.evaluate(HEIGHTS))
    )
    without = {name: height for name, height in without.items() if "self-check" not in name}
    moved = {
        name: (height, with_scripts.get(name))
        for name, height in without.items()
        if with_scripts.get(name) != height
    }
    assert len(without) > 100 and moved == {}, moved
    bare.forgive()  # the scripts that did not come


def test_a_start_of_python_moves_nothing_on_the_page(visit: Open, server: StaticServer) -> None:
    page = open_quiet(visit, server.url + LESSON)
    AnyWidget(page)
    heights = "[...document.querySelectorAll('.attn-widget')].map((root) => root.offsetHeight)"
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        settled(page)
        before = page.evaluate(heights)
        during = page.evaluate(
            f"""async () => {{
              const seen = [];
              const off = attn.runtime.on('state', () => seen.push({heights}));
              await attn.runtime.start();
              off();
              return [...seen, {heights}];
            }}"""
        )
        for after in during:
            assert after == before, f"{width} px: widgets grew or shrank: {before} → {after}"
        page.evaluate("attn.runtime.stop()")


# Of layout shift, as browsers count it. Without stand-ins of the fonts' width it is 0.15 to 0.4;
# what is left comes of the two files of a typeface, if a frame is drawn between them.
MOST = 0.1
WATCH_SHIFTS = """
  self.shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries()
    .filter((one) => !one.hadRecentInput)
    .map((one) => [one.value, one.sources.map((s) => s.node?.nodeName + ' ' + s.currentRect.y)])))
    .observe({type: 'layout-shift', buffered: true});
"""
TWO_FRAMES = """new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"""


class Held:
    """Files that do not come before they are let go, as on a slow network."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.routes: list[Route] = []
        self.is_open = False
        page.route(re.compile(pattern), self.take)

    def take(self, route: Route) -> None:
        if self.is_open:
            route.continue_()
        else:
            self.routes.append(route)

    def let_go(self) -> None:
        self.is_open = True
        for route in self.routes:
            route.continue_()


@pytest.mark.parametrize("path", [LESSON, LAB, "reference/attention/", "figures/", "offline/"])
def test_what_comes_late_moves_nothing(visit: Open, server: StaticServer, path: str) -> None:
    """On a phone: the text is there first, then scripts, then the letters of each script."""
    made = visit("about:blank", service_workers="block", viewport={"width": 390, "height": 844})
    page = made.page
    page.add_init_script(WATCH_SHIFTS)
    latin = Held(page, r"\.woff2")
    cyrillic = Held(page, r"-cyrillic-\w+\.woff2")  # of two rules that fit, the later one is asked
    scripts = Held(page, r"assets/(javascripts|js/(?!site/refused_storage))")
    page.goto(server.url + path, wait_until="commit")
    until(page.evaluate, "performance.getEntriesByName('first-contentful-paint').length")
    held = (scripts, cyrillic, latin)
    until(lambda text: page.evaluate(text) and all(one.routes for one in held), "'all are asked'")
    page.evaluate(TWO_FRAMES)
    scripts.let_go()
    until(page.evaluate, "document.readyState !== 'loading' && Boolean(self.attn?.offline)")
    if path == LAB:
        page.locator("[data-part=run]").wait_for()
    for fonts in (cyrillic, latin):
        page.evaluate(TWO_FRAMES)
        fonts.let_go()
    settled(page)
    shifts = page.evaluate("shifts")
    total = sum(value for value, _ in shifts)
    loaded = page.evaluate("[...document.fonts].filter((one) => one.status === 'loaded').length")
    assert loaded > 4, f"only {loaded} fonts came: this test proves nothing"
    assert total <= MOST, f"the page moves by {total:.3f}: {shifts}"
