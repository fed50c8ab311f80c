"""Different ways to the same numbers."""

from fractions import Fraction

import numpy as np
import pytest

from attnlib import (
    KVCache,
    MultiHeadAttention,
    attention,
    flash_attention,
    masks,
    merge_heads,
    softmax,
    split_heads,
    tile_map,
    tiled_attention,
)
from tests.unit import reference
from tests.unit.cases import noise, same


@pytest.mark.parametrize("n", [1, 7, 100, 129])
@pytest.mark.parametrize("block_q, block_k", [(1, 1), (7, 3), (64, 64), (128, 32), (500, 500)])
def test_tiled_equals_full_for_any_tile(n, block_q, block_k):
    q, k, v = noise(2, n, 5), noise(1, n + 3, 5, seed=1), noise(1, n + 3, 4, seed=2)
    for mask, causal in (
        (None, False),
        (None, True),
        (masks.sliding_window(n, 9, n_k=n + 3), False),
    ):
        whole = masks.causal(n, n + 3) if causal else mask
        got = flash_attention(q, k, v, mask=mask, causal=causal, block_q=block_q, block_k=block_k)
        same(got, attention(q, k, v, mask=whole), 1e-12, f"n = {n}, causal = {causal}")


@pytest.mark.parametrize("n_q, n_k", [(9, 9), (4, 9), (9, 4)])
def test_tiled_equals_full_in_both_directions(n_q, n_k):
    q, k, v = noise(n_q, 5), noise(n_k, 5, seed=1), noise(n_k, 5, seed=2)
    for mask in (masks.causal(n_q, n_k), masks.causal(n_q, n_k)[::-1, ::-1]):
        got = flash_attention(q, k, v, mask=mask, block_q=2, block_k=2)
        same(got, attention(q, k, v, mask=mask), 1e-12, "past or future")


@pytest.mark.parametrize("block_q, block_k", [(1, 1), (3, 2), (64, 64)])
def test_readable_kernel_equals_full(block_q, block_k):
    q, k, v = noise(9, 4), noise(11, 4, seed=1), noise(11, 3, seed=2)
    v[10] = np.nan
    for mask in (masks.causal(9, 11), noise(9, 11, seed=3) > 0.5, np.zeros((9, 11), bool)):
        out, skipped = tiled_attention(q, k, v, mask, block_q=block_q, block_k=block_k)
        same(out, attention(q, k, v, mask=mask), 1e-12, "readable kernel")
        states = tile_map(mask, block_q, block_k)
        assert skipped == (states == 0).sum(), "the kernels skip different tiles"


def test_full_mask_is_no_mask():
    q, k, v = noise(3, 2, 5, 4)
    everything = np.ones((2, 5, 5), dtype=bool)
    same(attention(q, k, v, mask=everything), attention(q, k, v), 0, "everything allowed")
    assert np.array_equal(masks.sliding_window(6, 6), masks.causal(6)), "w = n is not causal"
    assert np.array_equal(masks.sliding_window(6, 99), masks.causal(6)), "w > n is not causal"


def test_masks_are_their_definitions():
    for n_q, n_k in ((4, 4), (2, 5), (5, 2), (0, 3), (3, 0)):
        rows, columns = np.ogrid[:n_q, :n_k]
        position = rows + n_k - n_q
        assert np.array_equal(masks.causal(n_q, n_k), columns <= position), f"causal {n_q} {n_k}"
        for w in (1, 2, 9):
            past = (columns <= position) & (position - columns < w)
            both = abs(position - columns) < w
            assert np.array_equal(masks.sliding_window(n_q, w, n_k=n_k), past), f"window {w}"
            two_sided = masks.sliding_window(n_q, w, causal=False, n_k=n_k)
            assert np.array_equal(two_sided, both), f"two-sided window {w}"
    glob = masks.global_tokens(5, [1, 3, 3])
    expected = [[i in (1, 3) or j in (1, 3) for j in range(5)] for i in range(5)]
    assert np.array_equal(glob, expected), "global tokens"
    assert not masks.global_tokens(3, []).any(), "no global tokens allow something"
    assert masks.padding([], 3).shape == (0, 1, 1, 3), "no lengths"
    pattern = noise(3, 3) > 0
    sparse = masks.block_sparse(6, 2, pattern)
    assert np.array_equal(sparse[::2, ::2], pattern), "block-sparse corners"
    assert masks.share(sparse) == masks.share(pattern), "block-sparse share"


def test_block_share_counts_clipped_tiles():
    mask = masks.causal(5)
    assert masks.block_share(mask, 2) == 1 - Fraction(2 * 3 + 2 * 1, 25), "5 by 5 in twos"
    assert masks.block_share(np.zeros((0, 0), bool), 2) == 0, "empty mask"
    assert masks.block_share([True, False, False], 2) == Fraction(2, 3), "one row"
    assert masks.block_share(np.stack([mask, ~mask]), 5) == 1, "two planes"


def test_attention_is_softmax_then_product():
    q, k, v = noise(3, 2, 5, 4)
    out, weights = attention(q, k, v, return_weights=True)
    scores = q @ k.swapaxes(-1, -2) / 2
    same(weights, softmax(scores), 1e-12, "weights")
    same(out, weights @ v, 1e-12, "output")
    same(softmax(scores.swapaxes(-1, -2), axis=-2).swapaxes(-1, -2), weights, 1e-12, "axis −2")


def test_layer_is_its_parts():
    mha = MultiHeadAttention.random(12, 6, 3, seed=1)
    x = noise(2, 5, 12)
    q, k, v = (split_heads(x @ w, h) for w, h in ((mha.w_q, 6), (mha.w_k, 3), (mha.w_v, 3)))
    mask = masks.padding([2, 5], 5)
    judge, _ = reference.attention(q, k, v, mask=mask)
    same(mha(x, mask=mask), merge_heads(judge) @ mha.w_o, 1e-12, "layer")


@pytest.mark.parametrize("window", [None, 1, 3, 20])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_cached_layer_equals_one_pass(window, dtype):
    mha = MultiHeadAttention.random(8, 4, 2, seed=1)
    x = noise(3, 10, 8).astype(dtype)
    pad = masks.padding([7, 10, 3], 10, side="left")
    base = masks.causal(10) if window is None else masks.sliding_window(10, window)
    whole = mha(x, mask=base & pad)
    for chunks in ([10], [3, 0, 4, 1, 2], [1] * 10):
        cache, parts, start = KVCache(window), [], 0
        for size in chunks:
            stop = start + size
            mask = (
                pad[..., :stop] if size != 1 else pad[..., :stop] & np.ones((3, 4, 1, stop), bool)
            )
            parts.append(mha(x[:, start:stop], mask=mask, cache=cache))
            start = stop
        got = np.concatenate(parts, axis=1)
        assert got.dtype == dtype, "the layer changed the dtype"
        tolerance = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-12}[dtype]
        same(got, whole, tolerance, f"chunks {chunks}, window {window}")
