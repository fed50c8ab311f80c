"""MkDocs hook: each figure script is executed by mkdocs-jupyter and shown as a page.

The scripts stay outside docs/: they become pages as generated files. mkdocs-jupyter does not know
what a script imports, so each page has a cache folder named after the hash of all of that.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import jupytext
import nbformat
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import CombinedEvent, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc
from mkdocs.utils import get_relative_url

from figures.pipeline import drawing, kept, lab_examples, lesson, notebook_html, sources
from figures.pipeline.static_figures import page_uri, svg_uri

FOLDER = "figures"


def on_startup(command: str, dirty: bool) -> None:
    """The kernels import this tree, write no caches into it and read no user's set-up."""
    kept = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(sources.ROOT), *([kept] if kept else [])])
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    os.environ["JUPYTER_NO_CONFIG"] = "1"
    profile = sources.ROOT / ".cache" / "ipython" / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    quiet = "c.IPKernelApp.log_level = 40  # no warning that local sockets are not encrypted\n"
    (profile / "ipython_kernel_config.py").write_text(quiet, encoding="utf-8")
    os.environ["IPYTHONDIR"] = str(profile.parent)
    sys.dont_write_bytecode = True


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for script in sources.scripts():
        name = sources.name_of(script)
        files.append(File.generated(config, page_uri(name), abs_src_path=str(script)))
        source = script.read_text(encoding="utf-8")
        for suffix, content in ((".py", source), (".ipynb", _notebook(source))):
            uri = f"{FOLDER}/{name}/{script.stem}{suffix}"
            files.append(File.generated(config, uri, content=content))
    return files


def _choose_cache(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """Gives the page a cache folder of its own, named after all that its output depends on."""
    if _is_executed(page):
        script = Path(page.file.abs_src_path or "")
        folder = sources.CACHE / "pages" / sources.name_of(script)
        current = folder / sources.script_digest(script)
        if not all(map(kept.read_json, current.glob("*.json"))) or not current.is_dir():
            shutil.rmtree(folder, ignore_errors=True)
        config.plugins["mkdocs-jupyter"].config["cache_dir"] = str(current)
    return page


def _explain_errors(page: Page, config: MkDocsConfig, files: Files) -> Page:
    if _is_executed(page):
        page.render = _explained(page.render, page)
    return page


on_pre_page = CombinedEvent(
    event_priority(100)(_choose_cache),  # before mkdocs-jupyter reads the folder
    _explain_errors,  # after it has replaced the page's render
)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if not _is_executed(page):
        return html
    name = page.file.src_uri.removeprefix(f"{FOLDER}/").removesuffix(".md")
    drawn = drawing.draw(name)
    page.title = drawn.title
    page.meta.setdefault("description", drawn.description)
    cells = notebook_html.extract(html, drawn.title)
    page.toc = get_toc(cells.toc_tokens)
    svg = get_relative_url(svg_uri(name), page.url)
    stem = get_relative_url(f"{FOLDER}/{name}/fig_{name}", page.url)
    return (
        _back_link(name, page, files)
        + cells.html
        + notebook_html.downloads(stem, svg)
        + lab_examples.link_of_figure(name, page, files)
    )


def _is_executed(page: Page) -> bool:
    path = page.file.abs_src_path
    return path is not None and os.path.dirname(path) == str(sources.STATIC)


def _explained(render: Callable[..., None], page: Page) -> Callable[..., None]:
    def explained(config: MkDocsConfig, files: Files) -> None:
        try:
            render(config, files)
        except Exception as error:
            script = os.path.relpath(page.file.abs_src_path or "", sources.ROOT)
            raise PluginError(f"{script}: {error}") from error

    return explained


def _notebook(source: str) -> str:
    notebook = jupytext.reads(source, fmt="py:percent")
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number}"
    return nbformat.writes(notebook) + "\n"


def _back_link(name: str, page: Page, files: Files) -> str:
    section = lesson.section_of_figure(name)
    if section is None:
        return ""
    target = files.get_file_from_path(section.page)
    assert target is not None, f"no page {section.page}"
    link = f"{get_relative_url(target.url, page.url)}#{section.anchor}"
    return f'<p class="fig-back"><a href="{link}">Урок: {section.title}</a></p>'
