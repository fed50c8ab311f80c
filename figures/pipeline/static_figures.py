"""MkDocs hook: `[[figure: name]]` shows a figure of figures/static with its caption and page."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.utils import get_relative_url

from figures.pipeline import drawing, embeds, held, inline, lesson, sources
from figures.style.svg import FigureError, standalone


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Publishes each figure as an .svg file beside its page."""
    from figures.style.palette import LIGHT

    variables = {f"--fig-{name}": colour for name, colour in LIGHT.items()}
    for script in sources.scripts():
        try:
            drawn = drawing.draw(sources.name_of(script))
        except FigureError as error:
            raise PluginError(str(error)) from error
        text = standalone(drawn.svg, variables)
        files.append(File.generated(config, svg_uri(drawn.name), content=text))
    return files


GALLERY = "figures/index.md"


def svg_uri(name: str) -> str:
    return f"figures/{name}/{name}.svg"


def page_uri(name: str) -> str:
    """Source address of the page that shows how the figure is made."""
    return f"figures/{name}.md"


def show(name: str, place: embeds.Place) -> str:
    try:
        drawn = drawing.draw(name)
    except FigureError as error:
        raise embeds.EmbedError(str(error)) from error
    made = place.files.get_file_from_path(page_uri(name))
    assert made is not None, f"no page for figure {name}"
    link = get_relative_url(made.url, place.page.url)
    return (
        f'<figure class="fig" id="fig-{name.replace("_", "-")}">'
        f'<div class="fig-scroll">{held.hold(drawn.svg)}</div>'
        f"<figcaption>{inline.to_html(drawn.caption)} "
        f'<a class="fig-source" href="{link}">Как построен рисунок</a></figcaption></figure>'
    )


def show_others(name: str, place: embeds.Place) -> str:
    """`[[gallery]]`: the figures that the page itself does not show, in their order."""
    own = {embed.name for embed in embeds.find(place.page.file.content_string)}
    names = lesson.sort_figures(map(sources.name_of, sources.scripts()))
    return "".join(show(other, place) for other in names if other not in own)
