"""Firefox by WebDriver BiDi: the few commands that the tests need, without a driver to download."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import tempfile
from itertools import count
from pathlib import Path
from typing import Any, Self

import websocket

from figures.browsers.find import FIREFOX, require


class Firefox:
    """A headless Firefox with a fresh profile; use as a context manager.

    settings: lines of about:config by their names.
    """

    def __init__(self, settings: dict[str, object] | None = None) -> None:
        self._settings = settings or {}

    def __enter__(self) -> Self:
        self._profile = tempfile.TemporaryDirectory(prefix="firefox-", ignore_cleanup_errors=True)
        lines = (
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in self._settings.items()
        )
        Path(self._profile.name, "user.js").write_text("".join(lines), encoding="utf-8")
        self._process = subprocess.Popen(
            [
                require(FIREFOX),
                "--headless",
                "--no-remote",
                "--profile",
                self._profile.name,
                "--remote-debugging-port=0",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        address = self._listening_address()
        self._socket = websocket.create_connection(
            f"{address}/session", suppress_origin=True, timeout=120
        )
        self._ids = count(1)
        self.console: list[str] = []
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded"])
        self._context = self._send("browsingContext.getTree")["contexts"][0]["context"]
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._send("browser.close")
            self._process.wait(timeout=20)
        except Exception:
            self._process.kill()
            self._process.wait()
        finally:
            self._socket.close()
            self._profile.cleanup()

    def open(self, url: str) -> None:
        """Go to an address and wait until it has loaded."""
        self._send("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def resize(self, width: int, height: int) -> None:
        """Give the page that many pixels."""
        size = {"width": width, "height": height}
        self._send("browsingContext.setViewport", context=self._context, viewport=size)

    def screenshot(self, box: dict[str, float]) -> bytes:
        """PNG of a rectangle of the document: x, y, width, height."""
        answer = self._send(
            "browsingContext.captureScreenshot",
            context=self._context,
            origin="document",
            clip={"type": "box", **box},
        )
        return base64.b64decode(answer["data"])

    def evaluate(self, expression: str) -> Any:
        """JSON value of a JavaScript expression (a promise is awaited)."""
        answer = self._send(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})))()",
            target={"context": self._context},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise AssertionError(answer["exceptionDetails"]["text"])
        value = answer["result"].get("value")
        return None if value is None else json.loads(value)

    def _listening_address(self) -> str:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                return found[1]
        raise RuntimeError("Firefox ended without opening its remote port")

    def _send(self, method: str, **params: object) -> dict[str, Any]:
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("method") == "log.entryAdded":
                entry = message["params"]
                self.console.append(f"{entry['level']}: {entry['text']}")
            elif message.get("id") == number:
                if message["type"] == "error":
                    raise AssertionError(f"{method}: {message['error']}: {message['message']}")
                result: dict[str, Any] = message["result"]
                return result
