"""The masks of W4: built by attnlib from the state of the controls, with the code that does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnlib.masks import (
    REGISTRY,
    Mask,
    block_sparse,
    causal,
    global_tokens,
    padding,
    sliding_window,
)

State = dict[str, Any]
SIDE = 4  # blocks of the block-sparse pattern on each side


@dataclass(frozen=True)
class Choice:
    """One mask of the gallery: what it is called, how it is built, and the code that builds it."""

    title: str
    registered: str
    build: Callable[[State], Mask]
    code: Callable[[State], str]
    own_rule: str = ""  # where the registry's rule, which is that of the defaults, does not hold

    @property
    def rule(self) -> str:
        return self.own_rule or REGISTRY[self.registered].rule


def _padding(state: State) -> Mask:
    n = state["n"]
    return np.broadcast_to(padding([_length(state)], n)[0, 0], (n, n))


def _length(state: State) -> int:
    return max(state["n"] - state["filler"], 0)


def _blocks(state: State) -> Mask:
    pattern = np.array([[mark == "1" for mark in row] for row in state["pattern"].split("/")])
    return block_sparse(state["n"], state["n"] // SIDE, pattern)


def _globals(state: State) -> Mask:
    return global_tokens(state["n"], list(range(state["globals"])))


def _title(name: str, note: str = "") -> str:
    return REGISTRY[name].title + note


CHOICES: dict[str, Choice] = {
    "causal": Choice(
        _title("causal"),
        "causal",
        lambda state: causal(state["n"]),
        lambda state: f"causal({state['n']})",
    ),
    "padding": Choice(
        _title("padding"),
        "padding",
        _padding,
        lambda state: f"padding([{_length(state)}], {state['n']})",
    ),
    "window": Choice(
        _title("sliding_window", ", причинное"),
        "sliding_window",
        lambda state: sliding_window(state["n"], state["w"]),
        lambda state: f"sliding_window({state['n']}, {state['w']})",
    ),
    "window2": Choice(
        _title("sliding_window", ", двустороннее"),
        "sliding_window",
        lambda state: sliding_window(state["n"], state["w"], causal=False),
        lambda state: f"sliding_window({state['n']}, {state['w']}, causal=False)",
        "Запрос видит себя и по w − 1 ближайших ключей с каждой стороны: не больше 2w − 1.",
    ),
    "blocks": Choice(
        _title("block_sparse"),
        "block_sparse",
        _blocks,
        lambda state: f"block_sparse({state['n']}, {state['n'] // SIDE}, pattern)",
    ),
    "globals": Choice(
        _title("global_tokens"),
        "global_tokens",
        _globals,
        lambda state: f"global_tokens({state['n']}, {list(range(state['globals']))})",
    ),
}


def chosen(state: State) -> tuple[Mask, str, str]:
    """The mask of a state, its code and its rule."""
    if state["mask"] in CHOICES:
        choice = CHOICES[state["mask"]]
        return choice.build(state), choice.code(state), choice.rule
    if state["mask"] == "mix":
        return _combined(state, "window", "|", "globals", and_causal=True)
    return _combined(
        state, state["first"], state["op"], state["second"], and_causal=state["and_causal"]
    )


def _combined(
    state: State, first: str, op: str, second: str, *, and_causal: bool
) -> tuple[Mask, str, str]:
    one, other = CHOICES[first], CHOICES[second]
    together = np.bitwise_and if op == "&" else np.bitwise_or
    mask = together(one.build(state), other.build(state))
    code = f"{one.code(state)} {op} {other.code(state)}"
    rule = (
        "Разрешено то, что разрешают обе маски."
        if op == "&"
        else "Разрешено то, что разрешает хотя бы одна из двух масок."
    )
    if and_causal:
        mask = causal(state["n"]) & mask
        code = f"causal({state['n']}) & ({code})"
        rule = rule[:-1] + ", кроме будущего."
    return mask, code, rule
