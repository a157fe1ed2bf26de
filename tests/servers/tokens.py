"""Who says what an OAuth token is worth (RFC 7662), for Dovecot to ask; and a command that prints them."""

import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

from tests.servers.ground import at_work


@dataclass
class Issuer:
    """`valid` tells whose each token is. The command prints what `offered` holds, and notes in `calls` that it was
    asked."""

    folder: Path
    valid: dict[str, str] = field(default_factory=dict)

    @property
    def command(self) -> str:
        code = (
            "import sys, pathlib; folder = pathlib.Path(sys.argv[1]); "
            "open(folder / 'calls', 'a').write('x'); print((folder / 'offered').read_text())"
        )
        return shlex.join([sys.executable, "-S", "-c", code, str(self.folder)])

    @property
    def calls(self) -> int:
        """How often the command was asked."""
        noted = self.folder / "calls"
        return len(noted.read_text()) if noted.exists() else 0

    def issue(self, user: str, token: str) -> None:
        """From now on the command prints this one, and the one before has expired."""
        self.valid = {token: user}
        (self.folder / "offered").write_text(token)


@contextmanager
def issuing(port: int, folder: Path) -> Iterator[Issuer]:
    issuer = Issuer(folder)

    class Introspection(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            user = issuer.valid.get(asked["token"][0])
            body = json.dumps({"active": user is not None, "username": user}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", port), Introspection) as server, at_work(server):
        yield issuer
