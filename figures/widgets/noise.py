"""W3: how far random keys look related to a query, and how often one of them wins, by head size."""

from __future__ import annotations

from functools import lru_cache
from math import nextafter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnlib import softmax
from attnlib.measures import cosine_noise
from figures.shared.formats import NBSP, count, fixed, grouped, percent, plain, trimmed
from figures.shared.typography import typeset
from figures.widgets.controls import Number, Slider
from figures.widgets.markup import Shown, bound, drawn, live, readouts, stage_title
from figures.widgets.noise_model import (
    PAIRS,
    attention_row,
    overtaking_share,
    sample_cosines,
    sample_rows,
    wrong_share,
)

NAME = "noise"
TITLE = "Шум при малом d: чужой ключ похож на нужный"
SIZES = (2, 4, 8, 16, 32, 64, 128, 256, 512, 768)
BINS = 80
HEIGHT = 100  # units of the drawings, whatever their size on the screen
BAR = 0.8

CONTROLS = (
    Slider(name="d", label="размер головы d", table=SIZES, default=8),
    Slider(name="near", label="косинус нужного ключа", table=(0.3, 0.5, 0.7), default=0.5),
    Slider(name="others", label="случайных ключей рядом", table=(15, 31, 127), default=127),
    Number(
        name="seed",
        label="номер выборки",
        default=0,
        low=0,
        high=9999,
        place="below",
        hint="Другой номер — другие случайные ключи; их разыгрывает Python в браузере.",
    ),
)
LISTED = ("d", "near", "others")
SOURCES = (sample_cosines, overtaking_share, wrong_share, attention_row)


READOUTS = (
    (
        "measured",
        "σ косинуса, измерено",
        "Стандартное отклонение косинуса независимых гауссовых векторов в выборке.",
    ),
    ("theory", "σ по формуле", "1/√d.", "1/√d"),
    (
        "wrong",
        "доля ошибок, расчёт",
        "Вероятность, что хоть один случайный ключ похож на запрос больше нужного: "
        "1 − (1 − p)ᵐ, где m — число случайных ключей, p — вероятность для одного.",
        "1 − (1 − p)ᵐ",
    ),
    (
        "counted",
        "доля ошибок, выборка",
        "Та же выборка, разрезанная на строки: в скольких наибольший вес не у нужного ключа.",
    ),
)


@typeset
def frame(state: dict[str, Any]) -> dict[str, Any]:
    """Everything that W3 shows in a state of its controls."""
    d, near, others = state["d"], state["near"], state["others"]
    cosines = sample_cosines(d, state["seed"])
    sigma = float(cosines.std())
    rows = sample_rows(cosines, others)
    wrong = rows.max(axis=1) > near
    weights = softmax(attention_row(rows[0], d, near))
    return {
        "histogram": _histogram(cosines, d),
        "marks": {
            "left": _place(-cosine_noise(d)),
            "right": _place(cosine_noise(d)),
            "near": _place(near),
        },
        "near": plain(near),
        "spread": f"±1/√d = ±{fixed(cosine_noise(d), 3)}",
        "row": _row(weights),
        "verdict": _verdict(weights),
        "table": {
            str(size): {
                "current": size == d,
                "wrong": _probability(wrong_share(size, near, others)),
            }
            for size in SIZES
        },
        "readouts": {
            "measured": fixed(sigma, 3),
            "theory": fixed(cosine_noise(d), 3),
            "wrong": _probability(wrong_share(d, near, others)),
            "counted": percent(float(wrong.mean())),
        },
        "notes": {
            "measured": f"{count(PAIRS, 'пара', 'пары', 'пар')} векторов",
            "counted": f"{grouped(int(wrong.sum()))} из {grouped(len(rows))} строк",
        },
        "raw": {"sigma": sigma, "wrong": wrong_share(d, near, others), "weights": weights.tolist()},
    }


def html(shown: Shown) -> str:
    """The figure of a frame."""
    return (
        readouts(shown, NAME, READOUTS)
        + stage_title("Косинус случайного ключа с запросом", f"пунктир — {live(shown, 'spread')}")
        + _histogram_html(shown)
        + '<p class="aw-caption">Столбики — выборка, линия — плотность '
        '<span class="nobr">(1 − x²)<sup>(d−3)/2</sup></span>. Всё, что правее '
        "отметки «нужный», обогнало бы нужный ключ. "
        "Запрос стоит вдоль первой оси: направления случайны, поэтому выбор оси ничего не меняет."
        "</p>"
        + stage_title("Первая строка внимания из выборки", "оценки √d · cos, ключи одной длины √d")
        + _row_html(shown)
        + f'<p class="aw-caption" id="noise-verdict">{live(shown, "verdict")}</p>'
        + _table_html(shown)
    )


def _probability(share: float) -> str:
    """A probability that is below 1, even where float64 can no longer tell."""
    return percent(min(share, nextafter(1, 0)))


