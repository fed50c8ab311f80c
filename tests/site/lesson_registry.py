"""How the numbers of the lesson are registered, and how they are compared with the page.

`says` takes phrases as they stand on the page and a function. `@` stands where the author chose a
number: the function is given what the page says there. `#` stands where a number follows: the
function returns it, from attnlib, or from the table of sources. Nothing that the page should say is
typed here; `claim_rules` refuses it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from inspect import signature
from itertools import product
from math import isclose
from typing import Any

from figures.pipeline import typography_rules
from tests.site.lesson_page import CITATION, NUMERAL, LessonPage, SourceLines, plain

NAMES = re.compile(
    r"GPT-(?:[23]|J)|Llama-[23](?:-\d+B)?|Falcon-7B|Mistral-7B(?: v0\.1)?|Gemma-7B|DeepSeek-V3"
    r"|FlashAttention-2|float(?:16|32|64)|fig_\w+\.py"
)
NOT_NUMBERS = re.compile(rf"{CITATION.pattern}|`[^`]*`|{NAMES.pattern}")
HOLE = re.compile(r"[@#]")
GIVEN = "@"
PROBES = (7, 11, 13)
SMALL = range(11)
CHANGES: tuple[Callable[[Any], Any], ...] = (
    lambda number: number + 1,
    lambda number: number * 2,
    lambda number: number * 4,
    lambda number: number / 2,
    lambda number: number // 2,
)


@dataclass(frozen=True)
class Claim:
    """The last phrase may stand on the page several times; those before it set the scene, once."""

    phrases: tuple[str, ...]
    gives: Callable[..., Any]
    cites: str | None = None

    @property
    def holes(self) -> str:
        return "".join(HOLE.findall(" ".join(self.phrases)))


@dataclass(frozen=True)
class Reading:
    """One place of the page where a claim stands: the numbers there, and where they begin."""

    claim: Claim
    numbers: tuple[str, ...]
    starts: tuple[int, ...]
    place: int

    @property
    def given(self) -> tuple[float, ...]:
        kinds = zip(self.claim.holes, self.numbers, strict=True)
        return tuple(value(number) for kind, number in kinds if kind == GIVEN)

    @property
    def followed(self) -> tuple[tuple[int, str], ...]:
        kinds = zip(self.claim.holes, self.starts, self.numbers, strict=True)
        return tuple((start, number) for kind, start, number in kinds if kind != GIVEN)


def says(*phrases: str, gives: Callable[..., Any], cites: str | None = None) -> Claim:
    claim = Claim(phrases, gives, cites)
    assert set(claim.holes) - {GIVEN}, f"nothing is computed in «{phrases[-1]}»"
    return claim


def value(numeral: str) -> float:
    number = numeral.replace("\u202f", "").replace("−", "-")
    return int(number) if re.fullmatch(r"-?\d+", number) else float(number)


def spelled(number: Any, like: str) -> str:
    """A computed number in the spelling of the course, as exact as what it is compared with."""
    if isinstance(number, str):
        return number
    mantissa, exponent, _ = like.partition("e")
    places = len(mantissa.partition(".")[2])
    if exponent:
        digits, _, power = f"{float(number):.{places}e}".partition("e")
        return f"{digits}e{int(power)}".replace("-", "−", digits.startswith("-"))
    exact = isinstance(number, int) and not places
    text = str(number) if exact else f"{float(number):.{places}f}"
    whole, point, part = text.lstrip("-").partition(".")
    if len(whole) > 4:
        whole = f"{int(whole):,}".replace(",", "\u202f")
    sign = "−" if text.startswith("-") and set(text) & set("123456789") else ""
    return f"{sign}{whole}{point}{part}"


def numbers_of(result: Any) -> Iterator[Any]:
    if isinstance(result, str) or not hasattr(result, "__iter__"):
        yield result.item() if hasattr(result, "item") else result
        return
    for part in result:
        yield from numbers_of(part)


def fit(
    shape: Callable[..., Any],
    truth: Callable[..., Any],
    probes: Sequence[Sequence[Any]] | None = None,
) -> tuple[int, ...]:
    """The one set of small numbers with which a formula is what the library computes.

    `shape` takes the arguments of `truth`, and then the numbers.
    """
    arguments = len(signature(truth).parameters)
    holes = len(signature(shape).parameters) - arguments
    trials = probes or [PROBES[:arguments], tuple(reversed(PROBES))[:arguments]]
    wanted = [(trial, truth(*trial)) for trial in trials]
    found = [n for n in product(SMALL, repeat=holes) if all(_fits(shape, n, *w) for w in wanted)]
    assert len(found) == 1, f"{len(found)} sets of numbers fit the formula: {found[:3]}"
    return found[0]


def _fits(
    shape: Callable[..., Any], numbers: Sequence[int], trial: Sequence[Any], want: Any
) -> bool:
    try:
        got = shape(*trial, *numbers)
        return isclose(got, want, rel_tol=1e-9) if isinstance(want, float) else got == want
    except (ZeroDivisionError, OverflowError, TypeError):
        return False


def percent(share: Fraction | float) -> float:
    return float(share * 100)


@dataclass
class Comparison:
    """The page against the claims: what differs, what is not there, what nobody claims."""

    readings: list[Reading]
    mismatches: list[str]
    absent: list[str]
    unclaimed: list[str]
    unsourced: list[str]


def compare(page: LessonPage, claims: Sequence[Claim]) -> Comparison:
    text, where = page.text, SourceLines(page.captions)
    result = Comparison([], [], [], [], [])
    for claim in claims:
        result.readings += _readings(claim, text, result.absent)
    for reading in result.readings:
        claim = reading.claim
        expected = list(numbers_of(claim.gives(*reading.given)))
        assert len(expected) == len(reading.followed), (
            f"«{claim.phrases[-1]}»: {len(reading.followed)} holes, {len(expected)} numbers"
        )
        for number, (start, shown) in zip(expected, reading.followed, strict=True):
            if (right := spelled(number, shown)) != shown:
                place = where.find(text, start, start + len(shown))
                result.mismatches.append(report(place, shown, right, claim.phrases[-1]))
        if claim.cites and f"⟦{claim.cites}⟧" not in _line_around(text, reading.place):
            place = where.find(text, reading.place, reading.place + 1)
            result.unsourced.append(f"{place}: «{claim.phrases[-1]}» has to cite {claim.cites}")
    claimed = {start for reading in result.readings for start in reading.starts}
    for number in numerals(text):
        if number.start() not in claimed:
            place = where.find(text, *number.span())
            around = text[max(0, number.start() - 50) : number.end() + 20].replace("\n", " ⏎ ")
            result.unclaimed.append(f"{place}: {number[0]} in «{around}»")
    return result


def report(place: str, on_page: str, expected: str, phrase: str) -> str:
    if "".join(on_page.split()) == "".join(expected.split()):  # only the spaces differ
        on_page, expected = map(typography_rules.spelled, (on_page, expected))
    return f"{place}: the page says {on_page}, the library gives {expected}, in «{phrase}»"


def _readings(claim: Claim, text: str, absent: list[str]) -> list[Reading]:
    *scene, last = [list(_pattern(phrase).finditer(text)) for phrase in claim.phrases]
    for phrase, found in zip(claim.phrases, scene, strict=False):
        if len(found) != 1:
            absent.append(f"{phrase} (stands {len(found)} times, has to stand once)")
            return []
    if not last:
        absent.append(claim.phrases[-1])
    matches = [[*(found for (found,) in scene), match] for match in last]
    return [
        Reading(
            claim,
            tuple(number for match in group for number in match.groups()),
            tuple(match.start(i + 1) for match in group for i in range(len(match.groups()))),
            group[-1].start(),
        )
        for group in matches
    ]


def _pattern(phrase: str) -> re.Pattern[str]:
    pieces = (re.escape(piece) for piece in HOLE.split(plain(phrase)))
    hole = f"({NUMERAL.pattern})"
    return re.compile(rf"(?<![\d.\u202f]){hole.join(pieces)}(?![\d\u202f]|\.\d)", re.MULTILINE)


def numerals(text: str) -> list[re.Match[str]]:
    """Every number in the text that is not part of a name, of code or of a citation."""
    masked = NOT_NUMBERS.sub(lambda match: "x" * len(match[0]), text)
    return list(NUMERAL.finditer(masked))


def _line_around(text: str, position: int) -> str:
    end = text.find("\n", position)
    return text[text.rfind("\n", 0, position) + 1 : end if end >= 0 else None]
