"""Two releases of the installed site: one replaces the other as a whole, and they never mix."""

from __future__ import annotations

from pathlib import Path

import pytest

from figures.browsers.server import StaticServer, status
from figures.pipeline import offline_release
from figures.runtime.bare_page import SCRIPT
from tests.browser.offline_steps import (
    IS_CONTROLLED,
    LESSON,
    NEXT_RELEASE,
    SAVED,
    OpenPage,
    asked_for_runtime,
    next_release,
    run_code,
    save,
)
from tests.conftest import until

PUBLISHED = "(attn.publishedAs ?? 'A')"
RELEASE = "document.querySelector('meta[name=attn-release]').content"


@pytest.mark.timeout(900)  # two installations and two saved Pythons
def test_new_release_replaces_the_old_as_a_whole(
    site: Path, host: StaticServer, open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_page(host.url + LESSON)
    save(page)
    old = page.evaluate(RELEASE)
    host.root = next_release(site, tmp_path / "b")

    host.faults[r"/assets/runtime/site\."] = status(404)
    page.reload()
    assert page.evaluate(PUBLISHED) == "B", "a page of B runs scripts of A"
    until(page.evaluate, f"caches.keys().then((k) => k.join().includes('{NEXT_RELEASE}'))")
    until(
        page.evaluate,
        "navigator.serviceWorker.getRegistration().then((r) => !r.installing && !r.waiting)",
    )
    host.faults[".*"] = status(503)
    page.reload()
    assert page.evaluate(RELEASE) == old, "a half-published B took the place of A"
    assert page.evaluate(PUBLISHED) == "A", "a page of A runs scripts of B"
    assert run_code(page.evaluate, "1 + 1")["ok"], "A lost its Python to a half-published B"

    host.faults.clear()
    host.forget()
    page.reload()
    until(page.evaluate, f"caches.keys().then((k) => k.every((n) => n.endsWith('{NEXT_RELEASE}')))")
    packs = {path for path in asked_for_runtime(host) if path.endswith(".bin")}
    assert len(packs) == 1, f"B fetched parts that it shares with A: {packs}"
    host.stop()
    for path in (LESSON, "lab/"):
        page.goto(host.url + path)
        assert page.evaluate(RELEASE) == NEXT_RELEASE, f"{path} is not of B without a network"
        assert page.evaluate(PUBLISHED) == "B", f"{path} runs scripts of A"
    page.locator(SAVED).wait_for()
    assert run_code(page.evaluate, "1 + 1")["ok"], "B has no Python without a network"


def test_in_site_navigation_never_mixes_releases(
    server: StaticServer, open_page: OpenPage, tmp_path: Path
) -> None:
    """A page of A is open when B is published; the next page is B's, and so are its scripts."""
    page = open_page(server.url + LESSON)
    until(page.evaluate, IS_CONTROLLED)
    page.evaluate("void (self.sameDocument = true)")
    page.locator(".md-tabs a", has_text="Лаборатория").click()
    page.wait_for_url("**/lab/")
    assert page.evaluate("self.sameDocument"), "in-site navigation is off: this test proves nothing"
    published = server.root
    server.root = next_release(published, tmp_path / "b")
    try:
        page.locator(".md-tabs a", has_text="Урок").click()
        page.wait_for_url(f"**/{LESSON}")
        script = offline_release.short_hash(server.root / SCRIPT)
        page.locator(f'script[src$="site.js?{script}"]').wait_for(state="attached")
        page.wait_for_load_state()
        assert page.evaluate(RELEASE) == NEXT_RELEASE, "the page is not of B"
        assert page.evaluate(PUBLISHED) == "B", "a page of B runs scripts of A"
    finally:
        server.root = published
