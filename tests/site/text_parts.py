"""Parts of the lesson that a number of the text can be read from: examples run, scripts loaded."""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from types import ModuleType
from typing import Any

from figures.pipeline import drawing, sources
from tests.site.lesson_page import LESSON, ROOT


@dataclass(frozen=True)
class Example:
    line: int
    code: str
    output: str


_EXAMPLE = re.compile(
    r"^``` \{\.python \.lab\}\n(?P<code>.*?)^```\n\n^``` \{\.text \.output\}\n(?P<output>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@cache
def examples() -> tuple[Example, ...]:
    text = LESSON.read_text(encoding="utf-8")
    return tuple(
        Example(text.count("\n", 0, match.start()) + 1, match["code"], match["output"])
        for match in _EXAMPLE.finditer(text)
    )


def run(example: Example) -> tuple[str, dict[str, Any]]:
    """What an example prints, and the names it leaves; an error in it names the lesson's line."""
    printed, names = io.StringIO(), {"__name__": "__main__"}
    code = compile("\n" * example.line + example.code, str(LESSON), "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return printed.getvalue(), names


def differs(example: Example, printed: str) -> str:
    """Place and both texts of the first line that is not what the lesson says; empty if none."""
    start = example.line + example.code.count("\n") + 4  # past two fences and an empty line
    rows = zip_longest(example.output.splitlines(), printed.splitlines())
    for number, (said, is_) in enumerate(rows, start):
        if said != is_:
            where = f"{LESSON.relative_to(ROOT).as_posix()}:{number}"
            return f"{where}: the lesson says {said!r}, the example prints {is_!r}"
    return ""


@cache
def example(name: str) -> dict[str, Any]:
    """What the first example that sets `name` leaves behind."""
    found = next(one for one in examples() if re.search(rf"^{name} = ", one.code, re.MULTILINE))
    return run(found)[1]


@cache
def script(name: str) -> ModuleType:
    """The module of a figure's script, with its constants."""
    return drawing._execute(sources.STATIC / f"fig_{name}.py")
