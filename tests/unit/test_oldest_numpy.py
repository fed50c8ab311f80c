"""The tests of the library once more on NumPy 2.0.2, the version of the browser runtime.

Widgets are left out: on that NumPy, tests/browser compares every state of each of them.
"""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.unit import table

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements-numpy-2.0.2.lock"


@pytest.mark.skipif(np.__version__ == "2.0.2", reason="this is the run on NumPy 2.0.2")
@pytest.mark.skipif(sys.version_info >= (3, 13), reason="NumPy 2.0.2 has no wheel for Python 3.13")
def test_the_library_on_the_oldest_numpy():
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    digest = hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]
    target = ROOT / ".cache" / f"numpy-2.0.2-python{version}-{digest}"
    if not (target / "numpy").is_dir():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run(
            [*pip, "--require-hashes", "--no-deps", "--only-binary", ":all:",
             "--target", target, "--requirement", LOCK],
            check=True,
        )  # fmt: skip
    suite = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:cov"]
    run = subprocess.run(
        [*suite, "--ignore-glob=tests/unit/test_widget_*", "tests/unit"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, f"the library fails on NumPy 2.0.2:\n{run.stdout[-4000:]}"
    assert "NumPy 2.0.2" in run.stdout, "the run did not use NumPy 2.0.2"
    passed = int(re.search(r"(\d+) passed", run.stdout)[1])
    assert passed > len(list(table.rows())), f"only {passed} tests ran"
