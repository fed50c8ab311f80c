# %% [markdown]
# # Кэш настоящих моделей
#
# Один текст во всю длину контекста, два байта на число; формы моделей взяты
# из статей, у каждой строки `figures/widgets/models.py` назван источник.

# %%
from matplotlib.figure import Figure

from figures.style import sheets
from figures.style.page import show
from figures.style.palette import colour
from figures.widgets.formats import binary_size
from figures.widgets.models import MODELS

TITLE = "Кэш настоящих моделей"
CAPTION = (
    "Кэш полного контекста с наборами ключей, какие у модели есть "
    "(закрашено), и каким он был бы при наборе на каждую голову (контур): "
    "у моделей с GQA и MQA разница от 4 до 71 раза."
)
DESCRIPTION = (
    "Семь моделей по строкам, размер кэша по логарифмической оси. GPT-2 "
    "small 36 МиБ, GPT-3 9 ГиБ и Llama-2-7B 2 ГиБ: у них набор на каждую "
    "голову. Llama-2-70B 1.25 ГиБ вместо 10 ГиБ, Falcon-7B 16 МиБ вместо "
    "1.11 ГиБ, Mistral-7B 512 МиБ вместо 2 ГиБ, Llama-3-8B 1 ГиБ вместо 4 "
    "ГиБ."
)
LEGEND = "● как у модели\u2003○ будь у каждой головы свой набор"
TICKS = [2**power for power in (24, 27, 30, 33)]

# %% [markdown]
# Байты считает `attnlib.cost.kv_cache_bytes`; у Mistral скользящее окно, и
# в кэше лежат только последние 4096 токенов. Ось логарифмическая: одно
# деление сетки — в 8 раз.


# %%
def draw() -> Figure:
    figure, axes = sheets.chart(height=330)
    for row, model in enumerate(MODELS):
        own, full = model.cache_bytes(), model.cache_bytes(model.heads)
        ratio = model.heads // model.kv_heads
        axes.plot(
            [own, full], [row, row], color=colour("muted"), linewidth=1.4, zorder=2
        )
        axes.plot(
            full,
            row,
            "o",
            mfc=colour("paper"),
            mec=colour("muted"),
            mew=1.6,
            zorder=3,
        )
        axes.plot(own, row, "o", color=colour("blue"), markersize=9, zorder=4)
        beside = {"textcoords": "offset points", "va": "center"}
        axes.annotate(binary_size(own), (own, row), (-9, 0), ha="right", **beside)
        if ratio > 1:
            axes.annotate(
                binary_size(full), (full, row), (8, 0), ha="left", **beside
            )
            middle = (own * full) ** 0.5
            axes.annotate(
                f"×{ratio}", (middle, row), (0, 10), ha="center", **beside
            )
    axes.set_xscale("log", base=2)
    axes.set_xticks(TICKS, [binary_size(tick) for tick in TICKS])
    axes.set_xlim(2**21, 2**36)
    axes.set_xlabel(LEGEND)
    axes.set_yticks(range(len(MODELS)), [model.name for model in MODELS])
    axes.set_ylim(len(MODELS) - 0.6, -0.8)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    return figure


# %%
if __name__ == "__main__":
    display(show(draw(), "kv_cache", DESCRIPTION))
