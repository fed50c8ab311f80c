"""Numbers of the lesson's opening and of sections 1 and 2."""

from __future__ import annotations

from itertools import product
from math import isclose, sqrt

import numpy as np

from attnlib import attention, cost, measures, pitfalls, softmax, split_heads
from figures.widgets.noise_model import overtaking_share, wrong_share
from tests.site.lesson_registry import Claim, fit, percent, says
from tests.site.sources import MODELS, Model, fact
from tests.site.text_parts import example, script


def layer() -> tuple[int, ...]:
    """Numbers of 2n²D + 4nD² in their order, from the library's costs."""
    return fit(lambda n, D, a, b, c, d: a * n**b * D + c * n * D**d, cost.attention_madds)


def products() -> tuple[int, ...]:
    return fit(lambda n, D, a, b: a * n**b * D, cost.products_madds)


def projections() -> tuple[int, ...]:
    return fit(lambda n, D, a, b: a * n * D**b, cost.projections_madds)


def half_of_products() -> tuple[int, ...]:
    """What the scores cost, or the sums: D heads of one channel take a multiplication for each."""
    return fit(lambda n, D, a: n**a * D, scores)


def scores(n: int, h: int) -> int:
    """How many weights h heads make of n tokens."""
    x = np.zeros((h, n, 1))
    return attention(x, x, x, return_weights=True)[1].size


def rows(n: int) -> int:
    x = np.zeros((n, 1))
    return attention(x, x, x, return_weights=True)[1].shape[0]


def head_size(width: int, h: int) -> int:
    return split_heads(np.zeros((1, 1, width)), h).shape[-1]


