"""MkDocs hook: the theme's templates are compiled once, not at every rebuild of `mkdocs serve`."""

from __future__ import annotations

from jinja2 import Environment, FileSystemBytecodeCache
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files

from figures.pipeline.sources import ROOT

FOLDER = ROOT / ".cache" / "templates"


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> Environment:
    FOLDER.mkdir(parents=True, exist_ok=True)
    env.bytecode_cache = FileSystemBytecodeCache(str(FOLDER))
    return env
