"""`make bench`: every claim about speed and size, as a ratio against a named opponent.

    python -m tests.bench               all benches
    python -m tests.bench attention     only this one

The record is of one machine, one day and one set of versions: a part measured elsewhere or later is
shown and not kept, until all are measured again.

A bench is a module of this package with `measure()`, whose result is kept in the record under the
module's name, `describe(record)`, the same for a reader, and `against_budgets(record)`, triples of
what was measured, the figure and the largest one allowed.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys

from tests import bench
from tests.bench import machine


def main(wanted: list[str]) -> int:
    modules = {
        info.name: importlib.import_module(f"{bench.__name__}.{info.name}")
        for info in pkgutil.iter_modules(bench.__path__)
        if info.name != "__main__"
    }
    benches = {name: module for name, module in modules.items() if hasattr(module, "measure")}
    if unknown := set(wanted) - set(benches):
        print(f"bench: no {', '.join(sorted(unknown))}; there are {', '.join(sorted(benches))}")
        return 2
    if warning := machine.busy():
        print(f"bench: {warning}")
    record = json.loads(machine.RECORD.read_text("utf-8")) if machine.RECORD.exists() else {}
    missed = []
    here, names = machine.describe(), wanted or sorted(benches)
    others = (set(record) & set(benches)) - set(names)
    fits = not others or all(record.get(key) == value for key, value in here.items())
    for name in names:
        print(f"bench: {name}", flush=True)
        measured = benches[name].measure()
        print(benches[name].describe(measured), flush=True)
        record |= {**here, name: measured}
        if fits:
            text = json.dumps(record, indent=1, ensure_ascii=False)
            machine.RECORD.write_text(text + "\n", "utf-8")
        missed += [
            f"{name}: {what}: {figure}, allowed {allowed}"
            for what, figure, allowed in benches[name].against_budgets(measured)
            if figure > allowed
        ]
    if fits:
        print(f"bench: kept in {machine.RECORD.relative_to(machine.ROOT)}")
    else:
        rest = ", ".join(sorted(others))
        print(f"bench: not kept, for {rest} were measured elsewhere or earlier: run them too")
    for line in missed:
        print(f"bench: OVER BUDGET: {line}", file=sys.stderr)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
