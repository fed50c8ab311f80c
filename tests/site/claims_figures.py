"""Numbers in what the figures say to those who do not see them."""

from __future__ import annotations

import numpy as np

from attnlib import measures
from tests.site.claims_cost import MEASURED, gain, in_units, unit
from tests.site.claims_cost import cache as cached
from tests.site.lesson_registry import Claim, fit, says
from tests.site.sources import MODELS
from tests.site.text_parts import script


def marked() -> list[tuple[int, float]]:
    return [(d, measures.cosine_noise(d)) for d in script("cosine_noise").MARKED]


def _held() -> str:
    """The list of models whose heads have sets of their own, and of those that share."""
    own, shared = [], []
    for name, model in MODELS.items():
        shown = f"{name}{' v0.1' * (name == 'Mistral-7B')} # {unit(cached(model))}"
        if model.kv_heads == model.heads:
            own.append(shown)
        else:
            shared.append(f"{shown} вместо # {unit(cached(model, model.heads))}")
    return (
        f"кружок один: {', '.join(own)}. У остальных кэш меньше, чем был бы при наборе на каждую "
        f"голову: {', '.join(shared)}."
    )


def held() -> list[float]:
    models = MODELS.values()
    own = [in_units(cached(m)) for m in models if m.kv_heads == m.heads]
    shared = [(cached(m), cached(m, m.heads)) for m in models if m.kv_heads < m.heads]
    return [*own, *(in_units(count) for pair in shared for count in pair)]


CLAIMS: list[Claim] = [
    says(
        "токенов #, столбцов #, соседние столбцы",
        gives=lambda: (script("split_heads").TOKENS, script("split_heads").WIDTH),
    ),
    says(
        "размер головы d от # до # и стандартное",
        gives=lambda: [f(script("cosine_noise").SIZES) for f in (min, max)],
    ),
    says(
        "на убывающей прямой #/√d. Отмечены d = # (#), d = # (#), d = # (#)",
        gives=lambda: (
            fit(lambda d, a: a / np.sqrt(d), lambda d: float(measures.cosine_noise(d))),
            marked(),
        ),
    ),
    says(
        "Четыре таблицы # на #, запросы",
        gives=lambda: script("four_masks").FOUR[0][1].shape,
    ),
    says(
        "запрещены столбцы после #-го",
        gives=lambda: script("four_masks").FOUR[1][1].sum(axis=-1).max(),
    ),
    says(
        "разрешена полоса шириной # под диагональю",
        gives=lambda: script("four_masks").FOUR[2][1].sum(axis=-1).max(),
    ),
    says(
        "разрешены блоки # на # на диагонали",
        gives=lambda: [script("four_masks").FOUR[3][1][0].sum()] * 2,
    ),
    says(
        "по # плиток на стороне",
        gives=lambda: script("tiles").N // script("tiles").BLOCK,
    ),
    says(
        "скользящее окно шириной # ключей",
        gives=lambda: script("tiles").VARIANTS[1][1].sum(axis=-1).max(),
    ),
    says(
        "при n = # полная матрица медленнее в # раза",
        gives=lambda: (MEASURED["n"], gain(MEASURED)),
    ),
    says(_held(), gives=held),
]
