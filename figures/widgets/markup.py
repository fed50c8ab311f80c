"""HTML of the parts that widgets share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

Shown = Mapping[str, Any]

_WORD = re.compile("[А-Яа-яЁё]{2}")


def escape(text: object) -> str:
    """Text for an element or a quoted attribute."""
    safe = str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return safe.replace('"', "&quot;")


def attributes(values: Mapping[str, object]) -> str:
    """` name="value"` for each; True is a bare name, False and None are left out.

    >>> attributes({"hidden": True, "min": 0, "disabled": False})
    ' hidden min="0"'
    """
    parts = []
    for name, value in values.items():
        if value is True:
            parts.append(f" {name}")
        elif value is not None and value is not False:
            parts.append(f' {name}="{escape(value)}"')
    return "".join(parts)


def tag(name: str, content: str = "", **values: object) -> str:
    """An element; `_` in an attribute's name stands for `-`, a leading `_` (`_for`) is dropped."""
    named = {key.removeprefix("_").replace("_", "-"): value for key, value in values.items()}
    return f"<{name}{attributes(named)}>{content}</{name}>"


def found(shown: Shown, path: str) -> Any:
    """What a frame has under a dotted path.

    `$k` within it stands for what the frame has under that key: a place, or several in turn; `!`
    before it for the contrary.

    >>> found({"rows": ["a", "b"], "$q": 1}, "rows.$q"), found({"own": True}, "!own")
    ('b', False)
    """
    first, *rest = path.removeprefix("!").split(".")
    value = shown[first]
    for key in rest:
        steps = shown[key] if key.startswith("$") else key
        for step in steps if isinstance(steps, list) else [steps]:
            value = value[step]
    return not value if path.startswith("!") else value


def bound(shown: Shown, targets: Mapping[str, str]) -> str:
    """Attributes, and variables for style sheets, that the page keeps up to date: {name: path}.

    >>> bound({"own": True, "share": "0.5"}, {"data-own": "own", "--p": "share"})
    ' data-bind="data-own:own --p:share" data-own style="--p: 0.5;"'
    """
    if not targets:
        return ""
    marks = " ".join(f"{target}:{path}" for target, path in targets.items())
    values = {target: found(shown, path) for target, path in targets.items()}
    style = [f"{k}: {v};" for k, v in values.items() if k.startswith("--") and v is not None]
    plain = {k: v for k, v in values.items() if k != "text" and not k.startswith("--")}
    return attributes({"data-bind": marks, **plain, "style": " ".join(style) or None})


def live(shown: Shown, path: str, otherwise: str | None = None) -> str:
    """A text of the frame, kept up to date; `otherwise` stands where the frame has none.

    What has no words in it is not translated with the page.

    >>> live({"rows": {"first": "1.209"}}, "rows.first")
    '<span data-bind="text:rows.first" translate="no">1.209</span>'
    """
    value = found(shown, path)
    text = str(otherwise or "" if value is None else value)
    fixed = None if _WORD.search(text) or not text else "no"
    mark = {"data-bind": f"text:{path}", "data-else": otherwise, "translate": fixed}
    return f"<span{attributes(mark)}>{escape(text)}</span>"


def when(shown: Shown, path: str, content: str) -> str:
    """HTML that is there while a flag of the frame is true.

    >>> when({"own": False}, "own", "x")
    '<span data-bind="hidden:!own" hidden>x</span>'
    """
    contrary = path[1:] if path.startswith("!") else f"!{path}"
    return f"<span{bound(shown, {'hidden': contrary})}>{content}</span>"


def each(
    shown: Shown, name: str, items: str, item: Callable[[Shown], str], **values: object
) -> str:
    """An element with one child for each item of a list, or as many as a number says.

    `items` is "k:path"; `item` makes a child of the frame with the item's place as its "$k". There
    must be one at first: the page makes the others of it.

    >>> each({"keys": ["a", "b"]}, "ol", "k:keys", lambda here: tag("li", live(here, "keys.$k")))
    ... # doctest: +ELLIPSIS
    '<ol data-each="k:keys"><li><span data-bind="text:keys.$k" translate="no">a</span></li>...'
    """
    place, path = items.split(":")
    found_items = found(shown, path)
    count = found_items if isinstance(found_items, int) else len(found_items)
    children = "".join(item({**shown, f"${place}": number}) for number in range(count))
    return tag(name, children, data_each=items, **values)


def drawn(shown: Shown, path: str) -> str:
    """A path of an inline SVG, kept up to date.

    >>> drawn({"bars": {"low": "M0 0h1"}}, "bars.low")
    '<path data-bind="d:bars.low" d="M0 0h1"/>'
    """
    return f"<path{bound(shown, {'d': path})}/>"


def formula(tex: str) -> str:
    """A formula that the build typesets."""
    return f'<span class="arithmatex">\\({escape(tex)}\\)</span>'


def cell_line(place: str = "клетку, коснитесь её или перейдите к ней") -> str:
    """Where a matrix says the cell that is pointed at; before that, how one points."""
    return (
        f'<p class="aw-cell is-resting" data-cell>Наведите указатель на {place} клавишей Tab.</p>'
    )


def stage_title(title: str, note: str) -> str:
    """The heading of a part of a figure, with a quieter note; both are HTML."""
    quiet = f'<span class="aw-stage-note">{note}</span>'
    return f'<p class="aw-stage-title"><b>{title}</b> {quiet}</p>'


def stage(title: str, note: str, content: str, key: str | None = None) -> str:
    """A part of a figure; `key` names the term of the lesson's formula that lights it."""
    box = attributes({"class": "aw-stage", "data-k": key})
    return f"<div{box}>{stage_title(title, note)}{content}</div>"


def term(widget: str, key: str, label: str, explanation: str) -> str:
    """A label that explains itself on focus and hover; `explanation` is HTML."""
    identifier = f"{widget}-tip-{key}"
    return (
        f'<span class="aw-term"><span class="aw-label" id="{widget}-label-{key}" tabindex="0" '
        f'aria-describedby="{identifier}">{escape(label)}</span>'
        f'<span class="aw-tip" role="tooltip" id="{identifier}">{explanation}</span></span>'
    )


def readouts(shown: Shown, widget: str, named: Iterable[tuple[str, ...]]) -> str:
    """The frame's "readouts": the key, label and explanation of each, and what stands below it
    where the frame's "notes" have nothing."""
    made = "".join(_readout(shown, widget, *one) for one in named)
    return f'<div class="aw-readouts">{made}</div>'


def _readout(
    shown: Shown, widget: str, key: str, label: str, explanation: str, note: str = ""
) -> str:
    value = bound(shown, {"text": f"readouts.{key}"})
    below = live(shown, f"notes.{key}") if key in shown.get("notes", {}) else escape(note)
    return (
        f'<div class="aw-readout">{term(widget, key, label, explanation)}'
        f'<output data-readout="{key}"{value} translate="no" aria-live="off" '
        f'aria-labelledby="{widget}-label-{key}">{escape(shown["readouts"][key])}</output>'
        f'<span class="aw-note">{below}</span></div>'
    )
