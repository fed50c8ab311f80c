"""OKLCH colours to sRGB and their contrast: lightness steps in it look equal to the eye."""

import math

LCH = tuple[float, float, float]


def to_hex(colour: LCH) -> str:
    """'#rrggbb' of (lightness 0–1, chroma, hue in degrees), clipped to sRGB."""
    lightness, chroma, hue = colour
    a = chroma * math.cos(math.radians(hue))
    b = chroma * math.sin(math.radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    return "#" + "".join(f"{round(255 * _encode(channel)):02x}" for channel in linear)


def mix(start: LCH, end: LCH, share: float) -> LCH:
    """The colour at `share` of the way from `start` to `end`."""
    lightness, chroma, hue = (s + share * (e - s) for s, e in zip(start, end, strict=True))
    return lightness, chroma, hue


def luminance(colour: str) -> float:
    """Relative luminance of '#rrggbb' (WCAG 2.2)."""
    red, green, blue = (_decode(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours (WCAG 2.2), from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _encode(linear: float) -> float:
    linear = min(max(linear, 0.0), 1.0)
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


def _decode(encoded: float) -> float:
    return encoded / 12.92 if encoded <= 0.04045 else ((encoded + 0.055) / 1.055) ** 2.4
