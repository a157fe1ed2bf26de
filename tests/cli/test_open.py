"""`open`: seats, zones, vacant seats, names, options, seeds, beacons, positions."""

import json
from pathlib import Path

import pytest

from referee.base import shipped
from referee.core.options import resolved
from referee.games import found
from tests.cli.company import FOUR, buttons, open_with, plain_words, seats
from tests.world import START, World, kinds

# Every game, and how many play it usually.
USUAL = {slug: game.seats(resolved(shipped.game_options(slug), {})[0])[0] for slug, game in found().items()}


@pytest.mark.parametrize("game", list(found()))
def test_every_game_opens_with_its_defaults(world: World, game: str) -> None:
    ran = open_with(world, game, *seats(*FOUR[: USUAL[game]]))
    assert (ran.status, ran.out, ran.err) == (0, f"{game}-1\n", "")
    facts = world.show(f"{game}-1")
    assert (facts["game"], facts["status"], facts["outcome"]) == (game, "open", None)
    assert len(facts["seats"]) == USUAL[game]
    assert facts["due"]
    assert world.step()["sent"] >= USUAL[game]
    told = kinds(world.new_letters())
    assert len(told["opened"]) == USUAL[game]
    assert told["due"]


def test_letters_leave_at_the_next_step_only(world: World) -> None:
    open_with(world, "buttons", *seats(*FOUR[:2]))
    assert world.new_letters() == []


def test_the_document_holds_the_contracts_facts(world: World) -> None:
    facts = open_with(world, "buttons", *seats(*FOUR[:2]), "--json").json
    assert (facts["match"], facts["status"]) == ("buttons-1", "open")


def test_vacant_seats_make_a_match_that_is_filling_until_somebody_joins(world: World) -> None:
    ran = open_with(world, "fourplay", *seats(*FOUR[:3]), "--vacant", "1", "--name", "spring")
    assert (ran.status, ran.out) == (0, "spring\n")
    assert world.show("spring")["status"] == "filling"
    assert world.show("spring")["due"] == []
    world.join("spring", "Dan Draper <dan@example.org>", START)
    assert world.show("spring")["status"] == "open"
    assert {person["name"] for person in world.show("spring")["seats"]} >= {"Ann Archer", "Dan Draper"}


def test_a_name_may_be_chosen_and_only_once(world: World) -> None:
    assert open_with(world, "buttons", *seats(*FOUR[:2]), "--name", "tea").out == "tea\n"
    again = open_with(world, "buttons", *seats(*FOUR[:2]), "--name", "TEA")
    assert "'TEA' already" in plain_words(again)
    assert "can't name a match" in plain_words(
        open_with(world, "buttons", *seats(*FOUR[:2]), "--name", "a b")
    )
    assert open_with(world, "buttons", *seats(*FOUR[:2])).out == "buttons-1\n"
    assert open_with(world, "buttons", *seats(*FOUR[:2])).out == "buttons-2\n"


def test_the_same_seed_is_the_same_draw_and_the_letter_says_so(tmp_path: Path) -> None:
    seatings = {}
    for folder, seed in (("a", "5"), ("b", "5"), ("c", "6"), ("d", "7"), ("e", "8")):
        world = World(tmp_path / folder)
        open_with(world, "fourplay", *seats(*FOUR), "--seed", seed, "--name", folder)
        seatings[folder] = [person["name"] for person in world.show(folder)["seats"]]
    opened = next(letter for letter in world.passed() if letter.kind == "opened")
    assert "a seed that was given openly" in " ".join(opened.text.split())
    assert seatings["a"] == seatings["b"]
    assert len({tuple(names) for names in seatings.values()}) > 1


def test_a_beacon_is_part_of_the_draw(tmp_path: Path) -> None:
    seatings = set()
    for beacon in ("rain", "sun", "snow", "hail"):
        world = World(tmp_path / beacon)
        name = open_with(world, "fourplay", *seats(*FOUR), "--beacon", beacon, "--seed", "1").out.strip()
        seatings.add(tuple(person["name"] for person in world.show(name)["seats"]))
    opened = next(letter for letter in world.passed() if letter.kind == "opened")
    assert beacon in opened.text
    assert len(seatings) > 1


def test_what_is_unknown_is_refused_with_what_exists(world: World) -> None:
    said = plain_words(open_with(world, "chess", *seats(*FOUR[:2])))
    assert ", ".join(found()) in said
    said = plain_words(open_with(world, "multigo", *seats(*FOUR[:3]), "--option", "ordr=parallel"))
    assert "did you mean order" in said
    assert "order, coop" in said
    said = plain_words(open_with(world, "multigo", *seats(*FOUR[:3]), "--option", "order=random"))
    assert "sequential, parallel" in said


@pytest.mark.parametrize(
    ("game", "people"), [("fourplay", 3), ("multigo", 1), ("onepiece", 3), ("buttons", 1)]
)
def test_a_wrong_number_of_seats_is_refused(world: World, game: str, people: int) -> None:
    assert "played by" in plain_words(open_with(world, game, *seats(*FOUR[:people])))
    assert world.run("list", "--json").json == []


def test_fourplay_opens_from_a_position_in_a_file_and_a_missing_one_is_said(world: World) -> None:
    file = world.folder / "position.json"
    pieces = [
        {"square": square, "piece": "King", "player": player, "mascot": False}
        for player, square in enumerate(("d4", "d12", "l12", "l4"), 1)
    ]
    neutron = {"square": "h8", "piece": "Neutron", "player": None, "mascot": False}
    file.write_text(json.dumps({"pieces": [*pieces, neutron]}))
    ran = open_with(world, "fourplay", *seats(*FOUR), "--option", f"position={file}")
    assert ran.status == 0, ran.err
    facts = world.show("fourplay-1")
    assert facts["phase"] == "play"
    assert [due["seat"] for due in facts["due"]] == [1]
    assert {piece["square"] for piece in facts["position"]["pieces"]} == {"d4", "d12", "l12", "l4", "h8"}
    again = open_with(world, "fourplay", *seats(*FOUR), "--option", "position=nowhere.json")
    assert "nowhere.json" in plain_words(again)
    file.write_text("{")
    assert open_with(world, "fourplay", *seats(*FOUR), "--option", f"position={file}").status == 1


def test_nothing_is_opened_before_the_last_pass(world: World) -> None:
    buttons(world, now="2026-03-02T12:00:00Z")
    assert "before it" in plain_words(open_with(world, "buttons", *seats(*FOUR[:2]), now=START))
    assert len(world.run("list", "--json").json) == 1


@pytest.mark.parametrize(
    ("person", "why"),
    [
        ("ben@elsewhere.example <ben@example.org>", "holds an address"),
        ("Ben <ben@example.org>, <eve@example.org>", "names nobody"),
        ("Ben <ben@example.org> <eve@example.org>", "names nobody"),
        ("http://ben.example <ben@example.org>", "holds an address"),
        ("Be\u202en <ben@example.org>", "can't be seen"),
        ("<ben@example.org", "names nobody"),
    ],
)
def test_a_seat_is_given_to_the_address_in_brackets_or_to_nobody(world: World, person: str, why: str) -> None:
    ran = world.run("open", "buttons", "--seat", "Ann Archer <ann@example.org>", "--seat", person)
    assert ran.status != 0
    assert why in ran.err
    assert world.run("list").out.count("ann") == 0


def test_a_seat_is_given_by_an_address_alone_or_a_name_with_a_comma(world: World) -> None:
    world.do("open", "buttons", "--seat", "ann@example.org", "--seat", "Baker, Ben <ben@example.org>")
