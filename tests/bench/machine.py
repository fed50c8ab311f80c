"""The machine and the versions that a record of measurements belongs to."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "figures" / "static" / "bench_record.json"


def describe() -> dict[str, Any]:
    """The common keys of the record."""
    return {
        "machine": f"{_processor()}, ядер: {os.cpu_count()}",
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {"python": platform.python_version(), "numpy": version("numpy")},
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def busy() -> str | None:
    """A warning if others use the processor too: paired ratios bear it, but not well."""
    if not hasattr(os, "getloadavg"):
        return None
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    return f"the machine is busy: load {load:.1f} on {cores} cores" if load > cores / 2 else None
