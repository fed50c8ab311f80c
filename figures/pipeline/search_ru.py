"""MkDocs hook: search that finds word forms and takes «е» for «ё».

Material sends `word*` to lunr, which does not stem words with a wildcard; and the Russian stemmer
knows no «ё». The script beside this file mends both in the worker's own copy of the stemmer.
"""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

PATCH = Path(__file__).with_name("search_ru.js")
STEMMER = "assets/javascripts/lunr/min/lunr.ru.min.js"


def on_post_build(config: MkDocsConfig) -> None:
    stemmer = Path(config.site_dir) / STEMMER
    original = stemmer.read_text(encoding="utf-8")
    stemmer.write_text(f"{original}\n{PATCH.read_text(encoding='utf-8')}", encoding="utf-8")
