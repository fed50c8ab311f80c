"""Section 3: why a ban is −∞, and what a row with nothing allowed is."""

from __future__ import annotations

import numpy as np

from attnlib import pitfalls, softmax
from figures.questions.model import Choice, Option
from figures.shared.formats import trimmed


def zero_score() -> Choice:
    """The weight that a forbidden key keeps when its score is 0 instead of −∞."""
    scores = np.array([1.0, 2.0, 3.0])
    mask = np.array([True, True, False])
    weight = pitfalls.mask_by_zero_score(scores, mask)[2]
    banned = softmax(scores, mask=mask)[2]
    contribution = float(np.exp(0.0))
    one = trimmed(contribution, 0)
    total = contribution / weight
    answers = (
        (
            banned,
            "Ровно нулевой вес даёт −∞: такой ключ выпадает и из знаменателя. Нулевая оценка — "
            f"обычная оценка, e⁰ = {one}, и после деления на сумму {trimmed(total, 3)} остаётся "
            f"{trimmed(weight, 3)}.",
        ),
        (
            weight,
            f"До нормировки ключ вносит e⁰ = {one}, сумма e¹ + e² + e⁰ = {trimmed(total, 3)}. "
            f"Запрещённый ключ получил {trimmed(weight, 3)} — это не запрет.",
        ),
        (
            1 / len(scores),
            "Поровну вышло бы при равных оценках. Здесь вклады e¹, e² и e⁰ разные, "
            f"и третий после нормировки — {trimmed(weight, 3)}.",
        ),
        (
            contribution,
            f"Единица — вклад e⁰ до нормировки. После деления на сумму {trimmed(total, 3)} "
            f"остаётся {trimmed(weight, 3)}.",
        ),
    )
    return Choice(
        "zero-score",
        "causal-mask",
        "Оценки двух разрешённых ключей равны "
        f"{trimmed(scores[0], 0)} и {trimmed(scores[1], 0)}, а запрещённому третьему вместо −∞ "
        "поставили ноль. Какой вес он получит после softmax?",
        tuple(Option(trimmed(value, 3), value == weight, why) for value, why in answers),
    )


def forbidden_row() -> Choice:
    """What attnlib gives for a row with every key forbidden."""
    scores = np.array([0.5, 1.0, 2.0], dtype=np.float32)
    nothing = np.zeros(3, dtype=bool)
    got = softmax(scores, mask=nothing)
    naive = pitfalls.softmax_of_minus_infinities(scores, nothing)
    finite = pitfalls.mask_by_minus_1e9(scores, nothing)
    answers = (
        (
            naive,
            "Так выходит у учебного softmax: он вычитает максимум строки, а (−∞) − (−∞) — это nan. "
            f"`attnlib` держит запрет отдельной булевой маской и возвращает {_row(got)}.",
        ),
        (
            finite,
            "Так выходит, если к запрещённым оценкам прибавлять большое отрицательное число: в "
            "float32 рядом с ним разница оценок пропадает, и запрещённые ключи делят вес поровну. "
            f"`attnlib`: {_row(got)}.",
        ),
        (
            got,
            "Смотреть некуда — вес нулевой у всех ключей, и выход этой строки нулевой. "
            "Ни nan, ни предупреждений.",
        ),
    )
    return Choice(
        "forbidden-row",
        "causal-mask",
        "В строке из трёх ключей запрещены все три (так бывает у заполнителя). Какие веса вернёт "
        "`attnlib.softmax`?",
        tuple(Option(_row(row), np.array_equal(row, got), why) for row, why in answers),
    )


def _row(weights: np.ndarray) -> str:
    return f"`[{', '.join(trimmed(value, 3) for value in weights.tolist())}]`"
