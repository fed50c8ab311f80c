"""The table of known faults (1 to 16): attention problems on every path, facts and rejections.

Plain functions, no pytest: `report()` runs the table wherever attnlib runs, the browser included.
"""

import numpy as np

from tests.unit import limits  # noqa: F401  (adds its facts)
from tests.unit.cases import CASES, paths_of, run_case
from tests.unit.facts import CHECKS
from tests.unit.rejections import REJECTIONS, run_rejection


def rows():
    """Every row of the table as (name, function without arguments)."""
    for case in CASES:
        for path in paths_of(case):
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
