"""W1: one head of attention over six tokens: scores, mask, weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnlib import masks, measures, softmax
from figures.shared.formats import (
    BLOCKED,
    INFINITY,
    MINUS,
    NBSP,
    bits,
    fixed,
    scientific,
    significant,
    weight,
)
from figures.shared.sentence import LESSON, MAX_TOKENS, WIDTH, tokens_of, vectors
from figures.shared.typography import typeset
from figures.widgets.controls import Checkbox, Slider, Text
from figures.widgets.markup import (
    Shown,
    bound,
    cell_line,
    each,
    escape,
    formula,
    live,
    readouts,
    stage,
    when,
)
from figures.widgets.matrices import cells, legend, table

NAME = "attention"
TITLE = "Одна голова внимания: оценки, маска, веса"
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, WIDTH)
TEMPERATURES = (0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10)
CONTROLS = (
    Checkbox(name="scale", label="делить на √d", default=True),
    Checkbox(name="causal", label="причинная маска", default=True),
    Slider(name="d", label="размер головы d", table=SIZES, default=64),
    Slider(name="T", label="температура T", table=TEMPERATURES, default=1),
    Text(
        name="sentence",
        label="своя фраза",
        default=" ".join(LESSON),
        max_length=200,
        place="below",
        hint=f"До {MAX_TOKENS} токенов; считает Python в браузере. "
        "Слова урока сохраняют свои векторы.",
    ),
)
SHOWN_ROW = 2  # the query whose distribution is shown until the reader points at another

BLOCKED_SCORE = f"{MINUS}{INFINITY}"
SCORE = "запрос {q} ({query}), ключ {k} ({key}): оценка {value}"

Matrix = NDArray[np.float64]


def weights_of(
    q: Matrix, k: Matrix, *, scale: bool, causal: bool, T: float
) -> tuple[Matrix, Matrix, NDArray[np.bool_]]:
    """Scores that enter softmax, weights, and the mask (True = allowed); q and k are (n, d)."""
    n, d = q.shape
    scores = q @ k.T / T
    if scale:
        scores = scores / np.sqrt(d)
    mask = masks.causal(n) if causal else np.ones((n, n), bool)
    return scores, softmax(scores, mask=mask), mask


SOURCES = (weights_of, softmax)


REMARK = {"text": "remark", "hidden": "!remark"}
READOUTS = (
    (
        "spread",
        "разброс оценок",
        "Наибольшая разрешённая оценка минус наименьшая; оценки те, что входят в softmax: "
        + formula(r"\max s_{qk} - \min s_{qk}"),
    ),
    (
        "entropy",
        "энтропия строки",
        "Насколько вес размазан по ключам: "
        + formula(r"-\sum_k p_{qk}\log_2 p_{qk}")
        + ", где 0 · log 0 = 0; среднее по всем строкам.",
        "в среднем по строкам",
    ),
    (
        "max-weight",
        "максимальный вес",
        "Самый большой вес во всей матрице: "
        + formula(r"\max p_{qk}")
        + ". С причинной маской у первой строки один ключ, и его вес — ровно 1.",
    ),
    (
        "gradient-scale",
        "масштаб градиента",
        formula(r"\max p_{qk}(1 - p_{qk})") + " — наибольший диагональный элемент якобиана softmax "
        "по тому, что в него входит; не больше 1/4.",
        "не больше 1/4",
    ),
)


@typeset
def frame(state: dict[str, Any]) -> dict[str, Any]:
    """Everything that W1 shows in a state of its controls."""
    tokens, remark = tokens_of(state["sentence"])
    q, k = vectors(tokens, state["d"])
    scores, weights, mask = weights_of(
        q, k, scale=state["scale"], causal=state["causal"], T=state["T"]
    )
    entropy = measures.row_entropy(weights)
    measured = {
        "spread": float(measures.score_spread(scores, mask)),
        "entropy": float(entropy.mean()),
        "max-weight": float(measures.max_weight(weights)),
        "gradient-scale": float(measures.gradient_scale(weights)),
    }
    products = q @ k.T  # √d and T move the scores, but not their order and colours
    width = np.ptp(products)
    shade = (products - products.min()) / (width if width else 1)
    ceiling = np.log2(masks.visible_keys(mask))
    return {
        "tokens": tokens,
        "remark": remark,
        "mask": mask.astype(int).tolist(),
        "scores": cells(scores, shade=shade),
        "weights": cells(weights, mask),
        "$low": np.argwhere(shade == shade.min())[0].tolist(),
        "$high": np.argwhere(shade == shade.max())[0].tolist(),
        "$q": min(SHOWN_ROW, len(tokens) - 1),
        "rows": {
            "entropy": [bits(value) for value in entropy.tolist()],
            "ceiling": [bits(value) for value in ceiling.tolist()],
            "allowed": masks.visible_keys(mask).tolist(),
            "full": fixed(float(np.log2(max(len(tokens), 2))), 3),
            "query": [f"{q} ({token})" for q, token in enumerate(tokens, 1)],
            "key": [f"{k} {token}" for k, token in enumerate(tokens, 1)],
        },
        "scale": state["scale"],
        "mask_note": f"запрещённые оценки → {BLOCKED_SCORE}"
        if state["causal"]
        else "выключена: разрешены все пары",
        "readouts": {
            "spread": significant(measured["spread"]),
            "entropy": f"{bits(measured['entropy'])}{NBSP}бит",
            "max-weight": weight(measured["max-weight"]),
            "gradient-scale": scientific(measured["gradient-scale"]),
        },
        "notes": {"max-weight": f"с маской строка 1 всегда даёт{NBSP}1" if state["causal"] else ""},
        "raw": {"scores": scores.tolist(), "weights": weights.tolist(), **measured},
    }


def html(shown: Shown) -> str:
    """The figure of a frame."""
    labels = {"rows": "tokens", "columns": "tokens"}
    ends = live(shown, "scores.short.$low"), live(shown, "scores.short.$high")
    masked = {"mask": "mask", "blocked_text": BLOCKED_SCORE, "cell_text": SCORE}
    stages = (
        stage(
            "Оценки",
            when(shown, "scale", formula(r"q \cdot k / \sqrt d \,/\, T"))
            + when(shown, "!scale", formula(r"q \cdot k / T")),
            table(shown, "scores", "Оценки всех пар", "scores", cell_text=SCORE, **labels),
        ),
        stage(
            "Маска",
            live(shown, "mask_note"),
            table(shown, "masked", "Оценки после маски", "scores", **masked, **labels)
            + legend(*ends, "шкала оценок"),
        ),
        stage(
            "Веса",
            formula(r"\operatorname{softmax}") + " каждой строки",
            table(shown, "weights", "Веса внимания", "weights", **labels)
            + legend("0", "1", "шкала весов"),
        ),
    )
    return (
        readouts(shown, NAME, READOUTS)
        + f'<div class="aw-stages">{"".join(stages)}{_row(shown)}</div>'
        + '<p class="aw-caption">Строки — запросы, столбцы — ключи. Векторы запросов и ключей '
        "случайные, поэтому «кот → сел» ничего не значит; набор выбран так, чтобы исходное "
        "состояние показывало четыре числа урока.</p>"
        f'<p class="aw-remark" data-remark{bound(shown, REMARK)}>{escape(shown["remark"])}</p>'
    )


def _row(shown: Shown) -> str:
    """The row of the cell that is pointed at."""
    gauge = {"--e": "rows.entropy.$q", "--c": "rows.ceiling.$q", "--full": "rows.full"}
    return (
        '<div class="aw-stage aw-row" data-pointed><p class="aw-stage-title"><b>Строка</b> '
        '<span class="aw-stage-note">запрос <span data-row-query translate="no">'
        f"{live(shown, 'rows.query.$q')}</span></span></p>"
        f"{each(shown, 'ol', 'k:rows.key', _bar, _class='aw-bars')}"
        f'<div class="aw-row-note"><div class="aw-gauge"{bound(shown, gauge)}><i></i><b></b></div>'
        f'<p class="aw-entropy">энтропия <b data-row-entropy>{live(shown, "rows.entropy.$q")}</b> '
        f"из log₂ {live(shown, 'rows.allowed.$q')} = "
        f"<span data-row-ceiling>{live(shown, 'rows.ceiling.$q')}</span> бит</p>"
        f"{cell_line()}</div></div>"
    )


def _bar(here: Shown) -> str:
    look = bound(here, {"data-blocked": "!mask.$q.$k", "data-col": "$k"})
    return (
        f'<li{look}><span class="aw-bar-key" translate="no">{live(here, "rows.key.$k")}</span>'
        f'<span class="aw-bar-track"><i{bound(here, {"--p": "weights.long.$q.$k"})}></i></span>'
        f'<span class="aw-bar-value">{live(here, "weights.long.$q.$k", BLOCKED)}</span></li>'
    )
