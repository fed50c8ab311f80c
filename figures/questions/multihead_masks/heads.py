"""Section 1: how the width is cut into heads, and what the cut costs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from einops import rearrange

from attnlib import cost, pitfalls, split_heads
from figures.questions.model import Choice, Option
from figures.shared.formats import grouped


def split_pattern() -> Choice:
    """Which expression gives each head its own run of neighbouring channels."""
    h, d = 3, 2
    x = np.arange(2 * h * d).reshape(1, 2, h * d)  # (b, n, D)
    right = split_heads(x, h)
    swapped = pitfalls.split_heads_d_h(x, h)
    reshaped = pitfalls.split_heads_without_transpose(x, h)
    untransposed = rearrange(x, "b n (h d) -> b n h d", h=h)
    setting = f"На `arange({x.size})` формы {x.shape} при h = {h}"
    answers = (
        (
            "rearrange(x, 'b n (h d) -> b h n d', h=h)",
            rearrange(x, "b n (h d) -> b h n d", h=h),
            f"{setting} первая голова — это {_head(right)}: соседние каналы {_channels(right, x)} "
            "каждого токена. Номер головы стоит в скобке первым и потому меняется медленнее.",
        ),
        (
            "rearrange(x, 'b n (d h) -> b h n d', h=h)",
            swapped,
            f"Ошибки не будет, но головы собраны не из тех каналов. {setting} первая голова — это "
            f"{_head(swapped)}: каналы {_channels(swapped, x)} вместо {_channels(right, x)}.",
        ),
        (
            "x.reshape(b, h, n, d)",
            reshaped,
            f"Форма верная, а числа перемешаны. {setting} первая голова — это {_head(reshaped)}: "
            f"обе её строки взяты из токена {_tokens(reshaped, x)}, а нужны строки разных токенов.",
        ),
        (
            "rearrange(x, 'b n (h d) -> b n h d', h=h)",
            untransposed,
            "Каналы разрезаны верно, но ось голов осталась за осью токенов: форма "
            f"{untransposed.shape} вместо {right.shape}. Внимание считается по двум последним "
            "осям, и смешались бы головы одного токена, а не токены одной головы.",
        ),
    )
    return Choice(
        "pattern",
        "heads",
        "Матрица `x` имеет форму (b, n, D), где D = h · d. Каким выражением разрезать её на головы "
        "формы (b, h, n, d), чтобы каждой голове досталось d соседних каналов?",
        tuple(Option(f"`{text}`", np.array_equal(got, right), why) for text, got, why in answers),
    )


def _head(heads: np.ndarray) -> str:
    return f"`{heads[0, 0].tolist()}`"


def _channels(heads: np.ndarray, x: np.ndarray) -> str:
    return " и ".join(str(value % x.shape[-1] + 1) for value in heads[0, 0, 0].tolist())


def _tokens(heads: np.ndarray, x: np.ndarray) -> str:
    return " и ".join(map(str, sorted({value // x.shape[-1] + 1 for value in heads[0, 0].ravel()})))


def more_heads() -> Choice:
    """What twice as many heads cost at the same width."""
    n, width, before, after = 512, 1024, 8, 16
    factor = Fraction(_madds(n, width, after), _madds(n, width, before))
    answers = (
        (
            "вырастет вдвое",
            Fraction(2),
            f"Вдвое растёт число оценок: n²h было {grouped(n * n * before)}, стало "
            f"{grouped(n * n * after)}. Но каждая оценка теперь — сумма {width // after} "
            f"произведений вместо {width // before}.",
        ),
        (
            "не изменится",
            Fraction(1),
            f"Голов вдвое больше, и каждая вдвое уже: {before} × {width // before} и "
            f"{after} × {width // after} стоят по {grouped(_madds(n, width, after))} "
            "умножений со сложением. Числа голов в формуле 2n²D + 4nD² нет.",
        ),
        (
            "уменьшится вдвое",
            Fraction(1, 2),
            "Вдвое дешевле становится одна голова, но голов вдвое больше: всего по-прежнему "
            f"{grouped(_madds(n, width, after))} умножений со сложением.",
        ),
    )
    return Choice(
        "more-heads",
        "heads",
        f"Слой ширины D = {width} читает n = {n} токенов. Вместо {before} голов взяли {after}, "
        "общая ширина прежняя. Что станет с числом умножений со сложением?",
        tuple(Option(text, value == factor, why) for text, value, why in answers),
    )


def _madds(n: int, width: int, h: int) -> int:
    """Multiply-adds of a layer, its attention part summed head by head."""
    return h * cost.products_madds(n, width // h) + cost.projections_madds(n, width)
