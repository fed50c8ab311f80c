"""An answer on its way: what does not belong to the controls is dimmed, and says so."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, Route, expect

from figures.browsers.server import StaticServer
from figures.widgets.controls import defaults
from tests.browser.any_widget import (
    MODULES,
    AnyWidget,
    Open,
    every,
    listed,
    moves,
    prerequisites,
    should_be_clear,
    should_be_dimmed,
)
from tests.browser.pages import SAVE_DATA


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
        widget.set(control.name, value)
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
