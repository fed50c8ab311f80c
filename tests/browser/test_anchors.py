"""Links to headings whose ids are Russian words: on load, inside the site, back, offline."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from figures.pipeline import offline_worker, python_pack
from tests.browser.offline_steps import IS_CONTROLLED, LESSON
from tests.browser.pages import Open
from tests.conftest import until
from tests.static_server import StaticServer

# Headings far from the top of the lesson, under names that an author might give them.
RENAMED = {"kv-sharing": "общие-ключи", "other-masks": "ещё_маски-1"}
HOME = "figures/"
RESTORED = 30  # pixels: back and forward restore a place in the page, not a heading


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
    index = (target / "assets" / python_pack.INDEX).read_text("utf-8")
    with StaticServer(target) as running:
        sitemap = target / "sitemap.xml"  # in-site navigation takes only what is listed there
        sitemap.write_text(sitemap.read_text("utf-8").replace(server.url, running.url), "utf-8")
        offline_worker.write(target, json.loads(index[index.index("[") : index.rindex("]") + 1]))
        yield running


def check(page: Page, anchor: str, step: str, *, within: int = 1) -> None:
    """The heading is just below the header, and the address names it."""
    heading = page.locator(f'[id="{anchor}"]')
    header = page.locator(".md-header")
    for _ in range(200):
        box, edge = heading.bounding_box(), header.bounding_box()
        if box and edge and edge["height"] - within <= box["y"] <= edge["height"] + 150:
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
        page.go_back()
        page.wait_for_url(f"**/{HOME}")
    page.go_forward()
    check(page, second, "forward again", within=RESTORED)
    page.go_back()
    page.wait_for_url(f"**/{HOME}")
    page.get_by_role("link", name="0", exact=True).click()
    check(page, first, "from another page")
    contents = page.locator(f'.md-sidebar--secondary a[href$="#{quote(second)}"]')
    expect(contents).to_be_visible()
    contents.click()
    check(page, second, "from the contents")
    page.go_back()
    check(page, first, "back within the page", within=RESTORED)
    page.go_forward()
    check(page, second, "forward within the page", within=RESTORED)
    assert page.evaluate("document.stays"), "a link reloaded the page: this proves less"

    renamed.stop()
    page.goto("about:blank")
    page.goto(f"{lesson}#{quote(first)}")
    check(page, first, "on load without a network")
    page.goto(renamed.url + HOME)
    page.get_by_role("link", name="1", exact=True).click()
    check(page, second, "from another page without a network")
    made.problems.clear()  # the browser reports each file that the dead server does not give
