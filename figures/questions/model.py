"""What a question is: text, answers, and why each wrong answer is wrong.

Text may hold `code` in backquotes; everything else is plain. Numbers in the text come from attnlib.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise


@dataclass(frozen=True)
class Option:
    """One answer to choose, with what to say when it is chosen."""

    text: str
    correct: bool
    why: str


@dataclass(frozen=True)
class Choice:
    """A question with a list of answers, one of them right."""

    name: str
    section: str  # anchor in the lesson
    text: str
    options: tuple[Option, ...]

    def __post_init__(self) -> None:
        right = sum(option.correct for option in self.options)
        if right != 1:
            raise ValueError(f"question '{self.name}' has {right} right options, expected one")
        if len({option.text for option in self.options}) < len(self.options):
            raise ValueError(f"question '{self.name}' shows the same option twice")

    @property
    def answer(self) -> Option:
        """The right option."""
        return next(option for option in self.options if option.correct)


@dataclass(frozen=True)
class Mistake:
    """A wrong number that people really give, and the slip behind it."""

    value: Fraction
    shown: str
    why: str


@dataclass(frozen=True)
class Number:
    """A question answered by typing a number; `tolerance` forgives rounding."""

    name: str
    section: str
    text: str
    unit: str
    value: Fraction
    shown: str
    why: str
    mistakes: tuple[Mistake, ...]
    otherwise: str
    tolerance: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        values = sorted([self.value, *(mistake.value for mistake in self.mistakes)])
        for low, high in pairwise(values):
            if high - low <= 2 * self.tolerance:
                raise ValueError(f"question '{self.name}' cannot tell {low} from {high}")


Question = Choice | Number
