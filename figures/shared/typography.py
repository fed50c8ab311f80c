"""What must not be broken by a line end is held together by no-break spaces.

The build binds the text of every page by these rules, and `typeset` binds the strings of a frame
where it is made: first paint, packed frames and the browser's Python show the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

NBSP = "\u00a0"

VERBATIM = ("raw", "code", "tokens", "mask")  # of a frame: what no spaces are put into

_PARTICLES = "же|бы|ли|ж|б"
_BOUND = (
    # a word of one or two letters holds on to the next word
    (re.compile(rf"(?<![\w\-’])(?!(?:{_PARTICLES}) )([А-Яа-яЁё]{{1,2}}) (?=\S|$)"), rf"\1{NBSP}"),
    # a particle holds on to the word before it
    (re.compile(rf"(?<=\w) (?=(?:{_PARTICLES})(?![\w-]))"), NBSP),
    # the dash of the reference's own templates
    (re.compile(r"\s+–(?=\s)"), f"{NBSP}—"),
    # a dash stays on the line of the word before it
    (re.compile(r"(?:^ | )(?=—(?:\s|$))"), NBSP),
    # a number and its unit, or what it counts
    (re.compile(r"(?<=\d) (?=[А-Яа-яЁё%×])"), NBSP),
    # «рис. 3», «т. е.», «№ 5»
    (
        re.compile(r"\b((?:рис|табл|гл|разд|стр|с|п|т|и т|см|ср|им)\.) (?=[\wА-Яа-яЁё])"),
        rf"\1{NBSP}",
    ),
    (re.compile(r"([№§]) (?=\d)"), rf"\1{NBSP}"),
    # a short equation or product
    (re.compile(rf"(?<=\w)[ {NBSP}]([=≈<>≤≥×·]) (?=[\w−])"), rf"{NBSP}\1{NBSP}"),
)
# What any of the rules needs: long texts without it, such as paths of a drawing, are let through.
_LOOSE = re.compile(r" [А-Яа-яЁё%×—]|[А-Яа-яЁё.№§=≈<>≤≥×·] |\s–")


def bind(text: str) -> str:
    """Puts no-break spaces into a run of Russian text.

    >>> bind("8 голов в слое"), bind("n = 8")
    ('8\\xa0голов в\\xa0слое', 'n\\xa0=\\xa08')
    """
    if not _LOOSE.search(text):
        return text
    for pattern, bound in _BOUND:
        text = pattern.sub(bound, text)
    return text


def typeset(frame: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Decorator of a widget's `frame`: all its texts are bound, whoever asks for it."""

    @wraps(frame)
    def bound(state: dict[str, Any]) -> dict[str, Any]:
        return _bound(frame(state))

    return bound


def _bound(part: Any) -> Any:
    if isinstance(part, str):
        return bind(part) if " " in part else part
    if isinstance(part, list):
        return [_bound(item) for item in part]
    if isinstance(part, dict):
        return {key: item if key in VERBATIM else _bound(item) for key, item in part.items()}
    return part
