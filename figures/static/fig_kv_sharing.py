# %% [markdown]
# # Кто читает чьи ключи
#
# Восемь голов запросов и восемь, два или один набор ключей и значений.
# Оценки и взвешенные суммы во всех трёх случаях стоят одинаково, дешевеют
# лишь проекции ключей и значений; а в кэше лежит столько наборов, сколько
# квадратов в нижнем ряду.

# %%
from fractions import Fraction

import numpy as np
from matplotlib.figure import Figure

import attnlib
from figures.shared.formats import count
from figures.style import cells, marks, sheets
from figures.style.page import show
from figures.style.palette import colour

TITLE = "Кто читает чьи ключи"
HEADS = 8
SCHEMES = (("MHA", 8), ("GQA", 2), ("MQA", 1))
CAPTION = (
    "У MHA каждая голова запросов читает собственный набор ключей и "
    "значений. У GQA соседние головы делят один набор, у MQA набор один на "
    "все головы. Во сколько раз меньше наборов, во столько же раз меньше кэш."
)
DESCRIPTION = (
    "Три схемы, в каждой сверху восемь голов запросов, снизу наборы "
    "ключей и значений, между ними линии. MHA: наборов столько же, сколько "
    "голов, каждая голова соединена со своим. GQA: два набора, первая "
    "половина голов соединена с первым, вторая — со вторым, кэш вчетверо "
    "меньше. MQA: все головы соединены с единственным набором, кэш меньше "
    "ввосьмеро."
)

# %% [markdown]
# Кто кого читает, рисунок узнаёт у `attnlib.attention`: значения набора $i$
# — это само число $i$, и выход каждой головы равен номеру набора, который
# она прочитала.


# %%
def readers(h_kv: int) -> np.ndarray:
    """Номер набора, который читает каждая голова запросов."""
    numbers = np.arange(h_kv, dtype=float).reshape(h_kv, 1, 1)  # (h_kv, n_k, d_v)
    keys, queries = np.zeros((h_kv, 1, 1)), np.zeros((HEADS, 1, 1))
    return attnlib.attention(queries, keys, numbers)[:, 0, 0].astype(int)


def draw() -> Figure:
    figure, axes = sheets.canvas(height=362)
    size, pitch, left = (28, 24), 39, 128
    for row, (name, h_kv) in enumerate(SCHEMES):
        top = 16 + 128 * row
        read = readers(h_kv)
        saving = Fraction(h_kv, HEADS)
        marks.label(axes, (6, top + 12), name, align="left", font=14)
        marks.label(axes, (118, top + 12), "Q", align="right", tone="muted")
        marks.label(axes, (118, top + 74), "K, V", align="right", tone="muted")
        sets = count(h_kv, "набор", "набора", "наборов")
        marks.label(axes, (6, top + 36), sets, align="left")
        marks.label(axes, (6, top + 53), f"кэш {saving}", align="left")
        for index in range(h_kv):
            heads = np.flatnonzero(read == index)
            middle = left + pitch * heads.mean()
            cells.cell(
                axes, (middle, top + 62), size, str(index + 1), fill="head-3"
            )
            for x in left + pitch * heads:
                ends = ([x + 14, middle + 14], [top + 24, top + 62])
                axes.plot(*ends, color=colour("muted"), linewidth=1.4)
        for head in range(HEADS):
            corner = (left + pitch * head, top)
            cells.cell(axes, corner, size, str(head + 1), fill="head-2")
    return figure


# %%
if __name__ == "__main__":
    display(show(draw(), "kv_sharing", DESCRIPTION))
