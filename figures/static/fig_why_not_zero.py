# %% [markdown]
# # Почему не ноль
#
# Берём запрос «кот» из предложения урока: разрешены ключи «\<s\>» и «кот»,
# четыре следующих — будущее. Полоса — единица, которую softmax раздаёт
# ключам.

# %%
from matplotlib.figure import Figure

from attnlib import pitfalls
from figures.shared.formats import fixed
from figures.shared.sentence import LESSON as TOKENS
from figures.shared.sentence import vectors
from figures.style import cells, marks, sheets
from figures.style.page import show
from figures.widgets.attention import weights_of

TITLE = "Почему не ноль"
CAPTION = (
    "Оценка 0 — не запрет: будущее забирает часть единицы; маска после "
    "softmax теряет долю, которую softmax уже отдал будущему; только "
    "$-\\infty$ до softmax делит всю единицу между разрешёнными."
)
DESCRIPTION = (
    "Три полосы одной длины, каждая — вес, который раздаёт запрос «кот». "
    "Нулевая оценка: двум разрешённым ключам достаётся меньше четверти "
    "полосы, остальное поровну забирают четыре заштрихованных запрещённых. "
    "Маска после softmax: разрешённые ключи занимают меньше пятой части "
    "полосы, дальше пусто. Оценка минус бесконечность: два разрешённых "
    "ключа занимают всю полосу."
)
ROW = 1

# %% [markdown]
# Две верхние полосы считает `attnlib.pitfalls` — модуль о том, как делать не
# надо, нижнюю — `attnlib.softmax` с маской внутри функции
# интерактивного рисунка.


# %%
def draw() -> Figure:
    q, k = vectors(list(TOKENS), d=64)
    scores, weights, allowed = (
        m[ROW] for m in weights_of(q, k, scale=True, causal=True, T=1)
    )
    variants = (
        (
            "оценка 0 вместо −∞",
            "украдено",
            pitfalls.mask_by_zero_score(scores, allowed),
        ),
        (
            "маска после softmax",
            "потеряно",
            pitfalls.mask_after_softmax(scores, allowed),
        ),
        ("оценка −∞ до softmax", "", weights),
    )
    left, length, height = 10, 420, 40
    figure, axes = sheets.canvas(height=296)
    marks.label(
        axes, (left, 10), "веса запроса «кот» по ключам", tone="muted", align="left"
    )
    for row, (title, fault, weights) in enumerate(variants):
        top, x = 52 + 90 * row, float(left)
        tone = "wrong" if fault else "ink"
        sums = f"разрешённым {fixed(weights[allowed].sum(), 2)}"
        lost = f", {fault} {fixed(1 - weights[allowed].sum(), 2)}" if fault else ""
        marks.label(axes, (left, top - 15), title, align="left", font=12, tone=tone)
        marks.label(
            axes, (left + length, top - 15), sums + lost, align="right", tone=tone
        )
        cells.gap(axes, (left, top), (length, height))
        for token, weight, is_allowed in zip(TOKENS, weights, allowed, strict=True):
            size = (weight * length, height)
            cells.portion(
                axes, (x, top), size, (token, fixed(weight, 2)), is_allowed
            )
            x += size[0]
    return figure


# %%
if __name__ == "__main__":
    display(show(draw(), "why_not_zero", DESCRIPTION))
