"""Section 2: how the size of a head sets the noise of its similarities."""

from __future__ import annotations

from math import isclose

from attnlib import measures
from figures.questions.model import Choice, Option
from figures.shared.formats import trimmed


def cosine_spread() -> Choice:
    """How much wider the cosine of unrelated vectors spreads in a small head."""
    small, large = 8, 128
    noise = {d: measures.cosine_noise(d) for d in (small, large)}
    ratio = noise[small] / noise[large]
    measured = (
        f"σ = 1/√d: {trimmed(noise[small], 3)} при d = {small} и {trimmed(noise[large], 3)} "
        f"при d = {large}"
    )
    answers = (
        (
            "он одинаков",
            1.0,
            "От d не зависит дисперсия оценки q·k/√d. Косинус делится ещё и на длины векторов, "
            f"и его {measured}.",
        ),
        (
            f"в {large // small} раз",
            large / small,
            f"В {large // small} раз отличаются размеры и дисперсии, а разброс σ — корень из "
            f"дисперсии: {measured}.",
        ),
        (
            f"он меньше в {trimmed(ratio, 0)} раза",
            1 / ratio,
            "Наоборот: чем больше d, тем ближе случайные направления к перпендикуляру. "
            f"{measured}.",
        ),
        (
            f"в {trimmed(ratio, 0)} раза",
            ratio,
            f"Для гауссовых векторов {measured}. Чем меньше голова, тем легче случайному ключу "
            "оказаться похожим на запрос.",
        ),
    )
    return Choice(
        "cosine-spread",
        "why-heads",
        "Два независимых гауссовых вектора. Во сколько раз разброс (σ) их косинуса при "
        f"d = {small} больше, чем при d = {large}?",
        tuple(Option(text, isclose(value, ratio), why) for text, value, why in answers),
    )
