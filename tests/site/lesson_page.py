"""The built lesson as plain lines of text, each of which can be traced back to its source line.

A block of prose is one line, a row of a table is one line with ` | ` between the cells. A formula
is its TeX between dollars, inline code stands in backticks, a citation is `⟦id of the entry⟧`. The
words of a figure belong to the text: its caption, its description for those who do not see it, and
the prose of its script. Left out is what carries no numbers of the text itself: headings, blocks of
code, widgets, questions, drawings, the bibliography.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from bs4 import BeautifulSoup, Tag

ROOT = Path(__file__).resolve().parents[2]
LESSON = ROOT / "docs/lesson/multihead-masks.md"
CAPTIONS = ROOT / "figures/static"

NUMERAL = re.compile(r"−?\d+(?:\u202f\d{3})*(?:\.\d+)?(?:e-?\d+)?")
CITATION = re.compile(r"⟦[^⟧]*⟧(?:, (?:раздел|таблица) \d+(?:\.\d+)*)?")
BLOCKS = "p, li, figcaption, tr, summary, .math-display"
LEFT_OUT = "h1, h2, h3, pre, svg, style, script, button, [data-widget], .self-check, .fig-source"


def plain(text: str) -> str:
    """One spelling of spaces: only the one between groups of digits is kept apart."""
    text = re.sub(r"(?<=\d)\\,(?=\d)", "\u202f", text.replace("\u00ad", ""))
    return re.sub(r"[^\S\u202f]+", " ", text).strip()


@dataclass
class Line:
    """One block of the page as text."""

    text: str
    in_caption: bool


@dataclass
class LessonPage:
    """The lesson of a built site."""

    site: Path
    problems: list[str] = field(default_factory=list)
    entries: set[str] = field(default_factory=set)

    @cached_property
    def lines(self) -> list[Line]:
        html = (self.site / "lesson/multihead-masks/index.html").read_text(encoding="utf-8")
        article = BeautifulSoup(html, "lxml").select_one("article")
        assert article is not None, "the lesson page has no article"
        sections = _section_numbers(article)
        _formulas_to_tex(article)
        self.entries = _cut_bibliography(article)
        self._links_to_marks(article, sections, self.entries)
        described = [_description(figure) for figure in article.select("figure.fig")]
        for tag in article.select(LEFT_OUT):
            tag.decompose()
        for code in article.select("code"):
            code.replace_with(f"`{code.get_text()}`")
        blocks = article.select(BLOCKS)
        text = [line for block in blocks for line in _line(block, blocks)]
        return [*text, *described, *map(_of_script, sorted(CAPTIONS.glob("fig_*.py")))]

    @property
    def captions(self) -> set[str]:
        return {line.text for line in self.lines if line.in_caption}

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    def _links_to_marks(self, article: Tag, sections: dict[str, str], entries: set[str]) -> None:
        for link in article.select('a[href^="#"]'):
            target, shown = str(link["href"])[1:], link.get_text()
            if target in entries:
                year = re.findall(r"\d{4}", target)
                if re.findall(r"\d{4}", shown) != year:
                    self.problems.append(f"«{shown}» cites {target}: the years differ")
                link.replace_with(f"⟦{target}⟧")
            elif target in sections and (number := re.search(r"\d+", shown)):
                if sections[target] != number[0]:
                    self.problems.append(f"«{shown}» leads to section {sections[target]}")
                link.replace_with(shown.replace(number[0], "⟦§⟧"))


def _section_numbers(article: Tag) -> dict[str, str]:
    """The number of the section that each heading belongs to."""
    numbers: dict[str, str] = {}
    number = ""
    for heading in article.select("h2[id], h3[id]"):
        if heading.name == "h2":
            number = heading.get_text().partition(".")[0]
        numbers[str(heading["id"])] = number
    return numbers


def _formulas_to_tex(article: Tag) -> None:
    for formula in article.select(".katex"):
        source = formula.select_one('annotation[encoding="application/x-tex"]')
        assert source is not None, f"a formula without its source: {formula.get_text()[:60]}"
        formula.replace_with(f"${source.get_text()}$")


def _cut_bibliography(article: Tag) -> set[str]:
    heading = article.select_one("h2#bibliography")
    assert heading is not None, "the lesson has no bibliography"
    entries: set[str] = set()
    for sibling in list(heading.find_next_siblings()):
        entries |= {str(tag["id"]) for tag in sibling.select("[id]")}
        sibling.decompose()
    return entries


def _line(block: Tag, blocks: list[Tag]) -> list[Line]:
    if any(parent is other for parent in block.parents for other in blocks):
        return []
    if block.name == "tr":
        text = " | ".join(plain(cell.get_text()) for cell in block.find_all(["th", "td"]))
    else:
        text = plain(block.get_text())
    return [Line(text, block.name == "figcaption")] if text else []


def _description(figure: Tag) -> Line:
    drawing = figure.select_one("svg[aria-label]")
    assert drawing is not None, f"{figure.get('id')}: nothing for those who do not see it"
    return Line(f"{figure['id']}: {plain(str(drawing['aria-label']))}", True)


def _of_script(path: Path) -> Line:
    """The prose of a figure's script, which becomes the text of its page."""
    rows = re.findall(r"^# (?!%%)(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return Line(f"{path.name}: {plain(' '.join(rows))}", True)


class SourceLines:
    """Where a piece of the page's text stands in the sources, found by its letters and digits."""

    def __init__(self, captions: set[str]) -> None:
        self._captions = captions
        self._lesson = [(LESSON, *_letters(LESSON))]
        self._scripts = [(path, *_letters(path)) for path in sorted(CAPTIONS.glob("fig_*.py"))]

    def find(self, text: str, start: int, end: int) -> str:
        """`file:line` of `text[start:end]`, by the longest context before it that is found."""
        wanted = "".join(filter(str.isalnum, text[start:end]))
        line_start = text.rfind("\n", 0, start) + 1
        line_end = text.find("\n", start)
        in_caption = text[line_start : line_end if line_end >= 0 else None] in self._captions
        since = line_start if in_caption else 0
        before = "".join(filter(str.isalnum, CITATION.sub("", text[since:start])))
        for piece in [*(before[-length:] + wanted for length in (60, 30, 15, 6)), before[-60:]]:
            past = 1 if piece.endswith(wanted) else 0
            for path, letters, line_numbers in self._scripts if in_caption else self._lesson:
                if (at := letters.find(piece)) >= 0:
                    return f"{path.relative_to(ROOT)}:{line_numbers[at + len(piece) - past]}"
        return f"{LESSON.relative_to(ROOT)}:?"


def _letters(path: Path) -> tuple[str, list[int]]:
    letters: list[str] = []
    numbers: list[int] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        kept = re.sub(r"\]\([^)]*\)|<!--.*?-->|\{:.*?\}", "", line)
        for character in filter(str.isalnum, kept):
            letters.append(character)
            numbers.append(number)
    return "".join(letters), numbers
