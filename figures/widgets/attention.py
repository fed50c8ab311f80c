"""W1: one head of attention over six tokens: scores, mask, weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnlib import masks, measures, softmax
from figures.widgets.controls import Checkbox, Slider, Text
from figures.widgets.formats import (
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
from figures.widgets.markup import (
    cell_line,
    escape,
    formula,
    live,
    readout,
    readouts,
    stage,
    when,
)
from figures.widgets.matrices import cells, legend, table
from figures.widgets.sentence import LESSON, MAX_TOKENS, WIDTH, tokens_of, vectors
from figures.widgets.typography import typeset

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
        "blocked": (~mask).astype(int).tolist(),
        "scores": cells(scores, shade=shade),
        "weights": cells(weights, mask),
        "extremes": {
            "low": np.argwhere(shade == shade.min())[0].tolist(),
            "high": np.argwhere(shade == shade.max())[0].tolist(),
        },
        "rows": {
            "entropy": [bits(value) for value in entropy.tolist()],
            "ceiling": [bits(value) for value in ceiling.tolist()],
            "allowed": masks.visible_keys(mask).tolist(),
            "full": fixed(float(np.log2(max(len(tokens), 2))), 3),
            "query": [f"{q} ({token})" for q, token in enumerate(tokens, 1)],
            "key": [f"{k} {token}" for k, token in enumerate(tokens, 1)],
        },
        "divided": {"yes": state["scale"], "no": not state["scale"]},
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


def html(shown: dict[str, Any]) -> str:
    """The figure of a frame."""
    tokens = shown["tokens"]
    masked = {key: _blocked(shown, key) for key in ("short", "long", "shade")}
    stages = (
        stage(
            "Оценки",
            when(shown, "divided.yes", formula(r"q \cdot k / \sqrt d \,/\, T"))
            + when(shown, "divided.no", formula(r"q \cdot k / T")),
            table("scores", "Оценки всех пар", tokens, tokens, shown["scores"], cell_text=SCORE),
        ),
        stage(
            "Маска",
            live(shown, "mask_note"),
            table(
                "masked",
                "Оценки после маски",
                tokens,
                tokens,
                masked,
                blocked_text=BLOCKED_SCORE,
                cell_text=SCORE,
            )
            + legend(_extreme(shown, "low"), _extreme(shown, "high"), "шкала оценок"),
        ),
        stage(
            "Веса",
            formula(r"\operatorname{softmax}") + " каждой строки",
            table("weights", "Веса внимания", tokens, tokens, shown["weights"])
            + legend("0", "1", "шкала весов"),
        ),
    )
    return (
        readouts(_readouts(shown))
        + f'<div class="aw-stages">{"".join(stages)}{_row(shown, SHOWN_ROW)}</div>'
        + '<p class="aw-caption">Строки — запросы, столбцы — ключи. Векторы запросов и ключей '
        "случайные, поэтому «кот → сел» ничего не значит; набор выбран так, чтобы исходное "
        "состояние показывало четыре числа урока.</p>"
        f'<p class="aw-remark" data-remark>{escape(shown["remark"])}</p>'
    )


def _blocked(shown: dict[str, Any], key: str) -> list[list[Any]]:
    return [
        [None if blocked else text for text, blocked in zip(*rows, strict=True)]
        for rows in zip(shown["scores"][key], shown["blocked"], strict=True)
    ]


def _extreme(shown: dict[str, Any], end: str) -> str:
    q, k = shown["extremes"][end]
    return str(shown["scores"]["short"][q][k])


def _readouts(shown: dict[str, Any]) -> list[str]:
    texts, notes = shown["readouts"], shown["notes"]
    return [
        readout(
            NAME,
            "spread",
            "разброс оценок",
            texts["spread"],
            "Наибольшая разрешённая оценка минус наименьшая; оценки те, что входят в softmax: "
            + formula(r"\max s_{qk} - \min s_{qk}"),
        ),
        readout(
            NAME,
            "entropy",
            "энтропия строки",
            texts["entropy"],
            "Насколько вес размазан по ключам: "
            + formula(r"-\sum_k p_{qk}\log_2 p_{qk}")
            + ", где 0 · log 0 = 0; среднее по всем строкам.",
            "в среднем по строкам",
        ),
        readout(
            NAME,
            "max-weight",
            "максимальный вес",
            texts["max-weight"],
            "Самый большой вес во всей матрице: "
            + formula(r"\max p_{qk}")
            + ". С причинной маской у первой строки один ключ, и его вес — ровно 1.",
            notes["max-weight"],
        ),
        readout(
            NAME,
            "gradient-scale",
            "масштаб градиента",
            texts["gradient-scale"],
            formula(r"\max p_{qk}(1 - p_{qk})")
            + " — наибольший диагональный элемент якобиана softmax "
            "по тому, что в него входит; не больше 1/4.",
            "не больше 1/4",
        ),
    ]


def _row(shown: dict[str, Any], q: int) -> str:
    rows = shown["rows"]
    bars = "".join(_bar(shown, q, k, key) for k, key in enumerate(rows["key"]))
    gauge = f"--e: {rows['entropy'][q]}; --c: {rows['ceiling'][q]}; --full: {rows['full']};"
    return (
        f'<div class="aw-stage aw-row" data-row-panel="{q}"><p class="aw-stage-title">'
        "<b>Строка</b> "
        f'<span class="aw-stage-note">запрос <span data-row-query translate="no">'
        f'{escape(rows["query"][q])}</span></span></p><ol class="aw-bars">{bars}</ol>'
        '<div class="aw-row-note">'
        f'<div class="aw-gauge" style="{gauge}" data-gauge><i></i><b></b></div>'
        '<p class="aw-entropy">энтропия '
        f'<b data-row-entropy translate="no">{rows["entropy"][q]}</b> из '
        f'log₂ <span data-row-allowed translate="no">{rows["allowed"][q]}</span> = '
        f'<span data-row-ceiling translate="no">{rows["ceiling"][q]}</span> бит</p>'
        f"{cell_line()}</div></div>"
    )


def _bar(shown: dict[str, Any], q: int, k: int, key: str) -> str:
    text = shown["weights"]["long"][q][k]
    kind = "blocked" if text is None else "allowed"
    value = BLOCKED if text is None else text
    return (
        f'<li data-bar="{kind}" style="--p: {text or 0};"><span class="aw-bar-key" translate="no">'
        f'{escape(key)}</span><span class="aw-bar-track"><i></i></span>'
        f'<span class="aw-bar-value" translate="no">{value}</span></li>'
    )
