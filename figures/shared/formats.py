"""Every number that a widget shows becomes text here, and nowhere else."""

from __future__ import annotations

import math

MINUS = "\u2212"
NBSP = "\u00a0"
NARROW = "\u202f"
INFINITY = "\u221e"
BLOCKED = f"{MINUS}{INFINITY} → 0"


def fixed(value: float, digits: int) -> str:
    """A number with that many decimals.

    >>> fixed(-1.239, 2), fixed(-0.001, 2)
    ('−1.24', '0.00')
    """
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def trimmed(value: float, digits: int) -> str:
    """At most that many decimals, without zeros at the end.

    >>> trimmed(0.5, 3), trimmed(2.0, 3)
    ('0.5', '2')
    """
    text = fixed(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def significant(value: float, digits: int = 3) -> str:
    """A number to that many significant digits, without an exponent.

    >>> significant(4.3831), significant(1234.5), significant(0.05), significant(0)
    ('4.38', '1230', '0.0500', '0')
    """
    if value == 0:
        return "0"
    rounded, exponent = f"{value:.{digits - 1}e}".split("e")
    return grouped(fixed(float(f"{rounded}e{exponent}"), max(0, digits - 1 - int(exponent))))


def scientific(value: float, digits: int = 2) -> str:
    """A number with an exponent that is not padded.

    >>> scientific(0.24726), scientific(0)
    ('2.47e-1', '0')
    """
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.{digits}e}".split("e")
    return f"{mantissa.replace('-', MINUS)}e{int(exponent)}"


def weight(value: float) -> str:
    """A weight with at most three decimals; only an exact 1 is shown as 1.

    >>> weight(1.0), weight(0.99996), weight(0.5)
    ('1', '≈\\xa01', '0.5')
    """
    text = trimmed(value, 3)
    return f"≈{NBSP}1" if text == "1" and value < 1 else text


def bits(value: float) -> str:
    """An entropy, with three decimals; nothing at all is a plain 0.

    >>> bits(1.20855), bits(0.0)
    ('1.209', '0')
    """
    return fixed(value, 3) if value else "0"


def percent(share: float) -> str:
    """A share in percent; near 0 and 100 with more decimals, and never rounded to 0 or 100.

    >>> percent(0.17605), percent(0.0014135), percent(0.9999878), percent(1e-7)
    ('17.6\\xa0%', '0.14\\xa0%', '99.999\\xa0%', '0.00001\\xa0%')
    >>> percent(1e-30), percent(1 - 1e-12), percent(0), percent(1)
    ('<\\xa00.00001\\xa0%', '≈\\xa0100\\xa0%', '0\\xa0%', '100\\xa0%')
    """
    value = 100 * share
    if 0 < value < 0.000005:
        return f"<{NBSP}0.00001{NBSP}%"
    if 99.9995 <= value < 100:
        return f"≈{NBSP}100{NBSP}%"
    if 0 < value < 1:
        digits = min(1 - math.floor(math.log10(value)), 5)
    else:
        digits = 3 if value >= 99.95 else 1
    return f"{trimmed(value, digits)}{NBSP}%"


def grouped(number: int | str) -> str:
    """Digits in groups of three, from 10 000 up.

    >>> grouped(8256), grouped(524800)
    ('8256', '524\\u202f800')
    """
    whole, dot, rest = str(number).replace("-", MINUS).partition(".")
    digits = whole.lstrip(MINUS)
    if len(digits) > 4:
        digits = f"{int(digits):,}".replace(",", NARROW)
    return f"{MINUS if whole.startswith(MINUS) else ''}{digits}{dot}{rest}"


def plain(value: float | int | str) -> str:
    """A value of a control as it is written in the code.

    >>> plain(64), plain(0.1), plain(1.0)
    ('64', '0.1', '1')
    """
    return value if isinstance(value, str) else grouped(f"{value:.12g}")


def agree(number: int, one: str, few: str, many: str) -> str:
    """The form of a Russian noun after a whole number.

    >>> [agree(n, "голова", "головы", "голов") for n in (1, 3, 5, 11, 21)]
    ['голова', 'головы', 'голов', 'голов', 'голова']
    """
    tens, ones = abs(number) % 100, abs(number) % 10
    if ones == 1 and tens != 11:
        return one
    return few if 2 <= ones <= 4 and not 12 <= tens <= 14 else many


def count(number: int, one: str, few: str, many: str) -> str:
    """A whole number with its noun.

    >>> count(8, "голова", "головы", "голов")
    '8\\xa0голов'
    """
    return f"{grouped(number)}{NBSP}{agree(number, one, few, many)}"


def binary_size(number: int) -> str:
    """Bytes in binary units, with at most two decimals.

    >>> binary_size(2**30), binary_size(5 * 2**28), binary_size(2**24), binary_size(512)
    ('1\\xa0ГиБ', '1.25\\xa0ГиБ', '16\\xa0МиБ', '512\\xa0байт')
    """
    units = ("байт", "КиБ", "МиБ", "ГиБ", "ТиБ")
    step = min(max(number.bit_length() - 1, 0) // 10, len(units) - 1)
    return f"{grouped(trimmed(number / 1024**step, 2))}{NBSP}{units[step]}"
