"""MkDocs hook: the picture that a shared link shows, drawn from attnlib like every figure.

The card is the main interactive figure in its default state, beside the name of the site.
"""

from __future__ import annotations

import io
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from figures.pipeline import kept, sources

URI = "assets/images/card.png"
WIDTH, HEIGHT = 1200, 630
PIXELS_PER_POINT = 2
ALT = (
    "Матрица весов внимания для фразы «<s> кот сел на коврик .»: "
    "клетки выше диагонали запрещены причинной маской и заштрихованы."
)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.extra["card"] = {"uri": URI, "width": WIDTH, "height": HEIGHT, "alt": ALT}
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    if config.extra["edition"] == "site":
        files.append(File.generated(config, URI, content=card(config.site_name)))
    return files


def card(site_name: str) -> bytes:
    """The PNG, from the cache if nothing has changed that it depends on."""
    name = sources.digest([], sources.script_digest(Path(__file__)), site_name)
    file = sources.CACHE / "card" / f"{name}.png"
    picture = kept.read(file)
    if picture is None:
        picture = _draw(site_name)
        kept.write(file, picture)
    return picture


def _draw(site_name: str) -> bytes:
    import matplotlib

    from figures.shared.sentence import LESSON, vectors
    from figures.style import marks, sheets, tables
    from figures.style.palette import colour
    from figures.widgets.attention import weights_of

    sources.refresh()
    q, k = vectors(list(LESSON), d=64)
    _, weights, allowed = weights_of(q, k, scale=True, causal=True, T=1)
    size, corner = (42, 31), (322, 81)
    whole = (size[0] * len(LESSON), size[1] * len(LESSON))
    with matplotlib.rc_context():
        figure, axes = sheets.canvas(HEIGHT / PIXELS_PER_POINT, WIDTH / PIXELS_PER_POINT)
        tables.row_names(axes, corner, size, LESSON)
        tables.column_names(axes, corner, size, LESSON)
        tables.axis_names(axes, corner, whole, away=(68, 26))
        tables.weights(axes, corner, size, weights, allowed=allowed)
        for line, text in enumerate(_lines(site_name)):
            marks.label(axes, (32, 100 + 30 * line), text, align="left", font=23)
        for line, text in enumerate(("Таблицы и рисунки", "считает attnlib", "прямо на странице")):
            marks.label(axes, (32, 190 + 19 * line), text, align="left", font=12, tone="muted")
        out = io.BytesIO()
        look = {"dpi": 72 * PIXELS_PER_POINT, "facecolor": colour("paper")}
        figure.savefig(out, format="png", metadata={"Software": None}, **look)
    return out.getvalue()


def _lines(title: str) -> list[str]:
    """The title with a line for each word; short words stay with the next one."""
    return title.replace(" и ", " и\u00a0").split(" ")
