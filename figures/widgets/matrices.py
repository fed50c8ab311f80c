"""Tables of numbers: the texts and colours of their cells, and their HTML."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from figures.shared.formats import BLOCKED, fixed
from figures.shared.typography import bind
from figures.widgets.markup import Shown, attributes, bound, escape, found

CELL = "запрос {q} ({query}), ключ {k} ({key}): {value}"
BLOCKED_CELL = "запрос {q} ({query}), ключ {k} ({key}): запрещено, {value}"

Cells = dict[str, list[list[Any]]]


def cells(
    values: NDArray[np.floating],
    allowed: NDArray[np.bool_] | None = None,
    shade: NDArray[np.floating] | None = None,
) -> Cells:
    """What a table shows: two decimals, and four on focus; a blocked cell is None.

    `shade` places each cell on the colour scale, from 0 to 1; weights are their own shade.
    """
    shown = np.ones(values.shape, bool) if allowed is None else allowed
    rows = list(zip(values.tolist(), shown.tolist(), strict=True))
    texts: Cells = {
        "short": [[fixed(v, 2) if s else None for v, s in zip(*row, strict=True)] for row in rows],
        "long": [[fixed(v, 4) if s else None for v, s in zip(*row, strict=True)] for row in rows],
    }
    if shade is not None:
        texts["shade"] = [[fixed(v, 2) for v in row] for row in shade.tolist()]
    return texts


def table(
    shown: Shown,
    name: str,
    caption: str,
    cells: str,
    *,
    mask: str | None = None,
    rows: str | None = None,
    columns: str | None = None,
    blocked_text: str | None = BLOCKED,
    cell_text: str = CELL,
    blocked_cell_text: str = BLOCKED_CELL,
    corner: str = "запросы ↓ ключи →",
    apart: bool = False,
) -> str:
    """The `<table>` of matrices of the frame, found by their paths.

    `cells` is what `cells` made, or any {"short": matrix, …} whose other matrices become data
    attributes of the cells, or one matrix, or one row, that of "$q". A cell is blocked where `mask`
    has a 0 or `cells` nothing, and shows `blocked_text`. `rows` and `columns` are lists of labels.
    `cell_text` says one cell in words, with {q} {query} {k} {key} {value} to fill in. Of tables
    that are `apart` each is pointed at alone, and equal numbers are marked in all of them. A `name`
    with a dot is a path, too. `caption` is HTML.
    """
    part = found(shown, cells)
    parts = part if isinstance(part, dict) else {"short": _matrix(part)}
    allowed = _matrix(found(shown, mask)) if mask else None
    texts = parts["short"]
    first = shown["$q"] if texts[0] is part else 0
    query = found(shown, rows) if rows else [None] * len(texts)
    key = found(shown, columns) if columns else [None] * len(texts[0])
    head = "".join(_label("col", k, token) for k, token in enumerate(key, 1))
    body = "".join(
        f"<tr>{_label('row', first + q + 1, query[q])}"
        + "".join(_cell(parts, allowed, q, k, blocked_text) for k in range(len(row)))
        + "</tr>"
        for q, row in enumerate(texts)
    )
    data = {
        "data-cells": cells,
        "data-mask": mask,
        "data-rows": rows,
        "data-columns": columns,
        "data-apart": apart,
        "data-blocked-text": blocked_text,
        "data-cell-text": bind(cell_text),
        "data-blocked-cell-text": blocked_text and bind(blocked_cell_text),
        "style": f"--columns: {len(texts[0])};",
    }
    named = bound(shown, {"data-matrix": name}) if "." in name else f' data-matrix="{name}"'
    axes = f'<td class="aw-corner"><span class="aw-axis">{escape(corner)}</span></td>'
    return (
        f'<div class="aw-scroll"><table class="aw-matrix"{named}{attributes(data)}>'
        f"<caption>{caption}</caption><thead><tr>{axes if corner else '<td></td>'}{head}</tr>"
        f"</thead><tbody>{body}</tbody></table></div>"
    )


def _matrix(values: list[Any]) -> list[list[Any]]:
    """One row is a matrix, too."""
    return values if isinstance(values[0], list) else [values]


def _label(scope: str, number: int, token: str | None) -> str:
    name = "" if token is None else f' <span class="aw-token">{escape(token)}</span>'
    index = f'<span class="aw-index">{number}</span>'
    return f'<th scope="{scope}" translate="no">{index}{name}</th>'


def _cell(
    parts: Cells, allowed: list[list[int]] | None, q: int, k: int, blocked_text: str | None
) -> str:
    part = {name: values[q][k] for name, values in parts.items() if isinstance(values, list)}
    shade = part.pop("shade", part.get("long"))
    part.setdefault("long", part["short"])
    blocked = part["short"] is None or (allowed is not None and not allowed[q][k])
    if blocked:
        part["short"], part["long"], shade = blocked_text, blocked_text, None
    values = {
        "data-row": q,
        "data-col": k,
        "data-k": blocked_text and ("blocked" if blocked else "allowed"),
        **{f"data-{name}": value for name, value in part.items()},
        "style": None if shade is None else f"--p: {shade};",
    }
    number = f'<span class="aw-number">{escape(part["short"])}</span>'
    return f'<td translate="no"{attributes(values)}>{number}</td>'


def legend(low: str, high: str, label: str) -> str:
    """The colour scale with its numbers, which are HTML."""
    return (
        f'<p class="aw-legend" translate="no" role="img" aria-label="{escape(label)}">'
        f'<span>{low}</span><i class="aw-scale"></i><span>{high}</span></p>'
    )
