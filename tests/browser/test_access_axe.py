"""The rules of axe, all of them, on every page in both themes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from figures.browsers.server import StaticServer
from tests.browser.pages import EVERY_PAGE, Open, open_quiet, paths, settled

# A theme changes colours only, so the dark one needs only the rules about them.
RULES: dict[Literal["light", "dark"], dict[str, Any]] = {
    "light": {},
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"]},
}


@pytest.mark.timeout(EVERY_PAGE)
def test_no_page_breaks_a_rule(visit: Open, server: StaticServer, site: Path) -> None:
    page = open_quiet(visit, "about:blank", reduced_motion="reduce")
    page.set_default_timeout(EVERY_PAGE * 1000)
    problems: list[str] = []
    for path in paths(site):
        page.emulate_media(color_scheme="light")
        page.goto(server.url + path)
        for scheme, rules in RULES.items():
            page.emulate_media(color_scheme=scheme)
            settled(page)
            problems += [f"{path}, {scheme}: {problem}" for problem in broken_rules(page, rules)]
    assert not problems, "axe finds:\n" + "\n".join(problems)


def test_axe_is_at_work(visit: Open, server: StaticServer) -> None:
    page = open_quiet(visit, server.url + "404.html")
    page.evaluate("document.querySelector('article').append(document.createElement('input'))")
    assert any("label" in problem for problem in broken_rules(page, {})), (
        "an input without a name goes unnoticed"
    )


def broken_rules(page: Page, options: dict[str, Any]) -> list[str]:
    found = Axe().run(page, options={"resultTypes": ["violations"], **options})
    return [
        f"{rule['id']}: {node['html'][:160]}"
        for rule in found.response["violations"]
        for node in rule["nodes"]
    ]
