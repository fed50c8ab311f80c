"""What all widgets share: numbers as text, controls, packed frames; and the vectors of W1."""

from __future__ import annotations

import doctest
import gzip
import itertools
from types import ModuleType

import numpy as np
import pytest
from bs4 import BeautifulSoup
from mkdocs.exceptions import PluginError

from figures.pipeline import places, widget_html
from figures.shared import formats, sentence, typography
from figures.widgets import attention, controls, frames, heads, markup, shell

WIDGETS = widget_html.widgets()
PACKED_LIMIT = 60_000


def test_a_widget_without_a_part_is_named() -> None:
    half = ModuleType("half")
    half.__file__ = str(widget_html.WIDGETS / "half.py")
    half.NAME, half.TITLE, half.CONTROLS = "half", "Половина", ()
    with pytest.raises(PluginError, match=r"figures/widgets/half\.py: .* frame, html"):
        widget_html._check(half)


@pytest.mark.parametrize(
    "module", [formats, frames, heads, markup, places, typography], ids=lambda m: m.__name__
)
def test_examples_in_docstrings_are_true(module: ModuleType) -> None:
    failed, attempted = doctest.testmod(module)
    assert attempted > 0, f"{module.__name__} has no examples"
    assert failed == 0, f"{module.__name__}: {failed} of {attempted} examples fail"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1.0, "1"), (0.9996, "≈\xa01"), (0.9994, "0.999"), (0.5, "0.5"), (0.66349, "0.663")],
)
def test_only_an_exact_one_is_shown_as_one(value: float, shown: str) -> None:
    assert formats.weight(value) == shown, f"a weight of {value}"


def test_no_number_is_shown_as_minus_zero() -> None:
    for value in (0.0, -0.0, -1e-9):
        shown = [formats.fixed(value, 3), formats.trimmed(value, 3)]
        assert formats.MINUS not in "".join(shown), f"{value} is shown as {shown}"
    assert formats.bits(-0.0) == "0", "the entropy of a sure row is a plain 0"


def test_known_vectors_are_those_of_the_seed() -> None:
    x = np.random.default_rng(4745612).standard_normal((768, 2, 6))
    assert np.array_equal(sentence.lesson_vectors(), x), "the stored vectors differ from the seed's"


def test_the_four_numbers_of_the_lesson() -> None:
    shown = attention.frame(controls.defaults(attention.CONTROLS))
    assert list(shown["readouts"].values()) == ["4.38", "1.209\xa0бит", "1", "2.47e-1"]
    exact = {
        "spread": 4.3831122597070395,
        "entropy": 1.208548465442519,
        "max-weight": 1.0,
        "gradient-scale": 0.24725897621952414,
    }
    for name, value in exact.items():
        assert shown["raw"][name] == pytest.approx(value, rel=0, abs=1e-14), name


def test_default_sentence_typed_by_hand_gives_the_same_frame() -> None:
    state = controls.defaults(attention.CONTROLS)
    typed = attention.frame({**state, "sentence": "<s>  кот сел на коврик."})
    assert typed == attention.frame(state), "spacing of the same tokens changed the frame"


def test_vectors_of_a_new_word_depend_on_word_and_place_only() -> None:
    first = sentence.vectors(["кит", "сел"], 8)
    again = sentence.vectors(["кит", "встал"], 8)
    moved = sentence.vectors(["сел", "кит"], 8)
    assert np.array_equal(first[0][0], again[0][0]), "a neighbour changed the vector of a word"
    assert not np.array_equal(first[0][0], moved[0][1]), "place does not enter the seed"
    assert np.array_equal(first[0][1], moved[0][0]), "a word of the lesson lost its vector"


def test_vectors_of_new_words_are_standard_normal() -> None:
    words = [f"слово{number}" for number in range(12)]
    queries, keys = sentence.vectors(words, 768)
    sample = np.concatenate([queries.ravel(), keys.ravel()])
    assert abs(sample.mean()) < 0.03, f"mean {sample.mean()}"
    assert abs(sample.std() - 1) < 0.03, f"standard deviation {sample.std()}"


@pytest.mark.parametrize(
    ("text", "tokens", "remark"),
    [
        ("", list(sentence.LESSON), "нет ни одного слова"),
        (" \t ", list(sentence.LESSON), "нет ни одного слова"),
        ("Кто-то пришёл!", ["Кто-то", "пришёл", "!"], ""),
        ("<s> a<b", ["<s>", "a", "<", "b"], ""),
        ("я " * 13, ["я"] * 12, "первые 12 из 13"),
        ("я " * 12, ["я"] * 12, ""),
    ],
)
def test_tokens_of_a_sentence(text: str, tokens: list[str], remark: str) -> None:
    found, said = sentence.tokens_of(text)
    assert found == tokens, f"tokens of {text!r}"
    assert remark in said and bool(remark) == bool(said), f"remark for {text!r}: {said!r}"


def test_a_slider_refuses_a_default_outside_its_table() -> None:
    with pytest.raises(ValueError, match="65"):
        controls.Slider(name="d", label="d", table=(1, 64), default=65)


def test_packed_frames_of_the_main_widget_are_small() -> None:
    content = frames.pack(attention.CONTROLS, None, attention.frame)
    size = len(gzip.compress(frames.script("attention", content).encode(), 6))
    assert len(list(frames.states(attention.CONTROLS, None))) == 484, "states of W1"
    assert size <= PACKED_LIMIT, f"{size} bytes after gzip"


def test_a_cell_that_does_not_fit_the_packed_file_is_refused() -> None:
    with pytest.raises(ValueError, match="1e-05"):
        frames.fixed_point("1e-05", "0.00")


def test_packing_stores_a_part_once_per_state_of_what_it_depends_on() -> None:
    made = (
        controls.Checkbox(name="a", label="a", default=False),
        controls.Slider(name="b", label="b", table=(1, 2, 3), default=1),
    )
    packed = frames.pack(made, None, lambda state: {"x": state["b"], "y": 7, "raw": {"z": 1}})
    assert packed["parts"] == [
        {"path": ("x",), "axes": [1], "values": [1, 2, 3]},
        {"path": ("y",), "axes": [], "values": [7]},
    ]


def test_agreement_of_nouns_over_a_hundred_numbers() -> None:
    one, few, many = "токен", "токена", "токенов"
    wanted = {1: one, 21: one, 101: one, 2: few, 4: few, 22: few, 0: many, 5: many}
    wanted |= dict(zip(itertools.chain(range(11, 15), range(111, 115)), itertools.repeat(many)))
    for number, form in wanted.items():
        assert formats.agree(number, one, few, many) == form, f"{number} {form}"


def test_what_repeats_is_there_at_first() -> None:
    """The page makes more of a child that it has."""
    seen = 0
    for name, module in WIDGETS.items():
        shown = module.frame(controls.defaults(module.CONTROLS))
        for repeated in BeautifulSoup(module.html(shown), "lxml").select("[data-each]"):
            assert repeated.find(), f"{name}: nothing to make more of in {repeated}"
            seen += 1
    assert seen > 3, f"only {seen} lists were looked at"


def test_no_output_announces_itself() -> None:
    """An <output> is a live region of its own: the widget's one announcement is enough."""
    seen = 0
    for name, module in widget_html.widgets().items():
        made = BeautifulSoup(shell.section(module, frames="", runtime_size=""), "lxml")
        for output in made.select("output"):
            assert output.get("aria-live") == "off", f"{name} speaks at each press: {output}"
            seen += 1
    assert seen > 30, f"only {seen} outputs were looked at"
