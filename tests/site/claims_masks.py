"""Numbers of sections 3 and 5."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from attnlib import masks, measures, pitfalls, softmax
from figures.shared.sentence import LESSON, vectors
from figures.widgets import attention as widget
from tests.site.lesson_page import NUMERAL
from tests.site.lesson_registry import Claim, fit, says, value
from tests.site.sources import fact
from tests.site.text_parts import script

Q, K = vectors(list(LESSON), script("causal_mask").SIZE)
SCORES = Q @ K.T / np.sqrt(Q.shape[-1])
ALLOWED = masks.causal(len(LESSON))
MASKED, FREE = softmax(SCORES, mask=ALLOWED), softmax(SCORES)
NUMBERED = masks.visible_keys(ALLOWED)  # query q sees q keys
CAT = LESSON.index("кот")

ZERO = pitfalls.mask_by_zero_score(SCORES[CAT], ALLOWED[CAT])
LATE = pitfalls.mask_after_softmax(SCORES[CAT], ALLOWED[CAT])

MINUS_1E9 = pitfalls.additive_mask_minus_1e9([False], "float64")
IN_HALF = pitfalls.additive_mask_minus_1e9([False], "float16")
OVERFLOWN = pitfalls.sum_of_type_minimum_masks([False], [False], "float16")
NOTHING = [False, False]
ALL_FORBIDDEN = pitfalls.softmax_of_minus_infinities([0.3, 0.8], NOTHING)
WINDOW = "ключей у запроса в середине при $w = @$"


def zero_score() -> float:
    """The score that the mistake gives to a forbidden key, from the weight that it gets."""
    return float(np.log(ZERO[-1] / ZERO[CAT]) + SCORES[CAT, CAT])


def large() -> tuple[int, ...]:
    """Base and power of the large number, as the mistake adds it."""
    return fit(lambda a, b: -(a**b), lambda: int(MINUS_1E9[0]))


def readouts(name: str) -> list[float]:
    """A number that the widget shows: with the mask, and without."""
    state: dict[str, Any] = {control.name: control.default for control in widget.CONTROLS}
    frames = [widget.frame(state | {"causal": masked})["readouts"] for masked in (True, False)]
    shown = [re.search(NUMERAL, re.sub("−(?=\\d+$)", "-", frame[name])) for frame in frames]
    return [value(found[0]) for found in shown if found]


def middle(allowed: np.ndarray) -> int:
    """Keys that a query far from both ends sees."""
    return int(masks.visible_keys(allowed)[len(allowed) // 2])


def window(w: int, *, causal: bool = True) -> np.ndarray:
    return masks.sliding_window(64, w, causal=causal)


def within(distance: int, *, causal: bool) -> np.ndarray:
    """Keys at most `distance` away, the convention that attnlib does not use."""
    places = np.arange(64)
    away = places[:, None] - places
    return (away <= distance) & (away >= -distance * (not causal))


def reach(layers: int, w: int) -> int:
    """How far back the last token can have heard of another, through so many layers."""
    seen = masks.sliding_window(layers * w, w)
    known = np.linalg.matrix_power(seen.astype(float), layers)[-1] > 0
    return len(known) - int(known.argmax()) - 1


def of_longformer(w: int) -> np.ndarray:
    (sides,) = fact("a window is split between two sides")
    return within(int(w // sides), causal=False)


def word(values: np.ndarray) -> str:
    """−∞ or nan, when that is what all the values are."""
    for name, found in (("−∞", np.isneginf(values)), ("nan", np.isnan(values))):
        if found.all():
            return name
    return "число"


PITFALLS = [
    says("число»: $-#^#$ или наименьшее число типа", gives=large),
    says(
        rf"$# \cdot (-\infty)$ — это {word(pitfalls.multiply_mask_by_minus_infinity([True]))}",
        gives=lambda: 0,
    ),
    says(
        f"Наименьшее число типа float16 — #, и $-#^#$ в нём превращается в {word(IN_HALF)}",
        gives=lambda: (int(np.finfo(np.float16).min), large()),
    ),
    says(
        f"Две маски по # на одном месте дают в сумме {word(OVERFLOWN)} (`sum_of_type",
        gives=lambda: int(pitfalls.sum_of_type_minimum_masks([False], [True], "float16")[0]),
    ),
    says(
        "оценки @ и @, прибавка $-#^#$ общая, softmax её вычитает, и веса равны # и #",
        gives=lambda *pair: (large(), pitfalls.mask_by_minus_1e9(pair, NOTHING)),
    ),
    says(
        "Оценки @, @, @, третья запрещена. При температуре $@^@$ добавка $-#^#$ превращается в "
        "$-#$, и запрещённый ключ получает вес #",
        gives=lambda a, b, c, base, power: (
            *(large(), -MINUS_1E9[0] / base**power),
            pitfalls.mask_by_minus_1e9(
                [a, b, c], [True, True, False], temperature=float(base) ** power
            )[2],
        ),
    ),
    says(
        "При температуре $@^@$ добавка",
        "Температура $#^#$ — конечно",
        gives=lambda base, power: (base, power),
    ),
]

CAUSAL = [
    says(
        "Оценка # даёт до нормировки вес $e^# = #$: не «нет», а «средне»",
        gives=lambda: (zero_score(), zero_score(), np.exp(zero_score())),
    ),
    says(
        "оценка # даёт вес $e^# = #$ до нормировки, и чем больше",
        gives=lambda: (zero_score(), zero_score(), np.exp(zero_score())),
    ),
    says("Оценка # — не запрет: будущее", gives=zero_score),
    says("у запроса «кот» две разрешённые оценки, # и #", gives=lambda: SCORES[CAT, ALLOWED[CAT]]),
    says(
        "каждое из них получит вес # — больше, чем любой из разрешённых ключей (# и #)",
        gives=lambda: (ZERO[-1], ZERO[ALLOWED[CAT]]),
    ),
    says(
        "сумма строки «кот» окажется # вместо #",
        gives=lambda: (LATE.sum(), MASKED[CAT].sum()),
    ),
    says(r"$e^{-\infty} = #$ точно", gives=lambda: np.exp(-np.inf)),
    says(
        "сумма разрешённых весов равна # без второго прохода",
        gives=lambda: MASKED[CAT, ALLOWED[CAT]].sum(),
    ),
    says("получает веса, равные # точно", gives=lambda: softmax(SCORES, mask=~ALLOWED)[-1].max()),
    says("к оценкам будущего до softmax: вес ровно #", gives=lambda: MASKED[~ALLOWED].max()),
]

LOOK = [
    says("Это будущее: # клеток из #", gives=lambda: ((~ALLOWED).sum(), ALLOWED.size)),
    says(
        "в первой строке # из #, — с маской ровно #",
        gives=lambda: (
            *(FREE[0, ~ALLOWED[0]].sum(), FREE[0].sum()),
            MASKED[~ALLOWED].max(),
        ),
    ),
    says(
        "клетка «запрос # (.), ключ # (<s>)» с весом # разрешена",
        gives=lambda: (NUMBERED[-1], NUMBERED[0], MASKED[-1, 0]),
    ),
    says("С маской в ней один ненулевой вес, и он равен #:", gives=lambda: MASKED[0, 0]),
    says(
        "«максимальный вес» с маской всегда #, какими бы ни были оценки; без маски он равен #",
        gives=lambda: (measures.max_weight(MASKED), measures.max_weight(FREE)),
    ),
    says(
        "В первой строке с маской она равна # при любых",
        gives=lambda: measures.row_entropy(MASKED)[0],
    ),
    says(
        "Без маски энтропия той же строки — # бит",
        gives=lambda: measures.row_entropy(FREE)[0],
    ),
    says(
        r"бит при потолке $\log_@ @ \approx #$",
        gives=lambda base, n: np.log(n) / np.log(base),
    ),
    says(
        r"бит при потолке $\log_# # \approx",
        gives=lambda: (2, len(LESSON)),
    ),
    says("разброс оценок | # | #", gives=lambda: readouts("spread")),
    says("энтропия строки, в среднем | # бит | # бит", gives=lambda: readouts("entropy")),
    says("максимальный вес | # | #", gives=lambda: readouts("max-weight")),
    says("масштаб градиента | # | #", gives=lambda: readouts("gradient-scale")),
    says(
        "наибольшее $p(# - p)$ по всем весам $p$; больше $#/#$ он не бывает",
        gives=lambda: (1, measures.gradient_scale([0.5, 0.5]).as_integer_ratio()),
    ),
    says(
        "и наибольшая оценка (#), и наименьшая (#) стоят на разрешённых местах",
        gives=lambda: (SCORES[ALLOWED].max(), SCORES[ALLOWED].min()),
    ),
]

OTHER = [
    says(
        r"$\lvert q - k \rvert < w$, то есть $#w - #$ ключ",
        gives=lambda: fit(lambda w, a, b: a * w - b, lambda w: middle(window(w, causal=False))),
    ),
    says(
        "При $w = @$ запрос в середине видит # ключа, а в двустороннем окне — #",
        gives=lambda w: (middle(window(w)), middle(window(w, causal=False))),
    ),
    says(
        WINDOW,
        "`attnlib`, причинное | число ключей, считая свой | #",
        gives=lambda w: middle(window(w)),
    ),
    says(
        WINDOW,
        r"`attnlib`, двустороннее | $\lvert q - k \rvert < w$ | #",
        gives=lambda w: middle(window(w, causal=False)),
    ),
    says(
        WINDOW,
        r"расстояние, причинное | $# \le q - k \le w$ | #",
        gives=lambda w: (0, middle(within(w, causal=True))),
    ),
    says(
        WINDOW,
        r"расстояние, двустороннее | $\lvert q - k \rvert \le w$ | #",
        gives=lambda w: middle(within(w, causal=False)),
    ),
    says(
        WINDOW,
        "полная ширина: по $w/#$ с каждой стороны | #",
        gives=lambda w: (
            fact("a window is split between two sides"),
            middle(of_longformer(w)),
        ),
        cites="beltagy2020",
    ),
    says(
        "позиции от $i - W$ до $i$, то есть $W + #$",
        gives=lambda: fit(lambda w, a: w + a, lambda w: middle(within(w, causal=True))),
        cites="jiang2023",
    ),
    says(
        "токен мог узнать о токене на расстоянии до $L(w - #)$",
        gives=lambda: fit(lambda layers, w, a: layers * (w - a), reach),
    ),
]

CLAIMS: list[Claim] = [*CAUSAL, *PITFALLS, *LOOK, *OTHER]
