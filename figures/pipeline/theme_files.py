"""MkDocs hook: of the theme's files the site ships those that it uses, with their licences."""

from __future__ import annotations

import re
from importlib.metadata import distribution
from pathlib import Path

import material
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

STEMMERS = tuple(
    f"assets/javascripts/lunr/min/lunr.{name}.min.js" for name in ("stemmer.support", "ru", "multi")
)
# Stemmers of other languages, word splitters of Japanese, Hindi and Thai, maps for debugging.
_UNUSED = re.compile(r"^assets/(javascripts/lunr/|(javascripts|stylesheets)/.*\.map$)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for file in list(files):
        if _UNUSED.match(file.dest_uri) and file.dest_uri not in STEMMERS:
            files.remove(file)
    theme = distribution("mkdocs-material")
    own = f"mkdocs_material-{theme.version}.dist-info/licenses/LICENSE"
    icons = Path(material.__file__).parent / "templates" / ".icons" / "material" / "LICENSE"
    licences = {
        "material": Path(str(theme.locate_file(own))).read_text(encoding="utf-8"),
        "material-icons": icons.read_text(encoding="utf-8"),
    }
    for name, text in licences.items():
        assert text, f"{name} comes without its licence"
        files.append(File.generated(config, f"assets/LICENSE-{name}.txt", content=text))
    return files
