"""What a reader saves of a widget, and what of it Python has made: a table of texts, a picture."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
from bs4 import BeautifulSoup, Tag
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import expect

from figures.widgets.mask_choice import chosen
from figures.widgets.masks import TABLE_UP_TO
from tests.browser.any_widget import AnyWidget

Rows = list[list[str]]
Picture = NDArray[np.uint8]

TOLD_APART = 80  # of 255: less is the edge of a letter or a line, smoothed otherwise


def saved(widget: AnyWidget, kind: str, folder: Path) -> Path:
    """The file that «Скачать» gives."""
    widget.root.get_by_text("Скачать", exact=True).click()
    with widget.page.expect_download() as download:
        widget.root.get_by_role("button", name=kind.upper(), exact=True).click()
    assert download.value.suggested_filename == f"{widget.name}.{kind}"
    file = folder / f"{widget.name}.{kind}"
    download.value.save_as(file)
    expect(widget.root.locator(".aw-menu")).not_to_have_attribute("open", "")
    return file


def saved_rows(widget: AnyWidget, folder: Path) -> Rows:
    text = saved(widget, "csv", folder).read_text("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def tables_of(rows: Rows) -> dict[str, Rows]:
    """The tables of a file by their captions: each follows an empty line."""
    parts: list[Rows] = [[]]
    for row in rows:
        if row:
            parts[-1].append(row)
        else:
            parts.append([])
    return {part[0][0]: part[1:] for part in parts[2:]}


def made_tables(widget: AnyWidget, state: dict[str, Any]) -> dict[str, Rows]:
    """The tables that Python makes of a state; of a painted mask the library's own cells."""
    figure = _visible(widget, state)
    made = {_text(table.caption): _rows(table) for table in figure.select("table")}
    if widget.name == "masks" and state["n"] > TABLE_UP_TO:
        mask = chosen(state)[0].astype(int).tolist()
        numbers = [str(k + 1) for k in range(len(mask))]
        body = [[str(q + 1), *map(str, row)] for q, row in enumerate(mask)]
        made["Маска"] = [["", *numbers], *body]
    return made


def made_readouts(widget: AnyWidget, state: dict[str, Any]) -> Rows:
    """Label, value and note of each readout that Python makes of a state."""
    figure = _visible(widget, state)
    rows = []
    for box in figure.select(".aw-readout"):
        parts = [box.select_one(css) for css in (".aw-label", "output", ".aw-note")]
        texts = [_text(part) for part in parts]
        rows.append(texts if texts[2] else texts[:2])
    return rows


def _visible(widget: AnyWidget, state: dict[str, Any]) -> BeautifulSoup:
    figure = BeautifulSoup(widget.module.html(widget.module.frame(state)), "lxml")
    for hidden in figure.select("[hidden], .aw-corner"):
        if hidden.name == "td":
            hidden.string = ""
        else:
            hidden.decompose()
    return figure


def _rows(table: Tag) -> Rows:
    return [[_text(cell) for cell in row.select("td, th")] for row in table.select("tr")]


def _text(cell: Tag | None) -> str:
    assert cell is not None
    text = str(cell.get("data-long") or cell.get_text())
    return re.sub(r"^−(?=\d)", "-", " ".join(text.split()))


def picture(data: bytes) -> Picture:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def differing(one: Picture, other: Picture, within: int) -> float:
    """Share of pixels unlike all those of the other picture that are so near, in pixels."""
    assert one.shape == other.shape, f"{one.shape} and {other.shape}"
    strange = np.zeros(one.shape[:2], bool)
    for here, there in ((one, other), (other, one)):
        low, high = _around(there, np.minimum, within), _around(there, np.maximum, within)
        below = np.maximum(low, TOLD_APART) - TOLD_APART
        above = np.minimum(high, 255 - TOLD_APART) + TOLD_APART
        strange |= ((here < below) | (here > above)).any(axis=-1)
    return float(strange.mean())


def _around(image: Picture, pick: Any, within: int) -> Picture:
    """The least or greatest value so near each pixel."""
    for _ in range(within):
        down = pick(image[1:], image[:-1])
        image = np.concatenate([image[:1], pick(down[1:], down[:-1]), image[-1:]])
        right = pick(image[:, 1:], image[:, :-1])
        middle = pick(right[:, 1:], right[:, :-1])
        image = np.concatenate([image[:, :1], middle, image[:, -1:]], axis=1)
    return image
