"""The runtime on a bare page, the installed site: a server with faults per test, pages that end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from figures.browsers.server import StaticServer
from figures.runtime.bare_page import lay_out
from tests.browser.any_widget import AnyWidget, open_careful
from tests.browser.lab_page import note, ready, type_code
from tests.browser.offline_steps import OpenPage
from tests.browser.pages import Open


@pytest.fixture(scope="module")
def kept(stay: Open, server: StaticServer, name: str) -> AnyWidget:
    """The bare page of a widget and a careful reader, one for the tests of a module."""
    return open_careful(stay, server, name)


@pytest.fixture
def widget(kept: AnyWidget) -> AnyWidget:
    """The widget in its first state; it knows its packed frames and nothing of Python."""
    kept.reset()
    return kept


@pytest.fixture(scope="module")
def kept_live(stay: Open, server: StaticServer, name: str) -> AnyWidget:
    made = open_careful(stay, server, name)
    made.start()
    return made


@pytest.fixture
def live(kept_live: AnyWidget) -> AnyWidget:
    """The widget in its first state with a running Python; what a test has replaced is back."""
    kept_live.page.evaluate(
        """() => {
            const { runtime, widgets: { packed } } = attn;
            window.asMade ??= [runtime.ask, packed.load];
            [runtime.ask, packed.load] = asMade;
        }"""
    )
    kept_live.reset()
    kept_live.should_show({}, "after «Сбросить»")
    return kept_live


@pytest.fixture(scope="module")
def kept_lab(stay: Open) -> Page:
    allowed = ["clipboard-write", "clipboard-read"]
    return ready(stay("lab/", permissions=allowed, service_workers="block").page)


@pytest.fixture
def lab(kept_lab: Page) -> Page:
    """The laboratory with an empty editor and no note, one page for the tests of a module."""
    type_code(kept_lab, "")
    note(kept_lab).evaluate("note => { note.textContent = ''; }")
    return kept_lab


@pytest.fixture(scope="session")
def bare_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the page and all parts; tests that change files take a copy."""
    return lay_out(tmp_path_factory.mktemp("bare") / "site")


@pytest.fixture
def bare_server(bare_site: Path) -> Iterator[StaticServer]:
    """A server of its own for each test, since tests put faults into it."""
    with StaticServer(bare_site) as running:
        yield running


@pytest.fixture
def open_bare(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a page in a fresh profile: `open_bare(url, script_before_everything)`."""
    contexts = []

    def opened(url: str, before: str = "") -> Page:
        context = browser.new_context()
        context.set_default_timeout(120_000)
        contexts.append(context)
        page = context.new_page()
        if before:
            page.add_init_script(before)
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def host(site: Path) -> Iterator[StaticServer]:
    """A host of this test alone: nobody else's service worker, and the test may stop it."""
    with StaticServer(site) as running:
        yield running


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    context = browser.new_context(locale="ru-RU")
    context.set_default_timeout(120_000)

    def open_(url: str) -> Page:
        page = context.pages[0] if context.pages else context.new_page()
        page.goto(url)
        return page

    yield open_
    context.close()
