"""Pointing at cells: hover, keyboard, tap; the theme's hotkeys stay out; announcements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from figures.browsers.server import StaticServer
from figures.shared.formats import BLOCKED
from figures.widgets import attention
from tests.browser.any_widget import AnyWidget, open_careful
from tests.browser.pages import LESSON, open_quiet, settled
from tests.conftest import eventually

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def name() -> str:
    return "attention"


@pytest.fixture(scope="module")
def lesson(stay: Open, server: StaticServer) -> AnyWidget:
    return AnyWidget(open_quiet(stay, server.url + LESSON))


@pytest.fixture(autouse=True)
def nothing_is_pointed_at(widget: AnyWidget) -> None:
    widget.page.keyboard.press("Escape")
    widget.page.mouse.move(2, 2)


def row_panel(widget: AnyWidget) -> dict[str, Any]:
    return widget.root.evaluate(
        """root => ({
            query: root.querySelector('[data-row-query]').textContent,
            entropy: root.querySelector('[data-row-entropy]').textContent,
            ceiling: root.querySelector('[data-row-ceiling]').textContent,
            values: [...root.querySelectorAll('.aw-bar-value')].map(v => v.textContent),
            widths: [...root.querySelectorAll('.aw-bar-track i')].map(bar =>
              bar.getBoundingClientRect().width / bar.parentElement.getBoundingClientRect().width),
        })"""
    )


def test_a_cell_under_the_pointer_is_named_and_its_row_is_shown(widget: AnyWidget) -> None:
    widget.cell("weights", 2, 1).hover()
    line = widget.root.locator("[data-cell]")
    expect(line).to_have_text("запрос 3 (сел), ключ 2 (кот): 0.2940")
    expect(widget.cell("weights", 2, 1)).to_have_text("0.2940")
    expect(widget.cell("scores", 2, 1)).to_have_text("0.1866")
    widget.cell("scores", 2, 1).hover()
    expect(line).to_have_text("запрос 3 (сел), ключ 2 (кот): оценка 0.1866")
    widget.page.mouse.move(2, 2)
    expect(widget.cell("weights", 2, 1)).to_have_text("0.29")
    expect(line).not_to_contain_text("запрос 3")


def test_the_selected_row_has_bars_entropy_and_ceiling(widget: AnyWidget) -> None:
    frame = attention.frame(widget.state())
    for q, token in enumerate(frame["tokens"]):
        widget.cell("weights", q, 0).hover()
        weights = frame["weights"]["long"][q]
        wanted = {
            "query": f"{q + 1} ({token})",
            "entropy": frame["rows"]["entropy"][q],
            "ceiling": frame["rows"]["ceiling"][q],
            "values": [BLOCKED if weight is None else weight for weight in weights],
            "widths": pytest.approx([float(weight or 0) for weight in weights], abs=0.02),
        }
        eventually(lambda: row_panel(widget), wanted, f"row {q + 1}")  # the bars glide


def test_the_bar_of_the_key_that_is_pointed_at_is_marked(widget: AnyWidget) -> None:
    widget.cell("weights", 4, 1).hover()
    marked = widget.root.locator(".aw-bars .is-column .aw-bar-key")
    expect(marked).to_have_text("2 кот")
    widget.page.mouse.move(2, 2)
    expect(marked).to_have_count(0)


def test_a_number_is_marked_wherever_it_went(visit: Open, server: StaticServer) -> None:
    page = open_careful(visit, server, "heads").page
    same = page.locator("[data-apart] td.is-same")
    page.locator('table[data-matrix="merged"] td[data-short="17"]').click()
    expect(same).to_have_text(["17", "17", "17"])  # in X, in its head, in the merged heads
    page.mouse.move(2, 2)
    page.get_by_label("число голов h").press("End")
    expect(page.locator('table[data-matrix="head-11"]')).to_be_visible()
    expect(same).to_have_text(["17", "17", "17"])
    page.keyboard.press("Escape")
    expect(same).to_have_count(0)


def test_a_click_locks_and_escape_releases(widget: AnyWidget) -> None:
    line = widget.root.locator("[data-cell]")
    cell = widget.cell("weights", 4, 3)
    cell.click()
    widget.page.mouse.move(2, 2)
    expect(line).to_have_text("запрос 5 (коврик), ключ 4 (на): 0.2096")
    widget.cell("weights", 0, 0).hover()
    expect(line).to_contain_text("запрос 1")
    widget.page.mouse.move(2, 2)
    expect(line).to_contain_text("запрос 5")
    widget.page.keyboard.press("Escape")
    expect(line).not_to_contain_text("запрос 5")


def test_a_tap_is_as_good_as_a_pointer(visit: Open) -> None:
    page = visit(
        "w/attention/", has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800}
    ).page
    widget = AnyWidget(page)
    widget.cell("weights", 2, 1).tap()
    line = widget.root.locator("[data-cell]")
    expect(line).to_have_text("запрос 3 (сел), ключ 2 (кот): 0.2940")


def test_a_blocked_cell_says_so_in_words(widget: AnyWidget) -> None:
    widget.cell("weights", 0, 3).hover()
    line = widget.root.locator("[data-cell]")
    expect(line).to_have_text("запрос 1 (<s>), ключ 4 (на): запрещено, −∞ → 0")
    expect(widget.cell("weights", 0, 3)).to_have_text("−∞ → 0")
    expect(widget.cell("masked", 0, 3)).to_have_text("−∞")


def test_arrow_keys_walk_over_the_cells(widget: AnyWidget) -> None:
    keyboard = widget.page.keyboard
    widget.cell("weights", 0, 0).focus()
    line = widget.root.locator("[data-cell]")
    for key, place in [
        ("ArrowDown", "запрос 2 (кот), ключ 1 (<s>)"),
        ("ArrowRight", "запрос 2 (кот), ключ 2 (кот)"),
        ("End", "запрос 2 (кот), ключ 6 (.)"),
        ("ArrowRight", "запрос 2 (кот), ключ 6 (.)"),
        ("ArrowUp", "запрос 1 (<s>), ключ 6 (.)"),
        ("ArrowUp", "запрос 1 (<s>), ключ 6 (.)"),
        ("Home", "запрос 1 (<s>), ключ 1 (<s>)"),
    ]:
        keyboard.press(key)
        expect(line).to_contain_text(place)
    label = widget.cell("weights", 0, 0).get_attribute("aria-label")
    assert label == "запрос 1 (<s>), ключ 1 (<s>): 1.0000", "name of the focused cell"


def test_focus_stays_on_the_cell_and_its_name_is_renewed(widget: AnyWidget) -> None:
    widget.cell("weights", 2, 1).focus()
    widget.page.evaluate(
        """() => { const box = document.querySelector('[name=causal]'); box.checked = false;
                   box.dispatchEvent(new Event('input', {bubbles: true})); }"""
    )
    widget.wait_for("table")
    wanted = attention.frame(widget.state({"causal": False}))["weights"]["long"][2][1]
    cell = widget.cell("weights", 2, 1)
    expect(cell).to_be_focused()
    expect(cell).to_have_text(wanted)
    assert cell.get_attribute("aria-label").endswith(wanted), "the cell is announced as before"


def test_tab_visits_one_cell_of_each_table_and_traps_nobody(widget: AnyWidget) -> None:
    visited = []
    widget.field("scale").focus()
    for _ in range(40):
        widget.page.keyboard.press("Tab")
        visited.append(
            widget.page.evaluate(
                """() => { const e = document.activeElement;
                    return e.closest('table')?.dataset.matrix ?? e.name ?? e.textContent; }"""
            )
        )
    order = [name for name in visited if name in ("scores", "masked", "weights", "sentence")]
    assert order[:4] == ["scores", "masked", "weights", "sentence"], f"Tab order: {visited}"


def test_hotkeys_of_the_theme_do_not_fire_inside(lesson: AnyWidget) -> None:
    widget, page = lesson, lesson.page
    before = page.url
    for place in (widget.cell("weights", 0, 0), widget.field("causal"), widget.field("d")):
        place.focus()
        for key in ("s", "f", "/", "n", "p", ".", ","):
            page.keyboard.press(key)
    settled(page)
    assert page.url == before, "a hotkey of the theme left the page"
    assert not page.locator("#__search").is_checked(), "a hotkey of the theme opened the search"


def test_a_label_explains_itself_on_focus_and_escape_hides_it(widget: AnyWidget) -> None:
    label = widget.root.get_by_text("масштаб градиента", exact=True)
    tip = widget.root.locator("#attention-tip-gradient-scale")
    expect(tip).to_be_hidden()
    label.focus()
    expect(tip).to_be_visible()
    assert tip.locator(".katex").count() == 1, "the definition has no formula"
    assert "1/4" in tip.inner_text()
    widget.page.keyboard.press("Escape")
    expect(tip).to_be_hidden()


def test_cases_of_the_formula_light_the_cells_and_back(lesson: AnyWidget) -> None:
    widget, page = lesson, lesson.page
    term = page.locator('.katex-html [data-k="blocked"]').first
    term.focus()
    lit = widget.root.locator('table[data-matrix="weights"] td.is-lit')
    expect(lit).to_have_count(15)
    assert set(lit.evaluate_all("cells => cells.map(cell => cell.dataset.k)")) == {"blocked"}
    page.keyboard.press("Escape")
    expect(lit).to_have_count(0)
    widget.cell("weights", 2, 1).hover()
    expect(page.locator('.katex-html [data-k="allowed"].is-lit').first).to_be_visible()
    expect(lit).to_have_count(0)
