"""MkDocs hook: lessons and figures come into the navigation and onto the home page by themselves.

A lesson that mkdocs.yml does not name stands after the first one; the figures, in the order of the
lessons, in the section of their gallery. Templates know the lessons as `extra.lessons`.
"""

from __future__ import annotations

from html import escape

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils import get_relative_url

from figures.pipeline import embeds, lesson, sources
from figures.pipeline.static_figures import GALLERY, page_uri


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    nav, lessons = config.nav or [], lesson.pages()
    others = [uri for uri in lessons if uri not in str(nav)]
    for place, item in enumerate(nav):
        entries = next(iter(item.values())) if isinstance(item, dict) else item
        if entries in lessons[:1]:
            nav[place + 1 : place + 1] = others
        elif isinstance(entries, list) and GALLERY in entries:
            names = lesson.sort_figures(map(sources.name_of, sources.scripts()))
            entries.extend(uri for uri in map(page_uri, names) if uri not in entries)
    config.extra["lessons"] = [(_url(uri), f"урок «{lesson.title_of(uri)}»") for uri in lessons]
    return config


def show(name: str, place: embeds.Place) -> str:
    """`[[lessons]]`: where each lesson begins."""
    links = "".join(
        '<a class="md-button md-button--primary" '
        f'href="{get_relative_url(_url(uri), place.page.url)}">'
        f"Начать урок «{escape(lesson.title_of(uri))}»</a> "
        for uri in lesson.pages()
    )
    return f"<p>{links}</p>"


def _url(uri: str) -> str:
    return f"{uri.removesuffix('.md')}/"
