"""The figures show what attnlib gives, and their captions and descriptions say the same."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import attnlib
from attnlib import masks, pitfalls
from figures.pipeline import drawing, sources
from figures.shared.formats import binary_size, fixed
from figures.shared.models import MODELS
from tests.site.conftest import FIGURES, texts

NBSP = "\u00a0"
QUOTED = re.compile(  # numbers with a point or a unit, and ratios; dates have two points
    r"(?<![\d.])\d+\.\d+\b(?!\.\d)(?: [КМГ]иБ)?|\d+ [КМГ]иБ|\d+(?= раза?\b)"
)


def table(values: np.ndarray, digits: int, allowed: np.ndarray, blocked: str) -> list[str]:
    return [
        fixed(value, digits) if may else blocked
        for value, may in zip(values.flat, allowed.flat, strict=True)
    ]


def has_run(found: list[str], expected: list[str]) -> bool:
    """Whether `expected` stands in `found` without a gap."""
    length = len(expected)
    return any(found[i : i + length] == expected for i in range(len(found) - length + 1))


def test_numbers_in_words_are_looked_at(drawn: dict[str, drawing.Drawing]) -> None:
    said = {n: len(QUOTED.findall(f"{d.caption} {d.description}")) for n, d in drawn.items()}
    digits = {n for n, d in drawn.items() if re.search(r"\d\.\d|иБ", d.caption + d.description)}
    assert digits <= {name for name, count in said.items() if count}, f"numbers seen: {said}"
    print(f"{sum(said.values())} numbers in words: {said}")


@pytest.mark.parametrize("name", FIGURES)
def test_numbers_in_words_are_those_drawn(name: str, drawn: dict[str, drawing.Drawing]) -> None:
    figure = drawn[name]
    shown = set(re.findall(r"[\d.]*\d(?: [КМГ]иБ)?", " ".join(texts(figure)).replace(NBSP, " ")))
    for key, text in (("CAPTION", figure.caption), ("DESCRIPTION", figure.description)):
        said = QUOTED.findall(text)
        wrong = [number for number in said if number not in shown]
        assert not wrong, f"figures/static/fig_{name}.py: {key} says {wrong}, drawn are {shown}"


def test_split_heads_shows_the_heads(drawn: dict[str, drawing.Drawing]) -> None:
    x = np.arange(48).reshape(1, 4, 12)
    found = texts(drawn["split_heads"])
    for part in (x[0], *attnlib.split_heads(x, 3)[0]):
        assert has_run(found, [str(n) for n in part.flat]), f"no table with {part.flat[:4]}…"
    terms = set(re.findall(r'data-k="(\w+)"', drawn["split_heads"].svg))
    assert terms == {"split", "concat", "proj"}, "terms of the formula without a place"


def test_split_orders_shows_three_orders(drawn: dict[str, drawing.Drawing]) -> None:
    x = np.arange(12).reshape(1, 2, 6)
    found = texts(drawn["split_orders"])
    for split in (
        attnlib.split_heads,
        pitfalls.split_heads_d_h,
        pitfalls.split_heads_without_transpose,
    ):
        for block in split(x, 3)[0]:
            numbers = [str(n) for n in block.flat]
            assert has_run(found, numbers), f"{split.__name__}: no block {numbers}"


def lesson_rows() -> tuple[np.ndarray, np.ndarray]:
    """Scores and causal mask of the lesson's sentence, from the seed and the definition."""
    x = np.random.default_rng(4745612).standard_normal((768, 2, 6))[:64]
    return x[:, 0].T @ x[:, 1] / 8, masks.causal(6)


def test_causal_mask_shows_scores_and_weights(drawn: dict[str, drawing.Drawing]) -> None:
    scores, allowed = lesson_rows()
    weights = attnlib.softmax(scores, mask=allowed)
    found = texts(drawn["causal_mask"])
    assert has_run(found, table(scores, 2, allowed, "−∞")), "scores differ from attnlib's"
    assert has_run(found, table(weights, 2, allowed, "0")), "weights differ from attnlib's"
    terms = set(re.findall(r'data-k="(\w+)"', drawn["causal_mask"].svg))
    assert terms == {"allowed", "blocked"}, "terms of the formula without a place"


