"""Fixtures every folder of tests may use."""

import gc
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck

from tests.memory import Stage
from tests.sampling import left_to_the_long_run
from tests.world import Table, World

pytest_plugins = ["tests.servers.fixtures"]
HERE = Path(__file__).parent
WITH_ONE_SECRET = {"cli", "engine", "offices", "service", "upkeep", "way"}

# The same examples on every machine, however slow it is.
hypothesis.settings.register_profile(
    "here",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
hypothesis.settings.load_profile("here")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-goldens",
        action="store_true",
        help="write tests/games/*/letters and docs/pictures anew, before comparing",
    )


@pytest.fixture(scope="session", autouse=True)
def statements_compiled_once() -> Iterator[None]:
    """Each of the many thousand commands here opens its SQLite store anew, and SQLAlchemy, which keeps what it compiles
    by engine and dialect, would compile the same statements for each of them: a third of what such a test takes."""
    create, first, kept = sa.create_engine, sa.create_engine("sqlite://"), dict[Any, Any]()
    with first.connect():
        dialect = first.dialect

    def sharing(url: Any, **given: Any) -> sa.Engine:
        engine = create(url, **given)
        if engine.dialect.name != "sqlite":
            return engine
        engine.dialect = dialect
        return engine.execution_options(compiled_cache=kept)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sa, "create_engine", sharing)
        yield
    first.dispose()


@pytest.fixture(scope="session", autouse=True)
def files_read_once() -> Iterator[None]:
    """Every command here reads its configuration anew, mostly the very same: an eighth of what a pass takes."""
    loads, kept = tomllib.loads, dict[str, Any]()

    def remembering(text: str) -> dict[str, Any]:
        kept[text] = kept[text] if text in kept else loads(text)
        return deepcopy(kept[text])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tomllib, "loads", remembering)
        yield


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A referee of one's own, as `init` makes it."""
    return World(tmp_path)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Ann and Ben at a quick game, under the configuration that `init` writes."""
    return Table(tmp_path)


@pytest.fixture
def stage(tmp_path: Path, one_secret: None) -> Stage:
    """A referee in memory, without a match."""
    return Stage(tmp_path)


@pytest.fixture
def one_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same referee everywhere, so that its letters can be compared."""
    monkeypatch.setenv("REFEREE_SECRET", "a secret for tests only, the same in all of them")


@pytest.fixture(autouse=True)
def secret_of_the_folder(request: pytest.FixtureRequest) -> None:
    if request.path.relative_to(HERE).parts[0] in WITH_ONE_SECRET:
        request.getfixturevalue("one_secret")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    left_to_the_long_run(items)


def pytest_collection_finish() -> None:
    """What is loaded by now stays to the end: no collection of garbage looks through it again, and few look at all."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
