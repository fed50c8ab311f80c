"""W4: a mask, the keys that each query sees, and the work that a kernel of tiles does for it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from attnlib import flash_attention, tile_map
from attnlib.masks import Mask, block_share, share, visible_keys
from attnlib.tiles import TileStats
from figures.widgets.controls import BlockPattern, Checkbox, Select, Slider
from figures.widgets.formats import count, grouped, percent
from figures.widgets.markup import cell_line, drawn, live, readout, readouts, stage, tag
from figures.widgets.mask_choice import CHOICES, chosen
from figures.widgets.mask_drawings import allowed_path, tile_paths
from figures.widgets.matrices import table
from figures.widgets.typography import typeset

NAME = "masks"
TITLE = "Маски: что разрешено и сколько плиток посчитает ядро"
TABLE_UP_TO = 16  # larger masks are painted, with a table of one row beside them
KINDS = {name: choice.title for name, choice in CHOICES.items()}
OWN = ("mask", "own")


def _used_by(*names: str) -> tuple[str, ...]:
    return ("mask", *names, "own")


CONTROLS = (
    Select(
        name="mask",
        label="маска",
        options=KINDS | {"mix": "причинная & (окно | глобальные токены)", "own": "своё сочетание"},
        default="causal",
    ),
    Slider(name="n", label="токенов n", table=(8, 16, 32, 64), default=16),
    Slider(name="b", label="сторона плитки b", table=(2, 4, 8, 16), default=4),
    Slider(
        name="w",
        label="ширина окна w",
        table=(1, 2, 3, 4, 8, 16),
        default=4,
        needs=_used_by("window", "window2", "mix"),
    ),
    Slider(
        name="filler",
        label="заполнителя в конце",
        table=tuple(range(9)),
        default=5,
        needs=_used_by("padding"),
    ),
    Slider(
        name="globals",
        label="глобальных токенов",
        table=(1, 2, 3, 4),
        default=1,
        needs=_used_by("globals", "mix"),
    ),
    BlockPattern(
        name="pattern",
        label="разрешённые блоки",
        default="1000/1100/1110/1011",
        needs=_used_by("blocks"),
    ),
    Select(
        name="first",
        label="первая маска",
        options=KINDS,
        default="window2",
        place="below",
        needs=OWN,
    ),
    Select(
        name="op",
        label="действие",
        options={"&": "& — разрешено обеими", "|": "| — хотя бы одной"},
        default="|",
        place="below",
        needs=OWN,
    ),
    Select(
        name="second",
        label="вторая маска",
        options=KINDS,
        default="globals",
        place="below",
        needs=OWN,
    ),
    Checkbox(
        name="and_causal",
        label="и без будущего: & причинная",
        default=False,
        place="below",
        needs=OWN,
    ),
)
LISTED = ("mask", "n", "b", "w")


@typeset
def frame(state: dict[str, Any]) -> dict[str, Any]:
    """Everything that W4 shows in a state of its controls."""
    n, block = state["n"], state["b"]
    mask, code, rule = chosen(state)
    stats = kernel_stats(mask.tobytes(), n, block)
    seen = visible_keys(mask).tolist()
    allowed, by_tiles = share(mask), block_share(mask, block)
    low, high, seen_pairs = min(seen), max(seen), sum(seen)
    return {
        "code": code,
        "rule": rule,
        "n": n,
        "rows": "/".join(_hexadecimal(row) for row in mask.tolist()),
        "allowed": allowed_path(mask),
        "tiles": tile_paths(tile_map(mask, block, block), block, n),
        "box": f"0 0 {n} {n}",
        "visible": ", ".join(map(str, seen)),
        "kernel": {
            "skipped": grouped(stats.skipped),
            "partial": grouped(stats.partial),
            "full": grouped(stats.full),
        },
        "readouts": {
            "share": percent(float(allowed)),
            "tile-share": percent(float(by_tiles)),
            "computed": grouped(stats.partial + stats.full),
            "visible": str(low) if low == high else f"{low}–{high}",
        },
        "notes": {
            "share": f"{grouped(seen_pairs)} из {count(n * n, 'пары', 'пар', 'пар')}, {allowed}",
            "tile-share": f"ровно {by_tiles}",
            "computed": f"из {grouped(stats.skipped + stats.partial + stats.full)}",
        },
        "raw": {
            "share": float(allowed),
            "tile_share": float(by_tiles),
            "kernel_share": [float(stats.share), float(stats.tile_share)],
        },
    }


def _hexadecimal(row: list[bool]) -> str:
    """The cells of a row as the digits of one number: a short text for the packed file."""
    return f"{int(''.join('01'[cell] for cell in row), 2):x}"


@lru_cache(maxsize=256)
def kernel_stats(mask: bytes, n: int, block: int) -> TileStats:
    """What the tiled kernel did under a mask; the numbers that it multiplied do not matter."""
    x = np.zeros((n, 1))
    allowed: Mask = np.frombuffer(mask, dtype=bool).reshape(n, n)
    _, stats = flash_attention(
        x, x, x, mask=allowed, block_q=block, block_k=block, return_stats=True
    )
    return stats


SOURCES = (kernel_stats, visible_keys, share, block_share)


def html(shown: dict[str, Any]) -> str:
    """The figure of a frame."""
    return (
        readouts(_readouts(shown))
        + f'<p class="masks-rule">{live(shown, "rule")} <code>{live(shown, "code")}</code></p>'
        + f'<div class="aw-stages is-wide masks">{_mask(shown)}{_kernel(shown)}</div>'
        + '<p class="aw-caption">Видимых ключей по строкам, сверху вниз: '
        + f"{live(shown, 'visible')}.</p>"
    )


def _readouts(shown: dict[str, Any]) -> list[str]:
    texts, notes = shown["readouts"], shown["notes"]

    def made(key: str, label: str, explanation: str) -> str:
        return readout(NAME, key, label, texts[key], explanation, notes.get(key, ""))

    return [
        made("share", "разрешено пар", "Доля разрешённых пар запрос — ключ среди всех."),
        made(
            "tile-share",
            "посчитано пар",
            "Доля пар в посчитанных плитках: плитка считается целиком, если хоть одна пара в ней "
            "разрешена.",
        ),
        made("computed", "плиток посчитано", "Отчёт самого ядра: частичные и полные плитки."),
        made("visible", "видимых ключей", "Сколько ключей разрешено запросу: от и до."),
    ]


def _cells(rows: list[str]) -> dict[str, list[list[Any]]]:
    marks = [["1" if mark == "1" else None for mark in row] for row in rows]
    return {"short": marks, "long": marks}


def _table(name: str, caption: str, rows: list[str]) -> str:
    return table(
        name,
        caption,
        [""] * len(rows),
        [""] * len(rows[0]),
        _cells(rows),
        blocked_text="0",
        cell_text="запрос {q}, ключ {k}: разрешено",
        blocked_cell_text="запрос {q}, ключ {k}: запрещено, −∞ → 0",
    )


def _mask(shown: dict[str, Any]) -> str:
    rows = [f"{int(row, 16):0{shown['n']}b}" for row in shown["rows"].split("/")]
    large = shown["n"] > TABLE_UP_TO
    small = rows[:TABLE_UP_TO] if large else rows
    whole = tag("div", _table("mask", "Маска", small), data_small=TABLE_UP_TO, hidden=large)
    painted = tag(
        "div",
        '<canvas role="img" data-caption="Маска" '
        'aria-label="Маска; выбранная строка — в таблице под ней"></canvas>'
        '<p class="masks-line"><label for="masks-line">запрос '
        '<output translate="no" aria-live="off">1</output></label>'
        f'<input type="range" id="masks-line" min="1" max="{len(rows)}" value="1" '
        'aria-valuetext="1" '
        'autocomplete="off"></p>' + _table("line", "Выбранная строка маски", rows[:1]),
        data_large=True,
        hidden=not large,
    )
    return stage("Маска", "1 — разрешено, 0 — запрещено", whole + painted + cell_line())


def _kernel(shown: dict[str, Any]) -> str:
    paths = "".join(
        drawn(shown, name)
        for name in ("allowed", "tiles.full", "tiles.grid", "tiles.partial", "tiles.skipped")
    )
    picture = (
        f'<svg class="masks-tiles" viewBox="{shown["box"]}" role="img" '
        f'aria-labelledby="masks-kernel">{paths}</svg>'
    )
    legend = "".join(
        f'<li><svg viewBox="0 0 2 2" aria-hidden="true">'
        f'<path data-tile="{kind}" d="{path}"/></svg>{text} {live(shown, f"kernel.{kind}")}</li>'
        for kind, text, path in (
            ("full", "полных", "M0 0H2V2H0z"),
            ("partial", "частичных", "M0 2L2 0"),
            ("skipped", "пропущено", "M0.2 1H1.8"),
        )
    )
    return stage(
        "Что сделало плиточное ядро",
        "поверх маски",
        f'{picture}<ul class="masks-legend" id="masks-kernel">{legend}</ul>',
    )
