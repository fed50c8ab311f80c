"""The judge: attention by plain loops over Python floats, one (query, key) pair at a time.

It shares no line with attnlib: it is slow on purpose and follows the rules of the contract word by
word. It needs no pytest, so that the browser runtime can run it too.
"""

import itertools
import math
import sys
from fractions import Fraction

import numpy as np


def softmax(scores, allowed, temperature=1.0):
    """Weights of one row; `scores` and `allowed` are lists."""
    weights, temperature = [0.0] * len(scores), float(temperature)
    keys = [j for j, ok in enumerate(allowed) if ok and scores[j] != -math.inf]
    if any(math.isnan(scores[j]) for j in keys):
        return [math.nan if j in keys else 0.0 for j in range(len(scores))]
    if not keys:
        return weights
    top = max(scores[j] for j in keys)
    if top == math.inf or temperature == 0:
        keys = [j for j in keys if scores[j] == top]
        raw = [1.0] * len(keys)
    elif temperature == math.inf:
        raw = [1.0] * len(keys)
    else:
        raw = [math.exp((scores[j] - top) / temperature) for j in keys]
    for j, e in zip(keys, raw, strict=True):
        weights[j] = e / math.fsum(raw)
    return weights


def score(q, k, scale):
    """scale · q·k; if that leaves float64 on the way, once more in exact fractions."""
    pairs = [(float(a), float(b)) for a, b in zip(q, k, strict=True)]
    s = scale * sum(a * b for a, b in pairs)
    if math.isfinite(s) or not all(map(math.isfinite, itertools.chain(*pairs))):
        return s
    exact = Fraction(scale) * sum(Fraction(a) * Fraction(b) for a, b in pairs)
    return (
        float(exact)
        if abs(exact) < Fraction(sys.float_info.max)
        else math.copysign(math.inf, exact)
    )


def attention(q, k, v, mask=None, bias=None, scale=None, temperature=1.0, softcap=None):
    """Output and weights in float64 for arrays of at least two axes."""
    q, k, v = (np.asarray(a, dtype=np.float64) for a in (q, k, v))
    one_head = q.ndim == 2
    if one_head:
        q, k, v = q[None], k[None], v[None]
    shape = (*q.shape[:-1], k.shape[-2])
    mask = np.broadcast_to(True if mask is None else mask, shape)
    bias = np.broadcast_to(0.0 if bias is None else np.asarray(bias, dtype=np.float64), shape)
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    out, weights = np.zeros((*q.shape[:-1], v.shape[-1])), np.zeros(shape)
    for *batch, head, i in np.ndindex(q.shape[:-1]):
        shared = (*batch, head * k.shape[-3] // q.shape[-3])
        row = (*batch, head, i)
        scores, allowed = [], []
        for j in range(shape[-1]):
            s = score(q[row], k[(*shared, j)], scale)
            if softcap is not None and softcap != math.inf:
                s = softcap * math.tanh(s / softcap)
            scores.append(s + float(bias[(*row, j)]))
            allowed.append(bool(mask[(*row, j)]) and bias[(*row, j)] != -math.inf)
        weights[row] = softmax(scores, allowed, temperature)
        for c in range(v.shape[-1]):
            terms = (
                float(weights[(*row, j)]) * float(v[(*shared, j, c)])
                for j, ok in enumerate(allowed)
                if ok
            )
            out[(*row, c)] = sum(terms)
    return (out[0], weights[0]) if one_head else (out, weights)
