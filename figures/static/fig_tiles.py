# %% [markdown]
# # Плитки, которые ядро считает и пропускает
#
# `attnlib.flash_attention` идёт по матрице оценок плитками и не трогает те,
# что запрещены целиком. Здесь короткий текст и маленькие плитки.

# %%
import numpy as np
from matplotlib.figure import Figure

import attnlib
from attnlib import masks
from attnlib.tiles import FULL, PARTIAL, SKIPPED
from figures.style import cells, marks, sheets, tables
from figures.style.page import show

TITLE = "Плитки, которые ядро считает и пропускает"
CAPTION = (
    "Плитку, в которой запрещено всё, ядро не вычисляет. С причинной маской "
    "ему остаётся чуть больше половины плиток, со скользящим окном — только "
    "полоса вдоль диагонали."
)
N, BLOCK, WINDOW = 64, 8, 20
DESCRIPTION = (
    f"Две сетки, по {N // BLOCK} плиток на стороне, запросы по строкам, "
    "ключи по столбцам. Слева причинная маска: плитки выше диагонали "
    "заштрихованы, они пропущены; на диагонали светлые, посчитаны с маской; "
    "ниже тёмные, посчитаны целиком. Справа скользящее окно шириной "
    f"{WINDOW} ключей: посчитана полоса из четырёх плиток вдоль диагонали, "
    "остальное пропущено. Под сетками число плиток каждого вида."
)

# %% [markdown]
# Вид каждой плитки говорит `attnlib.tile_map` — план, по которому ядро и
# считает. Числа под сетками оно возвращает само после прохода с
# `return_stats=True`.

# %%
VARIANTS = (
    ("причинная маска", masks.causal(N)),
    (f"скользящее окно, w = {WINDOW}", masks.sliding_window(N, WINDOW)),
)
X = np.zeros((N, 1))


def draw() -> Figure:
    figure, axes = sheets.canvas(height=326)
    edge = (22.5, 22.5)
    for index, (title, allowed) in enumerate(VARIANTS):
        x, y = 30 + 222 * index, 44
        _, stats = attnlib.flash_attention(
            X, X, X, mask=allowed, block_q=BLOCK, block_k=BLOCK, return_stats=True
        )
        marks.label(axes, (x + 90, y - 32), title)
        tables.axis_names(axes, (x, y), (180, 180), away=(13, 11))
        states = attnlib.tile_map(allowed, BLOCK, BLOCK)
        for (i, j), state in np.ndenumerate(states):
            cells.tile(axes, (x + edge[0] * j, y + edge[1] * i), edge, state)
        rows = (
            ("пропущено", SKIPPED, stats.skipped),
            ("с маской", PARTIAL, stats.partial),
            ("целиком", FULL, stats.full),
        )
        for row, (name, state, count) in enumerate(rows):
            top = y + 194 + 22 * row
            cells.tile(axes, (x, top), (16, 16), state)
            marks.label(axes, (x + 24, top + 8), name, align="left")
            marks.label(axes, (x + 180, top + 8), str(count), align="right")
        computed = f"посчитано {stats.partial + stats.full} плиток из {states.size}"
        marks.label(axes, (x, y + 272), computed, align="left")
    return figure


# %%
if __name__ == "__main__":
    display(show(draw(), "tiles", DESCRIPTION))
