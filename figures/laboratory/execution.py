"""Runs the reader's code: fresh namespace, output streamed and cut, last expression's value."""

import ast
import builtins
import io
import json
import linecache
import sys
import time
import traceback
from collections.abc import Callable

import numpy as np

import attnlib
from figures.laboratory import hints, lazy
from figures.laboratory.console import console
from figures.laboratory.values import describe
from figures.laboratory.watch import watch

CELL = "<ячейка>"
OUTPUT_LIMIT = 100_000
CUT_NOTE = "\n… вывод обрезан: показаны первые 100\u202f000 знаков\n"


class Output(io.TextIOBase):
    """Collects what is printed, sends it on, and stops collecting at a limit.

    The first lines go out at once, so that a slow program shows what it has printed; a program that
    prints much is sent in batches.
    """

    EAGER_LINES = 200
    BATCH = 4096
    SECONDS = 0.05

    def __init__(self, send: Callable[[str], None]) -> None:
        self.text = ""
        self.sent = 0
        self._send = send
        self._position = 0
        self._parts: list[str] = []
        self._waiting = 0
        self._lines = 0
        self._last = time.monotonic()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        text = str.__str__(text)  # a subclass may have its own ideas of slices
        room = OUTPUT_LIMIT - self._position
        if room >= 0:
            self._collect(text if len(text) <= room else text[:room] + CUT_NOTE)
            self._position += len(text)
        return len(text)

    def close(self) -> None:
        """Stays open: what comes later, warnings and errors too, has nowhere else to go."""
        self.flush()

    def _collect(self, text: str) -> None:
        self._parts.append(text)
        self._waiting += len(text)
        self._lines += text.count("\n")
        eager = text.endswith("\n") and self._lines <= self.EAGER_LINES
        late = time.monotonic() - self._last >= self.SECONDS
        if eager or late or self._waiting >= self.BATCH:
            self.flush()

    def flush(self) -> None:
        self.text = "".join(self._parts)
        self._parts = [self.text]
        fresh = self.text[self.sent :]
        self._waiting, self._last = 0, time.monotonic()
        if fresh:
            self._send(fresh)
            self.sent = len(self.text)


def execute(code: str, output: Output) -> dict:
    """{ok, value, error}: value of the last expression, error with a Russian hint, or None."""
    lines = io.StringIO(code + "\n").readlines()  # as Python counts them, each with its end
    linecache.cache[CELL] = (len(code), None, lines, CELL)
    namespace = {"__name__": "__main__", "np": np, "attnlib": attnlib}
    line = None
    settings = sys.gettrace(), sys.getprofile(), sys.getrecursionlimit()
    try:
        with console(output, CELL):
            try:
                value, line = _evaluate(code, namespace)
                shown = describe(value)
            finally:
                _repair(*settings)
        result = {"ok": True, "value": shown, "error": None}
    except lazy.PackNeeded:
        raise
    except BaseException as error:  # of whatever class: it is the reader's
        result = {"ok": False, "value": None, "error": hints.describe(error, CELL, line)}
    output.flush()
    return result


def _evaluate(code: str, namespace: dict) -> tuple[object, int | None]:
    """The value of the last line, if it is an expression, and where that stands."""
    tree = ast.parse(code, CELL)
    watch(tree)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, CELL, "exec"), namespace)
    if last is None:
        return None, None
    return eval(compile(ast.Expression(last.value), CELL, "eval"), namespace), last.lineno


def _repair(trace: object, profile: object, recursion_limit: int) -> None:
    """Undo what a program has done to Python itself, so that its end can still be told."""
    sys.settrace(trace)
    sys.setprofile(profile)
    sys.setrecursionlimit(recursion_limit)
    for module, names in _UNTOUCHED:
        module.__dict__.update(names)


_UNTOUCHED = [(m, dict(m.__dict__)) for m in (builtins, json, linecache, time, traceback)]
