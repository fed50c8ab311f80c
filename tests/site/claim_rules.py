"""What makes a claim a claim: its numbers are computed or sourced, and cannot be typed in.

The rules read the code of a claim's function and of everything it uses in the modules of claims.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from tests.site.lesson_page import NUMERAL
from tests.site.lesson_registry import CHANGES, Claim, Reading, numbers_of, value

MACHINERY = ("tests.site.lesson_registry", "tests.site.lesson_page")
PLAIN = {0, 1, 2}  # may be typed: as exponents, first numbers and the like they are no results
COMPUTES = ("attnlib", "figures", "numpy", "json", "tests.site.sources", "tests.site.text_parts")


def typed(claim: Claim, shown: Sequence[str]) -> set[float]:
    """Numbers that the page has to show and that the claim's own code holds as literals."""
    literals, _ = _used(claim.gives)
    return literals & {value(number) for number in shown} - PLAIN


def computes(claim: Claim, shown: Sequence[str]) -> bool:
    """Whether the function uses what the page says, the library, a record or the sources."""
    plain = {value(number) for number in shown} <= PLAIN
    return plain or "@" in claim.holes or bool(_used(claim.gives)[1])


def idle(reading: Reading) -> list[float]:
    """Numbers given by the page on which nothing depends: they are typed in under a guise."""
    gives = reading.claim.gives
    before = list(numbers_of(gives(*reading.given)))
    return [
        number
        for place, number in enumerate(reading.given)
        if not any(_differs(gives, reading.given, place, change, before) for change in CHANGES)
    ]


def _differs(
    gives: Callable[..., Any],
    given: Sequence[float],
    place: int,
    change: Callable[[float], float],
    before: list[Any],
) -> bool:
    changed = [*given[:place], change(given[place]), *given[place + 1 :]]
    try:
        with np.errstate(invalid="ignore"):
            return list(numbers_of(gives(*changed))) != before
    except (ArithmeticError, AssertionError, IndexError, TypeError, ValueError):
        return False


def _used(function: Callable[..., Any]) -> tuple[set[float], set[str]]:
    """Literals in the code of a function, and the packages it calls, through its helpers."""
    module = sys.modules[function.__module__]
    if function.__module__ in MACHINERY or not function.__module__.startswith("tests."):
        return set(), {function.__module__.partition(".")[0]}
    first = function.__code__.co_firstlineno
    nodes = [
        node
        for node in ast.walk(_tree(module))
        if isinstance(node, ast.Lambda | ast.FunctionDef) and node.lineno == first
    ]
    assert nodes, f"{function} is not written where Python says it is"
    literals: set[float] = set()
    packages: set[str] = set()
    for found, package in _walk(nodes, module, set()):
        literals |= found
        packages |= package
    return literals, packages


def _walk(
    nodes: Sequence[ast.AST], module: ModuleType, seen: set[tuple[str, str]]
) -> Iterator[tuple[set[float], set[str]]]:
    for node in nodes:
        silent = {id(part) for place in ast.walk(node) for part in _silent(place)}
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and id(part) not in silent:
                yield set(_numbers(part.value)), set()
            elif isinstance(part, ast.Name) and (module.__name__, part.id) not in seen:
                seen.add((module.__name__, part.id))
                yield from _definition(part.id, module, seen)


def _silent(node: ast.AST) -> Iterator[ast.AST]:
    """Constants that are no values: an index, an axis, a docstring."""
    if isinstance(node, ast.Subscript):
        yield from ast.walk(node.slice)
    elif isinstance(node, ast.keyword) and node.arg == "axis":
        yield from ast.walk(node.value)
    elif isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
        yield from ast.walk(node.body[0])


def _definition(
    name: str, module: ModuleType, seen: set[tuple[str, str]]
) -> Iterator[tuple[set[float], set[str]]]:
    for node in _tree(module).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    origin = getattr(node, "module", None) or alias.name
                    yield from _imported(origin, alias.name, seen)
        elif name in _defined(node):
            yield from _walk([node], module, seen)


def _imported(
    origin: str, name: str, seen: set[tuple[str, str]]
) -> Iterator[tuple[set[float], set[str]]]:
    if origin.startswith(COMPUTES):
        yield set(), {origin}
    elif origin.startswith("tests.") and origin not in MACHINERY:
        module = sys.modules[origin]
        if (origin, name) not in seen:
            seen.add((origin, name))
            yield from _definition(name, module, seen)


def _defined(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    return {
        part.id
        for target in targets
        if target is not None
        for part in ast.walk(target)
        if isinstance(part, ast.Name)
    }


def _numbers(constant: object) -> Iterator[float]:
    if isinstance(constant, int | float) and not isinstance(constant, bool):
        yield constant
    elif isinstance(constant, str):
        yield from map(value, NUMERAL.findall(constant))


@cache
def _tree(module: ModuleType) -> ast.Module:
    assert module.__file__
    return ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
