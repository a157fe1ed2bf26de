"""The store under test: the same contract on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.store.sql import Store
from tests.empty_store import put_tables

DATABASES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.server)]


@pytest.fixture(params=DATABASES)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database nobody has used, as the store takes it."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'referee.db'}"
    found: str = request.getfixturevalue("postgres_url")
    return found


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The same with the store's tables."""
    if request.param == "sqlite":
        put_tables(tmp_path / "referee.db")
        return f"sqlite:///{tmp_path / 'referee.db'}"
    found: str = request.getfixturevalue("store_url")
    return found


@pytest.fixture
def store(url: str, tmp_path: Path) -> Iterator[Store]:
    made = Store(url, tmp_path / "referee.secret")
    yield made
    made.close()
