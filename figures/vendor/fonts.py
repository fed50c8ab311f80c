"""Vendors the fonts of the site: `python -m figures.vendor.fonts FOLDER`.

FOLDER holds the archives of the npm packages in `FACES`. Needs fonttools with brotli, and the
DejaVu Sans that comes with Matplotlib. Each face is cut to the letters of a Russian technical text
and to the weights in use; the writing of fonts is deterministic.
"""

from __future__ import annotations

import io
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

from figures.vendor.common import ASSETS, Package, sha256, write_manifest

FOLDER = ASSETS / "fonts"

LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x100)]
PUNCTUATION = [0x2009, 0x202F, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2018, 0x2019, 0x201A,
               0x201C, 0x201D, 0x201E, 0x2020, 0x2022, 0x2026, 0x2032, 0x2033, 0x2116, 0x2122,
               0x2191, 0x2193, 0x2212]  # fmt: skip
CYRILLIC = [0x401, *range(0x410, 0x450), 0x451, 0x2116]
GREEK = range(0x391, 0x3CA)
SUPERSCRIPTS = [*range(0x2070, 0x209D)]
ARROWS = [*range(0x2190, 0x219A), 0x21D2, 0x21D4, 0x21E5, 0x21B5]
OPERATORS = [0x2200, 0x2202, 0x2203, 0x2205, 0x2207, 0x2208, 0x2209, 0x220F, 0x2211, 0x2212,
             0x2215, 0x2218, 0x221A, 0x221D, 0x221E, 0x2227, 0x2228, 0x2229, 0x222A, 0x222B,
             0x2248, 0x2260, 0x2261, 0x2264, 0x2265, 0x226A, 0x226B, 0x2282, 0x2286, 0x2295,
             0x2297, 0x22A4, 0x22C5, 0x22C6, 0x22EE, 0x22EF, 0x22F1]  # fmt: skip
SIGNS = [
    *range(0x2500, 0x25A1),
    0x25AA,
    0x25B2,
    0x25B6,
    0x25BC,
    0x25C0,
    0x25CB,
    0x25CF,
    0x2713,
    0x2717,
]


@dataclass(frozen=True)
class Face:
    """One face of a package: its file name without the script, and the weights to keep."""

    package: str
    stem: str
    style: str
    weights: tuple[int, int] | int


FACES = (
    Face("literata", "literata", "normal", (400, 700)),
    Face("literata", "literata", "italic", 400),
    Face("golos-text", "golos-text", "normal", (400, 700)),
    Face("jetbrains-mono", "jetbrains-mono", "normal", (400, 700)),
)


def cut(data: bytes, letters: list[int], weights: tuple[int, int] | int | None = None) -> bytes:
    """A woff2 with the given letters and weights only."""
    font = TTFont(io.BytesIO(data), recalcTimestamp=False)
    if weights is not None:
        font = _reread(instantiateVariableFont(font, {"wght": weights}))
    options = Options()
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl", "liga", "calt", "tnum"]
    options.name_IDs = [0, 1, 2, 5, 13, 14]
    options.drop_tables += ["FFTM"]
    options.hinting = False
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    font.flavor = "woff2"
    return _written(font)


def _written(font: TTFont) -> bytes:
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def _reread(font: TTFont) -> TTFont:
    """The instancer leaves tables half decoded, which the subsetter cannot cut."""
    font.flavor = None
    return TTFont(io.BytesIO(_written(font)), recalcTimestamp=False)


def vendor_face(face: Face, package: Package) -> None:
    for script, letters in (("latin", LATIN + PUNCTUATION), ("cyrillic", CYRILLIC)):
        data = package.files[f"files/{face.stem}-{script}-wght-{face.style}.woff2"]
        name = f"{face.stem}-{script}-{face.style}.woff2"
        (FOLDER / name).write_bytes(cut(data, letters, face.weights))
    (FOLDER / f"LICENSE-{face.package}").write_bytes(package.files["LICENSE"])


def vendor_dejavu() -> dict[str, Any]:
    """The font of the figures, and of the signs that the text faces lack."""
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    data = (folder / "DejaVuSans.ttf").read_bytes()
    letters = [*LATIN, *PUNCTUATION, *CYRILLIC, *GREEK, *SUPERSCRIPTS, *ARROWS, *OPERATORS, *SIGNS]
    (FOLDER / "dejavu-sans.woff2").write_bytes(cut(data, letters))
    (FOLDER / "LICENSE-dejavu").write_bytes((folder / "LICENSE_DEJAVU").read_bytes())
    return {
        "origin": f"matplotlib {matplotlib.__version__}, DejaVuSans.ttf",
        "version": "2.37",
        "licence": "Bitstream Vera",
        "sha256": sha256(data),
    }


def main(archives: Path) -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    origins: list[dict[str, Any]] = []
    packages: dict[str, Package] = {}
    for face in FACES:
        if face.package not in packages:
            [archive] = archives.glob(f"*-{face.package}-*.tgz")
            packages[face.package] = Package(archive)
            origins.append(packages[face.package].origin())
        vendor_face(face, packages[face.package])
    origins.append(vendor_dejavu())
    write_manifest(FOLDER, origins, "cut to the letters and weights in use, hinting dropped")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
