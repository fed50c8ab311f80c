"""What W3, W4 and the padding demonstration say, against independent computations."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from attnlib import masks as attnlib_masks
from attnlib.cost import causal_share
from figures.widgets import masks, noise, noise_model, padding
from figures.widgets.controls import defaults


def state_of(module, **change):
    return {**defaults(module.CONTROLS), **change}


@pytest.mark.parametrize("near", [0.3, 0.5, 0.7])
def test_share_of_a_cap_of_the_sphere(near):
    exact = (1 - near) / 2  # in three dimensions a component of a random direction is uniform
    assert noise_model.overtaking_share(3, near) == pytest.approx(exact, rel=1e-6), "d = 3"
    exact = np.arccos(near) / np.pi  # on a circle the angle is uniform
    assert noise_model.overtaking_share(2, near) == pytest.approx(exact, rel=1e-6), "d = 2"


def test_share_of_errors_is_what_a_simulation_finds():
    rng = np.random.default_rng(5)
    keys = rng.standard_normal((4000, 31, 8))
    cosines = keys[..., 0] / np.linalg.norm(keys, axis=-1)
    measured = (cosines > 0.7).any(axis=1).mean()
    expected = noise_model.wrong_share(8, 0.7, 31)
    assert measured == pytest.approx(expected, abs=0.03), "the integral and a simulation differ"


@pytest.mark.parametrize("d", noise.SIZES)
def test_sample_has_the_spread_of_the_formula(d):
    cosines = noise_model.sample_cosines(d, 0)
    assert len(cosines) >= 10_000, "too few pairs"
    assert cosines.std() == pytest.approx(d**-0.5, rel=0.03), f"spread at d = {d}"
    rows = noise_model.sample_rows(cosines, 127)
    assert rows.shape == (100, 127), "rows of the sample"


def test_related_key_loses_exactly_when_another_has_the_larger_weight():
    for d in (8, 64):
        shown = noise.frame(state_of(noise, d=d))
        row = noise_model.sample_cosines(d, 0)[:127]
        weights = shown["raw"]["weights"]
        assert (max(weights[1:]) > weights[0]) == (row.max() > 0.5), f"winner at d = {d}"
        assert ("голова ошиблась" in shown["verdict"]) == (row.max() > 0.5), f"verdict at d = {d}"
        assert sum(weights) == pytest.approx(1), "the weights of a row"


@pytest.mark.parametrize("kind", [*masks.KINDS, "mix"])
@pytest.mark.parametrize("n", [8, 64])
def test_work_of_a_mask_is_what_its_kernel_reports(kind, n):
    state = state_of(masks, mask=kind, n=n)
    shown = masks.frame(state)
    mask, code, _ = masks.chosen(state)
    raw = shown["raw"]
    assert raw["kernel_share"] == [raw["share"], raw["tile_share"]], "kernel and masks disagree"
    names = {name: getattr(attnlib_masks, name) for name in attnlib_masks.REGISTRY}
    pattern = np.array([[m == "1" for m in row] for row in state["pattern"].split("/")])
    again = eval(code, {**names, "pattern": pattern})
    assert (np.broadcast_to(again, (1, 1, n, n)) == mask).all(), f"the code shown, {code}"
    assert (np.array(shown["mask"]) == mask).all(), "the cells of the mask"
    assert shown["visible"] == ", ".join(str(sum(row)) for row in shown["mask"]), "visible keys"


def test_causal_mask_has_the_share_of_the_lesson():
    shown = masks.frame(state_of(masks, n=64, b=8))
    assert Fraction(shown["raw"]["share"]) == causal_share(64)
    assert shown["kernel"] == {"skipped": "28", "partial": "8", "full": "28"}, "N = 8 tiles a side"


@pytest.mark.parametrize(("op", "both"), [("&", np.logical_and), ("|", np.logical_or)])
def test_two_masks_are_combined_as_written(op, both):
    state = state_of(masks, mask="own", first="window2", op=op, second="padding", n=8, filler=3)
    wanted = both(
        attnlib_masks.sliding_window(8, 4, causal=False), attnlib_masks.padding([5], 8)[0, 0]
    )
    assert (masks.chosen(state)[0] == wanted).all(), op
    causal_too = masks.chosen({**state, "and_causal": True})[0]
    assert (causal_too == wanted & attnlib_masks.causal(8)).all(), f"{op} and causal"


def test_text_of_the_padding_demonstration_is_the_lessons():
    drawn = np.random.default_rng(0).standard_normal((1, 1, 3, 8))[0, 0]
    assert (drawn == padding.TEXT).all(), "the stored text is not the lesson's draw"


@pytest.mark.parametrize("n", padding.LENGTHS[1:])
@pytest.mark.parametrize("filler", padding.FILLERS)
def test_mask_keeps_the_neighbour_out(n, filler):
    without = padding.frame(state_of(padding, n=n, filler=filler, mask=False))
    masked = padding.frame(state_of(padding, n=n, filler=filler, mask=True))
    assert without["raw"]["difference"] > 0.05, "without the mask the neighbour does not matter"
    assert masked["raw"]["difference"] <= 1e-12, "with the mask the neighbour matters"
    assert masked["raw"]["content"] == 0, "with the mask the content of the filler matters"
    assert masked["notes"]["content"] == "бит в\xa0бит"
