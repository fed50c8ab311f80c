"""Fetches the published files the runtime is made of and proves each of them by its SHA-256.

The hash of NumPy's wheel is the one in Pyodide's own lock file, so it does not matter which archive
the wheel was found in: the hash decides.
"""

import json
import shlex
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from pyodide_lock import PyodideLockSpec

from figures.runtime.packs import sha256

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / ".cache" / "runtime"
ORIGINALS: dict[str, dict] = json.loads((HERE / "originals.json").read_text("utf-8"))


def fetch_all() -> Path:
    """Download what is missing, verify every member, and return the folder they lie in."""
    downloads = CACHE / "originals"
    stock = CACHE / "stock"
    downloads.mkdir(parents=True, exist_ok=True)
    stock.mkdir(exist_ok=True)
    for name, original in ORIGINALS.items():
        archive = downloads / original["archive"]
        if not archive.exists():
            print(f"runtime: {original['fetch']}")
            _download(original["fetch"], downloads)
        for member, expected in original["members"].items():
            data = _member(archive, member)
            if sha256(data) != expected:
                raise SystemExit(
                    f"runtime: {member or archive.name} of {name} has sha256 {sha256(data)}, "
                    f"expected {expected}; delete {archive} and try again"
                )
            (stock / (Path(member).name or archive.name)).write_bytes(data)
    _agree_with_lock(stock)
    return stock


def _download(command: str, folder: Path) -> None:
    words = shlex.split(command)
    if words[0] == "pip":
        words[:1] = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    try:
        subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    except FileNotFoundError:
        raise SystemExit(
            f"runtime: {words[0]} is missing (needed only to remake the runtime)"
        ) from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"runtime: '{command}' failed with status {error.returncode}") from None


def _member(archive: Path, member: str) -> bytes:
    if not member:
        return archive.read_bytes()
    if archive.suffix == ".tgz":
        with tarfile.open(archive) as tar:
            found = tar.extractfile(member)
            assert found is not None, f"{member} is not a file of {archive.name}"
            return found.read()
    with zipfile.ZipFile(archive) as wheel:
        return wheel.read(member)


def _agree_with_lock(stock: Path) -> None:
    """NumPy's wheel must be the one that this Pyodide was released with."""
    locked = PyodideLockSpec.from_json(stock / "pyodide-lock.json").packages["numpy"]
    wheel = stock / locked.file_name
    if not wheel.exists() or sha256(wheel.read_bytes()) != locked.sha256:
        raise SystemExit(f"runtime: {locked.file_name} is not the wheel in pyodide-lock.json")
