"""MkDocs hook: what the page «Работа без сети» offers, and the manifest of the installed site.

`[[offline: save]]` is the place of the button, `[[offline: archive]]` the archive that `make
offline` made of this very build; without such an archive the page says how to make one.
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.utils import get_relative_url
from PIL import Image, ImageColor, ImageDraw

from figures.pipeline import embeds, site_icon, sources
from figures.shared.formats import grouped

DIST = sources.ROOT / "dist"
RECORD = "offline.json"
FOLDER = "downloads"
MANIFEST = "manifest.webmanifest"
PAPER = "#ffffff"
_PROMISE = re.compile(r"<div data-offline-promise[^>]*>.*?</div>", re.DOTALL)


@dataclass(frozen=True)
class Archive:
    """What `make offline` wrote down about the file that it made."""

    file: str
    bytes: int
    sha256: str
    build: str

    @property
    def uri(self) -> str:
        return f"{FOLDER}/{self.file}"

    @property
    def size(self) -> str:
        return f"{self.bytes / 10**6:.1f}\u00a0МБ"


def archive_of(build: str, folder: Path = DIST) -> Archive | None:
    """The archive of exactly this build: a reader is never offered an older one as the current."""
    record = folder / RECORD
    if not record.is_file():
        return None
    archive = Archive(**json.loads(record.read_text(encoding="utf-8")))
    return archive if archive.build == build and (folder / archive.file).is_file() else None


def on_files(files: Files, config: MkDocsConfig) -> Files:
    if config.extra["edition"] == "file":
        return files
    generated = {MANIFEST: json.dumps(manifest(config), ensure_ascii=False, indent=2).encode()}
    generated |= {uri: png(side) for uri, side in _icons().items()}
    for uri, content in generated.items():
        files.append(File.generated(config, uri, content=content))
    if archive := archive_of(config.extra["build"]["id"]):
        path = str(DIST / archive.file)
        files.append(File.generated(config, archive.uri, abs_src_path=path))
    return files


def on_page_content(html: str, config: MkDocsConfig, **_: object) -> str:
    """The archive promises nothing about saving: it has no such button."""
    return _PROMISE.sub("", html) if config.extra["edition"] == "file" else html


def manifest(config: MkDocsConfig) -> dict[str, object]:
    """All addresses are relative, so that the site may lie under any path."""
    return {
        "name": config.site_name,
        "short_name": "Внимание",
        "description": config.site_description,
        "lang": "ru",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "minimal-ui",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [
            {
                "src": uri,
                "sizes": f"{side}x{side}",
                "type": "image/png",
                "purpose": "any maskable",
            }
            for uri, side in _icons().items()
        ],
    }


def png(side: int) -> bytes:
    """The site's icon on paper, within the circle that any system may cut out."""
    from figures.style.palette import LIGHT

    paper = np.array(ImageColor.getrgb(PAPER))
    ink = np.array(ImageColor.getrgb(LIGHT["blue"]))
    scale = 0.56 * side / site_icon.SIDE
    picture = Image.new("RGB", (side, side), PAPER)
    pen = ImageDraw.Draw(picture)
    for x, y, opacity in site_icon.cells():
        left, top = (0.22 * side + scale * edge for edge in (x, y))
        colour = tuple(np.rint(paper + opacity * (ink - paper)).astype(int).tolist())
        pen.rectangle(
            (left, top, left + scale * site_icon.CELL, top + scale * site_icon.CELL), colour
        )
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def _icons() -> dict[str, int]:
    return {f"assets/images/app-icon-{side}.png": side for side in (192, 512)}


def show(name: str, place: embeds.Place) -> str:
    shows = {"save": _save, "archive": _archive}
    if name not in shows:
        raise embeds.EmbedError(f"unknown part '{name}' of offline, known: {', '.join(shows)}")
    return shows[name](place)


def _save(place: embeds.Place) -> str:
    if place.config.extra["edition"] == "file":
        return "<p><strong>Вы читаете сайт из архива: сеть ему не нужна.</strong></p>"
    return (
        '<p class="offline" data-offline></p>'
        "<noscript><p>Чтобы сохранить сайт, включите JavaScript или скачайте архив.</p></noscript>"
    )


def _archive(place: embeds.Place) -> str:
    archive = archive_of(place.config.extra["build"]["id"])
    if place.config.extra["edition"] == "file" or archive is None:
        return (
            "<p>Архив собирает команда <code>make offline</code> в папке с исходным кодом; "
            "он появится в папке <code>dist</code>.</p>"
        )
    link = get_relative_url(archive.uri, place.page.url)
    text = f"Скачать архив (ZIP, {archive.size})"
    return (
        f'<p><a class="md-button md-button--primary" href="{link}" download>{text}</a></p>'
        f"<p>Сборка <code>{archive.build}</code>, {grouped(archive.bytes)}\u00a0байт, SHA-256:<br>"
        f'<code class="offline__sum">{archive.sha256}</code></p>'
    )
