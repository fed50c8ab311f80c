"""Facts of the table about the edges: counts beyond 32 bits, tiles larger than the text, numbers
near the limits of their type, arrays whose mask NumPy would lose.

On 64-bit Linux the counts are right by themselves: the rows show their worth in the browser, where
NumPy's default integer has 32 bits.
"""

from fractions import Fraction

import numpy as np

import attnlib
from attnlib import KVCache, MultiHeadAttention, cost, masks, measures, pitfalls
from attnlib.tiles import Allowed, Plan
from tests.unit.cases import INF, X6, equal, noise, same
from tests.unit.facts import check

HUGE = 2**40


@check(13)
def the_plan_of_a_long_text_counts_exactly():
    n = 70_000
    plan = Plan.of(Allowed(n, n, causal=True), 112, 64)
    equal(plan.allowed_pairs, 2_450_035_000, "pairs under the causal mask")
    equal(plan.computed_pairs, 2_455_597_312, "pairs of the computed tiles")
    equal((plan.skipped, plan.partial, plan.full), (341_172, 1562, 341_016), "tiles")
    plan = Plan.of(Allowed(n, n), 112, 64)
    equal((plan.allowed_pairs, plan.computed_pairs), (n * n, n * n), "pairs without a mask")
    plan = Plan.of(Allowed(n, n, window=n), n, n)
    equal((plan.allowed_pairs, plan.computed_pairs), (n * n, n * n), "one tile for all")
    plan = Plan.of(Allowed(n, n, mask=np.ones((1, n), bool)), n, 64)
    equal((plan.allowed_pairs, plan.full), (n * n, 1094), "a mask of keys in tall tiles")
    plan = Plan.of(Allowed(10**6, 10**6, causal=True), 10**5, 10**5)
    equal(plan.allowed_pairs, 500_000_500_000, "a million tokens")
    equal(plan.computed_pairs, 550_000_000_000, "a million tokens in ten by ten tiles")


@check(13)
def the_report_of_a_long_text_is_exact():
    n = 70_000
    x = np.zeros((n, 1), np.float32)
    _, stats = attnlib.flash_attention(
        x, x, x, causal=True, window=2, block_q=100, block_k=100, return_stats=True
    )
    equal(stats.share, Fraction(2 * n - 1, n * n), "share of the pairs")
    equal(stats.tile_share, Fraction(1399 * 10**4, n * n), "share of the computed tiles")
    equal((stats.skipped, stats.partial, stats.full), (488_601, 1399, 0), "tiles")
    counts = stats.skipped, stats.partial, stats.full, stats.share.numerator
    assert all(type(count) is int for count in counts), f"not Python integers: {counts}"


@check(13)
def counts_bear_arithmetic():
    equal(masks.visible_keys(masks.causal(3)) * HUGE, [HUGE, 2 * HUGE, 3 * HUGE], "visible keys")
    equal(cost.attention_madds(8192, 4096), 2 * 8192**2 * 4096 + 4 * 8192 * 4096**2, "one layer")
    equal(cost.causal_share(HUGE), Fraction(HUGE + 1, 2 * HUGE), "share of pairs")
    lengths = np.array([3, 127], np.int8)
    equal(masks.padding(lengths, 300).sum(axis=-1).ravel(), [3, 127], "lengths of a narrow type")


@check(13)
def tiles_and_windows_larger_than_the_text():
    triangle = masks.causal(6)
    equal(attnlib.tile_map(triangle, HUGE, HUGE), [[1]], "one tile")
    equal(attnlib.tile_map(triangle, 2, HUGE), [[1], [1], [1]], "strips of queries")
    equal(attnlib.tile_map(triangle, HUGE, 2), [[1, 1, 1]], "strips of keys")
    equal(masks.block_share(triangle, HUGE), 1, "share of one tile")
    equal(masks.sliding_window(6, HUGE), triangle, "a window longer than the text")
    assert masks.sliding_window(6, HUGE, causal=False).all(), "a two-sided one"
    expected = attnlib.attention(X6, X6, X6, mask=triangle)
    out, stats = attnlib.flash_attention(
        X6, X6, X6, causal=True, window=HUGE, block_q=HUGE, block_k=HUGE, return_stats=True
    )
    same(out, expected, 1e-12, "one tile in the kernel")
    equal((stats.skipped, stats.partial, stats.full, stats.tile_share), (0, 1, 0, 1), "its report")
    out, skipped = attnlib.tiled_attention(X6, X6, X6, triangle, block_q=HUGE, block_k=HUGE)
    same(out, expected, 1e-12, "one tile in the readable kernel")
    equal(skipped, 0, "tiles skipped")


@check(14)
def a_layer_whose_products_overflow_before_they_are_scaled():
    eye = np.eye(4, dtype=np.float32)
    mha = MultiHeadAttention(eye, eye, eye, eye, 1)
    x = np.repeat(np.array([[[1e19], [0.99e19], [0.9e19]]], np.float32), 4, axis=-1)
    first = np.broadcast_to(x[:, :1], x.shape)
    equal(mha(x), first, "one pass")
    for chunks in ([3], [1, 2], [1, 1, 1]):
        cache, parts, start = KVCache(window=3), [], 0
        for size in chunks:
            parts.append(mha(x[:, start : start + size], cache=cache))
            start += size
        equal(np.concatenate(parts, axis=1), first, f"chunks {chunks}")


