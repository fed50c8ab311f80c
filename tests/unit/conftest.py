"""Names the NumPy of the run, so that the run on the oldest one can prove itself."""

import numpy as np


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"NumPy {np.__version__}")
