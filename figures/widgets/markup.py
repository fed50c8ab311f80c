"""HTML of the parts that widgets share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

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


def live(shown: Mapping[str, object], path: str) -> str:
    """A text of the frame, found by its dotted path; the page keeps it up to date.

    What has no words in it is not translated with the page.

    >>> live({"rows": {"first": "1.209"}}, "rows.first")
    '<span data-text="rows.first" translate="no">1.209</span>'
    """
    text = str(_found(shown, path))
    fixed = None if _WORD.search(text) else "no"
    return f"<span{attributes({'data-text': path, 'translate': fixed})}>{escape(text)}</span>"


def when(shown: Mapping[str, object], path: str, content: str) -> str:
    """HTML that is there while a flag of the frame is true.

    >>> when({"own": False}, "own", "x")
    '<span data-when="own" hidden>x</span>'
    """
    return f"<span{flag(shown, path)}>{content}</span>"


def flag(shown: Mapping[str, object], path: str) -> str:
    """The attributes of an element that is there while a flag of the frame is true."""
    return attributes({"data-when": path, "hidden": not _found(shown, path)})


def drawn(shown: Mapping[str, object], path: str) -> str:
    """A path of an inline SVG, found and kept up to date in the same way.

    >>> drawn({"bars": {"low": "M0 0h1"}}, "bars.low")
    '<path data-path="bars.low" d="M0 0h1"/>'
    """
    return f"<path{attributes({'data-path': path, 'd': _found(shown, path)})}/>"


def _found(shown: Mapping[str, object], path: str) -> object:
    value: object = shown
    for key in path.split("."):
        value = value[key]  # type: ignore[index]
    return value


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


def readout(widget: str, key: str, label: str, value: str, explanation: str, note: str = "") -> str:
    """A named number of the frame's "readouts"; `note` is a second line under the label."""
    return (
        f'<div class="aw-readout">{term(widget, key, label, explanation)}'
        f'<output data-readout="{key}" translate="no" aria-live="off" '
        f'aria-labelledby="{widget}-label-{key}">{escape(value)}</output>'
        f'<span class="aw-note" data-note="{key}">{escape(note)}</span></div>'
    )


def readouts(items: Iterable[str]) -> str:
    return f'<div class="aw-readouts">{"".join(items)}</div>'
