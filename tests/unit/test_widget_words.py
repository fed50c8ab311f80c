"""What widgets say in words is computed again and compared, in every state that they list."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from bs4 import BeautifulSoup, Comment
from hypothesis import given
from hypothesis import strategies as st

from figures.pipeline import widget_html
from figures.pipeline.typography import bind_html
from figures.pipeline.typography_rules import faults
from figures.shared import sentence, typography
from figures.widgets import attention, frames, heads, kv_cache, masks, padding, shell
from figures.widgets.controls import defaults

WIDGETS = widget_html.widgets()


@cache
def walked(module: ModuleType) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Every listed state of a widget with its frame."""
    listed = frames.states(module.CONTROLS, getattr(module, "LISTED", None))
    return [(state, module.frame(state)) for state in listed]


def shown_html(module: ModuleType, frame: dict[str, Any]) -> BeautifulSoup:
    """The figure of a frame without what is hidden."""
    soup = BeautifulSoup(module.html(frame), "lxml")
    for part in soup.select("[hidden]"):
        part.decompose()
    return soup


def texts(part: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(part, str):
        yield path, part
    elif isinstance(part, dict):
        for key, item in part.items():
            yield from texts(item, (*path, key))
    elif isinstance(part, list):
        for item in part:
            yield from texts(item, path)


# Typography


@pytest.mark.parametrize("name", WIDGETS)
def test_texts_of_every_frame_are_typeset_and_the_build_changes_none(name: str) -> None:
    module = WIDGETS[name]
    said = [text for _, frame in walked(module) for path, text in texts(frame)
            if path[0] not in typography.VERBATIM]  # fmt: skip
    assert len(said) > 20, f"{name}: only {len(said)} texts"
    loose = [text for text in set(said) if typography.bind(text) != text]
    assert not loose, f"{name}: not typeset: {loose}"
    _, frame = walked(module)[-1]
    live = BeautifulSoup(module.html(frame), "lxml").select("[data-bind], td")
    html = BeautifulSoup(bind_html(module.html(frame)), "lxml")
    built = html.select("[data-bind], td")
    assert [part.text for part in built] == [part.text for part in live], f"{name}: the build edits"
    assert live, f"{name} has no live text"


@pytest.mark.parametrize("name", WIDGETS)
def test_texts_of_a_widget_in_every_state_are_good_russian(name: str) -> None:
    module = WIDGETS[name]
    section = shell.section(module, frames="x.js", runtime_size="1\u00a0МБ")
    built = BeautifulSoup(bind_html(section), "lxml")
    for part in built.select("pre, code, .arithmatex"):
        part.decompose()
    said = {str(text) for text in built.find_all(string=True) if not isinstance(text, Comment)}
    said |= {str(part["aria-label"]) for part in built.select("[aria-label]")}
    said |= {text for _, frame in walked(module) for _, text in texts(frame)}
    russian = sorted(text for text in said if re.search("[А-Яа-яЁё]", text))
    found = [str(fault) for text in russian for fault in faults(text)]
    assert not found, "\n".join(found)
    assert len(russian) > 20, f"{name}: only {len(russian)} Russian texts"


WORDS = ("а", "в", "же", "рис.", "т.", "слово", "n", "M0", "h8v1", "4", "−1")
MARKS = ("=", "–", "—", " ", "\u00a0", "%", "×", "№", "-", ",", ".", "(")


@given(st.lists(st.sampled_from([*WORDS, *MARKS]), max_size=12).map("".join))
def test_binding_twice_is_binding_once_and_the_short_cut_misses_nothing(text: str) -> None:
    once = typography.bind(text)
    assert typography.bind(once) == once, "bound text is bound again"
    slow = text
    for pattern, bound in typography._BOUND:
        slow = pattern.sub(bound, slow)
    assert once == slow, "the short cut skips a text that has something to bind"


# W1


def products(state: dict[str, Any], *, scaled: bool) -> np.ndarray[Any, Any]:
    q, k = sentence.vectors(list(sentence.LESSON), state["d"])
    return q @ k.T / state["T"] / (np.sqrt(state["d"]) if scaled else 1)


def test_the_heading_of_the_scores_is_the_formula_that_made_them() -> None:
    headings: dict[bool, str] = {}  # by what chooses between them
    for state, frame in walked(attention):
        if state["d"] == 1:
            continue  # √1 divides by nothing
        chosen = frame["scale"]
        if chosen not in headings:
            stage = shown_html(attention, frame).select('.aw-stage:has([data-matrix="scores"])')[0]
            [headings[chosen]] = [
                formula.text for formula in stage.select(".aw-stage-title .arithmatex")
            ]
            assert re.search(r"/.*T", headings[chosen]), headings
        said = products(state, scaled="sqrt" in headings[chosen])
        np.testing.assert_allclose(frame["raw"]["scores"], said, err_msg=f"{headings} in {state}")
    assert len(headings) == 2, f"headings seen: {headings}"


def test_the_mask_of_w1_says_whether_it_forbids() -> None:
    for state, frame in walked(attention):
        forbids = not all(map(all, frame["mask"]))
        assert ("запрещённые" in frame["mask_note"]) == forbids, state
        assert ("все пары" in frame["mask_note"]) != forbids, state


# W2


def test_a_head_has_got_what_its_title_says() -> None:
    seen = 0
    for state, frame in walked(heads):
        for head, part in zip(frame["heads"], frame["raw"]["parts"], strict=True):
            got = {value for row in part for value in row}
            assert numbers_of(head["gets"]) == got, f"{head['title']} in {state}: {head['gets']}"
            seen += 1
    assert seen == 3 * (1 + 2 + 3 + 4 + 6 + 12), "heads of all states"


def numbers_of(gets: str) -> set[int]:
    """«каналы 1–12 токена 1, каналы 1–4 токена 2» as the numbers of X."""
    found: set[int] = set()
    for piece in re.split(r", (?=канал)", gets.replace("\u00a0", " ")):
        match = re.fullmatch(r"канал(?:ы)? ([\d–, ]+?) (?:всех токенов|токен(?:а|ов) (.+))", piece)
        assert match, f"not understood: {piece}"
        tokens = run(match[2]) if match[2] else range(1, heads.TOKENS + 1)
        for token in tokens:
            found |= {(token - 1) * heads.WIDTH + channel - 1 for channel in run(match[1])}
    return found


def run(text: str) -> list[int]:
    ends = [int(number) for number in re.findall(r"\d+", text)]
    return list(range(ends[0], ends[1] + 1)) if "–" in text else ends


def test_the_verdict_of_a_wrong_order_is_true_of_every_head() -> None:
    kinds: Counter[str] = Counter()
    for state, frame in walked(heads):
        verdict = frame["verdict"].replace("\u00a0", " ")
        parts = np.array(frame["raw"]["parts"])
        right = np.arange(heads.TOKENS * heads.WIDTH).reshape(heads.TOKENS, heads.WIDTH)
        wrong = int((np.array(frame["raw"]["merged"]) != right).sum())
        if not wrong:
            assert "не на месте" not in verdict and "Всё на месте" in verdict, state
            kinds["right"] += 1
            continue
        assert f"{wrong} чис" in verdict, f"{verdict} in {state}"
        tokens = [sorted({int(value) // heads.WIDTH for value in part.ravel()}) for part in parts]
        bands = [{int(v) % heads.WIDTH // (heads.WIDTH // state["h"]) for v in part.ravel()}
                 for part in parts]  # fmt: skip
        if match := re.search(r"нарезаны из (.+)\.$", verdict):
            counts = sorted({len(of) for of in tokens})
            words = "одного токена" if counts == [1] else (
                " или ".join(map(str, counts)) + " соседних токенов"
            )  # fmt: skip
            assert match[1] == words, f"{verdict} in {state}: {counts}"
            assert all(of[-1] - of[0] == len(of) - 1 for of in tokens), "not neighbours"
            assert all(len(of) < heads.TOKENS for of in tokens), "one row of each token after all"
            kinds["tokens"] += 1
        else:
            assert "полос разных голов" in verdict, verdict
            assert all(len(band) > 1 for band in bands), f"one band only in {state}"
            assert all(len(of) == heads.TOKENS for of in tokens), "not all tokens"
            assert f"каждый {state['h']}-й" in verdict, verdict
            kinds["channels"] += 1
    assert kinds == {"right": 6 + 2 + 1, "tokens": 5, "channels": 4}, f"orders seen: {kinds}"


# The padding demonstration


@pytest.mark.parametrize("n", padding.LENGTHS)
@pytest.mark.parametrize("filler", padding.FILLERS)
def test_influence_of_the_content_is_the_largest_over_all_fillers(n: int, filler: str) -> None:
    for mask in (False, True):
        frame = padding.frame({"n": n, "filler": filler, "mask": mask})
        outs = [
            np.array(padding.frame({"n": n, "filler": other, "mask": mask})["raw"]["out"])
            for other in padding.FILLERS
        ]
        here = outs[list(padding.FILLERS).index(filler)]
        largest = max(float(np.abs(here - out).max()) for out in outs)
        assert frame["raw"]["content"] == largest, "the influence of the content"
        assert (largest > 0) == (n > len(padding.TEXT) and not mask), "zeros compared with zeros"


def test_the_default_of_the_demonstration_shows_what_the_mask_is_for() -> None:
    start = defaults(padding.CONTROLS)
    without, masked = (padding.frame({**start, "mask": mask}) for mask in (False, True))
    for name, text in without["readouts"].items():
        assert text != masked["readouts"][name], f"{name} is the same with the mask"
    assert without["out"] != masked["out"], "the mask changes no number of the output"


# W4


def test_the_rule_of_a_window_gives_the_number_of_keys() -> None:
    seen: Counter[str] = Counter()
    for state, frame in walked(masks):
        if state["mask"] not in ("window", "window2"):
            continue
        rule = frame["rule"].replace("\u00a0", " ")
        visible = max(map(int, frame["visible"].split(", ")))
        n, w = state["n"], state["w"]
        if "2w − 1" in rule:
            assert "по w − 1" in rule, rule
            most = max(min(q + w, n) - max(q - w + 1, 0) for q in range(n))
            assert most <= 2 * w - 1, "the rule's own bound"
        else:
            assert "видит последние w" in rule, rule
            most = min(n, w)
        assert visible == most, f"{rule} gives {most} keys, {visible} are seen in {state}"
        seen[state["mask"]] += 1
    assert seen["window"] == seen["window2"] == 4 * 4 * 6, f"states seen: {seen}"


def test_shares_of_w4_are_named_as_shares_of_pairs() -> None:
    labels = {}
    for state, frame in walked(masks):
        n, b = state["n"], state["b"]
        mask = np.array(frame["mask"], bool)
        tiles = np.zeros_like(mask)
        for q in range(0, n, b):
            for k in range(0, n, b):
                tiles[q : q + b, k : k + b] = mask[q : q + b, k : k + b].any()
        assert frame["raw"]["share"] == mask.mean(), f"share of pairs in {state}"
        assert frame["raw"]["tile_share"] == tiles.mean(), f"pairs of computed tiles in {state}"
        if not labels:
            html = shown_html(masks, frame)
            labels = {
                name: html.select(f"#masks-label-{name}")[0].text
                for name in ("share", "tile-share")
            }
    assert all("пар" in label and "работ" not in label for label in labels.values()), labels


# W5


def own(**numbers: int) -> dict[str, Any]:
    return {**defaults(kv_cache.CONTROLS), "model": kv_cache.OWN, **numbers}


OWN_NUMBERS = [
    own(),
    own(h=1, h_kv=1),
    own(h=7, h_kv=7),
    own(h=71, h_kv=1),
    own(h=6, h_kv=4),
    own(h=32, h_kv=5, window=1),
    own(n=4096, window=4096),
    own(n=2048, window=4096),
]


@pytest.fixture(scope="module")
def cache_frames() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [*walked(kv_cache), *((state, kv_cache.frame(state)) for state in OWN_NUMBERS)]


def size(state: dict[str, Any], n: int) -> int:
    model = kv_cache._model(state)
    return kv_cache.cache_bytes(model, model.kv_heads, n, state["batch"], int(state["dtype"]))


def test_what_is_said_of_growth_is_what_a_new_token_does(cache_frames) -> None:
    seen: Counter[bool] = Counter()
    for state, frame in cache_frames:
        growth = size(state, state["n"] + 1) - size(state, state["n"])
        note = frame["notes"]["token"].replace("\u00a0", " ")
        assert ("кэш не растёт" in note) == (growth == 0), f"{note} in {state}"
        if growth:
            assert note == "на столько растёт кэш", state
            assert growth == size(state, 1), "the number beside it"
        seen[growth > 0] += 1
    assert min(seen[True], seen[False]) > 50, f"states seen: {seen}"


def test_the_formula_of_the_bytes_gives_the_bytes(cache_frames) -> None:
    for state, frame in cache_frames:
        model = kv_cache._model(state)
        names = {
            "L": model.layers, "h_kv": model.kv_heads, "d": model.head_dim, "n": state["n"],
            "w": model.window, "min": min, "текстов": state["batch"], "число": int(state["dtype"]),
        }  # fmt: skip
        formula = frame["formula"].replace("\u00a0", " ").replace(" байт на ", " ")
        assert eval(formula.replace("·", "*"), names) == frame["raw"]["bytes"], (
            f"{formula}: {state}"
        )


def test_a_scheme_that_a_model_cannot_have_has_no_row(cache_frames) -> None:
    seen: Counter[bool] = Counter()
    for state, frame in cache_frames[::8] + cache_frames[-len(OWN_NUMBERS) :]:
        model = kv_cache._model(state)
        between = [s for s in range(2, model.heads) if model.heads % s == 0]
        html = shown_html(kv_cache, frame)
        rows = [row["data-scheme"] for row in html.select("[data-scheme]")]
        assert rows == ["mha", *["gqa"] * bool(between), "mqa"], f"rows of {state}"
        columns = [head.text for head in html.select("[data-growth] thead th")]
        assert columns == ["n", *map(str.upper, rows)], f"columns of {state}"
        marked = [row["data-scheme"].upper() for row in html.select("[data-own]")]
        divides = model.heads % model.kv_heads == 0
        assert marked == ([frame["scheme"]] if divides else []), f"own scheme in {state}"
        assert "—" not in html.select("[data-schemes]")[0].text, f"a row of dashes in {state}"
        seen[bool(between)] += 1
    assert seen[True] and seen[False], f"models seen: {seen}"
