"""The runtime alone on an empty page: what a build publishes of it, without the site around."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from figures.joining import RUNTIME, script
from figures.runtime import python_pack
from figures.tree import ROOT

SCRIPT = "assets/js/site.js"
# The policy of the real pages (figures/pipeline/content_policy.py), which a Blob worker inherits.
POLICY = (
    "default-src 'self'; img-src data:; script-src 'self' 'wasm-unsafe-eval'; "
    "worker-src 'self' blob:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'"
)


def lay_out(target: Path, extra: Mapping[str, bytes] | None = None) -> Path:
    """Write the page and everything it can ask for into a folder; extra files go into the pack."""
    assets = target / "assets"
    for part in ("js/worker", "runtime"):
        shutil.copytree(ROOT / "docs" / "assets" / part, assets / part)
    place, pack = own = python_pack.build(extra)
    (assets / place).write_bytes(pack)
    index = python_pack.index_script(python_pack.index(own))
    (target / SCRIPT).write_text(index + script(RUNTIME), "utf-8")
    (target / "index.html").write_text(
        f'<!doctype html>\n<html lang="ru">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<link rel="icon" href="data:,">\n<title>Python</title>\n'
        f'<script src="{SCRIPT}"></script>\n',
        "utf-8",
    )
    return target
