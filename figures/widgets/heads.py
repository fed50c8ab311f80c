"""W2: the width of the model cut into heads, in the right order of axes and in two wrong ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnlib import merge_heads, pitfalls, split_heads
from figures.shared.formats import agree, count
from figures.shared.typography import typeset
from figures.widgets.controls import Select, Slider
from figures.widgets.markup import (
    Shown,
    bound,
    cell_line,
    each,
    formula,
    live,
    readouts,
    stage,
)
from figures.widgets.matrices import table

NAME = "heads"
TITLE = "Ширина, разрезанная на головы"
TOKENS, WIDTH = 4, 12
SPLITS = {
    "h d": split_heads,
    "d h": pitfalls.split_heads_d_h,
    "reshape": pitfalls.split_heads_without_transpose,
}
PATTERNS = {
    "h d": "rearrange(q, 'b n (h d) -> b h n d', h={h})",
    "d h": "rearrange(q, 'b n (d h) -> b h n d', h={h})",
    "reshape": "q.reshape(b, {h}, n, {d})",
}
CONTROLS = (
    Slider(name="h", label="число голов h", table=(1, 2, 3, 4, 6, 12), default=3),
    Select(
        name="order",
        label="порядок осей",
        options={"h d": "(h d)", "d h": "(d h)", "reshape": "reshape без перестановки"},
        default="h d",
    ),
)
SOURCES = (split_heads, merge_heads, *list(SPLITS.values())[1:])

Numbers = NDArray[np.int64]


READOUTS = (
    ("d", "размер головы", "Ширина делится на число голов: " + formula("d = D/h") + "."),
    ("shape", "форма после разбиения", "Оси: тексты b, головы h, токены n, каналы головы d."),
    (
        "right",
        "вернулось на место",
        "Сколько чисел стоит на своих местах, если склеить головы обратно верной операцией "
        "merge_heads.",
    ),
)


@typeset
def frame(state: dict[str, Any]) -> dict[str, Any]:
    """Everything that W2 shows in a state of its controls."""
    h, order = state["h"], state["order"]
    d = WIDTH // h
    x = np.arange(TOKENS * WIDTH).reshape(1, TOKENS, WIDTH)
    parts = SPLITS[order](x, h)[0]  # (h, n, d)
    merged = merge_heads(parts[None])[0]  # (n, D)
    owner = np.empty(x.size, int)
    for head, part in enumerate(parts):
        owner[part.ravel()] = head
    right = int((merged == x[0]).sum())
    return {
        "code": PATTERNS[order].format(h=h, d=d),
        "x": _plain(x[0], owner),
        "heads": [_part(part, head) for head, part in enumerate(parts)],
        "merged": _plain(merged, owner, moved=merged != x[0]),
        "proj": [_rows(head, d) for head in range(h)],
        "verdict": _verdict(order, parts, right),
        "wrong": int(right < x.size),
        "readouts": {
            "shape": f"(1, {h}, {TOKENS}, {d})",
            "d": f"{WIDTH} / {h} = {d}",
            "right": f"{right} из {x.size}",
        },
        "raw": {"parts": parts.tolist(), "merged": merged.tolist()},
    }


def html(shown: Shown) -> str:
    """The figure of a frame."""
    return (
        readouts(shown, NAME, READOUTS)
        + f'<p class="aw-heads-pattern"><code>{live(shown, "code")}</code></p>'
        f'<p class="aw-heads-verdict"{bound(shown, {"data-wrong": "wrong"})}>'
        f"{live(shown, 'verdict')}</p>"
        '<div class="aw-heads">'
        + stage(
            "Q, K или V",
            "режутся одинаково; цвет — голова, которой достанется число",
            _table(shown, "x", "Q, K или V"),
        )
        + stage(
            "Головы", "каждая считает своё внимание", each(shown, "ol", "i:heads", _head), "split"
        )
        + stage(
            "concat",
            "головы, склеенные обратно",
            _table(shown, "merged", "Склеенные головы"),
            "concat",
        )
        + stage(
            formula("W^O"),
            "единственное место, где головы смешиваются",
            each(shown, "ol", "i:proj", _proj, _class="aw-heads-proj", data_proj=True),
            "proj",
        )
        + f"</div>{cell_line('число, коснитесь его или перейдите к нему')}"
    )


def _head(here: Shown) -> str:
    title, gets = live(here, "heads.$i.title"), live(here, "heads.$i.gets")
    return (
        f'<li{bound(here, {"data-head": "$i"})}><p class="aw-heads-title"><b>{title}</b> {gets}</p>'
        f"{_table(here, 'heads.$i.name', title, 'heads.$i')}</li>"
    )


def _proj(here: Shown) -> str:
    return f"<li{bound(here, {'data-head': '$i'})}>{live(here, 'proj.$i')}</li>"


def _table(shown: Shown, name: str, caption: str, numbers: str = "") -> str:
    return table(
        shown,
        name,
        caption,
        numbers or name,
        blocked_text=None,
        cell_text="строка {q}, столбец {k}: {value}",
        corner="",
        apart=True,
    )


def _plain(
    numbers: Numbers, owner: Numbers, moved: NDArray[np.bool_] | None = None
) -> dict[str, Any]:
    """Numbers, the head of each, and what each is, in words."""
    out_of_place = np.zeros(numbers.shape, bool) if moved is None else moved
    return {
        "short": [[str(value) for value in row] for row in numbers.tolist()],
        "head": owner[numbers].tolist(),
        "moved": out_of_place.astype(int).tolist(),
        "say": [
            [
                f"{value}: из токена {value // WIDTH + 1}, канала {value % WIDTH + 1}; "
                f"голова {owner[value] + 1}" + ("; не на своём месте" if is_moved else "")
                for value, is_moved in zip(*pair, strict=True)
            ]
            for pair in zip(numbers.tolist(), out_of_place.tolist(), strict=True)
        ],
    }


def _part(part: Numbers, head: int) -> dict[str, Any]:
    owner = np.full(TOKENS * WIDTH, head)
    named = {"name": f"head-{head}", "title": f"голова {head + 1}", "gets": _gets(part)}
    return {**named, **_plain(part, owner)}


def _gets(part: Numbers) -> str:
    """Which channels of which tokens a head has got.

    >>> _gets(np.arange(16).reshape(4, 4))
    'каналы 1–12 токена 1, каналы 1–4 токена 2'
    """
    of_token: dict[int, list[int]] = {}
    for value in sorted(part.ravel().tolist()):
        of_token.setdefault(value // WIDTH + 1, []).append(value % WIDTH + 1)
    alike: dict[tuple[int, ...], list[int]] = {}
    for token, channels in of_token.items():
        alike.setdefault(tuple(channels), []).append(token)
    return ", ".join(
        f"{_listed(list(channels), 'канал', 'каналы')} "
        + ("всех токенов" if len(tokens) == TOKENS else _listed(tokens, "токена", "токенов"))
        for channels, tokens in alike.items()
    )


def _listed(numbers: list[int], one: str, many: str) -> str:
    """A run of numbers is given by its ends, others by name.

    >>> _listed([1, 2, 3], "канал", "каналы"), _listed([1, 4], "канал", "каналы")
    ('каналы 1–3', 'каналы 1, 4')
    """
    noun = one if len(numbers) == 1 else many
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{noun} {numbers[0]}–{numbers[-1]}"
    return f"{noun} {', '.join(map(str, numbers))}"


def _rows(head: int, d: int) -> str:
    first, last = head * d + 1, (head + 1) * d
    rows = f"строка {first}" if d == 1 else f"строки {first}–{last}"
    return f"{rows} — голова {head + 1}"


def _verdict(order: str, parts: Numbers, right: int) -> str:
    h = len(parts)
    total = TOKENS * WIDTH
    if right == total:
        same = "" if order == "h d" else " При таком h ошибка ничего не меняет, и её не видно."
        return f"Всё на месте: каждая голова получила свои каналы каждого токена.{same}"
    moved = total - right
    numbers = agree(moved, "число стоит", "числа стоят", "чисел стоит")
    if order == "d h":
        return (
            f"Программа не упала, но {moved} {numbers} не на месте: голова получила каждый {h}-й "
            "канал — понемногу из полос разных голов, для которых их обучали."
        )
    return (
        f"Программа не упала, но {moved} {numbers} не на месте: перепутаны токены. У головы "
        f"{count(TOKENS, 'строка', 'строки', 'строк')}, но не по одной от каждого токена: "
        f"они нарезаны {_cut_from(parts)}."
    )


def _cut_from(parts: Numbers) -> str:
    """From how many tokens the rows of one head come: `parts` is (h, n, d)."""
    found = sorted({len({value // WIDTH for value in part.ravel().tolist()}) for part in parts})
    if found == [1]:
        return "из одного токена"
    return f"из {' или '.join(map(str, found))} соседних токенов"
