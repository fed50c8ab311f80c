"""MkDocs hook: what the footer says about the build."""

from __future__ import annotations

import subprocess
from importlib.metadata import version

from mkdocs.config.defaults import MkDocsConfig

import attnlib
from figures.pipeline import sources

_CONTENT = [sources.ROOT / part for part in ("attnlib", "docs", "figures", "mkdocs.yml")]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.extra["build"] = {
        "id": build_id(),
        "attnlib": attnlib.__version__,
        "numpy": version("numpy"),
        "material": version("mkdocs-material"),
    }
    return config


def build_id() -> str:
    """The commit, or for a tree without one (an archive, edited files) a hash of the contents."""
    command = ["git", "-C", str(sources.ROOT), "describe", "--always", "--dirty=-", "--abbrev=10"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        found = "-"
    return found if found and not found.endswith("-") else sources.digest(_CONTENT)[:10]
