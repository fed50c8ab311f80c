"""Tokens of a sentence and the query and key vectors that W1 gives them."""

from __future__ import annotations

import re
from binascii import crc32
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from figures.shared.formats import count

LESSON = ("<s>", "кот", "сел", "на", "коврик", ".")
MAX_TOKENS = 12
WIDTH = 768

Vectors = NDArray[np.float64]

_TOKEN = re.compile(r"<\w+>|\w+(?:-\w+)*|[^\w\s]")
_STEP = 0x9E3779B97F4A7C15


def tokens_of(text: str) -> tuple[list[str], str]:
    """Words and punctuation marks of a text, and a remark when not all of it is used."""
    found = _TOKEN.findall(text)
    if not found:
        return list(LESSON), "В строке нет ни одного слова, поэтому показана фраза урока."
    if len(found) > MAX_TOKENS:
        total = count(len(found), "токена", "токенов", "токенов")
        return found[:MAX_TOKENS], f"Показаны первые {MAX_TOKENS} из {total}."
    return found, ""


def vectors(tokens: list[str], d: int) -> tuple[Vectors, Vectors]:
    """Queries and keys, (n, d) each; the lesson's tokens always have the lesson's vectors."""
    x = np.stack([_vectors_of(token, place) for place, token in enumerate(tokens)], axis=-1)
    return x[:d, 0].T, x[:d, 1].T


@cache
def lesson_vectors() -> NDArray[np.float64]:
    """`numpy.random.default_rng(4745612).standard_normal((768, 2, 6))`, stored as data."""
    stored: NDArray[np.float64] = np.load(Path(__file__).with_name("lesson_vectors.npy"))
    return stored  # (WIDTH, 2, tokens)


def _vectors_of(token: str, place: int) -> NDArray[np.float64]:
    if token in LESSON:
        return lesson_vectors()[:, :, LESSON.index(token)]
    return _normal(crc32(f"{token} {place}".encode()), 2 * WIDTH).reshape(WIDTH, 2)


def _normal(seed: int, size: int) -> NDArray[np.float64]:
    """Normal numbers from a seed: SplitMix64, then Box and Muller's transform.

    numpy.random would be one more download for a reader in the browser.
    """
    z = (np.uint64(seed) << np.uint64(32)) + np.arange(1, size + 1, dtype=np.uint64) * np.uint64(
        _STEP
    )
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    uniform = ((z ^ (z >> np.uint64(31))) >> np.uint64(11)) * 2.0**-53
    radius = np.sqrt(-2.0 * np.log1p(-uniform[::2]))
    angle = 2.0 * np.pi * uniform[1::2]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1).ravel()
