"""W1 in its states: the address and the way back, a slider under the keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from figures.browsers.server import StaticServer
from figures.widgets import attention
from tests.browser.any_widget import AnyWidget, open_careful
from tests.browser.pages import LESSON, SAVE_DATA, a_minute_passes, open_clocked

Open = Callable[..., Any]


def test_the_address_carries_the_state_and_keeps_the_rest(visit: Open) -> None:
    query = "?other=1&attention.d=8&attention.T=0.5&attention.causal=0#try-attention"
    page = visit(LESSON + query).page
    widget = AnyWidget(page)
    widget.wait_for("table")
    widget.should_show({"d": 8, "T": 0.5, "causal": False}, "state of the address")
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


def test_a_slider_moves_by_whole_places_and_says_its_value(
    visit: Open, server: StaticServer
) -> None:
    widget = open_careful(visit, server, "attention")
    field = widget.field("T")
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
    AnyWidget(page)
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
    AnyWidget(page).should_show({"d": 8}, "the state was lost")
