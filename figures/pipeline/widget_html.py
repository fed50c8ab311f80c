"""MkDocs hook: `[[widget: name]]` shows an interactive figure with its first frame in the HTML.

Each module of figures/widgets that declares a NAME also gets a file of packed frames, with a
content hash in its name, and a bare page /w/<name>/ for an iframe or a projector.
"""

from __future__ import annotations

import hashlib
import importlib
from functools import cache
from types import ModuleType

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.utils import get_relative_url

from figures.pipeline import embeds, python_pack, sources

WIDGETS = sources.ROOT / "figures" / "widgets"
MEGABYTE = 10**6


def on_files(files: Files, config: MkDocsConfig) -> Files:
    sources.refresh()
    for name, module in widgets().items():
        page = File.generated(config, f"w/{name}.md", content=_bare_page(module))
        page.inclusion = InclusionLevel.NOT_IN_NAV
        files.append(page)
        files.append(File.generated(config, _frames_uri(module), content=_frames(module)))
    return files


def widgets() -> dict[str, ModuleType]:
    """The widget modules by the name that pages use."""
    stems = sorted(path.stem for path in WIDGETS.glob("[!_]*.py"))
    modules = [importlib.import_module(f"figures.widgets.{stem}") for stem in stems]
    return {module.NAME: module for module in modules if hasattr(module, "NAME")}


def show(name: str, place: embeds.Place) -> str:
    known = widgets()
    if name not in known:
        raise embeds.EmbedError(f"unknown widget '{name}', known: {', '.join(known)}")
    from figures.widgets import shell

    frames = get_relative_url(_frames_uri(known[name]), place.page.url)
    return shell.section(known[name], frames=frames, runtime_size=_runtime_size())


@cache
def _frames(module: ModuleType) -> str:
    from figures.widgets import frames

    listed = getattr(module, "LISTED", None)
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


embeds.register("widget", show)
