"""A person is told all times in one zone, in however many matches."""

import re
from pathlib import Path

from tests.world import START, Sent, World

ANN = "ann@example.org"


def zones_told(letters: list[Sent], to: str = ANN) -> set[str]:
    """The zones in which he is told by when he owes what."""
    told = [x.words for x in letters if x.to == to and x.kind in ("due", "status")]
    assert told
    return {zone for words in told for zone in re.findall(r"by [\w ]+, \d\d:\d\d ([A-Z]+)", words)}


def opened(world: World, zone: str = "") -> list[Sent]:
    """A match of Fourplay for Ann; everybody owes something at once."""
    people = [
        f"Ann Archer <{ANN}>{zone}",
        *(f"{n} <{n.lower()}@example.org>" for n in ("Ben", "Cleo", "Dan")),
    ]
    world.open("multigo", people, board="9x9", order="parallel")
    return world.passed()


def test_a_second_match_takes_the_zone_of_the_first(tmp_path: Path) -> None:
    world = World(tmp_path)
    assert zones_told(opened(world, "; Europe/Berlin")) == {"CET"}
    assert zones_told(opened(world)) == {"CET"}


def test_a_zone_that_is_given_anew_holds_for_all_seats(tmp_path: Path) -> None:
    world = World(tmp_path)
    opened(world)
    assert zones_told(opened(world, "; America/New_York")) == {"EDT"}
    assert zones_told(world.sends(f"Ann <{ANN}>", "status", "", START)) == {"EDT"}, "of both matches"
    world.sends(f"Ann <{ANN}>", "timezone Asia/Tokyo", "", START)
    assert zones_told(opened(world)) == {"JST"}


def test_whoever_joins_or_is_put_into_a_seat_keeps_his_zone(tmp_path: Path) -> None:
    world = World(tmp_path)
    opened(world, "; Europe/Berlin")
    name = world.open(
        "multigo", [f"{n} <{n.lower()}@else.example>" for n in ("Ida", "Jon", "Kim")], board="9x9"
    )
    world.do("replace", name, "1", f"Ann Archer <{ANN}>", "--why", "x", "--now", START)
    assert zones_told(world.passed()) == {"CET"}
