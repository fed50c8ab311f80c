"""Tables of numbers: the texts and colours of their cells, and their HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figures.widgets.formats import BLOCKED, fixed
from figures.widgets.markup import attributes, escape

LEVELS = 21  # colours of the scale: --fig-weight-00 … --fig-weight-20

Cells = dict[str, list[list[Any]]]


def levels(values: NDArray[np.floating], low: float, high: float) -> list[list[int]]:
    """Place of each value on the colour scale between `low` and `high`."""
    width = high - low
    share = (values - low) / width if width > 0 else np.zeros_like(values)
    return np.rint(np.clip(share, 0, 1) * (LEVELS - 1)).astype(int).tolist()


def cells(
    values: NDArray[np.floating],
    low: float,
    high: float,
    allowed: NDArray[np.bool_] | None = None,
) -> Cells:
    """What a table shows: two decimals, four on focus, and the colour; a blocked cell is None."""
    shown = np.ones(values.shape, bool) if allowed is None else allowed
    rows = list(zip(values.tolist(), shown.tolist(), strict=True))
    return {
        "short": [[fixed(v, 2) if s else None for v, s in zip(*row, strict=True)] for row in rows],
        "long": [[fixed(v, 4) if s else None for v, s in zip(*row, strict=True)] for row in rows],
        "level": np.where(shown, levels(values, low, high), 0).tolist(),
    }


def table(
    name: str,
    caption: str,
    queries: Sequence[str],
    keys: Sequence[str],
    shown: Cells,
    *,
    blocked_text: str = BLOCKED,
    cell_text: str = "",
) -> str:
    """The `<table>` of `cells`; `cell_text` names one cell, with {q} {query} {k} {key} {value}."""
    head = "".join(
        f'<th scope="col"><span class="aw-index">{k}</span> '
        f'<span class="aw-token">{escape(key)}</span></th>'
        for k, key in enumerate(keys, 1)
    )
    body = "".join(
        f'<tr><th scope="row"><span class="aw-index">{q + 1}</span> '
        f'<span class="aw-token">{escape(query)}</span></th>'
        + "".join(_cell(shown, q, k, blocked_text) for k in range(len(keys)))
        + "</tr>"
        for q, query in enumerate(queries)
    )
    data = attributes(
        {"data-matrix": name, "data-blocked-text": blocked_text, "data-cell-text": cell_text}
    )
    return (
        f'<div class="aw-scroll"><table class="aw-matrix"{data}><caption>{escape(caption)}</caption>'
        '<thead><tr><td class="aw-corner"><span class="aw-axis">запросы ↓ ключи →</span></td>'
        f"{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(shown: Cells, q: int, k: int, blocked_text: str) -> str:
    text = shown["short"][q][k]
    blocked = text is None
    values = {
        "data-row": q,
        "data-col": k,
        "data-k": "blocked" if blocked else "allowed",
        "data-level": shown["level"][q][k],
    }
    content = escape(blocked_text if blocked else text)
    return f'<td{attributes(values)}><span class="aw-number">{content}</span></td>'


def legend(low: str, high: str, label: str) -> str:
    """The colour scale with its numbers."""
    steps = "".join(f'<i data-level="{level}"></i>' for level in range(LEVELS))
    return (
        f'<p class="aw-legend"><span data-legend="low">{escape(low)}</span>'
        f'<span class="aw-scale" role="img" aria-label="{escape(label)}">{steps}</span>'
        f'<span data-legend="high">{escape(high)}</span></p>'
    )
