"""The colours of all figures and of the page around them.

matplotlib draws with the light colours; each is unique, so the SVG step can replace it by the CSS
variable of its name (`SENTINELS`), and one file then serves the light and the dark theme.
`python -m figures.style.palette` writes the variables to docs/assets/css/palette.css.
"""

from pathlib import Path

from figures.style.oklch import LCH, mix, to_hex

LEVELS = 21
DARK_FROM = 12
STYLESHEET = Path(__file__).parents[2] / "docs" / "assets" / "css" / "palette.css"

# name: (light theme, dark theme), as lightness, chroma, hue. Pure black is avoided: matplotlib
# leaves it out of the SVG, so no variable could take its place.
_TONES: dict[str, tuple[LCH, LCH]] = {
    "paper": ((1.0, 0.0, 0), (0.247, 0.016, 270)),
    "ink": ((0.27, 0.02, 260), (0.93, 0.01, 260)),
    "muted": ((0.48, 0.02, 260), (0.74, 0.02, 260)),
    "soft": ((0.973, 0.003, 265), (0.281, 0.019, 268)),
    "line": ((0.912, 0.009, 265), (0.371, 0.024, 266)),
    "rule": ((0.8, 0.01, 260), (0.43, 0.02, 260)),
    "hatch": ((0.6, 0.015, 260), (0.58, 0.02, 260)),
    "forbidden": ((0.955, 0.004, 260), (0.285, 0.012, 260)),
    "wrong": ((0.5, 0.18, 30), (0.76, 0.14, 30)),
    "blue": ((0.47, 0.14, 255), (0.76, 0.11, 255)),
    "blue-soft": ((0.952, 0.016, 254), (0.323, 0.044, 259)),
    "orange": ((0.6, 0.15, 50), (0.8, 0.13, 65)),
    "green": ((0.53, 0.11, 165), (0.72, 0.12, 165)),
    "on-low": ((0.09, 0.0, 0), (0.995, 0.0, 0)),
    "on-high": ((0.99, 0.0, 0), (0.1, 0.0, 0)),
    "head-1": ((0.94, 0.045, 95), (0.53, 0.085, 90)),
    "head-2": ((0.845, 0.075, 235), (0.45, 0.09, 245)),
    "head-3": ((0.735, 0.12, 45), (0.37, 0.09, 40)),
    "head-4": ((0.63, 0.09, 165), (0.29, 0.05, 165)),
}
_SCALE: tuple[tuple[LCH, LCH], tuple[LCH, LCH]] = (
    ((0.975, 0.012, 235), (0.28, 0.115, 265)),
    ((0.27, 0.02, 265), (0.795, 0.095, 220)),
)

LIGHT = {name: to_hex(light) for name, (light, _) in _TONES.items()}
DARK = {name: to_hex(dark) for name, (_, dark) in _TONES.items()}
for _level in range(LEVELS):
    for _theme, _ends in zip((LIGHT, DARK), _SCALE, strict=True):
        _theme[f"weight-{_level:02d}"] = to_hex(mix(*_ends, _level / (LEVELS - 1)))

SENTINELS = {colour: f"--fig-{name}" for name, colour in LIGHT.items()}
if len(SENTINELS) != len(LIGHT):
    raise ValueError("two palette names share one light colour, so the SVG could not tell them")


def colour(name: str) -> str:
    """The colour to give to matplotlib."""
    return LIGHT[name]


def weight_tone(weight: float) -> str:
    """Name of the cell colour of a weight from 0 to 1."""
    level = round(min(max(float(weight), 0.0), 1.0) * (LEVELS - 1))
    return f"weight-{level:02d}"


def text_on(fill: str) -> str:
    """Name of the text colour that is readable on the tone `fill` in both themes."""
    if not fill:
        return "ink"
    dark = fill.startswith("weight-") and int(fill.removeprefix("weight-")) >= DARK_FROM
    return "on-high" if dark else "on-low"


def css() -> str:
    """The stylesheet with both themes; print is always light."""
    light, dark = (
        "".join(f"  --fig-{name}: {value};\n" for name, value in theme.items())
        for theme in (LIGHT, DARK)
    )
    return (
        "/* Written by `python -m figures.style.palette`. */\n"
        f":root,\n[data-md-color-scheme] {{\n{light}}}\n\n"
        f'@media screen {{\n[data-md-color-scheme="slate"] {{\n{dark}}}\n}}\n'
    )


if __name__ == "__main__":
    STYLESHEET.write_text(css(), encoding="utf-8")
