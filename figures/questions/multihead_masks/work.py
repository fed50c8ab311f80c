"""Section 4: how much of the work a causal mask leaves."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from attnlib import cost, flash_attention, masks
from figures.questions.model import Choice, Mistake, Number, Option
from figures.shared.formats import NBSP, count, grouped, percent, trimmed


def used_share() -> Number:
    """The share of scores that a causal mask keeps."""
    n = 16
    share = cost.causal_share(n)
    kept = int(masks.causal(n).sum())
    counted = f"{grouped(kept)} из {grouped(n * n)} оценок"
    below = 1 - share
    return Number(
        "used-share",
        "work",
        f"Какой процент оценок нужен при причинной маске, если n = {n}?",
        "%",
        share * 100,
        _exact(share),
        f"Первый запрос видит один ключ, последний — все {n}: всего {counted}, (n + 1)/(2n).",
        (
            Mistake(
                Fraction(50),
                _exact(Fraction(1, 2)),
                "Половина — предел при больших n. Диагональ разрешена, каждый токен видит и себя, "
                f"поэтому чуть больше: {counted}.",
            ),
            Mistake(
                below * 100,
                _exact(below),
                f"Это доля запрещённых: {grouped(n * n - kept)} из {grouped(n * n)}. "
                f"Диагональ разрешена, нужных {counted}.",
            ),
            Mistake(share, str(float(share)), "Это доля. В процентах — в сто раз больше."),
        ),
        "Сложите числа видимых ключей по всем строкам и разделите на n².",
        tolerance=Fraction(13, 100),
    )


def tile_work() -> Choice:
    """The share of scores that the tiled kernel computes, from its own counts."""
    n, block = 128, 32
    x = np.zeros((n, 1))
    _, stats = flash_attention(
        x, x, x, causal=True, block_q=block, block_k=block, return_stats=True
    )
    tiles = stats.skipped + stats.partial + stats.full
    computed = stats.tile_share
    exact = stats.share
    counted = f"{stats.partial + stats.full} из {tiles} плиток"
    answers = (
        (
            Fraction(stats.full, tiles),
            f"Это только полностью разрешённые: {stats.full} из {tiles}. Ещё "
            f"{_tiles(stats.partial)} на диагонали разрешены частично, и их тоже нужно посчитать.",
        ),
        (
            exact,
            f"Столько оценок разрешено. Но {_tiles(stats.partial)} на диагонали разрешены "
            f"частично, а считаются целиком: {counted}, {percent(float(computed))}.",
        ),
        (
            computed,
            f"Ядро пропустило {stats.skipped}, посчитало {stats.full} полных и {stats.partial} "
            f"частичных: {counted}. Это (N + 1)/(2N) при N = n/b = {n // block}.",
        ),
        (
            Fraction(1),
            "Так работает наивная реализация: вычисляет всю матрицу и почти половину "
            f"выбрасывает. Плиточное ядро не трогает {stats.skipped} из {tiles} плиток.",
        ),
    )
    return Choice(
        "tile-work",
        "work",
        f"Плиточное ядро с плитками {block} × {block} вычисляет причинное внимание при n = {n}. "
        "Какую долю матрицы оценок оно вычислит?",
        tuple(Option(percent(float(share)), share == computed, why) for share, why in answers),
    )


def _tiles(number: int) -> str:
    return count(number, "плитка", "плитки", "плиток")


def _exact(share: Fraction) -> str:
    return f"{trimmed(float(100 * share), 3)}{NBSP}%"
