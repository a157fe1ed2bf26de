"""Migrations: from 0.2.0 to exactly what the tables say; a database that is there already is left alone."""

import base64
import io
import json
import lzma
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from referee.store import engine as module
from referee.store.engine import (
    WORKERS_NUMBER,
    NewerTables,
    OlderAtWork,
    OlderTables,
    Unreleased,
    connect,
    holding,
    migrate,
    revisions,
    upgrading,
    wait_for,
)
from referee.store.sql import Store
from referee.store.tables import metadata
from tests.store.rows import opened
from tests.twins.comparing import HERE

LATEST = revisions()[-1]


@contextmanager
def workers_lock(engine: sa.Engine) -> Iterator[None]:
    """As workers have it."""
    with holding(engine) as connection:
        wait_for(connection, "pg_advisory_lock_shared", WORKERS_NUMBER)
        yield


BETWEEN = ("club_ledger", "club_wishes", "event_matches", "gatherings", "invitations", "never_again")


def first_release(connection: sa.Connection, folder: Path) -> None:
    """The tables of version 0.2.0, as a desk has them that was kept soon after it, without what came in between."""
    session = json.loads(lzma.decompress((HERE / "sessions/kept-desk.json.xz").read_bytes()))
    with tarfile.open(fileobj=io.BytesIO(base64.b64decode(session["kept"]))) as kept:
        kept.extract("referee.db", folder, filter="data")
    tables, desk = sa.MetaData(), connect(f"sqlite:///{folder / 'referee.db'}")
    tables.reflect(desk)
    desk.dispose()
    for column in (column for table in tables.tables.values() for column in table.columns):
        column.type = column.type.as_generic()
        if isinstance(column.type, sa.Boolean) and column.server_default is not None:
            column.server_default = sa.DefaultClause(sa.false())
    tables.create_all(connection, [t for t in tables.sorted_tables if t.name not in BETWEEN])
    connection.execute(sa.text("ALTER TABLE clock DROP COLUMN desk_at"))
    connection.execute(sa.text("INSERT INTO alembic_version VALUES ('0100')"))


@pytest.mark.parametrize("version", ["", "0.2.0"])
def test_upgraded_from_nothing_or_the_first_release_the_database_is_what_the_tables_say(
    empty_url: str, version: str, tmp_path: Path
) -> None:
    engine = connect(empty_url)
    if version:
        (tmp_path / "kept").mkdir()
        with engine.begin() as connection:
            first_release(connection, tmp_path / "kept")
    with engine.begin() as connection:
        migrate(connection)
    with engine.begin() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert context.get_current_revision() == LATEST
    engine.dispose()


def test_opening_a_store_again_keeps_what_is_in_it(url: str, tmp_path: Path) -> None:
    for turn in range(2):
        store = Store(url, tmp_path / "referee.secret")
        with store.transaction() as unit:
            if turn == 0:
                opened(unit)
            assert [m.name for m in unit.matches()] == ["m-1"]
        store.close()


def test_the_program_may_lie_in_a_folder_of_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = tmp_path / "100% of it"
    shutil.copytree(module._MIGRATIONS, odd)
    monkeypatch.setattr(module, "_MIGRATIONS", odd)
    fresh = connect(f"sqlite:///{tmp_path / 'odd.db'}")
    with fresh.begin() as connection:
        migrate(connection)
    fresh.dispose()


def test_the_secret_is_made_once_and_the_environment_overrides_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REFEREE_SECRET", raising=False)
    url, path = f"sqlite:///{tmp_path / 'r.db'}", tmp_path / "r.secret"
    made = []
    for _ in range(2):
        store = Store(url, path)
        made.append(store.secret())
        store.close()
    assert made[0] == made[1]
    assert len(made[0]) == 32
    assert path.stat().st_mode & 0o077 == 0
    monkeypatch.setenv("REFEREE_SECRET", "given from outside")
    store = Store(url, path)
    assert store.secret() == b"given from outside"
    store.close()


def test_an_older_program_touches_no_newer_tables(url: str, tmp_path: Path) -> None:
    Store(url, tmp_path / "a.secret").close()
    engine = connect(url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(NewerTables, match="9999"):
        Store(url, tmp_path / "a.secret")


@pytest.mark.parametrize("revision", ["0001", "0017"])
def test_a_store_of_before_the_first_release_is_refused_in_one_line(
    url: str, tmp_path: Path, revision: str
) -> None:
    Store(url, tmp_path / "a.secret").close()
    engine = connect(url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = :old"), {"old": revision})
    with pytest.raises(Unreleased, match="finish its matches with that program, or begin anew") as refused:
        Store(url, tmp_path / "a.secret")
    assert "\n" not in str(refused.value)
    with engine.connect() as connection:
        assert connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() == revision
    engine.dispose()


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that has one migration more."""
    folder = tmp_path / "migrations"
    shutil.copytree(module._MIGRATIONS, folder)
    (folder / "versions/v9999_next.py").write_text(NEXT)
    monkeypatch.setattr(module, "_MIGRATIONS", folder)


def revision_of(engine: sa.Engine) -> str:
    with engine.connect() as connection:
        return str(connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar())


def test_tables_are_brought_up_by_who_upgrades_alone(
    store: Store, url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("newer")
    engine = connect(url)
    with pytest.raises(OlderTables, match="referee upgrade"):
        Store(url, tmp_path / "a.secret")
    assert revision_of(engine) == LATEST
    with upgrading(engine) as (connection, older):
        assert older
        assert connection.execute(sa.text("SELECT next FROM clock")).all() == []
        connection.rollback()
    assert revision_of(engine) == LATEST
    assert "next" not in {column["name"] for column in sa.inspect(engine).get_columns("clock")}
    with upgrading(engine) as (connection, older):
        assert older
    with upgrading(engine) as (connection, older):
        assert not older
    Store(url, tmp_path / "a.secret").close()
    engine.dispose()


@pytest.mark.server
def test_no_tables_are_changed_under_workers_of_an_older_program(
    postgres_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    Store(postgres_url, tmp_path / "a.secret").close()
    request.getfixturevalue("newer")
    engine = connect(postgres_url)
    with workers_lock(engine), pytest.raises(OlderAtWork, match="stop them first"), upgrading(engine):
        pass
    assert revision_of(engine) == LATEST
    with upgrading(engine):
        pass
    with workers_lock(engine):
        Store(postgres_url, tmp_path / "a.secret").close()
    engine.dispose()


NEXT = f"""
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{LATEST}"


def upgrade() -> None:
    op.add_column("clock", sa.Column("next", sa.Integer()))
"""
