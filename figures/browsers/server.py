"""A static web server for tests: logs requests and misbehaves on demand."""

from __future__ import annotations

import gzip
import mimetypes
import re
import sys
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote, urlsplit

mimetypes.add_type("application/wasm", ".wasm")
mimetypes.add_type("application/manifest+json", ".webmanifest")


@dataclass
class Reply:
    """What is about to be sent; a fault changes it in place."""

    status: int
    body: bytes
    content_type: str
    hang: bool = False


Fault = Callable[[Reply], None]


@cache
def _zipped(body: bytes) -> bytes:
    """Every visit asks for the same files: each is packed once."""
    return gzip.compress(body, 6, mtime=0)


def status(code: int) -> Fault:
    """Fault: answer with this HTTP status and an empty body."""

    def change(reply: Reply) -> None:
        reply.status, reply.body = code, b""

    return change


def truncated(reply: Reply) -> None:
    """Fault: only the first half of the file arrives."""
    reply.body = reply.body[: len(reply.body) // 2]


def bit_flipped(reply: Reply) -> None:
    """Fault: one bit in the middle is wrong."""
    body = bytearray(reply.body)
    body[len(body) // 2] ^= 1
    reply.body = bytes(body)


def as_text(reply: Reply) -> None:
    """Fault: the host does not know the type."""
    reply.content_type = "text/plain"


def hanging(reply: Reply) -> None:
    """Fault: the answer never comes (until the server stops)."""
    reply.hang = True


@dataclass
class StaticServer:
    """Serves a folder at `url`; use as a context manager.

    prefix: path below which the folder appears, as on a host that serves many sites.
    """

    root: Path
    prefix: str = "/"
    compress: bool = True
    port: int = 0
    requests: list[str] = field(default_factory=list)
    sent: Counter[str] = field(default_factory=Counter)  # bytes by path
    faults: dict[str, Fault] = field(default_factory=dict)  # regular expression of a path → fault

    def __post_init__(self) -> None:
        handler = partial(_Handler, self)
        self._stopped = threading.Event()
        self._counting = threading.Lock()
        self._http = _Http(("127.0.0.1", self.port), handler)
        self._http.daemon_threads = True
        self.port = self._http.server_port
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Address of the served folder, with a final slash."""
        return f"http://127.0.0.1:{self.port}{self.prefix}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Close the port: from now on nothing is answered."""
        if not self._stopped.is_set():
            self._stopped.set()
            self._http.shutdown()
            self._http.server_close()

    def forget(self) -> None:
        """Start the log of requests and bytes anew."""
        with self._counting:
            self.requests.clear()
            self.sent.clear()

    @property
    def sent_bytes(self) -> int:
        with self._counting:
            return self.sent.total()

    def count(self, path: str, size: int) -> None:
        """Note the bytes of an answer; answers are made by several threads."""
        with self._counting:
            self.sent[path] += size

    def reply(self, path: str) -> Reply:
        """The reply to a path of this server, faults applied."""
        file = self._file(path)
        if file is None:
            missing = self.root / "404.html"
            body = missing.read_bytes() if missing.exists() else b"404"
            reply = Reply(404, body, "text/html; charset=utf-8")
        else:
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            charset = "; charset=utf-8" if kind.startswith("text/") else ""
            reply = Reply(200, file.read_bytes(), kind + charset)
        for pattern, fault in self.faults.items():
            if re.search(pattern, path):
                fault(reply)
        return reply

    def _file(self, path: str) -> Path | None:
        if not path.startswith(self.prefix):
            return None
        file = (self.root / path.removeprefix(self.prefix)).resolve()
        if not file.is_relative_to(self.root.resolve()):
            return None
        if file.is_dir():
            file = file / "index.html"
        return file if file.is_file() else None


class _Http(ThreadingHTTPServer):
    request_queue_size = 128  # a browser that is not let in at once waits a second or three

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that leaves in the middle of an answer is no news."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, owner: StaticServer, *args: object) -> None:
        self.owner = owner
        super().__init__(*args)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        if self.owner._stopped.is_set():  # a connection that was kept alive ends too
            self.close_connection = True
            return
        path = unquote(urlsplit(self.path).path)
        self.owner.requests.append(path)
        reply = self.owner.reply(path)
        if reply.hang:
            self.owner._stopped.wait()
            self.close_connection = True
            return
        body, encoding = reply.body, None
        text = re.match(
            r"text/|application/(javascript|json|manifest)|image/svg", reply.content_type
        )
        if self.owner.compress and text and "gzip" in self.headers.get("Accept-Encoding", ""):
            body, encoding = _zipped(body), "gzip"
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-cache")
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.end_headers()
        self.owner.count(path, len(body))
        try:
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Quiet: the log is `StaticServer.requests`."""
