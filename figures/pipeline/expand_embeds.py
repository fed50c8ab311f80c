"""MkDocs hook: `[[kind: name]]` lines become figures, widgets and self-checks."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from figures.pipeline import embeds

_shown: dict[str, list[str]] = {}


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    text, shown = embeds.expand(markdown, embeds.Place(page, config, files))
    _shown[page.file.src_uri] = shown
    return text


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    return embeds.fill(html, _shown.pop(page.file.src_uri, []))
