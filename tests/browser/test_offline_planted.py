"""What someone else has put into the caches of the site is never shown and never runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from figures.browsers.server import StaticServer
from tests.browser.offline_steps import (
    IS_CONTROLLED,
    LESSON,
    NEXT_RELEASE,
    SAVE,
    OpenPage,
    next_release,
    run_code,
    save,
)
from tests.conftest import until

PLANT = """async ({kind, part, body, type}) => {
  let count = 0;
  for (const name of (await caches.keys()).filter((name) => name.includes(` ${kind} `))) {
    const cache = await caches.open(name);
    for (const key of await cache.keys()) {
      if (!key.url.includes(part) || key.url.endsWith('~whole')) continue;
      const own = body ?? (await (await cache.match(key)).arrayBuffer());
      await cache.put(key, new Response(own, {headers: {'content-type': type}}));
      count += 1;
    }
  }
  return count;
}"""
CODE = "self.planted = true;"
SCRIPT = "text/javascript"
IS_WHOLE = """caches.keys().then((names) => names.find((name) => name.includes(' pages ')))
  .then((cacheName) => caches.match(new URL('~whole', attn.offlineSite.SCOPE), {cacheName}))
  .then(Boolean)"""
NO_SCRIPTS = "typeof attn === 'undefined'"


def plant(page: Page, kind: str, part: str, body: str | None, content_type: str) -> None:
    argument = {"kind": kind, "part": part, "body": body, "type": content_type}
    assert page.evaluate(PLANT, argument) > 0, f"{part} is not in the cache: nothing is tried"


def ran(page: Page) -> bool:
    return bool(page.evaluate("'planted' in self"))


@pytest.mark.timeout(900)
def test_planted_files_never_run_and_the_site_heals(
    site: Path, host: StaticServer, open_page: OpenPage
) -> None:
    """Every entry of both caches is overwritten by a script, then by a page with a script."""
    page = open_page(host.url + LESSON)
    save(page)
    for body, kind in ((CODE, SCRIPT), (f"<script>{CODE}</script>", "text/html")):
        plant(page, "pages", "", body, kind)
        plant(page, "runtime", "", body, kind)
        page.reload()
        assert not ran(page), "a planted file ran"
        assert run_code(page.evaluate, "2 * 3")["ok"], "planted parts of Python break it"
        assert not ran(page), "a planted file ran"
        until(page.evaluate, IS_WHOLE)
        page.locator(SAVE, has_text="Продолжить").wait_for()
        save(page)
    host.stop()
    page.reload()
    assert page.evaluate("Boolean(attn.offlineSite)"), "the healed site does not work offline"
    assert not ran(page), "a planted file ran without a network"
    assert run_code(page.evaluate, "2 * 3")["ok"], "the healed Python does not work offline"


@pytest.mark.parametrize(
    ("part", "body", "content_type"),
    [
        ("js/site.js", CODE, SCRIPT),
        ("javascripts/bundle.", CODE, SCRIPT),
        (LESSON, f"<h1>Урок</h1><script>{CODE}</script>", "text/html"),
    ],
    ids=["script", "theme", "page"],
)
def test_a_planted_file_is_missing_without_a_network(
    host: StaticServer, open_page: OpenPage, part: str, body: str, content_type: str
) -> None:
    page = open_page(host.url + LESSON)
    until(page.evaluate, IS_CONTROLLED)
    plant(page, "pages", part, body, content_type)
    host.stop()
    for _ in range(2):
        page.reload()
        assert not ran(page), "a planted file ran without a network"
    if part == LESSON:
        assert "нет среди сохранённых" in page.content(), "a missing page is not explained"
    page.goto(host.url + "figures/")
    assert page.locator("h1").count() == 1, "one wrong file has cost another page"
    assert not ran(page), "a planted file ran on another page"


def test_planted_headers_are_not_passed_on(host: StaticServer, open_page: OpenPage) -> None:
    """The same bytes in another character set are other text."""
    page = open_page(host.url + LESSON)
    until(page.evaluate, IS_CONTROLLED)
    plant(page, "pages", LESSON, None, "text/html; charset=utf-16")
    plant(page, "pages", "js/site.js", None, "text/html; charset=utf-16")
    host.stop()
    page.reload()
    assert page.locator("h1").inner_text().startswith("Многоголовость"), "the page is garbled"
    script = page.evaluate(
        "fetch(document.querySelector('script[src*=\"js/site.js\"]').src)"
        ".then((answer) => answer.headers.get('content-type'))"
    )
    assert script.startswith(SCRIPT), f"a script of the cache is served as {script}"


def test_a_new_release_takes_over_nothing_that_was_planted(
    site: Path, host: StaticServer, open_page: OpenPage, tmp_path: Path
) -> None:
    """It copies what has not changed; caches of other sites of the host are not its business."""
    page = open_page(host.url + LESSON)
    until(page.evaluate, IS_CONTROLLED)
    plant(page, "pages", "", CODE, SCRIPT)
    others = [f"attn {host.url}a/ pages x", "attn", f"attn {host.url[:-1]} pages x", "foreign"]
    left_over = f"attn {host.url} pages left-over"
    page.evaluate("(names) => Promise.all(names.map((n) => caches.open(n)))", [*others, left_over])
    host.root = next_release(site, tmp_path / "b")
    page.reload()
    until(page.evaluate, f"caches.keys().then((names) => !names.includes('{left_over}'))")
    kept = page.evaluate("caches.keys()")
    assert set(kept) == {*others, f"attn {host.url} pages {NEXT_RELEASE}"}, kept
    host.stop()
    page.reload()
    assert page.evaluate("attn.publishedAs") == "B", "the new release does not work offline"
    assert not ran(page), "a new release has taken over a planted file"
