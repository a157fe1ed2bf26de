"""The tables of a new referee, made once a process: to bring them about by all migrations takes longer than most
passes, and a thousand tests need a referee of their own. `tests/store/test_migrations.py` and whatever calls
`referee init` itself go the whole way."""

import tempfile
from functools import cache
from pathlib import Path

from referee.base.private import private_file
from referee.store.engine import connect, migrate


@cache
def new_tables() -> bytes:
    """A SQLite file with the tables and nothing in them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "referee.db"
        engine = connect(f"sqlite:///{path}")
        with engine.begin() as connection:
            migrate(connection)
        engine.dispose()
        return path.read_bytes()


def put_tables(path: Path) -> None:
    """What the first command of a new referee does to its database, where there is none yet."""
    if not path.exists():
        private_file(path)
        path.write_bytes(new_tables())
