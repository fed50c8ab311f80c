# %% [markdown]
# # Верный порядок осей и две тихие ошибки
#
# Два токена, шесть каналов, три головы. Числа идут по строкам: первая
# половина принадлежит первому токену, вторая — второму.

# %%
import numpy as np
from matplotlib.figure import Figure

import attnlib
from attnlib import pitfalls
from figures.style import marks, sheets, tables
from figures.style.page import show

TITLE = "Верный порядок осей и две тихие ошибки"
CAPTION = (
    "Все три разбиения дают одну и ту же форму $(h, n, d)$ и не вызывают "
    "ошибки, но порядок `(d h)` раздаёт головам чужие каналы, а `reshape` "
    "без перестановки смешивает токены."
)
TOKENS, WIDTH, HEADS = 2, 6, 3
DESCRIPTION = (
    "Три ряда, в каждом слева два токена по шесть каналов, пронумерованных "
    "подряд, справа три головы. Верно, (h d): первая голова получает два "
    "первых канала каждого токена. Порядок (d h): первая голова получает "
    "каналы вразбивку, первый и четвёртый. Reshape без перестановки: обе "
    "строки первой головы взяты из первого токена, строки второй — из "
    "разных. Форма во всех трёх случаях одна, и ошибки форм не видно."
)

# %% [markdown]
# Верное разбиение — `attnlib.split_heads`; обе ошибки лежат в
# `attnlib.pitfalls` под своими именами. Цвет числа слева назначается по
# ответу: он показывает, в какую голову число попало.

# %%
SPLITS = (
    (
        "верно:  b n (h d) → b h n d",
        "соседние каналы, токены целы",
        attnlib.split_heads,
    ),
    (
        "ошибка:  b n (d h) → b h n d",
        "каналы взяты вразбивку",
        pitfalls.split_heads_d_h,
    ),
    (
        "ошибка:  reshape(b, h, n, d)",
        "токены перемешаны",
        pitfalls.split_heads_without_transpose,
    ),
)


def draw() -> Figure:
    x = np.arange(TOKENS * WIDTH).reshape(1, TOKENS, WIDTH)
    size, left, right = (27, 25), 58, 256
    figure, axes = sheets.canvas(height=362)
    for row, (title, result, split) in enumerate(SPLITS):
        heads = split(x, HEADS)[0]  # (h, n, d)
        owner = {value: head for head in range(HEADS) for value in heads[head].flat}
        top = 34 + 124 * row
        tone = "wrong" if row else "ink"
        marks.label(axes, (6, top - 18), title, tone=tone, align="left", font=12)
        marks.label(axes, (434, top - 18), result, tone=tone, align="right")
        tables.numbers(
            axes,
            (left, top),
            size,
            x[0],
            fill=lambda i, j, o=owner: f"head-{o[x[0, i, j]] + 1}",
        )
        tables.row_names(axes, (left, top), size, ("токен 1", "токен 2"))
        marks.arrow(
            axes, (left + WIDTH * size[0] + 6, top + 25), (right - 8, top + 25)
        )
        for head, block in enumerate(heads):
            corner = (right + 62 * head, top)
            tables.numbers(
                axes, corner, size, block, fill=lambda i, j, h=head: f"head-{h + 1}"
            )
            marks.label(axes, (corner[0] + 27, top + 62), f"голова {head + 1}")
    return figure


# %%
if __name__ == "__main__":
    display(show(draw(), "split_orders", DESCRIPTION))
