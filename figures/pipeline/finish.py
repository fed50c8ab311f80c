"""MkDocs hook: the last steps, over each page and over the built site, in their order."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

from figures.pipeline import (
    content_policy,
    held,
    katex_math,
    offline_edition,
    offline_release,
    offline_worker,
    page_slips,
    theme_names,
    typography,
)
from figures.runtime import python_pack


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    page_slips.check_keys(output, page)
    html = typography.keep_untranslated(output)
    html = typography.bind_html(
        html
    )  # before the formulas are rendered: their marks are stepped over
    html = katex_math.rendered(html, page)
    html = theme_names.name_parts(html)
    return held.release(html)  # no step looks into a picture


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    return theme_names.name_parts(output) if template_name.endswith(".html") else output


def on_post_build(config: MkDocsConfig) -> None:
    site, edition = Path(config.site_dir), config.extra.get("edition", "part")
    katex_math.write_search_index(site)
    if edition == "draft":
        return
    if edition == "file":
        offline_edition.embed(site)
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}
    if edition == "file":
        for path, text in pages.items():
            pages[path] = offline_edition.name_files(text, path, site)
    if edition == "site":
        offline_release.stamp(site, pages)
    content_policy.add(pages)
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")
    if edition == "site":
        offline_worker.write(site, python_pack.index())
