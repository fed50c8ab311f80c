"""One built site on any host: another port, a folder among others, a network without a cache."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from figures.browsers.server import StaticServer
from tests.browser.offline_steps import LESSON, OpenPage
from tests.browser.pages import LAB

FOLDER = "/a/b/"
STEPS = {"Урок": LESSON, "Лаборатория": LAB, "Рисунки": "figures/", "Главная": ""}
WATCH_STYLES = """
  self.rewritten = [];
  new MutationObserver((changes) => {
    for (const {target} of changes) if (target.localName === 'link') rewritten.push(target.href);
  }).observe(document, {subtree: true, attributes: true, attributeFilter: ['href']});
"""
STYLES = "[...document.head.querySelectorAll('link[rel=stylesheet]')]"


@pytest.fixture
def moved(site: Path) -> Iterator[StaticServer]:
    """The site in a folder of a host and at a port that it was not built for."""
    with StaticServer(site, prefix=FOLDER) as running:
        yield running


def step(page: Page, name: str, address: str) -> None:
    page.locator(".md-tabs a", has_text=name).click()
    page.wait_for_url(f"**{FOLDER}{address}")
    expect(page.locator("article h1")).to_have_count(1)


@pytest.mark.parametrize("first", ["", "figures/causal_mask/"])
def test_steps_are_in_site_wherever_the_site_lies(
    moved: StaticServer, open_page: OpenPage, first: str
) -> None:
    page = open_page("about:blank")
    page.add_init_script(WATCH_STYLES)
    with page.expect_response("**/sitemap.xml"):
        page.goto(moved.url + first)
    page.evaluate(f"self.styles = {STYLES}; self.sameDocument = true")
    for name, address in STEPS.items():
        step(page, name, address)
        assert page.evaluate("self.sameDocument"), f"{name}: a step loads a whole document"
        kept = page.evaluate(f"styles.length && styles.every((one) => {STYLES}.includes(one))")
        assert kept, f"{name}: a step takes styles away"
    assert page.evaluate("rewritten") == [], "styles get another address: they are asked for again"
    outside = [path for path in moved.requests if not path.startswith(FOLDER)]
    assert not outside, f"asked of other sites of the host: {outside}"


@pytest.mark.parametrize("address", ["нет", "lesson/multihead-masks/нет/такой/страницы.html"])
def test_a_wrong_address_asks_nobody_and_leads_back(
    moved: StaticServer, open_page: OpenPage, address: str
) -> None:
    page = open_page(moved.url + address)
    link = page.get_by_role("link", name="урок «Многоголовость и маски»")
    expect(link).to_have_attribute("href", moved.url + LESSON)
    asked = {path for path in moved.requests if not path.endswith("/404.html")}
    assert asked == {FOLDER + address}, f"the page about a wrong address loads files: {asked}"
    link.click()
    expect(page.locator("h1")).to_contain_text("Многоголовость и маски")
