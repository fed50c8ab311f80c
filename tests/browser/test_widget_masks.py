"""W4 above the size of a table: the painted mask and its chosen row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from attnlib.masks import sliding_window
from figures.browsers.server import StaticServer
from figures.widgets.controls import defaults
from tests.browser.any_widget import AnyWidget, Open, open_careful
from tests.conftest import eventually

N, W = 64, 8


@pytest.fixture
def widget(visit: Open, server: StaticServer) -> AnyWidget:
    query = f"?masks.mask=window2&masks.n={N}&masks.w={W}"
    made = open_careful(visit, server, "masks", query, color_scheme="light")
    state = {**defaults(made.module.CONTROLS), "mask": "window2", "n": N, "w": W}
    made.should_show(state, "the state of the address")
    return made


def row(widget: AnyWidget) -> list[bool]:
    cells = widget.root.locator('table[data-matrix="line"] td[data-row]')
    return [text == "1" for text in cells.all_text_contents()]


def colours(widget: AnyWidget) -> np.ndarray[Any, Any]:
    """The middle of each cell of the canvas, as a reader sees it."""
    return np.array(
        widget.root.locator("canvas").evaluate(
            """(canvas, n) => {
                const {width, height} = canvas;
                const {data} = canvas.getContext('2d').getImageData(0, 0, width, height);
                const step = canvas.width / n;
                const at = (q, k) => 4 * (Math.floor((q + 0.5) * step) * canvas.width
                  + Math.floor((k + 0.5) * step));
                return Array.from({length: n}, (_, q) => Array.from({length: n}, (_, k) =>
                  [...data.slice(at(q, k), at(q, k) + 3)]));
            }""",
            N,
        )
    )


def test_the_painted_mask_is_the_mask_of_the_library(widget: AnyWidget) -> None:
    mask = sliding_window(N, W, causal=False)
    painted = colours(widget)
    allowed = {tuple(colour) for colour in painted[mask]}
    blocked = {tuple(colour) for colour in painted[~mask]}
    assert len(allowed) == 1, f"allowed cells have {len(allowed)} colours"
    assert len(blocked) > 1, "blocked cells are not hatched"
    assert not allowed & blocked, "an allowed cell looks like a blocked one"


def test_a_row_is_chosen_by_pointing_and_by_keys(widget: AnyWidget) -> None:
    mask = sliding_window(N, W, causal=False).tolist()
    questions = "void (attn.runtime.ask = () => { window.asked = true; return Promise.reject(); })"
    widget.page.evaluate(questions)
    assert row(widget) == mask[0], "the first row is not shown first"
    canvas = widget.root.locator("canvas")
    box = canvas.bounding_box()
    assert box is not None
    canvas.hover(position={"x": 20, "y": box["height"] * 40.5 / N})
    expect(widget.root.locator(".masks-line output")).to_have_text("41")
    assert row(widget) == mask[40], "the row under the pointer"
    widget.root.locator("#masks-line").focus()
    widget.page.keyboard.press("ArrowRight")
    assert row(widget) == mask[41], "the arrow key"
    widget.page.keyboard.press("End")
    assert row(widget) == mask[-1], "the last row"
    widget.root.locator('table[data-matrix="line"] td[data-row]').first.focus()
    line = widget.root.locator("[data-cell]")
    expect(line).to_have_text("запрос 64, ключ 1: запрещено, −∞ → 0")
    assert widget.page.evaluate("window.asked") is None, "choosing a row asks Python"


def test_another_theme_paints_the_mask_again(widget: AnyWidget) -> None:
    before = colours(widget)
    widget.page.evaluate("document.body.setAttribute('data-md-color-scheme', 'slate')")
    mask = sliding_window(N, W, causal=False)
    eventually(
        lambda: bool((colours(widget)[mask] != before[mask]).any()),
        True,
        "the canvas keeps the colours of the old theme",
    )
