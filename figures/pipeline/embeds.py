"""The `[[kind: name]]` lines of a page: one syntax for figures, widgets and self-checks.

A build step registers a kind with a function that returns HTML. The line must stand alone, outside
code blocks. What it becomes is put into the page after Markdown has run, so it may hold anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

_EMBED = re.compile(r"^(?P<indent>[ \t]*)\[\[(?P<kind>[^\]:]+)(?::(?P<name>[^\]]*))?\]\][ \t]*$")
_FENCE = re.compile(r"^[ \t]*(?P<marks>`{3,}|~{3,})(?P<info>.*)$")


class EmbedError(ValueError):
    """Raised by a kind that cannot show what was asked for; the page and line are added here."""


@dataclass(frozen=True)
class Place:
    """Where an embed stands."""

    page: Page
    config: MkDocsConfig
    files: Files


Show = Callable[[str, Place], str]

_kinds: dict[str, Show] = {}


def register(kind: str, show: Show) -> None:
    """`[[kind: name]]` will become `show(name, place)`; a missing name is an empty string."""
    _kinds[kind] = show


@dataclass(frozen=True)
class Embed:
    kind: str
    name: str
    line: int  # counted from 1, in the text that was given


def find(markdown: str) -> list[Embed]:
    """The embeds of a Markdown text, in order."""
    return [embed for _, _, embed in _scan(markdown)]


def expand(markdown: str, place: Place) -> tuple[str, list[str]]:
    """Replaces each embed by a placeholder; returns the text and the HTML of each."""
    lines = markdown.split("\n")
    shown: list[str] = []
    for number, (index, indent, embed) in enumerate(_scan(markdown)):
        try:
            if embed.kind not in _kinds:
                known = ", ".join(sorted(_kinds))
                raise EmbedError(f"unknown kind of embed '{embed.kind}', known: {known}")
            html = _kinds[embed.kind](embed.name, place)
        except EmbedError as error:
            raise PluginError(f"{_where(place.page, number)}: {error}") from error
        lines[index] = f'\n{indent}<div data-embed="{len(shown)}"></div>\n'
        shown.append(html)
    return "\n".join(lines), shown


def fill(html: str, shown: list[str]) -> str:
    """Puts the HTML of the embeds in place of their placeholders."""
    return re.sub(r'<div data-embed="(\d+)"></div>', lambda m: shown[int(m[1])], html)


def _scan(markdown: str) -> list[tuple[int, str, Embed]]:
    found: list[tuple[int, str, Embed]] = []
    fence = ""
    for index, line in enumerate(markdown.split("\n")):
        if match := _FENCE.match(line):
            marks, info = match["marks"], match["info"].strip()
            if not fence:
                fence = marks
            elif marks.startswith(fence) and not info:
                fence = ""
        elif not fence and (match := _EMBED.match(line)):
            kind, name = match["kind"].strip(), (match["name"] or "").strip()
            found.append((index, match["indent"], Embed(kind, name, index + 1)))
    return found


def _where(page: Page, number: int) -> str:
    """File and line: the text has lost the file's front matter and may have gained lines."""
    return f"docs/{page.file.src_uri}:{find(page.file.content_string)[number].line}"
