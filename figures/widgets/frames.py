"""All frames of a widget's listed states in one small file, which the page only looks up.

A frame is cut into parts (the leaves of its dicts). A part is stored once for each combination of
the controls that it really depends on: the scores of W1 are the same with and without the mask, so
they are stored once for both. Two decimals and four decimals of a cell are one number in the file.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from figures.shared.formats import MINUS
from figures.widgets.controls import Control, defaults

State = dict[str, Any]
Path = tuple[str, ...]

UNPACKED = "raw"  # numbers for the tests, made by the live runtime only
MASK = "mask"  # a square of 1 (allowed) and 0


class FrameError(TypeError):
    """A value of a frame that the page cannot be given, and its key."""

    def __init__(self, path: Path, value: Any) -> None:
        super().__init__(
            f"frame: {'.'.join(map(str, path))} is {type(value).__name__} {value!r:.60}; a frame "
            "holds texts, finite numbers, True, False, None, lists and dicts of them (.tolist())"
        )
        self.key = str(path[-1])


def axes(controls: Sequence[Control], listed: Sequence[str] | None) -> dict[str, tuple[Any, ...]]:
    """The controls whose states are packed, with their values."""
    return {
        control.name: control.values
        for control in controls
        if control.values and (listed is None or control.name in listed)
    }


def states(controls: Sequence[Control], listed: Sequence[str] | None) -> Iterator[State]:
    """Every state of the packed controls, the others at their defaults; the last runs fastest."""
    packed = axes(controls, listed)
    for values in itertools.product(*packed.values()):
        yield {**defaults(controls), **dict(zip(packed, values, strict=True))}


def pack(
    controls: Sequence[Control],
    listed: Sequence[str] | None,
    frame: Callable[[State], dict[str, Any]],
) -> dict[str, Any]:
    """The content of the packed file."""
    packed = axes(controls, listed)
    sizes = [len(values) for values in packed.values()]
    leaves = [dict(_leaves(_plain(frame(state)))) for state in states(controls, listed)]
    parts = []
    for path in leaves[0]:
        column = [_encode(leaf[path]) for leaf in leaves]
        used = [axis for axis in range(len(sizes)) if _depends(column, sizes, axis)]
        kept = [column[place] for place in _places(sizes, used)]
        distinct = list(dict.fromkeys(kept))
        part = {"path": path, "axes": used, "values": [json.loads(text) for text in distinct]}
        if len(distinct) < len(kept):
            where = {text: place for place, text in enumerate(distinct)}
            part["at"] = [where[text] for text in kept]
        parts.append(part)
    return {"axes": [[name, list(values)] for name, values in packed.items()], "parts": parts}


def script(widget: str, content: dict[str, Any]) -> str:
    """The packed file: a classic script, since a page opened from disk cannot fetch."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return f"((self.attn ??= {{}}).packed ??= {{}})[{json.dumps(widget)}] = {text};\n"


def fixed_point(long: str | None, short: str | None) -> str:
    """Both texts of a cell as one number of ten-thousandths.

    The short text is added where it is not the plain rounding of the long one: a double rounding.

    >>> fixed_point("0.2940", "0.29"), fixed_point("−1.2350", "−1.23"), fixed_point(None, None)
    ('2940', '-12350', '')
    >>> fixed_point("0.2950", "0.29")
    '2950=0.29'
    """
    if long is None or short is None:
        return ""
    number = int(long.replace(MINUS, "-").replace(".", ""))
    hundredths = math.floor(number / 100 + 0.5)
    sign = MINUS if hundredths < 0 else ""
    rounded = f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02d}"
    sign = MINUS if number < 0 else ""
    if f"{sign}{abs(number) // 10_000}.{abs(number) % 10_000:04d}" != long:
        raise ValueError(f"a cell that the packed file cannot hold: {long!r}")
    return str(number) if rounded == short else f"{number}={short}"


def _plain(value: Any, path: Path = ()) -> Any:
    """The value itself, if JSON can hold it: the live runtime sends the same frame, "raw" too."""
    if isinstance(value, dict):
        for key, child in value.items():
            _plain(child, (*path, key))
    else:
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise FrameError(path, value) from None
    return value


def _leaves(value: dict[str, Any], path: Path = ()) -> Iterator[tuple[Path, Any]]:
    for key, child in value.items():
        if (*path, key) == (UNPACKED,):
            continue
        if isinstance(child, dict) and {"short", "long"} <= child.keys():
            yield (*path, key, "cells"), _cells_text(child)
            child = {k: v for k, v in child.items() if k not in ("short", "long")}
        if key == MASK:
            yield (*path, key, "bits"), "/".join(map(_bits, child))
        elif isinstance(child, dict):
            yield from _leaves(child, (*path, key))
        else:
            yield (*path, key), child


def _bits(row: list[int]) -> str:
    """A row of a mask as the digits of one number."""
    return f"{int(''.join(map(str, row)), 2):x}"


def _cells_text(cells: dict[str, Any]) -> str:
    return ";".join(
        ",".join(fixed_point(*pair) for pair in zip(*rows, strict=True))
        for rows in zip(cells["long"], cells["short"], strict=True)
    )


def _encode(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _depends(column: Sequence[str], sizes: Sequence[int], axis: int) -> bool:
    stride = math.prod(sizes[axis + 1 :])
    return any(
        text != column[place - place // stride % sizes[axis] * stride]
        for place, text in enumerate(column)
    )


def _places(sizes: Sequence[int], used: Sequence[int]) -> list[int]:
    """Where the states lie in which only the used axes move."""
    strides = [math.prod(sizes[axis + 1 :]) for axis in range(len(sizes))]
    ranges = [range(size) if axis in used else range(1) for axis, size in enumerate(sizes)]
    return [
        sum(index * stride for index, stride in zip(indices, strides, strict=True))
        for indices in itertools.product(*ranges)
    ]
