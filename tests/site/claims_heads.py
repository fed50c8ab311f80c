"""Numbers of the lesson's opening and of sections 1 and 2."""

from __future__ import annotations

import numpy as np

from attnlib import cost, measures, pitfalls, split_heads
from figures.widgets.noise_model import wrong_share
from tests.site.lesson_registry import Claim, Table, decimals, percent, says, table
from tests.site.models import MODELS

D, N = 768, 1024
NEAR, OTHERS = 0.5, 127

PRODUCTS = cost.products_madds(1, 1)
PROJECTIONS = cost.projections_madds(1, 1)
POWERS = (cost.products_madds(10, 1) // PRODUCTS, cost.projections_madds(1, 10) // PROJECTIONS)
N_POWER, D_POWER = (len(str(power)) - 1 for power in POWERS)
LAYER = (PRODUCTS, N_POWER, PROJECTIONS, D_POWER)


def channel_owners(split: object, h: int, d: int) -> np.ndarray:
    """How many channels of each right head (across) each head of `split` gets (down)."""
    channels = np.arange(h * d).reshape(1, 1, h * d)
    heads = split(channels, h)[0, :, 0]  # type: ignore[operator]
    return np.stack([np.bincount(head // d, minlength=h) for head in heads])


def spread(d: int) -> str:
    return decimals(measures.cosine_noise(d), 3)


TOKENS = np.arange(24).reshape(1, 2, 12)
RIGHT = split_heads(TOKENS, 3)[0]
SWAPPED = pitfalls.split_heads_d_h(TOKENS, 3)[0]
RESHAPED = pitfalls.split_heads_without_transpose(TOKENS, 3)[0]
MIXED = channel_owners(pitfalls.split_heads_d_h, 12, 64)


def _cost_row(count: int) -> tuple[None, int, int]:
    return (None, count, count)


OPENING: list[Claim | Table] = [
    says("неотрицательные числа с суммой #", 1),
    says("Весь слой стоит $#n^#D + #nD^#$", *LAYER),
]

HEADS: list[Claim | Table] = [
    says(r"\bigl(\text{head}_#, \dots, \text{head}_h\bigr)", 1),
    says(r"\sum_{i=#}^{h} \text{head}_i", 1),
    says(r"$# \cdot n \cdot D \cdot D = #nD^#$", PROJECTIONS, PROJECTIONS, D_POWER),
    says(r"$h \cdot n \cdot d \cdot n = n^#D$, так как $hd = D$", N_POWER),
    says(r"$h \cdot n \cdot n \cdot d = n^#D$", N_POWER),
    says("Вместе $#n^#D + #nD^#$ — ровно столько же", *LAYER),
    says("При $D = #$ и $n = #$:", D, N),
    says("что считаем | # голов по # | # головы по #", 12, D // 12, 24, D // 24),
    says("четыре проекции, $#nD^#$", PROJECTIONS, D_POWER),
    says("оценки и взвешенные суммы, $#n^#D$", PRODUCTS, N_POWER),
    says("оценок и экспонент, $n^#h$", 2),
    table(
        "что считаем | 12 голов по 64 | 24 головы по 32",
        _cost_row(cost.projections_madds(N, D)),
        _cost_row(cost.products_madds(N, D)),
        _cost_row(cost.attention_madds(N, D)),
        (None, 12 * N**2, 24 * N**2),
    ),
    says("разрезана на полосы по $d = #$", 12 // 3),
    says("осями под номерами #, #, #, #", *range(4)),
    says("у первого токена это #–#, у второго — #–#", 0, RIGHT[0, 1, 0] - 1, RIGHT[0, 1, 0], 23),
    says("то же самое при $D = #$", 6),
    says("Первой голове достались каналы с числами #, #, # и #", *SWAPPED[0, 0].tolist()),
    says(
        "при # головах по # каждая неверная голова собирает по #–# каналов от каждой из # верных",
        *(12, 64, int(MIXED.min()), int(MIXED.max()), 12),
    ),
    says("лежат числа #–# — это второй", int(RESHAPED[2, 0].min()), int(RESHAPED[2, 0].max())),
]

WHY_HEADS: list[Claim | Table] = [
    says("неотрицательными весами $p_k$, дающими в сумме #", 1),
    says("чем больше голов, тем они меньше. При $D = #$:", D),
    table(
        "$h$ | $d$ | что происходит",
        *((h, D // h, None) for h in (1, 12, 96)),
    ),
    says("При $n = #$ и $d = #$ все # строки оценок — смеси", N, 8, N),
    says("у которых среднее # и дисперсия #", 0, 1),
    says("слагаемых с дисперсией #, значит", 1),
    says(r"после деления на $\sqrt{d}$ — опять #", 1),
    says(r"\qquad \sigma = \frac{#}{\sqrt{d}}", 1),
    says(
        "При $d = #$ это #, при $d = #$ — #, при $d = #$ — #",
        *(part for d in (8, 64, D) for part in (d, spread(d))),
    ),
    says("При $d = #$ случайный ключ то и дело", 8),
    says(r"Разброс косинуса случайных векторов падает как $#/\sqrt{d}$", 1),
    says("при $d = #$ чужой ключ легко выглядит похожим на запрос, при $d = #$", 8, 64),
    says("косинус нужного ключа равен #, а рядом # случайных", NEAR, OTHERS),
    says("доля ошибок равна $# - (# - p)^{#}$", 1, 1, OTHERS),
    says("пропорциональной $(# - x^#)^{(d - #)/#}$, правее точки #:", 1, 2, 3, 2, NEAR),
    says(r"$d$ | $\sigma = #/\sqrt{d}$ | доля ошибок", 1),
    table(
        r"$d$ | $\sigma = 1/\sqrt{d}$ | доля ошибок",
        *(
            (d, spread(d), f"{percent(wrong_share(d, NEAR, OTHERS), places)} %")
            for d, places in ((8, 3), (16, 1), (32, 1), (64, 2), (128, 5))
        ),
    ),
    says("почти у всех моделей $d$ лежит между # и #", 32, 128),
    *(
        says(
            f"{model.name} | # × #{sets} | # | ⟦{model.source}⟧",
            model.heads,
            model.head_size,
            *([model.kv_heads] if sets else []),
            model.heads * model.head_size,
            source=model.source,
        )
        for name in ("GPT-2 small", "GPT-3", "Llama-2-7B", "Mistral-7B", "Llama-3-8B")
        for model in [MODELS[name]]
        for sets in [" (ключей и значений — # наборов)" if model.kv_heads < model.heads else ""]
    ),
    says(
        "ширина выросла в # раз, число голов — в #, а $d$ — только в #",
        MODELS["GPT-3"].width // MODELS["GPT-2 small"].width,
        MODELS["GPT-3"].heads // MODELS["GPT-2 small"].heads,
        MODELS["GPT-3"].head_size // MODELS["GPT-2 small"].head_size,
    ),
    says("Что значат «# наборов»", MODELS["Llama-3-8B"].kv_heads),
]

SUMMARY: list[Claim | Table] = [
    says("число оценок и экспонент растёт как $n^#h$", 2),
    says(r"косинуса случайных ключей $#/\sqrt{d}$, поэтому обычно $d$ от # до #", 1, 32, 128),
]

CLAIMS = [*OPENING, *HEADS, *WHY_HEADS, *SUMMARY]
