"""What every widget promises before any Python is there: each test runs for all of them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import expect

from figures.widgets import frames
from figures.widgets.controls import defaults
from tests.browser.any_widget import (
    MODULES,
    SEEN,
    AnyWidget,
    Open,
    built,
    ends,
    every,
    listed,
    prerequisites,
)

WALK = 100  # states in one conversation with the browser

# Puts a state into the controls and tells the widget once.
MOVE = """(root, state) => {
  const inputs = [...root.querySelectorAll('[data-control][name]')];
  for (const input of inputs) {
    const value = state[input.name];
    const kind = input.dataset.control;
    if (kind === 'checkbox') input.checked = value;
    else if (kind === 'slider') input.value = JSON.parse(input.dataset.values).indexOf(value);
    else input.value = value;
  }
  inputs.find(input => input.type !== 'text').dispatchEvent(new Event('input', {bubbles: true}));
}"""


@every
def test_the_first_paint_is_the_frame_of_the_defaults(kept: AnyWidget) -> None:
    if kept.root.get_attribute("data-source") != "build":  # another test was here
        kept.page.reload()
    kept.should_show({}, "first paint")
    assert kept.root.get_attribute("data-source") == "build", "the page painted it again"
    expect(kept.root.locator("[data-status]")).to_have_text("рассчитано при сборке")


@every
def test_without_javascript_the_figure_is_there_and_nothing_is_dead(visit: Open, name: str) -> None:
    page = visit(f"w/{name}/", java_script_enabled=False).page
    root = page.locator(f'section[data-widget="{name}"]')
    module = MODULES[name]
    made = BeautifulSoup(built(module, defaults(module.CONTROLS)), "lxml")
    for output in made.select("[data-readout]"):
        shown = root.locator(f'[data-readout="{output["data-readout"]}"]').text_content()
        assert shown == output.get_text(), f"readout {output['data-readout']}"
    assert root.locator("button:visible").count() == 0, "a button that does nothing is shown"
    live = "[data-control]:enabled, [data-block]:enabled, input:visible:enabled"
    assert root.locator(live).count() == 0, "a dead control is enabled"


@every
def test_each_control_at_its_ends_without_python(widget: AnyWidget) -> None:
    module = widget.module
    packed = listed(module)
    asked: list[str] = []
    widget.page.on("request", lambda request: asked.append(request.url))
    for control in module.CONTROLS:
        for value in ends(control):
            state = widget.apply({**prerequisites(control), control.name: value})
            moved = {c.name for c in module.CONTROLS if state[c.name] != c.default}
            if moved <= packed:
                widget.should_show(state, f"{control.name} = {value!r}")
                widget.should_say(state)
            else:
                line = widget.root.locator("[data-status]")
                expect(line).to_contain_text("только Python в браузере")
                expect(widget.root).to_have_attribute("data-outdated", "")
            widget.reset()
            widget.should_show({}, "after «Сбросить»")
            widget.should_say(widget.state())
    python = [url for url in asked if "/assets/runtime/" in url]
    assert python == [], "Save-Data, and yet a touch loads Python"


def with_every_pair(states: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Some of the states, in which any two values of two controls meet as they do in all."""
    met: set[Any] = set()
    kept = []
    for state in states:
        pairs = set(combinations(state.items(), 2))
        if not pairs <= met:
            kept.append(state)
            met |= pairs
    return kept


@every
def test_the_table_paints_what_a_build_would_write(widget: AnyWidget, name: str) -> None:
    """To the space; test_widget_live has live frames equal to those of the table, in all states."""
    module = widget.module
    states = with_every_pair(frames.states(module.CONTROLS, getattr(module, "LISTED", None)))
    assert len(states) > 10, f"{len(states)} states are no walk"
    seen = 0
    for start in range(0, len(states), WALK):
        part = states[start : start + WALK]
        shown, wanted = widget.page.evaluate(
            f"""async ([name, states, htmls]) => {{
                const seen = {SEEN};
                const root = document.querySelector(`section[data-widget="${{name}}"]`);
                const figure = root.querySelector('[data-figure]');
                const shown = [];
                let broken = '';
                addEventListener('unhandledrejection', ({{reason}}) => broken = reason.stack);
                for (const state of states) {{
                  ({MOVE})(root, state);
                  do await new Promise((resolve) => setTimeout(resolve));
                  while (!broken && root.matches('[data-outdated], [data-source="build"]'));
                  if (broken) throw new Error(`${{JSON.stringify(state)}}: ${{broken}}`);
                  shown.push(seen(figure));
                }}
                return [shown, htmls.map(html => seen(null, html))];
            }}""",
            [name, part, [built(module, state) for state in part]],
        )
        for state, one, other in zip(part, shown, wanted, strict=True):
            assert one == other, f"{name}: table and build differ in {state}"
            seen += len(one)
    assert widget.root.get_attribute("data-source") == "table", "somebody else has answered"
    assert seen > 20 * len(states), f"only {seen} texts and marks in {len(states)} states"


@every
def test_the_keyboard_reaches_every_control_and_gets_out(widget: AnyWidget, name: str) -> None:
    widget.root.evaluate("root => root.focus()")
    reached: set[str] = set()
    for _ in range(120):
        widget.page.keyboard.press("Tab")
        where = widget.page.evaluate(
            """name => {
                const focus = document.activeElement;
                const root = document.querySelector(`section[data-widget="${name}"]`);
                if (!root.contains(focus)) return null;
                const ring = getComputedStyle(focus).outlineStyle;
                const table = focus.closest('table[data-matrix]')?.dataset.matrix;
                const control = focus.closest('[data-control]')?.id;
                return {place: control ?? (table && `table ${table}`) ?? focus.localName, ring};
            }""",
            name,
        )
        if where is None:
            break
        assert where["ring"] != "none", f"nothing shows that {where['place']} has the focus"
        reached.add(where["place"])
    else:
        pytest.fail("the focus never leaves the widget")
    wanted = widget.root.evaluate(
        """root => [
            ...[...root.querySelectorAll('[data-control]')]
              .filter(c => !c.matches(':disabled') && !c.querySelector(':disabled')).map(c => c.id),
            ...[...root.querySelectorAll('table[data-matrix]')]
              .filter(t => t.checkVisibility()).map(t => `table ${t.dataset.matrix}`),
        ]"""
    )
    assert set(wanted) <= reached, f"out of reach: {set(wanted) - reached}"
