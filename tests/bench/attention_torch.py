"""PyTorch, the opponent: installed for the bench alone, next to the lock and not in it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.bench.machine import ROOT

VERSION = "2.13.0"


def folder() -> Path | None:
    """The folder with PyTorch for CPU, or None with the reason printed."""
    target = ROOT / ".cache" / f"torch-{VERSION}-python{sys.version_info[0]}.{sys.version_info[1]}"
    if (target / "torch").is_dir():
        return target
    pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    wanted = f"torch=={VERSION}"
    plan = subprocess.run(
        [*pip, "--ignore-installed", "--dry-run", "--report", "-", wanted],
        capture_output=True,
        text=True,
    )
    if plan.returncode:
        print(f"bench: {wanted} is not available here, its rows are left out: {_last(plan.stderr)}")
        return None
    names = [item["metadata"]["name"] for item in json.loads(plan.stdout)["install"]]
    if any(name.startswith("nvidia") for name in names):
        print(
            f"bench: the index offers {wanted} with CUDA (gigabytes), its rows are"
            " left out; set PIP_INDEX_URL to an index of CPU builds"
        )
        return None
    print(f"bench: installing {wanted} into {target.relative_to(ROOT)}", flush=True)
    done = subprocess.run([*pip, "--target", target, wanted], capture_output=True, text=True)
    if done.returncode:
        print(f"bench: {wanted} could not be installed: {_last(done.stderr)}")
        return None
    return target


def _last(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no reason given"
