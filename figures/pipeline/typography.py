"""MkDocs hook: no-break spaces in the built pages, outside code, pictures and formulas."""

from __future__ import annotations

import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.pages import Page

NBSP = "\u00a0"

_OPAQUE = "script|style|pre|code|kbd|samp|svg|math|textarea|title"
_PIECE = re.compile(
    rf"(?P<opaque><(?P<tag>{_OPAQUE})\b.*?</(?P=tag)>|<(?P<box>span|div) class=\"arithmatex\".*?</(?P=box)>)"
    r"|(?P<mark><!--.*?-->|<[^>]*>)",
    re.DOTALL,
)
_BOUND = (
    # a word of one or two letters holds on to the next word
    (re.compile(r"(?<![\w\-’])([А-Яа-яЁё]{1,2}) (?=\S|$)"), rf"\1{NBSP}"),
    # a particle holds on to the word before it
    (re.compile(r"(?<=\w) (?=(?:же|бы|ли|ж|б)(?![\w-]))"), NBSP),
    # a dash stays on the line of the word before it
    (re.compile(r"(?:^ | )(?=—(?:\s|$))"), NBSP),
    # a number and its unit, or what it counts
    (re.compile(r"(?<=\d) (?=[А-Яа-яЁё%×])"), NBSP),
    # «рис. 3», «т. е.», «№ 5»
    (re.compile(r"\b((?:рис|табл|гл|разд|стр|с|п|т|и т|см|ср|им)\.) (?=[\wА-Яа-яЁё])"), rf"\1{NBSP}"),
    (re.compile(r"([№§]) (?=\d)"), rf"\1{NBSP}"),
    # a short equation or product
    (re.compile(r"(?<=\w) ([=≈<>≤≥×·]) (?=[\w−])"), rf"{NBSP}\1{NBSP}"),
)


def bind(text: str) -> str:
    """Puts no-break spaces into a run of Russian text."""
    for pattern, bound in _BOUND:
        text = pattern.sub(bound, text)
    return text


def bind_html(html: str) -> str:
    """The same for the text of an HTML document."""
    parts: list[str] = []
    end = 0
    for match in _PIECE.finditer(html):
        parts += [bind(html[end : match.start()]), match[0]]
        end = match.end()
    parts.append(bind(html[end:]))
    return "".join(parts)


@event_priority(50)  # before the formulas are rendered: their marks are easy to step over
def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    return bind_html(output)
