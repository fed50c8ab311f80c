"""MkDocs hook: each table of the text stands in the box in which it scrolls sideways.

The theme makes these boxes by script, so that a table changes its width under the reader's eyes
when the script comes, and has no box without it. Its second box is undone in prose.css.
"""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

_OPEN = '<div class="md-typeset__scrollwrap"><div class="md-typeset__table"><table>'


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    parts = html.split("<table>")  # tables with a class are none of the text's
    boxed = (part.replace("</table>", "</table></div></div>", 1) for part in parts[1:])
    return _OPEN.join([parts[0], *boxed])
