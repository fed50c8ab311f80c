"""A state in the address is taken as a whole or not at all, and the address says what is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from playwright.sync_api import expect

from figures.browsers.server import StaticServer
from figures.widgets.controls import BlockPattern, Checkbox, Control, Number, Text, defaults
from tests.browser.any_widget import MODULES, AnyWidget, Open, ends, every, listed, open_careful

LINE = "в адресе названо состояние, которого нет: показано исходное"


def written(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def nonsense(control: Control) -> Iterator[str]:
    """Texts that are almost a value of the control, and what somebody may try."""
    if isinstance(control, Text):
        yield from ("я" * (control.max_length + 1), "я" * 500)
        return
    yield from ("", "-1", "1e99", "abc", "__proto__", "constructor", "toString", "<b>", "я" * 200)
    if isinstance(control, Number):
        yield from (str(control.low - 1), str(control.high + 1), "1.5", "1e3")
        return
    if isinstance(control, BlockPattern):
        yield from (str(control.default)[:-1], str(control.default).replace("1", "2"))
        return
    good = written((control.values or ())[-1])
    yield from (f"{good}x", f" {good}", f"{good}.0", f"{good}e0")
    yield "true" if isinstance(control, Checkbox) else good.swapcase() + "0"


def good_ones(name: str) -> dict[str, str]:
    """A listed state of the widget with every free control off its default."""
    module = MODULES[name]
    return {
        c.name: written(next(value for value in ends(c) if value != c.default))
        for c in module.CONTROLS
        if c.name in listed(module) and not c.needs
    }


def go(widget: AnyWidget, server: StaticServer, texts: dict[str, str]) -> AnyWidget:
    query = "&".join(f"{widget.name}.{key}={quote(text)}" for key, text in texts.items())
    widget.page.goto(f"{server.url}w/{widget.name}/?other=1&{query}")
    return AnyWidget(widget.page, widget.name)


@every
def test_one_misspelt_value_leaves_the_default_as_a_whole(
    kept: AnyWidget, server: StaticServer, name: str
) -> None:
    widget = kept
    module = widget.module
    start = defaults(module.CONTROLS)
    bad = [(control.name, text) for control in module.CONTROLS for text in nonsense(control)]
    assert len(bad) > 2 * len(module.CONTROLS), f"only {len(bad)} addresses"
    taken = widget.page.evaluate(
        """([bad, good]) => {
            const { parse } = attn.widgets.controls(document.querySelector('[data-widget]'));
            const state = (...more) => parse(new Map([...Object.entries(good), ...more]));
            if (!state()) throw new Error('the good ones are refused');
            return bad.filter((pair) => state(pair));
        }""",
        [bad, good_ones(name)],
    )
    assert not taken, f"nonsense that is taken for a state: {taken}"
    for control, text in (bad[0], bad[-1], ("modle", "1")):
        widget = go(widget, server, {**good_ones(name), control: text})
        widget.should_show(start, f"{control}={text!r}")
        assert widget.page.evaluate("location.search") == "?other=1", f"{control}={text!r} stays"
        assert widget.root.get_attribute("data-source") == "build", "painted again"
        expect(widget.root.locator("[data-status]")).to_have_text(LINE)
        widget.should_say(start)


@every
def test_a_good_address_is_shown_and_kept(kept: AnyWidget, server: StaticServer, name: str) -> None:
    texts = good_ones(name)
    assert texts, f"{name} has no free control"
    widget = go(kept, server, texts)
    expect(widget.root).to_have_attribute("data-source", "table")
    found = widget.page.evaluate("Object.fromEntries(new URLSearchParams(location.search))")
    assert found == {"other": "1", **{f"{name}.{key}": text for key, text in texts.items()}}


@every
def test_what_does_not_count_or_is_the_default_leaves_the_address(
    kept: AnyWidget, server: StaticServer
) -> None:
    """Idle controls and defaults: what the address says must be what the page shows."""
    module = kept.module
    idle = {
        c.name: written(next(value for value in ends(c) if value != c.default))
        for c in module.CONTROLS
        if c.needs
    }
    usual = {c.name: written(c.default) for c in module.CONTROLS if not c.needs}
    widget = go(kept, server, {**usual, **idle})
    widget.should_show(defaults(module.CONTROLS), "defaults and what does not count")
    assert widget.page.evaluate("location.search") == "?other=1"


def test_the_fields_of_w5_say_the_numbers_of_the_chosen_model(
    visit: Open, server: StaticServer
) -> None:
    """At once, before any frame, and whatever idle numbers the address has."""
    query = "?kv-cache.model=Falcon-7B&kv-cache.L=5"
    widget = open_careful(visit, server, "kv-cache", query)
    numbers = ("L", "h", "h_kv", "d", "window")
    fields = {c.name: widget.field(c.name) for c in widget.module.CONTROLS if c.name in numbers}

    def said() -> list[str]:
        return [fields[name].input_value() for name in numbers]

    assert said() == ["32", "71", "1", "64", "0"], "the model of the address"
    widget.page.evaluate("() => { attn.widgets.packed.load = () => new Promise(() => {}); }")
    widget.set("model", "Mistral-7B v0.1")
    assert said() == ["32", "32", "8", "128", "4096"], "before the frames have come"
    widget.set("model", "own")
    assert said() == ["32", "32", "8", "128", "4096"], "own numbers start from those of the model"
    widget.reset()
    assert said() == ["32", "32", "8", "128", "0"], "after «Сбросить»"
