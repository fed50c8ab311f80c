"""MkDocs hook: the copy button of an example takes what one would type, and that runs by itself.

Left out are prompts and answers. An example of several blocks is one session, so the names that an
earlier block of the same description has made go along with a later one. The theme copies
`data-copy` if an element around the code has it.
"""

from __future__ import annotations

import ast
import doctest
import re
from html import escape, unescape

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

_SESSION = '<div class="doc doc-object'
_BLOCK = re.compile(r'<div class="(?:[\w-]+ )?highlight">(?=<pre>)(.*?)</div>', re.DOTALL)
_TAG = re.compile(r"<[^>]+>")
_MAKES_NAMES = (ast.Import, ast.ImportFrom, ast.Assign, ast.FunctionDef, ast.ClassDef)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    return _SESSION.join(map(_with_copies, html.split(_SESSION)))


def _with_copies(session: str) -> str:
    names: list[str] = []

    def with_copy(block: re.Match[str]) -> str:
        shown = unescape(_TAG.sub("", block[1])).lstrip()
        if not shown.startswith(">>> "):
            return block[0]
        lines = [example.source for example in doctest.DocTestParser().get_examples(shown)]
        text = "".join([*names, *lines]).rstrip()
        names.extend(line for line in lines if isinstance(ast.parse(line).body[0], _MAKES_NAMES))
        return block[0].replace(">", f' data-copy="{escape(text)}">', 1)

    return _BLOCK.sub(with_copy, session)
