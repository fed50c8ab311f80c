"""W1 in its states: first paint, every control, packed = live = CPython, the address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from figures.widgets import attention
from tests.browser.pages import a_minute_passes, open_clocked, open_quiet
from tests.browser.widget_page import (
    BARE,
    LESSON,
    SAVE_DATA,
    Widget,
    default_state,
    shown_of,
)
from tests.conftest import eventually
from tests.static_server import StaticServer

Open = Callable[..., Any]

STATES = [
    {"scale": False},
    {"causal": False},
    {"scale": False, "causal": False},
    *({"d": d} for d in (1, 768)),
    *({"T": T} for T in (0.1, 10)),
    {"d": 768, "T": 0.1, "scale": False},
    {"d": 1, "T": 10, "causal": False},
]


def test_the_page_comes_with_the_finished_default_state(host: StaticServer, visit: Open) -> None:
    widget = Widget(open_clocked(visit, host.url + LESSON).page)
    assert list(widget.readouts().values()) == ["4.38", "1.209\xa0бит", "1", "2.47e-1"]
    assert widget.root.get_attribute("data-source") == "build", "who computed the first paint"
    expect(widget.root.locator("[data-status]")).to_have_text("рассчитано при сборке")
    shown = widget.shown()
    assert shown == shown_of(attention.frame(default_state())), "the first paint is not the frame"
    a_minute_passes(widget.page)
    assert widget.page.evaluate("attn.runtime.state") == "idle", "Python starts unasked"
    asked = [path for path in host.requests if "/assets/runtime/" in path]
    assert asked == [], "an untouched page loads parts of Python"


def test_without_javascript_everything_is_readable_and_nothing_is_dead(visit: Open) -> None:
    page = visit(LESSON, java_script_enabled=False).page
    root = page.locator('section[data-widget="attention"]')
    values = root.locator("[data-readout]").all_inner_texts()
    assert values == ["4.38", "1.209\xa0бит", "1", "2.47e-1"]
    assert "0.29" in root.locator('table[data-matrix="weights"]').inner_text()
    assert root.locator(".katex").count() > 0, "formulas of the widget are not typeset"
    assert root.locator("button:visible").count() == 0, "a button that does nothing is shown"
    assert root.locator("input:enabled, select:enabled").count() == 0, "a dead control is enabled"
    assert root.locator("noscript").count() == 1, "nobody says that the controls need JavaScript"


@pytest.fixture
def widget(host: StaticServer, visit: Open) -> Widget:
    """The widget of a reader for whom Python is not loaded unasked."""
    return Widget(open_quiet(visit, host.url + BARE))


def test_controls_answer_without_python(widget: Widget, host: StaticServer) -> None:
    for change in STATES:
        state = {**default_state(), **change}
        for name in ("scale", "causal", "d", "T"):
            widget.set(name, state[name])
        widget.wait_for("table")
        widget.should_show(attention.frame(state), f"the page does not show the frame of {change}")
        for name in ("d", "T"):
            heard = widget.input(name).get_attribute("aria-valuetext")
            assert heard == str(state[name]), f"{name}: a screen reader hears {heard}"
            output = widget.root.locator(f'output[for="attention-{name}"]')
            expect(output).to_have_text(str(state[name]))
    asked = [path for path in host.requests if "/assets/runtime/" in path]
    assert asked == [], "Save-Data, and yet a touch loads Python"


def test_back_to_the_default_state_is_the_first_paint(widget: Widget) -> None:
    first = widget.everything()
    widget.set("d", 8)
    widget.set("causal", False)
    widget.wait_for("table")
    assert widget.everything() != first, "the controls changed nothing"
    widget.root.get_by_role("button", name="Сбросить").click()
    eventually(widget.everything, first, "a painted frame differs from the HTML made by Python")
    assert widget.input("d").get_attribute("aria-valuetext") == "64"


NONSENSE = (
    "attention.d=65&attention.T=abc&attention.causal=2&attention.scale=",
    "attention.d=&attention.T=-1&attention.causal=true",
    "attention.d=64.0&attention.T=1e0&other=1",
    "attention.d=6&attention.d=64",
    f"attention.sentence={'я' * 500}",
    "attention.d=__proto__&attention.causal=constructor&attention.scale=toString",
)


def test_nonsense_in_the_address_is_the_default(visit: Open) -> None:
    page = visit("about:blank").page
    for query in NONSENSE:
        page.goto(f"{BARE}?{query}")
        widget = Widget(page)
        assert widget.controls() == {"scale": "true", "causal": "true", "d": "64", "T": "1"}, query
        assert list(widget.readouts().values()) == ["4.38", "1.209\xa0бит", "1", "2.47e-1"], query


def test_the_address_carries_the_state_and_keeps_the_rest(visit: Open) -> None:
    query = "?other=1&attention.d=8&attention.T=0.5&attention.causal=0#try-attention"
    page = visit(LESSON + query).page
    widget = Widget(page)
    widget.wait_for("table")
    state = {**default_state(), "d": 8, "T": 0.5, "causal": False}
    widget.should_show(attention.frame(state), "state of the address")
    page.evaluate(SAVE_DATA)
    length = page.evaluate("history.length")
    widget.set("d", 16)
    page.wait_for_url("**/*attention.d=16*")
    assert page.url.endswith("#try-attention"), "the anchor was lost"
    assert "other=1" in page.url, "a foreign key of the query was lost"
    assert page.evaluate("history.length") == length, "each change is a step of the history"
    widget.root.get_by_role("button", name="Сбросить").click()
    page.wait_for_url(lambda address: "attention." not in address)
    assert "?other=1" in page.url


def test_a_slider_moves_by_whole_places_and_says_its_value(widget: Widget) -> None:
    field = widget.input("T")
    field.focus()
    keyboard = widget.page.keyboard
    keyboard.press("Home")
    heard = []
    for _ in attention.TEMPERATURES:
        heard.append(field.get_attribute("aria-valuetext"))
        keyboard.press("ArrowRight")
    assert heard == ["0.1", "0.2", "0.3", "0.5", "0.7", "1", "1.5", "2", "3", "5", "10"]
    keyboard.press("End")
    assert field.get_attribute("aria-valuetext") == "10", "the largest value is out of reach"
    expect(field).to_be_focused()


def test_a_link_right_after_a_touch_keeps_the_state_for_the_way_back(
    visit: Open, server: StaticServer
) -> None:
    page = open_clocked(visit, server.url + LESSON).page
    Widget(page)
    page.evaluate(
        """() => {
          const slider = document.querySelector('[name="d"][id^="attention-"]');
          slider.value = 3;
          slider.dispatchEvent(new Event('input', { bubbles: true }));
          document.querySelector('.md-tabs a[href$="/lab/"]').click();
        }"""
    )
    expect(page.locator("textarea[name=code]")).to_have_count(1)
    a_minute_passes(page)  # a late write is there by now
    assert page.url.endswith("/lab/"), "the state of the lesson is in the address of another page"
    page.go_back()
    page.wait_for_url(f"**/{LESSON}?attention.d=8")
    state = {**default_state(), "d": 8}
    Widget(page).should_show(attention.frame(state), "the state was lost")
