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
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files

from figures.pipeline import offline_files, python_pack
from figures.pipeline.theme_files import STEMMERS

_SCRIPTS = "assets/js/offline/"
_SEARCH_WORKER = f"{_SCRIPTS}search_worker.js"
_BY_ADDRESS = "assets/js/runtime/assets_http.js"
_NAVIGATION = "assets/js/site/navigation.js"
_EMBEDDED = "assets/js/runtime/assets_embedded.js"
_SEARCH_INDEX = "search/search_index"
_SERVER_ONLY = re.compile(
    r"^(404\.html|sitemap\.xml(\.gz)?|search/search_index\.json)$|\.(bin|webmanifest)$"
    r"|^assets/javascripts/(lunr|workers)/|/app-icon-[\w-]+\.png$"
)
_HREF = re.compile(r'(\shref=")([^"#?]*)((?:[#?][^"]*)?")')
_ELSEWHERE = re.compile(r"^(//|[a-z][\w+.-]*:)", re.IGNORECASE)

_command = "build"


def on_startup(command: str, dirty: bool) -> None:
    global _command
    _command = command


@event_priority(100)  # the other steps ask for the edition
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    edition = config.extra.setdefault("edition", "draft" if _command == "serve" else "site")
    if edition == "file":
        features = config.theme["features"]
        config.theme["features"] = [one for one in features if "navigation.instant" not in one]
        scripts = [str(script) for script in config.extra_javascript]
        config.extra_javascript = [
            _EMBEDDED if script == _BY_ADDRESS else script
            for script in scripts
            if not script.startswith(_SCRIPTS)
        ]
        config.extra["polyfills"] = [_SEARCH_WORKER]
    return config


@event_priority(-50)  # after the steps that add files
def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Each edition leaves out the scripts that only the other one runs."""
    is_file = config.extra["edition"] == "file"
    for file in list(files):
        own = file.src_uri in (_SEARCH_WORKER, _EMBEDDED)
        served = file.src_uri in (_BY_ADDRESS, _NAVIGATION)
        other = served or (file.src_uri.startswith(_SCRIPTS) and not own)
        if other if is_file else own:
            files.remove(file)
    return files


@event_priority(-85)  # before the content policy
def on_post_build(config: MkDocsConfig) -> None:
    if config.extra["edition"] != "file":
        return
    site = Path(config.site_dir)
    embed_runtime(site)
    embed_search(site)
    for file in [path for path in site.rglob("*") if path.is_file()]:
        if _SERVER_ONLY.search(file.relative_to(site).as_posix()):
            file.unlink()
    for page in sorted(site.rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        page.write_text(name_files(text, page, site), encoding="utf-8")


def embed_runtime(site: Path) -> None:
    """Each part of Python as a script that hands over the base64 of the very same bytes."""
    folder = site / "assets" / "runtime"
    index = []
    for part in filter(offline_files.is_kept, python_pack.index()):
        file = folder / part["file"].partition("?")[0]
        text = base64.b64encode(file.read_bytes()).decode()
        name = json.dumps(part["name"])
        script = folder / f"{file.stem}.js"
        script.write_text(f'(attn.embedded ??= {{}})[{name}] = "{text}";\n', encoding="utf-8")
        index.append({**part, "file": script.name})
    for name in python_pack.WORKER_SCRIPTS:
        (site / "assets" / "js" / "runtime" / name).unlink()
    (site / "assets" / python_pack.INDEX).write_bytes(python_pack.index_script(index))


def embed_search(site: Path) -> None:
    """The index as a script, and the text of the search worker with the stemmers it asks for."""
    index = site / f"{_SEARCH_INDEX}.json"
    script = f"var __index = {index.read_text(encoding='utf-8')};\n"
    index.with_suffix(".js").write_text(script, encoding="utf-8")
    [worker] = (site / "assets" / "javascripts" / "workers").glob("search.*.min.js")
    texts = [
        file.read_text(encoding="utf-8")
        for file in (worker, *(site / stemmer for stemmer in STEMMERS))
    ]
    source = json.dumps("\n".join(texts), ensure_ascii=False)
    starter = site / _SEARCH_WORKER
    own = starter.read_text(encoding="utf-8")
    starter.write_text(f"(self.attn ??= {{}}).searchWorker = {source};\n{own}", encoding="utf-8")


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


def _swap(path: str, suffix: str) -> str:
    return (path.rstrip("/") + suffix).removeprefix("./")
