"""Any widget on its bare page: its controls, and its figure as its Python module makes it."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from figures.browsers.server import StaticServer
from figures.pipeline.typography import bind_html
from figures.pipeline.widget_html import widgets
from figures.widgets.controls import (
    BlockPattern,
    Checkbox,
    Control,
    Number,
    Select,
    Slider,
    Text,
    defaults,
)
from tests.browser.pages import Open, open_quiet

MODULES = widgets()
assert MODULES, "no widgets: tests of each would be tests of none"
every = pytest.mark.parametrize("name", MODULES, scope="module")
READY_MS = 120_000

# What a reader sees of a figure, on the page or in HTML: texts to the space, sizes, all attributes
# but those that only the page has: of pointing, of an export, of what the build says of all pages.
SEEN = """(figure, html) => {
  const own = /^(class|style|tabindex|data-rest|data-heard|data-drawn|data-figure|translate)$/;
  const parts = [];
  const walk = (element) => {
    if (element.matches('[hidden], .aw-tip, .arithmatex, .katex, canvas')) return;
    const style = element.getAttribute('style') ?? '';
    const sizes = [...style.matchAll(/(--[a-z]+):\\s*([^;]+?)\\s*(?:;|$)/g)]
      .map(([, name, value]) => `${name}=${value}`);
    const marked = [...element.attributes]
      .filter(({name}) => !own.test(name) && !(name === 'aria-label' && element.matches('td')))
      .map(({name, value}) => `${name}=${value}`).sort();
    const seen = [...sizes, ...marked].join(' ');
    if (seen) parts.push(`${element.localName}: ${seen}`);
    for (const child of element.childNodes) {
      if (child.nodeType === 3) parts.push(child.data);
      if (child.nodeType === 1) walk(child);
    }
  };
  const made = html && new DOMParser().parseFromString(`<main>${html}</main>`, 'text/html');
  walk(made ? made.querySelector('main') : figure);
  return parts;
}"""


CLICK_BLOCKS = """(field, rows) => {
  for (const [q, row] of rows.entries())
    for (const [k, mark] of [...row].entries()) {
      const block = field.querySelector(`[data-block="${q} ${k}"]`);
      if (block.checked !== (mark === '1')) block.click();
    }
}"""


def listed(module: ModuleType) -> set[str]:
    """Names of the controls whose states are packed."""
    names = getattr(module, "LISTED", None)
    return {c.name for c in module.CONTROLS if c.values and (names is None or c.name in names)}


def built(module: ModuleType, state: dict[str, Any]) -> str:
    """The figure of a state as a build would write it, but for the formulas."""
    return bind_html(module.html(module.frame(state)))


def ends(control: Control) -> list[Any]:
    """The values at both ends of a control, or all that differ in kind."""
    if isinstance(control, Number):
        return [control.low, control.high]
    if isinstance(control, Text):
        return ["", "я " * (control.max_length // 2)]
    if isinstance(control, BlockPattern):
        text = str(control.default)
        return [text.replace("1", "0"), text.replace("0", "1")]
    values = list(control.values or ())
    return values if isinstance(control, Select) else [values[0], values[-1]]


def prerequisites(control: Control) -> dict[str, Any]:
    """What the other control must say for this one to count."""
    return {control.needs[0]: control.needs[1]} if control.needs else {}


class AnyWidget:
    """A widget of an open page."""

    def __init__(self, page: Page, name: str = "attention") -> None:
        self.page, self.name = page, name
        self.module = MODULES[name]
        self.root = page.locator(f'section[data-widget="{name}"]')
        expect(self.root.locator("fieldset:enabled")).not_to_have_count(0)

    def field(self, control: str) -> Locator:
        return self.root.locator(f"#{self.name}-{control}")

    def set(self, name: str, value: Any) -> None:
        """Move a control as a reader does: click, keys, typing."""
        field = self.field(name)
        control = next(one for one in self.module.CONTROLS if one.name == name)
        if isinstance(control, Checkbox):
            field.set_checked(value)
        elif isinstance(control, Slider):
            field.focus()
            place, last = control.values.index(value), len(control.values) - 1
            if place in (0, last):
                self.page.keyboard.press("End" if place else "Home")
            steps = place - int(field.input_value())
            for _ in range(abs(steps)):
                self.page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
        elif isinstance(control, Select):
            field.select_option(value)
        elif isinstance(control, BlockPattern):
            field.locator('[data-block="0 0"]').set_checked(value[0] == "1")
            field.evaluate(CLICK_BLOCKS, value.split("/"))  # as that one, in one conversation
        else:
            field.fill(str(value))

    def apply(self, change: dict[str, Any]) -> dict[str, Any]:
        """Move several controls; the state that follows."""
        for control in self.module.CONTROLS:
            if control.name in change:
                self.set(control.name, change[control.name])
        return self.state(change)

    def state(self, change: dict[str, Any] | None = None) -> dict[str, Any]:
        """The first state, or one that differs from it."""
        return {**defaults(self.module.CONTROLS), **(change or {})}

    def should_say(self, state: dict[str, Any]) -> None:
        """The controls whose values are listed stand where the state has them, and tell so."""
        for control in self.module.CONTROLS:
            if control.name not in listed(self.module):
                continue  # numbers that a choice fills in are looked at by test_widget_address
            field = self.field(control.name)
            if isinstance(control, Checkbox):
                assert field.is_checked() == state[control.name], control.name
            elif isinstance(control, Slider):
                place = control.values.index(state[control.name])
                assert field.input_value() == str(place), control.name
                heard = field.get_attribute("aria-valuetext")
                shown = self.root.locator(f'output[for="{self.name}-{control.name}"]')
                assert heard == shown.text_content() != "", f"{control.name}: {heard!r} is heard"
            elif isinstance(control, Select):
                said = field.input_value()
                assert said == state[control.name], f"{control.name} says {said}"

    def cell(self, matrix: str, row: int, column: int) -> Locator:
        return self.root.locator(
            f'table[data-matrix="{matrix}"] td[data-row="{row}"][data-col="{column}"]'
        )

    def readouts(self) -> list[str]:
        return self.root.locator("[data-readout]").all_text_contents()

    def reset(self) -> None:
        self.root.get_by_role("button", name="Сбросить").click()

    def start(self) -> None:
        """Start Python and wait until it has answered."""
        self.root.locator("[data-start]").click()
        self.wait_for("python")

    def wait_for(self, source: str) -> None:
        expect(self.root).to_have_attribute("data-source", source, timeout=READY_MS)

    def seen(self) -> list[str]:
        return self.root.locator("[data-figure]").evaluate(SEEN)

    def should_show(self, state: dict[str, Any], because: str) -> None:
        """Wait until the figure is what Python makes of the state, or tell where it differs."""
        state = self.state(state)
        wanted = self.page.evaluate(f"html => ({SEEN})(null, html)", built(self.module, state))
        for _ in range(600):  # a busy machine is slow, not wrong
            seen = self.seen()
            if seen == wanted:
                return
            self.page.wait_for_timeout(50)
        before = "its beginning"
        for one, other in zip(seen, wanted, strict=False):
            assert one == other, (
                f"{because}: {one!r} is shown after {before!r} instead of {other!r}"
            )
            before = one
        assert len(seen) == len(wanted), f"{because}: {len(seen)} parts instead of {len(wanted)}"


def open_careful(
    visit: Open, server: StaticServer, name: str, query: str = "", **options: Any
) -> AnyWidget:
    """The bare page of a reader for whom Python is not loaded unasked."""
    return AnyWidget(open_quiet(visit, f"{server.url}w/{name}/{query}", **options), name)


def difference(one: Any, other: Any) -> float:
    """The largest difference between two structures; infinite if they differ in shape."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return max((difference(one[key], other[key]) for key in one), default=0.0)
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return max((difference(*pair) for pair in zip(one, other, strict=True)), default=0.0)
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other)
    return 0.0 if one == other else math.inf


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
