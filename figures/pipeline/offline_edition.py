"""MkDocs hook: the edition that is opened by double click, without a server (`make offline`).

A page from file:// may load classic scripts, styles, fonts and pictures from its own folder and
nothing else: no fetch, no worker by address. So Python and the search index come as scripts, the
search worker from a blob, and every link names a file.
"""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from urllib.parse import unquote

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files

from figures.pipeline import offline_files
from figures.pipeline.theme_files import STEMMERS
from figures.runtime import python_pack

_SEARCH_INDEX = "search/search_index"
_SEARCH_WORKER = re.compile(r"^assets/javascripts/workers/search\.\w+\.min\.js$")
_SERVER_ONLY = re.compile(
    r"^(404\.html|sitemap\.xml(\.gz)?|search/search_index\.json)$|\.(bin|webmanifest)$"
    r"|^assets/(javascripts/(lunr|workers)|js/worker)/|/app-icon-[\w-]+\.png$"
)
_HREF = re.compile(r'(\shref=")([^"#?]*)((?:[#?][^"]*)?")')
_ELSEWHERE = re.compile(r"^(//|[a-z][\w+.-]*:)", re.IGNORECASE)

_command = "build"


def on_startup(command: str, dirty: bool) -> None:
    global _command
    _command = command


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """`draft` is that of `mkdocs serve`: no release; a policy would refuse its reload."""
    edition = config.extra.setdefault("edition", "draft" if _command == "serve" else "site")
    if edition == "file":
        features = config.theme["features"]
        config.theme["features"] = [one for one in features if "navigation.instant" not in one]
    return config


def runtime_index() -> list[dict]:
    """The parts of Python as the scripts that `embed` writes."""
    kept = filter(offline_files.is_kept, python_pack.index())
    return [{**part, "file": f"{Path(_address(part)).stem}.js"} for part in kept]


def search_worker(files: Files) -> str:
    """A script that hands over the search worker with the stemmers it asks for."""
    [worker] = [file.src_uri for file in files if _SEARCH_WORKER.match(file.src_uri)]
    found = [files.get_file_from_path(uri) for uri in (worker, *STEMMERS)]
    source = json.dumps(
        "\n".join(file.content_string for file in found if file), ensure_ascii=False
    )
    return f"(self.attn ??= {{}}).searchWorker = {source};\n"


def embed(site: Path) -> None:
    """Puts what a page could not fetch beside it as scripts, and leaves out what only a server has.

    A part of Python is the base64 of the very same bytes.
    """
    folder = site / "assets" / "runtime"
    for part in filter(offline_files.is_kept, python_pack.index()):
        file = folder / _address(part)
        text = base64.b64encode(file.read_bytes()).decode()
        script = f'(attn.embedded ??= {{}})[{json.dumps(part["name"])}] = "{text}";\n'
        (folder / f"{file.stem}.js").write_text(script, encoding="utf-8")
    index = site / f"{_SEARCH_INDEX}.json"
    script = f"var __index = {index.read_text(encoding='utf-8')};\n"
    index.with_suffix(".js").write_text(script, encoding="utf-8")
    for file in [path for path in site.rglob("*") if path.is_file()]:
        if _SERVER_ONLY.search(file.relative_to(site).as_posix()):
            file.unlink()


def name_files(html: str, page: Path, site: Path) -> str:
    """A page's text whose links to folders name the page's file; a dead link is an error."""

    def named(match: re.Match[str]) -> str:
        path = unquote(match[2])
        if not path or _ELSEWHERE.match(path):
            return match[0]
        target = page.parent / path
        for suffix in ("", "/index.html", ".html"):
            found = Path(f"{target}".rstrip("/") + suffix)
            if found.is_file():
                return f"{match[1]}{_swap(match[2], suffix)}{match[3]}"
        raise PluginError(f"{page.relative_to(site)}: no file for the link '{match[2]}'")

    return _HREF.sub(named, html)


def _address(part: dict) -> str:
    """The file of a part without the hash of its content."""
    return str(part["file"]).partition("?")[0]


def _swap(path: str, suffix: str) -> str:
    return (path.rstrip("/") + suffix).removeprefix("./")
