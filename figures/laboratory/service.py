"""What the worker calls: `ask` for a widget's frame, `run` for the reader's own code.

Both take and give JSON. An answer that is only {"need": pack} means: install that pack, and for a
frame call again. A run is never repeated here: it has been told of by `lack` and begins anew in a
Python that has the pack.
"""

import importlib
import json
import re
from collections.abc import Callable

import numpy as np

from figures.laboratory import hints, lazy

_send: Callable[[int, str], None]
_lack: Callable[[int, str], None]


def connect(
    provides: str, send: Callable[[int, str], None], lack: Callable[[int, str], None]
) -> str:
    """Called after the start, before anything else. The answer names NumPy's version."""
    global _send, _lack
    _send, _lack = send, lack
    lazy.install(json.loads(provides))
    try:
        importlib.import_module("attnlib")
    except lazy.PackNeeded as missing:
        return json.dumps({"need": missing.pack})
    return json.dumps({"numpy": np.__version__})


def pack_installed(pack: str) -> None:
    lazy.installed(pack)


def ask(widget: str, state: str) -> str:
    """The frame of one state of a widget, as the build computes it too."""
    try:
        if not re.fullmatch(r"[a-z_]+", widget):
            raise ValueError(f"виджет {widget!r}: имени с такими знаками не бывает")
        frame = importlib.import_module(f"figures.widgets.{widget}").frame(json.loads(state))
        return json.dumps({"ok": True, "frame": frame}, ensure_ascii=False, allow_nan=False)
    except lazy.PackNeeded as missing:
        return json.dumps({"need": missing.pack})
    except Exception as error:
        return json.dumps({"ok": False, "error": hints.describe(error)}, ensure_ascii=False)


def needed(code: str) -> str:
    """Packs to install before code runs."""
    return json.dumps(lazy.needed(code))


def run(number: int, code: str) -> str:
    """Execute code in a fresh namespace; output goes out while it runs."""
    from figures.laboratory import execution

    output = execution.Output(lambda text: _send(number, text))
    lazy.report_to(lambda pack: _lack(number, pack))
    try:
        result = execution.execute(code, output)
    except lazy.PackNeeded as missing:
        return json.dumps({"need": missing.pack})
    return json.dumps({**result, "output": output.text}, ensure_ascii=False, allow_nan=False)


def warm_up(calls: int) -> None:
    """The arithmetic and the text of a small frame, over and over, for the browser's optimiser."""
    importlib.import_module("figures.laboratory.execution")
    x = np.arange(384.0).reshape(6, 64) % 7 - 3
    for _ in range(calls):
        scores = x @ x.T / 8
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        json.dumps({"weights": weights.tolist(), "shown": [f"{w:.2f}" for w in weights[0]]})
