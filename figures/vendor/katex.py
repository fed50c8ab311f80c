"""Vendors KaTeX: `python -m figures.vendor.katex katex-0.19.1.tgz`."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from figures.vendor.common import ASSETS, Package, write_manifest

FOLDER = ASSETS / "katex"
_OTHER_FORMATS = re.compile(r',url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)')


def main(archive: Path) -> None:
    package = Package(archive)
    shutil.rmtree(FOLDER, ignore_errors=True)
    (FOLDER / "fonts").mkdir(parents=True)
    for name, data in package.files.items():
        if name.startswith("dist/fonts/") and name.endswith(".woff2"):
            (FOLDER / "fonts" / Path(name).name).write_bytes(data)
    style = package.files["dist/katex.min.css"].decode()
    (FOLDER / "katex.min.css").write_text(_OTHER_FORMATS.sub("", style), encoding="utf-8")
    (FOLDER / "katex.min.js").write_bytes(package.files["dist/katex.min.js"])
    (FOLDER / "LICENSE").write_bytes(package.files["LICENSE"])
    changes = "katex.min.css names the woff2 fonts only; katex.min.js runs at build time"
    write_manifest(FOLDER, [package.origin()], changes)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
