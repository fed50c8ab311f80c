"""The lessons: the pages of docs/lesson/, their sections, and which of them shows which figure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from figures.pipeline import embeds, sources

FOLDER = "lesson"
_HEADING = re.compile(
    r"^(?P<marks>#{2,3})\s+(?P<title>.*?)\s*\{[^}]*#(?P<anchor>[\w-]+)[^}]*\}\s*$"
)


@dataclass(frozen=True)
class Section:
    """A section of a lesson; `title` is HTML-safe text."""

    page: str
    anchor: str
    title: str


def pages() -> list[str]:
    """Source addresses of the lessons: those that mkdocs.yml names first, then the alphabet."""
    found = sorted(f"{FOLDER}/{path.name}" for path in (_docs() / FOLDER).glob("*.md"))
    named = (sources.ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    return sorted(found, key=lambda uri: named.find(uri) if uri in named else len(named))


def text_of(uri: str) -> str:
    """The source of a lesson."""
    return (_docs() / uri).read_text(encoding="utf-8")


def title_of(uri: str) -> str:
    """The heading of a lesson."""
    found = re.search(r"^# +(.+?)\s*$", text_of(uri), re.MULTILINE)
    return found[1] if found else Path(uri).stem


def prefix_of(uri: str) -> str:
    """What the names of its examples begin with: nothing in the first lesson, else its own."""
    return "" if uri == pages()[0] else f"{Path(uri).stem}-"


def sections(uri: str) -> list[str]:
    """Anchors of the sections of a lesson, in their order."""
    found = map(_HEADING.match, text_of(uri).split("\n"))
    return [match["anchor"] for match in found if match and match["marks"] == "##"]


def section_of_figure(name: str) -> Section | None:
    return _figures().get(name)


def sort_figures(names: Iterable[str]) -> list[str]:
    """The order of first mention in the lessons, then the alphabet."""
    order = {name: index for index, name in enumerate(_figures())}
    return sorted(names, key=lambda name: (order.get(name, len(order)), name))


def section_above(uri: str, text: str, line: int) -> Section | None:
    """The section of a Markdown text that a line, counted from 1, belongs to."""
    for heading in reversed(text.split("\n")[: line - 1]):
        if match := _HEADING.match(heading):
            return Section(uri, match["anchor"], escape(match["title"], quote=False))
    return None


def _docs() -> Path:
    return sources.ROOT / "docs"


def _figures() -> dict[str, Section]:
    found: dict[str, Section] = {}
    for uri in pages():
        text = text_of(uri)
        for embed in embeds.find(text):
            section = section_above(uri, text, embed.line)
            if embed.kind == "figure" and section:
                found.setdefault(embed.name, section)
    return found
