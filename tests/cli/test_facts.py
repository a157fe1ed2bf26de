"""`list`, `show`, `record`, `verify`, `site`: the facts as the contract names them, and a record nobody can forge."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.company import ADDRESSES, FOUR, buttons, plain_words, purchase
from tests.world import START, World

FACTS = {"match", "game", "phase", "status", "seats", "vacant", "due", "board", "position", "outcome"}


def test_no_match_is_an_empty_list(world: World) -> None:
    assert world.run("list", "--json").json == []
    assert "no matches yet" in world.run("list").out


def test_show_and_list_hold_exactly_the_contracts_facts(world: World) -> None:
    name = buttons(world)
    facts = world.show(name)
    assert set(facts) == FACTS
    assert facts["seats"] == [{"number": 1, "name": "Ann Archer"}, {"number": 2, "name": "Ben Baker"}]
    assert facts["due"] == [{"seat": 1, "demand": "Move", "due_at": "2026-03-08T12:00:00Z"}]
    assert set(facts["position"]) == {"board", "supplies"}
    assert facts["outcome"] is None
    assert world.run("list", "--json").json == [facts]
    text = world.run("show", name).out
    for words in (
        "Player 1: Ann Archer",
        "Move by Ann Archer (Player 1), until 2026-03-08T12:00Z",
        facts["board"].splitlines()[0],
    ):
        assert words in text
    assert name in world.run("list").out


def world_purchase(world: World, name: str, seat: int) -> str:
    """A legal list, in the form the referee itself offers."""
    from referee.service.config import read_configuration
    from referee.service.wiring import running
    from tests.memory import answer_text, owing

    with running(read_configuration(world.folder / "referee.toml")) as referee:
        match = referee.moderator.match(name)
        return answer_text(match, next(d for d in owing(match) if d.seat == seat))


def test_a_seat_or_a_match_that_is_not_there_is_said(world: World) -> None:
    name = buttons(world)
    assert "no seat 3" in plain_words(world.run("show", name, "--as", "3"))
    assert "`referee list`" in plain_words(world.run("show", "x"))
    assert "`referee list`" in plain_words(world.run("record", "x"))


def ended(world: World) -> str:
    name = buttons(world)
    world.sends("Ann Archer <ann@example.org>", f"Buttons: Move / Player 1 [{name}]", "Place: B1 at a1")
    world.mail_and_yes("Ben Baker <ben@example.org>", f"Buttons: Move / Player 2 [{name}]", "Resign")
    return name


def test_an_ended_match_has_an_outcome(world: World) -> None:
    facts = world.show(ended(world))
    assert (facts["status"], facts["due"]) == ("ended", [])
    assert set(facts["outcome"]) == {"winners", "points", "reason"}
    assert facts["outcome"]["winners"] == [1]


# --- records -----------------------------------------------------------------------------------------------------


def test_a_format_that_is_not_there_is_said(world: World) -> None:
    name = buttons(world)
    assert "no record in the format 'sgf'" in plain_words(world.run("record", name, "--format", "sgf"))
    assert "'pdf'" in plain_words(world.run("record", name, "--format", "pdf"))


@pytest.fixture(scope="module")
def revealed(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, dict[str, Any]]:
    """The record of a Fourplay match with a draw and a reveal in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_SECRET", "a secret for tests only, the same in all of them")
        world = World(tmp_path_factory.mktemp("revealed"))
        name = purchase(world)
        for person in world.show(name)["seats"]:
            address = next(a for a in FOUR if a.startswith(person["name"])).partition(";")[0]
            body = world_purchase(world, name, person["number"])
            world.mail(address, f"Fourplay: Initial Purchase of Pieces / Player {person['number']}", body)
        assert world.step()["accepted"] == 4
        return world, world.run("record", name).json


def test_a_true_record_is_verified_with_no_access_to_the_database(
    revealed: tuple[World, dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REFEREE_SECRET")
    file = tmp_path / "record.json"
    file.write_text(json.dumps(revealed[1]))
    bare = World(tmp_path / "elsewhere")
    (bare.folder / "referee.toml").unlink()
    ran = bare.run("verify", str(file), config=False)
    assert (ran.status, ran.err) == (0, ""), ran.out
    assert "as they should be" in ran.out
    file.write_text(json.dumps({**revealed[1], "head": "0" * 64}))
    ran = bare.run("verify", str(file), "--json", config=False)
    assert (ran.status, ran.json["well"], len(ran.json["faults"])) == (1, False, 1)


def test_a_file_that_is_not_there_is_said(world: World) -> None:
    assert "nowhere.json" in plain_words(world.run("verify", "nowhere.json"))


def test_a_text_record_is_not_verified_but_explained(world: World) -> None:
    name = buttons(world)
    file = world.folder / "record.txt"
    file.write_text(world.run("record", name, "--format", "text").out)
    ran = world.run("verify", str(file))
    assert ran.status == 1
    assert "--format json" in ran.out + ran.err


# --- the site ----------------------------------------------------------------------------------------------------


def test_the_site_is_built_and_says_where(world: World) -> None:
    name = buttons(world)
    ran = world.run("site", str(world.folder / "site"))
    assert (ran.status, ran.err) == (0, ""), ran.out
    assert "1 match" in ran.out
    pages = [p for p in (world.folder / "site").rglob("*") if p.is_file()]
    assert (world.folder / "site/index.html") in pages
    assert any(name in p.read_text(errors="replace") for p in pages)
    for address in ADDRESSES:
        assert not any(address.encode() in p.read_bytes() for p in pages)


def test_a_site_that_can_not_be_written_is_said(world: World) -> None:
    (world.folder / "file").write_text("in the way")
    plain_words(world.run("site", str(world.folder / "file/site")))
    assert world.step(START)["read"] == 0
