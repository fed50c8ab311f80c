"""Tables of numbers: the texts and colours of their cells, and their HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figures.widgets.formats import BLOCKED, fixed
from figures.widgets.markup import attributes, escape
from figures.widgets.typography import bind

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
    name: str,
    caption: str,
    queries: Sequence[str],
    keys: Sequence[str],
    shown: Cells,
    *,
    blocked_text: str = BLOCKED,
    cell_text: str = CELL,
    blocked_cell_text: str = BLOCKED_CELL,
    corner: str = "запросы ↓ ключи →",
) -> str:
    """The `<table>` of `cells`.

    `cell_text` says one cell in words, with {q} {query} {k} {key} {value} to fill in.
    """
    head = "".join(
        f'<th scope="col" translate="no"><span class="aw-index">{k}</span> '
        f'<span class="aw-token">{escape(key)}</span></th>'
        for k, key in enumerate(keys, 1)
    )
    body = "".join(
        f'<tr><th scope="row" translate="no"><span class="aw-index">{q + 1}</span> '
        f'<span class="aw-token">{escape(query)}</span></th>'
        + "".join(_cell(shown, q, k, blocked_text) for k in range(len(keys)))
        + "</tr>"
        for q, query in enumerate(queries)
    )
    data = attributes(
        {
            "data-matrix": name,
            "data-blocked-text": blocked_text,
            "data-cell-text": bind(cell_text),
            "data-blocked-cell-text": bind(blocked_cell_text),
            "style": f"--columns: {len(keys)};",
        }
    )
    return (
        f'<div class="aw-scroll"><table class="aw-matrix"{data}>'
        f"<caption>{escape(caption)}</caption>"
        f'<thead><tr><td class="aw-corner"><span class="aw-axis">{escape(corner)}</span></td>'
        f"{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(shown: Cells, q: int, k: int, blocked_text: str) -> str:
    text = shown["short"][q][k]
    blocked = text is None
    values = {
        "data-row": q,
        "data-col": k,
        "data-k": "blocked" if blocked else "allowed",
        "data-short": blocked_text if blocked else text,
        "data-long": blocked_text if blocked else shown["long"][q][k],
        "style": None if blocked else f"--p: {shown.get('shade', shown['long'])[q][k]};",
    }
    number = f'<span class="aw-number">{escape(values["data-short"])}</span>'
    return f'<td translate="no"{attributes(values)}>{number}</td>'


def legend(low: str, high: str, label: str) -> str:
    """The colour scale with its numbers."""
    return (
        f'<p class="aw-legend" translate="no" role="img" aria-label="{escape(label)}">'
        f'<span data-legend="low">{escape(low)}</span><i class="aw-scale"></i>'
        f'<span data-legend="high">{escape(high)}</span></p>'
    )
