"""Which section of the lesson shows which figure, and which section a line belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from figures.pipeline import embeds, sources

PAGES = ("lesson/multihead-masks.md",)
_HEADING = re.compile(r"^#{2,3}\s+(?P<title>.*?)\s*\{[^}]*#(?P<anchor>[\w-]+)[^}]*\}\s*$")


@dataclass(frozen=True)
class Section:
    """A section of the lesson; `title` is HTML-safe text."""

    page: str
    anchor: str
    title: str


def section_of_figure(name: str) -> Section | None:
    return _figures().get(name)


def sort_figures(names: Iterable[str]) -> list[str]:
    """The order of first mention in the lesson, then the alphabet."""
    order = {name: index for index, name in enumerate(_figures())}
    return sorted(names, key=lambda name: (order.get(name, len(order)), name))


def section_above(uri: str, text: str, line: int) -> Section | None:
    """The section of a Markdown text that a line, counted from 1, belongs to."""
    for heading in reversed(text.split("\n")[: line - 1]):
        if match := _HEADING.match(heading):
            return Section(uri, match["anchor"], escape(match["title"], quote=False))
    return None


def _figures() -> dict[str, Section]:
    found: dict[str, Section] = {}
    for uri in PAGES:
        path = sources.ROOT / "docs" / uri
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        for embed in embeds.find(text):
            section = section_above(uri, text, embed.line)
            if embed.kind == "figure" and section:
                found.setdefault(embed.name, section)
    return found
