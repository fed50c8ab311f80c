"""Every page of the built site, opened by a reader who lets nothing of Python load unasked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.site.conftest import expected_pages

Open = Callable[..., Any]

LESSON = "lesson/multihead-masks/"
LAB = "lab/"
# A reader who pays for each byte: nothing of Python is loaded unasked.
SAVE_DATA = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}});"
EVERY_PAGE = 1800  # seconds for a walk over the whole site on a busy machine


def paths(site: Path) -> list[str]:
    """Addresses of all pages, the lesson and the laboratory first."""
    files = [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html"))]
    assert set(files) == expected_pages(), f"pages: {sorted(set(files) ^ expected_pages())}"
    found = [path.removesuffix("index.html") for path in files]
    return sorted(found, key=lambda path: path not in (LESSON, LAB))


def open_quiet(visit: Open, url: str, **options: Any) -> Page:
    made = visit("about:blank", **options)
    made.context.add_init_script(SAVE_DATA)
    made.page.goto(url)
    return made.page


def settled(page: Page) -> None:
    """Waits for fonts, scripts and the first layout of what watches its own size."""
    page.evaluate(
        """() => document.fonts.ready.then(() =>
            new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))"""
    )


def open_clocked(visit: Open, url: str, **options: Any) -> Any:
    """A visit whose page has a clock for `a_minute_passes`."""
    made = visit("about:blank", **options)
    made.page.clock.install()
    made.page.goto(url)
    return made


def a_minute_passes(page: Page) -> None:
    """Whatever the page does by itself within a minute is begun, and the server knows of it.

    Under such a clock Chromium asks for each style sheet twice: bytes are not to be counted here.
    """
    page.clock.run_for(60_000)
    nothing_waits(page)


def nothing_waits(page: Page) -> None:
    """The page has time, and requests that wait in line have been sent: the last one has come."""
    page.evaluate(
        """() => new Promise((done) => requestIdleCallback(done))
             .then(() => document.querySelector('link[rel=icon]').href)
             .then((icon) => fetch(icon, { cache: 'no-store' }))
             .then((answer) => answer.arrayBuffer()).then(() => true)"""
    )


def stop_the_clock(page: Page) -> None:
    """Timers of the page run by `page.clock.run_for` only: a pause of the machine is none of it."""
    page.clock.install(time=0)
    page.clock.pause_at(3600)  # seconds: later than the slowest machine is by now


def note_announcements(page: Page) -> None:
    """What a screen reader is told from now on is in `announced`."""
    page.evaluate(
        """() => {
          window.announced = [];
          const region = document.querySelector('[data-announce]');
          new MutationObserver(() => announced.push(region.textContent))
            .observe(region, {childList: true, characterData: true, subtree: true});
        }"""
    )
