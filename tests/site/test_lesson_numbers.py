"""Every number that the lesson quotes is recomputed, or stands beside its source."""

from __future__ import annotations

import contextlib
import io
import re
import traceback
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import pytest

from figures.widgets import models as shown_models
from tests.site import claims_cost, claims_heads, claims_masks, lesson_registry
from tests.site.lesson_page import LESSON, ROOT, LessonPage
from tests.site.lesson_registry import Comparison, compare
from tests.site.models import MODELS

CLAIMS = [*claims_heads.CLAIMS, *claims_masks.CLAIMS, *claims_cost.CLAIMS]


@pytest.fixture(scope="module")
def page(site: Path) -> LessonPage:
    return LessonPage(site)


@pytest.fixture(scope="module")
def comparison(page: LessonPage) -> Comparison:
    return compare(page, CLAIMS)


def test_quoted_numbers_are_what_the_library_gives(comparison: Comparison) -> None:
    found = comparison.mismatches
    assert not found, "numbers of the lesson differ:\n" + "\n".join(found)


def test_a_changed_number_is_reported_with_place_and_both_values(
    page: LessonPage, comparison: Comparison
) -> None:
    changed = LessonPage(page.site)
    for line in changed.lines:
        line.text = line.text.replace("вес 0.1905", "вес 0.1906")
    (report,) = set(compare(changed, CLAIMS).mismatches) - set(comparison.mismatches)
    rows = LESSON.read_text(encoding="utf-8").splitlines()
    number = next(i for i, row in enumerate(rows, 1) if "0.1905" in row)
    assert report.startswith(f"{LESSON.relative_to(ROOT)}:{number}: "), f"wrong place: {report}"
    assert "0.1906" in report and "0.1905" in report, f"not both values: {report}"


def test_a_new_number_is_reported(page: LessonPage, comparison: Comparison) -> None:
    changed = LessonPage(page.site)
    changed.lines[0].text += " Всего 17."
    found = set(compare(changed, CLAIMS).unclaimed) - set(comparison.unclaimed)
    assert len(found) == 1, f"one number without a claim was added, found {found}"


def test_registered_phrases_are_on_the_page(comparison: Comparison) -> None:
    assert not comparison.absent, "claims without a phrase on the page:\n" + "\n".join(
        comparison.absent
    )


def test_no_number_is_unregistered(comparison: Comparison) -> None:
    assert not comparison.unclaimed, "numbers that no claim covers:\n" + "\n".join(
        comparison.unclaimed
    )


def test_public_facts_cite_their_source(comparison: Comparison) -> None:
    assert not comparison.unsourced, "facts without a source:\n" + "\n".join(comparison.unsourced)


def test_references_agree_with_their_targets(page: LessonPage) -> None:
    assert page.lines, "the lesson has no text"
    assert not page.problems, "references and their targets differ:\n" + "\n".join(page.problems)


def test_figures_and_widgets_know_the_same_models() -> None:
    for model, cited in zip(shown_models.MODELS, MODELS.values(), strict=True):
        size = (model.layers, model.heads, model.kv_heads, model.head_dim)
        assert model.name.startswith(cited.name), f"{model.name} stands in place of {cited.name}"
        facts = (*size, model.context, model.window)
        assert facts == cited.facts, f"{model.name}: figures have {facts}, the work {cited.facts}"


@dataclass(frozen=True)
class Example:
    line: int
    code: str
    output: str


_EXAMPLE = re.compile(
    r"^``` \{\.python \.lab\}\n(?P<code>.*?)^```\n\n^``` \{\.text \.output\}\n(?P<output>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


def examples() -> list[Example]:
    text = LESSON.read_text(encoding="utf-8")
    return [
        Example(text.count("\n", 0, match.start()) + 1, match["code"], match["output"])
        for match in _EXAMPLE.finditer(text)
    ]


def run(example: Example) -> str:
    """What an example prints; an error in it names the line of the lesson."""
    printed = io.StringIO()
    code = compile("\n" * example.line + example.code, str(LESSON), "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, {"__name__": "__main__"})
    return printed.getvalue()


def differs(example: Example, printed: str) -> str:
    """Place and both texts of the first line that is not what the lesson says; empty if none."""
    start = example.line + example.code.count("\n") + 4  # past two fences and an empty line
    rows = zip_longest(example.output.splitlines(), printed.splitlines())
    for number, (said, is_) in enumerate(rows, start):
        if said != is_:
            where = f"{LESSON.relative_to(ROOT).as_posix()}:{number}"
            return f"{where}: the lesson says {said!r}, the example prints {is_!r}"
    return ""


@pytest.mark.parametrize("example", examples(), ids=lambda example: f"line{example.line}")
def test_examples_print_what_the_lesson_says(example: Example) -> None:
    wrong = differs(example, run(example))
    assert not wrong, wrong


def test_a_failing_example_names_its_line_in_the_lesson() -> None:
    rows = LESSON.read_text(encoding="utf-8").split("\n")
    example = examples()[1]
    broken = Example(example.line, "\n" * (example.code.count("\n") - 1) + "1 / 0\n", "")
    with pytest.raises(ZeroDivisionError) as caught:
        run(broken)
    line = traceback.extract_tb(caught.value.__traceback__)[-1].lineno
    assert line and rows[line] == "```", f"line {line} is not the last one of the code"

    wrong = differs(example, example.output.replace("\n", "?\n", 2).replace("?\n", "\n", 1))
    found = re.match(rf"{LESSON.relative_to(ROOT).as_posix()}:(\d+): ", wrong)
    assert found, f"no place in {wrong!r}"
    assert rows[int(found[1]) - 1] == example.output.split("\n")[1], f"wrong line: {wrong}"


def test_every_laboratory_example_shows_its_output() -> None:
    blocks = LESSON.read_text(encoding="utf-8").count("{.python .lab}")
    assert len(examples()) == blocks > 0, "an example of the lesson is not followed by its output"
    print(f"{blocks} examples of the lesson were run")


def test_numbers_that_differ_in_spaces_are_told_apart() -> None:
    said = lesson_registry._report("a.md:1", "12 288", "12\u202f288", "каналов")
    assert "says 12⟨U+0020⟩288, the library gives 12⟨U+202F⟩288" in said
