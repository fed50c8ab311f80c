"""What must not be broken by a line end is held together in the built pages.

The rules are those of the widgets (figures/shared/typography.py), whose live texts need them too.
Code, pictures and formulas stay as they are, also where a browser translates the page.
"""

from __future__ import annotations

import re

from figures.shared.typography import bind

_OPAQUE = "script|style|pre|code|kbd|samp|svg|math|textarea|title|option"
_PIECE = re.compile(
    rf"<(?P<tag>{_OPAQUE})\b.*?</(?P=tag)>"
    r"|<(?P<box>span|div) class=\"arithmatex\".*?</(?P=box)>"
    r"|<!--.*?-->|<[^>]*>",
    re.DOTALL,
)
_KEPT = re.compile(r"\A<(?:pre|code|kbd|samp|svg)\b(?![^>]*\btranslate=)")
# In HTML the end of a line of the source is a space like any other.
_SOURCE_LINE = re.compile(r"[ \t]*\n[ \t]*")
# GPT-3, Llama-2-7B
_MODEL = re.compile(r"\b[A-Z]\w*(?:-\d\w*)+\b")


def bind_html(html: str) -> str:
    """Binds the text of an HTML document."""
    parts: list[str] = []
    end = 0
    for match in _PIECE.finditer(html):
        parts += [_bind_run(html[end : match.start()]), match[0]]
        end = match.end()
    parts.append(_bind_run(html[end:]))
    return "".join(parts)


def keep_untranslated(html: str) -> str:
    """Marks code and pictures for translators; formulas are marked where they are made."""
    return _PIECE.sub(lambda piece: _KEPT.sub(r'\g<0> translate="no"', piece[0], count=1), html)


def _bind_run(text: str) -> str:
    if not text.strip():
        return text
    return _MODEL.sub(r'<span class="nobr">\g<0></span>', bind(_SOURCE_LINE.sub(" ", text)))
