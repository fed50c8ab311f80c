"""The self-check: its answers against independent reckoning, and what the page says of them."""

from __future__ import annotations

import ast
import inspect
import math
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from bs4 import BeautifulSoup, Tag
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files

from attnlib import cost, masks, measures, pitfalls
from figures.pipeline import embeds, self_check
from figures.questions.model import Choice, Mistake, Number, Option, Question
from figures.questions.multihead_masks import questions
from tests.conftest import ROOT


def asked(name: str) -> Question:
    return next(question for question in questions() if question.name == name)


def right(name: str) -> str:
    question = asked(name)
    return question.answer.text if isinstance(question, Choice) else question.shown


def test_ten_questions_cover_every_section() -> None:
    found = questions()
    assert 8 <= len(found) <= 10, "the lesson promises eight to ten questions"
    assert len({question.name for question in found}) == len(found), "two questions share a name"
    sections = ["heads", "why-heads", "causal-mask", "work", "other-masks", "kv-sharing"]
    order = [sections.index(question.section) for question in found]
    assert order == sorted(order), "questions do not follow the sections of the lesson"
    assert set(order) == set(range(len(sections))), "a section has no question"


def test_used_share_is_the_counted_triangle() -> None:
    kept = sum(k <= q for q in range(16) for k in range(16))
    question = asked("used-share")
    assert isinstance(question, Number)
    assert question.value == Fraction(100 * kept, 16 * 16), "share of the triangle, in per cent"
    assert f"{kept} из 256" in question.why, "the explanation counts other cells"


def test_window_is_counted_key_by_key() -> None:
    question = asked("window-keys")
    assert isinstance(question, Number)
    seen = [k for k in range(1, 12) if abs(6 - k) < 4]
    assert question.value == len(seen), "keys with |q − k| < w"
    assert f"{seen[0]}–{seen[-1]}" in question.why, "the explanation names other keys"


def test_cache_size_is_the_product() -> None:
    assert 2 * 32 * 4 * 128 * 16_384 * 2 == 2**30, "the reference of this test"
    assert right("cache-size") == "1\u00a0ГиБ", "K and V, layers, sets, d, tokens, bytes"


def test_zero_score_keeps_its_weight() -> None:
    weight = 1 / (math.e + math.e**2 + 1)
    assert float(right("zero-score")) == pytest.approx(weight, abs=5e-4), "e⁰ over the sum"


def test_tiles_are_counted_one_by_one() -> None:
    computed = sum(k <= q for q in range(4) for k in range(4))
    assert right("tile-work") == f"{computed / 16:.1%}".replace("%", "\u00a0%"), "tiles not above"


def test_cosine_spread_is_a_square_root() -> None:
    assert right("cosine-spread") == f"в {math.isqrt(128 // 8)} раза", "σ is 1/√d"


def test_split_pattern_is_run_as_it_is_printed() -> None:
    from einops import rearrange

    x = np.arange(24).reshape(2, 2, 6)
    names = {"rearrange": rearrange, "x": x, "b": 2, "n": 2, "h": 3, "d": 2}
    slices = np.stack([x[:, :, 2 * i : 2 * i + 2] for i in range(3)], axis=1)
    question = asked("pattern")
    assert isinstance(question, Choice)
    for option in question.options:
        got = eval(option.text.strip("`"), names)
        assert np.array_equal(got, slices) == option.correct, f"{option.text} is judged wrongly"


def test_heads_do_not_change_the_cost() -> None:
    assert right("more-heads") == "не изменится", "2n²D + 4nD² has no h in it"


def test_nothing_allowed_is_zero_weights() -> None:
    assert right("forbidden-row") == "`[0, 0, 0]`", "attnlib's rule for a forbidden row"


def test_filler_reaches_the_whole_short_sentence() -> None:
    assert right("forgotten-padding") == "все строки первого", "keys of filler, every query sees"


FORMULAS: dict[str, Callable[..., Any]] = {
    "2n²D + 4nD²": cost.attention_madds,
    "(n + 1)/(2n)": cost.causal_share,
    "(N + 1)/(2N)": lambda N: cost.tile_share(8 * N, 8),
    "2w − 1": lambda w: masks.visible_keys(masks.sliding_window(64, w, causal=False))[32],
    "1/√d": measures.cosine_noise,
}
NAMES = re.compile(r"float\d\d")


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas_are_the_library_s(formula: str) -> None:
    function = FORMULAS[formula]
    code = re.sub(r"√(\w)", r"\1**0.5", formula.replace("²", "**2").replace("−", "-"))
    code = re.sub(r"(?<=[0-9A-Za-z)])(?=[A-Za-z(])", "*", code)
    names = list(inspect.signature(function).parameters)
    for probe in ((7, 11), (13, 5)):
        values = dict(zip(names, probe, strict=False))
        assert eval(code, values) == pytest.approx(float(function(*probe[: len(names)]))), (
            f"{formula} at {probe}: attnlib gives another number"
        )


