# %% [markdown]
# # Что достижимо одной головой и двумя
#
# Шесть значений на плоскости. Нужно забрать содержимое из двух мест сразу:
# «кот» и «коврик». Голова не складывает значения как угодно: её веса
# неотрицательны и в сумме дают единицу.

# %%
import numpy as np
from matplotlib.figure import Figure

import attnlib
from figures.shared.sentence import LESSON as TOKENS
from figures.style import marks, sheets
from figures.style.page import show
from figures.style.palette import colour

TITLE = "Что достижимо одной головой и двумя"
CAPTION = (
    "Одна голова, глядя и на «кот», и на «коврик», получает одну точку "
    "выпуклой оболочки — смесь посередине, а две головы со своими весами "
    "возвращают пару точек, почти сами значения."
)
DESCRIPTION = (
    "Два одинаковых рисунка с шестью точками-значениями на плоскости и "
    "многоугольником — их выпуклой оболочкой. Слева одна голова: толстые "
    "линии весов идут к «кот» и «коврик», выход — точка внутри "
    "многоугольника посередине между ними. Справа две головы: выход "
    "первой лежит рядом с точкой «кот», выход второй — рядом с точкой "
    "«коврик»."
)

# %% [markdown]
# Оценки заданы через `bias`: `LOOK` там, куда голова смотрит, и ноль в
# остальных местах. Веса и выход считает `attnlib.attention`. Толщина линии
# пропорциональна весу.

# %%
VALUES = np.array(
    [[20, 118], [52, 22], [150, 14], [86, 122], [184, 92], [108, 172]],
    float,
)
HULL = [0, 1, 2, 4, 5]
NAME_SHIFTS = [(0, 15), (-2, -14), (10, -14), (14, 10), (-14, 17), (0, 12)]
PLAIN = np.zeros((1, len(TOKENS), 1))
LOOK = 4.0


def look(*targets: str) -> tuple[np.ndarray, np.ndarray]:
    """Выход и веса головы, которая смотрит на названные токены."""
    bias = np.array([[LOOK if token in targets else 0.0 for token in TOKENS]])
    out, weights = attnlib.attention(
        PLAIN[:, :1], PLAIN, VALUES[None], bias=bias, return_weights=True
    )
    return out[0, 0], weights[0, 0]


def draw() -> Figure:
    figure, axes = sheets.canvas(height=232)
    one = [("выход", (10, -15), "D", "wrong", look("кот", "коврик"))]
    two = [
        ("голова 1", (14, 8), "o", "blue", look("кот")),
        ("голова 2", (-62, -8), "s", "orange", look("коврик")),
    ]
    panels = (
        (10, "одна голова — одна точка", one),
        (234, "две головы — две точки", two),
    )
    for left, title, heads in panels:
        shift = np.array([left, 38])
        marks.label(axes, (left + 102, 12), title, font=12)
        axes.fill(
            *(VALUES[HULL] + shift).T,
            facecolor=colour("forbidden"),
            edgecolor=colour("muted"),
        )
        for name, place, marker, tone, (out, weights) in heads:
            for value, weight in zip(VALUES, weights, strict=True):
                ends = np.stack([out, value]) + shift
                axes.plot(
                    *ends.T, color=colour(tone), linewidth=7 * weight, alpha=0.55
                )
            axes.plot(
                *(out + shift), marker, color=colour(tone), markersize=10, zorder=4
            )
            marks.label(axes, out + shift + place, name, tone=tone, align="left")
        axes.plot(
            *(VALUES + shift).T, "o", color=colour("ink"), markersize=5, zorder=3
        )
        for token, value, offset in zip(TOKENS, VALUES, NAME_SHIFTS, strict=True):
            marks.label(axes, value + shift + offset, token)
    return figure


# %%
if __name__ == "__main__":
    display(show(draw(), "convex_hull", DESCRIPTION))
