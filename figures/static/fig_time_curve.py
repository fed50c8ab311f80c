# %% [markdown]
# # Время: вся матрица и только нужные плитки
#
# Время измерено заранее, командой `make bench`: она записывает результат в
# `figures/static/bench_record.json` вместе с описанием машины. Здесь запись
# только рисуется.

# %%
import json
from datetime import date
from pathlib import Path

from matplotlib.figure import Figure

import figures
from figures.shared.formats import fixed, grouped
from figures.style import sheets
from figures.style.page import show
from figures.style.palette import colour

# %% [markdown]
# Оба способа считают одно и то же причинное внимание, и ответы совпадают с
# точностью до округления; голов в опыте восемь, числа float32.

# %%
RECORD = Path(figures.__file__).parent / "static" / "bench_record.json"
if not RECORD.is_file():
    raise FileNotFoundError(
        f"{RECORD.name} is missing: run `make bench` to measure and write it"
    )
BENCH = json.loads(RECORD.read_text(encoding="utf-8"))
ROWS = BENCH["attention"]
LAST = ROWS[-1]
GAIN = fixed(1 / LAST["ratio_full"], 1)  # median of paired runs
DATE = date.fromisoformat(BENCH["date"]).strftime("%d.%m.%Y")

TITLE = "Время: вся матрица и только нужные плитки"
CAPTION = (
    "Сколько времени занимает причинное внимание, если вычислять всю матрицу "
    "и если вычислять только нужные плитки. На длинном тексте плитки "
    f"выигрывают: при $n = {LAST['n']}$ — в {GAIN} раза. Медианы парных "
    f"замеров, {BENCH['machine']}, {DATE}."
)
DESCRIPTION = (
    "График в логарифмических осях: длина n по горизонтали, миллисекунды по "
    "вертикали. Линия полной матрицы растёт круче линии плиток: при "
    f"n = {LAST['n']} полная матрица медленнее в {GAIN} раза."
)


# %%
def draw() -> Figure:
    figure, axes = sheets.chart(height=300)
    lengths = [row["n"] for row in ROWS]
    for key, name, marker, tone in (
        ("full_ms", "вся матрица", "o", "orange"),
        ("tiled_ms", "плитки", "s", "blue"),
    ):
        times = [row[key] for row in ROWS]
        axes.plot(lengths, times, marker=marker, color=colour(tone))
        end = {
            "textcoords": "offset points",
            "va": "center",
            "color": colour(tone),
        }
        axes.annotate(name, (lengths[-1], times[-1]), (10, 0), **end)
    gap = (LAST["full_ms"] * LAST["tiled_ms"]) ** 0.5
    end = {
        "textcoords": "offset points",
        "va": "center",
        "color": colour("muted"),
    }
    axes.vlines(
        LAST["n"],
        LAST["tiled_ms"],
        LAST["full_ms"],
        color=colour("muted"),
        linewidth=1,
    )
    axes.annotate(f"в {GAIN} раза", (LAST["n"], gap), (10, 0), **end)
    axes.set(xscale="log", yscale="log", xlim=(lengths[0] * 0.9, lengths[-1] * 2.2))
    axes.set_xticks(lengths, [grouped(n) for n in lengths])
    low, high = axes.get_ylim()
    ticks = [
        tick for tick in (1, 3, 10, 30, 100, 300, 1000, 3000) if low < tick < high
    ]
    axes.set_yticks(ticks, [grouped(tick) for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel("длина n")
    axes.set_ylabel("время, мс")
    return figure


# %%
if __name__ == "__main__":
    display(show(draw(), "time_curve", DESCRIPTION))
