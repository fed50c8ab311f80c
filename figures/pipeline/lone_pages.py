"""MkDocs hook: a page without neighbours in the navigation shows no list of them."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if page.parent is None:
        hidden = page.meta.setdefault("hide", [])
        if "navigation" not in hidden:
            hidden.append("navigation")
    return html
