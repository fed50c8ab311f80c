"""What readers save of a widget is what it shows: its numbers, its picture in both themes."""

from __future__ import annotations

import base64
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from figures.browsers.server import StaticServer
from figures.widgets.controls import Text, defaults
from tests.browser.any_widget import (
    MODULES,
    AnyWidget,
    Open,
    ends,
    every,
    listed,
    open_careful,
    prerequisites,
)
from tests.browser.exports import (
    Picture,
    differing,
    made_readouts,
    made_tables,
    picture,
    saved,
    saved_rows,
    tables_of,
)
from tests.browser.pages import settled

# States that are drawn otherwise than the first: widest, canvas, wrong order, no mask.
OTHERS: dict[str, dict[str, Any]] = {
    "attention": {"causal": False, "d": 8},
    "heads": {"h": 2, "order": "d h"},
    "noise": {"d": 16},
    "masks": {"mask": "window2", "n": 64, "w": 8},
    "kv-cache": {"n": 131072},
    "padding": {"n": 12, "filler": "tens"},
}
SCALE = 2  # pixels of a PNG for one of the page
# Share of pixels that may be unlike all those so near: letters and dashes move a little.
MOST = {1: 0.003, 3: 0.00003}

# No font of the site is to be had within an SVG; what only a screen can use is not in a picture.
ALIKE = """* { font-family: sans-serif !important; transition: none !important; }
[data-figure] :is(input, .is-resting) { visibility: hidden; }
.aw-label { text-decoration: none !important; }"""


@every
def test_the_table_saved_is_the_table_shown(
    visit: Open, server: StaticServer, name: str, tmp_path: Path
) -> None:
    """At the ends of each control: from the build, from the packed frames, live."""
    widget = open_careful(visit, server, name, accept_downloads=True)
    start = defaults(widget.module.CONTROLS)
    compare(widget, start, "build", tmp_path)
    compare(widget, widget.apply(OTHERS[name]), "table", tmp_path)
    packed = listed(widget.module)
    for control in (c for c in widget.module.CONTROLS if c.name in packed):
        widget.reset()
        value = ends(control)[-1]
        compare(widget, widget.apply({control.name: value}), "table", tmp_path)
    widget.start()
    for control in widget.module.CONTROLS:
        widget.reset()
        change = {**prerequisites(control), control.name: ends(control)[-1]}
        compare(widget, widget.apply(change), "python", tmp_path)


def compare(widget: AnyWidget, state: dict[str, Any], source: str, folder: Path) -> None:
    widget.should_show(state, f"{source}: {state}")
    if source == "python":
        widget.wait_for("python")
    rows = saved_rows(widget, folder)
    about = rows[: rows.index([])]
    by = "Посчитал NumPy в браузере" if source == "python" else "Рассчитано при сборке сайта"
    assert about[0] == [" ".join(widget.module.TITLE.split())], "the title comes first"
    assert about[-1] == ["источник", by], f"{state}: who computed?"
    labels = {row[0] for row in about[1:-1]}
    for control in widget.module.CONTROLS:
        counts = control.needs is None or state[control.needs[0]] in control.needs[1:]
        assert (control.label in labels) == counts, f"{state}: «{control.label}» in the file"
    readouts = made_readouts(widget, state)
    place = rows.index([]) + 1
    assert rows[place : place + len(readouts)] == readouts, f"{state}: other readouts are saved"
    wanted, got = made_tables(widget, state), tables_of(rows)
    assert sorted(got) == sorted(wanted), f"{state}: other tables are saved"
    for caption, cells in wanted.items():
        assert [row[1:] for row in got[caption][1:]] == [row[1:] for row in cells[1:]], (
            f"{state}: other cells of «{caption}» are saved"
        )
        assert len({len(row) for row in got[caption]}) == 1, f"«{caption}» is no rectangle"


# The dark theme changes values of colours only: one widget shows that they are taken over.
@pytest.mark.parametrize(
    ("scheme", "name"), [*(("light", name) for name in MODULES), ("dark", "attention")]
)
def test_the_picture_saved_is_the_picture_on_the_screen(
    visit: Open, server: StaticServer, name: str, scheme: str, tmp_path: Path
) -> None:
    widget = open_careful(
        visit,
        server,
        name,
        color_scheme=scheme,
        device_scale_factor=SCALE,
        reduced_motion="reduce",
        accept_downloads=True,
    )
    widget.page.add_style_tag(content=ALIKE)
    for change in ({}, OTHERS[name]):
        state = widget.apply(change)
        widget.should_show(state, f"{change}")
        settled(widget.page)
        look_alike(widget, f"{scheme}, {change}", tmp_path)


