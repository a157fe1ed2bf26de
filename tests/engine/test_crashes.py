"""Law 4 with the engine: a process that dies at any point, and another that goes on, change nothing but possibly the
letters in hand. The script and its points are those of the desk's own crash matrix."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.offices.desk.test_exactly_once import (
    NAMES,
    SCRIPT,
    SOLO,
    Act,
    Copies,
    Script,
    crashed,
    played,
    points,
)
from tests.offices.stage import Stage
from tests.servers.postgres import Postgres

pytestmark = pytest.mark.server
SAMPLE = 10
SECRET = "a secret for tests only, the same in all of them"


def undisturbed(
    copies: Copies, base: str, folder: Path, game: str, seats: int, script: Script, **options: str
) -> list[Act]:
    """`base` is the name of a database to begin with."""
    (folder / "live").mkdir()

    def copied(stage: Stage) -> Stage:
        return stage.copied(folder / f"before-{next(NAMES)}", copies.of(stage.url))

    stage = Stage(folder / "live", copies.like(base), kind="procrastinate")
    return played(stage, stage.open(game, seats, **options), script, copied)


@pytest.fixture(scope="module")
def acts(
    postgres: Postgres, postgres_queue: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Act]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_SECRET", SECRET)
        folder = tmp_path_factory.mktemp("undisturbed")
        yield undisturbed(Copies(postgres), postgres_queue, folder, "fourplay", 4, SCRIPT)


@pytest.fixture(scope="module")
def solo(
    postgres: Postgres, postgres_queue: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Act]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_SECRET", SECRET)
        folder = tmp_path_factory.mktemp("solo")
        yield undisturbed(Copies(postgres), postgres_queue, folder, "buttons", 1, SOLO, mode="solo")


def some(acts: list[Act], most: int, postgres: Postgres, folder: Path) -> None:
    every, copies = points(acts), Copies(postgres)
    for number in range(most):
        act, failure = every[(2 * number + 1) * len(every) // (2 * most)]
        crashed(act, failure, act.before.copied(folder / f"{number}", copies.of(act.before.url)))


def test_a_crash_of_the_engine_changes_nothing(acts: list[Act], postgres: Postgres, tmp_path: Path) -> None:
    some(acts, SAMPLE, postgres, tmp_path)


def test_a_crash_around_the_referees_own_answer_changes_nothing(
    solo: list[Act], postgres: Postgres, tmp_path: Path
) -> None:
    some(solo, SAMPLE // 2, postgres, tmp_path)


@pytest.mark.soak
def test_a_crash_of_the_engine_at_every_single_point_changes_nothing(
    acts: list[Act], solo: list[Act], postgres: Postgres, tmp_path: Path
) -> None:
    for name, played_acts in (("match", acts), ("solo", solo)):
        (tmp_path / name).mkdir()
        some(played_acts, len(points(played_acts)), postgres, tmp_path / name)
