"""`make bench`: every claim about speed and size, as a ratio against a named opponent.

    python -m tests.bench               all benches
    python -m tests.bench attention     only this one

A bench is a module of this package with `KEY`, its place in the record, `run() -> object`, what to
record there, and `report(result) -> list[str]`, which prints the figures and returns the missed
requirements.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys

from tests import bench
from tests.bench import machine


def main(wanted: list[str]) -> int:
    names = sorted(
        info.name
        for info in pkgutil.iter_modules(bench.__path__)
        if hasattr(importlib.import_module(f"tests.bench.{info.name}"), "run")
    )
    unknown = set(wanted) - set(names)
    if unknown:
        print(f"bench: no bench called {', '.join(sorted(unknown))}; there are {', '.join(names)}")
        return 2
    record = json.loads(machine.RECORD.read_text("utf-8")) if machine.RECORD.exists() else {}
    missed: list[str] = []
    for name in wanted or names:
        module = importlib.import_module(f"tests.bench.{name}")
        print(f"bench: {name}", flush=True)
        result = module.run()
        record |= machine.describe()
        record[module.KEY] = result
        machine.RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
        missed += [f"{name}: {line}" for line in module.report(result)]
    print(f"bench: written to {machine.RECORD.relative_to(machine.ROOT)}")
    for line in missed:
        print(f"bench: MISSED {line}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
