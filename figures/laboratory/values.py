"""How the value of the last expression is shown: text, shape, type, and a heat map of an array."""

import numpy as np

REPR_LIMIT = 4000
HEAT_SIDE = 64


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
    }


def heat(array: np.ndarray) -> list[list[float | None]] | None:
    """The last two axes (of the first element of the others), thinned to at most 64 × 64 cells.

    Cells without a finite number are None. Arrays of other things than numbers have no heat map.
    """
    if array.ndim == 0 or array.size == 0 or array.dtype.kind not in "biuf":
        return None
    plane = array[(0,) * max(0, array.ndim - 2)]
    plane = np.atleast_2d(plane)
    rows, columns = (-(-side // HEAT_SIDE) for side in plane.shape)
    thinned = plane[::rows, ::columns].astype(float)
    return [[cell if np.isfinite(cell) else None for cell in row] for row in thinned.tolist()]
