"""How the numbers of the lesson are registered, and how they are compared with the page.

`says` takes a phrase as it stands on the page with `#` in place of each number, and what has to
stand there. A number comes from attnlib, from a named constant that other claims use too, or, for
a public fact, from the work that the same block of the page cites.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from figures.pipeline.typography_rules import spelled
from tests.site.lesson_page import CITATION, NUMERAL, LessonPage, SourceLines, plain

NAMES = re.compile(
    r"GPT-[23]|Llama-[23]-\d+B|Llama-[23]|Falcon-7B|Mistral-7B(?: v0\.1)?|FlashAttention-2"
    r"|float(?:16|32|64)"
)
NOT_NUMBERS = re.compile(rf"{CITATION.pattern}|`[^`]*`|{NAMES.pattern}")


@dataclass(frozen=True)
class Claim:
    phrase: str
    numbers: tuple[str, ...]
    source: str | None = None

    def pattern(self) -> re.Pattern[str]:
        hole = f"({NUMERAL.pattern})"
        pieces = (re.escape(piece) for piece in plain(self.phrase).split("#"))
        return re.compile(rf"(?<![\d.]){hole.join(pieces)}(?![\d])", re.MULTILINE)


@dataclass(frozen=True)
class Table:
    """A table found by its heading row; `None` in a row stands for a cell that holds no number."""

    heading: str
    rows: tuple[tuple[str | None, ...], ...]


def says(phrase: str, *numbers: object, source: str | None = None) -> Claim:
    assert phrase.count("#") == len(numbers), f"holes and numbers differ in «{phrase}»"
    return Claim(phrase, tuple(map(shown, numbers)), source)


def table(heading: str, *rows: Sequence[object | None]) -> Table:
    return Table(heading, tuple(tuple(c if c is None else shown(c) for c in row) for row in rows))


def shown(number: object) -> str:
    """An integer in the spelling of the course; text stays as it is."""
    if not isinstance(number, int):
        return str(number)
    digits = str(abs(number))
    if len(digits) > 4:
        digits = f"{abs(number):,}".replace(",", "\u202f")
    return f"−{digits}" if number < 0 else digits


def decimals(number: float, places: int) -> str:
    return f"{number:.{places}f}".replace("-", "−")


def percent(share: Fraction | float, places: int) -> str:
    return decimals(float(share * 100), places)


@dataclass
class Comparison:
    """The page against the claims: what differs, what is not there, what nobody claims."""

    mismatches: list[str]
    absent: list[str]
    unclaimed: list[str]
    unsourced: list[str]


def compare(page: LessonPage, claims: Sequence[Claim | Table]) -> Comparison:
    text, where = page.text, SourceLines(page.captions)
    result = Comparison([], [], [], [])
    claimed: set[int] = set()
    for claim in claims:
        if isinstance(claim, Table):
            _compare_table(claim, text, where, result, claimed)
            continue
        matches = list(claim.pattern().finditer(text))
        if not matches:
            result.absent.append(claim.phrase)
        for match in matches:
            for hole, expected in enumerate(claim.numbers, 1):
                claimed.add(match.start(hole))
                if match[hole] != expected:
                    place = where.find(text, *match.span(hole))
                    result.mismatches.append(_report(place, match[hole], expected, claim.phrase))
            if claim.source and f"⟦{claim.source}⟧" not in _line_around(text, match.start()):
                place = where.find(text, *match.span())
                result.unsourced.append(f"{place}: «{claim.phrase}» has to cite {claim.source}")
    for number in numerals(text):
        if number.start() not in claimed:
            place = where.find(text, *number.span())
            around = text[max(0, number.start() - 50) : number.end() + 20].replace("\n", " ⏎ ")
            result.unclaimed.append(f"{place}: {number[0]} in «{around}»")
    return result


def numerals(text: str) -> list[re.Match[str]]:
    """Every number in the text that is not part of a name, of code or of a citation."""
    masked = NOT_NUMBERS.sub(lambda match: "x" * len(match[0]), text)
    return list(NUMERAL.finditer(masked))


def _compare_table(
    claim: Table, text: str, where: SourceLines, result: Comparison, claimed: set[int]
) -> None:
    heading = plain(claim.heading)
    start = text.find(f"\n{heading}\n")
    if start < 0:
        result.absent.append(claim.heading)
        return
    offset = start + 1 + len(heading) + 1
    claimed |= {start + 1 + number.start() for number in numerals(heading)}
    for row in claim.rows:
        end = text.index("\n", offset)
        cells = text[offset:end].split(" | ")
        if len(cells) != len(row):
            place = where.find(text, offset, end)
            result.mismatches.append(
                _report(place, text[offset:end], " | ".join(map(str, row)), heading)
            )
            return
        for cell, expected in zip(cells, row, strict=True):
            if expected is not None:
                claimed |= {offset + number.start() for number in numerals(cell)}
                if plain(expected) != cell:
                    place = where.find(text, offset, offset + len(cell))
                    result.mismatches.append(_report(place, cell, plain(expected), heading))
            offset += len(cell) + len(" | ")
        offset = end + 1


def _report(place: str, on_page: str, expected: str, phrase: str) -> str:
    if "".join(on_page.split()) == "".join(expected.split()):
        on_page, expected = spelled(on_page), spelled(expected)  # only the spaces differ
    return f"{place}: the page says {on_page}, the library gives {expected}, in «{phrase}»"


def _line_around(text: str, position: int) -> str:
    end = text.find("\n", position)
    return text[text.rfind("\n", 0, position) + 1 : end if end >= 0 else None]
