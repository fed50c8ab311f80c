"""Scripts and styles of the site are many small files; here they become one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from figures.tree import ROOT

SCRIPTS = ROOT / "docs" / "assets" / "js"
RUNTIME = ("runtime", "http")  # all that asks for Python needs
_IMPORT = re.compile(r'@import "([^"]+)";\n?')
_URL = re.compile(r"""url\(["']?(?!data:)([^)"']+)["']?\)""")


def script(folders: Iterable[str]) -> str:
    """The scripts of folders of docs/assets/js, one after another."""
    texts = []
    for folder in folders:
        paths = sorted(
            (SCRIPTS / folder).glob("*.js"), key=lambda path: (path.stem != "page", path)
        )
        texts += [path.read_text(encoding="utf-8") for path in paths]
    return "".join(texts)


def sheet(path: Path) -> str:
    """A style sheet with what it imports in place of the `@import` lines."""
    own = _IMPORT.sub("", text := path.read_text(encoding="utf-8"))
    return (
        "".join(_rebased(path.parent / name, path.parent) for name in _IMPORT.findall(text)) + own
    )


def _rebased(path: Path, home: Path) -> str:
    """A sheet whose addresses are those seen from another folder."""

    def seen(match: re.Match[str]) -> str:
        return f'url("{Path(os.path.relpath(path.parent / match[1], home)).as_posix()}")'

    return _URL.sub(seen, sheet(path))
