# %% [markdown]
# # Кэш настоящих моделей
#
# Один текст во всю длину контекста, два байта на число. Формы моделей взяты
# из статей и опубликованных файлов настроек; у каждой строки
# `figures/shared/models.py` назван источник.

# %%
from matplotlib.figure import Figure

from figures.shared.formats import binary_size
from figures.shared.models import MODELS
from figures.style import sheets
from figures.style.page import show
from figures.style.palette import colour

SHARED = [model for model in MODELS if model.kv_heads < model.heads]
OWN = [model for model in MODELS if model.kv_heads == model.heads]
RATIOS = sorted(model.heads // model.kv_heads for model in SHARED)

TITLE = "Кэш настоящих моделей"
CAPTION = (
    "Сколько памяти занял бы кэш одного текста во всю длину контекста. "
    "Закрашенный кружок — с теми наборами ключей и значений, какие у модели "
    "есть, пустой — если бы у каждой головы был свой набор. У моделей с GQA "
    f"и MQA эти размеры различаются в {RATIOS[0]}–{RATIOS[-1]} раз."
)
DESCRIPTION = (
    "Модели по строкам, размер кэша по логарифмической оси. У моделей, где "
    "набор есть у каждой головы, кружок один: "
    + ", ".join(f"{m.name} {binary_size(m.cache_bytes())}" for m in OWN)
    + ". У остальных кэш меньше, чем был бы при наборе на каждую голову: "
    + ", ".join(
        f"{m.name} {binary_size(m.cache_bytes())} вместо "
        f"{binary_size(m.cache_bytes(m.heads))}"
        for m in SHARED
    )
    + "."
)
LEGEND = "● как у модели\u2003○ будь у каждой головы свой набор"
TICKS = [2**power for power in (24, 27, 30, 33)]

# %% [markdown]
# Байты считает `attnlib.cost.kv_cache_bytes`. Если у модели скользящее окно,
# в кэше лежат только последние токены, по ширине окна. Ось логарифмическая.


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
