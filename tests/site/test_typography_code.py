"""Russian typography of what programs say: strings of JavaScript, of Python, whole widgets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
from bs4 import BeautifulSoup, Comment
from pygments.lexers.javascript import JavascriptLexer
from pygments.token import Comment as JavascriptComment
from pygments.token import String, _TokenType

from figures.pipeline import typography, widget_html
from figures.pipeline.typography_rules import faults
from figures.widgets import frames, shell
from tests.conftest import ROOT

SCRIPTS = [
    path for path in sorted((ROOT / "docs/assets/js").rglob("*.js")) if "vendor" not in path.parts
]
MODULES = [
    path
    for folder in ("attnlib", "figures/laboratory", "figures/pipeline", "figures/widgets")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if path.name != "typography_rules.py"  # its tables are of words that are wrong
]
WIDGETS = widget_html.widgets()

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


@pytest.mark.parametrize("path", SCRIPTS, ids=named)
def test_strings_of_scripts(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert not RUSSIAN.search(outside(source)), f"{path.name}: Russian that the lint does not read"
    strings = [
        (line, re.sub(r"\s*\n\s*", " ", re.sub("<[^>]*>", FILLED, text)))
        for line, text in javascript_strings(source)
    ]
    found = complaints(iter(strings), named(path))
    for line, text in strings:
        # the machine binds pages and frames; what a script says must come bound
        loose = typography.bind(text) != text or UNIT.search(text)
        if loose:
            bound = UNIT.sub(lambda unit: unit[0].replace(" ", "\u00a0"), typography.bind(text))
            spelt = bound.replace("\u00a0", r"\u00a0")
            found.append(f"{named(path)}:{line}: no-break spaces: write {spelt!r}")
    assert not found, "\n".join(found)


def test_the_lint_sees_the_strings_of_scripts() -> None:
    seen = sum(len(javascript_strings(path.read_text(encoding="utf-8"))) for path in SCRIPTS)
    assert seen > 90, f"{seen} Russian strings in {len(SCRIPTS)} scripts"
    print(f"{seen} Russian strings in {len(SCRIPTS)} scripts")


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
            text = re.sub(r"`[^`]+`|<[^<>]*>|\{[^{}]*\}|\\\(.*?\\\)", FILLED, text)
            text = re.sub(r'[\w-]+="([^"]*)"', r"\1", text)  # an attribute in a pattern
            yield node.lineno, re.sub(r"\s*\n\s*| {2,}", " ", text).strip()


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_strings_of_modules(path: Path) -> None:
    found = complaints(python_strings(path), named(path))
    assert not found, "\n".join(found)


def test_the_lint_sees_the_strings_of_modules() -> None:
    for folder, least in (("attnlib", 60), ("figures/laboratory", 20), ("figures/widgets", 200)):
        paths = [path for path in MODULES if named(path).startswith(folder)]
        seen = sum(1 for path in paths for _ in python_strings(path))
        assert seen > least, f"{folder}: {seen} Russian strings in {len(paths)} modules"
        print(f"{folder}: {seen} Russian strings in {len(paths)} modules")


# Widgets as they are built


@pytest.mark.parametrize("name", WIDGETS)
def test_texts_of_a_widget_in_every_state(name: str) -> None:
    module = WIDGETS[name]
    built = BeautifulSoup(
        typography.bind_html(shell.section(module, frames="x.js", runtime_size="1\u00a0МБ")), "lxml"
    )
    for part in built.select("pre, code, .arithmatex"):
        part.decompose()
    texts = {str(text) for text in built.find_all(string=True) if not isinstance(text, Comment)}
    labels = {str(part["aria-label"]) for part in built.select("[aria-label]")}
    seen = {text for text in texts | labels | set(live_texts(module)) if RUSSIAN.search(text)}
    found = [f"{name}: {fault}" for text in sorted(seen) for fault in faults(text)]
    assert not found, "\n".join(found)
    assert len(seen) > 20, f"{name}: only {len(seen)} Russian texts"
    print(f"{name}: {len(seen)} Russian texts")


def live_texts(module: ModuleType) -> Iterator[str]:
    for state in frames.states(module.CONTROLS, getattr(module, "LISTED", None)):
        yield from _strings_of(module.frame(state))


def _strings_of(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict | list):
        for item in part.values() if isinstance(part, dict) else part:
            yield from _strings_of(item)
