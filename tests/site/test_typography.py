"""Russian typography: what the machine binds, and a lint for what is written by hand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from figures.pipeline.typography import bind, bind_html
from tests.conftest import ROOT

PAGES = sorted((ROOT / "docs").rglob("*.md"))
MODULES = [
    path
    for folder in ("static", "widgets", "questions", "examples")
    for path in sorted((ROOT / "figures" / folder).rglob("*.py"))
]

RULES = {
    "straight quotes: write «…» or „…“": re.compile(r"[\"”]|(?<!\w)'(?=\w)"),
    "a hyphen for a dash: write —": re.compile(r"(?<=\s)-{1,2}(?=\s)(?!\s*$)"),
    "three dots: write …": re.compile(r"\.\.\."),
    "a hyphen for a minus: write −": re.compile(r"(?<![\w\])–—−-])-(?=\d)"),
    "a hyphen in a range: write –": re.compile(r"(?<![\w.-])\d+-\d+(?![\w.-])"),
    "a decimal comma: the course writes a point": re.compile(r"\d,\d"),
    "thousands from 10 000 need U+202F": re.compile(r"(?<![\w.\u202f])\d{5,}(?![\w\u202f])"),
    "the letter x for ×": re.compile(r"\d\s?[xх]\s?\d"),
    "no space before %": re.compile(r"\d%"),
    "е for ё": re.compile(
        r"\b(?:еще|ее|нее|свое|твое|мое|трех\w*|четырех\w*|идет|дает|задает|создает|"
        r"берет|ведет|найдет|придет|несет|растет|зовет|живет|остается|удается|объем\w*|счет|"
        r"расчет|подсчет|зачет|отчет|учет|причем|жестк\w*|легк(?:ий|ая|ое|ие)|определенн\w*|"
        r"сочтем|пойдем|найдем|возьмем|проведем|"
        r"(?:запрещ|разреш|свед|перенес|привед)ен(?:н\w+)?)\b"
    ),
    "two spaces": re.compile(r"(?<=\S)  +(?=\S)"),
    "a space before a comma or point": re.compile(r"\s[,;:!?](?=\s|$)"),
}


def _prose(markdown: str) -> Iterator[tuple[int, str]]:
    """Lines of a page without code, formulas, tags, addresses and attributes."""

    def blank(match: re.Match[str]) -> str:
        return "\n" * match[0].count("\n") or "¤"

    for pattern in (
        r"\A---\n.*?\n---\n",
        r"^[ \t]*```.*?^[ \t]*```",
        r"<!--.*?-->",
        r"\$\$.*?\$\$",
        r"(?<!\\)\$[^$\n]+(?:\n[^$\n]+)?\$",
        r"`[^`\n]+`",
        r"\]\([^)]*\)",
        r"^\[[^\]]+\]:.*$",
        r"\{[:#.][^}\n]*\}",
        r"\{ [^}\n]*\}",
        r"^!!!.*$|^\?\?\?.*$",
        r"^\[\[.*\]\]$",
        r"</?[a-z][^>]*>",
    ):
        markdown = re.sub(pattern, blank, markdown, flags=re.DOTALL | re.MULTILINE)
    for number, line in enumerate(markdown.split("\n"), start=1):
        yield number, re.sub(r"^\s*(?:[-*+]|\d+\.|>|\||:)\s+", "", line)


def _strings(path: Path) -> Iterator[tuple[int, str]]:
    """Russian strings of a module that a reader will see: all but docstrings and code."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in skipped
        ):
            text = re.sub(r"\$[^$]+\$|`[^`]+`|<[^>]*>|\{[^}]*\}", "¤", node.value)
            markup = re.search(r'[<>]|="', text)
            if re.search("[а-яё]", text) and "\n" not in text and not markup:
                yield node.lineno, re.sub(" +", " ", text)


def _complaints(lines: Iterator[tuple[int, str]], path: Path) -> list[str]:
    where = path.relative_to(ROOT).as_posix()
    return [
        f"{where}:{number}: {rule}: {line[max(0, match.start() - 30) : match.end() + 30]!r}"
        for number, line in lines
        for rule, pattern in RULES.items()
        for match in pattern.finditer(line)
    ]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_pages(path: Path) -> None:
    found = _complaints(_prose(path.read_text(encoding="utf-8")), path)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_strings_of_figures_and_widgets(path: Path) -> None:
    found = _complaints(_strings(path), path)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    ['"слово"', "вес - это", "и так...", "при -1", "от 2-4 голов", "1,5 бита", "12288 каналов",
     "5%", "12x64", "еще раз", "слово ,"],
)  # fmt: skip
def test_the_lint_sees(text: str) -> None:
    assert any(pattern.search(text) for pattern in RULES.values()), f"{text} passes"


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
