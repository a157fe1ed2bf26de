"""A session played again by whatever version of the referee is imported, through the doors of the contract alone: its
command line, the Maildir in, the Maildir out. Run as a program: `replaying.py SESSION FOLDER`; nothing of this
repository is imported but the referee, so that any version can be put before it."""

import base64
import io
import json
import lzma
import os
import re
import sys
import tarfile
from contextlib import redirect_stderr, redirect_stdout
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

_BOUNDARY = re.compile(rb'boundary="?([^"\s;]+)"?')


def command_line(*arguments: str) -> tuple[int, str, str]:
    """A command in this process, which no supervisor watches: its exit status, what it said, and what was wrong."""
    from referee.cli.app import status

    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        return status([*arguments]), out.getvalue(), err.getvalue()


def plain(letter: bytes) -> bytes:
    """A letter without the boundaries of its parts, which are fresh each time."""
    for number, boundary in enumerate(dict.fromkeys(_BOUNDARY.findall(letter))):
        letter = letter.replace(boundary, b"part-%d" % number)
    return letter


class Replay:
    """A session on its way in a folder: the desk, and what left it."""

    def __init__(self, folder: Path) -> None:
        self.desk, self.left = folder / "desk", folder / "left"
        self.left.mkdir(parents=True)
        self._seen: set[str] = set()
        self._number = 0
        self._config = ["--config", str(self.desk / "referee.toml")]

    def begin(self, kept: bytes | None) -> None:
        """An empty desk, or one that an earlier version left in the midst of its games: its folder, packed."""
        if kept is None:
            said = command_line("init", str(self.desk))
        else:
            with tarfile.open(fileobj=io.BytesIO(kept)) as folder:
                folder.extractall(self.desk, filter="data")
            self._seen = {path.name for path in (self.desk / "mail/out/new").glob("*")}
            said = command_line(*self._config, "upgrade")
        assert said[0] == 0, said

    def mail(self, raw: bytes, at: datetime, name: str) -> None:
        path = self.desk / "mail/in/new" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
        os.utime(path, (at.timestamp(), at.timestamp()))

    def run(self, *arguments: str) -> int:
        """A command; what it says, and the letters that left meanwhile, are kept."""
        self._number += 1
        status, *told = command_line(*self._config, *arguments)
        said = "\n".join((" ".join(arguments), f"exit {status}", *told))
        (self.left / f"{self._number:04}.said").write_text(said.replace(str(self.desk.parent), "FOLDER"))
        for path in sorted((self.desk / "mail/out/new").glob("*")):
            if path.name not in self._seen:
                self._seen.add(path.name)
                letter = plain(path.read_bytes())
                told = dict(re.findall(rb"(?m)^(Delivered-To|X-Referee-Notice): (\S+)", letter))
                name = b"-".join(
                    told.get(key, b"") for key in (b"Delivered-To", b"X-Referee-Notice")
                ).decode()
                same = len([*self.left.glob(f"{self._number:04}-{name}-*")])
                (self.left / f"{self._number:04}-{name}-{same}").write_bytes(letter)
        return status

    def end(self) -> None:
        """What everybody may look at, at the end."""
        status, said, wrong = command_line(*self._config, "list", "--json")
        assert status == 0, wrong
        for match in json.loads(said):
            for facts in (("show", "--json"), ("record", "--format", "json"), ("record", "--format", "text")):
                self.run(facts[0], match["match"], *facts[1:])
        self.run("site", str(self.left / "site"))


def replay(session: dict[str, Any], folder: Path) -> list[str]:
    """What failed that did not when the session was recorded."""
    os.environ["REFEREE_SECRET"] = session["secret"]
    desk, failed = Replay(folder), list[str]()
    kept = session.get("kept")
    desk.begin(base64.b64decode(kept) if kept else None)
    for step in session["steps"]:
        if "mail" in step:
            desk.mail(base64.b64decode(step["mail"]), datetime.fromisoformat(step["at"]), step["name"])
        elif desk.run(*step["run"]) != step.get("exit", 0):
            failed.append(" ".join(step["run"]))
    desk.end()
    return failed


if __name__ == "__main__":
    told = json.loads(lzma.decompress(Path(sys.argv[1]).read_bytes()))
    print("\n".join(replay(told, Path(sys.argv[2]))), end="")
