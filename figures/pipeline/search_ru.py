"""MkDocs hook: search that finds word forms and takes «е» for «ё».

Material sends `word*` to lunr, which does not stem words with a wildcard; and the Russian stemmer
knows no «ё». The script beside this file mends both in the worker's own copy of the stemmer.
"""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PATCH = Path(__file__).with_name("search_ru.js")
STEMMER = "assets/javascripts/lunr/min/lunr.ru.min.js"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    original = files.get_file_from_path(STEMMER)
    assert original is not None, "the theme has no Russian stemmer"
    content = f"{original.content_string}\n{PATCH.read_text(encoding='utf-8')}"
    files.remove(original)
    files.append(File.generated(config, STEMMER, content=content))
    return files
