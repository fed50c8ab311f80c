"""The tiled kernel: what it skips, what it reports, what it allocates."""

import itertools
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

from attnlib import (
    KVCache,
    MultiHeadAttention,
    attention,
    cost,
    flash,
    flash_attention,
    kernel,
    masks,
    tile_map,
)
from attnlib.tiles import FULL, PARTIAL, SKIPPED, Allowed, Plan, total_stats
from tests.unit.cases import noise, same


def block_sparse_problem():
    mask = masks.block_sparse(
        12, 3, np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0] * 4, [1, 0, 0, 1]], bool)
    )
    q, k, v = noise(12, 4), noise(12, 4, seed=1), noise(12, 4, seed=2)
    return mask, q, k, v


def test_skipped_tiles_are_not_read(monkeypatch):
    mask, q, k, v = block_sparse_problem()
    expected = attention(q, k, v, mask=mask)
    k[6:9] = v[6:9] = np.nan
    monkeypatch.setattr(kernel.Kernel, "careful", None)
    got = flash_attention(q, k, v, mask=mask, block_q=3, block_k=3)
    same(got, expected, 1e-12, "the fast path met the nan of a forbidden tile")


def test_skipped_tiles_are_not_read_by_the_careful_path():
    mask, q, k, v = block_sparse_problem()
    k[6:9] = v[6:9] = np.nan
    for temperature in (0.0, np.inf):
        got = flash_attention(q, k, v, mask=mask, block_q=3, block_k=3, temperature=temperature)
        expected = attention(q, k, v, mask=mask, temperature=temperature)
        same(got, expected, 1e-12, f"T = {temperature}")


def test_skipped_tiles_hidden_by_the_bias():
    q, k, v = noise(9, 4), noise(9, 4, seed=1), noise(9, 4, seed=2)
    bias = np.where(masks.causal(9), 0, -np.inf)
    k[6:] = v[6:] = np.nan
    got, stats = flash_attention(q, k, v, bias=bias, block_q=3, block_k=3, return_stats=True)
    same(got[:6], attention(q, k, v, mask=masks.causal(9))[:6], 1e-12, "rows before the nan")
    assert (stats.skipped, stats.partial, stats.full) == (3, 3, 3), f"tiles: {stats}"


@pytest.mark.parametrize("n, block", [(64, 8), (96, 32), (64, 64)])
def test_causal_counts_are_the_formula(n, block):
    x = noise(2, 3, n, 4)
    _, stats = flash_attention(
        x, x, x, causal=True, block_q=block, block_k=block, return_stats=True
    )
    edge = n // block
    assert stats.skipped == 6 * edge * (edge - 1) // 2, "skipped tiles"
    assert stats.partial == 6 * edge, "partial tiles"
    assert stats.full == 6 * edge * (edge - 1) // 2, "full tiles"
    assert stats.share == cost.causal_share(n), "share"
    assert stats.tile_share == cost.tile_share(n, block), "share of tiles"


def test_ragged_tiles_are_clipped():
    mask = masks.causal(5, 7)
    x, y = noise(5, 4), noise(7, 4)
    for kwargs in ({"causal": True}, {"mask": mask}, {"mask": mask, "causal": True}):
        _, stats = flash_attention(x, y, y, block_q=2, block_k=3, return_stats=True, **kwargs)
        states = tile_map(mask, 2, 3)
        counts = stats.skipped, stats.partial, stats.full
        assert counts == tuple((states == s).sum() for s in (SKIPPED, PARTIAL, FULL)), kwargs
        assert stats.share == masks.share(mask), "share"
        computed = sum(
            mask[2 * i : 2 * i + 2, 3 * j : 3 * j + 3].size
            for i, j in np.argwhere(states != SKIPPED)
        )
        assert stats.tile_share == Fraction(computed, 35), "elements of clipped tiles"


def test_skipping_is_per_plane():
    x = noise(2, 3, 8, 4)
    mask = masks.padding([2, 8], 8)
    _, stats = flash_attention(x, x, x, mask=mask, block_q=4, block_k=4, return_stats=True)
    assert (stats.skipped, stats.partial, stats.full) == (6, 6, 12), f"per sample: {stats}"
    assert stats.share == masks.share(mask), "share"
    heads = np.zeros((3, 1, 1), bool)
    heads[1] = True
    _, stats = flash_attention(x, x, x, mask=heads, block_q=4, block_k=4, return_stats=True)
    assert (stats.skipped, stats.partial, stats.full) == (16, 0, 8), f"per head: {stats}"


