"""What a list of matches reads from their rows is what the matches themselves say, whatever befalls them."""

import json
from pathlib import Path

import pytest
import sqlalchemy as sa

from referee.base import shipped
from referee.draw import draw_text
from referee.match import events as ev
from referee.offices.moderator import Moderator
from referee.offices.register import Facts, facts_of
from referee.service.wiring import Referee
from tests.laws.walks import KINDS
from tests.memory import NOON, Stage, later


def nobody(moderator: Moderator, name: str, outlined: bool) -> Facts:
    raise AssertionError("the row alone should have told it")


def rows_alone(referee: Referee, name: str = "") -> list[Facts]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Moderator, "stand", nobody)
        return referee.stands(name)


def asked(referee: Referee, name: str) -> Facts:
    """What the match itself says, by way of JSON."""
    match = referee.moderator.match(name)
    view = match.view(None)
    board = draw_text(view.diagram) if view and view.diagram else ""
    facts: Facts = json.loads(json.dumps({**facts_of(match), "board": board}))
    return facts


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", KINDS)
def test_a_row_says_what_its_match_says(kind: str, tmp_path: Path) -> None:
    slug, seats, options = KINDS[kind]
    stage = Stage(tmp_path)
    name = stage.open(slug, seats, **options)
    for hours in range(4):
        with stage.referee() as referee:
            assert rows_alone(referee, name) == [asked(referee, name)]
            assert rows_alone(referee) == rows_alone(referee, name)
        stage.answer_all(name, later(hours=hours + 1))


def test_a_row_follows_lapses_pauses_and_the_end(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    name = stage.open("buttons", 2, starter="1")
    stage.step(NOON)

    def agrees(status: str) -> None:
        with stage.referee() as referee:
            (found,) = rows_alone(referee, name)
            assert found == asked(referee, name)
            assert found["status"] == status

    agrees("open")
    stage.desk(name, ev.MatchPaused("ill"), later(hours=1))
    agrees("paused")
    stage.desk(name, ev.MatchResumed("well"), later(hours=2))
    agrees("open")
    for days in range(10, 400, 30):
        stage.step(later(days=days))
    with stage.referee() as referee:
        agrees(referee.moderator.match(name).status)


def test_what_another_program_wrote_is_asked_anew_once(tmp_path: Path) -> None:
    """As after an upgrade, and where the tables come from a program that knew no such thing."""
    stage = Stage(tmp_path)
    name = stage.open("multigo", 3)
    for foreign in ("NULL", """replace(facts, '"by":["', '"by":["older')"""):
        with stage.referee() as referee:
            with referee.store.transaction() as unit:
                unit.connection.execute(sa.text(f"UPDATE matches SET facts = {foreign}"))
            with pytest.raises(AssertionError):
                rows_alone(referee, name)
            found = referee.stands(name)
            assert found == [asked(referee, name)]
            assert rows_alone(referee, name) == found, "and kept"
            assert rows_alone(referee) == found


def test_the_program_is_told_by_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by where or when it was installed: several machines share one store."""
    for folder in ("one", "two", "other"):
        (tmp_path / folder / "games").mkdir(parents=True)
        (tmp_path / folder / "games" / "rules.py").write_text("A = 1\n" if folder != "other" else "A = 2\n")

    def told(folder: str) -> str:
        monkeypatch.setattr(shipped, "_PACKAGE", tmp_path / folder)
        return shipped.program.__wrapped__()

    assert told("one") == told("two")
    assert told("one") != told("other")


def test_facts_of_a_state_that_has_gone_are_not_kept(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    name = stage.open("multigo", 3)
    with stage.referee() as referee:
        version = referee.moderator.match(name).version
        before = rows_alone(referee, name)
        with referee.store.transaction() as unit:
            unit.keep_facts(name, version - 1, "something else")
        assert rows_alone(referee, name) == before
