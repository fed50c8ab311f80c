"""Numbers of sections 3 and 5."""

from __future__ import annotations

import numpy as np

from attnlib import masks, measures, pitfalls, softmax
from figures.widgets import attention as widget
from figures.widgets.sentence import LESSON, vectors
from tests.site.lesson_registry import Claim, Table, decimals, says, shown, table

HEAD_SIZE = 64
Q, K = vectors(list(LESSON), HEAD_SIZE)
SCORES = Q @ K.T / np.sqrt(HEAD_SIZE)
ALLOWED = masks.causal(len(LESSON))
MASKED, FREE = softmax(SCORES, mask=ALLOWED), softmax(SCORES)
CAT, LAST = 1, len(LESSON) - 1

ZERO = pitfalls.mask_by_zero_score(SCORES[CAT], ALLOWED[CAT])
LATE = pitfalls.mask_after_softmax(SCORES[CAT], ALLOWED[CAT])
WINDOW = 4

LOWEST = shown(int(np.finfo(np.float16).min))
MINUS_1E9 = pitfalls.additive_mask_minus_1e9([False], "float16")
OVERFLOWN = pitfalls.sum_of_type_minimum_masks([False], [False], "float16")
ALL_FORBIDDEN = pitfalls.softmax_of_minus_infinities([1.0, 2.0], [False, False])
FORBIDDEN_PAIR = pitfalls.mask_by_minus_1e9([1.0, 1.0], [False, False])
HOT = pitfalls.mask_by_minus_1e9([1.0, 2.0, 3.0], [True, True, False], temperature=1e9)


def readouts(masked: bool) -> list[str]:
    """What the widget shows, in the order of the lesson's table."""
    state = {control.name: control.default for control in widget.CONTROLS}
    return list(widget.frame(state | {"causal": masked})["readouts"].values())


