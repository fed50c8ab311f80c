"""MkDocs hook: `[[kind: name]]` lines become figures, widgets, self-checks."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from figures.pipeline import (
    embeds,
    lab_page,
    navigation,
    offline_page,
    self_check,
    static_figures,
    widget_html,
)

KINDS: dict[str, embeds.Show] = {
    "lessons": navigation.show,
    "figure": static_figures.show,
    "gallery": static_figures.show_others,
    "widget": widget_html.show,
    "questions": self_check.show,
    "laboratory": lab_page.show,
    "offline": offline_page.show,
}

_shown: dict[str, list[str]] = {}


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    text, shown = embeds.expand(markdown, embeds.Place(page, config, files), KINDS)
    _shown[page.file.src_uri] = shown
    return text


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    return embeds.fill(html, _shown.pop(page.file.src_uri, []), page)