def test_no_number_is_typed_into_a_text() -> None:
    seen, found = 0, []
    for path in sorted((ROOT / "figures/questions").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            if not re.search("[А-Яа-яё]|²|√", node.value):
                continue
            seen += 1
            text = NAMES.sub("", node.value)
            for formula in FORMULAS:
                text = text.replace(formula, "")
            if re.search(r"\d", text):
                found.append(f"{path.name}:{node.lineno}: {node.value}")
    assert seen > 80, f"only {seen} pieces of Russian text were read"
    assert not found, "numbers that attnlib did not compute:\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("name", "owner", "function", "changed"),
    [
        ("used-share", cost, "causal_share", lambda n: Fraction(1, 3)),
        ("cache-size", cost, "kv_cache_bytes", lambda *a, **k: 3 * 2**30 * a[1]),
        ("window-keys", masks, "sliding_window", lambda n, w, causal=True: masks.causal(n)),
        ("cosine-spread", measures, "cosine_noise", lambda d: 1 / d),
        ("zero-score", pitfalls, "mask_by_zero_score", lambda s, m: np.array([0.0, 0.0, 0.4])),
    ],
)
def test_answers_follow_the_library(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    owner: Any,
    function: str,
    changed: Callable[..., Any],
) -> None:
    before = _all_text(name)
    monkeypatch.setattr(owner, function, changed)
    try:
        after = _all_text(name)
    except ValueError:
        return  # the options coincide now: computed, and noticed
    assert after != before, f"'{name}' does not depend on attnlib: its answer is typed by hand"


def _all_text(name: str) -> str:
    from figures.questions.multihead_masks import causal, kv_sharing, noise, other_masks, work

    made = {
        "used-share": work.used_share,
        "cache-size": kv_sharing.cache_size,
        "window-keys": other_masks.window_keys,
        "cosine-spread": noise.cosine_spread,
        "zero-score": causal.zero_score,
    }
    return repr(made[name]())


def test_a_choice_has_one_right_option() -> None:
    with pytest.raises(ValueError, match="2 right options"):
        Choice("q", "heads", "?", (Option("1", True, ""), Option("2", True, "")))
    with pytest.raises(ValueError, match="same option twice"):
        Choice("q", "heads", "?", (Option("1", True, ""), Option("1", False, "")))


def test_a_number_is_told_from_its_mistakes() -> None:
    near = Mistake(Fraction(11), "11", "")
    with pytest.raises(ValueError, match="cannot tell"):
        Number("q", "heads", "?", "", Fraction(10), "10", "", (near,), "", Fraction(1, 2))


@pytest.fixture(scope="module")
def shown() -> BeautifulSoup:
    page: Any = SimpleNamespace(file=SimpleNamespace(src_uri="lesson/multihead-masks.md"))
    place = embeds.Place(page, MkDocsConfig(), Files([]))
    return BeautifulSoup(self_check.show("", place), "lxml")


def test_the_page_marks_one_right_answer(shown: BeautifulSoup) -> None:
    items = shown.select("[data-question]")
    assert len(items) == len(questions()), "a question is missing on the page"
    for item in items:
        marked = item.select("[data-right]")
        assert len(marked) == 1, f"{item['data-question']}: {len(marked)} right answers marked"
        assert "— верно" in marked[0].get_text(), "the right answer is not named in words"
        assert all(why.dd and why.dd.get_text(strip=True) for why in item.select("[data-why]")), (
            f"{item['data-question']}: an answer without an explanation"
        )


def test_without_scripts_there_is_nothing_to_press(shown: BeautifulSoup) -> None:
    assert not shown.select("input, button, form"), "a control that only a script can answer"
    assert len(shown.select("details > summary")) == len(questions()), "answers do not unfold"


def test_ranges_of_a_number_do_not_meet(shown: BeautifulSoup) -> None:
    for item in shown.select("[data-unit]"):
        bounds = sorted(
            (float(str(why["data-low"])), float(str(why["data-high"])))
            for why in item.select("[data-low]")
        )
        assert len(bounds) >= 3, "the usual mistakes are not answered one by one"
        for (_, high), (low, _) in pairwise(bounds):
            assert high < low, f"{item['data-question']}: two answers claim the same number"
        assert _last(item).get("data-low") is None, "other numbers have no explanation"


def _last(item: Tag) -> Tag:
    return item.select("[data-why]")[-1]


def test_texts_keep_the_rules_of_the_course(shown: BeautifulSoup) -> None:
    page = BeautifulSoup(str(shown), "lxml")
    for code in page.select("code"):
        code.clear()
    text = page.get_text("\n")
    assert not re.search(r"\d,\d", text), "a decimal comma"
    assert not re.search(r"\s-\d", text), "a hyphen for a minus"
    assert not re.search(r"\d%", text), "no space before a per cent sign"
