"""What every widget promises: each test runs for all of them."""

from __future__ import annotations

import json

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import expect

from figures.widgets import frames
from figures.widgets.controls import Number, Text, defaults
from tests.browser.any_widget import (
    MODULES,
    SEEN,
    AnyWidget,
    Open,
    built,
    difference,
    ends,
    listed,
    open_careful,
    prerequisites,
)
from tests.browser.pages import settled
from tests.conftest import until
from tests.static_server import StaticServer

every = pytest.mark.parametrize("name", MODULES)
TOLERANCE = 1e-12
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
def test_the_first_paint_is_the_frame_of_the_defaults(
    visit: Open, server: StaticServer, name: str
) -> None:
    widget = open_careful(visit, server, name)
    widget.should_show(defaults(widget.module.CONTROLS), "first paint")
    assert widget.root.get_attribute("data-source") == "build", "the page painted it again"
    expect(widget.root.locator("[data-status]")).to_have_text("рассчитано при сборке")


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
def test_each_control_at_its_ends_without_python(
    host: StaticServer, visit: Open, name: str
) -> None:
    widget = open_careful(visit, host, name)
    module = widget.module
    packed = listed(module)
    for control in module.CONTROLS:
        for value in ends(control):
            state = widget.apply({**prerequisites(control), control.name: value})
            moved = {c.name for c in module.CONTROLS if state[c.name] != c.default}
            if moved <= packed:
                widget.should_show(state, f"{control.name} = {value!r}")
            else:
                line = widget.root.locator("[data-status]")
                expect(line).to_contain_text("только Python в браузере")
                expect(widget.root).to_have_attribute("data-outdated", "")
            widget.reset()
            widget.should_show(defaults(module.CONTROLS), "after «Сбросить»")
    asked = [path for path in host.requests if "/assets/runtime/" in path]
    assert asked == [], "Save-Data, and yet a touch loads Python"


@every
def test_each_control_at_its_ends_with_python(visit: Open, server: StaticServer, name: str) -> None:
    widget = open_careful(visit, server, name)
    widget.start()
    for control in widget.module.CONTROLS:
        for value in ends(control):
            state = widget.apply({**prerequisites(control), control.name: value})
            widget.should_show(state, f"live, {control.name} = {value!r}")
            if isinstance(control, Number) and value == control.low:
                _type_nonsense(widget, control, state)
            widget.reset()


def _type_nonsense(widget: AnyWidget, control: Number, state: dict[str, object]) -> None:
    """Wrong text says so and keeps the last good value."""
    field = widget.field(control)
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
def test_nonsense_in_the_address_is_the_default(
    visit: Open, server: StaticServer, name: str
) -> None:
    controls = MODULES[name].CONTROLS
    widget = open_careful(visit, server, name)
    for text in ("", "-1", "1e99", "__proto__", "<b>", "я" * 200):
        query = "&".join(f"{name}.{c.name}={text}" for c in controls if not isinstance(c, Text))
        widget.page.goto(f"{server.url}w/{name}/?{query}")
        widget = AnyWidget(widget.page, name)
        widget.should_show(defaults(controls), f"address with «{text[:9]}»")
        assert widget.root.get_attribute("data-outdated") is None, f"«{text[:9]}» became a state"


@every
def test_packed_live_and_cpython_agree_in_every_listed_state(visit: Open, name: str) -> None:
    module = MODULES[name]
    page = visit(f"w/{name}/").page
    AnyWidget(page, name)
    start = defaults(module.CONTROLS)
    states = list(frames.states(module.CONTROLS, getattr(module, "LISTED", None)))
    answers = page.evaluate(
        """async ({name, states, defaults}) => {
            await attn.runtime.start();
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
def test_the_table_paints_what_a_build_would_write_in_every_listed_state(
    visit: Open, server: StaticServer, name: str
) -> None:
    """To the space; the test above has the live frames equal to those of the table."""
    widget = open_careful(visit, server, name)
    module = widget.module
    states = list(frames.states(module.CONTROLS, getattr(module, "LISTED", None)))
    assert len(states) > 1, "one state is no walk"
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
def test_the_keyboard_reaches_every_control_and_gets_out(
    visit: Open, server: StaticServer, name: str
) -> None:
    widget = open_careful(visit, server, name)
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


@every
def test_late_answers_never_overwrite_newer_ones(
    visit: Open, server: StaticServer, name: str
) -> None:
    widget = open_careful(visit, server, name)
    widget.start()
    figure = widget.root.locator("[data-figure]")
    default = widget.seen()
    figure.evaluate(
        f"""figure => {{
            const seen = {SEEN};
            new MutationObserver(() => window.shown.push(seen(figure)))
              .observe(figure, {{subtree: true, childList: true, characterData: true}});
            window.shown = [];
        }}"""
    )
    widget.page.evaluate(
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
    start = defaults(widget.module.CONTROLS)
    name, other = next(
        (control.name, value)
        for control in widget.module.CONTROLS
        for value in ends(control)
        if control.name in listed(widget.module)
        and _painted(widget.module.frame({**start, control.name: value}))
        != _painted(widget.module.frame(start))
    )
    widget.apply({name: other})
    until(widget.page.evaluate, "'release' in window")
    widget.reset()
    widget.page.evaluate("window.release()")
    until(widget.page.evaluate, "window.answered.includes(0)")
    settled(widget.page)
    widget.should_show(start, "after the reset")
    shown = widget.page.evaluate("window.shown")
    late = [seen for seen in shown[shown.index(default) :] if seen != default]
    assert not late, "an answer to an older question is shown"


def _painted(frame: dict[str, object]) -> dict[str, object]:
    return {key: part for key, part in frame.items() if key != "raw"}