def _place(cosine: float) -> str:
    """Where a cosine lies on the axis from −1 to 1, as a share of its length."""
    return f"{(cosine + 1) / 2:.4f}"


@lru_cache(maxsize=len(SIZES))
def _expected(d: int) -> NDArray[np.float64]:
    edges = np.linspace(-1, 1, BINS + 1)
    return -np.diff([overtaking_share(d, float(edge)) for edge in edges])


def _histogram(cosines: NDArray[np.float64], d: int) -> dict[str, str]:
    counts = np.histogram(cosines, bins=BINS, range=(-1, 1))[0]
    top = HEIGHT / (counts.max() * 1.05)
    heights = (counts * top).tolist()
    curve = np.minimum(_expected(d) * PAIRS * top, HEIGHT).tolist()
    bars = [_bar(place, height) for place, height in enumerate(heights) if height]
    line = [f"{x + 0.5:g} {HEIGHT - y:.1f}" for x, y in enumerate(curve)]
    return {"bars": "".join(bars), "curve": f"M{'L'.join(line)}"}


def _row(weights: NDArray[np.float64]) -> dict[str, str]:
    heights = (weights / weights.max() * HEIGHT).tolist()
    return {
        "near": _bar(0, heights[0]),
        "others": "".join(_bar(place, h) for place, h in enumerate(heights) if place),
        "box": f"0 0 {len(heights)} {HEIGHT}",
        "winner": f"{(int(weights.argmax()) + 0.5) / len(heights):.4f}",
        "first": f"{0.5 / len(heights):.4f}",
        "top": fixed(float(weights.max()), 3),
    }


def _bar(place: int, height: float) -> str:
    tall = f"{max(height, 0.3):.1f}"
    return f"M{place} {HEIGHT}v-{tall}h{BAR}v{tall}z"


def _verdict(weights: NDArray[np.float64]) -> str:
    winner = int(weights.argmax())
    own = f"Вес нужного ключа {fixed(float(weights[0]), 4)}"
    if winner:
        best = f"наибольший вес {fixed(float(weights[winner]), 4)}"
        return f"{own}, а {best} достался случайному ключу {winner + 1}: голова ошиблась."
    second = fixed(float(weights[1:].max()), 4)
    return f"{own}, наибольший вес случайного ключа — {second}: нужный ключ выиграл."


def _mark(shown: Shown, kind: str, place: str, text: str = "") -> str:
    there = bound(shown, {"--x": place})
    return f'<i class="noise-mark" data-mark="{kind}"{there}>{text}</i>'


def _histogram_html(shown: Shown) -> str:
    axis = "".join(f"<span>{trimmed(x, 1)}</span>" for x in (-1, -0.5, 0, 0.5, 1))
    return (
        '<div class="noise-plot" role="img" aria-label="Гистограмма косинусов; её ширина — первый '
        'показатель">'
        f'<svg viewBox="0 0 {BINS} {HEIGHT}" preserveAspectRatio="none" data-drawing="histogram" '
        'aria-hidden="true">'
        f"{drawn(shown, 'histogram.bars')}{drawn(shown, 'histogram.curve')}</svg>"
        + _mark(shown, "left", "marks.left")
        + _mark(shown, "right", "marks.right")
        + _mark(shown, "near", "marks.near", f"<span>нужный{NBSP}{live(shown, 'near')}</span>")
        + f'</div><p class="noise-axis" translate="no" aria-hidden="true">{axis}</p>'
    )


def _row_html(shown: Shown) -> str:
    return (
        '<div class="noise-plot noise-row" role="img" aria-labelledby="noise-verdict">'
        f'<svg{bound(shown, {"viewBox": "row.box"})} preserveAspectRatio="none" '
        f'data-drawing="row" aria-hidden="true">'
        f"{drawn(shown, 'row.near')}{drawn(shown, 'row.others')}</svg>"
        + _mark(shown, "first", "row.first", "<span>▲ нужный</span>")
        + _mark(shown, "winner", "row.winner", f"<span>▼{NBSP}{live(shown, 'row.top')}</span>")
        + "</div>"
    )


def _table_html(shown: Shown) -> str:
    rows = ""
    for size in SIZES:
        current = bound(shown, {"data-current": f"table.{size}.current"})
        rows += (
            f'<tr{current}><th scope="row">{size}</th><td>{fixed(cosine_noise(size), 3)}</td>'
            f"<td>{live(shown, f'table.{size}.wrong')}</td></tr>"
        )
    return (
        '<div class="aw-scroll"><table class="aw-table"><caption>Доля ошибок при каждом размере '
        'головы, расчёт</caption><thead><tr><th scope="col">d</th><th scope="col">σ = 1/√d</th>'
        '<th scope="col">доля ошибок</th></tr></thead>'
        f'<tbody translate="no">{rows}</tbody></table></div>'
    )
