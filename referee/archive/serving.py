"""A folder shown on this machine, for looking: plain files over HTTP on 127.0.0.1, nothing written, nothing listed."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

HERE: Final = "127.0.0.1"
_KINDS: Final[Mapping[str, str]] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".atom": "application/atom+xml; charset=utf-8",
    ".ics": "text/calendar; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".sgf": "text/plain; charset=utf-8",
    ".eml": "text/plain; charset=utf-8",
}
_LARGEST_PATH: Final = 1000


class Serving(ThreadingHTTPServer):
    """`shelves` are folders by the first part of the address at which they are seen; "" is the one at the root.

    Bound to this machine alone, and only requests that call it by this machine's name are answered, so that no page of
    the world can read it through a browser here.
    """

    daemon_threads = True

    def __init__(self, shelves: Mapping[str, Path], port: int = 0) -> None:
        self.shelves = {name: folder.resolve() for name, folder in shelves.items()}
        super().__init__((HERE, port), _Handler)

    @property
    def address(self) -> str:
        return f"http://{HERE}:{self.server_address[1]}/"

    def names(self) -> frozenset[str]:
        port = self.server_address[1]
        return frozenset((f"{HERE}:{port}", f"localhost:{port}", HERE, "localhost"))

    def file(self, target: str) -> Path | None:
        """The file that an address means: none that begins with a dot or lies outside its shelf, links included."""
        try:
            path = unquote(urlsplit(target).path, errors="strict")
        except ValueError:
            return None
        parts = path.split("/")[1:]
        if not path.startswith("/") or len(path) > _LARGEST_PATH or not all(map(_plain, parts[:-1])):
            return None
        shelf = parts[0] if len(parts) > 1 and parts[0] in self.shelves and parts[0] else ""
        if shelf not in self.shelves:
            return None
        inside = parts[1:] if shelf else parts
        last = inside[-1] or "index.html"
        if not _plain(last):
            return None
        root = self.shelves[shelf]
        try:
            found = root.joinpath(*inside[:-1], last).resolve()
            return found if found.is_relative_to(root) and found.is_file() else None
        except (OSError, ValueError):
            return None


def _plain(part: str) -> bool:
    """A name that is no step up, nothing hidden, no path of its own."""
    return bool(part) and not part.startswith(".") and not set(part) & set("\\\0:")


class _Handler(BaseHTTPRequestHandler):
    server: Serving
    server_version = "referee"
    sys_version = ""

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        if self.headers.get("Host", "") not in self.server.names():
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            return
        file = self.server.file(self.path)
        if file is None:
            path = urlsplit(self.path).path
            if not path.endswith("/") and self.server.file(f"{path}/") is not None:
                self.send_response(HTTPStatus.MOVED_PERMANENTLY)
                self.send_header("Location", f"/{path.strip('/')}/")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        content = file.read_bytes()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", _KINDS.get(file.suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(len(content)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        self.end_headers()
        if body:
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody wants to read it."""
