"""`[[questions]]` shows the self-check of a lesson: figures/questions/<name of its page>.

Without JavaScript the questions can be read and the answers unfold; the script makes forms of them.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from figures.pipeline import embeds, lesson
from figures.pipeline.inline import to_html

if TYPE_CHECKING:
    from figures.questions.model import Choice, Number, Question


def show(name: str, place: embeds.Place) -> str:
    uri = place.page.file.src_uri
    module = f"figures.questions.{(name or Path(uri).stem).replace('-', '_')}"
    if find_spec(module) is None:
        raise embeds.EmbedError(f"there is no {module}")
    asked: tuple[Question, ...] = import_module(module).questions()
    sections = lesson.sections(uri)
    if strange := [each.section for each in asked if each.section not in sections]:
        raise embeds.EmbedError(f"questions of sections that are not there: {', '.join(strange)}")
    items = "".join(_item(each, sections.index(each.section) + 1) for each in asked)
    version = hashlib.sha256(items.encode()).hexdigest()[:8]
    return (
        f'<section class="self-check" data-self-check="{version}" aria-label="Вопросы">'
        f'<ol class="self-check__questions">{items}</ol></section>'
    )


def _item(question: Question, section: int) -> str:
    from figures.questions.model import Choice

    chosen = isinstance(question, Choice)
    options, unit, whys = _choice(question) if chosen else _number(question)
    return (
        f'<li id="question-{question.name}" data-question="{question.name}"{unit}>'
        f"<p data-text>{to_html(question.text)}</p>{options}"
        f"<details data-answer><summary>Ответ и разбор</summary><dl>{whys}</dl>"
        f'<p><a href="#{question.section}">Раздел {section}</a></p></details></li>'
    )


def _choice(question: Choice) -> tuple[str, str, str]:
    listed = "".join(f"<li>{to_html(option.text)}</li>" for option in question.options)
    whys = "".join(
        _why(option.text, option.why, " data-right" if option.correct else "")
        for option in question.options
    )
    return f"<ul data-options>{listed}</ul>", "", whys


def _number(question: Number) -> tuple[str, str, str]:
    whys = [_why(question.shown, question.why, " data-right" + _range(question, question.value))]
    whys += [
        _why(mistake.shown, mistake.why, _range(question, mistake.value))
        for mistake in question.mistakes
    ]
    whys.append(_why("другое число", question.otherwise, ""))
    return "", f' data-unit="{question.unit}"', "".join(whys)


def _range(question: Number, value: Fraction) -> str:
    low, high = value - question.tolerance, value + question.tolerance
    return f' data-low="{float(low)}" data-high="{float(high)}"'


def _why(answer: str, why: str, data: str) -> str:
    mark = "верно" if "data-right" in data else "неверно"
    return f"<div data-why{data}><dt>{to_html(answer)} — {mark}</dt><dd>{to_html(why)}</dd></div>"
