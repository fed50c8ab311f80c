"""The tiled kernel against the full matrix and against PyTorch (float32, b = 1, h = 8, d = 64)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.bench import attention_torch, machine

SIZES = (256, 512, 1024, 2048, 4096)
PATHS_AT, MASKS_AT, MEMORY_AT = 1024, 2048, 4096
REQUIRED_FULL = {1024: 0.60, 2048: 0.40, 4096: 0.40}
REQUIRED_TORCH, AIM_TORCH = 1.8, 1.2
REQUIRED_MIB = 32
REQUIRED_PLAN_MIB = 1
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def measure() -> list[dict[str, Any]]:
    """A row for each length; three of them also carry the masks and the memory."""
    torch = attention_torch.folder()
    rows = []
    for n in SIZES:
        row = worker("speed", n, torch)
        row["one_thread"] = worker("speed", n, torch, one_thread=True)
        if n == PATHS_AT:
            row["paths"] = worker("paths", n)
        if n == MASKS_AT:
            row["masks"] = worker("masks", n)
        if n == MEMORY_AT:
            row["memory"] = worker("memory", n)
        rows.append(row)
    return rows


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


def describe(rows: list[dict[str, Any]]) -> str:
    """The figures as tables."""
    lines = []
    for title, part in (
        ("kernel with the threads it takes, PyTorch on one", rows),
        ("one thread against one thread", [row["one_thread"] for row in rows]),
    ):
        lines += [
            f"attention: causal, {title}",
            "     n   tiled ms    full ms   torch ms  / full  / torch",
        ]
        for row in part:
            torch_ms, to_torch = row.get("torch_ms", "—"), row["ratio_torch"] or "—"
            lines.append(
                f"{row['n']:>6} {row['tiled_ms']:>10} {row['full_ms']:>10} {torch_ms:>10}"
                f" {row['ratio_full']:>7} {to_torch:>8}"
            )
    for row in rows:
        lines += [
            f"attention: n = {mask['n']}, {mask['mask']}: time {mask['ratio']} of no mask,"
            f" tiles {mask['tile_share']}, pairs {mask['share']}"
            for mask in row.get("masks", ())
        ]
        lines += [
            f"attention: n = {path['n']}, {path['path']}: peak {path['peak_mib']} MiB"
            for path in row.get("paths", ())
        ]
        if peak := row.get("memory"):
            lines.append(
                f"attention: n = {peak['n']}: peak {peak['peak_mib']} MiB,"
                f" all scores would be {peak['scores_mib']} MiB"
            )
        if (row["ratio_torch"] or 0) > AIM_TORCH:
            lines.append(f"attention: n = {row['n']}: above the aim of {AIM_TORCH} of PyTorch")
    return "\n".join(lines)


def against_budgets(rows: list[dict[str, Any]]) -> list[tuple[str, float, float]]:
    """What was measured, the figure, the largest one allowed."""
    budgets = []
    for row in rows:
        n = row["n"]
        if n in REQUIRED_FULL:
            budgets.append((f"n = {n}, time / full matrix", row["ratio_full"], REQUIRED_FULL[n]))
            if row["ratio_torch"] is not None:
                budgets.append((f"n = {n}, time / PyTorch", row["ratio_torch"], REQUIRED_TORCH))
        if "paths" in row:
            peaks = {path["path"]: path["peak_mib"] for path in row["paths"]}
            budgets.append((f"n = {n}, one tile, peak MiB", peaks["one tile"], peaks["full"]))
            budgets += [
                (f"{path}, peak MiB", peak, REQUIRED_PLAN_MIB)
                for path, peak in peaks.items()
                if path.startswith("plan")
            ]
        if "memory" in row:
            budgets.append((f"n = {n}, peak MiB", row["memory"]["peak_mib"], REQUIRED_MIB))
    return budgets
