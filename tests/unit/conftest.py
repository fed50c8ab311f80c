"""Names the NumPy of the run, so that the run on the oldest one can prove itself."""

from pathlib import Path

import numpy as np
from hypothesis.configuration import set_hypothesis_home_dir

set_hypothesis_home_dir(Path(__file__).parents[2] / ".cache" / "hypothesis")


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"NumPy {np.__version__}")
