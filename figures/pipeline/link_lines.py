"""MkDocs hook: the warnings about links name the line, and a script or style that is not there too.

MkDocs knows the page of a broken link, not its line, and takes any address in `extra_javascript`
and `extra_css` on trust.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError

from figures.pipeline import places
from figures.pipeline.sources import ROOT

_WARNING = re.compile(r"Doc file '(?P<page>[^']+)' contains an? [\w ]*?'(?P<link>[^']*)'")


class _Line(logging.Filter):
    """Puts `docs/page.md:12: ` before a message about a link of that page."""

    def filter(self, record: logging.LogRecord) -> bool:
        if match := _WARNING.match(text := record.getMessage()):
            path = ROOT / "docs" / match["page"]
            markdown = path.read_text(encoding="utf-8") if path.is_file() else ""
            record.msg, record.args = (
                f"{places.of(path, _line(markdown, match['link']))}: {text}",
                (),
            )
        return True


def on_startup(command: str, dirty: bool) -> None:
    logging.getLogger("mkdocs.structure.pages").addFilter(_Line())


def on_post_build(config: MkDocsConfig) -> None:
    for path in [*map(str, config.extra_javascript), *config.extra_css]:
        if not Path(config.site_dir, path).is_file():
            raise PluginError(f"mkdocs.yml: there is no docs/{path}")


def _line(markdown: str, link: str) -> int | None:
    in_markdown = places.line_of(markdown, f"]({link}")
    return in_markdown or places.line_of(markdown, link)
