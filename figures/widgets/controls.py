"""The controls of a widget: names, values, defaults and native inputs.

A control knows the values it can take (`values`, or None when they cannot be listed) and writes
them into the input's data attributes; the page reads nothing else. `place` is "above" the figure or
"below" it. `needs=("model", "own")`: the control counts only while that other control has that
value, or one of several; otherwise it is disabled and its state is the default.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from figures.shared.formats import plain
from figures.widgets.markup import attributes, escape


@dataclass(frozen=True, kw_only=True)
class Control:
    """What all controls have in common."""

    name: str
    label: str
    default: Any
    place: str = "above"
    hint: str = ""
    needs: tuple[Any, ...] | None = None

    @property
    def values(self) -> tuple[Any, ...] | None:
        """All values, in order; None when they cannot be listed."""
        return None

    def html(self, widget: str) -> str:
        """The label and the input."""
        raise NotImplementedError

    def _identity(self, widget: str, kind: str) -> dict[str, object]:
        return {
            "id": f"{widget}-{self.name}",
            "name": self.name,
            "data-control": kind,
            "data-default": json.dumps(self.default, ensure_ascii=False),
            "data-needs": json.dumps(self.needs, ensure_ascii=False) if self.needs else None,
            "aria-describedby": f"{widget}-{self.name}-hint" if self.hint else None,
            "autocomplete": "off",
        }

    def _wrap(self, widget: str, kind: str, content: str) -> str:
        hint = (
            f'<span class="aw-hint" id="{widget}-{self.name}-hint">{escape(self.hint)}</span>'
            if self.hint
            else ""
        )
        return f'<div class="aw-control aw-{kind}">{content}{hint}</div>'

    def _label(self, widget: str) -> str:
        return f'<label for="{widget}-{self.name}">{escape(self.label)}</label>'


@dataclass(frozen=True, kw_only=True)
class Checkbox(Control):
    """Yes or no."""

    default: bool

    @property
    def values(self) -> tuple[bool, ...]:
        return (False, True)

    def html(self, widget: str) -> str:
        box = {
            "type": "checkbox",
            **self._identity(widget, "checkbox"),
            "data-values": json.dumps(self.values),
            "checked": self.default,
        }
        content = f"<label><input{attributes(box)}> <span>{escape(self.label)}</span></label>"
        return self._wrap(widget, "checkbox", content)


@dataclass(frozen=True, kw_only=True)
class Slider(Control):
    """A range input over the index of a table of values."""

    table: Sequence[Any]

    def __post_init__(self) -> None:
        if self.default not in self.table:
            raise ValueError(f"{self.name}: {self.default!r} is not in the slider's table")
        if wrong := [v for v in self.table if isinstance(v, float) and not math.isfinite(v)]:
            raise ValueError(
                f"{self.name}: the slider's table holds {wrong[0]}, not a finite number"
            )

    @property
    def values(self) -> tuple[Any, ...]:
        return tuple(self.table)

    def html(self, widget: str) -> str:
        labels = [plain(value) for value in self.table]
        index = self.values.index(self.default)
        slider = {
            "type": "range",
            "min": 0,
            "max": len(labels) - 1,
            "step": 1,
            "value": index,
            **self._identity(widget, "slider"),
            "aria-valuetext": labels[index],
            "data-values": json.dumps(self.values),
            "data-labels": json.dumps(labels, ensure_ascii=False),
        }
        value = attributes(
            {"class": "aw-value", "for": slider["id"], "translate": "no", "aria-live": "off"}
        )
        return self._wrap(
            widget,
            "slider",
            f'<span class="aw-line">{self._label(widget)}'
            f"<output{value}>{escape(labels[index])}</output></span>"
            f"<input{attributes(slider)}>"
            '<span class="aw-ends" translate="no" aria-hidden="true">'
            f"<span>{escape(labels[0])}</span><span>{escape(labels[-1])}</span></span>",
        )


@dataclass(frozen=True, kw_only=True)
class Select(Control):
    """One of a few; `options` is {value: text}, values are strings.

    `fills` is {value: {name of another control: what it says while this value is chosen}}.
    """

    options: dict[str, str]
    fills: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(self.options)

    def html(self, widget: str) -> str:
        select = {
            **self._identity(widget, "select"),
            "data-values": json.dumps(self.values),
            "data-fills": json.dumps(self.fills) if self.fills else None,
        }
        options = "".join(
            f"<option{attributes({'value': value, 'selected': value == self.default})}>"
            f"{escape(text)}</option>"
            for value, text in self.options.items()
        )
        content = f"{self._label(widget)}<select{attributes(select)}>{options}</select>"
        return self._wrap(widget, "select", content)


@dataclass(frozen=True, kw_only=True)
class Number(Control):
    """A whole number typed by hand, from `low` to `high`; wrong text keeps the last good value."""

    low: int
    high: int
    unit: str = ""

    def html(self, widget: str) -> str:
        number = {
            "type": "number",
            "inputmode": "numeric",
            "min": self.low,
            "max": self.high,
            "step": 1,
            "required": True,
            "value": self.default,
            **self._identity(widget, "number"),
        }
        unit = f' <span class="aw-unit">{escape(self.unit)}</span>' if self.unit else ""
        range_ = f"от {plain(self.low)} до {plain(self.high)}"
        content = (
            f"{self._label(widget)}<span><input{attributes(number)}>{unit}"
            f'<span class="aw-error" role="alert">Нужно целое число {range_}.</span></span>'
        )
        return self._wrap(widget, "number", content)


@dataclass(frozen=True, kw_only=True)
class Text(Control):
    """A line of text."""

    max_length: int

    def html(self, widget: str) -> str:
        text = {
            "type": "text",
            "maxlength": self.max_length,
            "value": self.default,
            "spellcheck": "false",
            **self._identity(widget, "text"),
        }
        content = f"{self._label(widget)}<input{attributes(text)}>"
        return self._wrap(widget, "text", content)


@dataclass(frozen=True, kw_only=True)
class BlockPattern(Control):
    """A square of blocks switched by clicking; the value is a string of rows, "100/110/111"."""

    @property
    def rows(self) -> list[str]:
        return str(self.default).split("/")

    def html(self, widget: str) -> str:
        blocks = "".join(
            '<span class="aw-block-row">'
            + "".join(
                f'<input type="checkbox" data-block="{q} {k}" autocomplete="off" '
                f'aria-label="блок {q + 1}, {k + 1}"{" checked" if mark == "1" else ""}>'
                for k, mark in enumerate(row)
            )
            + "</span>"
            for q, row in enumerate(self.rows)
        )
        group = {
            **self._identity(widget, "pattern"),
            "role": "group",
            "aria-label": self.label,
            "autocomplete": None,
            "name": None,
            "data-name": self.name,
        }
        content = (
            f'<span class="aw-legend-text">{escape(self.label)}</span><div{attributes(group)}>'
        )
        return self._wrap(widget, "pattern", f"{content}{blocks}</div>")


def defaults(controls: Sequence[Control]) -> dict[str, Any]:
    """The state in which a widget is served."""
    return {control.name: control.default for control in controls}