def test_tall_tiles_are_counted_without_overflow():
    mask = np.ones((1000, 3), bool)
    mask[0, 0] = False
    assert tile_map(mask, 1000, 2).tolist() == [[PARTIAL, FULL]], "1000 rows in one tile"


def test_stats_of_nothing():
    for n_q, n_k in ((0, 3), (3, 0), (0, 0)):
        for kwargs in ({}, {"causal": True}, {"mask": np.ones((n_q, n_k), bool)}):
            _, stats = flash_attention(
                np.ones((n_q, 2)), np.ones((n_k, 2)), np.ones((n_k, 2)), return_stats=True, **kwargs
            )
            counts = stats.skipped, stats.partial, stats.full
            assert (*counts, stats.share, stats.tile_share) == (0,) * 5, f"{n_q} × {n_k}: {stats}"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_scores_far_above_the_first_tile_are_recomputed(dtype):
    q = np.ones((40, 1), dtype)
    k = np.linspace(2000, 0, 40, dtype=dtype)[:, None]
    v = noise(40, 3).astype(dtype)
    got = flash_attention(q, k, v, block_q=8, block_k=8, scale=1.0)
    same(got, attention(q, k, v, scale=1.0), 1e-6, "falling scores")
    low = -np.abs(k) - 500
    mask = np.ones((40, 40), bool)
    mask[::2, 32:] = False  # no reference score from the first tile
    got = flash_attention(q, low, v, mask=mask, block_q=8, block_k=8, scale=1.0)
    same(got, attention(q, low, v, mask=mask, scale=1.0), 1e-6, "scores far below zero")


@pytest.mark.parametrize(
    "options", [{"softcap": 3.0}, {"temperature": 0.3}, {"softcap": 3.0, "temperature": 2.0}]
)
def test_options_over_many_chunks(options):
    q, k, v = noise(3, 2, 50, 4)
    bias = noise(2, 50, 50, seed=5)
    got = flash_attention(q, k, v, bias=bias, causal=True, block_q=7, block_k=2, **options)
    expected = attention(q, k, v, bias=bias, mask=masks.causal(50), **options)
    same(got, expected, 1e-12, f"{options}")


def test_values_near_the_largest_number():
    q, k = np.zeros((70, 1), np.float32), np.zeros((70, 1), np.float32)
    v = np.full((70, 1), 3e38, np.float32)
    same(flash_attention(q, k, v), v, 1e-6, "the sum overflowed, the mean does not")


@pytest.mark.parametrize("causal", [False, True])
def test_memory_does_not_grow_with_the_square(causal):
    q, k, v = noise(3, 1, 2, 2048, 16, dtype=np.float32)
    flash_attention(q[..., :128, :], k[..., :128, :], v[..., :128, :], causal=causal)
    tracemalloc.start()
    flash_attention(q, k, v, causal=causal)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    scores = 2 * 2048 * 2048 * 4
    assert peak < scores / 4, f"peak {peak / 2**20:.1f} MiB, all scores {scores / 2**20:.0f} MiB"


def test_threads_follow_the_machine(monkeypatch):
    assert flash._threads() in (1, 2), "one thread, or two"
    monkeypatch.setattr(flash.sys, "platform", "emscripten")
    assert flash._threads() == 1, "there are no threads in the browser"
    monkeypatch.undo()
    monkeypatch.delattr(flash.os, "sched_getaffinity", raising=False)
    for cores, expected in ((None, 1), (1, 1), (8, 2)):
        monkeypatch.setattr(flash.os, "cpu_count", lambda cores=cores: cores)
        assert flash._threads() == expected, f"{cores} cores"


