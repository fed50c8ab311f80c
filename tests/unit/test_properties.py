"""Hypothesis: any legal problem gives the same numbers on every path, warns of nothing and changes
no input."""

from fractions import Fraction
from operator import mul

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from attnlib import attention, flash_attention, masks, measures, merge_heads, softmax, split_heads
from tests.unit import cases, reference

sizes = st.sampled_from([0, 1, 2, 3, 5, 7])
seeds = st.integers(0, 2**32 - 1)
slow = settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def problems(draw):
    """A `Case` with any mixture of sizes, types, strides, masks, biases and strange numbers."""
    b, h_kv, g = (
        draw(st.sampled_from([0, 1, 2])),
        draw(st.sampled_from([1, 2])),
        draw(st.sampled_from([1, 3])),
    )
    n_q, n_k, d, d_v = draw(sizes), draw(sizes), draw(st.sampled_from([1, 2, 5])), draw(sizes)
    dtype = draw(st.sampled_from(["float16", "float32", "float64", "int32"]))
    random = np.random.default_rng(draw(seeds))
    # At T = 0 one rounding would decide a tie: whole numbers have no roundings, but their tanh has.
    temperature = draw(st.sampled_from([1.0, 0, 0.5, 2, np.inf, np.float32(3)]))

    def array(*shape):
        values = 3 * random.standard_normal(shape)
        values = (np.rint(values) if temperature == 0 else values).astype(dtype)
        return cases.frozen(values[..., ::-1] if draw(st.booleans()) else values)

    def stretched(full):
        kept = draw(st.integers(0, 4))
        return tuple(size if draw(st.booleans()) else 1 for size in full)[kept:]

    q, k, v = array(b, h_kv * g, n_q, d), array(b, h_kv, n_k, d), array(b, h_kv, n_k, d_v)
    whole = (b, h_kv * g, n_q, n_k)
    mask = random.random(stretched(whole)) < 0.6 if draw(st.booleans()) else None
    options = {"temperature": temperature}
    if draw(st.booleans()):
        bias = random.standard_normal(stretched(whole))
        options["bias"] = np.where(random.random(bias.shape) < 0.2, -np.inf, bias)
    if draw(st.booleans()):
        caps = [np.inf] if temperature == 0 else [0.5, 30, np.inf]
        options["softcap"] = draw(st.sampled_from(caps))
    if draw(st.booleans()):
        options["scale"] = draw(st.sampled_from([0.0, 0.3, -1.0]))
    return cases.Case(12, "drawn", q, k, v, mask=mask, causal=draw(st.booleans()), options=options)


@slow
@given(problems())
def test_full_equals_the_reference(case):
    cases.run_case(case, "full")


@slow
@given(problems(), st.integers(1, 8), st.integers(1, 8))
def test_tiled_equals_full(case, block_q, block_k):
    got = cases.tiled(case, block_q, block_k)
    cases.same(
        got, cases.full(case), 4 * cases.TOLERANCE[str(got.dtype)], "tiled differs from full"
    )


@slow
@given(problems())
def test_cached_equals_full(case):
    got = cases.cached(case)
    cases.same(
        got, cases.full(case), 4 * cases.TOLERANCE[str(got.dtype)], "cached differs from full"
    )


@slow
@given(problems(), seeds)
def test_forbidden_numbers_never_leak(case, seed):
    """Whatever the forbidden keys and values hold, the output stays the same, bit for bit."""
    random = np.random.default_rng(seed)
    blind = random.random(np.shape(case.k)[-2]) < 0.5
    mask = ~blind if case.mask is None else case.mask & ~blind
    case = cases.Case(1, "drawn", case.q, case.k, case.v, mask, case.causal, options=case.options)
    strange = [np.nan, np.inf, -np.inf, 0] if np.asarray(case.k).dtype.kind == "f" else [7, 0]
    k, v = np.array(case.k), np.array(case.v)
    for array in (k, v):
        array[..., blind, :] = random.choice(strange, array[..., blind, :].shape)
    changed = cases.Case(1, "drawn", case.q, k, v, case.mask, case.causal, options=case.options)
    for path in (cases.full, cases.tiled, cases.small_tiles):
        before, after = path(case), path(changed)
        cases.same(after, before, cases.TOLERANCE[str(before.dtype)], f"{path.__name__} leaked")
        if path is cases.full:
            assert np.array_equal(np.isnan(after), np.isnan(before)), "a nan appeared"


EXTREMES = {"float16": 4, "float32": 37, "float64": 300}


