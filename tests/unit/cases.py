"""Attention problems of the table of known faults, run on every path, the slow reference as judge.

Plain functions, no pytest: the table runs wherever attnlib runs, the browser included.
"""

import math
import warnings
from dataclasses import dataclass, field

import numpy as np

import attnlib
from attnlib import KVCache, masks
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
    by_scores(9, "+inf from the keys, in two tiles", [1, INF, 3, 4, INF],
              weights=[[0.0, 0.5, 0.0, 0.0, 0.5]]),
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
    Case(12, "float16, one head", *noise(3, 5, 4, dtype=np.float16), causal=True),
    Case(12, "float16 larger than its range inside", *np.full((3, 1, 2, 4), 200, np.float16)),
    Case(12, "float32", *noise(3, 2, 5, 4, dtype=np.float32), causal=True),
    Case(12, "strided and read-only", frozen(noise(9, 4)[::2, ::-1]), frozen(noise(4, 7).T),
         frozen(noise(7, 3)[::-1]), causal=True),
    Case(12, "no sequences", np.ones((0, 2, 3, 4)), np.ones((0, 2, 5, 4)), np.ones((0, 2, 5, 1))),
    Case(12, "no heads", np.ones((0, 3, 4)), np.ones((2, 5, 4)), np.ones((2, 5, 1))),
    Case(12, "no queries", np.ones((2, 0, 4)), np.ones((2, 5, 4)), np.ones((2, 5, 1)), causal=True),
    Case(12, "no keys", np.ones((2, 3, 4)), np.ones((2, 0, 4)), np.ones((2, 0, 1)), causal=True,
         out=np.zeros((2, 3, 1))),
    Case(12, "values of size zero", np.ones((3, 4)), np.ones((5, 4)), np.ones((5, 0))),
    Case(12, "float32, one head", *noise(3, 5, 4, dtype=np.float32), mask=np.arange(5) != 2),
    Case(14, "products that overflow before they are scaled", np.full((1, 4), 1e19, np.float32),
         np.float32([[1e19] * 4, [0.99e19] * 4]), np.float32([[1], [0]]), out=[[1.0]]),
    Case(14, "the same among seven keys, causal", np.full((7, 4), 1e19, np.float32),
         np.float32(1e19) * np.repeat(np.float32([[0.5, 1, 0.9, 0.8, -1, 0.7, 0.1]]).T, 4, axis=1),
         np.eye(7, dtype=np.float32), causal=True, out=np.eye(7)[[0, 1, 1, 1, 1, 1, 1]]),
    Case(14, "the same in float64", np.full((1, 4), 1e160), np.float64([[1e160] * 4, [9e159] * 4]),
         [[1.0], [0.0]], out=[[1.0]], options={"scale": 1e-20}),
    Case(14, "large queries, small keys, usual scores",
         noise(3, 4, dtype=np.float32) * np.float32(1e30), np.float32(1e10) * noise(5, 4, seed=1,
         dtype=np.float32), noise(5, 2, seed=2, dtype=np.float32), options={"scale": 1e-40}),
    Case(14, "the smallest queries, the largest keys",
         noise(3, 4, dtype=np.float32) * np.float32(1e-42), np.float32(1e37) * noise(5, 4, seed=1,
         dtype=np.float32), noise(5, 2, seed=2, dtype=np.float32), options={"scale": 1e5}),
    Case(14, "values of the largest number", noise(5, 3, dtype=np.float32),
         noise(40, 3, seed=1, dtype=np.float32), np.full((40, 2), np.finfo(np.float32).max),
         out=np.full((5, 2), np.finfo(np.float32).max)),
    Case(14, "a score and a bias that overflow together",
         *np.float32([[[1e19]], [[-3e19]], [[1]]]), options={"bias": np.float32(-3e38)}),
    Case(14, "a temperature that float32 cannot hold", *np.float32([[[1e19]], [[1e19]], [[1]]]),
         options={"bias": np.float32(1), "temperature": 1e39}),
    Case(14, "a softcap that float32 cannot hold", np.float32([[1e19]]),
         np.float32([[2e19], [1e19]]), np.float32([[1], [0]]),
         options={"softcap": 2e39, "temperature": 1e38}),
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


def readable(case):
    mask = True if case.whole_mask is None else case.whole_mask
    return attnlib.tiled_attention(case.q, case.k, case.v, mask, block_q=2, block_k=3)[0]


PATHS = {
    "full": full,
    "tiled": tiled,
    "small tiles": small_tiles,
    "cached": cached,
    "single step": single_step,
    "readable kernel": readable,
}


def paths_of(case):
    """The readable kernel takes one head and has no options but its own scale."""
    plain = case.options in ({}, {"scale": 1 / math.sqrt(max(1, np.shape(case.q)[-1]))})
    return [p for p in PATHS if p != "readable kernel" or (np.ndim(case.q) == 2 and plain)]


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


def equal(got, expected, message):
    assert np.array_equal(got, expected), f"{message}: got {got}, expected {expected}"
