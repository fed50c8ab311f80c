"""The padding mask at work: a short text beside a longer one, with the mask and without."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnlib import attention
from attnlib.masks import REGISTRY, padding
from figures.shared.formats import fixed, weight
from figures.shared.typography import typeset
from figures.widgets.controls import Checkbox, Select, Slider
from figures.widgets.markup import Shown, cell_line, live, readouts, stage
from figures.widgets.matrices import Cells, cells, table

NAME = "padding"
TITLE = "Padding: ответ не должен зависеть от соседа по пакету"

# standard_normal((1, 1, 3, 8)) of NumPy's default_rng(0): the text of the lesson's example
TEXT = np.array(
    [
        0.1257302210933933, -0.1321048632913019, 0.6404226504432821, 0.10490011715303971,
        -0.535669373161111, 0.36159505490948474, 1.3040000451301372, 0.9470809631292422,
        -0.7037352358069926, -1.2654214710460525, -0.6232744625373522, 0.0413259793472436,
        -2.3250307746388343, -0.21879166393254573, -1.2459109472530652, -0.7322673547034516,
        -0.5442589828573099, -0.31630015636915454, 0.4116305363741328, 1.0425133694426776,
        -0.12853466294403426, 1.3664634705496859, -0.6651946734866135, 0.3515100700930197,
    ]
).reshape(3, 8)  # (n, d)  # fmt: skip
LENGTHS = (3, 4, 6, 8, 12)
FILLERS = {
    "zeros": "нули",
    "ones": "единицы",
    "tens": "десятки",
    "words": "слова другого текста",
}
TOLERANCE = 1e-12

CONTROLS = (
    Slider(name="n", label="длина соседа", table=LENGTHS, default=6),
    Select(name="filler", label="чем заполнено", options=FILLERS, default="words"),
    Checkbox(name="mask", label=REGISTRY["padding"].title, default=False),
)


READOUTS = (
    (
        "difference",
        "отличие в пакете",
        "Наибольшее по модулю отличие выхода текста в пакете от его же выхода в одиночку.",
    ),
    (
        "content",
        "влияние содержимого",
        "Насколько меняется тот же выход, если заполнить чем-то другим из списка: наибольшее "
        "отличие.",
    ),
    (
        "filler",
        "вес заполнителя",
        "Сколько веса ушло на заполнитель; у запроса, у которого ушло больше всего.",
    ),
)


@typeset
def frame(state: dict[str, Any]) -> dict[str, Any]:
    """Everything that the demonstration shows in a state of its controls."""
    n, masked = state["n"], state["mask"]
    alone = attention(TEXT, TEXT, TEXT)
    batch = padded(n, state["filler"])
    out, weights = short_text(batch, masked)
    others = [short_text(padded(n, filler), masked)[0] for filler in FILLERS]
    difference = float(np.abs(out - alone).max())
    by_content = float(max(np.abs(out - other).max() for other in others))
    same = all(np.array_equal(out, other) for other in others)
    allowed = np.broadcast_to(padding([len(TEXT)], n)[0, 0], weights.shape) if masked else None
    return {
        "keys": [_key(place) for place in range(n)],
        "weights": cells(weights, allowed),
        "out": _against(out, alone),
        "alone": _against(alone, alone),
        "verdict": _verdict(n, masked, difference, by_content),
        "readouts": {
            "difference": _small(difference),
            "content": "0" if same else _small(by_content),
            "filler": weight(float(weights[:, len(TEXT) :].sum(axis=-1).max(initial=0.0))),
        },
        "notes": {"content": "бит в бит" if same else ""},
        "raw": {"out": out.tolist(), "difference": difference, "content": by_content},
    }


def padded(n: int, filler: str) -> NDArray[np.float64]:
    """The text, filled up to the length of its neighbour."""
    rows = {
        "zeros": np.zeros((1, TEXT.shape[1])),
        "ones": np.ones((1, TEXT.shape[1])),
        "tens": np.full((1, TEXT.shape[1]), 10.0),
        "words": 1.5 * TEXT[::-1, ::-1],
    }[filler]
    places = np.arange(n - len(TEXT)) % len(rows)
    return np.concatenate([TEXT, rows[places]])  # (n, d)


def short_text(
    x: NDArray[np.float64], masked: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Output and weights of the text's own tokens in a batch with filler."""
    mask = padding([len(TEXT)], len(x))[0, 0] if masked else None
    out, weights = attention(x, x, x, mask=mask, return_weights=True)
    return out[: len(TEXT)], weights[: len(TEXT)]


SOURCES = (padded, short_text)


def html(shown: Shown) -> str:
    """The figure of a frame."""
    return (
        readouts(shown, NAME, READOUTS)
        + f'<p class="aw-remark">{live(shown, "verdict")}</p><div class="aw-stages is-wide">'
        + _stage("weights", "Веса настоящих токенов", "справа — заполнитель", shown)
        + _stage("out", "Выход в пакете", "чем заметнее фон, тем дальше от одиночного", shown)
        + _stage("alone", "Выход в одиночку", "", shown)
        + f"</div>{cell_line()}"
    )


def _stage(name: str, title: str, note: str, shown: Shown) -> str:
    if name == "weights":
        content = table(shown, name, title, name, rows="keys", columns="keys")
    else:
        content = table(
            shown,
            name,
            title,
            name,
            rows="keys",
            cell_text="токен {q}, канал {k}: {value}",
            corner="токены ↓ каналы →",
        )
    return stage(title, note, content)


def _key(place: int) -> str:
    return "текст" if place < len(TEXT) else "pad"


def _against(out: NDArray[np.float64], alone: NDArray[np.float64]) -> Cells:
    return cells(out, shade=np.minimum(np.abs(out - alone), 1))


def _small(difference: float) -> str:
    return "≤ 1e-12" if difference <= TOLERANCE else fixed(difference, 4)


def _verdict(n: int, masked: bool, difference: float, by_content: float) -> str:
    if n == len(TEXT):
        return "Сосед той же длины: заполнителя нет, маска ничего не меняет."
    if not masked:
        return "Маски нет: запросы смотрят и на заполнитель, ответ зависит от длины соседа."
    if difference <= TOLERANCE and by_content == 0:
        return "С маской ответ тот же, что в одиночку; содержимое заполнителя не важно совсем."
    return "Маска не помогла: так быть не должно."
