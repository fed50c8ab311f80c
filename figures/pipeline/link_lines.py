"""MkDocs hook: what a build says about links names the line, and every build says it.

MkDocs knows the page of a broken link, not its line, takes any address in `extra_javascript` and
`extra_css` on trust, and in `serve` tells the same error once only.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path

from mkdocs.commands import build
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.utils import DuplicateFilter

from figures.pipeline import markdown_text, places
from figures.pipeline.sources import ROOT

_WARNING = re.compile(
    r"Doc file '(?P<page>[^']+)' contains an? [\w ]*?'(?P<link>[^']*)'"
    r"|(?:mkdocs_autorefs: )?(?P<from>\S+): (?:from .*?\) )?"
    r"Could not find cross-reference target '(?P<to>[^']*)'"
)
_LOGGERS = ("mkdocs.structure.pages", "mkdocs.plugins.mkdocs_autorefs._internal.plugin")


class _Line(logging.Filter):
    """Puts `docs/page.md:12: ` before a message about a link of that page."""

    def filter(self, record: logging.LogRecord) -> bool:
        if match := _WARNING.match(text := record.getMessage()):
            where = _place(match["page"] or match["from"], match["link"] or match["to"])
            record.msg, record.args = f"{where}: {text}", ()
        return True


def on_startup(command: str, dirty: bool) -> None:
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_Line())


def on_pre_build(config: MkDocsConfig) -> None:
    for kept in build.log.filters:
        if isinstance(kept, DuplicateFilter):
            kept.msgs.clear()


def on_post_build(config: MkDocsConfig) -> None:
    for path in [*map(str, config.extra_javascript), *config.extra_css]:
        if not Path(config.site_dir, path).is_file():
            raise PluginError(f"mkdocs.yml: there is no docs/{path}")


def _place(page: str, link: str) -> str:
    """The line of the page, or of the docstring that the page shows."""
    path = ROOT / "docs" / page
    for source in (path, *sorted((ROOT / "attnlib").glob("*.py"))):
        if line := _line(source.read_text(encoding="utf-8") if source.is_file() else "", link):
            return places.of(source, line)
    return places.of(path)


def _line(text: str, link: str) -> int | None:
    markdown = "\n".join(markdown_text.without_fences(text))
    in_markdown = places.line_of(markdown, f"]({link}") or places.line_of(markdown, f"][{link}]")
    return in_markdown or places.line_of(markdown, link)
