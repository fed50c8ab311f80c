"""Theme, weight and life without JavaScript, on the whole lesson."""

from __future__ import annotations

import gzip
import re

import pytest
from playwright.sync_api import Page, expect

from figures.browsers.server import StaticServer
from figures.pipeline import widget_html
from figures.widgets.controls import defaults
from tests.browser.any_widget import AnyWidget
from tests.browser.pages import (
    EVERY_PAGE,
    LAB,
    LESSON,
    Open,
    a_minute_passes,
    nothing_waits,
    open_clocked,
    settled,
)
from tests.conftest import Visit, eventually

KILOBYTE = 1000
FIRST_VISIT, SECOND_VISIT, RELEASE_LOOK = 600 * KILOBYTE, 200 * KILOBYTE, 25 * KILOBYTE


def colours(page: Page) -> dict[str, str]:
    return page.evaluate(
        """() => ({
          page: getComputedStyle(document.body).backgroundColor,
          figure: getComputedStyle(document.querySelector('.fig-svg text')).fill,
          widget: getComputedStyle(document.querySelector('.attn-widget')).backgroundColor,
          cell: getComputedStyle(document.querySelector('td[data-k=allowed]')).backgroundColor,
        })"""
    )


def choose(page: Page, title: str, scheme: str) -> None:
    page.get_by_title(title).click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", scheme)


@pytest.mark.timeout(EVERY_PAGE)
def test_theme_follows_the_button_and_not_the_system(visit: Open, server: StaticServer) -> None:
    page = visit(server.url + LESSON, color_scheme="dark", reduced_motion="reduce").page
    dark = colours(page)
    widget = AnyWidget(page)
    widget.start()
    widget.set("d", 8)
    widget.should_show({"d": 8}, "the frame before the change")
    before = widget.readouts()
    choose(page, "Включить светлую тему", "default")
    light = colours(page)
    assert all(dark[part] != light[part] for part in dark), f"{dark} → {light}"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        settled(page)
    assert colours(page) == light, "the system overrules the reader's choice"
    assert widget.readouts() == before, "the theme changed the numbers"
    assert page.evaluate("attn.runtime.state") == "ready", "the theme cost the runtime"
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "default")
    assert colours(page) == light, "a reload forgets the choice"


def test_an_idle_page_loads_no_python(host: StaticServer, visit: Open) -> None:
    page = open_clocked(visit, host.url + LESSON, service_workers="block").page
    a_minute_passes(page)
    assert page.evaluate("attn.runtime.state") == "idle", "Python starts without being asked"
    python = [path for path in host.requests if "/assets/runtime/" in path]
    assert python == [], f"loaded without being asked: {python}"
    assert f"/{LESSON}" in host.requests, "the server was not asked for the lesson"


def test_first_visit_is_light(host: StaticServer, visit: Open) -> None:
    nothing_waits(visit(host.url + LESSON, service_workers="block").page)
    assert host.sent_bytes > FIRST_VISIT / 2, f"only {host.sent_bytes} bytes are counted"
    assert host.sent_bytes <= FIRST_VISIT, f"first visit takes {host.sent_bytes} bytes"


def test_second_visit_is_small(host: StaticServer, visit: Open) -> None:
    made = visit(host.url + LESSON)
    page = made.page
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.goto("about:blank")
    host.forget()
    again = made.context.new_page()
    again.goto(host.url + LESSON)
    nothing_waits(again)
    # The look for a new release is left out: that of the first visit may come late.
    size = host.sent_bytes - host.sent["/service-worker.js"]
    assert size <= SECOND_VISIT, f"second visit takes {size} bytes"
    look = len(gzip.compress((host.root / "service-worker.js").read_bytes(), 6))
    assert look <= RELEASE_LOOK, f"the look for a new release takes {look} bytes"


def test_without_javascript_nothing_is_missing_or_dead(visit: Open, server: StaticServer) -> None:
    page = visit(server.url + LESSON, java_script_enabled=False).page
    html = page.content()
    assert html.count('class="katex"') > 50, "formulas are not in the HTML"
    assert "arithmatex" not in html, "a formula waits for a script"
    dead = page.locator("article button:visible:enabled")
    assert dead.count() == 0, f"dead buttons: {dead.all_inner_texts()}"
    roots = page.locator("section[data-widget]")
    for index in range(roots.count()):
        root = roots.nth(index)
        module = widget_html.widgets()[str(root.get_attribute("data-widget"))]
        frame = module.frame(defaults(module.CONTROLS))
        for key, value in frame.get("readouts", {}).items():
            expect(root.locator(f'output[data-readout="{key}"]')).to_have_text(value)
        expect(root.locator("fieldset:enabled")).to_have_count(0)
        expect(root.locator("noscript")).not_to_be_empty()


FRAME = """address => new Promise((done) => {
  const frame = Object.assign(document.createElement('iframe'), { src: address, onload: done });
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.style.cssText = 'width: 1200px; height: 900px';
  document.body.replaceChildren(frame);
})"""


def test_in_a_sandboxed_frame_nothing_breaks_and_python_says_why(
    visit: Open, host: StaticServer
) -> None:
    """A page of the site inside another one that gives it no origin, so no storage and no fetch."""
    made = visit(host.url + "404.html", service_workers="block")
    page = made.page
    thrown: list[str] = []
    page.on("pageerror", lambda error: thrown.append(str(error)))
    for address in (LESSON, "offline/", LAB):
        page.evaluate(FRAME, host.url + address)
        frame = page.frames[-1]
        frame.wait_for_function("document.readyState === 'complete' && window.attn?.runtime")
        assert frame.evaluate("self.origin") == "null", "the frame is not sandboxed"
        if address == LESSON:
            widget = frame.locator("section[data-widget=attention]").first
            widget.locator("input[name=causal]").click()
            expect(widget).to_have_attribute("data-source", "table")
    run = frame.get_by_role("button", name="Запустить")
    run.click()
    told = re.compile(r"Python не\s+запустился: .*нет\s+связи или\s+доступ закрыт")
    expect(frame.locator(".lab-status")).to_have_text(told)
    assert not thrown, thrown
    made.forgive()  # fonts and parts that a frame without an origin may not fetch


def test_a_wrong_address_of_any_depth_leads_back(visit: Open, server: StaticServer) -> None:
    made = visit("about:blank")
    page = made.page
    for address in ("нет", "lesson/multihead-masks/нет/такой/страницы.html"):
        page.goto(server.url + address)
        expect(page.locator("h1")).to_have_text("Такой страницы нет")
        eventually(lambda: said_by(made), ["404"], f"{address} lacks a part, or its page")
        made.problems.clear()
        page.get_by_role("link", name="урок «Многоголовость и маски»").click()
        expect(page.locator("h1")).to_contain_text("Многоголовость и маски")


def said_by(made: Visit) -> list[str]:
    """The errors that the page has reported by now; those about the missing page by its number."""
    made.page.evaluate("1")  # what the browser has to say comes with its answers
    return ["404" if "404" in text else text for text in made.problems]
