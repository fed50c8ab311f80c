# %% [markdown]
# # Шум косинуса при малом $d$
#
# Для каждого размера головы берём много пар независимых гауссовых векторов и
# меряем стандартное отклонение их косинуса.

# %%
import numpy as np
from matplotlib.figure import Figure

from attnlib.measures import cosine_noise
from figures.shared.formats import fixed
from figures.style import sheets
from figures.style.page import show
from figures.style.palette import colour

TITLE = "Шум косинуса при малом d"
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768, 1024)
MARKED = (8, 64, 768)
PAIRS = 4000
CAPTION = (
    "Разброс косинуса случайных векторов падает как $1/\\sqrt{d}$: при "
    f"$d = {MARKED[0]}$ чужой ключ легко выглядит похожим на запрос, при "
    f"$d = {MARKED[1]}$ уже редко."
)
DESCRIPTION = (
    f"График в логарифмических осях: размер головы d от {min(SIZES)} до "
    f"{max(SIZES)} и стандартное отклонение косинуса. Измеренные точки "
    "лежат на убывающей прямой 1/√d. Отмечены "
    + ", ".join(f"d = {d} ({fixed(cosine_noise(d), 3)})" for d in MARKED)
    + ": чем больше голова, тем реже чужой ключ похож на запрос."
)

# %% [markdown]
# Прямая — `attnlib.measures.cosine_noise`, точки — измерение: косинус есть
# скалярное произведение векторов, приведённых к единичной длине.


# %%
def measured(d: int) -> float:
    """Стандартное отклонение косинуса по `PAIRS` парам."""
    pairs = np.random.default_rng(d).standard_normal((2, PAIRS, d))
    pairs /= np.linalg.norm(pairs, axis=-1, keepdims=True)
    return float(np.vecdot(*pairs).std())


def draw() -> Figure:
    figure, axes = sheets.chart(height=290)
    theory = [cosine_noise(d) for d in SIZES]
    axes.plot(SIZES, theory, color=colour("orange"))
    axes.plot(SIZES, [measured(d) for d in SIZES], "o", color=colour("blue"))
    axes.annotate(
        "1/√d",
        (2, cosine_noise(2)),
        (10, 4),
        textcoords="offset points",
        color=colour("orange"),
    )
    axes.text(1.2, 0.025, "● измерено", color=colour("blue"))
    for d in MARKED:
        noise = cosine_noise(d)
        axes.vlines(
            d,
            0.02,
            noise,
            color=colour("muted"),
            linestyle=(0, (3, 3)),
            linewidth=1,
        )
        text = f"d = {d}\n{fixed(noise, 3)}"
        axes.annotate(text, (d, noise), (6, 6), textcoords="offset points")
    axes.set(xscale="log", yscale="log", xlim=(0.9, 3000), ylim=(0.02, 1.5))
    axes.set_xticks([1, 8, 64, 768], ["1", "8", "64", "768"])
    axes.set_yticks([0.03, 0.1, 0.3, 1], ["0.03", "0.1", "0.3", "1"])
    axes.set_xlabel("размер головы d")
    axes.set_ylabel("разброс косинуса")
    return figure


# %%
if __name__ == "__main__":
    display(show(draw(), "cosine_noise", DESCRIPTION))
