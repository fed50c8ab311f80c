"""Every number that the lesson quotes is recomputed, or stands beside its source."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from attnlib import cost
from figures.shared import models as shown_models
from tests.site import (
    claim_rules,
    claims_cost,
    claims_figures,
    claims_heads,
    claims_masks,
    lesson_registry,
)
from tests.site.lesson_page import LESSON, ROOT, LessonPage
from tests.site.lesson_registry import Comparison, Reading, compare, numerals, says
from tests.site.sources import FACTS, MODELS
from tests.site.text_parts import Example, differs, examples, run

CLAIMS = [
    *claims_heads.CLAIMS,
    *claims_masks.CLAIMS,
    *claims_cost.CLAIMS,
    *claims_figures.CLAIMS,
]
PLACE = re.compile(r"⟦([^⟧]*)⟧, ((?:раздел|таблица) \d+(?:\.\d+)*)")


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
    changed = deepcopy(page)
    for line in changed.lines:
        line.text = line.text.replace("вес 0.1905", "вес 0.1906")
    (report,) = set(compare(changed, CLAIMS).mismatches) - set(comparison.mismatches)
    rows = LESSON.read_text(encoding="utf-8").splitlines()
    number = next(i for i, row in enumerate(rows, 1) if "0.1905" in row)
    assert report.startswith(f"{LESSON.relative_to(ROOT)}:{number}: "), f"wrong place: {report}"
    assert "0.1906" in report and "0.1905" in report, f"not both values: {report}"


def test_a_new_number_is_reported(page: LessonPage, comparison: Comparison) -> None:
    changed = deepcopy(page)
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


def test_the_whole_text_was_read(page: LessonPage, comparison: Comparison) -> None:
    found = len(numerals(page.text))
    read = sum(len(reading.numbers) for reading in comparison.readings)
    described = [line for line in page.lines if line.text.startswith("fig-")]
    scripts = [line for line in page.lines if line.text.startswith("fig_")]
    assert found > 400, f"only {found} numbers were found in the text"
    assert read >= found, f"{read} numbers were compared, the text has {found}"
    assert len(described) == len(scripts) == 12, f"figures: {len(described)}, {len(scripts)}"


def _shown(reading: Reading) -> list[str]:
    return [number for _, number in reading.followed]


def test_no_number_of_a_claim_is_typed_in_its_code(comparison: Comparison) -> None:
    found = {
        f"«{reading.claim.phrases[-1]}»: {sorted(literals)}"
        for reading in comparison.readings
        if (literals := claim_rules.typed(reading.claim, _shown(reading)))
    }
    assert not found, "literals where a computation has to stand:\n" + "\n".join(sorted(found))


def test_every_claim_computes_or_quotes(comparison: Comparison) -> None:
    found = {
        reading.claim.phrases[-1]
        for reading in comparison.readings
        if not claim_rules.computes(reading.claim, _shown(reading))
    }
    assert not found, "neither the library nor a source is asked:\n" + "\n".join(sorted(found))


def test_something_depends_on_every_number_that_the_author_chose(comparison: Comparison) -> None:
    found = {
        f"«{reading.claim.phrases[-1]}»: {idle}"
        for reading in comparison.readings
        if (idle := claim_rules.idle(reading))
    }
    assert not found, "chosen numbers on which nothing depends:\n" + "\n".join(sorted(found))


FIVE = 5


def _five() -> int:
    return FIVE


@pytest.mark.parametrize(
    "gives",
    [
        lambda: 5,
        lambda: "5",
        lambda: FIVE,
        lambda: _five(),
        lambda: int(cost.causal_share(7) * 0) + 5,
        lambda: (lambda: 5)(),
    ],
)
def test_a_typed_number_is_refused(gives: Callable[[], Any]) -> None:
    claim = says("Всего #.", gives=gives)
    assert claim_rules.typed(claim, ["5"]) == {5}, "a literal passes for a computation"


@pytest.mark.parametrize("gives", [lambda: len("слово"), lambda: sum(map(len, ("сл", "ово")))])
def test_a_number_from_nowhere_is_refused(gives: Callable[[], Any]) -> None:
    assert not claim_rules.computes(says("Всего #.", gives=gives), ["5"]), "no library, no source"


@pytest.mark.parametrize("gives", [lambda n: n - n + len("слово"), lambda n: len("слово")])
def test_a_choice_that_changes_nothing_is_refused(
    page: LessonPage, gives: Callable[[float], Any]
) -> None:
    changed = deepcopy(page)
    changed.lines[0].text += " Из 8 берём 5."
    (reading,) = compare(changed, [says("Из @ берём #.", gives=gives)]).readings
    assert claim_rules.idle(reading) == [8], "a number that the page gives has to matter"


def test_a_claim_computes_something() -> None:
    with pytest.raises(AssertionError, match="nothing is computed"):
        says("Всего @.", gives=lambda n: ())


def test_every_source_is_in_the_bibliography_and_cited(page: LessonPage) -> None:
    text = page.text
    keys = {fact.source for fact in FACTS.values()} | {m.source for m in MODELS.values()}
    assert len(keys) > 10, f"only {len(keys)} works are quoted"
    assert keys <= page.entries, f"not in the bibliography: {keys - page.entries}"
    idle = {entry for entry in page.entries if f"⟦{entry}⟧" not in text}
    assert not idle, f"in the bibliography, and never cited: {idle}"


def test_a_place_in_a_work_is_the_one_of_the_table(page: LessonPage) -> None:
    cited = set(PLACE.findall(page.text))
    known = {(fact.source, fact.where) for fact in FACTS.values()}
    assert len(cited) >= 3, f"only {len(cited)} places are cited"
    assert cited <= known, f"no fact of the table stands there: {cited - known}"


def test_references_agree_with_their_targets(page: LessonPage) -> None:
    assert page.lines, "the lesson has no text"
    assert not page.problems, "references and their targets differ:\n" + "\n".join(page.problems)


def test_figures_and_widgets_know_the_same_models() -> None:
    for model, cited in zip(shown_models.MODELS, MODELS.values(), strict=True):
        size = (model.layers, model.heads, model.kv_heads, model.head_dim)
        assert model.name.startswith(cited.name), f"{model.name} stands in place of {cited.name}"
        facts = (*size, model.context, model.window)
        assert facts == cited.facts, f"{model.name}: figures have {facts}, the work {cited.facts}"


@pytest.mark.parametrize("example", examples(), ids=lambda example: f"line{example.line}")
def test_examples_print_what_the_lesson_says(example: Example) -> None:
    wrong = differs(example, run(example)[0])
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
    said = lesson_registry.report("a.md:1", "12 288", "12\u202f288", "каналов")
    assert "says 12⟨U+0020⟩288, the library gives 12⟨U+202F⟩288" in said