def middle(allowed: np.ndarray) -> int:
    """Keys that a query far from both ends sees."""
    return int(masks.visible_keys(allowed)[len(allowed) // 2])


def within(distance: int, *, causal: bool) -> np.ndarray:
    """Keys at most `distance` away, the convention that attnlib does not use."""
    return masks.sliding_window(64, distance + 1, causal=causal)


def word(values: np.ndarray) -> str:
    """−∞ or nan, when that is what all the values are."""
    for name, found in (("−∞", np.isneginf(values)), ("nan", np.isnan(values))):
        if found.all():
            return name
    return "число"


PITFALLS: list[Claim | Table] = [
    says(
        f"Наименьшее число типа float16 — #, и $-#^#$ в нём превращается в {word(MINUS_1E9)}",
        LOWEST,
        10,
        9,
    ),
    says(f"Две маски по # на одном месте дают в сумме {word(OVERFLOWN)} (`sum_of_type", LOWEST),
    says(f"и {word(ALL_FORBIDDEN)} становится вся строка (`softmax_of_minus_infinities`)"),
    says(
        "оценки # и #, прибавка $-#^#$ общая, softmax её вычитает, и веса равны # и #",
        *(1, 1, 10, 9, *(decimals(weight, 1) for weight in FORBIDDEN_PAIR)),
    ),
    says(
        "Оценки #, #, #, третья запрещена. При температуре $#^#$ добавка $-#^#$ "
        "превращается в $-#$, и запрещённый ключ получает вес #",
        *(1, 2, 3, 10, 9, 10, 9, 1, decimals(HOT[2], 3)),
    ),
    says("Температура $#^#$ — конечно", 10, 9),
]

CAUSAL: list[Claim | Table] = [
    says(
        "Оценка # даёт до нормировки вес $e^# = #$: не «нет», а «средне»",
        *(0, 0, decimals(np.exp(0.0), 0)),
    ),
    says(
        "у запроса «кот» две разрешённые оценки, # и #",
        *(decimals(score, 2) for score in SCORES[CAT, ALLOWED[CAT]]),
    ),
    says(
        "каждое из них получит вес # — больше, чем любой из разрешённых ключей (# и #)",
        *(decimals(weight, 4) for weight in (ZERO[-1], *ZERO[ALLOWED[CAT]])),
    ),
    says("сумма строки «кот» окажется # вместо #", decimals(LATE.sum(), 4), 1),
    says(r"$e^{-\infty} = #$ точно", decimals(np.exp(-np.inf), 0)),
    says("сумма разрешённых весов равна # без второго прохода", 1),
    says("число»: $-#^#$ или наименьшее число типа", 10, 9),
    says(
        rf"а $# \cdot (-\infty)$ — это {word(pitfalls.multiply_mask_by_minus_infinity([True]))}", 0
    ),
    says("Оценка # — не запрет: будущее", 0),
    says("получает веса, равные # точно", 0),
]

LOOK: list[Claim | Table] = [
    says(
        "Это будущее: # клеток из #",
        *(int((~ALLOWED).sum()), ALLOWED.size),
    ),
    says(
        "в первой строке # из #, — с маской ровно #",
        *(decimals(FREE[0, ~ALLOWED[0]].sum(), 4), 1, decimals(MASKED[~ALLOWED].max(), 0)),
    ),
    says(
        "клетка «запрос # (.), ключ # (<s>)» с весом # разрешена",
        *(LAST + 1, 1, decimals(MASKED[LAST, 0], 4)),
    ),
    says(
        "С маской в ней один ненулевой вес, и он равен #:",
        *(decimals(MASKED[0, 0], 0),),
    ),
    says(
        "«максимальный вес» с маской всегда #, какими бы ни были оценки; без маски он равен #",
        *(decimals(measures.max_weight(MASKED), 0), decimals(measures.max_weight(FREE), 3)),
    ),
    says(
        "В первой строке с маской она равна # при любых",
        decimals(measures.row_entropy(MASKED)[0], 0),
    ),
    says(
        r"Без маски энтропия той же строки — # бит при потолке $\log_# # \approx #$",
        *(decimals(measures.row_entropy(FREE)[0], 3), 2, len(LESSON)),
        decimals(measures.row_entropy(np.full(len(LESSON), 1 / len(LESSON))), 3),
    ),
    table(
        "показание | с маской | без маски",
        *(
            (None, with_mask, without)
            for with_mask, without in zip(readouts(True), readouts(False), strict=True)
        ),
    ),
    says("наибольшее $p(# - p)$ по всем весам $p$; больше $#/#$ он не бывает", 1, 1, 4),
    says(
        "и наибольшая оценка (#), и наименьшая (#) стоят на разрешённых местах",
        *(decimals(score, 2) for score in (SCORES[ALLOWED].max(), SCORES[ALLOWED].min())),
    ),
]

OTHER: list[Claim | Table] = [
    says("оценка # даёт вес $e^# = #$ до нормировки, и чем больше", 0, 0, 1),
    says(r"$\lvert q - k \rvert < w$, то есть $#w - #$ ключ", 2, 1),
    says(
        "При $w = #$ запрос в середине видит # ключа, а в двустороннем окне — #",
        *(
            3,
            middle(masks.sliding_window(64, 3)),
            middle(masks.sliding_window(64, 3, causal=False)),
        ),
    ),
    says("ключей у запроса в середине при $w = #$", WINDOW),
    table(
        "кто | что значит $w$ | ключей у запроса в середине при $w = 4$",
        (None, None, middle(masks.sliding_window(64, WINDOW))),
        (None, None, middle(masks.sliding_window(64, WINDOW, causal=False))),
        (None, r"$0 \le q - k \le w$", middle(within(WINDOW, causal=True))),
        (None, None, middle(within(WINDOW, causal=False))),
        (
            None,
            "полная ширина: по $w/2$ с каждой стороны",
            middle(within(WINDOW // 2, causal=False)),
        ),
    ),
    says("позиции от $i - W$ до $i$, то есть $W + #$", 1, source="jiang2023"),
    says("токен мог узнать о токене на расстоянии до $L(w - #)$", 1),
]

SUMMARY: list[Claim | Table] = [says("к оценкам будущего до softmax: вес ровно #", 0)]

CLAIMS = [*CAUSAL, *PITFALLS, *LOOK, *OTHER, *SUMMARY]
