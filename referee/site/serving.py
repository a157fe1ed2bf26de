"""A folder shown on this machine, for looking: plain files over HTTP on 127.0.0.1, nothing written, nothing listed."""

from collections.abc import Mapping
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

HERE: Final = "127.0.0.1"
_UTF8: Final = "; charset=utf-8"
_KINDS: Final[Mapping[str, str]] = {
    ".html": f"text/html{_UTF8}",
    ".css": f"text/css{_UTF8}",
    ".js": f"text/javascript{_UTF8}",
    ".json": "application/json",
    ".gz": "application/gzip",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".atom": f"application/atom+xml{_UTF8}",
    ".ics": f"text/calendar{_UTF8}",
    **dict.fromkeys((".txt", ".sgf", ".eml"), f"text/plain{_UTF8}"),
}
_LARGEST_PATH: Final = 1000


class Serving(ThreadingHTTPServer):
    """`shelves` are folders by the first part of the address at which they are seen; "" is the one
    at the root.

    Bound to this machine alone, and only requests that call it by this machine's name are answered,
    so that no page of the world can read it through a browser here."""

    daemon_threads = True

    def __init__(self, shelves: Mapping[str, Path], port: int = 0) -> None:
        self.shelves = {name: folder.resolve() for name, folder in shelves.items()}
        super().__init__((HERE, port), _Handler)

    @property
    def address(self) -> str:
        return f"http://{HERE}:{self.server_address[1]}/"

    def found(self, target: str) -> Path | None:
        """The file, or the folder with a front, that an address means: none that begins with a dot
        or lies outside its shelf, links included."""
        try:
            path = unquote(urlsplit(target).path, errors="strict")
        except ValueError:
            return None
        parts = path.removesuffix("/").split("/")[1:]
        shelf = parts.pop(0) if parts and parts[0] and parts[0] in self.shelves else ""
        if not path.startswith("/") or len(path) > _LARGEST_PATH or shelf not in self.shelves:
            return None
        if any(part.startswith(".") or not part or set(part) & set("\\\0:") for part in parts):
            return None
        root = self.shelves[shelf]
        try:
            shown = root.joinpath(*parts)
            file = (shown / "index.html" if shown.is_dir() else shown).resolve()
            return shown if file.is_relative_to(root) and file.is_file() else None
        except (OSError, ValueError):
            return None


class _Handler(SimpleHTTPRequestHandler):
    server: Serving
    server_version = "referee"
    sys_version = ""

    def send_head(self) -> Any:
        port = self.server.server_address[1]
        if self.headers.get("Host", "") not in (f"{HERE}:{port}", f"localhost:{port}", HERE, "localhost"):
            return self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        if (shown := self.server.found(self.path)) is None:
            return self.send_error(HTTPStatus.NOT_FOUND)
        self.shown = shown
        return super().send_head()

    def translate_path(self, path: str) -> str:
        return str(self.shown)

    def guess_type(self, path: Any) -> str:
        """By the table alone, whatever this machine thinks of endings."""
        return _KINDS.get(Path(path).suffix, "application/octet-stream")

    def end_headers(self) -> None:
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nobody wants to read it."""
