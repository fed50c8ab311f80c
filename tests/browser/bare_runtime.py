"""The runtime alone on an empty page: what a build publishes of it, without the site around."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from figures.pipeline import python_pack

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = (
    "index.js",
    "assets_http.js",
    "integrity.js",
    "result.js",
    "supply.js",
    "session.js",
    "client.js",
)
# The policy of the real pages (figures/pipeline/content_policy.py), which a Blob worker inherits.
POLICY = (
    "default-src 'self'; img-src data:; script-src 'self' 'wasm-unsafe-eval'; "
    "worker-src 'self' blob:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'"
)


def lay_out(target: Path, extra: Mapping[str, bytes] | None = None) -> Path:
    """Write the page and everything it can ask for into a folder; extra files go into the pack."""
    assets = target / "assets"
    for part in ("js/runtime", "runtime"):
        shutil.copytree(ROOT / "docs" / "assets" / part, assets / part)
    for name, content in python_pack.build(extra).items():
        (assets / name).write_bytes(content)
    scripts = "".join(f'<script src="assets/js/runtime/{name}"></script>\n' for name in SCRIPTS)
    (target / "index.html").write_text(
        f'<!doctype html>\n<html lang="ru">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<link rel="icon" href="data:,">\n<title>Python</title>\n{scripts}',
        "utf-8",
    )
    return target
