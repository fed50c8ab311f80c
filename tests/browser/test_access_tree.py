"""What a screen reader meets in each widget, from Chromium's own accessibility tree."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Self

import pytest
from playwright.sync_api import Page, expect

from figures.widgets.controls import (
    BlockPattern,
    Checkbox,
    Control,
    Number,
    Select,
    Slider,
    Text,
)
from tests.browser.any_widget import MODULES, AnyWidget
from tests.browser.pages import note_announcements, stop_the_clock

ROLES: dict[type[Control], str] = {
    Checkbox: "checkbox",
    Slider: "slider",
    Select: "combobox",
    Number: "spinbutton",
    Text: "textbox",
    BlockPattern: "group",
}
ACTING = {"button", "checkbox", "slider", "combobox", "spinbutton", "textbox", "DisclosureTriangle"}
SETTLED_MS = 1500  # announcements come once the reader has stopped


@dataclass
class Node:
    """What is spoken for one element."""

    role: str
    name: str
    value: str
    properties: dict[str, Any]
    children: list[Self] = field(default_factory=list)

    def walk(self) -> list[Node]:
        return [self, *(node for child in self.children for node in child.walk())]

    def all(self, *roles: str) -> list[Node]:
        return [node for node in self.walk() if node.role in roles]


def tree_of(page: Page, selector: str) -> Node:
    """The accessibility tree below an element, without what a screen reader is not told."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.getDocument")
    found = session.send(
        "Runtime.evaluate", {"expression": f"document.querySelector(`{selector}`)"}
    )
    described = session.send("DOM.describeNode", {"objectId": found["result"]["objectId"]})
    nodes = {node["nodeId"]: node for node in session.send("Accessibility.getFullAXTree")["nodes"]}
    root = described["node"]["backendNodeId"]
    start = next(node for node in nodes.values() if node.get("backendDOMNodeId") == root)

    def build(node: dict[str, Any]) -> list[Node]:
        below = [
            made for key in node.get("childIds", []) if key in nodes for made in build(nodes[key])
        ]
        if node.get("ignored"):
            return below
        text = {key: plain(node.get(key, {}).get("value", "")) for key in ("role", "name", "value")}
        properties = {p["name"]: p["value"].get("value") for p in node.get("properties", [])}
        return [Node(**text, properties=properties, children=below)]

    [made] = build(start)
    session.detach()
    return made


def plain(text: object) -> str:
    """One line without the no-break spaces that the build puts in."""
    return " ".join(str(text).split())


@pytest.fixture(scope="module", params=MODULES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def module(name: str) -> ModuleType:
    return MODULES[name]


@pytest.fixture(scope="module")
def tree(kept: AnyWidget) -> Node:
    """Of the first state, once for all tests."""
    return tree_of(kept.page, f'section[data-widget="{kept.name}"]')


def test_the_widget_is_a_region_with_its_title(tree: Node, module: ModuleType) -> None:
    assert (tree.role, tree.name) == ("region", plain(module.TITLE)), f"{tree.role} {tree.name!r}"


def test_every_control_says_its_name_and_value(tree: Node, module: ModuleType) -> None:
    for control in module.CONTROLS:
        role = ROLES[type(control)]
        found = [node for node in tree.all(role) if node.name == plain(control.label)]
        assert len(found) == 1, f"{role} «{control.label}»: {len(found)} in the tree"
        [node] = found
        match control:
            case Checkbox():
                assert node.properties["checked"] == str(control.default).lower(), control.label
            case Slider():
                assert node.value, control.label  # its words: `AnyWidget.should_say`
            case Select():
                assert node.value == plain(control.options[control.default]), control.label
            case Number():
                assert node.value == str(control.default), control.label
            case Text():
                assert node.value == control.default, control.label


def test_nothing_that_acts_or_shows_is_nameless(tree: Node) -> None:
    nameless = [node.role for node in tree.all(*ACTING, "image", "table", "progressbar", "status")]
    assert nameless, "nothing acts in the widget"
    for node in tree.all(*ACTING, "image", "table", "progressbar"):
        assert re.search("[А-Яа-яЁё]|SVG|PNG|CSV|[a-zA-Z]$", node.name), (
            f"{node.role} {node.name!r}"
        )


def test_tables_have_captions_and_headers(tree: Node) -> None:
    for table in tree.all("table", "grid"):
        rows = table.all("row")
        headers = table.all("columnheader", "rowheader")
        assert table.name, "a table without a caption"
        assert headers, f"«{table.name}» has no headers"
        for header in headers:
            assert header.name.strip(), f"«{table.name}» has an empty header"
        for row in rows[1:]:
            assert row.all("rowheader"), f"«{table.name}»: a row without a name: {row.name}"


def test_readouts_are_named_numbers(kept: AnyWidget, tree: Node, module: ModuleType) -> None:
    page = kept.page
    shown = page.locator("output[data-readout]")
    for index in range(shown.count()):
        text = plain(shown.nth(index).text_content())
        labelled_by = shown.nth(index).get_attribute("aria-labelledby")
        label = plain(page.locator(f"#{labelled_by}").text_content())
        named = [node for node in tree.all("status") if node.name == label]
        assert len(named) == 1, f"{module.NAME}: «{label}» names {len(named)} outputs"
        spoken = "".join(node.name for node in named[0].walk() if node.role == "StaticText")
        assert spoken == text, f"«{label}» says {spoken!r}, shows {text!r}"


def test_a_change_is_announced_once_and_politely(kept: AnyWidget) -> None:
    """The last test of its page, whose clock it stops."""
    widget, page, name = kept, kept.page, kept.name
    stop_the_clock(page)
    note_announcements(page)
    control = widget.root.locator("fieldset :is(input, select):enabled").first
    control.focus()
    is_check = control.get_attribute("type") == "checkbox"
    for _ in range(3):
        page.keyboard.press("Space" if is_check else "ArrowRight")
    expect(widget.root).not_to_have_attribute("data-outdated", "")
    shown = widget.readouts()
    assert page.evaluate("announced") == [], f"{name} speaks while it is moved"
    page.clock.run_for(SETTLED_MS)
    said = page.evaluate("announced")
    assert len(said) == 1, f"{name} speaks {len(said)} times: {said}"
    for text in shown:
        assert text in said[0], f"{name}: {text} is not announced: {said[0]}"
    assert re.search("[а-яё]", said[0]), f"{name} says {said[0]!r}"
    assert widget.root.locator("[aria-live=assertive]").count() == 0, "a live region interrupts"
    live = widget.root.locator("[aria-live=polite], [role=status], output:not([aria-live=off])")
    assert live.count() == 1, f"{live.count()} parts of {name} speak"
