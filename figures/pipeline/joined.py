"""MkDocs hook: one script and one style sheet for every page, and a pair for the laboratory.

They are made of many small files: the scripts of a folder in alphabetical order, page.js first, the
styles in the order of the `@import` lines of a sheet. What only one edition has lies in a folder of
its own.
"""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel

from figures.joining import SCRIPTS, script, sheet
from figures.pipeline import offline_edition
from figures.runtime import python_pack

EARLY, SITE, LAB = "js/early.js", "js/site.js", "js/lab.js"
SHEETS = ("site.css", "lab.css")
INCLUDED = InclusionLevel.INCLUDED  # what they are made of is left out by their kind
_EDITOR = SCRIPTS / "vendor" / "prism-code-editor" / "editor.js"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.extra["head_script"] = script(["head"])  # in the page itself: it runs before all others
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    pack = python_pack.build()
    if config.extra["edition"] == "file":
        early, own = offline_edition.search_worker(files), ["file"]
        index = offline_edition.runtime_index()
    else:
        early, own = "", ["http", "offline"]
        index = python_pack.index(pack)
    made = {
        EARLY: early + script(["early", f"{own[0]}/early"]),
        SITE: python_pack.index_script(index) + script(["site", "runtime", "widgets", *own]),
        LAB: _EDITOR.read_text(encoding="utf-8") + script(["lab"]),
        **{f"css/{name}": sheet(SCRIPTS.parent / "css" / name) for name in SHEETS},
    }
    for path, content in (*made.items(), pack):
        uri = f"assets/{path}"
        if source := files.get_file_from_path(uri):
            files.remove(source)
        files.append(File.generated(config, uri, content=content, inclusion=INCLUDED))
    return files