@pytest.mark.parametrize("n", [1, 4, 9])
@pytest.mark.parametrize("n_k", [1, 4, 9])
@pytest.mark.parametrize("causal", [True, False])
def test_the_plan_by_formula_is_the_plan_of_the_mask(n, n_k, causal):
    for window, block_q, block_k in itertools.product(
        (1, 2, 5, 99, None), (1, 2, 4, 99), (1, 3, 99)
    ):
        if window is not None:
            mask = masks.sliding_window(n, window, causal=causal, n_k=n_k)
        else:
            mask = masks.causal(n, n_k) if causal else np.ones((n, n_k), bool)
        formula = Plan.of(Allowed(n, n_k, causal=causal, window=window), block_q, block_k)
        drawn = Plan.of(Allowed(n, n_k, mask=mask), block_q, block_k)
        where = f"n = {n}, n_k = {n_k}, w = {window}, tiles {block_q} × {block_k}"
        assert formula.kept is None and drawn.kept is not None, where
        states = [formula.states(i).tolist() for i in range(len(formula.rows))]
        assert states == drawn.kept.tolist(), where
        assert np.array_equal(formula.needed, drawn.needed), where
        assert total_stats([formula]) == total_stats([drawn]), where
        assert formula.allowed_pairs == mask.sum() and drawn.allowed_pairs == mask.sum(), where


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("window", [1, 3, 40, 2**40])
def test_a_window_by_formula_equals_the_drawn_one(window, causal):
    q, k, v = noise(2, 40, 5), noise(2, 47, 5, seed=1), noise(2, 47, 3, seed=2)
    drawn = masks.sliding_window(40, window, causal=causal, n_k=47)
    for mask in (None, noise(2, 40, 47, seed=3) > -1):
        for kwargs in ({"block_q": 7, "block_k": 5}, {"block_q": 99, "block_k": 99}, {}):
            got, stats = flash_attention(
                q, k, v, mask=mask, causal=causal, window=window, return_stats=True, **kwargs
            )
            whole = drawn if mask is None else drawn & mask
            expected, other = flash_attention(q, k, v, mask=whole, return_stats=True, **kwargs)
            assert stats.share == masks.share(whole), "share"
            assert stats == other, f"w = {window}: {stats} against {other}"
            same(got, attention(q, k, v, mask=whole), 1e-12, f"w = {window}")
            same(got, expected, 1e-12, f"w = {window}, drawn")


def peak_mib(run):
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


def test_one_big_tile_costs_no_more_than_the_full_matrix():
    x = np.eye(8)
    assert peak_mib(lambda: flash_attention(x, x, x, block_q=50_000, block_k=50_000)) < 0.1
    q, k, v = noise(3, 4, 1024, 8)
    whole = peak_mib(lambda: attention(q, k, v))
    for block in (10**9, 300):
        for causal in (False, True):
            peak = peak_mib(
                lambda b=block, c=causal: flash_attention(q, k, v, causal=c, block_q=b, block_k=b)
            )
            assert peak <= whole, f"tiles of {block}: {peak:.1f} MiB, the full matrix {whole:.1f}"


def test_the_plan_of_a_long_text_is_small():
    n = 131_072
    for pattern in ({"causal": True}, {"causal": True, "window": 4096}, {"window": 4096}, {}):
        plans = []
        peak = peak_mib(
            lambda pattern=pattern, plans=plans: plans.append(
                Plan.of(Allowed(n, n, **pattern), 112, 64)
            )
        )
        assert peak < 1, f"the plan with {pattern} took {peak:.1f} MiB"
        assert len(plans[0].rows) == 1171 and len(plans[0].columns) == 2048, "not that plan"
    keys = np.ones((1, n // 8), bool)
    peak = peak_mib(lambda: Plan.of(Allowed(n // 8, n // 8, mask=keys), 112, 64))
    assert peak < 1, f"the plan of a mask took {peak:.1f} MiB, a byte for a tile is 0.04"


def test_a_drawn_window_takes_a_byte_for_a_pair():
    masks.sliding_window(2, 1)
    peak = peak_mib(lambda: masks.sliding_window(2048, 128))
    assert peak < 2.5 * 4, f"a mask of 4 MiB took {peak:.1f} MiB to draw"


def test_a_step_does_not_copy_the_cache():
    layer, cache = MultiHeadAttention.random(64, 8, seed=0), KVCache()
    layer(noise(1, 2047, 64), cache=cache)
    peak = peak_mib(lambda: layer(noise(1, 1, 64), cache=cache))
    assert peak < cache.nbytes / 2**20 / 4, f"one step of {peak:.2f} MiB beside {cache.nbytes}"


def test_a_cached_layer_reads_a_long_text_without_its_square():
    layer, x = MultiHeadAttention.random(16, 8, seed=0), noise(1, 2048, 16)
    layer(x[:, :64], cache=KVCache(window=64))
    scores = 8 * 2048 * 2048 * 8 / 2**20
    for window in (64, None):
        peak = peak_mib(lambda window=window: layer(x, cache=KVCache(window)))
        assert peak < scores / 8, f"w = {window}: {peak:.0f} MiB, all scores are {scores:.0f}"
