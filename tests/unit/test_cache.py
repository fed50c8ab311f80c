"""The cache: what it returns, what it keeps and what it costs."""

import numpy as np
import pytest

from attnlib import KVCache, MultiHeadAttention
from tests.unit.cases import noise


@pytest.mark.parametrize("window", [None, 1, 2, 5, 100])
def test_update_returns_the_last_keys(window):
    k, v = noise(2, 3, 40, 4), noise(2, 3, 40, 5, seed=1)
    cache, start = KVCache(window), 0
    for size in (1, 0, 7, 1, 1, 13, 2, 15):
        stop = start + size
        got_k, got_v = cache.update(k[..., start:stop, :], v[..., start:stop, :])
        held = stop if window is None else min(stop, window - 1 + size)
        assert np.array_equal(got_k, k[..., stop - held : stop, :]), f"keys after {stop}"
        assert np.array_equal(got_v, v[..., stop - held : stop, :]), f"values after {stop}"
        assert (len(cache), cache.held) == (stop, held), f"sizes after {stop}"
        assert cache.nbytes == 6 * held * (4 + 5) * 8, f"bytes after {stop}"
        start = stop


def test_growth_is_amortised():
    cache, buffers = KVCache(), set()
    for _ in range(1000):
        k, _ = cache.update(np.ones((1, 1)), np.ones((1, 1)))
        buffers.add(k.base.__array_interface__["data"][0])
    assert len(buffers) <= 12, f"1000 tokens took {len(buffers)} buffers"


def test_a_window_does_not_grow():
    cache = KVCache(window=16)
    for _ in range(1000):
        k, _ = cache.update(np.ones((1, 1)), np.ones((1, 1)))
    assert len(k.base) <= 64, f"the buffer of a window of 16 has {len(k.base)} rows"


@pytest.mark.parametrize("window", [None, 3])
def test_views_stay_true_and_read_only(window):
    cache, k = KVCache(window), noise(30, 2)
    views = [cache.update(k[i : i + 1], k[i : i + 1])[0] for i in range(30)]
    for i, view in enumerate(views):
        first = 0 if window is None else max(0, i + 1 - window)
        assert np.array_equal(view, k[first : i + 1]), f"the view of step {i} has changed"
        assert not view.flags.writeable, "the cache can be changed from outside"


def test_the_input_is_copied():
    k = np.ones((2, 3))
    cache = KVCache()
    cache.update(k, k)
    k[:] = 7
    got, _ = cache.update(k[:0], k[:0])
    assert (got == 1).all(), "the cache shares memory with the caller"


def test_a_refused_chunk_changes_nothing():
    cache = KVCache()
    cache.update(np.ones((2, 3)), np.ones((2, 3)))
    mha = MultiHeadAttention.random(4, 2, seed=0)
    for wrong in (np.ones((2, 4)), np.ones((1, 2, 3)), np.ones((2, 3), np.float16)):
        with pytest.raises((TypeError, ValueError)):
            cache.update(wrong, wrong)
    with pytest.raises(ValueError, match="mask"):
        mha(np.ones((1, 1, 4)), mask=np.ones((1, 9), bool), cache=cache)
    assert (len(cache), cache.held) == (2, 2), "a refused chunk was counted"


def test_an_empty_cache():
    cache = KVCache()
    assert (len(cache), cache.held, cache.nbytes) == (0, 0, 0), "an empty cache is not empty"
