"""An answer on its way: what does not belong to the controls is dimmed, and says so."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from figures.widgets.controls import Control, defaults
from tests.browser.any_widget import (
    MODULES,
    AnyWidget,
    Open,
    ends,
    listed,
    open_careful,
    prerequisites,
)
from tests.browser.widget_page import SAVE_DATA
from tests.static_server import StaticServer

every = pytest.mark.parametrize("name", MODULES)


class Gate:
    """Requests for files that match wait until they are let through."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.waiting: list[Route] = []
        page.route(pattern, lambda route: self.waiting.append(route))

    def open(self) -> None:
        for route in self.waiting:
            route.continue_()


def open_gated(visit: Open, server: StaticServer, name: str, query: str = "") -> tuple[Any, Gate]:
    made = visit("about:blank")
    made.context.add_init_script(SAVE_DATA)
    gate = Gate(made.page, f"**/assets/frames/{name}.*.js")
    made.page.goto(f"{server.url}w/{name}/{query}", wait_until="commit")
    return AnyWidget(made.page, name), gate


def moves(name: str) -> list[tuple[Control, Any]]:
    """Every control, and a value of it that is not its default."""
    return [
        (control, next(value for value in ends(control) if value != control.default))
        for control in MODULES[name].CONTROLS
    ]


def should_be_dimmed(widget: AnyWidget, because: str) -> None:
    """At the touch itself, not when somebody notices; then for the eye and in words."""
    assert widget.root.get_attribute("data-outdated") is not None, f"{because}: not dimmed at once"
    expect(widget.root.locator("[data-figure]")).to_have_css("opacity", "0.4")


def should_be_clear(widget: AnyWidget) -> None:
    expect(widget.root).not_to_have_attribute("data-outdated", "")
    expect(widget.root.locator("[data-figure]")).to_have_css("opacity", "1")


@every
def test_until_the_frames_come_the_old_state_is_dimmed(
    visit: Open, server: StaticServer, name: str
) -> None:
    widget, gate = open_gated(visit, server, name)
    should_be_clear(widget)
    line = widget.root.locator("[data-status]")
    first = widget.seen()
    for control, value in moves(name):
        if control.name not in listed(widget.module) or control.needs:
            continue
        widget.set(control, value)
        should_be_dimmed(widget, control.name)
        expect(line).to_have_text("ответ ещё не пришёл, показано прежнее")
        assert widget.seen() == first, "something else than the old state is shown"
        widget.reset()
        should_be_clear(widget)
        expect(line).not_to_have_text("ответ ещё не пришёл, показано прежнее")
    control, value = next(
        (control, value) for control, value in moves(name) if control.name in listed(widget.module)
    )
    state = widget.apply({**prerequisites(control), control.name: value})
    should_be_dimmed(widget, "the last touch")
    assert gate.waiting, "nobody has asked for the frames"
    gate.open()
    widget.should_show(state, "once the frames are there")
    should_be_clear(widget)
    expect(line).to_contain_text("рассчитано при сборке")


@every
def test_a_state_of_the_address_dims_the_page_that_came_with_another(
    visit: Open, server: StaticServer, name: str
) -> None:
    control, value = next(
        (control, value)
        for control, value in moves(name)
        if control.name in listed(MODULES[name]) and not control.needs
    )
    text = str(int(value)) if isinstance(value, bool) else str(value)
    widget, gate = open_gated(visit, server, name, f"?{name}.{control.name}={text}")
    expect(widget.root).to_have_attribute("data-outdated", "")
    expect(widget.root.locator("[data-figure]")).to_have_css("opacity", "0.4")
    gate.open()
    state = {**defaults(widget.module.CONTROLS), control.name: value}
    widget.should_show(state, "the state of the address")
    should_be_clear(widget)


@every
def test_until_python_answers_the_old_state_is_dimmed(
    visit: Open, server: StaticServer, name: str
) -> None:
    """Of every control, whether the table has an answer or not."""
    widget = open_careful(visit, server, name)
    widget.start()
    widget.page.evaluate(
        """() => {
            attn.widgets.packed.load = () => new Promise(() => {});
            const ask = attn.runtime.ask;
            const held = [];
            attn.runtime.ask = async (question) => {
              await new Promise((resolve) => held.push(resolve));
              return ask(question);
            };
            window.release = () => held.splice(0).forEach((go) => go());
        }"""
    )
    moved = 0
    for control, value in moves(name):
        before = widget.apply(prerequisites(control))
        release_until(widget, before)
        state = widget.apply({**prerequisites(control), control.name: value})
        should_be_dimmed(widget, control.name)
        expect(widget.root.locator("[data-status]")).to_have_text("Python считает…")
        release_until(widget, state)
        should_be_clear(widget)
        widget.reset()
        release_until(widget, defaults(widget.module.CONTROLS))
        moved += 1
    assert moved == len(widget.module.CONTROLS) > 1, f"only {moved} controls were moved"


def release_until(widget: AnyWidget, state: dict[str, Any]) -> None:
    """Lets Python answer, one question after another, until the figure is that of the state."""
    widget.page.evaluate("clearInterval(window.releasing)")
    widget.page.evaluate("() => { window.releasing = setInterval(window.release, 20); }")
    expect(widget.root).not_to_have_attribute("data-outdated", "")
    widget.should_show(state, "once Python has answered")
    widget.page.evaluate("clearInterval(window.releasing)")
