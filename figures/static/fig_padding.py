# %% [markdown]
# # Предложение одно и в пакете
#
# Три токена считаются трижды: отдельно, в пакете с предложением из пяти
# токенов без padding-маски и там же с маской. Векторы случайные, у
# заполнителя они тоже какие-то есть.

# %%
import numpy as np
from matplotlib.figure import Figure

import attnlib
from attnlib import masks, pitfalls
from figures.shared.formats import fixed
from figures.style import marks, sheets, tables
from figures.style.page import show

TITLE = "Предложение одно и в пакете"
CAPTION = (
    "Одно и то же предложение трижды: само по себе, в пакете без "
    "padding-маски и в пакете с маской. Без маски часть веса достаётся "
    "заполнителю, и ответ меняется; с маской он такой же, как без пакета."
)
DESCRIPTION = (
    "Три ряда, в каждом таблица весов трёх запросов и рядом их выходы, по "
    "два числа. В первом ряду предложение одно, ключей три. Во втором оно "
    "в пакете, маску забыли: добавились два столбца заполнителя с заметными "
    "весами, и выходы стали другими. В третьем маска есть: столбцы "
    "заполнителя заштрихованы, а веса и выходы те же, что в первом ряду."
)
LENGTH, PADDED = 3, 5
NAMES = ("он", "не", "спит")

# %% [markdown]
# Как делать не надо, показывает `attnlib.pitfalls`: это то же внимание,
# которому маску не передали. Отличие — наибольшее по модулю среди выходов настоящих
# токенов.


# %%
def draw() -> Figure:
    rng = np.random.default_rng(7)
    q, k, v = rng.standard_normal((3, 1, 1, PADDED, 2))  # (b, h, n, d)
    short = [x[..., :LENGTH, :] for x in (q, k, v)]
    allowed = masks.padding([LENGTH], PADDED)
    alone = attnlib.attention(*short, return_weights=True)
    unmasked = attnlib.attention(q, k, v, return_weights=True)[1]
    forgotten = (pitfalls.attention_forgetting_padding(q, k, v), unmasked)
    masked = attnlib.attention(q, k, v, mask=allowed, return_weights=True)
    variants = (
        ("одно", alone, None),
        ("в пакете, маску забыли", forgotten, None),
        ("в пакете с маской", masked, allowed),
    )
    size, left, right = (42, 25), 50, 340
    figure, axes = sheets.canvas(height=412)
    for row, (title, (out, weights), mask) in enumerate(variants):
        top = 50 + 140 * row
        out, weights = out[0, 0, :LENGTH], weights[0, 0, :LENGTH]
        seen = None if mask is None else np.broadcast_to(mask[0, 0], weights.shape)
        wrong = np.abs(out - alone[0][0, 0]).max()
        marks.label(axes, (6, top - 34), title, align="left", font=12)
        tables.row_names(axes, (left, top), size, NAMES)
        tables.column_names(axes, (left, top), size, NAMES)
        tables.weights(axes, (left, top), size, weights, allowed=seen)
        tables.numbers(axes, (right, top), size, out, digits=2)
        marks.arrow(
            axes, (left + 5 * size[0] + 12, top + 37), (right - 10, top + 37)
        )
        marks.label(axes, (right + 42, top - 9), "выход", tone="muted")
        if row:
            marks.label(
                axes, (left + 4 * size[0], top - 9), "заполнитель", tone="muted"
            )
            note = f"отличие от одиночного {fixed(wrong, 2)}"
            tone = "wrong" if wrong > 1e-9 else "ink"
            marks.label(axes, (434, top - 34), note, align="right", tone=tone)
    return figure


# %%
if __name__ == "__main__":
    display(show(draw(), "padding", DESCRIPTION))
