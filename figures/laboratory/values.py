"""How the value of the last expression is shown: text, shape, type, and a heat map of an array."""

import numpy as np

REPR_LIMIT = 4000
HEAT_SIDE = 64
MOST_TEXTS = 144


def describe(value: object) -> dict | None:
    if value is None:
        return None
    text = repr(value)
    if len(text) > REPR_LIMIT:
        text = text[:REPR_LIMIT] + " …"
    array = value if isinstance(value, np.ndarray | np.generic) else None
    return {
        "repr": text,
        "shape": None if array is None else list(array.shape),
        "dtype": None if array is None else str(array.dtype),
        "heat": None if array is None else heat(np.asarray(array)),
        "texts": None if array is None else texts(np.asarray(array)),
    }


def heat(array: np.ndarray) -> list[list[float | None]] | None:
    """The last two axes (of the first element of the others), thinned to at most 64 × 64 cells.

    Cells without a finite number are None. Arrays of other things than numbers have no heat map.
    """
    plane = _plane(array)
    if plane is None:
        return None
    rows, columns = (-(-side // HEAT_SIDE) for side in plane.shape)
    thinned = plane[::rows, ::columns].astype(float)
    return [[cell if np.isfinite(cell) else None for cell in row] for row in thinned.tolist()]


def texts(array: np.ndarray) -> list[list[str]] | None:
    """The numbers of a heat map that is small enough to be read, to four significant digits."""
    plane = _plane(array)
    if plane is None or plane.size > MOST_TEXTS or max(plane.shape) > HEAT_SIDE:
        return None
    return [[_text(cell) for cell in row] for row in plane.tolist()]


def _plane(array: np.ndarray) -> np.ndarray | None:
    if array.ndim == 0 or array.size == 0 or array.dtype.kind not in "biuf":
        return None
    return np.atleast_2d(array[(0,) * max(0, array.ndim - 2)])


def _text(cell: bool | int | float) -> str:
    return (f"{cell:.4g}" if isinstance(cell, float) else str(cell)).replace("-", "−")
