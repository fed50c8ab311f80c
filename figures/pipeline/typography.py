"""MkDocs hook: what must not be broken by a line end is held together in the built pages.

Code, pictures and formulas stay as they are.
"""

from __future__ import annotations

import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.pages import Page

NBSP = "\u00a0"

_OPAQUE = "script|style|pre|code|kbd|samp|svg|math|textarea|title|option"
_PIECE = re.compile(
    rf"<(?P<tag>{_OPAQUE})\b.*?</(?P=tag)>"
    r"|<(?P<box>span|div) class=\"arithmatex\".*?</(?P=box)>"
    r"|<!--.*?-->|<[^>]*>",
    re.DOTALL,
)
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

# In HTML the end of a line of the source is a space like any other.
_SOURCE_LINE = re.compile(r"[ \t]*\n[ \t]*")
# GPT-3, Llama-2-7B
_MODEL = re.compile(r"\b[A-Z]\w*(?:-\d\w*)+\b")


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
        parts += [_bind_run(html[end : match.start()]), match[0]]
        end = match.end()
    parts.append(_bind_run(html[end:]))
    return "".join(parts)


def _bind_run(text: str) -> str:
    if not text.strip():
        return text
    return _MODEL.sub(r'<span class="nobr">\g<0></span>', bind(_SOURCE_LINE.sub(" ", text)))


@event_priority(50)  # before the formulas are rendered: their marks are easy to step over
def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    return bind_html(output)
