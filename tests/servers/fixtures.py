"""The real servers as fixtures: each started once a session, the browser once a module, where its program is found."""

from collections.abc import Iterator
from itertools import count

import pytest
from playwright.sync_api import Browser

from referee.store.engine import connect, migrate
from tests.servers.chromium import running_chromium
from tests.servers.dovecot import Dovecot, running_dovecot
from tests.servers.postfix import Postfix, running_postfix
from tests.servers.postgres import Postgres, running_postgres

USERS = count(1)


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Dovecot]:
    """A running Dovecot; take a fresh `mail_user` each test."""
    with running_dovecot() as server:
        yield server


@pytest.fixture(scope="session")
def postfix(dovecot: Dovecot) -> Iterator[Postfix]:
    """A running Postfix that delivers into `dovecot`."""
    with running_postfix(dovecot) as server:
        yield server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A real browser that reaches nothing but this machine. What steers it keeps a loop of asyncio in this thread for
    as long as it is there, so that nothing else could start one: it ends with the module."""
    with running_chromium() as browser:
        yield browser


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """A fresh, empty database, as `[store] url` takes it."""
    with postgres.database() as url:
        yield url


@pytest.fixture(scope="session")
def postgres_tables(postgres: Postgres) -> str:
    """The name of a database with the referee's tables and nothing in them: to copy it takes a tenth of the time that
    making them takes. Nobody is to connect to it."""
    name = "tables"
    postgres.say(f"CREATE DATABASE {name}")
    engine = connect(postgres.url(name))
    with engine.begin() as connection:
        migrate(connection)
    engine.dispose()
    return name


@pytest.fixture
def store_url(postgres: Postgres, postgres_tables: str) -> Iterator[str]:
    """A database of one's own with the referee's tables, as whoever came first has left it."""
    with postgres.database(like=postgres_tables) as url:
        yield url


@pytest.fixture
def queue_url(store_url: str) -> str:
    """The same for workers."""
    return store_url


@pytest.fixture
def mail_user() -> str:
    """A user of Dovecot's nobody used before."""
    return f"user{next(USERS)}"