def test_why_not_zero_shows_three_rows(drawn: dict[str, drawing.Drawing]) -> None:
    scores, allowed = (part[1] for part in lesson_rows())
    found = texts(drawn["why_not_zero"])
    wrong = pitfalls.mask_by_zero_score(scores, allowed)
    late = pitfalls.mask_after_softmax(scores, allowed)
    for weights, fault in ((wrong, "украдено"), (late, "потеряно")):
        kept = weights[allowed].sum()
        note = f"разрешённым {fixed(kept, 2)}, {fault} {fixed(1 - kept, 2)}"
        assert note in found, f"no «{note}» in {found}"
    right = attnlib.softmax(scores, mask=allowed)
    pieces = ["<s>", fixed(right[0], 2), "кот", fixed(right[1], 2)]
    assert found[-4:] == pieces, f"the last bar shows {found[-4:]}, not {pieces}"


def test_tiles_are_counted_by_the_kernel(drawn: dict[str, drawing.Drawing]) -> None:
    found = texts(drawn["tiles"])
    for allowed in (masks.causal(64), masks.sliding_window(64, 20)):
        x = np.zeros((64, 1))
        blocks = {"block_q": 8, "block_k": 8}
        _, stats = attnlib.flash_attention(x, x, x, mask=allowed, return_stats=True, **blocks)
        counts = ("пропущено", stats.skipped, "с маской", stats.partial, "целиком", stats.full)
        assert has_run(found, [str(part) for part in counts]), f"no legend {counts}"
        computed = f"посчитано {stats.partial + stats.full} плиток из 64"
        assert computed in found, f"no «{computed}»"


def test_four_masks_count_their_cells(drawn: dict[str, drawing.Drawing]) -> None:
    pattern = np.eye(4, dtype=bool)
    pattern[:, 0] = True
    padded = np.broadcast_to(masks.padding([8], 12)[0, 0], (12, 12))
    four = (
        masks.causal(12),
        padded,
        masks.sliding_window(12, 4),
        masks.block_sparse(12, 3, pattern),
    )
    counts = [text for text in texts(drawn["four_masks"]) if text.startswith("разрешено")]
    assert counts == [f"разрешено {mask.sum()} из 144" for mask in four]


def test_padding_shows_equal_and_different_outputs(drawn: dict[str, drawing.Drawing]) -> None:
    q, k, v = np.random.default_rng(7).standard_normal((3, 1, 1, 5, 2))
    alone = attnlib.attention(q[..., :3, :], k[..., :3, :], v[..., :3, :])
    forgotten = pitfalls.attention_forgetting_padding(q, k, v)[..., :3, :]
    masked = attnlib.attention(q, k, v, mask=masks.padding([3], 5))[..., :3, :]
    found = texts(drawn["padding"])
    everywhere = np.ones((3, 2), bool)
    for out in (alone, forgotten, masked):
        assert has_run(found, table(out[0, 0], 2, everywhere, "")), f"no output {out[0, 0]}"
        if out is not alone:
            note = f"отличие от одиночного {fixed(np.abs(out - alone).max(), 2)}"
            assert note in found, f"no «{note}»"


def test_kv_cache_shows_the_library_s_bytes(drawn: dict[str, drawing.Drawing]) -> None:
    found = texts(drawn["kv_cache"])
    for model in MODELS:
        length = min(model.context, model.window or model.context)
        shape = (model.layers, model.kv_heads, model.head_dim, length)
        own = binary_size(attnlib.cost.kv_cache_bytes(*shape))
        assert own in found, f"{model.name}: no «{own}»"
        ratio = model.heads // model.kv_heads
        assert ratio == 1 or f"×{ratio}" in found, f"{model.name}: no ×{ratio}"


def test_cosine_noise_marks_the_lesson_s_sizes(drawn: dict[str, drawing.Drawing]) -> None:
    found = " ".join(texts(drawn["cosine_noise"]))
    for d in (8, 64, 768):
        noise = fixed(attnlib.measures.cosine_noise(d), 3)
        assert noise in found, f"no {noise} for d = {d}"


def test_time_curve_is_the_bench_record(drawn: dict[str, drawing.Drawing]) -> None:
    record = json.loads((sources.STATIC / "bench_record.json").read_text(encoding="utf-8"))
    gain = fixed(1 / record["attention"][-1]["ratio_full"], 1)
    figure = drawn["time_curve"]
    assert f"в {gain} раза" in texts(figure), "the figure quotes another ratio"
    for part in (record["machine"], f"в {gain} раза"):
        assert part in figure.caption, f"the caption does not say «{part}»"
    assert all(str(row["n"]) in texts(figure) for row in record["attention"]), "a length is missing"
