"""Pages one after another, and what is hidden on them."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.conftest import Visit

STEPS = ("Справочник", "Урок", "Лаборатория")
ADDRESSES = ("reference/", "lesson/", "lab/")
SHOWN_THOUGH_HIDDEN = """() => [...document.querySelectorAll('article [hidden], footer [hidden]')]
  .filter((element) => element.hidden !== 'until-found' && element.checkVisibility())
  .map((element) => element.outerHTML.slice(0, 120))"""


def _nodes(page: object) -> dict[str, int]:
    """What the browser still holds after collecting what nobody needs."""
    session = page.context.new_cdp_session(page)  # type: ignore[attr-defined]
    session.send("Performance.enable")
    session.send("HeapProfiler.collectGarbage")
    metrics = session.send("Performance.getMetrics")["metrics"]
    session.detach()
    return {entry["name"]: int(entry["value"]) for entry in metrics}


def test_pages_that_were_left_are_let_go(visit: Callable[..., Visit]) -> None:
    page = visit("").page

    def walk(steps: int) -> dict[str, int]:
        for step in range(steps):
            page.click(f".md-tabs__link >> text={STEPS[(step + 1) % 3]}")
            page.wait_for_url(re.compile(ADDRESSES[(step + 1) % 3]))
            page.wait_for_selector("article h1")
        return _nodes(page)

    early, late = walk(6), walk(12)
    assert late["Nodes"] < early["Nodes"] + 2000, f"nodes: {early['Nodes']} → {late['Nodes']}"
    assert late["Documents"] <= early["Documents"] + 3, (
        f"documents: {early['Documents']} → {late['Documents']}"
    )


def test_what_is_hidden_is_not_shown(visit: Callable[..., Visit]) -> None:
    page = visit("lesson/multihead-masks/").page
    page.wait_for_selector(".self-check button")
    seen = 0
    for address in ("lesson/multihead-masks/", "lab/", "offline/", "w/masks/"):
        page.goto(f"/{address}")
        page.wait_for_selector("article")
        seen += page.locator("article [hidden], footer [hidden]").count()
        tools = ".aw-tools"  # keeps its place, unseen
        shown = [html for html in page.evaluate(SHOWN_THOUGH_HIDDEN) if tools[1:] not in html]
        assert not shown, f"{address} shows what is hidden: {shown}"
    assert seen >= 10, f"only {seen} hidden elements were looked at"
