"""Makes the archive for reading without a network: `python -m figures.pipeline.offline_archive`."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from dataclasses import asdict
from pathlib import Path

import attnlib
from figures.pipeline import build_info, offline_page, sources

CONFIG = sources.ROOT / "mkdocs.offline.yml"
EDITION = sources.ROOT / "build" / "offline"
LARGEST = 16 * 10**6
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the archive depends on its content only


def build(site: Path) -> None:
    """Runs a strict build of the edition for file:// into a folder."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    where = ["--config-file", str(CONFIG), "--site-dir", str(site)]
    path = os.pathsep.join([str(sources.ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    environment = {**os.environ, "PYTHONPATH": path}
    subprocess.run([*command, *where], cwd=sources.ROOT, env=environment, check=True)


def pack(site: Path, target: Path) -> offline_page.Archive:
    """Packs a built edition into target/<name>.zip and writes down its size and hash."""
    name = f"attnlib-lesson-offline-{attnlib.__version__}"
    target.mkdir(parents=True, exist_ok=True)
    file = target / f"{name}.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        files = (path for path in site.rglob("*") if path.is_file())
        for path in sorted(files, key=Path.as_posix):
            entry = zipfile.ZipInfo(f"{name}/{path.relative_to(site).as_posix()}", _EPOCH)
            entry.create_system = 3  # as made on Unix, also on Windows
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes(), compresslevel=9)
    data = file.read_bytes()
    made = offline_page.Archive(
        file.name, len(data), hashlib.sha256(data).hexdigest(), build_info.build_id()
    )
    record = json.dumps(asdict(made), indent=2)
    (target / offline_page.RECORD).write_text(record + "\n", encoding="utf-8")
    return made


def main() -> None:
    build(EDITION)
    made = pack(EDITION, offline_page.DIST)
    print(f"dist/{made.file}: {made.bytes} bytes, sha256 {made.sha256}, build {made.build}")
    if made.bytes > LARGEST:
        raise SystemExit(f"the archive is larger than {LARGEST} bytes")


if __name__ == "__main__":
    main()
