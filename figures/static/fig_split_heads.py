# %% [markdown]
# # Ширина, разрезанная на головы
#
# Разрезают запросы, ключи и значения, каждую матрицу одинаково; на рисунке
# запросы. Матрица $Q$ заполнена номерами по порядку, чтобы за каждым числом
# можно было проследить.

# %%
import numpy as np
from matplotlib.figure import Figure

import attnlib
from figures.style import cells, marks, sheets, tables
from figures.style.page import show

TITLE = "Ширина, разрезанная на головы"
TOKENS, WIDTH, HEADS = 4, 12, 3
CAPTION = (
    "Голова — это блок соседних столбцов. Запросы $Q$ разрезаны на полосы "
    f"по $d = {WIDTH // HEADS}$, так же ключи и значения; внимание идёт в "
    "каждой полосе отдельно, выходы склеены в прежнюю ширину, и смешивает "
    "их только $W^O$."
)
DESCRIPTION = (
    f"Сверху слева матрица запросов Q: токенов {TOKENS}, столбцов {WIDTH}, "
    "соседние столбцы закрашены тремя цветами. Справа те же три блока друг "
    "под другом, это запросы трёх голов; числа внутри те же. Ниже слева "
    "выходы голов снова стоят рядом, ширина прежняя. Под ними матрица W^O, "
    "разрезанная на три горизонтальные полосы тех же цветов: каждая полоса "
    "умножает выход своей головы, и их сумма — выход слоя."
)

# %% [markdown]
# Разрезает сама библиотека: `attnlib.split_heads` переводит форму
# `(b, n, D)` в `(b, h, n, d)`. Рисунок показывает, что она вернула, и красит
# столбцы $Q$ в цвет той головы, где оказалось число.


# %%
def draw() -> Figure:
    x = np.arange(TOKENS * WIDTH).reshape(1, TOKENS, WIDTH)
    heads = attnlib.split_heads(x, HEADS)[0]  # (h, n, d)
    owner = {value: head for head in range(HEADS) for value in heads[head].flat}
    figure, axes = sheets.canvas(height=448)
    size, left, right, band = (20, 20), (54, 62), 354, (80, 80)

    marks.label(axes, (174, 12), f"Q: (n, D) = ({TOKENS}, {WIDTH})")
    tables.numbers(
        axes, left, size, x[0], fill=lambda i, j: f"head-{owner[x[0, i, j]] + 1}"
    )
    tables.row_names(axes, left, size, [f"токен {i + 1}" for i in range(TOKENS)])
    marks.label(axes, (174, 158), "b n (h d)  →  b h n d", tone="muted")
    marks.arrow(axes, (302, 102), (342, 102))
    marks.label(axes, (434, 12), f"(h, n, d) = {heads.shape}", align="right")
    marks.label(axes, (48, 258), "выходы", align="right")
    marks.label(axes, (48, 274), "голов", align="right")
    marks.arrow(axes, (342, 266), (302, 266))
    marks.arrow(axes, (90, 312), (90, 338))
    marks.label(axes, (162, 378), "каждая полоса строк умножает", align="left")
    marks.label(
        axes, (162, 396), "выход своей головы, итоги складываются", align="left"
    )
    marks.label(axes, (40, 392), "W", align="right", font=13)
    marks.label(axes, (48, 386), "O", align="right")
    marks.label(
        axes, (434, 334), "в каждой голове — внимание", align="right", tone="muted"
    )
    for head, block in enumerate(heads):
        fill, start = f"head-{head + 1}", left[0] + 80 * head
        marks.bracket(axes, start + 3, start + 77, 50)
        marks.label(axes, (start + 40, 38), f"голова {head + 1}")
        corner = (right, 42 + 99 * head)
        marks.label(axes, (right + 40, corner[1] - 10), f"голова {head + 1}")
        tables.numbers(axes, corner, size, block, fill=lambda i, j, name=fill: name)
        cells.cell(axes, (start, 226), band, f"голова {head + 1}", fill=fill)
        below = (left[0], 346 + 30 * head)
        cells.cell(axes, below, (90, 30), f"полоса {head + 1}", fill=fill)
    marks.zone(axes, (right - 4, 20), (88, 306), "split")
    marks.zone(axes, left, (240, 80), "split")
    marks.zone(axes, (left[0], 226), (240, 80), "concat")
    marks.zone(axes, (left[0], 346), (90, 90), "proj")
    return figure


# %%
if __name__ == "__main__":
    display(show(draw(), "split_heads", DESCRIPTION))
