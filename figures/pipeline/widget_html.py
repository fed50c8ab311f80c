"""MkDocs hook: `[[widget: name]]` shows an interactive figure with its first frame in the HTML.

Each module of figures/widgets that declares a NAME also gets a file of packed frames, with a
content hash in its name, and a bare page /w/<name>/ for an iframe or a projector.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.utils import get_relative_url

from figures.pipeline import embeds, kept, places, sources
from figures.runtime import python_pack

WIDGETS = sources.ROOT / "figures" / "widgets"
DECLARED = ("TITLE", "CONTROLS", "frame", "html")
MEGABYTE = 10**6


def on_files(files: Files, config: MkDocsConfig) -> Files:
    sources.refresh()
    for name, module in widgets().items():
        _check(module)
        page = File.generated(config, f"w/{name}.md", content=_bare_page(module))
        page.inclusion = InclusionLevel.NOT_IN_NAV
        files.append(page)
        files.append(File.generated(config, _frames_uri(module), content=_frames(module)))
    return files


def widgets() -> dict[str, ModuleType]:
    """The widget modules by the name that pages use."""
    modules = []
    for path in sorted(WIDGETS.glob("[a-z]*.py")):
        with _named(path):
            modules.append(importlib.import_module(f"figures.widgets.{path.stem}"))
    return {module.NAME: module for module in modules if hasattr(module, "NAME")}


def show(name: str, place: embeds.Place) -> str:
    known = widgets()
    if name not in known:
        raise embeds.EmbedError(f"unknown widget '{name}', known: {', '.join(known)}")
    from figures.widgets import shell

    frames = get_relative_url(_frames_uri(known[name]), place.page.url)
    with _named(_path(known[name])):
        return shell.section(known[name], frames=frames, runtime_size=_runtime_size())


def _check(module: ModuleType) -> None:
    """A widget has all its parts."""
    where = places.of(_path(module))
    if missing := [part for part in DECLARED if not hasattr(module, part)]:
        raise PluginError(f"{where}: a widget declares {', '.join(missing)} too")


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """An error of a widget's Python is one line with file and line."""
    try:
        yield
    except Exception as error:
        where = places.of_error(error, path)
        if key := getattr(error, "key", None):  # of a frame
            where = places.of(path, places.line_of(path.read_text(encoding="utf-8"), f'"{key}"'))
        raise PluginError(f"{where}: {type(error).__name__}: {error}") from error


def _path(module: ModuleType) -> Path:
    return Path(str(module.__file__))


@cache
def _frames(module: ModuleType) -> str:
    """The packed file, from the cache if nothing has changed that it depends on."""
    packing = WIDGETS / "frames.py"
    digest = sources.digest([packing], sources.script_digest(_path(module)))
    file = sources.CACHE / "frames" / module.NAME / f"{digest}.js"
    if found := kept.read(file):
        return found.decode()
    script = _packed(module)
    kept.write(file, script.encode())
    return script


def _packed(module: ModuleType) -> str:
    from figures.widgets import frames

    listed = getattr(module, "LISTED", None)
    with _named(_path(module)):
        return frames.script(module.NAME, frames.pack(module.CONTROLS, listed, module.frame))


def _frames_uri(module: ModuleType) -> str:
    digest = hashlib.sha256(_frames(module).encode()).hexdigest()[:8]
    return f"assets/frames/{module.NAME}.{digest}.js"


def _runtime_size() -> str:
    return f"{python_pack.download_size() / MEGABYTE:.1f}\u00a0МБ"


def _bare_page(module: ModuleType) -> str:
    return (
        f"---\ntitle: {module.TITLE!r}\ntemplate: bare.html\nsearch: {{exclude: true}}\n---\n\n"
        f"[[widget: {module.NAME}]]\n"
    )
