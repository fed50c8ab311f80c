"""Without colour: what the widgets tell by colour is also told by lightness, a line, a sign."""

from __future__ import annotations

import io
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Locator

from attnlib import tile_map
from attnlib.masks import causal, sliding_window
from attnlib.tiles import FULL, PARTIAL, SKIPPED
from figures.browsers.server import StaticServer
from figures.widgets.controls import defaults
from tests.browser.any_widget import AnyWidget, Open, open_careful
from tests.browser.pages import settled

Grey = NDArray[np.float64]
LIGHTER = 7  # of the 100 steps of CIE lightness tell two tones apart at a glance
both_themes = pytest.mark.parametrize("scheme", ["light", "dark"])


def grey(shown: Locator) -> Grey:
    """CIE lightness of an element, pixel by pixel: all that is left of it without colour."""
    settled(shown.page)
    picture = Image.open(io.BytesIO(shown.screenshot(animations="disabled"))).convert("RGB")
    channels = np.asarray(picture, dtype=float) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    luminance = linear @ [0.2126, 0.7152, 0.0722]
    root = np.where(luminance > 0.008856, np.cbrt(luminance), 7.787 * luminance + 16 / 116)
    return 116 * root - 16


def tone(shown: Locator) -> float:
    """Grey of the ground: what most of the element has."""
    return float(np.median(grey(shown)))


def apart(one: float, other: float) -> bool:
    return abs(one - other) >= LIGHTER


def opened(visit: Open, server: StaticServer, name: str, scheme: str, query: str = "") -> AnyWidget:
    widget = open_careful(
        visit,
        server,
        name,
        query,
        color_scheme=scheme,
        reduced_motion="reduce",
        viewport={"width": 1000, "height": 900},
    )
    if query:
        widget.wait_for("table")
    return widget


@both_themes
def test_heads_differ_by_lightness_or_lines(visit: Open, server: StaticServer, scheme: str) -> None:
    widget = opened(visit, server, "heads", scheme, "?heads.h=12")
    looks: list[tuple[float, Any]] = []
    for head in range(12):
        cell = widget.root.locator(f'table[data-matrix="x"] td[data-head="{head}"]').first
        row = widget.root.locator(f'[data-proj] [data-head="{head}"]')
        lines = [
            shown.evaluate(
                """shown => ['Top', 'Bottom'].map(side =>
                     parseFloat(getComputedStyle(shown)[`border${side}Width`]) > 1)"""
            )
            for shown in (cell, row)
        ]
        assert lines[0] == lines[1], f"head {head + 1} looks otherwise in the rows of W^O"
        looks.append((tone(cell), lines[0]))
    for (one, first), (other, second) in combinations(enumerate(looks, 1), 2):
        assert apart(first[0], second[0]) or first[1] != second[1], (
            f"{scheme}: heads {one} and {other} look alike without colour: {first}, {second}"
        )
    widget = opened(visit, server, "heads", scheme, "?heads.h=3&heads.order=reshape")
    marks = widget.root.locator('table[data-matrix="merged"] td[data-row]').evaluate_all(
        """cells => cells.map(cell => [cell.dataset.moved === '1',
             getComputedStyle(cell.firstElementChild).textDecorationStyle === 'wavy'])"""
    )
    assert {tuple(mark) for mark in marks} == {(True, True), (False, False)}, (
        "a number out of place is not underlined, or another one is"
    )
    sign = widget.root.locator(".aw-heads-verdict").evaluate(
        "verdict => getComputedStyle(verdict, '::before').content"
    )
    assert "✗" in sign, f"the verdict is told by colour alone: {sign}"


@both_themes
def test_the_related_key_is_marked(visit: Open, server: StaticServer, scheme: str) -> None:
    root = opened(visit, server, "noise", scheme).root
    looks = [
        root.locator(f'[data-bind="d:row.{kind}"]').evaluate(
            "path => getComputedStyle(path).stroke !== 'none'"
        )
        for kind in ("near", "others")
    ]
    assert looks == [True, False], "the bar of the related key has no outline of its own"
    assert "нужный" in root.locator('[data-mark="first"]').inner_text(), "its bar is not named"
    assert "нужный" in root.locator('[data-mark="near"]').inner_text(), "its cosine is not named"
    lines = [
        root.locator(f'[data-mark="{mark}"]').evaluate(
            "mark => getComputedStyle(mark).borderLeftStyle"
        )
        for mark in ("near", "left", "right")
    ]
    assert lines == ["solid", "dashed", "dashed"], f"marks that differ by colour alone: {lines}"
    bars = root.locator('[data-drawing="histogram"]')
    assert np.ptp(grey(bars)) > 3 * LIGHTER, "the bars cannot be seen"
    check_marked_row(root, "[data-current]")


