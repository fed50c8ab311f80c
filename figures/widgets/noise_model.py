"""What a head of size d sees when one key is related to the query and the others are random.

Keys of one length in random directions: only the cosine with the query tells them apart. The query
stands at e₁, so the cosine with a key is the first component of the key's direction.
"""

from __future__ import annotations

from functools import lru_cache
from math import expm1, log1p, pi

import numpy as np
from numpy.typing import NDArray

PAIRS = 12_700
CHUNK = 2**19  # numbers of one piece of the sample, so that memory stays small
STEPS = 20_000


@lru_cache(maxsize=16)
def sample_cosines(d: int, seed: int) -> NDArray[np.float64]:
    """Cosines of e₁ with Gaussian vectors of size d, drawn piece by piece in float32."""
    rng = np.random.default_rng(seed)
    rows = max(CHUNK // d, 1)
    pieces = []
    for start in range(0, PAIRS, rows):
        keys = rng.standard_normal((min(rows, PAIRS - start), d), dtype=np.float32)
        squares = np.einsum("nd,nd->n", keys, keys, dtype=np.float64)
        pieces.append(keys[:, 0] / np.sqrt(squares))
    return np.concatenate(pieces)


@lru_cache(maxsize=2048)
def overtaking_share(d: int, near: float) -> float:
    """How probable it is that a random key has a cosine above `near`.

    The density of the angle is proportional to sin^(d−2); midpoint rule on both sides of the angle.
    """
    angle = float(np.arccos(near))
    return _angle_mass(d, 0, angle) / _angle_mass(d, 0, pi)


def wrong_share(d: int, near: float, others: int) -> float:
    """How often at least one of the random keys overtakes the related one: 1 − (1 − p)^others."""
    return -expm1(others * log1p(-overtaking_share(d, near)))


def attention_row(cosines: NDArray[np.float64], d: int, near: float) -> NDArray[np.float64]:
    """Scores q·k/√d of the related key, which comes first, and of the others, all √d long."""
    return np.sqrt(d) * np.concatenate([[near], cosines])


def sample_rows(cosines: NDArray[np.float64], others: int) -> NDArray[np.float64]:
    """The sample as rows of `others` random keys; what does not fill a row is left out."""
    rows = len(cosines) // others
    return cosines[: rows * others].reshape(rows, others)


def _angle_mass(d: int, low: float, high: float) -> float:
    width = (high - low) / STEPS
    middles = low + width * (np.arange(STEPS) + 0.5)
    return float((np.sin(middles) ** (d - 2)).sum() * width)
