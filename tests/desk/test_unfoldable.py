"""A match whose ledger can't be folded is put aside with an alarm, and holds up nobody."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from referee.config import read_configuration
from referee.wiring import running
from tests.cli.company import ANN_AND_BEN, FOUR, open_with, plain_words, seats
from tests.world import START, Sent, World, kinds

AT, LATE = "2026-03-02T12:00:00Z", "2026-03-20T12:00:00Z"


BROKEN = ("an entry is no JSON", "an event is unknown", "the fold stumbles")
of_a_known_game = pytest.mark.parametrize("world", BROKEN, indirect=True)


@pytest.fixture(params=[*BROKEN, "no such game"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    """Two matches of Ann and Ben; the ledger of the first is broken in one of several ways."""
    world = World(tmp_path)
    for name in ("broken", "sound"):
        ran = open_with(
            world, "buttons", *seats(*FOUR[:2]), "--option", "starter=1", "--name", name, "--seed", "1"
        )
        assert ran.status == 0, ran.err
    world.step(START)
    world.new_letters()
    store = sa.create_engine(f"sqlite:///{tmp_path / 'referee.db'}")
    with store.begin() as line:
        line.execute(sa.text("UPDATE matches SET stamp = 'older', state = '{}' WHERE name = 'broken'"))
        last = "match = 'broken' AND version = 2"
        match request.param:
            case "an entry is no JSON":
                line.execute(sa.text(f"UPDATE ledger SET body = '{{' WHERE {last}"))
            case "an event is unknown":
                line.execute(sa.text(f'UPDATE ledger SET body = \'{{"is": "Novelty"}}\' WHERE {last}'))
            case "the fold stumbles":
                line.execute(sa.text(f"DELETE FROM ledger WHERE {last}"))
            case "no such game":
                line.execute(sa.text("UPDATE matches SET game = 'tiddlywinks' WHERE name = 'broken'"))
    store.dispose()
    return world


def told(world: World, now: str) -> tuple[dict[str, int], list[Sent]]:
    ran = world.run("step", "--now", now, "--json")
    assert ran.status == 0, ran.err
    return ran.json, world.new_letters()


def test_other_matches_are_played_and_the_moderator_is_told_once(world: World) -> None:
    world.mail(ANN_AND_BEN[0], "Buttons: Move / Player 1 [sound]", "Place: B1 at a1", AT)
    counts, letters = told(world, AT)
    assert counts["accepted"] == 1, (counts, letters[0].text)
    counts, letters = told(world, LATE)  # both deadlines and all reminders are past
    assert counts["lapsed"] >= 1
    alarms = [x for x in letters if x.kind == "alarm"]
    assert [x.subject for x in alarms] == ["broken: its ledger can't be read"], kinds(letters)
    assert "put aside" in alarms[0].text
    _, letters = told(world, "2026-03-28T12:00:00Z")
    assert not [x for x in letters if x.kind == "alarm"]


@of_a_known_game
def test_its_mails_are_kept_and_go_to_no_other_match(world: World) -> None:
    world.mail(ANN_AND_BEN[0], "Buttons: Move / Player 1 [broken]", "Place: B1 at a1", AT)
    counts, letters = told(world, AT)
    assert counts["shunted"] == 1, kinds(letters)
    assert world.show("sound")["position"]["board"] == [["..", "..", "..", ".."]] * 4


@of_a_known_game
def test_a_mail_that_may_be_for_either_asks_which(world: World) -> None:
    world.mail(ANN_AND_BEN[0], "Buttons: Move / Player 1", "Place: B1 at a1", AT)
    counts, _ = told(world, AT)
    assert counts["accepted"] == 0
    assert world.show("sound")["position"]["board"] == [["..", "..", "..", ".."]] * 4


def test_commands_say_what_is_wrong_in_one_line_and_the_rest_goes_on(world: World, tmp_path: Path) -> None:
    rows = {row["match"]: row for row in world.run("list", "--json").json}
    assert rows["broken"]["phase"] == "can't be read"
    assert rows["sound"]["due"]
    assert "broken: " in world.run("list").out
    for command in (["show", "broken"], ["record", "broken"], ["say", "broken", "hello", "--now", AT]):
        assert "put aside" in plain_words(world.run(*command))
    assert world.run("site", str(tmp_path / "site")).status == 0
    doctor = world.run("doctor", "--json")
    faults = [f["fault"] for f in json.loads(doctor.out)["faults"] if f["part"] == "matches"]
    assert len(faults) == 1
    assert "broken" in faults[0]


def test_an_outage_is_added_to_the_deadlines_of_the_others(world: World) -> None:

    with running(read_configuration(world.folder / "referee.toml")) as referee:
        for moment in ("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z"):
            referee.desk.step(datetime.fromisoformat(moment), outage=timedelta(hours=1))
    assert world.show("sound")["due"][0]["due_at"] == "2026-03-09T12:00:00Z"
