"""Where what a build step complains about stands: file and line."""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Iterable
from pathlib import Path

from mkdocs.structure.files import File

from figures.pipeline.sources import ROOT


def in_file(file: File, said: str) -> str:
    """`docs/page.md:12`: the source of a page and the line where the words of `said` begin.

    A text that a script puts into the page is looked for in the scripts.
    """
    source = source_of(file)
    for path, text in ((source, file.content_string), *_scripts()):
        line = line_of(text, said) or line_of(text, said.replace("\\", r"\\"))  # "\\frac"
        if line:
            return f"{path}:{line}"
    return source


def source_of(file: File) -> str:
    """Where a page is written: in docs/, or in the script that makes it."""
    if file.generated_by is None:
        return f"docs/{file.src_uri}"
    return of(Path(file.abs_src_path)) if file.abs_src_path else file.src_uri


def line_of(text: str, said: str) -> int | None:
    """The line, counted from 1, where the words of `said` begin; line ends may differ.

    >>> line_of("one\\n# two\\n# three", "two three")
    2
    """
    words = r"[\s#]+".join(map(re.escape, said.split()))  # the prose of a script is in comments
    match = re.search(words, text)
    return text.count("\n", 0, match.start()) + 1 if match else None


def of_error(error: BaseException, script: Path) -> str:
    """`figures/static/fig_a.py:12`: the deepest line of a script that an error went through."""
    if lineno := getattr(error, "lineno", None):  # of a SyntaxError, or a check that knows its line
        return of(Path(getattr(error, "filename", None) or script), lineno)
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(script)]
    return of(script, lines[-1] if lines else None)


def of(path: Path, line: int | None = None) -> str:
    """A path as one types it in the project's folder, with a line if it is known."""
    return os.path.relpath(path, ROOT) + (f":{line}" if line else "")


def _scripts() -> Iterable[tuple[str, str]]:
    for folder in ("static", "widgets", "questions"):
        for path in sorted((ROOT / "figures" / folder).glob("*.py")):
            yield of(path), path.read_text(encoding="utf-8")
