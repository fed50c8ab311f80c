"""W2: the width of the model cut into heads, in the right order of axes and in two wrong ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnlib import merge_heads, pitfalls, split_heads
from figures.widgets.controls import Select, Slider
from figures.widgets.formats import agree, count
from figures.widgets.markup import (
    attributes,
    cell_line,
    escape,
    formula,
    live,
    readout,
    readouts,
    stage,
)
from figures.widgets.typography import bind, typeset

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
        "heads": [_head(part, head, h) for head, part in enumerate(parts)],
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


def html(shown: dict[str, Any]) -> str:
    """The figure of a frame."""
    heads = "".join(
        f'<li data-head="{place}"><p class="aw-heads-title"><b data-title>{escape(head["title"])}'
        f"</b> <span data-gets>{escape(head['gets'])}</span></p>"
        f"{_table(f'head-{place}', head['title'], head)}</li>"
        for place, head in enumerate(shown["heads"])
    )
    rows = "".join(
        f'<li data-head="{place}">{escape(text)}</li>' for place, text in enumerate(shown["proj"])
    )
    return (
        readouts(
            [
                readout(
                    NAME,
                    "d",
                    "размер головы",
                    shown["readouts"]["d"],
                    "Ширина делится на число голов: " + formula("d = D/h") + ".",
                ),
                readout(
                    NAME,
                    "shape",
                    "форма после разбиения",
                    shown["readouts"]["shape"],
                    "Оси: тексты b, головы h, токены n, каналы головы d.",
                ),
                readout(
                    NAME,
                    "right",
                    "вернулось на место",
                    shown["readouts"]["right"],
                    "Сколько чисел стоит на своих местах, если склеить головы обратно верной "
                    "операцией merge_heads.",
                ),
            ]
        )
        + f'<p class="aw-heads-pattern"><code>{live(shown, "code")}</code></p>'
        f'<p class="aw-heads-verdict" data-wrong="{shown["wrong"]}">{live(shown, "verdict")}</p>'
        '<div class="aw-heads">'
        + stage(
            "Q, K или V",
            "режутся одинаково; цвет — голова, которой достанется число",
            _table("x", "Q, K или V", shown["x"]),
        )
        + stage("Головы", "каждая считает своё внимание", f"<ol data-heads>{heads}</ol>", "split")
        + stage(
            "concat",
            "головы, склеенные обратно",
            _table("merged", "Склеенные головы", shown["merged"]),
            "concat",
        )
        + stage(
            formula("W^O"),
            "единственное место, где головы смешиваются",
            f'<ol class="aw-heads-proj" data-proj>{rows}</ol>',
            "proj",
        )
        + f"</div>{cell_line('число, коснитесь его или перейдите к нему')}"
    )


def _plain(
    numbers: Numbers, owner: Numbers, moved: NDArray[np.bool_] | None = None
) -> dict[str, Any]:
    """Numbers, the head of each, and what each is, in words."""
    out_of_place = np.zeros(numbers.shape, bool) if moved is None else moved
    return {
        "text": [[str(value) for value in row] for row in numbers.tolist()],
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


def _head(part: Numbers, head: int, h: int) -> dict[str, Any]:
    owner = np.full(TOKENS * WIDTH, head)
    return {"title": f"голова {head + 1}", "gets": _gets(part), **_plain(part, owner)}


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


def _table(name: str, caption: str, part: dict[str, Any]) -> str:
    columns = len(part["text"][0])
    head = "".join(
        f'<th scope="col" translate="no"><span class="aw-index">{k}</span></th>'
        for k in range(1, columns + 1)
    )
    body = "".join(
        f'<tr><th scope="row" translate="no"><span class="aw-index">{n + 1}</span></th>'
        + "".join(_cell(part, n, k) for k in range(columns))
        + "</tr>"
        for n in range(TOKENS)
    )
    data = attributes(
        {
            "data-matrix": name,
            "data-apart": True,
            "data-cell-text": bind("строка {q}, столбец {k}: {value}"),
            "style": f"--columns: {columns};",
        }
    )
    return (
        f'<div class="aw-scroll"><table class="aw-matrix aw-plain"{data}>'
        f"<caption>{escape(caption)}</caption><thead><tr><td></td>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(part: dict[str, Any], n: int, k: int) -> str:
    text = part["text"][n][k]
    cell = {
        "data-row": n,
        "data-col": k,
        "data-head": part["head"][n][k],
        "data-moved": part["moved"][n][k],
        "data-short": text,
        "data-long": text,
        "data-say": part["say"][n][k],
    }
    return f'<td translate="no"{attributes(cell)}><span class="aw-number">{text}</span></td>'