@both_themes
def test_masks_differ_by_hatching_lightness_and_direction(
    visit: Open, server: StaticServer, scheme: str
) -> None:
    n, b = 16, 4
    widget = opened(visit, server, "masks", scheme, f"?masks.n={n}&masks.b=8&masks.w=8")
    widget.reset()
    widget.should_show(defaults(widget.module.CONTROLS), "after «Сбросить»")
    table = widget.root.locator('table[data-matrix="mask"]')
    allowed, blocked = (
        table.locator(f'td[data-k="{kind}"]').first for kind in ("allowed", "blocked")
    )
    assert (allowed.inner_text(), blocked.inner_text()) == ("1", "0"), "a cell does not say itself"
    assert apart(tone(allowed), tone(blocked)), f"{scheme}: allowed and blocked are equally light"
    assert np.ptp(grey(blocked)[2:-2, 2:6]) > LIGHTER, f"{scheme}: blocked cells are not hatched"
    check_tiles(grey(widget.root.locator(".masks-tiles")), n, b, scheme)

    widget = opened(visit, server, "masks", scheme, "?masks.mask=window2&masks.n=64&masks.w=8")
    canvas = widget.root.locator("canvas")
    cells = squares(grey(canvas), 64)[2:]  # the first row has an outline, it is the chosen one
    mask = sliding_window(64, 8, causal=False)[2:]
    tones = np.array([[float(np.median(cell)) for cell in row] for row in cells])
    darkest, lightest = sorted([tones[mask], tones[~mask]], key=lambda part: float(part.mean()))
    assert lightest.min() - darkest.max() >= LIGHTER, f"{scheme}: the canvas needs its colours"
    spread = np.array([[float(np.ptp(cell)) for cell in row] for row in cells])
    assert spread[mask].max() < LIGHTER < spread[~mask].max(), (
        f"{scheme}: no hatching on the canvas"
    )


def squares(picture: Grey, count: int) -> Any:
    """The inside of each square of a drawing that is cut into count × count."""
    height, width = picture.shape
    made = np.empty((count, count), dtype=object)
    for row in range(count):
        for column in range(count):
            top, bottom = (round(height * (row + edge) / count) for edge in (0, 1))
            left, right = (round(width * (column + edge) / count) for edge in (0, 1))
            made[row, column] = picture[top + 2 : bottom - 2, left + 2 : right - 2]
    return made


def check_tiles(picture: Grey, n: int, b: int, scheme: str) -> None:
    """Full is one tone, skipped another with a level line, partial has a slanting line."""
    tiles = squares(picture, n // b)
    states = tile_map(causal(n), b, b)
    kinds = {kind: tiles[states == kind] for kind in (FULL, PARTIAL, SKIPPED)}
    full, skipped = (float(np.median(kinds[kind][0])) for kind in (FULL, SKIPPED))
    assert apart(full, skipped), f"{scheme}: full and skipped tiles are equally light"
    for tile in kinds[FULL]:
        assert np.ptp(tile) < LIGHTER, f"{scheme}: a full tile is not plain"
    for tile in kinds[SKIPPED]:
        line = np.abs(tile - skipped).mean(axis=1)
        middle = len(tile) // 2
        assert apart(line[middle - 2 : middle + 3].max(), line[: middle // 2].max()), (
            f"{scheme}: a skipped tile has no line across"
        )
    for tile in kinds[PARTIAL]:
        for row in np.linspace(0.15, 0.85, 8):
            places = [pixel(tile, row, 1 - row + shift) for shift in (-0.1, 0, 0.1)]
            seen = float(np.ptp(np.concatenate(places)))
            assert seen > LIGHTER, f"{scheme}: a partial tile has no slanting line"


def pixel(tile: Grey, row: float, column: float) -> Grey:
    """A few pixels around a place that is given as shares of the sides."""
    y, x = round(row * (tile.shape[0] - 1)), round(column * (tile.shape[1] - 1))
    return tile[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2].ravel()


@both_themes
def test_the_model_s_own_scheme_is_marked(visit: Open, server: StaticServer, scheme: str) -> None:
    root = opened(visit, server, "kv-cache", scheme).root
    check_marked_row(root, "[data-own]")
    check_marked_row(root, "[data-current]")
    for row in root.locator("[data-scheme]").all():
        bar = tone(row.locator(".kv-track i"))
        track = grey(row.locator(".kv-track"))
        full = row.locator(".kv-track i").evaluate(
            "i => i.offsetWidth / i.parentElement.offsetWidth"
        )
        ground = float(np.median(track[:, -4:])) if full < 0.95 else tone(root)
        assert apart(bar, ground), f"{scheme}: a bar is as light as its ground: {bar}, {ground}"
    groups = root.locator(".kv-groups span").evaluate_all(
        """groups => groups.map(group => [group.children.length,
             parseFloat(getComputedStyle(group).borderBottomWidth)])"""
    )
    assert groups and all(heads and line for heads, line in groups), (
        "who reads whose keys is told by colour"
    )


def check_marked_row(root: Locator, mark: str) -> None:
    """The row of the current state has a sign and a weight of its own."""
    rows = root.locator("tr:has(th[scope=row])").evaluate_all(
        """(rows, mark) => rows.map(row => [row.matches(mark),
             getComputedStyle(row.cells[0], '::before').content.includes('▸'),
             Number(getComputedStyle(row.cells[1]).fontWeight) > 500])""",
        mark,
    )
    marked = [row for row in rows if row[0]]
    assert marked and all(row == [True, True, True] for row in marked), f"{mark}: {marked}"
    plain = [row for row in rows if not any(row)]
    assert plain, f"{mark}: every row has the sign"
