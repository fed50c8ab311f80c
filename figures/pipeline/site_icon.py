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
SIDE = SIZE * (CELL + GAP) - GAP


def on_files(files: Files, config: MkDocsConfig) -> Files:
    sources.refresh()
    files.append(File.generated(config, URI, content=icon()))
    return files


def icon() -> str:
    from figures.style.palette import DARK, LIGHT

    boxes = "".join(_box(x, y, opacity) for x, y, opacity in cells())
    dark = f"@media (prefers-color-scheme: dark) {{ g {{ fill: {DARK['blue']} }} }}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">'
        f"<style>g {{ fill: {LIGHT['blue']} }} {dark}</style><g>{boxes}</g></svg>\n"
    )


def cells() -> list[tuple[int, int, float]]:
    """Left edge, upper edge and opacity of each cell, in a square of side SIDE."""
    import attnlib

    allowed = attnlib.masks.causal(SIZE)
    weights = attnlib.softmax(np.zeros((SIZE, SIZE)), mask=allowed)
    opacity = np.where(allowed, 0.35 + 0.65 * weights, 0.14)
    step = CELL + GAP
    return [
        (column * step, row * step, float(opacity[row, column]))
        for row, column in np.ndindex(SIZE, SIZE)
    ]


def _box(x: int, y: int, opacity: float) -> str:
    box = f'x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="1.5"'
    return f'<rect {box} opacity="{opacity:.2f}"/>'
