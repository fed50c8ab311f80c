"""What the typography of Russian text forbids, one table of rules for every lint and for the build.

Which words are written with ё is asked of a dictionary (pymorphy3, OpenCorpora): a word is at fault
if it is known there with ё only, or if the word with ё is the commoner of two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pymorphy3 import MorphAnalyzer

_RULES = {
    "straight quotes: write «…» or „…“": re.compile(r"[\"”]|(?<!\w)'(?=\w)"),
    "a hyphen for a dash: write —": re.compile(r"(?<=\s)-{1,2}(?=\s|$)|(?<=[а-яё])--(?=[а-яё])"),
    "three dots: write …": re.compile(r"\.\.\."),
    "a hyphen for a minus: write −": re.compile(r"(?<![\w\])–—−-])-(?=\d)"),
    "a hyphen in a range: write –": re.compile(r"(?<![\w.-])\d+-\d+(?![\w.-])"),
    "a decimal comma: the course writes a point": re.compile(r"\d,\d"),
    "thousands from 10 000 are parted by U+202F": re.compile(
        r"(?<![\w.\u202f])\d{5,}(?![\w\u202f])|(?<![\w.])\d{1,3}(?:[ \u00a0]\d{3})+(?!\w)"
    ),
    "the letter x for ×": re.compile(r"\d\s?[xх]\s?\d"),
    "no space before %": re.compile(r"\d%"),
    "two spaces": re.compile(r"(?<=\S)[ \u00a0]{2,}(?=\S)"),
    "a space before a comma or point": re.compile(r"\s(?:[,;:!?]|\.(?!\.))(?=\s|$)"),
}
_WORD = re.compile(r"[А-Яа-яЁё]+")
# Words of two meanings and spellings whose commoner one is not what these texts mean.
_MEANT_WITH_E = frozenset({"все"})
_MEANT_WITH_YO = frozenset({"нем", "узнает", "признает", "сознает"})


@dataclass(frozen=True)
class Fault:
    """A breach of one rule and where it is in the text."""

    rule: str
    text: str
    start: int
    end: int

    def __str__(self) -> str:
        before, after = self.text[max(0, self.start - 30) : self.start], self.text[self.end :][:30]
        return f"{self.rule}: {before}[{spelled(self.text[self.start : self.end])}]{after}".strip()


def faults(text: str) -> list[Fault]:
    """All faults of a piece of plain Russian text without line ends, in order."""
    found = [*_by_rule(text), *_without_yo(text)]
    return sorted(found, key=lambda fault: fault.start)


def spelled(text: str) -> str:
    """The text with a name for each space that is not seen to be one: `12⟨U+00A0⟩288`."""
    return re.sub(r"\s", lambda space: f"⟨U+{ord(space[0]):04X}⟩", text)


def _by_rule(text: str) -> Iterator[Fault]:
    for rule, pattern in _RULES.items():
        for match in pattern.finditer(text):
            yield Fault(rule, text, *match.span())


def _without_yo(text: str) -> Iterator[Fault]:
    for match in _WORD.finditer(text):
        if right := _with_yo(match[0].lower()):
            yield Fault(f"е for ё: write {right}", text, *match.span())


@cache
def _with_yo(word: str) -> str:
    """How a word without its ё is written; empty if nothing is wrong with it."""
    if "е" not in word or word in _MEANT_WITH_E:
        return ""
    scores: dict[str, float] = {word: 0.0}
    for parse in _dictionary().parse(word):
        if parse.is_known:
            scores[parse.word] = scores.get(parse.word, 0.0) + parse.score
    if word in _MEANT_WITH_YO:
        del scores[word]
    commonest = max(scores, key=lambda spelling: (scores[spelling], spelling == word))
    return commonest if commonest != word else ""


@cache
def _dictionary() -> MorphAnalyzer:
    return MorphAnalyzer(lang="ru")
