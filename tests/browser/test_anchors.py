"""Links to headings whose ids are Russian words: on load, inside the site, back, offline."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from figures.browsers.server import StaticServer
from figures.pipeline import offline_worker
from tests.browser.any_widget import AnyWidget
from tests.browser.offline_steps import IS_CONTROLLED, LESSON, runtime_index
from tests.browser.pages import Open, open_quiet
from tests.conftest import eventually, is_icon, until

# Headings far from the top of the lesson, under names that an author might give them.
RENAMED = {"kv-sharing": "общие-ключи", "other-masks": "ещё_маски-1"}
HOME = "figures/"


@pytest.fixture
def renamed(server: StaticServer, tmp_path: Path) -> Iterator[StaticServer]:
    """The site with a few headings renamed, published anew with its service worker."""
    target = shutil.copytree(server.root, tmp_path / "site")
    page = target / LESSON / "index.html"
    text = page.read_text("utf-8")
    for old, new in RENAMED.items():
        assert f'id="{old}"' in text, f"the lesson has no heading {old}"
        text = text.replace(f'id="{old}"', f'id="{new}"').replace(f'="#{old}"', f'="#{quote(new)}"')
    page.write_text(text, "utf-8")
    written = (RENAMED["kv-sharing"], quote(RENAMED["other-masks"]))  # as an author may, both ways
    links = "".join(
        f'<p><a href="../{LESSON}#{anchor}">{number}</a></p>'
        for number, anchor in enumerate(written)
    )
    start = target / HOME / "index.html"
    start.write_text(start.read_text("utf-8").replace("</h1>", f"</h1>{links}", 1), "utf-8")
    with StaticServer(target) as running:
        offline_worker.write(target, runtime_index(target))
        yield running


def check(page: Page, anchor: str, step: str) -> None:
    """The heading is just below the header, and the address names it."""
    heading = page.locator(f'[id="{anchor}"]')
    header = page.locator(".md-header")
    for _ in range(600):  # a busy machine is slow, not wrong
        box, edge = heading.bounding_box(), header.bounding_box()
        if box and edge and edge["height"] - 1 <= box["y"] <= edge["height"] + 150:
            break
        page.wait_for_timeout(50)
    else:
        pytest.fail(f"{step}: the heading is at {box}, the header at {edge}")
    assert page.evaluate("decodeURIComponent(location.hash)") == f"#{anchor}", step


def test_russian_anchors_are_found_however_one_comes(visit: Open, renamed: StaticServer) -> None:
    made = visit("about:blank", reduced_motion="reduce")
    page: Page = made.page
    lesson, first, second = renamed.url + LESSON, *RENAMED.values()
    for written in (first, quote(first)):
        page.goto("about:blank")
        page.goto(f"{lesson}#{written}")
        check(page, first, "on load")

    page.goto(renamed.url + HOME)
    until(page.evaluate, IS_CONTROLLED)
    page.evaluate("document.stays = true")
    for link, anchor in (("0", first), ("1", second)):
        page.get_by_role("link", name=link, exact=True).click()
        check(page, anchor, "from another page")
        until(page.evaluate, "history.state?.y === scrollY")  # the theme notes it a moment later
        page.go_back()
        page.wait_for_url(f"**/{HOME}")
    page.go_forward()
    check(page, second, "forward again")
    page.go_back()
    page.wait_for_url(f"**/{HOME}")
    page.get_by_role("link", name="0", exact=True).click()
    check(page, first, "from another page")
    contents = page.locator(f'.md-sidebar--secondary a[href$="#{quote(second)}"]')
    expect(contents).to_be_visible()
    contents.click()
    check(page, second, "from the contents")
    page.go_back()
    check(page, first, "back within the page")
    page.go_forward()
    check(page, second, "forward within the page")
    assert page.evaluate("document.stays"), "a link reloaded the page: this proves less"

    renamed.stop()
    page.goto("about:blank")
    page.goto(f"{lesson}#{quote(first)}")
    check(page, first, "on load without a network")
    page.goto(renamed.url + HOME)
    page.get_by_role("link", name="1", exact=True).click()
    check(page, second, "from another page without a network")
    made.forgive()  # the browser reports each file that the dead server does not give


def test_a_step_within_the_page_brings_no_other_page(visit: Open, server: StaticServer) -> None:
    """The first step too, with a widget in a state of its own, and with the network gone."""
    page = open_quiet(visit, server.url + LESSON, service_workers="block", reduced_motion="reduce")
    widget = AnyWidget(page)
    page.locator("article").evaluate("article => { article.stays = true; }")
    widget.set("d", 8)
    page.wait_for_url("**/*attention.d=8*")
    shown = widget.seen()
    asked: list[str] = []
    page.on("request", lambda request: is_icon(request.url) or asked.append(request.url))
    page.context.set_offline(True)
    contents = '.md-sidebar--secondary a[href$="#{}"]'
    for anchor in ("heads", "causal-mask", "tiles"):
        page.locator(contents.format(anchor)).click()
        check(page, anchor, "from the contents")
        assert "attention.d=8" in page.url, "the address has lost the state of the widget"
    for anchor, step in (("causal-mask", page.go_back), ("tiles", page.go_forward)):
        step()
        check(page, anchor, step.__name__)
    assert page.locator("article").evaluate("article => article.stays"), "another page came"
    assert widget.seen() == shown, "the widget has forgotten its state"
    assert asked == [], "a step within the page asked the server"


def test_a_search_result_on_the_page_keeps_the_state_of_its_widgets(
    visit: Open, server: StaticServer
) -> None:
    page = open_quiet(visit, server.url + LESSON, reduced_motion="reduce")
    widget = AnyWidget(page)
    widget.set("d", 8)
    page.wait_for_url("**/*attention.d=8*")
    shown = widget.seen()
    page.locator(".md-search__input").fill("сложение масок")
    page.locator('.md-search-result__link[href*="#combine"]').first.click()
    page.wait_for_url("**/*h=*#combine")
    assert "attention.d=8" in page.url, "the address has lost the state of the widget"
    eventually(AnyWidget(page).seen, shown, "the widget has forgotten its state")