@st.composite
def far_problems(draw):
    """Usual final scores made of numbers anywhere in the range of their type, and their weights.

    The judge is exact: fractions of whole numbers, so that nothing overflows or rounds to zero.
    """
    dtype = draw(st.sampled_from(sorted(EXTREMES)))
    far = EXTREMES[dtype]
    powers = st.integers(-far, far)
    of_q, of_k, of_t = draw(powers), draw(powers), draw(st.sampled_from([0, 0, *range(-30, 31, 6)]))
    scale, temperature = 10.0 ** max(-300, min(300, of_t - of_q - of_k)), 10.0**of_t
    random = np.random.default_rng(draw(seeds))
    n_q, n_k, d = draw(st.integers(1, 4)), draw(st.integers(1, 6)), draw(st.sampled_from([1, 2, 5]))
    with np.errstate(all="ignore"):
        q = (random.uniform(-3, 3, (n_q, d)) * 10.0**of_q).astype(dtype)
        k = (random.uniform(-3, 3, (n_k, d)) * 10.0**of_k).astype(dtype)
        bias = (random.uniform(-3, 3, (n_q, n_k)) * 10.0**of_t).astype(dtype)
    assume(np.isfinite(q).all() and np.isfinite(k).all() and np.isfinite(bias).all())
    v = random.standard_normal((n_k, 3)).astype(dtype)
    options = {"scale": scale, "temperature": temperature}
    if draw(st.booleans()):
        options["bias"] = bias
    case = cases.Case(14, "far", q, k, v, causal=draw(st.booleans()), options=options)
    assume(max(abs(s) for row in exact_scores(case) for s in row) < 100)
    return case


def exact_scores(case):
    """Scores after the temperature, as fractions."""
    bias = case.options.get("bias", np.zeros((len(case.q), len(case.k))))
    scale, temperature = (Fraction(case.options[name]) for name in ("scale", "temperature"))
    q, k, added = ([[Fraction(float(x)) for x in row] for row in a] for a in (case.q, case.k, bias))
    return [
        [(scale * sum(map(mul, query, key)) + added[i][j]) / temperature for j, key in enumerate(k)]
        for i, query in enumerate(q)
    ]


@slow
@given(far_problems(), st.integers(1, 5), st.integers(1, 5))
def test_numbers_near_the_limits_give_the_exact_weights(case, block_q, block_k):
    scores = np.array(exact_scores(case), np.float64)
    mask = masks.causal(*scores.shape) if case.causal else np.ones(scores.shape, bool)
    weights = np.array([reference.softmax(s, m) for s, m in zip(scores, mask, strict=True)])
    expected = weights @ np.asarray(case.v, np.float64)
    tolerance = {"float16": 1e-2, "float32": 1e-3, "float64": 1e-9}[str(case.q.dtype)]
    for name, got in (
        ("full", cases.full(case)),
        ("tiled", cases.tiled(case, block_q, block_k)),
        ("cached", cases.cached(case)),
        ("single step", cases.single_step(case)),
    ):
        cases.same(got, expected, tolerance, f"{name} differs from the exact weights")


@slow
@given(
    st.lists(st.floats(width=32), max_size=8),
    seeds,
    st.sampled_from([0, 1e-310, 0.5, 1, 4, np.inf]),
)
def test_softmax_equals_the_reference(scores, seed, temperature):
    mask = np.random.default_rng(seed).random(len(scores)) < 0.7
    with np.errstate(all="raise"):
        got = softmax(np.array(scores, np.float64), mask=mask, temperature=temperature)
    cases.same(got, reference.softmax(scores, mask, temperature), 1e-12, "softmax")
    assert (got[~mask] == 0).all(), "a blocked weight is not exactly 0"


@slow
@given(sizes, sizes, st.integers(1, 8), st.integers(1, 5))
def test_window_is_a_band_of_causal(n, n_k, w, block):
    window = masks.sliding_window(n, w, n_k=n_k)
    assert not (window & ~masks.causal(n, n_k)).any(), "the window sees the future"
    seen = np.minimum(masks.visible_keys(masks.causal(n, n_k)), w)
    assert np.array_equal(masks.visible_keys(window), seen), "visible keys"
    assert masks.share(window) <= masks.block_share(window, block) <= 1, "shares"


@slow
@given(sizes, sizes, st.integers(1, 4), st.integers(1, 4))
def test_heads_come_apart_and_together(b, n, h, d):
    x = np.arange(b * n * h * d).reshape(b, n, h * d)
    assert np.array_equal(merge_heads(split_heads(x, h)), x), "merge is not the inverse of split"


@slow
@given(st.lists(st.floats(0, 1), min_size=1, max_size=9).filter(lambda p: sum(p) > 1e-3))
def test_measures_have_their_bounds(raw):
    p = np.array(raw) / sum(raw)
    bits = float(measures.row_entropy(p))
    assert 0 <= bits <= np.log2(len(p)) + 1e-9, f"entropy {bits} of {len(p)} keys"
    assert 1 / len(p) - 1e-12 <= measures.max_weight(p) <= 1, "largest weight"
    assert 0 <= measures.gradient_scale(p) <= 0.25, "gradient scale"


def test_no_setting_of_the_caller_matters():
    q, k, v = cases.noise(3, 2, 5, 4)
    k[:, 2], v[:, 2] = np.inf, np.nan
    with np.errstate(all="raise"):
        out = attention(q, k, v, mask=np.arange(5) != 2, temperature=1e-310)
        tiled = flash_attention(q, k, v, mask=np.arange(5) != 2, temperature=1e-310)
    cases.same(tiled, out, 1e-12, "np.errstate(all='raise') around the call")
