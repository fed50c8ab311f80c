# %% [markdown]
# # Четыре маски
#
# Все четыре — логические матрицы $n \times n$ из `attnlib.masks`: `True`
# там, где смотреть можно. Здесь $n = 12$, чтобы была видна каждая клетка.

# %%
import numpy as np
from matplotlib.figure import Figure

from attnlib import masks
from figures.style import marks, sheets, tables
from figures.style.page import show

TITLE = "Четыре маски"
CAPTION = (
    "Причинная запрещает будущее, padding — столбцы заполнителя, "
    "скользящее окно — всё, кроме ближайших ключей, блочно-разреженная — "
    "всё вне выбранных блоков."
)
DESCRIPTION = (
    "Четыре матрицы 12 на 12, запросы по строкам, ключи по столбцам; "
    "запрещённые клетки заштрихованы. Причинная: разрешён нижний "
    "треугольник с диагональю. Padding: запрещены четыре последних "
    "столбца. Скользящее окно: разрешена полоса шириной 4 вдоль "
    "диагонали. Блочно-разреженная: разрешены блоки 3 на 3 на диагонали и "
    "первый столбец блоков."
)
N = 12

# %% [markdown]
# Окно $w = 4$ считает и сам запрос. У padding-маски — 8 настоящих токенов и
# 4 заполнителя. Под именем — доля разрешённых клеток,
# `attnlib.masks.share`.

# %%
PATTERN = np.eye(4, dtype=bool) | (np.arange(4) == 0)
FOUR = (
    ("причинная", masks.causal(N)),
    (
        "padding, 8 токенов из 12",
        np.broadcast_to(masks.padding([8], N)[0, 0], (N, N)),
    ),
    ("скользящее окно, w = 4", masks.sliding_window(N, 4)),
    ("блочно-разреженная, 3 × 3", masks.block_sparse(N, 3, PATTERN)),
)


def draw() -> Figure:
    size = (15, 15)
    figure, axes = sheets.canvas(height=506)
    for index, (title, allowed) in enumerate(FOUR):
        x, y = corner = (30 + 222 * (index % 2), 44 + 258 * (index // 2))
        count = f"разрешено {int(masks.share(allowed) * N * N)} из {N * N}"
        marks.label(axes, (x + 90, y - 32), title)
        tables.axis_names(axes, (x, y), (180, 180), away=(13, 11))
        marks.label(axes, (x + 90, y + 192), count, tone="muted")
        tables.mask(axes, corner, size, allowed)
    return figure


# %%
if __name__ == "__main__":
    display(show(draw(), "four_masks", DESCRIPTION))