def look_alike(widget: AnyWidget, where: str, folder: Path) -> None:
    files = {kind: saved(widget, kind, folder) for kind in ("svg", "png")}
    screen = on_screen(widget)
    height, width = screen.shape[:2]
    assert screen.std() > 10, "the screen is empty"
    for kind, image in (
        ("svg", picture(as_drawn(widget.page, files["svg"]))),
        ("png", picture(files["png"].read_bytes())),
    ):
        for within, most in MOST.items():
            share = differing(screen, image[:height, :width], within)
            assert share <= most, (
                f"{kind}, {where}: {share:.4%} of the pixels are elsewhere by over {within} px"
            )


def on_screen(widget: AnyWidget) -> Picture:
    """The figure, cut out at the pixels on which its corner lies."""
    widget.page.mouse.move(0, 0)
    left, top, right, bottom = widget.root.locator("[data-figure]").evaluate(
        """(figure, scale) => {
          const {left, top, right, bottom} = figure.getBoundingClientRect();
          return [left, top + scrollY, right, bottom + scrollY].map(at => Math.round(at * scale));
        }""",
        SCALE,
    )
    return picture(widget.page.screenshot(full_page=True))[top:bottom, left:right]


def as_drawn(page: Page, file: Path) -> bytes:
    """The file as Chromium shows it by itself."""
    address = f"data:image/svg+xml;base64,{base64.b64encode(file.read_bytes()).decode()}"
    other = page.context.new_page()
    other.set_content(f'<body style="margin: 0"><img style="display: block" src="{address}">')
    other.locator("img").evaluate("image => image.decode()")
    shown = other.screenshot(full_page=True)
    other.close()
    return shown


@every
def test_files_of_a_dimmed_figure_say_so(widget: AnyWidget, tmp_path: Path) -> None:
    packed = listed(widget.module)
    change = (
        next(
            {**prerequisites(control), control.name: ends(control)[-1]}
            for control in widget.module.CONTROLS
            if control.name not in packed
        )
        if packed != {c.name for c in widget.module.CONTROLS}
        else None
    )
    words = "Числа устарели"
    if change is None:
        pytest.skip("every state of it is packed")
    assert words not in saved(widget, "svg", tmp_path).read_text("utf-8")
    widget.apply(change)
    expect(widget.root).to_have_attribute("data-outdated", "")
    assert any(words in row[0] for row in saved_rows(widget, tmp_path) if row), "CSV"
    drawing = ET.fromstring(saved(widget, "svg", tmp_path).read_text("utf-8"))
    shown = [part for part in drawing if part.tag.endswith("}text") or part.tag.endswith("}g")]
    told = "".join(text for part in shown for text in part.itertext())
    assert words in " ".join(told.split()), "the picture says nothing"
    pale = [part.get("opacity") for part in drawing if part.get("opacity")]
    assert pale == ["0.4"], f"the figure in the picture is not dimmed: {pale}"


@pytest.mark.parametrize("name", ["attention"], scope="module")
@pytest.mark.parametrize("sentence", ["=2+3 кот", "😀 за́мок", "@a ‮b", 'a,b "c"'])
def test_any_sentence_can_be_saved(kept_live: AnyWidget, sentence: str, tmp_path: Path) -> None:
    widget = kept_live
    field = next(c for c in widget.module.CONTROLS if isinstance(c, Text))
    state = widget.apply({field.name: sentence})
    widget.should_show(state, sentence)
    rows = saved_rows(widget, tmp_path)
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@"))], (
        "a spreadsheet would take it for a formula"
    )
    words = {
        "".join(text.itertext()).strip()
        for text in ET.fromstring(saved(widget, "svg", tmp_path).read_text("utf-8")).iter(
            "{http://www.w3.org/2000/svg}text"
        )
    }
    for token in sentence.split():
        assert any(token in word for word in words), f"{token!r} is not in the picture: {words}"
