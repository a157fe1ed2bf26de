"""Migrations: from nothing to exactly what the tables say; a database that is there already is left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from referee.store.engine import NewerTables, OlderAtWork, connect, migrate, workers_lock
from referee.store.sql import SqlStore
from referee.store.tables import metadata
from tests.store.rows import NOON, opened, waiting


def test_upgraded_from_nothing_the_database_is_what_the_tables_say(empty_url: str) -> None:
    engine = connect(empty_url)
    migrate(engine)
    with engine.begin() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_a_database_of_the_first_version_is_brought_up_with_what_is_in_it(
    empty_url: str, tmp_path: Path
) -> None:
    engine = connect(empty_url)
    migrate(engine, "0001")
    columns = "id, uid, identity, arrived, size, cut, raw, filed, released"
    values = "1, 'u', 'i', '2026-03-01T12:00:00.000000Z', 1, false, 'x', false, false"
    with engine.begin() as connection:
        connection.execute(sa.text(f"INSERT INTO inbox ({columns}) VALUES ({values})"))
    engine.dispose()
    store = SqlStore(empty_url, tmp_path / "referee.secret")
    assert [(m.uid, m.arrived, m.verdict) for m in waiting(store)] == [("u", NOON, None)]
    store.close()


def test_opening_a_store_again_keeps_what_is_in_it(url: str, tmp_path: Path) -> None:
    for turn in range(2):
        store = SqlStore(url, tmp_path / "referee.secret")
        with store.transaction() as unit:
            if turn == 0:
                opened(unit)
            assert [m.name for m in unit.matches()] == ["m-1"]
        store.close()


def test_the_program_may_lie_in_a_folder_of_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    from referee.store import engine as module

    odd = tmp_path / "100% of it"
    shutil.copytree(module._MIGRATIONS, odd)
    monkeypatch.setattr(module, "_MIGRATIONS", odd)
    fresh = connect(f"sqlite:///{tmp_path / 'odd.db'}")
    migrate(fresh)
    fresh.dispose()


def test_the_secret_is_made_once_and_the_environment_overrides_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REFEREE_SECRET", raising=False)
    url, path = f"sqlite:///{tmp_path / 'r.db'}", tmp_path / "r.secret"
    made = []
    for _ in range(2):
        store = SqlStore(url, path)
        made.append(store.secret())
        store.close()
    assert made[0] == made[1]
    assert len(made[0]) == 32
    assert path.stat().st_mode & 0o077 == 0
    monkeypatch.setenv("REFEREE_SECRET", "given from outside")
    store = SqlStore(url, path)
    assert store.secret() == b"given from outside"
    store.close()


def test_an_older_program_touches_no_newer_tables(url: str, tmp_path: Path) -> None:
    SqlStore(url, tmp_path / "a.secret").close()
    engine = connect(url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(NewerTables, match="9999"):
        SqlStore(url, tmp_path / "a.secret")


@pytest.mark.server
def test_no_tables_are_changed_under_workers_of_an_older_program(postgres_url: str, tmp_path: Path) -> None:
    """Whatever of the newer program looks first, a worker or a mere command, is refused until the last one is gone."""
    engine = connect(postgres_url)
    migrate(engine, "0014")
    with workers_lock(engine), pytest.raises(OlderAtWork, match="stop them first"):
        SqlStore(postgres_url, tmp_path / "a.secret")
    with engine.connect() as connection:
        assert connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() == "0014"
    SqlStore(postgres_url, tmp_path / "a.secret").close()
    with workers_lock(engine):
        SqlStore(postgres_url, tmp_path / "a.secret").close()
    engine.dispose()


def test_addresses_that_were_folded_into_anothers_are_told_apart_again(
    empty_url: str, tmp_path: Path
) -> None:
    engine = connect(empty_url)
    migrate(engine, "0015")
    with engine.begin() as connection:
        for name, address in (
            ("m-1", "Anna@straße.example"),
            ("m-2", "bo@fass.example"),
            ("m-3", "bo@faß.example"),
        ):
            body = json.dumps({"is": "MatchOpened", "roster": [{"name": "X", "addresses": [address]}]})
            at = "2026-03-01T12:00:00.000000Z"
            connection.execute(
                sa.text(
                    "INSERT INTO matches (name, game, status, phase, version, opened_at, stamp, state, computes,"
                    " vacant) VALUES (:name, 'g', 'open', 'p', 1, :at, 's', '', false, false)"
                ),
                {"name": name, "at": at},
            )
            connection.execute(
                sa.text(
                    "INSERT INTO ledger (match, version, position, cause, at, public, kind, body)"
                    " VALUES (:name, 1, 1, 1, :at, true, 'MatchOpened', :body)"
                ),
                {"name": name, "at": at, "body": body},
            )
            connection.execute(
                sa.text("INSERT INTO seats (match, address, seat) VALUES (:name, :address, 1)"),
                {"name": name, "address": address.casefold()},
            )
        for address in ("anna@strasse.example", "bo@fass.example"):
            connection.execute(
                sa.text("INSERT INTO people (address, medium, digest) VALUES (:address, 'html', false)"),
                {"address": address},
            )
    engine.dispose()
    store = SqlStore(empty_url, tmp_path / "referee.secret")
    with store.transaction() as unit:
        assert unit.seats_of("anna@STRAßE.example") == [("m-1", 1)]
        assert unit.seats_of("anna@strasse.example") == []
        assert (unit.seats_of("bo@fass.example"), unit.seats_of("bo@faß.example")) == (
            [("m-2", 1)],
            [("m-3", 1)],
        )
        assert unit.person("anna@straße.example").medium == "html"
        assert unit.person("bo@fass.example").medium == "html"
        assert unit.person("bo@faß.example").medium == "both"
    store.close()
