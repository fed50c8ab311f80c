"""Facts of the table of known faults about the parts of attnlib that are not attention itself."""

from fractions import Fraction

import numpy as np

import attnlib
from attnlib import KVCache, MultiHeadAttention, cost, masks, measures
from tests.unit.cases import (
    B3,
    EYE,
    INF,
    NAN,
    PAD_LENGTHS,
    ROW_BLOCKED,
    X6,
    Case,
    cached,
    equal,
    full,
    noise,
    poisoned,
    same,
    tiled,
)

CHECKS = []


def check(fault):
    """Adds a fact about one of the other parts of attnlib to the table."""

    def add(function):
        CHECKS.append((fault, function.__name__.replace("_", " "), function))
        return function

    return add


@check(1)
def a_blocked_row_has_no_weight_and_no_entropy():
    _, weights = attnlib.attention(EYE, EYE, EYE, mask=ROW_BLOCKED, return_weights=True)
    same(weights.sum(axis=-1), [1, 0, 1], 1e-15, "row sums")
    equal(measures.row_entropy(weights)[1], 0, "entropy of the blocked row")
    equal(attnlib.softmax([NAN, 1.0], mask=[False, True]), [0, 1], "nan under a ban in softmax")
    equal(attnlib.softmax([NAN, 1.0, 2.0], mask=[True, False, True])[1], 0, "a ban beside a nan")


@check(3)
def causal_corner():
    equal(masks.visible_keys(masks.causal(2, 5)), [4, 5], "two queries, five keys")
    equal(masks.visible_keys(masks.causal(5, 2)), [0, 0, 0, 1, 2], "five queries, two keys")
    equal(masks.causal(0).shape, (0, 0), "no queries")


@check(3)
def one_pass_equals_chunks_and_single_steps():
    mha = MultiHeadAttention.random(12, 6, 2, seed=3)
    x = noise(2, 6, 12, seed=5)
    whole = mha(x, mask=masks.causal(6))
    for chunks in ([6], [4, 2], [1] * 6):
        cache, parts, start = KVCache(), [], 0
        for size in chunks:
            parts.append(mha(x[:, start : start + size], cache=cache))
            start += size
        same(np.concatenate(parts, axis=1), whole, 1e-12, f"chunks {chunks}")


@check(4)
def sliding_window_counts_the_query_itself():
    equal(masks.visible_keys(masks.sliding_window(8, 4)), [1, 2, 3, 4, 4, 4, 4, 4], "w = 4")
    equal(masks.visible_keys(masks.sliding_window(8, 3, causal=False)),
          [3, 4, 5, 5, 5, 5, 4, 3], "two-sided, w = 3")  # fmt: skip
    equal(masks.sliding_window(5, 5), masks.causal(5), "w = n is plain causal")
    equal(masks.sliding_window(2, 3, n_k=6), masks.sliding_window(6, 3)[-2:], "aligned to the end")


@check(4)
def cached_window_equals_the_full_windowed_pass():
    mha = MultiHeadAttention.random(8, 4, 1, seed=1)
    x = noise(1, 9, 8, seed=2)
    whole = mha(x, mask=masks.sliding_window(9, 3))
    cache, parts = KVCache(window=3), []
    for start, stop in ((0, 1), (1, 5), (5, 5), (5, 6), (6, 9)):
        parts.append(mha(x[:, start:stop], cache=cache))
        chunk = stop - start
        equal(cache.held, min(stop, 2 + chunk), f"rows held after {stop} tokens")
        equal(len(cache), stop, "tokens read")
        equal(cache.nbytes, 2 * cache.held * 2 * 8, "bytes of the rows held")
    same(np.concatenate(parts, axis=1), whole, 1e-12, "windowed cache")


@check(5)
def grouped_heads():
    x = noise(2, 5, 8, seed=4)
    mha = MultiHeadAttention.random(8, 4, seed=1)
    gqa = MultiHeadAttention(mha.w_q, mha.w_k, mha.w_v, mha.w_o, 4, 4)
    equal(gqa(x), mha(x), "h_kv = h is MHA")
    shared = MultiHeadAttention.random(8, 4, 1, seed=1)
    spread = MultiHeadAttention(
        shared.w_q, np.tile(shared.w_k, 4), np.tile(shared.w_v, 4), shared.w_o, 4
    )
    same(shared(x), spread(x), 1e-12, "h_kv = 1 is MQA")


