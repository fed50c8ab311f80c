# %% [markdown]
# # Причинная маска: до softmax и после
#
# Векторы запросов и ключей — те же случайные векторы, что и в интерактивном
# рисунке «Внимание», поэтому сходства слов по смыслу в числах искать не нужно.

# %%
from matplotlib.figure import Figure

from figures.shared.sentence import LESSON as TOKENS
from figures.shared.sentence import vectors
from figures.style import marks, sheets, tables
from figures.style.page import show
from figures.widgets.attention import weights_of

SIZE = 64  # d
TITLE = "Причинная маска: до softmax и после"
CAPTION = (
    "Вместо запрещённых оценок стоит $-\\infty$, и после softmax их веса "
    "равны нулю. Каждая строка делит свой вес только между прошлым и "
    "собой; первой строке делить его не с кем."
)
DESCRIPTION = (
    f"Две квадратные таблицы для фразы «{' '.join(TOKENS)}»: запросы по "
    "строкам, ключи по столбцам. Сверху оценки: выше диагонали клетки "
    "заштрихованы, в них минус бесконечность. Снизу веса после softmax: "
    "те же клетки заштрихованы, в них нули. В первой строке весь вес у "
    "единственного разрешённого ключа, в последней он распределён по всем "
    "ключам: запрещённое будущее не получает ничего."
)

# %% [markdown]
# Оценки, веса и маску возвращает та же функция, что работает в
# интерактивном рисунке; внутри она зовёт `attnlib.masks.causal` и
# `attnlib.softmax`. Ключ $k$ разрешён запросу $q$, если $k \le q$.


# %%
def draw() -> Figure:
    q, k = vectors(list(TOKENS), d=SIZE)
    scores, weights, allowed = weights_of(q, k, scale=True, causal=True, T=1)

    size, left, upper, lower = (52, 27), 112, 40, 272
    whole = (size[0] * len(TOKENS), size[1] * len(TOKENS))
    figure, axes = sheets.canvas(height=442)
    for top, title in ((upper, "оценки"), (lower, "веса")):
        corner = (left, top)
        tables.row_names(axes, corner, size, TOKENS)
        tables.column_names(axes, corner, size, TOKENS)
        tables.axis_names(axes, corner, whole, away=(72, 27))
        marks.label(axes, (6, top - 18), title, align="left", font=13)
    tables.numbers(axes, (left, upper), size, scores, digits=2, allowed=allowed)
    tables.weights(axes, (left, lower), size, weights, allowed=allowed)
    tables.zones(axes, (left, upper), size, allowed)
    tables.zones(axes, (left, lower), size, allowed)
    marks.arrow(axes, (left + 60, 210), (left + 60, 238))
    marks.label(axes, (left + 72, 224), "softmax по каждой строке", align="left")
    return figure


# %%
if __name__ == "__main__":
    display(show(draw(), "causal_mask", DESCRIPTION))
