"""Russian typography: what the machine binds, and a lint for what is written by hand."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import markdown
import pytest
from bs4 import BeautifulSoup

from figures.pipeline import markdown_text, sources
from figures.pipeline.typography import bind, bind_html
from figures.pipeline.typography_rules import faults
from tests.conftest import ROOT

PAGES = sorted((ROOT / "docs").rglob("*.md"))
TEMPLATES = sorted(p for s in ("html", "jinja") for p in (ROOT / "docs").rglob(f"*.{s}"))
LIBRARY = sorted((ROOT / "attnlib").glob("*.py"))
WORD = re.compile("[А-Яа-яЁё]+")
EXTENSIONS = ("admonition", "attr_list", "md_in_html", "tables", "pymdownx.arithmatex",
              "pymdownx.details", "pymdownx.superfences")  # fmt: skip


def _named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def _pages() -> dict[str, str]:
    """Markdown by the file that holds it: the pages, the README, the cells of the figures."""
    found = {
        _named(path): path.read_text(encoding="utf-8") for path in (*PAGES, ROOT / "README.md")
    }
    for script in sources.scripts():
        found[_named(script)] = markdown_text.cells(script.read_text(encoding="utf-8"))
    return found


def _docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of the docstrings of a module, without examples and their output."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(
            node
        ):
            text = ast.get_docstring(node, clean=False) or ""
            text = re.sub(r"^ *>>>.*(?:\n *\S.*)*", _ends, text, flags=re.MULTILINE)
            yield from enumerate(markdown_text.prose(text), start=node.body[0].lineno)


def _ends(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _template_text(path: Path) -> Iterator[tuple[int, str]]:
    """What a template says, with ¤ for what is filled in."""
    text = re.sub(r"\{#.*?#\}|\{%.*?%\}", _ends, path.read_text(encoding="utf-8"), flags=re.S)
    text = re.sub(r"<(script|style)\b.*?</\1>", _ends, text, flags=re.S)
    text = re.sub(r'"[^"\n]*": "([^"\n]*)",?', r"\1", text)  # a table of words of the theme
    yield from enumerate(markdown_text.prose(re.sub(r"\{\{.*?\}\}", "¤", text)), start=1)


def _complaints(lines: Iterator[tuple[int, str]], where: str) -> list[str]:
    return [f"{where}:{number}: {fault}" for number, line in lines for fault in faults(line)]


def _words(lines: Iterator[str]) -> Counter[str]:
    return Counter(word for line in lines for word in WORD.findall(line))


def test_pages() -> None:
    found = [
        fault
        for where, text in _pages().items()
        for fault in _complaints(enumerate(markdown_text.prose(text), start=1), where)
    ]
    assert len(_pages()) > 20, f"only {len(_pages())} pages are read"
    assert not found, "\n".join(found)


@pytest.mark.parametrize("where", _pages())
def test_the_lint_reads_every_word_that_markdown_shows(where: str) -> None:
    text = _pages()[where]
    body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    options = {"pymdownx.arithmatex": {"generic": True}}
    html = markdown.markdown(body, extensions=list(EXTENSIONS), extension_configs=options)
    page = BeautifulSoup(html, "lxml")
    for element in page.select("pre, code, .arithmatex, script, style"):
        element.decompose()
    shown, read = _words([page.get_text(" ")]), _words(markdown_text.prose(text))
    assert shown, f"{where}: the page has no words"
    assert not shown - read, f"{where}: the lint does not read {dict(shown - read)}"
    print(f"{where}: {read.total()} words read, {shown.total()} shown")


def test_lines_keep_their_numbers() -> None:
    for where, text in _pages().items():
        assert len(markdown_text.prose(text)) == text.count("\n") + 1, where


def test_docstrings_of_the_library() -> None:
    found = [fault for path in LIBRARY for fault in _complaints(_docstrings(path), _named(path))]
    assert not found, "\n".join(found)


def test_every_docstring_is_read() -> None:
    kinds = ast.Module | ast.FunctionDef | ast.ClassDef
    for path in LIBRARY:
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        texts = (ast.get_docstring(node) or "" for node in nodes if isinstance(node, kinds))
        said = [re.sub(r">>>.*?(?:\n\n|\Z)|`[^`]*`", "", text, flags=re.DOTALL) for text in texts]
        read = _words(line for _, line in _docstrings(path))
        assert read == _words(said) and read, f"{path.name}: {read.total()} words read"


def test_templates() -> None:
    found = [
        fault for path in TEMPLATES for fault in _complaints(_template_text(path), _named(path))
    ]
    assert len(TEMPLATES) > 5, f"only {len(TEMPLATES)} templates are read"
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('"слово"', '["]слово'), ("вес - это", "вес [-] это"), ("вес -", "вес [-]"),
        ("и так...", "[...]"), ("при -1", "[-]1"), ("от 2-4 голов", "[2-4]"),
        ("1,5 бита", "[1,5]"), ("12288 каналов", "[12288]"), ("5%", "[5%]"), ("12x64", "[2x6]"),
        ("еще раз", "ещё: [еще]"), ("Берет два", "берёт: [Берет]"), ("о нем", "нём: о [нем]"),
        ("запрещенное", "запрещённое"),
        ("слово ,", "[⟨U+0020⟩,]"), ("слово .", "[⟨U+0020⟩.]"), ("и  так", "[⟨U+0020⟩⟨U+0020⟩]"),
        ("12 288", "12⟨U+0020⟩288"), ("12\u00a0288 штук", "12⟨U+00A0⟩288"),
    ],
)  # fmt: skip
def test_the_lint_sees(text: str, shown: str) -> None:
    [fault] = faults(text) if text[0] != '"' else faults(text)[:1]
    assert shown in str(fault), f"{text}: {fault}"


@pytest.mark.parametrize(
    "text",
    [
        "«Ёлка» — это…",
        "при −1, 2–4 и 1.5",
        "12\u202f288 и 4096",
        "все, чем и тем",
        "5 %",
        "12 × 64",
    ],
)
def test_the_lint_lets_pass(text: str) -> None:
    assert not faults(text)


@pytest.mark.parametrize(
    ("page", "seen"),
    [
        ('!!! note "Он берет"\n\n    Текст.', 1),
        ("Текст.\n\n[[widget: heads]]\n\nОн берет.", 5),
        ("---\ntitle: Он берет\n---\nТекст.", 2),
        ("``` python\n# он берет\n```\n\n!!! note\n\n    Он берет.", 7),
        ("| а |\n|---|\n| он берет |", 3),
        ('<p title="он берет">', 1),
        ("Формула $a\n+ b$,\nон берет.", 3),
    ],
)
def test_the_lint_reads(page: str, seen: int) -> None:
    found = [n for n, line in enumerate(markdown_text.prose(page), 1) if faults(line)]
    assert found == [seen], f"faults seen on lines {found} of {page!r}"


@pytest.mark.parametrize(
    ("loose", "bound"),
    [
        ("в слое и на входе", "в_слое и_на_входе"),
        ("Голова — это", "Голова_— это"),
        ("8 голов, 16 КиБ, 5 %", "8_голов, 16_КиБ, 5_%"),
        ("на рис. 3, т. е. так", "на_рис._3, т._е. так"),
        ("если бы мы", "если_бы мы"),
        ("n = 8", "n_=_8"),
        ("w\n  –\n  окно", "w_—\n  окно"),
        ("кот сел", "кот сел"),
        ("от 2 до 5", "от_2_до_5"),
    ],
)
def test_bind(loose: str, bound: str) -> None:
    expected = bound.replace("_", "\u00a0")
    assert bind(loose) == expected


def test_bind_html_leaves_code_pictures_and_formulas() -> None:
    kept = (
        "<code>в слое</code><pre>и на</pre><svg><text>в слое</text></svg>"
        '<span class="arithmatex">\\(a = b\\)</span><script>var a = 1</script><a title="в слое">'
    )
    assert bind_html(kept) == kept
    assert bind_html("<p>в <em>слое</em> — так</p>") == "<p>в\u00a0<em>слое</em>\u00a0— так</p>"
    assert bind_html("<p>сетка в\n  8 ×\n8 и\n<b>так</b></p>") == (
        "<p>сетка в\u00a08\u00a0×\u00a08\u00a0и\u00a0<b>так</b></p>"
    )
    assert bind_html("<p>у GPT-3</p>") == '<p>у\u00a0<span class="nobr">GPT-3</span></p>'
