"""Nothing moves under the reader's eyes: when scripts come, when Python starts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.pages import Open, open_quiet, settled
from tests.browser.widget_page import LESSON, Widget
from tests.static_server import StaticServer

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
    Widget(page)
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
    Widget(page)
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
