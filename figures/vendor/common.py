"""What the vendoring scripts share: reading a package archive, writing the manifest."""

from __future__ import annotations

import hashlib
import json
import tarfile
from pathlib import Path
from typing import Any

ASSETS = Path(__file__).resolve().parents[2] / "docs" / "assets"


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Package:
    """An npm archive: its files, its name, its version and its hash."""

    def __init__(self, archive: Path) -> None:
        self.sha256 = sha256(archive.read_bytes())
        with tarfile.open(archive) as tar:
            self.files = {
                member.name.removeprefix("package/"): extracted.read()
                for member in tar.getmembers()
                if (extracted := tar.extractfile(member)) is not None
            }
        about = json.loads(self.files["package.json"])
        self.name: str = about["name"]
        self.version: str = about["version"]
        self.licence: str = about["license"]

    def origin(self) -> dict[str, Any]:
        return {
            "origin": f"npm {self.name}",
            "version": self.version,
            "licence": self.licence,
            "sha256": self.sha256,
        }


def write_manifest(folder: Path, origins: list[dict[str, Any]], changes: str) -> None:
    """Lists every file of a vendored folder with its hash, and where they came from."""
    files = {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "manifest.json"
    }
    manifest = {"origins": origins, "changes": changes, "files": files}
    text = json.dumps(manifest, ensure_ascii=False, indent=2)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8")
