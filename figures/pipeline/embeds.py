"""The `[[kind: name]]` lines of a page: one syntax for figures, widgets and self-checks.

The line must stand alone, outside code blocks. What it becomes is put into the page after Markdown
has run, so it may hold anything. The kinds are those of expand_embeds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from figures.pipeline import markdown_text

_EMBED = re.compile(r"^(?P<indent>[ \t]*)\[\[(?P<kind>[^\]:]+)(?::(?P<name>[^\]]*))?\]\][ \t]*$")


class EmbedError(ValueError):
    """Raised by a kind that cannot show what was asked for; the page and line are added here."""


@dataclass(frozen=True)
class Place:
    """Where an embed stands."""

    page: Page
    config: MkDocsConfig
    files: Files


Show = Callable[[str, Place], str]


@dataclass(frozen=True)
class Embed:
    kind: str
    name: str
    line: int  # counted from 1, in the text that was given


def find(markdown: str) -> list[Embed]:
    """The embeds of a Markdown text, in order."""
    return [embed for _, _, embed in _scan(markdown)]


def expand(markdown: str, place: Place, kinds: Mapping[str, Show]) -> tuple[str, list[str]]:
    """Replaces each embed by a placeholder; returns the text and the HTML of each.

    `[[kind: name]]` is `kinds[kind](name, place)`; a missing name is an empty string.
    """
    lines = markdown.split("\n")
    shown: list[str] = []
    for number, (index, indent, embed) in enumerate(_scan(markdown)):
        try:
            if embed.kind not in kinds:
                known = ", ".join(sorted(kinds))
                raise EmbedError(f"unknown kind of embed '{embed.kind}', known: {known}")
            html = kinds[embed.kind](embed.name, place)
        except EmbedError as error:
            raise PluginError(f"{_where(place.page, number)}: {error}") from error
        lines[index] = f'\n{indent}<div data-embed="{len(shown)}"></div>\n'
        shown.append(html)
    return "\n".join(lines), shown


def fill(html: str, shown: list[str], page: Page) -> str:
    """Puts the HTML of the embeds in place of their placeholders."""
    for number in range(len(shown)):
        if f'<div data-embed="{number}"></div>' not in html:
            raise PluginError(f"{_where(page, number)}: not shown: Markdown takes it for code")
    return re.sub(r'<div data-embed="(\d+)"></div>', lambda m: shown[int(m[1])], html)


def _scan(markdown: str) -> list[tuple[int, str, Embed]]:
    found: list[tuple[int, str, Embed]] = []
    for index, line in enumerate(markdown_text.without_fences(markdown)):
        if match := _EMBED.match(line):
            kind, name = match["kind"].strip(), (match["name"] or "").strip()
            found.append((index, match["indent"], Embed(kind, name, index + 1)))
    return found


def _where(page: Page, number: int) -> str:
    """File and line: the text has lost the file's front matter and may have gained lines."""
    return f"docs/{page.file.src_uri}:{find(page.file.content_string)[number].line}"
