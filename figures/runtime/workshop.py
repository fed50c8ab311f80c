"""A real browser over a small local server: where the runtime's parts are made and checked."""

import threading
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TYPES = {".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm"}


class Workshop:
    """Serves folders and single texts, and keeps what the page uploads."""

    def __init__(self, folders: dict[str, Path]) -> None:
        self.folders = folders
        self.uploads: dict[str, bytes] = {}
        workshop = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                found = workshop.find(self.path.split("?")[0])
                self.send_response(HTTPStatus.OK if found else HTTPStatus.NOT_FOUND)
                data = found.read_bytes() if found else b""
                kind = (
                    TYPES.get(found.suffix, "application/octet-stream") if found else "text/plain"
                )
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["Content-Length"]))
                workshop.uploads[self.path.rsplit("/", 1)[1]] = data
                self.send_response(HTTPStatus.NO_CONTENT)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def find(self, path: str) -> Path | None:
        for prefix, folder in self.folders.items():
            if path.startswith(prefix):
                file = (folder / path[len(prefix) :]).resolve()
                return file if file.is_file() and file.is_relative_to(folder.resolve()) else None
        return None

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def workshop(folders: dict[str, Path]):
    place = Workshop(folders)
    try:
        yield place
    finally:
        place.close()


@contextmanager
def chromium_page(address: str):
    """A fresh Chromium page; the browser is the one the tests use."""
    from playwright.sync_api import sync_playwright

    from figures.browsers.find import CHROMIUM, require

    executable = require(CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(300_000)
        page.goto(address)
        yield page
        browser.close()