@check(14)
def a_temperature_that_float32_cannot_hold():
    far = np.array([-3e38, 3e38], np.float32)
    weight = 1 / (1 + np.exp(-0.6))
    same(attnlib.softmax(far, temperature=1e39), [1 - weight, weight], 1e-6, "T = 1e39")
    equal(attnlib.softmax(far, temperature=INF), [0.5, 0.5], "T = ∞")


@check(15)
def arrays_of_numpy_ma_are_refused():
    seen = 0
    for function, arguments in masked_calls():
        for name, value in arguments.items():
            masked = np.ma.array(value, mask=np.zeros(np.shape(value), bool))
            for given in (masked, [masked]):
                try:
                    function(**(arguments | {name: given}))
                except TypeError as error:
                    expected = f"{name}: ожидается обычный массив, получено: numpy.ma.MaskedArray"
                    assert str(error).startswith(expected), f"{function}: {error}"
                    assert f"{name}.filled" in str(error), f"{function} names no remedy: {error}"
                else:
                    raise AssertionError(f"{function} takes {name} of numpy.ma and loses its mask")
                seen += 1
    assert seen == 2 * 56, f"{seen} calls tried"


def masked_calls():
    """Each public function with all its array arguments."""
    x, one_head, row, yes = np.ones((1, 2, 4)), np.ones((2, 4)), np.ones(3), np.ones(3, bool)
    square, scores = np.eye(4), {"scores": row, "mask": yes}
    attended = {"q": x, "k": x, "v": x, "mask": np.ones((2, 2), bool), "bias": np.zeros((2, 2))}
    layer = MultiHeadAttention.random(4, 2, seed=0)

    def build(**weights):
        return MultiHeadAttention(**weights, n_heads=2)

    def minimum(**two):
        return pitfalls.sum_of_type_minimum_masks(**two, dtype="float32")

    def readable(**inputs):
        return attnlib.tiled_attention(**inputs)

    return [
        (attnlib.softmax, scores),
        (attnlib.attention, attended),
        (attnlib.flash_attention, attended),
        (readable, {name: one_head for name in "qkv"} | {"mask": np.ones((2, 2), bool)}),
        (lambda mask: attnlib.tile_map(mask, 1, 1), {"mask": square > 0}),
        (lambda x: attnlib.split_heads(x, 2), {"x": x}),
        (attnlib.merge_heads, {"x": x[None]}),
        (build, {name: square for name in ("w_q", "w_k", "w_v", "w_o")}),
        (layer, {"x": x, "mask": np.ones((2, 2), bool)}),
        (lambda k, v: KVCache().update(k, v), {"k": x, "v": x}),
        (lambda lengths: masks.padding(lengths, 4), {"lengths": [1, 2]}),
        (lambda pattern: masks.block_sparse(4, 1, pattern), {"pattern": square > 0}),
        (lambda indices: masks.global_tokens(4, indices), {"indices": [1, 2]}),
        (masks.visible_keys, {"mask": yes}),
        (masks.share, {"mask": yes}),
        (lambda mask: masks.block_share(mask, 1), {"mask": yes}),
        (measures.score_spread, scores),
        (measures.row_entropy, {"weights": row}),
        (measures.max_weight, {"weights": row}),
        (measures.gradient_scale, {"weights": row}),
        (pitfalls.softmax_without_subtracting_max, {"scores": row}),
        (pitfalls.softmax_of_minus_infinities, scores),
        (pitfalls.mask_by_zero_score, scores),
        (pitfalls.mask_after_softmax, scores),
        (pitfalls.mask_by_minus_1e9, scores),
        (lambda mask: pitfalls.additive_mask_minus_1e9(mask, "float32"), {"mask": yes}),
        (minimum, {"first": yes, "second": yes}),
        (pitfalls.multiply_mask_by_minus_infinity, {"mask": yes}),
        (lambda x: pitfalls.split_heads_d_h(x, 2), {"x": x}),
        (lambda x: pitfalls.split_heads_without_transpose(x, 2), {"x": x}),
        (pitfalls.attention_forgetting_padding, {name: x for name in "qkv"}),
    ]


@check(16)
def axes_of_a_mask_are_put_on_the_left():
    q, k, v = noise(3, 2, 2, 2, 3)  # b = h = n_q = n_k = 2
    own = np.array([[[True, False], [True, True]], [[True, True], [False, True]]])
    for path in (attnlib.attention, attnlib.flash_attention):
        equal(path(q, k, v, mask=own), path(q, k, v, mask=own[None]), "(b, n, n) is per head")
        per_sample = path(q, k, v, mask=own[:, None])
        for i in range(2):
            equal(per_sample[i], path(q[i], k[i], v[i], mask=own[i]), "(b, 1, n, n) is per sample")
        keys = np.array([[True, False], [True, True]])
        equal(path(q, k, v, mask=keys), path(q, k, v, mask=keys[None, None]), "(b, n) is per query")
        padded = path(q, k, v, mask=keys[:, None, None])
        equal(padded[0], path(q[0], k[0], v[0], mask=keys[0]), "(b, 1, 1, n) is per sample")