def channel_owners(h: int, d: int) -> np.ndarray:
    """How many channels of each right head (across) each head of the wrong split gets (down)."""
    heads = pitfalls.split_heads_d_h(np.arange(h * d).reshape(1, 1, h * d), h)[0, :, 0]
    return np.stack([np.bincount(head // d, minlength=h) for head in heads])


def signs_measured() -> tuple[float, ...]:
    """Mean and variance of a component ±1, variance of a term of q·k, and of q·k/√d."""
    signs = np.array([-1, 1])
    q = k = np.array(list(product(signs, repeat=3)))
    terms = q[:, None] * k[None]
    dots = terms.sum(axis=-1) / sqrt(q.shape[-1])
    return float(signs.mean()), float(signs.var()), float(terms[..., 0].var()), float(dots.var())


def density() -> tuple[int, ...]:
    """Numbers of the density of a cosine, from how often a random key overtakes."""
    x = np.arange(-1999.5, 2000) / 2000

    def share(d: int, a: int, b: int, c: int, e: int) -> float:
        with np.errstate(all="ignore"):
            heights = np.sign(a - x**b) * np.abs(a - x**b) ** ((d - c) / np.float64(e))
            return float(heights[x > 0.3].sum() / heights.sum())

    probes = {d: overtaking_share(d, 0.3) for d in (7, 13)}
    (found,) = (
        numbers
        for numbers in product(range(6), repeat=4)
        if all(isclose(share(d, *numbers), wanted, rel_tol=2e-3) for d, wanted in probes.items())
    )
    return found


def best_sizes() -> list[float]:
    """Sizes of a head that gave the highest BLEU."""
    bleu = {scored[0]: scored[1] for scored in _bleu()}
    return sorted(size for size, score in bleu.items() if score == max(bleu.values()))


def _bleu() -> list[tuple[float, float]]:
    numbers = iter(fact("BLEU by the size of a head"))
    return list(zip(numbers, numbers, strict=True))


def corridor() -> tuple[float, float]:
    """From the smallest of the best in the experiment to the largest among the models shown."""
    return best_sizes()[0], max(model.head_size for model in MODELS.values())


def translation() -> tuple[float, ...]:
    bleu = dict(_bleu())
    low, high = best_sizes()
    rest = sorted((size for size in bleu if size not in (low, high)), key=lambda size: -bleu[size])
    return (low, high, bleu[low], *(part for size in rest for part in (size, bleu[size])))


def exceptions() -> tuple[float, ...]:
    (gpt_j,) = fact("GPT-J: size of a head")
    heads, size, width = fact("Gemma-7B: heads, their size, width")
    assert size == gpt_j, "one number is said of both"
    deepseek = sum(fact("DeepSeek-V3: content and position parts of a query"))
    return gpt_j, deepseek, heads * size, width


def shape(model: Model) -> tuple[int, ...]:
    sets = [model.kv_heads] if model.kv_heads < model.heads else []
    return (model.heads, model.head_size, *sets, model.width)


OPENING = [
    says("неотрицательные числа с суммой #", gives=lambda: softmax([0.3, 0.8]).sum()),
    says("стоит $#n^#D + #nD^#$", gives=layer),
]

HEADS = [
    says(r"\bigl(\text{head}_#, \dots, \text{head}_h\bigr)", gives=lambda: 1),
    says(r"\sum_{i=#}^{h} \text{head}_i", gives=lambda: 1),
    says(
        r"$# \cdot n \cdot D \cdot D = #nD^#$",
        gives=lambda: (projections()[0], projections()),
    ),
    says(
        r"$h \cdot n \cdot d \cdot n = n^#D$, так как $hd = D$",
        gives=half_of_products,
    ),
    says(r"$h \cdot n \cdot n \cdot d = n^#D$", gives=half_of_products),
    says("Вместе $#n^#D + #nD^#$ — ровно столько же", gives=layer),
    says("четыре проекции, $#nD^#$", gives=projections),
    says("оценки и взвешенные суммы, $#n^#D$", gives=products),
    says("оценок и экспонент, $n^#h$", gives=lambda: fit(lambda n, h, a: n**a * h, scores)),
    says(
        "При $D = @$ и $n = @$:",
        "что считаем | @ голов по # | @ головы по #",
        "четыре проекции, $4nD^2$ | # | #",
        "оценки и взвешенные суммы, $2n^2D$ | # | #",
        "всего умножений со сложением | # | #",
        "оценок и экспонент, $n^2h$ | # | #",
        gives=lambda D, n, few, many: (
            *(head_size(D, few), head_size(D, many)),
            *(cost.projections_madds(n, D), cost.projections_madds(n, D)),
            *(cost.products_madds(n, D), cost.products_madds(n, D)),
            *(cost.attention_madds(n, D), cost.attention_madds(n, D)),
            *(scores(n, few), scores(n, many)),
        ),
    ),
    says(
        "Запросы $Q$ разрезаны на полосы по $d = #$",
        gives=lambda: head_size(script("split_heads").WIDTH, script("split_heads").HEADS),
    ),
    says(
        "осями под номерами #, #, #, #",
        gives=lambda: range(split_heads(np.zeros((7, 7, 49)), 7).ndim),
    ),
    says(
        "у первого токена это #–#, у второго — #–#",
        gives=lambda: [(token.min(), token.max()) for token in example("swapped")["q"][0]],
    ),
    says("то же самое при $D = #$", gives=lambda: script("split_orders").WIDTH),
    says(
        "Первой голове достались каналы с числами #, #, # и #",
        gives=lambda: example("swapped")["swapped"][0, 0, 0],
    ),
    says(
        "при @ головах по @ каждая неверная голова собирает по #–# каналов от каждой из # верных",
        gives=lambda h, d: (channel_owners(h, d).min(), channel_owners(h, d).max(), h),
    ),
    says(
        "лежат числа #–# — это второй",
        gives=lambda: [f(example("swapped")["reshaped"][0, 2, 0]) for f in (np.min, np.max)],
    ),
]

NEAR = "косинус нужного ключа равен @, а рядом @ случайных"

WHY_HEADS = [
    says(
        "неотрицательными весами $p_k$, дающими в сумме #",
        gives=lambda: softmax([0.3, 0.8]).sum(),
    ),
    says(
        "чем больше голов, тем они меньше. При $D = @$:",
        "@ | # | одно распределение",
        "@ | # | обычный компромисс",
        "@ | # | оценки почти вырождены",
        "При $n = @$ и $d = #$ все # строки оценок — смеси",
        gives=lambda D, one, some, many, n: (
            *(head_size(D, h) for h in (one, some, many, many)),
            rows(n),
        ),
    ),
    says(
        "у которых среднее # и дисперсия #. Их произведение $q \\cdot k$ — сумма $d$ слагаемых с "
        r"дисперсией #, значит, дисперсия суммы равна $d$, а после деления на $\sqrt{d}$ — опять #",
        gives=signs_measured,
    ),
    says(
        r"\sigma = \frac{#}{\sqrt{d}}",
        gives=lambda: fit(lambda d, a: a / sqrt(d), measures.cosine_noise),
    ),
    says(
        r"$\sigma = #/\sqrt{d}$",
        gives=lambda: fit(lambda d, a: a / sqrt(d), measures.cosine_noise),
    ),
    says(
        r"случайных ключей $#/\sqrt{d}$",
        gives=lambda: fit(lambda d, a: a / sqrt(d), measures.cosine_noise),
    ),
    says(
        "При $d = @$ это #, при $d = @$ — #, при $d = @$ — #",
        gives=lambda *sizes: map(measures.cosine_noise, sizes),
    ),
    says(
        r"падает как $#/\sqrt{d}$: при $d = #$ чужой ключ легко выглядит похожим на запрос, при "
        "$d = #$ уже",
        gives=lambda: (
            fit(lambda d, a: a / sqrt(d), measures.cosine_noise),
            script("cosine_noise").MARKED[:2],
        ),
    ),
    says(
        "рядом @ случайных",
        "доля ошибок равна $# - (# - p)^{#}$",
        gives=lambda others: (
            *fit(
                lambda d, a, b: a - (b - overtaking_share(d, 0.3)) ** others,
                lambda d: wrong_share(d, 0.3, others),
            ),
            others,
        ),
    ),
    says(
        "косинус нужного ключа равен @,",
        "пропорциональной $(# - x^#)^{(d - #)/#}$, правее точки #:",
        gives=lambda near: (*density(), near),
    ),
    says(
        NEAR,
        "@ | # | # %",
        gives=lambda near, others, d: (
            measures.cosine_noise(d),
            percent(wrong_share(d, near, others)),
        ),
    ),
    says(
        NEAR,
        "Косинус # — наш выбор, и таблица от него зависит: при @ и $d = @$ голова ошибается в # % "
        "случаев, а при @ и $d = @$ — в # %",
        gives=lambda near, others, high, small, low, large: (
            near,
            percent(wrong_share(small, high, others)),
            percent(wrong_share(large, low, others)),
        ),
    ),
    says("у большинства моделей $d$ лежит между # и #", gives=corridor),
    says("поэтому обычно $d$ от # до #", gives=corridor),
    says(
        "лучше всех модели с $d = #$ и $d = #$ (BLEU #), хуже с $d = #$ (#) и $d = #$ (#), хуже "
        "всех одна голова с $d = #$ (#)",
        gives=translation,
        cites="vaswani2017",
    ),
    says(
        "$d = #$ у GPT-J (⟦wang2021⟧) и у Gemma-7B (⟦gemma2024⟧), а у DeepSeek-V3 запросы и ключи "
        "головы состоят из # чисел (⟦deepseek2024⟧). Не обязательно и равенство $D = hd$: у "
        "Gemma-7B $hd = #$, а $D = #$",
        gives=exceptions,
    ),
    *(
        says(
            f"{model.name} | # × #{sets} | # | ⟦{model.source}⟧",
            gives=lambda name=name: shape(MODELS[name]),
            cites=model.source,
        )
        for name in ("GPT-2 small", "GPT-3", "Llama-2-7B", "Mistral-7B", "Llama-3-8B")
        for model in [MODELS[name]]
        for sets in [" (ключей и значений — # наборов)" if model.kv_heads < model.heads else ""]
    ),
    says(
        "ширина выросла в # раз, число голов — в #, а $d$ — только в #",
        gives=lambda: (
            MODELS["GPT-3"].width // MODELS["GPT-2 small"].width,
            MODELS["GPT-3"].heads // MODELS["GPT-2 small"].heads,
            MODELS["GPT-3"].head_size // MODELS["GPT-2 small"].head_size,
        ),
    ),
    says("Что значат «# наборов»", gives=lambda: MODELS["Llama-3-8B"].kv_heads),
]

SUMMARY = [
    says(
        "число оценок и экспонент растёт как $n^#h$",
        gives=lambda: fit(lambda n, h, a: n**a * h, scores),
    ),
]

CLAIMS: list[Claim] = [*OPENING, *HEADS, *WHY_HEADS, *SUMMARY]
