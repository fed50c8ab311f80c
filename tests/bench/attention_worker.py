"""One process of the attention bench: measures and prints JSON.

python -m tests.bench.attention_worker speed 1024 FOLDER_OF_TORCH
python -m tests.bench.attention_worker masks 2048
python -m tests.bench.attention_worker memory 4096
python -m tests.bench.attention_worker paths 1024
"""

from __future__ import annotations

import json
import sys
import time
import tracemalloc
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from attnlib import (
    KVCache,
    MultiHeadAttention,
    attention,
    flash_attention,
    masks,
    tiled_attention,
)
from attnlib.flash import BLOCK_K, BLOCK_Q
from attnlib.tiles import Allowed, Plan

HEADS, SIZE = 8, 64
LONG, WINDOW = 131_072, 4096  # of the plans
PAUSE = 0.25  # OpenBLAS keeps its threads awake, and a core busy, for up to 0.1 s
Array = np.ndarray[Any, np.dtype[np.float32]]


def full_in_place(q: Array, k: Array, v: Array, allowed: Array, scores: Array, out: Array) -> Array:
    """Opponent (a): the whole matrix, as fast as NumPy does it.

    One head at a time in one buffer that is reused, everything in place, the row sums divided out
    of the n × d output and not of the n × n weights.
    """
    forbidden = ~allowed
    for head in range(q.shape[1]):
        np.matmul(q[0, head] * np.float32(1 / np.sqrt(SIZE)), k[0, head].T, out=scores)
        np.copyto(scores, -np.inf, where=forbidden)
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        np.matmul(scores, v[0, head], out=out[0, head])
        out[0, head] /= scores.sum(axis=-1, keepdims=True)
    return out


def qkv(n: int) -> Array:
    return np.random.default_rng(n).standard_normal((3, 1, HEADS, n, SIZE), dtype=np.float32)


def milliseconds(run: Callable[[], object]) -> float:
    """Time of one call, after the threads of the one before have stopped spinning."""
    time.sleep(PAUSE)
    start = time.perf_counter()
    run()
    return 1000 * (time.perf_counter() - start)


