"""Numbers as the course writes them: decimal point, thin no-break spaces, binary units."""

from __future__ import annotations

from fractions import Fraction

THIN = "\u202f"  # between groups of three digits
NO_BREAK = "\u00a0"  # between a number and its unit
BINARY_UNITS = ("байт", "КиБ", "МиБ", "ГиБ", "ТиБ")


def grouped(number: int) -> str:
    """16384 → «16 384»; below 10 000 the digits stay together."""
    return f"{number:,}".replace(",", THIN) if number >= 10_000 else str(number)


def decimal(number: float | Fraction, digits: int) -> str:
    """At most `digits` decimals, trailing zeros cut, a real minus."""
    text = f"{float(number):.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-", "−")


def percent(share: Fraction, digits: int = 3) -> str:
    """17/32 → «53.125 %»."""
    return f"{decimal(share * 100, digits)}{NO_BREAK}%"


def binary_size(size: int) -> str:
    """1073741824 → «1 ГиБ»."""
    power = max(p for p in range(len(BINARY_UNITS)) if size >= 1024**p or p == 0)
    return f"{decimal(Fraction(size, 1024**power), 2)}{NO_BREAK}{BINARY_UNITS[power]}"
