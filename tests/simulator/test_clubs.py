"""Clubs at play while everything fails: few seeds, and every failure that was found and mended; `make soak` an hour."""

import os
import time
from pathlib import Path

import pytest

from tests.sampling import one_in
from tests.simulator.club import Deed, habits, script
from tests.simulator.rehearsed import case, played, rehearsed, shell_of, shrunk

CASES = sorted((Path(__file__).parent / "cases").glob("*.log"))
_HOUR = 3600.0  # seconds of computing


@pytest.mark.parametrize("seed", one_in(5, range(1, 11)))
def test_a_small_club_holds_every_law(seed: int) -> None:
    run = played(seed, 5, script(seed, 5, 9, "habits", "faults"))
    assert run.wrong == [], "\n".join(run.log)


def test_what_fell_once_falls_no_more() -> None:
    assert {file.stem: case(file).wrong for file in CASES} == {file.stem: [] for file in CASES}


def test_a_seed_does_the_same_twice() -> None:
    deeds = script(2, 5, 4, "habits", "faults")  # without a backup, which tells the machine's time
    assert played(2, 5, deeds) == played(2, 5, deeds)


def test_a_script_is_read_back_from_its_log_and_does_all_there_is() -> None:
    deeds = script(1, 40, 30, "habits", "faults")
    assert [Deed.read(f"{deed}  # whatever came of it") for deed in deeds] == deeds
    assert {deed.what for deed in deeds} == {*habits()["habits"], *habits()["faults"]}


def test_a_failure_is_told_by_the_deeds_that_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strangers may write to nobody: of all that was done one mail is left."""
    monkeypatch.setattr("tests.simulator.held.ClubLaws.of_mail", _minds_strangers)
    deeds = [
        Deed(minute, what, minute) for minute, what in enumerate(("opens", "wishes", "strangers", "wishes"))
    ]
    short = shrunk(2, 5, deeds, played(2, 5, deeds).wrong[0])
    assert [Deed.read(line).what for line in short.log] == ["strangers"]


def _minds_strangers(laws: object, mail: tuple[bytes, str, bool]) -> list[str]:
    return ["a stranger has written"] if mail[1].endswith("@elsewhere.example") else []


def test_the_command_line_rehearses_a_club(tmp_path: Path) -> None:
    run = shell_of(tmp_path)
    status, told = run(["rehearse", "--club", "--faults", "--seed", "7", "--days", "1"])
    assert (status, "people" in told, "match-years" in told) == (0, True, True), told
    status, told = run(["rehearse"])
    assert (status, "Name a game" in told) == (1, True)


@pytest.mark.soak
def test_an_hour_of_clubs_with_seeds_that_nobody_has_seen() -> None:
    seed, ends, told = (
        int(os.environ.get("REFEREE_SEED", time.time())),
        time.process_time() + _HOUR,
        list[str](),
    )
    while time.process_time() < ends:
        wrong = rehearsed(seed, 30, faults=True, show=told.append)
        assert wrong == [], "\n".join([f"seed {seed}", *told])
        seed, told = seed + 1, []