@check(6)
def head_split():
    x = np.arange(12).reshape(1, 2, 6)
    equal(attnlib.split_heads(x, 3)[0, 0], [[0, 1], [6, 7]], "head 0")
    equal(attnlib.merge_heads(attnlib.split_heads(x, 3)), x, "split and merged")
    eye = np.eye(6)
    mha = MultiHeadAttention(eye, eye, eye, eye, 3)
    values = noise(2, 4, 6, seed=8)
    equal(mha(values, mask=np.eye(4, dtype=bool)), values, "identity and a self-only mask")
    order = [2, 0, 3, 1]
    same(mha(values[:, order]), mha(values)[:, order], 1e-12, "permuted tokens")
    q, k = np.zeros((1, 1, 8)), np.zeros((1, 2, 8))
    q[..., 0], k[0, 0, 0] = 1, 2
    q, k = attnlib.split_heads(q, 2), attnlib.split_heads(k, 2)
    _, weights = attnlib.attention(q, k, k, return_weights=True)
    same(weights[0, 0, 0].round(4), [0.7311, 0.2689], 1e-9, "scale is 1/√d of the head")


@check(7)
def the_future_changes_nothing():
    changed = poisoned(X6, 4, 1e3)
    for path in (full, tiled, cached):
        before = path(Case(7, "", X6, X6, X6, causal=True))
        after = path(Case(7, "", changed, changed, changed, causal=True))
        equal(after[:4], before[:4], f"rows 0–3, {path.__name__}")


@check(8)
def a_padded_sequence_equals_its_solo_run():
    for path in (full, tiled):
        batch = path(Case(8, "", B3, B3, B3, mask=PAD_LENGTHS))
        for i, length in enumerate((1, 2, 3)):
            alone = B3[i, :, :length]
            solo = path(Case(8, "", alone, alone, alone))
            same(batch[i, :, :length], solo, 1e-12, f"length {length}")
        filler = np.array(B3)
        filler[0, :, 1:], filler[1, :, 2:] = NAN, 7
        again = path(Case(8, "", B3, filler, filler, mask=PAD_LENGTHS))
        equal(again, batch, "only the content of the filler changed")
    left = masks.padding([3], 4, side="left")[0, 0] & masks.causal(4)
    equal(masks.visible_keys(left), [0, 1, 2, 3], "left padding and causal")


@check(9)
def softmax_temperature():
    equal(attnlib.softmax([1, 2, 3], temperature=1e-310), [0, 0, 1], "T = 1e-310")
    small = np.array([1, 2, 3], np.float32)
    equal(attnlib.softmax(small, temperature=1e-310), [0, 0, 1], "T = 1e-310 in float32")
    equal(
        attnlib.softmax(small, temperature=1e300), np.float32([1, 1, 1]) / 3, "T = 1e300 in float32"
    )
    equal(attnlib.softmax([1, 5, 2], mask=[True, False, True], temperature=INF),
          [0.5, 0, 0.5], "T = ∞ with a mask")  # fmt: skip
    equal(attnlib.softmax([[1, 2], [2, 2]], temperature=0, axis=0), [[0, 0.5], [1, 0.5]], "axis 0")


@check(10)
def entropy():
    equal(measures.row_entropy([0, 0.5, 0.5]), 1, "one bit")
    zero = float(measures.row_entropy([0.0, 0.0, 1.0]))
    assert str(zero) == "0.0", f"entropy of a certain choice is shown as {zero}"
    over = np.array([1.0000001], np.float32)
    assert str(float(measures.row_entropy(over))) == "0.0", "a rounded weight gives −0"
    same(round(float(measures.row_entropy([0.7, 0.2, 0.1, 0])), 4), 1.1568, 1e-9, "four weights")
    equal(measures.row_entropy(np.zeros((2, 0))), [0, 0], "no keys")


@check(11)
def costs():
    equal(cost.kv_cache_bytes(40, 8, 128, 1024), 167_772_160, "bytes of the cache")
    equal(cost.kv_cache_bytes(32, 8, 128, 8192), 2**30, "1 ГиБ")
    equal(cost.products_madds(4, 16), 512, "both products")
    equal(cost.products_madds(4, 16) * cost.causal_share(4), 320, "both products, causal")
    equal(cost.attention_madds(4, 16), 512 + 4096, "the layer")
    equal(cost.causal_share(128), Fraction(129, 256), "share")
    equal(cost.tile_share(1024, 64), Fraction(17, 32), "share of tiles")
    equal(masks.block_share(masks.causal(1024), 64), Fraction(17, 32), "share of a mask's blocks")
    big = cost.kv_cache_bytes(np.int32(10**6), np.int8(100), 10**6, 10**9)
    equal(big, 4 * 10**23, "no overflow")
    fits = cost.tokens_that_fit(2**30, 32, 8, 128)
    equal(fits, 8192, "tokens that fit")
