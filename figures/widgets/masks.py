"""W4: a mask, the keys that each query sees, and the work that a kernel of tiles does for it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from attnlib import flash_attention, tile_map
from attnlib.masks import Mask, block_share, share, visible_keys
from attnlib.tiles import TileStats
from figures.shared.formats import count, grouped, percent
from figures.shared.typography import typeset
from figures.widgets.controls import BlockPattern, Checkbox, Select, Slider
from figures.widgets.markup import Shown, bound, cell_line, drawn, live, readouts, stage
from figures.widgets.mask_choice import CHOICES, chosen
from figures.widgets.mask_drawings import allowed_path, tile_paths
from figures.widgets.matrices import table

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


READOUTS = (
    ("share", "разрешено пар", "Доля разрешённых пар запрос — ключ среди всех."),
    (
        "tile-share",
        "посчитано пар",
        "Доля пар в посчитанных плитках: плитка считается целиком, если хоть одна пара в ней "
        "разрешена.",
    ),
    ("computed", "плиток посчитано", "Отчёт самого ядра: частичные и полные плитки."),
    ("visible", "видимых ключей", "Сколько ключей разрешено запросу: от и до."),
)


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
        "large": n > TABLE_UP_TO,
        "mask": mask.astype(int).tolist(),
        "$q": 0,  # of a large mask the row that stands beside it as a table
        "numbers": [str(number) for number in range(1, n + 1)],
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


def html(shown: Shown) -> str:
    """The figure of a frame."""
    return (
        readouts(shown, NAME, READOUTS)
        + f'<p class="masks-rule">{live(shown, "rule")} <code>{live(shown, "code")}</code></p>'
        + f'<div class="aw-stages is-wide masks">{_mask(shown)}{_kernel(shown)}</div>'
        + '<p class="aw-caption">Видимых ключей по строкам, сверху вниз: '
        + f"{live(shown, 'visible')}.</p>"
    )


def _table(shown: Shown, name: str, caption: str, cells: str) -> str:
    return table(
        shown,
        name,
        caption,
        cells,
        mask=cells,
        blocked_text="0",
        cell_text="запрос {q}, ключ {k}: разрешено",
        blocked_cell_text="запрос {q}, ключ {k}: запрещено, −∞ → 0",
        corner="",
    )


def _mask(shown: Shown) -> str:
    small = {**shown, "mask": shown["mask"][:TABLE_UP_TO]}
    number = bound(shown, {"aria-valuetext": "numbers.$q", "max": "n"})
    content = (
        f"<div{bound(shown, {'hidden': 'large'})}>{_table(small, 'mask', 'Маска', 'mask')}</div>"
        f"<div data-large{bound(shown, {'hidden': '!large'})}>"
        '<canvas role="img" data-caption="Маска" '
        'aria-label="Маска; выбранная строка — в таблице под ней"></canvas>'
        '<p class="masks-line"><label for="masks-line">запрос '
        f'<output aria-live="off">{live(shown, "numbers.$q")}</output></label>'
        f'<input type="range" id="masks-line" min="1" value="1"{number} autocomplete="off"></p>'
        + _table(shown, "line", "Выбранная строка маски", "mask.$q")
        + "</div>"
    )
    return stage("Маска", "1 — разрешено, 0 — запрещено", content + cell_line())


def _kernel(shown: Shown) -> str:
    paths = "".join(
        drawn(shown, name)
        for name in ("allowed", "tiles.full", "tiles.grid", "tiles.partial", "tiles.skipped")
    )
    picture = (
        f'<svg class="masks-tiles"{bound(shown, {"viewBox": "box"})} role="img" '
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
