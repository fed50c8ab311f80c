"""The table of known faults (1 to 12), run on every path with the slow reference as the judge.

Three lists: CASES (attention problems, run on every path), CHECKS (facts about the other parts)
and REJECTIONS (calls that must fail, with the whole message). Plain functions, no pytest:
`report()` runs the table wherever attnlib runs, the browser included.
"""

import math
import warnings
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

import attnlib
from attnlib import KVCache, MultiHeadAttention, cost, masks, measures
from tests.unit import reference

NAN, INF = math.nan, math.inf
TOLERANCE = {"float64": 1e-12, "float32": 3e-5, "float16": 2e-3}


@dataclass(frozen=True)
class Case:
    """One attention problem; `out` and `weights` are expected values known without any code."""

    fault: int
    name: str
    q: object
    k: object
    v: object
    mask: object = None
    causal: bool = False
    out: object = None
    weights: object = None
    options: dict = field(default_factory=dict)

    @property
    def whole_mask(self):
        """The mask that says everything, `causal` included."""
        if not self.causal:
            return self.mask
        triangle = masks.causal(np.shape(self.q)[-2], np.shape(self.k)[-2])
        return triangle if self.mask is None else triangle & np.asarray(self.mask)


def noise(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def poisoned(array, index, value):
    copy = np.array(array)
    copy[index] = value
    return copy


def frozen(array):
    array.flags.writeable = False
    return array


def by_scores(fault, name, scores, *, out=None, weights=None, **rest):
    """One query whose scores are given: q = [[1]], k = the scores, v = the identity."""
    column = np.asarray(scores, dtype=np.float64)[:, None]
    options = {"scale": 1.0, **rest.pop("options", {})}
    return Case(
        fault, name, [[1.0]], column, np.eye(len(scores)), out=out if out is not None else weights,
        weights=weights, options=options, **rest,
    )  # fmt: skip


EYE = np.eye(3)
ROW_BLOCKED = np.array([[True] * 3, [False] * 3, [True] * 3])
X4, X6, X8 = noise(4, 4, seed=4), noise(6, 4, seed=6), noise(8, 4, seed=8)
PAD_LENGTHS = masks.padding([1, 2, 3], 3)
B3 = noise(3, 2, 3, 4, seed=3)
GQA_Q, GQA_K, GQA_V = (
    noise(2, 6, 5, 3, seed=1),
    noise(2, 2, 7, 3, seed=2),
    noise(2, 2, 7, 2, seed=3),
)

CASES = [
    Case(1, "second row all blocked", EYE, EYE, EYE, mask=ROW_BLOCKED),
    Case(1, "everything blocked", X4, X4, X4, mask=False, out=np.zeros((4, 4))),
    Case(1, "everything blocked by the bias", X4, X4, X4, out=np.zeros((4, 4)),
         options={"bias": -INF}),
    Case(1, "nan and inf in a blocked key and value", [[1.0, 0.0]], [[1.0, 0.0], [NAN, NAN]],
         [[3.0, 4.0], [NAN, INF]], mask=[True, False], out=[[3.0, 4.0]], weights=[[1.0, 0.0]]),
    Case(1, "the same, blocked by the bias", [[1.0, 0.0]], [[1.0, 0.0], [NAN, NAN]],
         [[3.0, 4.0], [NAN, INF]], out=[[3.0, 4.0]], options={"bias": [0.0, -INF]}),
    Case(1, "causal, the last value is nan", X4, X4, poisoned(X4, 3, NAN), causal=True),
    Case(1, "causal, the last key and value are inf", X4, poisoned(X4, 3, INF),
         poisoned(X4, 3, -INF), causal=True),
    Case(1, "a value of nan that one query alone may see", X4, X4, poisoned(X4, (1, 2), NAN),
         mask=np.eye(4, dtype=bool)),
    Case(1, "both infinities meet in an allowed value", X4, X4,
         poisoned(poisoned(X4, (0, 0), INF), (1, 0), -INF), causal=True),
    Case(1, "an allowed key of nan passes through", X4, poisoned(X4, 1, NAN), X4, causal=True),
    *(
        Case(2, f"padding and causal, scores near −20, {dtype}",
             np.full((1, 1, 2, 1), -20, dtype), np.ones((1, 1, 2, 1), dtype),
             np.array([[[[5.0], [7.0]]]], dtype), mask=masks.padding([1], 2, side="left"),
             causal=True, out=[[[[0.0], [7.0]]]])
        for dtype in ("float16", "float32", "float64")
    ),
    Case(2, "a mask combined with itself", X6, X6, X6, mask=masks.causal(6), causal=True),
    Case(3, "two queries, five keys", noise(2, 3), noise(5, 3, seed=1), noise(5, 3, seed=2),
         causal=True),
    Case(3, "five queries, two keys", noise(5, 3), noise(2, 3, seed=1), noise(2, 3, seed=2),
         causal=True),
    Case(3, "six tokens", X6, X6, X6, causal=True),
    Case(4, "window of four", X8, X8, X8, mask=masks.sliding_window(8, 4), causal=True),
    Case(4, "window of one gives V back", X8, X8, X8, mask=masks.sliding_window(8, 1),
         causal=True, out=X8, weights=np.eye(8)),
    Case(4, "window as long as the text", X8, X8, X8, mask=masks.sliding_window(8, 9)),
    Case(4, "two-sided window", X8, X8, X8, mask=masks.sliding_window(8, 3, causal=False)),
    Case(5, "heads are repeated, not tiled", noise(4, 3, 2), noise(2, 3, 2, seed=1),
         np.stack([np.full((3, 1), 10.0), np.full((3, 1), 20.0)]),
         out=np.repeat([10.0, 10.0, 20.0, 20.0], 3).reshape(4, 3, 1)),
    Case(5, "six heads over two, unequal lengths and sizes", GQA_Q, GQA_K, GQA_V, causal=True),
    Case(5, "one head for all", GQA_Q, GQA_K[:, :1], GQA_V[:, :1], causal=True),
    by_scores(7, "the third of three is blocked", [1, 2, 3], mask=[True, True, False],
              weights=[[0.2689414213699951, 0.7310585786300049, 0.0]]),
    Case(8, "batch of three lengths", B3, B3, B3, mask=PAD_LENGTHS),
    Case(8, "left padding and causal", X4, X4, X4, mask=masks.padding([3], 4, side="left")[0, 0],
         causal=True),
    Case(8, "batch of one", B3[:1], B3[:1], B3[:1], mask=PAD_LENGTHS[:1]),
    Case(8, "a sequence of length zero", B3, B3, B3, mask=masks.padding([0, 2, 3], 3)),
    by_scores(9, "large scores", [1000, 1001], weights=[[0.2689414213699951, 0.7310585786300049]]),
    by_scores(9, "tiny temperature", [1, 2, 3], weights=[[0.0, 0.0, 1.0]],
              options={"temperature": 1e-310}),
    by_scores(9, "infinite temperature with a mask", [1, 2, 3], mask=[True, False, True],
              weights=[[0.5, 0.0, 0.5]], options={"temperature": INF}),
    by_scores(9, "infinite temperature and a ban by the bias", [1, 2, 3],
              weights=[[0.5, 0.0, 0.5]], options={"temperature": INF, "bias": [0, -INF, 0]}),
    by_scores(9, "zero temperature, ties share", [3, 1, 3], weights=[[0.5, 0.0, 0.5]],
              options={"temperature": 0}),
    Case(9, "zero temperature, ties of whole numbers share", [[3, 1, 2], [1, 1, 1]],
         [[1, 2, 3], [3, 2, 0], [2, 3, 1], [1, 1, 4]], np.eye(4), options={"temperature": 0},
         out=[[0.0, 0.0, 0.0, 1.0], [1 / 3, 0.0, 1 / 3, 1 / 3]]),
    by_scores(9, "large temperature and far scores", [-3e307, 3e307],
              options={"temperature": 1e307}),
    by_scores(9, "+inf among the allowed", [1, 2, 3, 4], weights=[[0.5, 0.0, 0.5, 0.0]],
              options={"bias": [INF, 0, INF, 0]}),
    by_scores(9, "+inf among the blocked", [1, 1, 3], mask=[True, True, False],
              weights=[[0.5, 0.5, 0.0]], options={"bias": [0, 0, INF]}),
    by_scores(9, "temperature divides the bias too", [0, 0], options={"bias": [0, 2.0],
              "temperature": 2.0}, weights=[[0.2689414213699951, 0.7310585786300049]]),
    by_scores(9, "softcap before the bias", [50, -50, 0], options={"softcap": 2.0,
              "bias": [0.0, 4.0, 2.0]}, weights=[[1 / 3, 1 / 3, 1 / 3]]),
    by_scores(9, "softcap does not lift a ban", [5, 5], mask=[True, False],
              options={"softcap": 1.0}, weights=[[1.0, 0.0]]),
    by_scores(9, "a wide range of scores, rising", [0, 100, 200, 400, 800, 300]),
    by_scores(9, "a wide range of scores, falling", [800, 400, 200, 100, 0, -300]),
    Case(12, "mask of keys (n_k,)", GQA_Q, GQA_K, GQA_V, mask=np.arange(7) % 2 == 0),
    Case(12, "mask of queries (n_q, 1)", GQA_Q, GQA_K, GQA_V, mask=np.arange(5)[:, None] > 1),
    Case(12, "mask per sample and bias per head", GQA_Q, GQA_K, GQA_V,
         mask=masks.padding([3, 7], 7), options={"bias": noise(6, 1, 1, seed=5)}),
    Case(12, "mask per head with a ban by the bias", GQA_Q, GQA_K, GQA_V,
         mask=noise(6, 5, 7, seed=7) > -0.5,
         options={"bias": np.where(noise(5, 7, seed=9) > 1, -INF, 0)}),
    Case(12, "integers", [[1, 2], [3, 4]], [[1, 0], [0, 1]], [[1, 2], [3, 4]], causal=True),
    Case(12, "float16", *noise(3, 2, 5, 4, dtype=np.float16), causal=True),
    Case(12, "float16 larger than its range inside", *np.full((3, 1, 2, 4), 200, np.float16)),
    Case(12, "float32", *noise(3, 2, 5, 4, dtype=np.float32), causal=True),
    Case(12, "strided and read-only", frozen(noise(9, 4)[::2, ::-1]), frozen(noise(4, 7).T),
         frozen(noise(7, 3)[::-1]), causal=True),
    Case(12, "no sequences", np.ones((0, 2, 3, 4)), np.ones((0, 2, 5, 4)), np.ones((0, 2, 5, 1))),
    Case(12, "no queries", np.ones((2, 0, 4)), np.ones((2, 5, 4)), np.ones((2, 5, 1)), causal=True),
    Case(12, "no keys", np.ones((2, 3, 4)), np.ones((2, 0, 4)), np.ones((2, 0, 1)), causal=True,
         out=np.zeros((2, 3, 1))),
    Case(12, "values of size zero", np.ones((3, 4)), np.ones((5, 4)), np.ones((5, 0))),
]  # fmt: skip


def full(case):
    return attnlib.attention(case.q, case.k, case.v, mask=case.whole_mask, **case.options)


def tiled(case, block_q=64, block_k=64):
    return attnlib.flash_attention(
        case.q, case.k, case.v, mask=case.mask, causal=case.causal,
        block_q=block_q, block_k=block_k, **case.options,
    )  # fmt: skip


def small_tiles(case):
    return tiled(case, block_q=2, block_k=3)


def cached(case, chunk=2):
    """Keys arrive through a cache; where the mask is causal, queries arrive with their keys."""
    q, k, v = (np.asarray(a) for a in (case.q, case.k, case.v))
    n_q, n_k = q.shape[-2], k.shape[-2]
    cache = KVCache()
    k_all, v_all = cache.update(k[..., :0, :], v[..., :0, :])
    shape = (*q.shape[:-1], n_k)
    mask = np.broadcast_to(True if case.whole_mask is None else case.whole_mask, shape)
    options = dict(case.options)
    bias = np.broadcast_to(options.pop("bias", 0.0), shape)
    rows = []
    for start in range(0, n_k, chunk):
        stop = min(start + chunk, n_k)
        k_all, v_all = cache.update(k[..., start:stop, :], v[..., start:stop, :])
        if case.causal and n_q == n_k:
            here = (..., slice(start, stop), slice(0, stop))
            piece = q[..., start:stop, :]
            rows.append(
                attnlib.attention(piece, k_all, v_all, mask=mask[here], bias=bias[here], **options)
            )
    if rows:
        return np.concatenate(rows, axis=-2)
    return attnlib.attention(q, k_all, v_all, mask=mask, bias=bias, **options)


def single_step(case):
    return cached(case, chunk=1)


PATHS = {
    "full": full,
    "tiled": tiled,
    "small tiles": small_tiles,
    "cached": cached,
    "single step": single_step,
}


def run_case(case, path):
    """Runs one case on one path; raises AssertionError with the reason."""
    arrays = [np.asarray(a) for a in (case.q, case.k, case.v)]
    before = [a.tobytes() for a in arrays]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = PATHS[path](case)
    where = f"fault {case.fault}, {case.name}, {path}"
    assert [a.tobytes() for a in arrays] == before, f"{where}: an input was changed"
    q_dtype = arrays[0].dtype
    expected_dtype = q_dtype if q_dtype.kind == "f" else np.dtype(np.float64)
    assert got.dtype == expected_dtype, f"{where}: dtype {got.dtype}, expected {expected_dtype}"
    tolerance = TOLERANCE[str(got.dtype)]
    judge, weights = reference.attention(*arrays, mask=case.whole_mask, **case.options)
    assert got.shape == judge.shape, f"{where}: shape {got.shape}, expected {judge.shape}"
    same(got, judge, tolerance, f"{where}: differs from the reference")
    if case.out is not None:
        same(got, case.out, tolerance, f"{where}: differs from the known output")
    if path == "full":
        mine = attnlib.attention(*arrays, mask=case.whole_mask, return_weights=True, **case.options)
        same(mine[1], weights, tolerance, f"{where}: weights differ from the reference")
        assert mine[1].dtype == expected_dtype, f"{where}: weights have dtype {mine[1].dtype}"
        blocked = np.broadcast_to(case.options.get("bias", 0) == np.float64(-INF), weights.shape)
        if case.whole_mask is not None:
            blocked = blocked | ~np.broadcast_to(case.whole_mask, weights.shape)
        assert (mine[1][blocked] == 0).all(), f"{where}: a blocked weight is not exactly 0"
        if case.weights is not None:
            same(mine[1], case.weights, tolerance, f"{where}: weights differ from the known ones")


def same(got, expected, tolerance, message):
    got, expected = np.asarray(got, np.float64), np.asarray(expected, np.float64)
    assert got.shape == expected.shape, f"{message}: shape {got.shape} against {expected.shape}"
    close = np.isclose(got, expected, rtol=tolerance, atol=tolerance, equal_nan=True)
    assert close.all(), f"{message}:\n{got}\nexpected\n{expected}"


CHECKS = []


def check(fault):
    """Adds a fact about one of the other parts of attnlib to the table."""

    def add(function):
        CHECKS.append((fault, function.__name__.replace("_", " "), function))
        return function

    return add


def equal(got, expected, message):
    assert np.array_equal(got, expected), f"{message}: got {got}, expected {expected}"


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


Q, K = np.ones((2, 4, 3)), np.ones((2, 5, 3))
ones = np.ones


def attend(q=Q, k=K, v=K, **options):
    return lambda: (
        attnlib.attention(q, k, v, **options),
        attnlib.flash_attention(q, k, v, **options),
    )


def cache_with(k, v=None):
    cache = KVCache()
    cache.update(ones((2, 3, 4)), ones((2, 3, 4)))
    return lambda: cache.update(k, k if v is None else v)


def layer(**changes):
    weights = {"w_q": ones((8, 8)), "w_k": ones((8, 4)), "w_v": ones((8, 4)), "w_o": ones((8, 8))}
    sizes = {"n_heads": 4, "n_kv_heads": 2}
    return MultiHeadAttention(**(weights | sizes | changes))


NOT_BOOL = (
    "mask: ожидается булева маска (True = разрешено), получено: тип {} "
    "(сделайте её булевой: mask != 0; добавка к оценкам передаётся как bias)"
)
REJECTIONS = [
    (attend(q=ones(3)), ValueError, "q: ожидается не меньше 2 осей, получено: форма (3,)"),
    (attend(q=ones((4, 0)), k=ones((5, 0)), v=ones((5, 1))), ValueError,
     "q: ожидается размер головы d ≥ 1, получено: форма (4, 0)"),
    (attend(q=ones((2, 4, 3), complex)), TypeError,
     "q: ожидается вещественные или целые числа, получено: тип complex128"),
    (attend(k=ones((2, 5, 3), object)), TypeError,
     "k: ожидается вещественные или целые числа, получено: тип object"),
    (attend(v=[[1.0], [1.0, 2.0]]), ValueError,
     "v: ожидается прямоугольный массив, получено: строки разной длины"),
    (attend(k=ones((2, 5, 4))), ValueError,
     "k: ожидается форма (…, h_kv, n_k, d) с теми же «…» и d, что у q (2, 4, 3), "
     "получено: (2, 5, 4)"),
    (attend(k=ones((5, 3))), ValueError,
     "k: ожидается форма (…, h_kv, n_k, d) с теми же «…» и d, что у q (2, 4, 3), получено: (5, 3)"),
    (attend(q=ones((4, 3))), ValueError,
     "k: ожидается форма (n_k, d) с теми же «…» и d, что у q (4, 3), получено: (2, 5, 3)"),
    (attend(v=ones((2, 6, 3))), ValueError,
     "v: ожидается столько же голов и ключей, сколько у k (2, 5, 3), получено: (2, 6, 3)"),
    (attend(q=ones((6, 1, 3)), k=ones((4, 1, 3)), v=ones((4, 1, 3))), ValueError,
     "k: ожидается число голов h_kv, на которое делится h = 6 у q, получено: 4"),
    (attend(q=ones((6, 1, 3)), k=ones((0, 1, 3)), v=ones((0, 1, 3))), ValueError,
     "k: ожидается число голов h_kv, на которое делится h = 6 у q, получено: 0"),
    (attend(mask=ones((4, 5), np.int64)), TypeError, NOT_BOOL.format("int64")),
    (attend(mask=ones((4, 5), np.float32)), TypeError, NOT_BOOL.format("float32")),
    (attend(mask=ones((3, 5), bool)), ValueError,
     "mask: ожидается форма, растяжимая до (2, 4, 5), получено: (3, 5)"),
    (attend(mask=ones((1, 2, 4, 5), bool)), ValueError,
     "mask: ожидается форма, растяжимая до (2, 4, 5), получено: (1, 2, 4, 5)"),
    (attend(bias=ones((3, 5))), ValueError,
     "bias: ожидается форма, растяжимая до (2, 4, 5), получено: (3, 5)"),
    (attend(bias=ones((4, 5), bool)), TypeError,
     "bias: ожидается числа, добавляемые к оценкам, получено: булев массив (передайте как mask)"),
    (attend(temperature=-1), ValueError, "temperature: ожидается число ≥ 0, получено: -1.0"),
    (attend(temperature=NAN), ValueError, "temperature: ожидается число, получено: nan"),
    (attend(temperature="1"), TypeError,
     "temperature: ожидается вещественное число, получено: str"),
    (attend(temperature=[1.0]), TypeError,
     "temperature: ожидается одно число, получено: массив формы (1,)"),
    (attend(softcap=0), ValueError, "softcap: ожидается число > 0, получено: 0.0"),
    (attend(softcap=-1.5), ValueError, "softcap: ожидается число > 0, получено: -1.5"),
    (attend(scale=INF), ValueError, "scale: ожидается конечное число, получено: inf"),
    (lambda: attnlib.flash_attention(Q, K, K, block_q=0), ValueError,
     "block_q: ожидается целое число ≥ 1, получено: 0"),
    (lambda: attnlib.flash_attention(Q, K, K, block_k=2.0), TypeError,
     "block_k: ожидается целое число, получено: float"),
    (lambda: attnlib.flash_attention(Q, K, K, causal=1), TypeError,
     "causal: ожидается True или False, получено: int"),
    (lambda: attnlib.softmax([1.0], axis=1), ValueError,
     "axis: ожидается номер одной из осей формы (1,), получено: 1"),
    (lambda: attnlib.softmax([1.0], axis=0.0), TypeError,
     "axis: ожидается целое число, получено: float"),
    (lambda: attnlib.softmax(["a"]), TypeError,
     "scores: ожидается вещественные или целые числа, получено: тип <U1"),
    (lambda: masks.causal(-1), ValueError, "n_q: ожидается целое число ≥ 0, получено: -1"),
    (lambda: masks.causal(2, -1), ValueError, "n_k: ожидается целое число ≥ 0, получено: -1"),
    (lambda: masks.causal(2.0), TypeError, "n_q: ожидается целое число, получено: float"),
    (lambda: masks.causal(True), TypeError, "n_q: ожидается целое число, получено: bool"),
    (lambda: masks.causal(np.array([1, 2])), TypeError,
     "n_q: ожидается целое число, получено: массив формы (2,)"),
    (lambda: masks.padding([3], 2), ValueError,
     "lengths: ожидается длины от 0 до n = 2, получено: [3]"),
    (lambda: masks.padding([-1], 2), ValueError,
     "lengths: ожидается длины от 0 до n = 2, получено: [-1]"),
    (lambda: masks.padding(1, 2), ValueError,
     "lengths: ожидается одномерный список целых чисел, получено: форма ()"),
    (lambda: masks.padding([1.0], 2), TypeError,
     "lengths: ожидается целые числа, получено: тип float64"),
    (lambda: masks.padding([1], 2, side="top"), ValueError,
     "side: ожидается «left» или «right», получено: 'top'"),
    (lambda: masks.sliding_window(4, 0), ValueError, "w: ожидается целое число ≥ 1, получено: 0"),
    (lambda: masks.block_sparse(5, 2, ones((2, 2), bool)), ValueError,
     "n: ожидается число, кратное block = 2, получено: 5"),
    (lambda: masks.block_sparse(4, 2, ones((2, 3), bool)), ValueError,
     "pattern: ожидается форма (2, 2), получено: (2, 3)"),
    (lambda: masks.block_sparse(4, 2, ones((2, 2))), TypeError,
     NOT_BOOL.format("float64").replace("mask:", "pattern:").replace("mask !=", "pattern !=")),
    (lambda: masks.global_tokens(4, [4]), ValueError,
     "indices: ожидается номера от 0 до n − 1 = 3, получено: [4]"),
    (lambda: masks.global_tokens(4, [-1]), ValueError,
     "indices: ожидается номера от 0 до n − 1 = 3, получено: [-1]"),
    (lambda: masks.visible_keys(True), ValueError,
     "mask: ожидается не меньше одной оси, получено: форма ()"),
    (lambda: attnlib.tile_map(ones(3, bool), 1, 1), ValueError,
     "mask: ожидается форма (n_q, n_k), получено: (3,)"),
    (lambda: attnlib.split_heads(ones((1, 2, 6)), 4), ValueError,
     "h: ожидается делитель ширины D = 6, получено: 4"),
    (lambda: attnlib.split_heads(ones((2, 6)), 3), ValueError,
     "x: ожидается форма (b, n, D), получено: (2, 6)"),
    (lambda: attnlib.merge_heads(ones((2, 6))), ValueError,
     "x: ожидается форма (b, h, n, d), получено: (2, 6)"),
    (lambda: layer(n_heads=6, n_kv_heads=4), ValueError,
     "n_kv_heads: ожидается делитель числа голов n_heads = 6, получено: 4"),
    (lambda: layer(n_heads=3, n_kv_heads=1), ValueError,
     "w_q: ожидается число столбцов, кратное n_heads = 3, получено: форма (8, 8)"),
    (lambda: layer(w_k=ones((8, 8))), ValueError, "w_k: ожидается форма (8, 4), получено: (8, 8)"),
    (lambda: layer(w_q=ones(8)), ValueError, "w_q: ожидается форма (D, h·d), получено: (8,)"),
    (lambda: layer(w_o=ones((4, 8))), ValueError, "w_o: ожидается форма (8, 8), получено: (4, 8)"),
    (lambda: MultiHeadAttention.random(10, 4), ValueError,
     "D: ожидается ширина, кратная n_heads = 4, получено: 10"),
    (lambda: layer()(ones((2, 8))), ValueError,
     "x: ожидается форма (b, n, D = 8), получено: (2, 8)"),
    (lambda: layer()(ones((1, 2, 8)), mask=ones((2, 3), bool)), ValueError,
     "mask: ожидается форма, растяжимая до (1, 4, 2, 2), получено: (2, 3)"),
    (lambda: KVCache(window=0), ValueError, "window: ожидается целое число ≥ 1, получено: 0"),
    (cache_with(ones((2, 3, 5))), ValueError,
     "k: ожидается та же форма, что у прошлых порций (2, 3, 4), кроме числа токенов, "
     "получено: (2, 3, 5)"),
    (cache_with(ones((2, 1, 4)), ones((2, 2, 4))), ValueError,
     "v: ожидается столько же голов и токенов, сколько у k (2, 1, 4), получено: (2, 2, 4)"),
    (cache_with(ones((2, 3, 4), np.float32)), TypeError,
     "k: ожидается тип float64, как у прошлых порций, получено: float32"),
    (lambda: cost.causal_share(0), ValueError, "n: ожидается целое число ≥ 1, получено: 0"),
    (lambda: cost.tile_share(10, 4), ValueError,
     "n: ожидается число, кратное block = 4, получено: 10"),
    (lambda: cost.attention_madds(4.0, 8), TypeError,
     "n: ожидается целое число, получено: float"),
    (lambda: cost.tokens_that_fit(100, 0, 1, 1), ValueError,
     "layers: ожидается целое число ≥ 1, получено: 0"),
    (lambda: measures.cosine_noise(0), ValueError, "d: ожидается целое число ≥ 1, получено: 0"),
    (lambda: measures.row_entropy([-0.5, 1.5]), ValueError,
     "weights: ожидается неотрицательные веса, получено: наименьший -0.5"),
]  # fmt: skip


def run_rejection(call, error, message):
    """The call must raise exactly this error with exactly this one-line message."""
    try:
        call()
    except (TypeError, ValueError) as caught:
        assert type(caught) is error, f"{message}: raised {type(caught).__name__}"
        assert str(caught) == message, f"message is {caught}, expected {message}"
    else:
        raise AssertionError(f"nothing was raised, expected: {message}")


def rows():
    """Every row of the table as (name, function without arguments)."""
    for case in CASES:
        for path in PATHS:
            yield f"{case.fault}. {case.name} [{path}]", lambda c=case, p=path: run_case(c, p)
    for fault, name, function in CHECKS:
        yield f"{fault}. {name}", function
    for call, error, message in REJECTIONS:
        yield f"12. {message}", lambda c=call, e=error, m=message: run_rejection(c, e, m)


def report():
    """Runs the whole table: {"numpy": version, "passed": count, "failed": {name: reason}}."""
    passed, failed = 0, {}
    for name, run in rows():
        try:
            run()
            passed += 1
        except Exception as reason:
            failed[name] = f"{type(reason).__name__}: {reason}"
    return {"numpy": np.__version__, "passed": passed, "failed": failed}
