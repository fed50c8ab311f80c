"""The two opponents as folders to serve: this site's runtime, and Pyodide as it is published."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

from figures.runtime.bare_page import ROOT, lay_out
from figures.runtime.packs import sha256

HERE = Path(__file__).parent
VENDORED = ROOT / "docs" / "assets" / "runtime"
# Published name → vendored part; the bench carries the two small files that the site does not need.
STOCK_PARTS = {
    "pyodide.asm.js": "engine.js",
    "pyodide.asm.wasm": "engine.wasm",
    "python_stdlib.zip": "stdlib.zip",
    "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl": "numpy.whl",
}
# A frame of any size, by the same path as a widget's: JSON in, attnlib, JSON out.
SQUARE = """
import numpy as np
import attnlib

def frame(state):
    n = state["n"]
    x = np.sin(np.arange(n * 8.0) + state["shift"]).reshape(n, 8)
    return {"weights": attnlib.softmax(x @ x.T).tolist()}
"""


def our_page(folder: Path) -> Path:
    return lay_out(folder, {"figures/widgets/bench_square.py": SQUARE.encode()})


def stock_page(folder: Path) -> Path:
    """Pyodide's own files, unpacked from the vendored parts and proved by their hashes."""
    shutil.copytree(HERE / "stock", folder)
    parts = {part["name"]: part for part in _manifest()["parts"]}
    for name, part in STOCK_PARTS.items():
        entry = parts[part]
        data = (VENDORED / entry["file"]).read_bytes()
        if sha256(data) != entry["unpacked_sha256"]:
            data = gzip.decompress(data)
        assert sha256(data) == entry["unpacked_sha256"], f"{part} is not the published {name}"
        (folder / name).write_bytes(data)
    return folder


def wire_bytes(folder: Path, requests: list[str]) -> int:
    """What a host that compresses everything it can would send for these requests."""
    total = 0
    for path in requests:
        file = folder / path.lstrip("/")
        data = (file / "index.html" if file.is_dir() else file).read_bytes()
        total += min(len(data), len(gzip.compress(data, 9)))
    return total


def _manifest() -> dict:
    return json.loads((VENDORED / "manifest.json").read_text("utf-8"))
