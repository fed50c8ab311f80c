"""Vendors Workbox: `python -m figures.vendor.workbox FOLDER`.

FOLDER holds the npm archives of the four packages in `PACKAGES`.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from figures.vendor.common import ASSETS, Package, write_manifest

FOLDER = ASSETS / "js" / "vendor" / "workbox"
PACKAGES = ("core", "routing", "strategies", "precaching")  # each needs those before it


def main(archives: Path) -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    origins = []
    for name in PACKAGES:
        [archive] = archives.glob(f"workbox-{name}-*.tgz")
        package = Package(archive)
        file = f"workbox-{name}.prod.js"
        (FOLDER / file).write_bytes(package.files[f"build/{file}"])
        (FOLDER / "LICENSE").write_bytes(package.files["LICENSE"])
        origins.append(package.origin())
    write_manifest(FOLDER, origins, "none; the build joins the four scripts into service-worker.js")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
