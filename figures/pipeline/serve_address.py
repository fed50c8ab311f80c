"""MkDocs hook: `mkdocs serve` says at once, not after the first build, that its port is taken."""

from __future__ import annotations

import socket

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority

_serving = False


def on_startup(command: str, dirty: bool) -> None:
    global _serving
    _serving = command == "serve"


@event_priority(100)  # before anything that takes time
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    global _serving
    if _serving:
        _serving = False  # from the first build on the port is our own
        host, port = config.dev_addr
        try:
            socket.create_server((host, port), family=_family(host)).close()
        except OSError as error:
            raise PluginError(
                f"{host}:{port} cannot be served: {error.strerror}; another address: "
                f"make serve ADDR={host}:{port + 1} (mkdocs serve --dev-addr {host}:{port + 1})"
            ) from error
    return config


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
