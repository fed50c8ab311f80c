"""MkDocs hook: the site's icon is a causal mask, computed by attnlib.

Four queries with equal scores: each row shares its weight among the keys that it may see.
"""

from __future__ import annotations

import numpy as np
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from figures.pipeline import sources

URI = "assets/images/icon.svg"
SIZE = 4
CELL = 7
GAP = 1


def on_files(files: Files, config: MkDocsConfig) -> Files:
    sources.refresh()
    files.append(File.generated(config, URI, content=icon()))
    return files


def icon() -> str:
    import attnlib
    from figures.style.palette import DARK, LIGHT

    allowed = attnlib.masks.causal(SIZE)
    weights = attnlib.softmax(np.zeros((SIZE, SIZE)), mask=allowed)
    cells = "".join(
        _cell(row, column, float(weights[row, column]) if allowed[row, column] else None)
        for row in range(SIZE)
        for column in range(SIZE)
    )
    side = SIZE * (CELL + GAP) - GAP
    dark = f"@media (prefers-color-scheme: dark) {{ g {{ fill: {DARK['blue']} }} }}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}">'
        f"<style>g {{ fill: {LIGHT['blue']} }} {dark}</style><g>{cells}</g></svg>\n"
    )


def _cell(row: int, column: int, weight: float | None) -> str:
    x, y = (index * (CELL + GAP) for index in (column, row))
    opacity = 0.14 if weight is None else 0.35 + 0.65 * weight
    box = f'x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="1.5"'
    return f'<rect {box} opacity="{opacity:.2f}"/>'
