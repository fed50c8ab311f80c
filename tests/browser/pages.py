"""Every page of the built site, opened by a reader who lets nothing of Python load unasked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.browser.widget_page import LESSON, SAVE_DATA

Open = Callable[..., Any]

LAB = "lab/"
EVERY_PAGE = 1800  # seconds for a walk over the whole site on a busy machine


def paths(site: Path) -> list[str]:
    """Addresses of all pages, the lesson and the laboratory first."""
    files = (path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html")))
    found = [path.removesuffix("index.html") for path in files]
    assert {LESSON, LAB, "", "404.html"} <= set(found), f"the site lacks pages: {found}"
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
