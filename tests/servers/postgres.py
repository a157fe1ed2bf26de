"""A private PostgreSQL, one for the session, with a fresh database for every test that asks."""

import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg

from tests.servers.ground import (
    IS_ROOT,
    PATIENCE,
    eventually,
    free_ports,
    ground,
    left_out,
    listens,
    program,
    run,
)

NUMBERS = count(1)


def owner() -> tuple[str, ...]:
    """What goes before a command: PostgreSQL refuses root; elsewhere it runs as whoever runs the tests."""
    if not IS_ROOT:
        return ()
    try:
        pwd.getpwnam("postgres")
    except KeyError:
        left_out("there is no account postgres, and PostgreSQL refuses root: what needs it was left out")
    return program("runuser"), "-u", "postgres", "--"


@dataclass
class Postgres:
    """Speed before safety: nothing in it outlives the session."""

    root: Path
    port: int
    bin: Path

    def as_owner(self, *command: str | Path) -> str:
        return run(*owner(), *command)

    def start(self) -> None:
        options = ("--no-sync", "--no-instructions", "-E", "UTF8", "--locale=C.UTF-8")
        self.as_owner(
            self.bin / "initdb", "-D", self.root / "data", "-A", "trust", "-U", "postgres", *options
        )
        self._serve()

    def _serve(self) -> None:
        data = self.root / "data"
        settings = (
            f"-p {self.port} -k {self.root} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200"
        )
        # its children would keep our pipes open, so nothing of theirs is read
        start = [self.bin / "pg_ctl", "-D", data, "-l", self.root / "log", "-w", "-o", settings, "start"]
        subprocess.run(
            [*owner(), *map(str, start)],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
        )
        eventually(lambda: listens(self.port), "PostgreSQL answers")

    def stop(self) -> None:
        self.as_owner(self.bin / "pg_ctl", "-D", self.root / "data", "-m", "immediate", "-w", "stop")

    def restart(self) -> None:
        """Everybody is cut off, and the server starts as after a crash."""
        self.stop()
        self._serve()

    def say(self, statement: str) -> None:
        """To the server itself, outside of any transaction."""
        where = f"host=127.0.0.1 port={self.port} user=postgres dbname=postgres"
        with psycopg.connect(where, autocommit=True) as line:
            line.execute(statement.encode())

    def url(self, name: str) -> str:
        """Of a database, as `[store] url` takes it."""
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/{name}"

    @contextmanager
    def database(self, encoding: str = "UTF8", like: str = "template1") -> Iterator[str]:
        """The URL of an empty database, or of a copy of another that nobody is connected to; dropped afterwards whoever
        is connected."""
        name = f"referee_{next(NUMBERS)}"
        how = f"TEMPLATE {like}"
        if encoding != "UTF8":
            how = f"ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0"
        self.say(f"CREATE DATABASE {name} {how}")
        try:
            yield self.url(name)
        finally:
            self.say(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    places = [str(path) for path in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    found = Path(program("initdb", places)).parent
    with ground() as root:
        if IS_ROOT:
            shutil.chown(root, "postgres")
        server = Postgres(root, free_ports(1)[0], found)
        server.start()
        try:
            yield server
        finally:
            server.stop()
