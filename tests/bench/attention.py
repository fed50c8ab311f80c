"""The tiled kernel against the full matrix and against PyTorch (float32, b = 1, h = 8, d = 64)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.bench import attention_torch, machine

KEY = "attention"
SIZES = (256, 512, 1024, 2048, 4096)
REQUIRED_FULL = {1024: 0.60, 2048: 0.40, 4096: 0.40}
REQUIRED_TORCH, AIM_TORCH = 1.8, 1.2
REQUIRED_MIB = 32
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def run() -> list[dict[str, Any]]:
    """Rows for each length; the other results go beside them under keys of their own."""
    if warning := machine.busy():
        print(f"bench: {warning}")
    torch = attention_torch.folder()
    return [
        {
            **worker("speed", n, torch),
            "one_thread": worker("speed", n, torch, one_thread=True),
            **({"memory": worker("memory", n)} if n == max(SIZES) else {}),
            **({"masks": worker("masks", n)} if n == 2048 else {}),
        }
        for n in SIZES
    ]


def worker(what: str, n: int, torch: Path | None = None, *, one_thread: bool = False) -> Any:
    """Runs one measurement in a process of its own and returns what it printed."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", *ONE_THREAD)
    }
    if one_thread:
        environment |= dict.fromkeys(ONE_THREAD, "1")
    command = [sys.executable, "-m", "tests.bench.attention_worker", what, str(n)]
    done = subprocess.run(
        [*command, *([str(torch)] if torch else [])],
        cwd=machine.ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        preexec_fn=_stay_on_one_core if one_thread else None,
    )
    return json.loads(done.stdout)


def _stay_on_one_core() -> None:
    """The kernel asks how many cores it may use; one core means one thread."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def report(rows: list[dict[str, Any]]) -> list[str]:
    """Prints the tables and returns the requirements that were missed."""
    missed = []
    for title, part in (
        ("threads as they come (PyTorch on one)", rows),
        ("one thread against one thread", [row["one_thread"] for row in rows]),
    ):
        print(f"\n  causal, {title}\n  {'n':>6} {'tiled ms':>9} {'full ms':>9} {'torch ms':>9} "
              f"{'/ full':>7} {'/ torch':>7}")  # fmt: skip
        for row in part:
            print(f"  {row['n']:>6} {row['tiled_ms']:>9} {row['full_ms']:>9} "
                  f"{row.get('torch_ms', '—'):>9} {row['ratio_full']:>7} "
                  f"{row['ratio_torch'] or '—':>7}")  # fmt: skip
    for row in rows:
        n, to_full, to_torch = row["n"], row["ratio_full"], row["ratio_torch"]
        if n not in REQUIRED_FULL:
            continue
        if to_full > REQUIRED_FULL[n]:
            missed.append(f"n = {n}: {to_full} of the full matrix, required ≤ {REQUIRED_FULL[n]}")
        if to_torch is not None and to_torch > REQUIRED_TORCH:
            missed.append(f"n = {n}: {to_torch} of PyTorch, required ≤ {REQUIRED_TORCH}")
        elif to_torch is not None and to_torch > AIM_TORCH:
            print(f"  n = {n}: {to_torch} of PyTorch, the aim is {AIM_TORCH}")
        for mask in row.get("masks", ()):
            print(f"  n = {n}, {mask['mask']:<15} time {mask['ratio']} of no mask, "
                  f"tiles {mask['tile_share']}, pairs {mask['share']}")  # fmt: skip
        if peak := row.get("memory"):
            print(f"  n = {n}, peak {peak['peak_mib']} MiB, all scores {peak['scores_mib']} MiB")
            if peak["peak_mib"] > REQUIRED_MIB:
                missed.append(f"n = {n}: {peak['peak_mib']} MiB, required ≤ {REQUIRED_MIB}")
    return missed
