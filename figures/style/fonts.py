"""The only font of the figures: the DejaVu Sans that comes inside Matplotlib."""

from functools import cache
from pathlib import Path

import matplotlib
from matplotlib.font_manager import fontManager

FAMILY = "DejaVu Sans"
FILE = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


@cache
def register() -> None:
    """Leaves Matplotlib its own copy of the family, so that an installed one cannot differ."""
    fontManager.ttflist = [entry for entry in fontManager.ttflist if entry.name != FAMILY]
    fontManager.addfont(FILE)
