"""Section 5: forgotten padding, and what a window counts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from attnlib import attention, masks, pitfalls
from figures.questions.model import Choice, Mistake, Number, Option
from figures.shared.formats import trimmed

Rows = frozenset[tuple[int, int]]  # (sentence, position), both from 0


def forgotten_padding() -> Choice:
    """Which outputs of a batch follow the filler when the mask is forgotten."""
    lengths, n = (3, 5), 5
    short = lengths[0]
    x = np.random.default_rng(5).standard_normal((2, 1, n, 4))  # (b, h, n, d)
    refilled = x.copy()
    refilled[0, :, short:] += 1.0
    mask = masks.padding(list(lengths), n)
    unmasked, masked = _changes(x, refilled, None), _changes(x, refilled, mask)
    real = float(unmasked[0, :short].max())
    numbers = np.arange(short) + 1
    span = f"{numbers[0]}–{numbers[-1]}"
    filler: Rows = frozenset((0, row) for row in range(short, n))
    first: Rows = frozenset((0, row) for row in range(n))
    second: Rows = frozenset((1, row) for row in range(n))
    answers = (
        (
            f"только строки {short + 1}–{n} первого",
            filler,
            "Так было бы с padding-маской: она запрещает ключи заполнителя, и строки "
            f"{span} сдвигаются на {trimmed(masked[0, :short].max(), 3)}. Без маски они смотрят "
            f"на заполнитель и сдвинулись на величину до {trimmed(real, 2)}.",
        ),
        (
            "все строки первого",
            first,
            f"Каждый запрос первого предложения видит и заполнитель. Строки {span} сдвинулись "
            f"на величину до {trimmed(real, 2)}, хотя само предложение прежнее. Ничего не упало — "
            "тем ошибка и опасна.",
        ),
        (
            "все строки обоих",
            first | second,
            "Внимание не смешивает предложения пакета: у второго разница равна "
            f"{trimmed(unmasked[1].max(), 3)}. Пострадало только то, что дополняли.",
        ),
        (
            "никакие",
            frozenset(),
            "Заполнитель — такие же векторы: без маски его ключи получают обычные веса. Строки "
            f"{span} первого предложения сдвинулись на величину до {trimmed(real, 2)}.",
        ),
    )
    changed: Rows = frozenset(zip(*map(np.ndarray.tolist, np.nonzero(unmasked)), strict=True))
    return Choice(
        "forgotten-padding",
        "other-masks",
        f"В пакете два предложения: из {lengths[0]} и {lengths[1]} токенов, первое дополнено "
        f"до {n}. Padding-маску забыли, причинной маски нет. Какие строки выхода изменятся, если "
        "поменять содержимое заполнителя?",
        tuple(Option(text, rows == changed, why) for text, rows, why in answers),
    )


def _changes(x: np.ndarray, other: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    """Largest change of each output row between two batches, (b, n)."""
    before, after = (
        attention(batch, batch, batch, mask=mask)
        if mask is not None
        else pitfalls.attention_forgetting_padding(batch, batch, batch)
        for batch in (x, other)
    )
    return np.abs(after - before).max(axis=(1, 3))


def window_keys() -> Number:
    """How many keys a two-sided window shows."""
    n, w, query = 11, 4, 5
    mask = masks.sliding_window(n, w, causal=False)
    seen = _seen(mask, query)
    keys = np.flatnonzero(mask[query]) + 1
    causal = _seen(masks.sliding_window(n, w), query)
    wider = _seen(masks.sliding_window(n, w + 1, causal=False), query)
    span = f"ключи {keys[0]}–{keys[-1]}"
    return Number(
        "window-keys",
        "other-masks",
        f"Двустороннее скользящее окно, w = {w}, n = {n}. Сколько ключей видит запрос {query + 1}? "
        "Считайте как в `attnlib`: |q − k| < w.",
        "ключей",
        Fraction(seen),
        str(seen),
        f"Условие |q − k| < {w} оставляет {span}: 2w − 1 = {seen}.",
        (
            Mistake(
                Fraction(causal),
                str(causal),
                f"Столько видит причинное окно: w ключей вместе с собственным. Двустороннее "
                f"смотрит и вперёд: {span}.",
            ),
            Mistake(
                Fraction(wider),
                str(wider),
                f"Так вышло бы при |q − k| ≤ {w}: это соседнее соглашение, где w — расстояние. "
                f"Здесь неравенство строгое: {span}.",
            ),
            Mistake(
                Fraction(seen - 1),
                str(seen - 1),
                f"Собственный ключ запроса тоже в окне: {span}.",
            ),
        ),
        f"Перечислите ключи k, для которых |{query + 1} − k| < {w}: это {span}.",
    )


def _seen(mask: np.ndarray, query: int) -> int:
    return int(masks.visible_keys(mask)[query])
