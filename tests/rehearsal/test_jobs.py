"""`rehearse --jobs`: matches dealt out to several processes, each with a referee of its own."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from referee.base.errors import CannotDo
from referee.rehearsal.players import Plan, Report
from referee.rehearsal.rehearse import rehearsed
from tests.world import World

PLAN = Plan("buttons", None, {}, 1, 2)


@dataclass
class Dealt:
    """Matches that two processes played."""

    kept: Path

    def __post_init__(self) -> None:
        self.report = rehearsed(PLAN, self.kept, print, jobs=2)


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Dealt:
    return Dealt(tmp_path_factory.mktemp("dealt") / "kept")


def test_matches_are_dealt_out_and_all_is_found_in_one_folder(dealt: Dealt, tmp_path: Path) -> None:
    world, kept, report = World(tmp_path / "w"), dealt.kept, dealt.report
    assert report.faults == []
    assert sorted(outcome.partition(":")[0] for outcome in report.outcomes) == ["buttons-1", "buttons-2"]
    assert report.counts["sent"] == report.counts["letters"] > 50
    records = sorted((kept / "records").glob("*.json"))
    assert [record.stem for record in records] == ["buttons-1", "buttons-2"]
    for record in records:
        assert world.run("verify", str(record), config=False).status == 0
    front = (kept / "index.html").read_text()
    for place in ("referee-1", "referee-2"):
        assert f"{place}/index.html" in front
        assert (kept / place / "index.html").exists()


def test_the_first_match_is_the_same_with_one_process_or_several(dealt: Dealt, tmp_path: Path) -> None:
    rehearsed(replace(PLAN, matches=1), tmp_path / "one", lambda line: None)
    first = "records/buttons-1.txt"
    assert (tmp_path / "one" / first).read_text() == (dealt.kept / first).read_text()


def test_what_can_not_be_rehearsed_is_said_in_a_line() -> None:
    with pytest.raises(CannotDo, match="There is no game"):
        rehearsed(Plan("tiddlywinks", None, {}, 1, 2), None, lambda line: None, jobs=2)
    with pytest.raises(CannotDo, match="goal"):
        rehearsed(Plan("buttons", None, {"goal": "nine"}, 1, 2), None, lambda line: None, jobs=2)


def test_every_place_that_is_named_is_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make demo` is called a folder above the one that the program runs in."""
    monkeypatch.chdir(tmp_path)
    left = Path("left")
    (left / "records").mkdir(parents=True)
    (left / "referee.toml").touch()
    told = Report(left).lines()
    monkeypatch.chdir(tmp_path.parent)
    places = [line.partition(": ")[2] for line in told if ": " in line]
    assert len(places) == 2
    assert all(Path(place).exists() for place in places)
