"""W1 on every screen: width, contrast, tap targets, themes, downloads, rules (axe)."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from figures.widgets import attention
from tests.browser.pages import open_quiet, settled
from tests.browser.widget_page import BARE, LESSON, Widget, default_state
from tests.conftest import eventually
from tests.static_server import StaticServer

Open = Callable[..., Any]

SMALLEST_TARGET = 24
CONTRAST = """root => {
  const probe = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const channels = (colour) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (colour) => channels(colour)
    .map(part => part / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  return [...root.querySelectorAll('table[data-matrix] td[data-row]')].map(cell => {
    const number = cell.firstElementChild;
    const own = getComputedStyle(number).backgroundColor;
    const paper = cell.dataset.k === 'blocked' ? own : getComputedStyle(cell).backgroundColor;
    const [ink, ground] = [luminance(getComputedStyle(number).color), luminance(paper)];
    return {text: cell.textContent, kind: cell.dataset.k, ground,
            hatched: getComputedStyle(cell).backgroundImage.includes('repeating-linear-gradient'),
            contrast: (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05)};
  });
}"""


def open_careful(visit: Open, server: StaticServer, path: str = BARE, **options: Any) -> Page:
    return open_quiet(visit, server.url + path, **options)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_of_cells_is_readable_at_every_weight(
    visit: Open, server: StaticServer, scheme: str
) -> None:
    page = open_careful(visit, server, color_scheme=scheme, reduced_motion="reduce")
    widget = Widget(page)
    for change in ({}, {"causal": False, "d": 768}, {"T": 10}, {"T": 0.1, "scale": False}):
        for name, value in change.items():
            widget.set(name, value)
        widget.should_show(attention.frame({**default_state(), **change}), f"frame of {change}")
        cells = widget.root.evaluate(CONTRAST)
        worst = min(cells, key=lambda cell: cell["contrast"])
        assert worst["contrast"] >= 4.5, f"{scheme}, {change}: {worst}"
        for cell in cells:
            assert cell["hatched"] == (cell["kind"] == "blocked"), f"hatching of {cell}"
            assert ("−∞" in cell["text"]) == (cell["kind"] == "blocked"), f"text of {cell}"
        grounds = {c["text"]: c["ground"] for c in cells if c["text"] in ("0.00", "0.50", "1.00")}
        assert len({round(ground, 2) for ground in grounds.values()}) == len(grounds), (
            f"weights that differ look alike without colour: {grounds}"
        )
        widget.root.get_by_role("button", name="Сбросить").click()
        widget.should_show(attention.frame(default_state()), "the default state")


@pytest.mark.parametrize(("path", "width"), [(BARE, 320), (LESSON, 390)])
def test_a_narrow_screen_scrolls_tables_and_never_the_page(
    visit: Open, server: StaticServer, path: str, width: int
) -> None:
    page = open_careful(visit, server, path, viewport={"width": width, "height": 700})
    widget = Widget(page)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "sideways scroll"
    small = widget.root.evaluate(
        """(root, least) => [...root.querySelectorAll(
              'button, summary, label:has(input), [type=range], [type=text], td[data-row]')]
            .filter(target => target.checkVisibility())
            .map(target => [target.textContent || target.name, target.getBoundingClientRect()])
            .filter(([, box]) => box.width < least || box.height < least)
            .map(([name, box]) => `${name}: ${box.width} × ${box.height}`)""",
        SMALLEST_TARGET,
    )
    assert small == [], f"hard to hit with a finger: {small}"
    spills = widget.root.evaluate(
        """root => [...root.querySelectorAll('td[data-row]')].filter(cell =>
              cell.firstElementChild.scrollWidth > cell.clientWidth + 1).map(c => c.textContent)"""
    )
    assert spills == [], f"text wider than its cell: {spills}"


def test_the_theme_button_recolours_and_keeps_the_state(visit: Open, server: StaticServer) -> None:
    page = open_careful(visit, server, LESSON, color_scheme="light")
    widget = Widget(page)
    widget.set("d", 8)
    widget.wait_for("table")
    before = widget.readouts()
    cell = widget.cell("weights", 0, 0)
    light = cell.evaluate("cell => getComputedStyle(cell).backgroundColor")
    page.get_by_title("Включить тёмную тему").click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    eventually(
        lambda: cell.evaluate("cell => getComputedStyle(cell).backgroundColor") != light,
        True,
        "same colours",
    )
    assert widget.readouts() == before, "the theme changed the numbers"
    assert widget.controls()["d"] == "8", "the theme moved a control"


def test_downloads_are_what_is_shown(visit: Open, server: StaticServer, tmp_path: Path) -> None:
    page = open_careful(visit, server, accept_downloads=True)
    widget = Widget(page)
    widget.set("causal", False)
    widget.wait_for("table")
    files = {}
    for kind in ("svg", "png", "csv"):
        widget.root.get_by_text("Скачать", exact=True).click()
        with page.expect_download() as download:
            widget.root.get_by_role("button", name=kind.upper(), exact=True).click()
        assert download.value.suggested_filename == f"attention.{kind}"
        files[kind] = tmp_path / f"attention.{kind}"
        download.value.save_as(files[kind])

    frame = attention.frame({**default_state(), "causal": False})
    picture = ET.fromstring(files["svg"].read_text("utf-8"))
    words = ["".join(text.itertext()) for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    for row in frame["weights"]["short"]:
        for text in row:
            assert text in words, f"{text} is missing in the SVG"
    assert frame["readouts"]["max-weight"] in words, "readouts are missing in the SVG"

    png = files["png"].read_bytes()
    assert png.startswith(b"\x89PNG") and len(png) > 20_000, f"PNG of {len(png)} bytes"

    rows = list(csv.reader(io.StringIO(files["csv"].read_text("utf-8-sig"))))
    start = rows.index(["Веса внимания"])
    numbers = [[float(text) for text in row[1:]] for row in rows[start + 2 : start + 8]]
    wanted = [[float(text) for text in row] for row in frame["weights"]["long"]]
    assert numbers == wanted, "the CSV holds other weights"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility_rules(visit: Open, server: StaticServer, scheme: str) -> None:
    page = open_careful(visit, server, color_scheme=scheme)
    Widget(page)
    found = Axe().run(page, context='section[data-widget="attention"]')
    problems = [
        (rule["id"], [node["html"][:120] for node in rule["nodes"]][:3])
        for rule in found.response["violations"]
    ]
    assert problems == [], f"axe finds in the {scheme} theme: {problems}"