def rounds(n: int) -> int:
    """More rounds for short runs, so that each measurement takes about as long."""
    return max(5, min(41, 20_000 // n) | 1)


def speed(n: int, torch_folder: str | None) -> dict[str, float | int | None]:
    """Medians of times, and of the ratios within each round."""
    q, k, v = qkv(n)
    allowed, scores, out = masks.causal(n), np.empty((n, n), np.float32), np.empty_like(q)
    contenders: dict[str, Callable[[], Any]] = {
        "tiled": lambda: flash_attention(q, k, v, causal=True),
        "full": lambda: full_in_place(q, k, v, allowed, scores, out),
    }
    if torch_folder:
        sys.path.append(torch_folder)
        import torch

        torch.set_num_threads(1)
        tensors = [torch.from_numpy(a) for a in (q, k, v)]
        sdpa = torch.nn.functional.scaled_dot_product_attention
        contenders["torch"] = lambda: sdpa(*tensors, is_causal=True).numpy()
    first = {name: np.array(run()) for name, run in contenders.items()}
    for name, result in first.items():
        assert np.allclose(result, first["tiled"], atol=2e-6), f"{name} gives other numbers"
    times = [
        {name: milliseconds(run) for name, run in contenders.items()} for _ in range(rounds(n))
    ]

    def ratio(opponent: str) -> float | None:
        if opponent not in contenders:
            return None
        return round(median(t["tiled"] / t[opponent] for t in times), 3)

    measured = {f"{name}_ms": round(median(t[name] for t in times), 2) for name in contenders}
    return {"n": n, **measured, "ratio_full": ratio("full"), "ratio_torch": ratio("torch")}


def mask_rows(n: int) -> list[dict[str, object]]:
    """Time of the kernel with each mask against the time of the kernel with none."""
    q, k, v = qkv(n)
    window = masks.sliding_window(n, n // 16)
    edge = n // 16
    pattern = np.eye(16, dtype=bool) | np.eye(16, k=-1, dtype=bool)
    pattern[:, 0] = True
    drawn = {
        "causal": masks.causal(n),
        "padding": masks.padding([n // 2], n),
        "sliding_window": window,
        "block_sparse": masks.block_sparse(n, edge, pattern),
        "global_tokens": masks.global_tokens(n, [0, 1]) | window,
    }
    rows = []
    for name, mask in drawn.items():
        result, stats = flash_attention(q, k, v, mask=mask, return_stats=True)
        few = slice(n // 2, n // 2 + 8)
        part = mask if mask.shape[-2] == 1 else mask[..., few, :]
        judge = attention(q[..., few, :], k, v, mask=part)
        assert np.allclose(result[..., few, :], judge, atol=2e-6), f"{name}: other numbers"
        times = [
            (
                milliseconds(lambda mask=mask: flash_attention(q, k, v, mask=mask)),
                milliseconds(lambda: flash_attention(q, k, v)),
            )
            for _ in range(rounds(n))
        ]
        rows.append(
            {
                "mask": name,
                "n": n,
                "share": round(float(stats.share), 4),
                "tile_share": round(float(stats.tile_share), 4),
                "ratio": round(median(a / b for a, b in times), 3),
            }
        )
    return rows


def memory(n: int) -> dict[str, float | int]:
    """The peak of everything allocated during one call, its result included."""
    q, k, v = qkv(n)
    peak = peak_mib(lambda: flash_attention(q, k, v, causal=True))
    return {"n": n, "peak_mib": round(peak, 1), "scores_mib": HEADS * n * n * 4 // 2**20}


def path_peaks(n: int) -> list[dict[str, object]]:
    """The peak of one causal call on each path; masks and caches that it is given are not counted.

    The plans are those of one head of a long text.
    """
    q, k, v = qkv(n)
    allowed = masks.causal(n)
    layer = MultiHeadAttention.random(HEADS * SIZE, HEADS, seed=0)
    x = np.random.default_rng(n).standard_normal((1, n, HEADS * SIZE))
    filled = KVCache()
    layer(x[:, :-1], cache=filled)
    paths: dict[str, Callable[[], object]] = {
        "full": lambda: attention(q, k, v, mask=allowed),
        "tiled": lambda: flash_attention(q, k, v, causal=True),
        "one tile": lambda: flash_attention(q, k, v, causal=True, block_q=n, block_k=n),
        "readable kernel, one head": lambda: tiled_attention(q[0, 0], k[0, 0], v[0, 0], allowed),
        "layer": lambda: layer(x, mask=allowed),
        "layer, empty cache": lambda: layer(x, cache=KVCache()),
        "layer, empty cache with a window": lambda: layer(x, cache=KVCache(window=n // 16)),
        "layer, one step": lambda: layer(x[:, -1:], cache=filled),
    }
    rows = [
        {"path": path, "n": n, "peak_mib": round(peak_mib(run), 2)} for path, run in paths.items()
    ]
    for plan, pattern in {
        "causal": {"causal": True},
        "window": {"causal": True, "window": WINDOW},
        "none": {},
    }.items():
        peak = peak_mib(
            lambda pattern=pattern: Plan.of(Allowed(LONG, LONG, **pattern), BLOCK_Q, BLOCK_K)
        )
        rows.append({"path": f"plan, {plan}", "n": LONG, "peak_mib": round(peak, 2)})
    return rows


def peak_mib(run: Callable[[], object]) -> float:
    """The most that was allocated at once during one call, its result included."""
    tracemalloc.start()
    run()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 2**20


if __name__ == "__main__":
    what, size, *rest = sys.argv[1:]
    if what == "speed":
        print(json.dumps(speed(int(size), rest[0] if rest else None)))
    elif what == "masks":
        print(json.dumps(mask_rows(int(size))))
    elif what == "paths":
        print(json.dumps(path_peaks(int(size))))
    else:
        print(json.dumps(memory(int(size))))
