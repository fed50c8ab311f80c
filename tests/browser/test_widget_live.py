"""What every widget promises once Python answers: one start for each of them."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import expect

from figures.widgets import frames
from figures.widgets.controls import Number, defaults
from tests.browser.any_widget import (
    SEEN,
    AnyWidget,
    difference,
    ends,
    every,
    listed,
    moves,
    prerequisites,
    should_be_clear,
    should_be_dimmed,
)
from tests.browser.pages import settled
from tests.conftest import until

TOLERANCE = 1e-12


@every
def test_each_control_at_its_ends_with_python(live: AnyWidget) -> None:
    for control in live.module.CONTROLS:
        for value in ends(control):
            state = live.apply({**prerequisites(control), control.name: value})
            live.should_show(state, f"live, {control.name} = {value!r}")
            if isinstance(control, Number) and value == control.low:
                _type_nonsense(live, control, state)
            live.reset()


def _type_nonsense(widget: AnyWidget, control: Number, state: dict[str, object]) -> None:
    """Wrong text says so and keeps the last good value."""
    field = widget.field(control.name)
    for text in ("", "-1", "1.5", "1e9", "--", str(control.high + 1)):
        field.fill("")
        widget.page.keyboard.insert_text(text)  # at once: its beginning may be a good number
        error = widget.root.locator(f".aw-control:has(#{widget.name}-{control.name}) .aw-error")
        expect(error).to_be_visible()
    # Timers fire in their order, Python answers in its own: an answer to one of them is there then.
    widget.page.evaluate(
        """() => new Promise((done) => setTimeout(done, 1000))
             .then(() => attn.runtime.inspect()).then(() => true)"""
    )
    widget.should_show(state, f"{control.name}: nonsense was taken for a number")


@every
def test_packed_live_and_cpython_agree_in_every_listed_state(live: AnyWidget, name: str) -> None:
    module = live.module
    start = defaults(module.CONTROLS)
    states = list(frames.states(module.CONTROLS, getattr(module, "LISTED", None)))
    answers = live.page.evaluate(
        """async ({name, states, defaults}) => {
            const root = document.querySelector(`section[data-widget="${name}"]`);
            const packed = await attn.widgets.packed.load(root);
            const answers = [];
            for (const state of states) {
              const {frame} = await attn.runtime.ask({widget: name, state});
              answers.push({frame, table: attn.widgets.packed.find(packed, state, defaults)});
            }
            return answers;
        }""",
        {"name": name, "states": states, "defaults": start},
    )
    for state, answer in zip(states, answers, strict=True):
        here = json.loads(json.dumps(module.frame(state)))
        there = answer["frame"]
        raw, raw_there = here.pop("raw", None), there.pop("raw", None)
        assert answer["table"] == there, f"packed and live texts differ in {state}"
        assert there == here, f"live and CPython texts differ in {state}"
        error = difference(raw, raw_there)
        assert error <= TOLERANCE, f"browser and CPython differ by {error} in {state}"


@every
def test_until_python_answers_the_old_state_is_dimmed(live: AnyWidget, name: str) -> None:
    """Of every control, whether the table has an answer or not."""
    live.page.evaluate(
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
        before = live.apply(prerequisites(control))
        release_until(live, before)
        state = live.apply({**prerequisites(control), control.name: value})
        should_be_dimmed(live, control.name)
        expect(live.root.locator("[data-status]")).to_have_text("Python считает…")
        release_until(live, state)
        should_be_clear(live)
        live.reset()
        release_until(live, defaults(live.module.CONTROLS))
        moved += 1
    assert moved == len(live.module.CONTROLS) > 1, f"only {moved} controls were moved"


def release_until(widget: AnyWidget, state: dict[str, Any]) -> None:
    """Lets Python answer, one question after another, until the figure is that of the state."""
    widget.page.evaluate("clearInterval(window.releasing)")
    widget.page.evaluate("() => { window.releasing = setInterval(window.release, 20); }")
    expect(widget.root).not_to_have_attribute("data-outdated", "")
    widget.should_show(state, "once Python has answered")
    widget.page.evaluate("clearInterval(window.releasing)")


@every
def test_late_answers_never_overwrite_newer_ones(live: AnyWidget) -> None:
    figure = live.root.locator("[data-figure]")
    start = defaults(live.module.CONTROLS)
    default = live.seen()
    figure.evaluate(
        f"""figure => {{
            const seen = {SEEN};
            new MutationObserver(() => window.shown.push(seen(figure)))
              .observe(figure, {{subtree: true, childList: true, characterData: true}});
            window.shown = [];
        }}"""
    )
    live.page.evaluate(
        """() => {
            const ask = attn.runtime.ask;
            window.answered = [];
            let asked = 0;
            attn.runtime.ask = async (question) => {
              const number = asked++;
              const answer = await ask(question);
              if (number === 0) await new Promise((resolve) => { window.release = resolve; });
              window.answered.push(number);
              return answer;
            };
        }"""
    )
    name, other = next(
        (control.name, value)
        for control in live.module.CONTROLS
        for value in ends(control)
        if control.name in listed(live.module)
        and _painted(live.module.frame({**start, control.name: value}))
        != _painted(live.module.frame(start))
    )
    live.apply({name: other})
    until(live.page.evaluate, "'release' in window")
    live.should_show({name: other}, "from the table, while Python's answer is held back")
    live.reset()
    live.page.evaluate("window.release()")
    until(live.page.evaluate, "window.answered.includes(0)")
    settled(live.page)
    live.should_show(start, "after the reset")
    shown = live.page.evaluate("window.shown")
    late = [seen for seen in shown[shown.index(default) :] if seen != default]
    assert not late, "an answer to an older question is shown"


def _painted(frame: dict[str, object]) -> dict[str, object]:
    return {key: part for key, part in frame.items() if key != "raw"}
