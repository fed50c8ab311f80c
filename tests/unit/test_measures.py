"""Measures against their definitions, and the lesson's mistakes making their mistakes."""

import itertools

import numpy as np
import pytest

from attnlib import attention, masks, measures, pitfalls, softmax, split_heads
from tests.unit.cases import noise, same


def test_readouts_of_the_lesson():
    x = np.random.default_rng(4745612).standard_normal((768, 2, 6))
    q, k = x[:64, 0].T, x[:64, 1].T
    mask = masks.causal(6)
    _, weights = attention(q, k, k, mask=mask, return_weights=True)
    same(measures.score_spread(q @ k.T / 8, mask), 4.3831122597070395, 1e-12, "spread")
    same(measures.row_entropy(weights).mean(), 1.208548465442519, 1e-12, "entropy")
    assert measures.max_weight(weights) == 1.0, "largest weight"
    same(measures.gradient_scale(weights), 0.24725897621952414, 1e-12, "gradient scale")


def test_gradient_scale_is_the_diagonal_of_the_jacobian():
    s, step = noise(7), 1e-6
    slopes = [
        (softmax(s + step * e)[i] - softmax(s - step * e)[i]) / (2 * step)
        for i, e in enumerate(np.eye(7))
    ]
    same(measures.gradient_scale(softmax(s)), max(slopes), 1e-8, "numerical derivative")


def test_cosine_noise_is_measured():
    for d in (8, 64):
        x = noise(40_000, d, seed=d)
        cosine = x[:, 0] / np.linalg.norm(x, axis=1)
        same(cosine.std(), measures.cosine_noise(d), 0.01, f"d = {d}")


def cosine_deviation(values, probabilities, y):
    """Exact σ of the cosine with y of a vector of independent components of one law."""
    places = np.array(list(itertools.product(range(len(values)), repeat=len(y))))
    x, chance = np.array(values)[places], np.array(probabilities)[places].prod(axis=1)
    cosine = x @ y / np.linalg.norm(x, axis=1) / np.linalg.norm(y)
    return np.sqrt(chance @ cosine**2 - (chance @ cosine) ** 2)


def test_cosine_noise_is_exact_for_symmetric_components_and_not_for_skewed_ones():
    for y in ([1, 0, 0], [3, 1, -2, 0.5], [1, 1, 1, 1, 1]):
        exact = measures.cosine_noise(len(y))
        got = cosine_deviation([-2, -0.5, 0.5, 2], [0.1, 0.4, 0.4, 0.1], y)
        same(got, exact, 1e-12, f"symmetric components, y = {y}")
    skewed = cosine_deviation([-1, 2], [2 / 3, 1 / 3], [1, 1, 1])  # their mean is zero
    assert abs(skewed / measures.cosine_noise(3) - 1) > 0.05, f"skewed components give {skewed}"


def test_spread_of_nothing_is_zero():
    assert measures.score_spread([[1.0, 2.0]], mask=False) == 0.0, "nothing allowed"
    assert measures.score_spread([-np.inf, 1, 4]) == 3.0, "−∞ is a ban"
    assert measures.max_weight(np.zeros((2, 0))) == 0.0, "no weights"
    assert measures.gradient_scale(np.zeros((2, 0))) == 0.0, "no weights"


def test_each_pitfall_differs_from_attnlib():
    scores, mask = noise(5, 5), masks.causal(5)
    right = softmax(scores, mask=mask)
    zero = pitfalls.mask_by_zero_score(scores, mask)
    assert (zero[~mask] > 0).all(), "a zero score is no ban"
    late = pitfalls.mask_after_softmax(scores, mask)
    assert (late.sum(axis=-1)[:-1] < 0.999).all(), "rows masked late still sum to 1"
    warm = pitfalls.mask_by_minus_1e9(scores, mask, temperature=1e9)
    assert (warm[~mask] > 0.05).all(), "a large temperature does not lift the finite ban"
    same(pitfalls.mask_by_minus_1e9(scores, mask), right, 1e-12, "usual scores show no fault")
    nothing = np.zeros(5, bool)
    assert np.isnan(pitfalls.softmax_of_minus_infinities(scores, nothing)).all(), "no nan"
    assert np.isnan(pitfalls.softmax_without_subtracting_max([800.0, 0])).any(), "no overflow"
    assert np.isinf(pitfalls.additive_mask_minus_1e9(nothing, "float16")).all(), "−1e9 fits float16"
    assert np.isinf(pitfalls.sum_of_type_minimum_masks(nothing, nothing, "float32")).all(), "no −∞"
    assert np.isnan(pitfalls.multiply_mask_by_minus_infinity(~nothing)).all(), "0 · ∞ is a number"


@pytest.mark.parametrize(
    "wrong", [pitfalls.split_heads_d_h, pitfalls.split_heads_without_transpose]
)
def test_wrong_splits_have_the_right_shape(wrong):
    x = np.arange(24).reshape(1, 4, 6)
    right = split_heads(x, 3)
    assert wrong(x, 3).shape == right.shape, "the wrong split would crash later"
    assert not np.array_equal(wrong(x, 3), right), "the wrong split is right"


def test_forgotten_padding_depends_on_the_filler():
    q, k, v = noise(3, 1, 4, 2)
    changed = np.array(v)
    changed[:, 3] += 1
    one, two = (pitfalls.attention_forgetting_padding(q, k, values) for values in (v, changed))
    assert (one != two).all(), "the filler does not matter even without the mask"


def test_nothing_in_attnlib_uses_the_pitfalls():
    import inspect

    import attnlib

    for name in ("attention", "flash", "layers", "masks", "cache", "measures", "cost", "softmax"):
        module = __import__(f"attnlib.{name}", fromlist=["_"])
        assert "pitfalls" not in inspect.getsource(module), f"attnlib.{name} uses a pitfall"
    assert attnlib.pitfalls is pitfalls, "pitfalls are not reachable"
