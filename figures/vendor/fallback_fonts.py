"""Prints the faces of fonts.css that stand in until a font comes.

`python -m figures.vendor.fallback_fonts FOLDER`, where FOLDER holds archives of the npm packages in
`STAND_INS`. Needs fonttools with brotli. A stand-in is a font of the reader's system, scaled so
that a Russian technical text is as wide in it as in the font that is on its way, and with its
ascent and descent: then hardly a line breaks elsewhere when the font has come. Spaces, Cyrillic
letters and the rest are scaled each for themselves, since they come in different files.
"""

from __future__ import annotations

import io
import re
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import matplotlib
from fontTools.ttLib import TTFont

from figures.pipeline import lesson
from figures.vendor.common import Package
from figures.vendor.fonts import FOLDER


@dataclass(frozen=True)
class StandIn:
    """System fonts of one and the same metrics, and where these can be read."""

    locals: tuple[str, ...]
    source: str  # an npm package, or a file of Matplotlib


STAND_INS = {
    "literata": [
        StandIn(("Noto Serif",), "noto-serif"),
        StandIn(("Times New Roman", "Liberation Serif"), "tinos"),
        StandIn(("DejaVu Serif",), "DejaVuSerif.ttf"),
    ],
    "golos-text": [
        StandIn(("Roboto",), "roboto"),
        StandIn(("Arial", "Liberation Sans"), "arimo"),
        StandIn(("DejaVu Sans",), "DejaVuSans.ttf"),
    ],
}


RANGES = {
    " ": "U+20, U+A0",
    "А-Яа-яЁё": "U+401, U+410-44F, U+451",
    "!-~«»—–…−": "U+21-7E, U+A1-FF, U+2010-2033, U+2116, U+2122, U+2212",
}
CODE = re.compile(r"```.*?```|`[^`]*`|\$[^$]*\$|\]\([^)]*\)|\{[^}]*\}|[*_#|<>=\[\]]", re.DOTALL)


@cache
def letters(kind: str) -> Counter[str]:
    """How often each sign of a kind stands in the lesson's prose."""
    prose = CODE.sub("", "".join(map(lesson.text_of, lesson.pages())))
    return Counter(re.findall(f"[{kind}]", prose))


def own(stem: str) -> list[TTFont]:
    return [TTFont(FOLDER / f"{stem}-{script}-normal.woff2") for script in ("cyrillic", "latin")]


def stand_in(source: str, archives: Path | None = None) -> list[TTFont]:
    if archives is None or source.endswith(".ttf"):
        return [TTFont(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / source)]
    [archive] = archives.glob(f"*-{source}-*.tgz")
    files = Package(archive).files
    names = (f"files/{source}-{script}-400-normal.woff2" for script in ("cyrillic", "latin"))
    return [TTFont(io.BytesIO(files[name])) for name in names]


def width(fonts: list[TTFont], kind: str) -> float:
    """Mean advance of the lesson's signs of a kind, in ems."""
    maps = [(font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm) for font in fonts]
    total = 0.0
    for letter, count in letters(kind).items():
        names, advances, em = next(found for found in maps if ord(letter) in found[0])
        total += count * advances[names[ord(letter)]][0] / em
    return total / letters(kind).total()


def metrics(stem: str, fonts: list[TTFont], kind: str) -> str:
    """The descriptors of a face, in per cent."""
    target = own(stem)
    scale = width(target, kind) / width(fonts, kind)
    head, em = target[0]["hhea"], target[0]["head"].unitsPerEm
    ascent, descent = (abs(value) / em / scale for value in (head.ascent, head.descent))
    return (
        f"size-adjust: {scale:.1%}; ascent-override: {ascent:.1%}; "
        f"descent-override: {descent:.1%}; line-gap-override: 0%;"
    )


def main(archives: Path) -> None:
    for stem, found in STAND_INS.items():
        for one in found:
            sources = ", ".join(f'local("{name}")' for name in one.locals)
            family = f"{stem.split('-')[0].title()} {one.locals[0]}"
            for kind, letters_of_kind in RANGES.items():
                print(f'@font-face {{\n  font-family: "{family}"; src: {sources};')
                print(f"  unicode-range: {letters_of_kind};")
                print(f"  {metrics(stem, stand_in(one.source, archives), kind)}\n}}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
