"""Turns a Matplotlib figure into the SVG text that the site shows.

The text is the same on every machine: salted ids, no date, coordinates rounded to 0.01. Colours
are CSS variables (`figures.style.palette.SENTINELS` maps each colour of the light theme to its
variable), text stays text, no id can meet an id of another figure.
"""

from __future__ import annotations

import io
import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Mapping

import matplotlib
from matplotlib.figure import Figure

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
HREF = f"{{{XLINK}}}href"  # the theme assigns to every plain href of a page, which <use> refuses
PX_PER_PT = 4 / 3
FONT_FAMILY = "'DejaVu Sans', sans-serif"

_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}
_HEX = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_FONT_FAMILY = re.compile(r"font-family: 'DejaVu Sans',[^;]*;\s*")
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_NUMERIC = {"d", "x", "y", "x1", "y1", "x2", "y2", "width", "height", "transform", "points"}

ET.register_namespace("", SVG)
ET.register_namespace("xlink", XLINK)


class FigureError(ValueError):
    """A figure that would break on the page: a raster image, a foreign colour, a missing glyph."""

    def __init__(self, message: str, lineno: int | None = None) -> None:
        super().__init__(message)
        self.lineno = lineno  # in the script, if the check knows it


def render(figure: Figure, name: str, description: str = "") -> str:
    """Returns the `<svg>` element of `figure`; `name` salts and prefixes its ids.

    With a `description` the element carries it for readers who cannot see the figure.
    """
    from figures.style.palette import SENTINELS

    root = ET.fromstring(_save(figure, name))
    if root.find(f".//{{{SVG}}}image") is not None:
        raise FigureError("holds a raster image: draw rectangles or pcolormesh instead of imshow")
    _strip(root)
    _rename_ids(root, f"f-{name}-")
    _round(root)
    _paint(root, {colour.lower(): variable for colour, variable in SENTINELS.items()})
    _plain_text(root)
    _unwrap(root)
    _frame(root, description)
    ET.indent(root, space="")
    return ET.tostring(root, encoding="unicode")


def standalone(svg: str, variables: Mapping[str, str]) -> str:
    """Returns `svg` as a file of its own: the CSS variables become the given colours."""
    for variable, colour in variables.items():
        svg = svg.replace(f"var({variable})", colour)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg}\n'


def _save(figure: Figure, name: str) -> bytes:
    out = io.BytesIO()
    options = {"svg.fonttype": "none", "svg.hashsalt": name}
    with warnings.catch_warnings(), matplotlib.rc_context(options):
        warnings.filterwarnings("error", message="Glyph .* missing")
        try:
            figure.savefig(out, format="svg", metadata=_METADATA)
        except UserWarning as warning:
            raise FigureError(f"the bundled font lacks a letter: {warning}") from warning
    return out.getvalue()


def _strip(root: ET.Element) -> None:
    """Drops Matplotlib's metadata and its style element, whose `*` rule would reach the page."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in {f"{{{SVG}}}metadata", f"{{{SVG}}}style"}:
                parent.remove(child)


def _rename_ids(root: ET.Element, prefix: str) -> None:
    used = set()
    for element in root.iter():
        for value in element.attrib.values():
            used.update(_REFERENCE.findall(value))
        if (href := element.get(HREF, "")).startswith("#"):
            used.add(href[1:])
            element.set(HREF, f"#{prefix}{href[1:]}")
    for element in root.iter():
        name = element.attrib.pop("id", None)
        for key, value in element.attrib.items():
            element.set(key, _REFERENCE.sub(rf"url(#{prefix}\1)", value))
        if name in used:
            element.set("id", prefix + name)
        elif name and name.startswith("k:"):
            element.set("data-k", name[2:])


def _round(root: ET.Element) -> None:
    def short(match: re.Match[str]) -> str:
        text = f"{float(match[0]):.2f}".rstrip("0").rstrip(".")
        return "0" if text == "-0" else text

    for element in root.iter():
        for key, value in element.attrib.items():
            if key in _NUMERIC:
                element.set(key, " ".join(_LONG_NUMBER.sub(short, value).split()))


def _paint(root: ET.Element, variables: Mapping[str, str]) -> None:
    foreign: set[str] = set()

    def variable(match: re.Match[str]) -> str:
        colour = match[0].lower()
        if colour not in variables:
            foreign.add(colour)
            return colour
        return f"var({variables[colour]})"

    for element in root.iter():
        for key, value in element.attrib.items():
            if key != HREF:
                element.set(key, _HEX.sub(variable, value))
    if foreign:
        raise FigureError(f"colours outside figures.style.palette: {', '.join(sorted(foreign))}")


def _plain_text(root: ET.Element) -> None:
    """Leaves the font family to the root element and drops rotations by nothing."""
    for element in root.iter(f"{{{SVG}}}text"):
        style = _FONT_FAMILY.sub("", element.get("style", ""))
        element.set("style", style)
        if element.get("transform", "").startswith(("rotate(-0 ", "rotate(0 ")):
            del element.attrib["transform"]


def _unwrap(root: ET.Element) -> None:
    """Replaces groups that say nothing by their children, and drops empty definitions."""
    for parent in reversed(list(root.iter())):
        children: list[ET.Element] = []
        for child in parent:
            plain = not child.attrib and not (child.text or "").strip()
            if child.tag == f"{{{SVG}}}g" and plain:
                children.extend(child)
            elif child.tag != f"{{{SVG}}}defs" or len(child):
                children.append(child)
        parent[:] = children


def _frame(root: ET.Element, description: str) -> None:
    width, height = (float(v) * PX_PER_PT for v in root.attrib["viewBox"].split()[2:])
    view_box = root.attrib["viewBox"]
    root.attrib.clear()
    root.attrib.update(
        {"viewBox": view_box, "width": f"{width:.0f}", "height": f"{height:.0f}"},
    )
    root.set("class", "fig-svg")
    root.set("translate", "no")  # words in a drawing are as wide as their places
    root.set("font-family", FONT_FAMILY)
    root.set("fill", "currentColor")
    if description:
        root.set("role", "img")
        root.set("aria-label", " ".join(description.split()))
