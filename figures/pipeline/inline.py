"""One line of text with `$formulas$` and `code` in it, as HTML."""

from __future__ import annotations

import re
from html import escape

_SPAN = re.compile(r"\$(?P<tex>[^$]+)\$|`(?P<code>[^`]+)`")


def to_html(text: str) -> str:
    """Escapes `text`; formulas become what the formula step of the build looks for."""
    parts: list[str] = []
    end = 0
    for match in _SPAN.finditer(text):
        parts.append(escape(text[end : match.start()], quote=False))
        if (tex := match["tex"]) is not None:
            parts.append(f'<span class="arithmatex">\\({escape(tex, quote=False)}\\)</span>')
        else:
            parts.append(f"<code>{escape(match['code'], quote=False)}</code>")
        end = match.end()
    parts.append(escape(text[end:], quote=False))
    return "".join(parts)
