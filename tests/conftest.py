"""Shared fixtures: the site, built once per run, a server of each worker, a real Chromium."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pytest
from filelock import FileLock
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)

from figures.browsers.find import CHROMIUM, FIREFOX, described, require
from figures.browsers.server import StaticServer
from figures.pipeline import offline_worker
from figures.runtime import python_pack

ROOT = Path(__file__).resolve().parent.parent

expect.set_options(timeout=60_000)  # a busy machine is slow, not wrong

T = TypeVar("T")
Evaluate = Callable[[str], Any]

NOWHERE = "http://127.0.0.1:9/"  # the site is built for this address, and served at others
LOCAL = ("http://127.0.0.1:", "blob:", "data:", "file:", "about:")

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_report_header() -> list[str]:
    return [f"browser: {described(browser)}" for browser in (CHROMIUM, FIREFOX)]


def build_site(target: Path, url: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a strict build of the working tree into `target` as the site of `url`."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(target)],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "NO_MKDOCS_2_WARNING": "1",
            "SITE_URL": url,
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="session")
def one_build_at_a_time() -> FileLock:
    """Workers of a parallel run share .cache: who comes second finds the figures there."""
    (ROOT / ".cache").mkdir(exist_ok=True)
    return FileLock(ROOT / ".cache" / "tests.lock")


@pytest.fixture(scope="session")
def built(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str, one_build_at_a_time: FileLock
) -> Path:
    """The site as the build leaves it; of several workers the first one builds it for all."""
    own = tmp_path_factory.getbasetemp()
    target = (own if worker_id == "master" else own.parent) / "built"
    with one_build_at_a_time:
        if not target.is_dir():
            build = build_site(target.with_name("building"), NOWHERE)
            assert build.returncode == 0, f"mkdocs build failed:\n{build.stdout}\n{build.stderr}"
            target.with_name("building").rename(target)
    return target


@pytest.fixture(scope="session")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticServer]:
    """The site, served by each worker for itself, with its own address where a page names it."""
    target = tmp_path_factory.mktemp("served") / "site"
    with StaticServer(target) as running:
        shutil.copytree(built, target)
        for file in (*target.rglob("*.html"), target / "sitemap.xml"):
            text = file.read_text(encoding="utf-8")
            file.write_text(text.replace(NOWHERE, running.url), encoding="utf-8")
        offline_worker.write(target, python_pack.index())  # its hashes are of pages too
        yield running


@pytest.fixture(scope="session")
def site(server: StaticServer) -> Path:
    """Folder of the built site."""
    return server.root


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One headless Chromium for the run."""
    executable = require(CHROMIUM)  # may ask Playwright itself, so not inside of it
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@dataclass
class Visit:
    """A page in its own context that remembers what went wrong in it."""

    page: Page
    context: BrowserContext
    foreign: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Note requests to other hosts, console errors, page errors and policy violations."""
        self.context.on("request", self._note_foreign)
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))

    def forgive(self) -> None:
        """The test has provoked the errors: neither those so far count nor those on their way."""
        self.page.close()
        self.problems.clear()

    def _note_foreign(self, request: Request) -> None:
        if not request.url.startswith(LOCAL):
            self.foreign.append(request.url)

    def _note(self, message: ConsoleMessage) -> None:
        lost = "ERR_INTERNET_DISCONNECTED" in message.text and is_icon(message.location["url"])
        if message.type == "error" and not lost:
            self.problems.append(message.text)


def is_icon(url: str) -> bool:
    """Chromium and Chrome, not the headless shell, ask for the icon of a tab again at each step."""
    return urlsplit(url).path.endswith("/assets/images/icon.svg")


def until(evaluate: Evaluate, expression: str, *, seconds: float = 120) -> Any:
    """Value of an expression once it is truthy. The content policy forbids wait_for_function."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := evaluate(expression):
            return value
        time.sleep(0.1)
    raise AssertionError(f"still falsy after {seconds} s: {expression}")


def eventually(read: Callable[[], T], wanted: T, message: str, *, seconds: float = 60) -> None:
    """Wait until the page shows what is wanted; the difference if it never does."""
    end = time.monotonic() + seconds
    while (shown := read()) != wanted and time.monotonic() < end:
        time.sleep(0.05)
    assert shown == wanted, message


@contextmanager
def visits(browser: Browser, url: str) -> Iterator[Callable[..., Visit]]:
    made: list[Visit] = []

    def open_page(path: str = "", **options: Any) -> Visit:
        context = browser.new_context(base_url=url, locale="ru-RU", **options)
        context.set_default_timeout(60_000)
        made.append(Visit(context.new_page(), context))
        made[-1].watch()
        made[-1].page.goto(path or url)
        return made[-1]

    yield open_page
    for one in made:
        one.context.close()
    assert not [url for one in made for url in one.foreign], "a page asked another host"
    assert not [text for one in made for text in one.problems], "a page reported an error"


@pytest.fixture
def visit(browser: Browser, server: StaticServer) -> Iterator[Callable[..., Visit]]:
    """Open pages of the site: `visit("lesson/…", **context options)`.

    Ends with a check that no page asked another host and that no page reported an error;
    a test that provokes errors forgives them at its end.
    """
    with visits(browser, server.url) as open_page:
        yield open_page


@pytest.fixture(scope="module")
def stay(browser: Browser, server: StaticServer) -> Iterator[Callable[..., Visit]]:
    """The same for pages that the tests of a module share: each leaves them as it found them."""
    with visits(browser, server.url) as open_page:
        yield open_page
