"""`list`, `show`, `record`, `verify`, `site`: the facts as the contract names them, and a record nobody can forge."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.games import found
from tests.cli.company import ADDRESSES, FOUR, buttons, plain_words, purchase
from tests.match.reading_records import read_text_record
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


def test_nothing_that_is_shown_holds_an_address(world: World) -> None:
    name = purchase(world)
    shown = [
        world.run(*command).out
        for command in (
            ["list"], ["list", "--json"], ["show", name], ["show", name, "--json"], ["record", name],
            ["show", name, "--as", "1", "--json"],
            ["record", name, "--format", "text"],
        )
    ]  # fmt: skip
    for text in shown:
        assert not any(address in text for address in ADDRESSES)


def test_before_a_reveal_the_moderator_sees_who_has_answered_and_never_what(world: World) -> None:
    name = purchase(world)
    before = world.show(name)
    party = next(person for person in before["seats"] if person["name"] == "Ann Archer")
    body = world_purchase(world, name, party["number"])
    world.mail("Ann Archer <ann@example.org>", "Fourplay: Initial Purchase of Pieces", body)
    assert world.step()["accepted"] == 1
    assert world.show(name) == before
    for seat in range(1, 5):
        if seat != party["number"]:
            assert world.show(name, "--as", str(seat)) == before
    told = world.show(name, "--moderator")
    assert set(told) >= FACTS | {"answered"}
    assert told["answered"] == [{"seat": party["number"], "demand": "Purchase"}]
    assert {key: told[key] for key in before} == before


def world_purchase(world: World, name: str, seat: int) -> str:
    """A legal list, in the form the referee itself offers."""
    from referee.service.config import read_configuration
    from referee.service.wiring import running
    from tests.offices.stage import answer_text, owing

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


def test_a_record_as_text_reads_back_to_the_same_match(world: World) -> None:
    name = ended(world)
    text = world.run("record", name, "--format", "text").out
    again = read_text_record(found()["buttons"], text)
    assert list(again.ended.winners) == [1]
    assert found()["buttons"].view(again.inner, None).position == world.show(name)["position"]


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


def checked(world: World, record: Any) -> tuple[int, list[str]]:
    file = world.folder / "record.json"
    file.write_text(json.dumps(record))
    ran = world.run("verify", str(file), "--json")
    assert ran.json["well"] == (ran.status == 0)
    return ran.status, ran.json["faults"]


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


def entry(record: dict[str, Any], kind: str) -> dict[str, Any]:
    found_entry: dict[str, Any] = next(e for e in record["entries"] if e["is"] == kind)
    return found_entry


TAMPERINGS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "another time": lambda r: r["entries"][2].update(at="2026-03-01T13:00:00Z"),
    "an entry gone": lambda r: r["entries"].pop(3),
    "the last entry gone": lambda r: r["entries"].pop(),
    "all entries gone": lambda r: r["entries"].clear(),
    "an entry twice": lambda r: r["entries"].insert(4, copy.deepcopy(r["entries"][3])),
    "two entries exchanged": lambda r: r["entries"].insert(3, r["entries"].pop(4)),
    "another head": lambda r: r.update(head="0" * 64),
    "another hash": lambda r: r["entries"][1].update(hash="0" * 64),
    "another position": lambda r: r["entries"][1].update(position=7),
    "another name": lambda r: entry(r, "MatchOpened")["roster"][0].update(name="Mallory"),
    "another option": lambda r: entry(r, "MatchOpened")["options"].update(budget="9999"),
    "another match": lambda r: r.update(match="elsewhere"),
    "another game": lambda r: r.update(game="buttons"),
    "another seed": lambda r: entry(r, "MatchBegun").update(seed="00" * 32),
    "another draw": lambda r: entry(r, "MatchBegun")["transcript"][0].update(result=0, bound=1),
    "another order of play": lambda r: entry(r, "MatchBegun")["seating"].reverse(),
    "another beginning": lambda r: entry(r, "Happened")["event"].update({"is": "Ended"}),
    "another text": lambda r: entry(r, "RoundRevealed")["answers"][0].update(text="1 King"),
    "another nonce": lambda r: entry(r, "RoundRevealed")["answers"][0].update(nonce="00" * 32),
    "another seal": lambda r: entry(r, "RoundRevealed")["answers"][0].update(seal="00" * 32),
    "another seat": lambda r: entry(r, "RoundRevealed")["answers"][0]["demand"].update(seat=9),
    "a word more": lambda r: r["entries"][2].update(note="as agreed"),
    "another format": lambda r: r.update(format="referee record 0"),
    "no entries": lambda r: r.pop("entries"),
    "no head": lambda r: r.pop("head"),
    "an entry that is none": lambda r: r["entries"].append("peace"),
}


@pytest.mark.parametrize("tampering", list(TAMPERINGS))
def test_a_record_that_was_tampered_with_is_found_out(
    revealed: tuple[World, dict[str, Any]], tampering: str
) -> None:
    world, record = revealed
    forged = copy.deepcopy(record)
    TAMPERINGS[tampering](forged)
    status, faults = checked(world, forged)
    assert (status, bool(faults)) == (1, True)


def chained_anew(record: dict[str, Any]) -> None:
    """What a careful forger does: every hash made again."""
    from referee.match.chain import hash_of

    head = ""
    for line in record["entries"]:
        head = hash_of(head, {key: value for key, value in line.items() if key != "hash"})
        line["hash"] = head
    record["head"] = head


@pytest.mark.parametrize(
    "tampering",
    [
        "another seed",
        "another draw",
        "another order of play",
        "another beginning",
        "another text",
        "another nonce",
        "another seal",
        "another seat",
    ],
)
def test_seals_and_draws_do_not_follow_a_chain_that_is_made_again(
    revealed: tuple[World, dict[str, Any]], tampering: str
) -> None:
    world, record = revealed
    forged = copy.deepcopy(record)
    TAMPERINGS[tampering](forged)
    chained_anew(forged)
    status, faults = checked(world, forged)
    assert status == 1
    assert not any("chain" in fault for fault in faults)


@pytest.mark.parametrize(
    "content", [b"", b"peace", b"[]", b"{}", b"null", b"\xff\xfe", b"7", b'{"entries": []}']
)
def test_what_is_no_record_is_said(world: World, content: bytes) -> None:
    file = world.folder / "record.json"
    file.write_bytes(content)
    ran = world.run("verify", str(file))
    assert ran.status == 1
    assert "Traceback" not in ran.err
    assert ran.out.strip() or ran.err.strip()


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
