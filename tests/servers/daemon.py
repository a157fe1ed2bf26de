"""`referee run` as a process of its own, and what it leaves."""

from __future__ import annotations

import email
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import TracebackType

from tests.servers.ground import PATIENCE
from tests.servers.stream import SECRET

ROOT = Path(__file__).parents[2]
_TOLD = 6_000  # characters of the log that a failure quotes
PROGRAM = (sys.executable, "-c", "from referee.cli import program; program()")


class Daemon:
    """The service over a configuration; its log stands in `log`."""

    def __init__(
        self,
        config: Path,
        *command: str,
        log: str = "service.log",
        program: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """`program` is a module that is run in the place of the program, `environment` what it finds there besides."""
        before = (sys.executable, "-m", program) if program else PROGRAM
        self._command = [*before, "--config", str(config), "--verbose", *(command or ("run",))]
        self._environment = dict(environment or {})
        self._log = config.parent / log
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Daemon:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                stdout=log,
                stderr=log,
                cwd=ROOT,
                env={**os.environ, "REFEREE_SECRET": SECRET, **self._environment},
            )
        return self

    def terminate(self) -> int:
        """SIGTERM; the exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(PATIENCE)

    def kill(self) -> None:
        """SIGKILL, at once."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(PATIENCE)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def log(self) -> str:
        return self._log.read_text() if self._log.exists() else ""

    def __enter__(self) -> Daemon:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.running:
            self.kill()
        if error is not None:
            error.add_note(f"The service's log ends with:\n{self.log[-_TOLD:]}")


def drop(folder: Path, number: int, raw: bytes) -> None:
    """A mail into a Maildir as a mail server does it: written aside, then moved."""
    draft = folder / "tmp" / f"{number:06d}"
    draft.write_bytes(raw)
    now = time.time_ns()
    os.utime(draft, ns=(now, now))
    draft.rename(folder / "new" / draft.name)


def letters_in(folder: Path) -> dict[str, tuple[str, str]]:
    """The letters that left, by Message-ID: kind and recipient. One sent twice must be the same both times."""
    found: dict[str, tuple[str, str]] = {}
    for path in (folder / "new").iterdir():
        name, facts = _head(path, path.stat().st_ino)
        assert found.setdefault(name, facts) == facts
    return found


@cache
def _head(path: Path, file: int) -> tuple[str, tuple[str, str]]:
    """Message-ID, kind and recipient of a letter. Whoever waits for letters asks again and again, and a file in a
    Maildir never changes: a letter that leaves twice may be another one under the same name."""
    with path.open("rb") as letter:
        head = email.message_from_bytes(b"".join(iter(letter.readline, b"\n")))
    return str(head["Message-ID"]), (str(head["X-Referee-Notice"]), str(head["Delivered-To"]))


def counted(folder: Path) -> Counter[tuple[str, str]]:
    return Counter(letters_in(folder).values())
