# %% [markdown]
# # Четыре маски
#
# Все четыре — логические матрицы $n \times n$ из `attnlib.masks`: `True`
# там, где смотреть можно. Текст короткий, чтобы была видна каждая клетка.

# %%
import numpy as np
from matplotlib.figure import Figure

from attnlib import masks
from figures.style import marks, sheets, tables
from figures.style.page import show

TITLE = "Четыре маски"
CAPTION = (
    "Причинная маска запрещает будущее, padding-маска — столбцы "
    "заполнителя, скользящее окно — всё, кроме собственного ключа и "
    "ближайших прошлых, блочно-разреженная — всё вне выбранных блоков."
)
N, REAL, WINDOW, BLOCK = 12, 8, 4, 3
DESCRIPTION = (
    f"Четыре таблицы {N} на {N}, запросы по строкам, ключи по столбцам; "
    "запрещённые клетки заштрихованы. Причинная: разрешён нижний "
    f"треугольник с диагональю. Padding: запрещены столбцы после {REAL}-го. "
    f"Скользящее окно: разрешена полоса шириной {WINDOW} под диагональю и с "
    f"нею. Блочно-разреженная: разрешены блоки {BLOCK} на {BLOCK} на "
    "диагонали и первый столбец блоков. Механизм один, различается только "
    "то, что запрещено."
)

# %% [markdown]
# Ширина окна считает и собственный ключ запроса. У padding-маски `REAL`
# настоящих токенов, остальное — заполнитель. Под матрицей — число
# разрешённых клеток, из доли `attnlib.masks.share`.

# %%
BLOCKS = N // BLOCK
PATTERN = np.eye(BLOCKS, dtype=bool) | (np.arange(BLOCKS) == 0)
FOUR = (
    ("причинная", masks.causal(N)),
    (
        f"padding, {REAL} токенов из {N}",
        np.broadcast_to(masks.padding([REAL], N)[0, 0], (N, N)),
    ),
    (f"скользящее окно, w = {WINDOW}", masks.sliding_window(N, WINDOW)),
    (
        f"блочно-разреженная, {BLOCK} × {BLOCK}",
        masks.block_sparse(N, BLOCK, PATTERN),
    ),
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
