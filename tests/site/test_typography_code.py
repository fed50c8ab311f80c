"""Russian typography of what programs say: strings of JavaScript and of Python."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pygments.lexers.javascript import JavascriptLexer
from pygments.token import Comment as JavascriptComment
from pygments.token import String, _TokenType

from figures.pipeline import typography
from figures.pipeline.typography_rules import faults
from tests.conftest import ROOT

SCRIPTS = [
    path for path in sorted((ROOT / "docs/assets/js").rglob("*.js")) if "vendor" not in path.parts
]
MODULES = [
    path
    for folder in ("attnlib", "figures")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if path.name != "typography_rules.py"  # its tables are of words that are wrong
]
LEAST = {  # Russian strings by folder
    "attnlib": 60,
    "laboratory": 20,
    "widgets": 200,
    "static": 100,
    "questions": 70,
    "examples": 10,
}

FILLED = "¤"  # what the program fills in
RUSSIAN = re.compile("[А-Яа-яЁё]")
UNIT = re.compile(rf"{FILLED} (?:[кМГ]?Б|[кМГ]иБ|мс|с|байт|знак|файл|строк|страниц)")


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def complaints(texts: Iterator[tuple[int, str]], where: str) -> list[str]:
    return [f"{where}:{line}: {fault}" for line, text in texts for fault in faults(text)]


# JavaScript


@dataclass
class Template:
    """A template literal that is still open."""

    line: int
    text: str = ""
    inside: bool = False  # between ${ and }


def javascript_strings(source: str) -> list[tuple[int, str]]:
    """Every literal with its line; a template is one text, with ¤ for what is filled in."""
    found: list[tuple[int, str]] = []
    opened: list[Template] = []
    line = 1
    for kind, piece in JavascriptLexer(stripnl=False, ensurenl=False).get_tokens(source):
        top = opened[-1] if opened else None
        in_text = top is not None and not top.inside
        if kind is String.Backtick and piece == "`":
            if top and in_text:
                found.append((top.line, spelled_out(opened.pop().text)))
            else:
                opened.append(Template(line))
        elif top and kind is String.Interpol:
            top.inside = piece == "${"
            top.text += FILLED if top.inside else ""
        elif top and in_text:
            top.text += piece
        elif kind in String.Single or kind in String.Double:
            found.append((line, spelled_out(piece[1:-1])))
        line += piece.count("\n")
    assert not opened, "a template that does not end"
    return [(at, text) for at, text in found if RUSSIAN.search(text)]


def spelled_out(literal: str) -> str:
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), literal)


def outside(source: str) -> str:
    """What is neither a comment nor a string."""
    tokens: Iterator[tuple[_TokenType, str]] = JavascriptLexer().get_tokens(source)
    return "".join(
        piece for kind, piece in tokens if kind not in JavascriptComment and kind not in String
    )


def test_strings_of_scripts() -> None:
    seen, found = 0, []
    for path in SCRIPTS:
        source = path.read_text(encoding="utf-8")
        assert not RUSSIAN.search(outside(source)), f"{path.name}: Russian that nobody reads"
        strings = [
            (line, re.sub(r"\s*\n\s*", " ", re.sub("<[^>]*>", FILLED, text)))
            for line, text in javascript_strings(source)
        ]
        seen += len(strings)
        found += complaints(iter(strings), named(path))
        for line, text in strings:
            # the machine binds pages and frames; what a script says must come bound
            loose = typography.bind(text) != text or UNIT.search(text)
            if loose:
                bound = UNIT.sub(lambda unit: unit[0].replace(" ", "\u00a0"), typography.bind(text))
                spelt = bound.replace("\u00a0", r"\u00a0")
                found.append(f"{named(path)}:{line}: no-break spaces: write {spelt!r}")
    assert seen > 90, f"{seen} Russian strings in {len(SCRIPTS)} scripts"
    assert not found, "\n".join(found)


def test_strings_are_found_where_javascript_has_them() -> None:
    source = r"""
    // 'нет'
    const a = 'он\u00a0был', b = /['"]он/.test("она");  /* `нет` */
    const c = `всего ${n ? `их ${'там'}` : "x"} штук
      вот`;
    """
    wanted = [
        (3, "он\u00a0был"),
        (3, "она"),
        (4, "там"),
        (4, f"их {FILLED}"),
        (4, f"всего {FILLED} штук\n      вот"),
    ]
    assert javascript_strings(source) == wanted


# Python


def python_strings(path: Path) -> Iterator[tuple[int, str]]:
    """Russian strings of a module but for docstrings; ¤ stands for values, code and tags."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else FILLED
                for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if id(node) not in skipped and RUSSIAN.search(text):
            text = re.sub(r"`[^`]+`|<[^<>]*>|\{[^{}]*\}|\\\(.*?\\\)|\$[^$]+\$", FILLED, text)
            text = re.sub(r'[\w-]+="([^"]*)"', r"\1", text)  # an attribute in a pattern
            yield node.lineno, re.sub(r"\s*\n\s*| {2,}", " ", text).strip()


def test_strings_of_modules() -> None:
    seen: Counter[str] = Counter()
    found = []
    for path in MODULES:
        strings = list(python_strings(path))
        seen[named(path).removeprefix("figures/").partition("/")[0]] += len(strings)
        found += complaints(iter(strings), named(path))
    for folder, least in LEAST.items():
        assert seen[folder] >= least, f"{folder}: {seen[folder]} Russian strings"
    assert not found, "\n".join(found)
