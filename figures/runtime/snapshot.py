"""Takes the memory snapshot in Chromium, with the same driver that later restores it."""

from pathlib import Path

from figures.runtime import parts
from figures.runtime.workshop import chromium_page, workshop

HERE = Path(__file__).parent
SCRIPTS = HERE.parents[1] / "docs" / "assets" / "js" / "worker"
PARTS = ("engine.wasm", "numpy-core.wasm", "numpy-linalg.wasm", "modules")
# Python and NumPy build many tables at the first use of a feature: better here than at each visit.
WARM_UP = """
import numpy as np
from einops import rearrange, einsum
x = ((np.arange(384) % 7) - 3.).reshape(6, 64)
scores = einsum(x, x, "q d, k d -> q k") / 8
scores = np.where(np.tri(6, dtype=bool), scores, -np.inf)
weights = np.exp(scores - scores.max(-1, keepdims=True))
weights /= weights.sum(-1, keepdims=True)
repr(weights), str(rearrange(x, "n (h d) -> h n d", h=4).shape), f"{weights[0, 0]:.3e}"
json.loads(json.dumps({"weights": weights.tolist()}))
ast.parse("1 + 1"), traceback.format_exception(ValueError("x"))
del x, scores, weights
"""


def make(stock: Path, packed: Path) -> tuple[bytes, dict]:
    """Bytes of the snapshot, and what its maker reports (imported files, size, table length)."""
    code = f"import {parts.PRELOADED}\n{WARM_UP}"
    folders = {"/stock/": stock, "/parts/": packed, "/runtime/": HERE, "/scripts/": SCRIPTS}
    with (
        workshop(folders) as place,
        chromium_page(place.address + "/runtime/snapshot.html") as page,
    ):
        report = page.evaluate("([names, code]) => makeSnapshot(names, code)", [list(PARTS), code])
        return place.uploads["snapshot"], report
