"""Records by the command line: packed or not, and matches that go on from a position of one."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.company import FOUR, buttons, plain_words, seats
from tests.world import World

KEPT = sorted((Path(__file__).parents[1] / "match/records").glob("*.json"))
LATER = "2026-04-01T12:00:00Z"
OTHERS = ["Eve Eliot <eve@example.org>", "Finn Fisher <finn@example.org>"]


def test_a_record_is_read_packed_by_gzip_too_but_no_huge_one(world: World) -> None:
    _, file, _ = played(world)
    file.write_bytes(gzip.compress(file.read_bytes()))
    assert world.run("verify", str(file)).out.startswith("The chain")
    file.write_bytes(gzip.compress(b" " * 40_000_000))
    assert "larger than" in plain_words(world.run("verify", str(file)))
    file.write_bytes(b"\x1f\x8bno gzip")
    assert "can't be unpacked" in plain_words(world.run("verify", str(file)))


def played(world: World) -> tuple[str, Path, dict[str, Any]]:
    """A match with two moves in it, its record, and how it stands."""
    name = buttons(world)
    world.mail("Ann Archer <ann@example.org>", f"Buttons: Move / Player 1 [{name}]", "Place: 2 c3")
    assert world.step()["accepted"] == 1
    world.mail("Ben Baker <ben@example.org>", f"Buttons: Move / Player 2 [{name}]", "Place: 1 d3")
    assert world.step()["accepted"] == 1
    world.new_letters()
    file = world.folder / "record.json"
    file.write_text(world.run("record", name).out, encoding="utf-8")
    return name, file, world.show(name)


def go_on(world: World, file: Path, *arguments: str) -> str:
    ran = world.do("open", "buttons", "--record", str(file), *seats(*OTHERS), *arguments, "--now", LATER)
    return ran.out.strip()


def test_a_match_goes_on_from_a_records_last_position(world: World) -> None:
    _, file, stood = played(world)
    again = go_on(world, file)
    shown = world.show(again)
    assert (shown["position"], shown["board"]) == (stood["position"], stood["board"])
    assert [due["seat"] for due in shown["due"]] == [due["seat"] for due in stood["due"]]
    assert [seat["name"] for seat in shown["seats"]] == ["Eve Eliot", "Finn Fisher"]


def test_a_match_goes_on_from_an_earlier_position_and_is_played(world: World) -> None:
    name, file, _ = played(world)
    record = json.loads(file.read_text())
    first = next(e["position"] for e in record["entries"] if e["is"] == "Answered")
    again = go_on(world, file, "--at", str(first))
    assert [due["seat"] for due in world.show(again)["due"]] == [2]
    letters = world.passed(LATER)
    opened = next(x for x in letters if x.kind == "opened")
    assert name in opened.text
    assert "goes on from public position" in " ".join(opened.text.split())
    world.mail(OTHERS[1], f"Buttons: Move / Player 2 [{again}]", "Place: 1 d3", LATER)
    assert world.step(LATER)["accepted"] == 1


def test_the_record_of_such_a_match_verifies_reads_back_and_names_where_it_came_from(world: World) -> None:
    name, file, _ = played(world)
    again = go_on(world, file)
    told = world.run("record", again)
    (world.folder / "again.json").write_text(told.out)
    assert world.run("verify", str(world.folder / "again.json")).status == 0
    opening = told.json["entries"][0]
    assert opening["continues"]["match"] == name
    assert opening["continues"]["head"] == json.loads(file.read_text())["head"]
    third = go_on(world, world.folder / "again.json")
    assert world.show(third)["position"] == world.show(again)["position"]
    assert name in world.run("record", again, "--format", "text").out


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "file",
    [f for f in KEPT if not f.stem.startswith("2_") or "solo" not in f.stem],
    ids=lambda file: file.stem,
)
def test_a_match_of_every_kind_goes_on_from_a_record_of_every_version(world: World, file: Path) -> None:
    record = json.loads(file.read_text(encoding="utf-8"))
    number = next(e for e in record["entries"] if e["is"] == "MatchOpened")["seats"]
    people = [f"Person {i} <p{i}@example.org>" for i in range(1, number + 1)]
    ran = world.run("open", record["game"], "--record", str(file), *seats(*people), "--now", LATER)
    if ran.status:
        assert "has ended" in ran.err
        return
    world.step(LATER)
    out = world.folder / "out.json"
    out.write_text(world.run("record", ran.out.strip()).out, encoding="utf-8")
    assert world.run("verify", str(out)).out.startswith("The chain")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--at", "99999"], 1, "positions 1 to"),
        (["--at", "0"], 1, "positions 1 to"),
        (["--option", "starter=1"], 2, "keeps its options"),
        (["--seat", "Gwen <gwen@example.org>"], 1, "for 2"),
        (["--vacant", "1"], 1, "for 2"),
    ],
)
def test_what_can_not_go_on_is_said(world: World, arguments: list[str], status: int, words: str) -> None:
    _, file, _ = played(world)
    ran = world.run("open", "buttons", "--record", str(file), *seats(*OTHERS), *arguments, "--now", LATER)
    assert words in plain_words(ran, status)


def test_a_tampered_record_another_games_and_no_record_open_nothing(world: World) -> None:
    _, file, _ = played(world)
    text = file.read_text()
    file.write_text(text.replace("c3", "c2", 1))
    people = seats(*OTHERS)
    assert "does not verify" in plain_words(world.run("open", "buttons", "--record", str(file), *people))
    file.write_text(text)
    assert "not of multigo" in plain_words(world.run("open", "multigo", "--record", str(file), *people))
    file.write_text("peace")
    plain_words(world.run("open", "buttons", "--record", str(file), *people))
    plain_words(world.run("open", "buttons", "--record", "nowhere.json", *people))
    assert "--record" in plain_words(world.run("open", "buttons", "--at", "3", *seats(*FOUR[:2])), 2)
