"""MkDocs hook: `[[kind: name]]` lines become figures, widgets and self-checks."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from figures.pipeline import embeds, held

_shown: dict[str, list[str]] = {}


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    text, shown = embeds.expand(markdown, embeds.Place(page, config, files))
    _shown[page.file.src_uri] = shown
    return text


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    return embeds.fill(html, _shown.pop(page.file.src_uri, []), page)


@event_priority(-50)  # last: no step looks into a picture
def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    return held.release(output)
