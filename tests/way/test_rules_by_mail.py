"""The commands that send the rules in brief, how answers are written, and the pieces: for every game, as amended."""

from pathlib import Path

import pytest

from referee.core.seam import headings
from referee.games import found
from tests.world import Table, World

AT = "2026-03-01T12:00:00Z"
OFTEN = {"fourplay": 4, "multigo": 3, "onepiece": 2, "buttons": 2}


def table(folder: Path, slug: str, **options: str) -> Table:
    people = [f"P{i} <p{i}@example.org>" for i in range(1, OFTEN.get(slug, 2) + 1)]
    return Table(folder, slug, people, **options)


@pytest.mark.parametrize("slug", sorted(found()))
def test_rules_of_a_match_hold_the_rules_the_notation_and_the_pieces(slug: str, tmp_path: Path) -> None:
    played = table(tmp_path, slug)
    _, letters = played.send("p1@example.org", f"rules {played.match}", "", AT)
    (letter,) = letters
    assert letter.kind == "help"
    assert f"This is how {played.match} is played" in letter.text
    assert "the rules in brief" in letter.text
    assert "How answers are written" in letter.text
    assert "{{" not in letter.text
    for heading in headings(found()[slug]):
        assert heading in letter.text


@pytest.mark.one_in(3)
@pytest.mark.parametrize("slug", sorted(found()))
@pytest.mark.parametrize("command", ["rules", "syntax", "pieces"])
def test_a_game_is_explained_to_a_stranger_too(slug: str, command: str, tmp_path: Path) -> None:
    played = table(tmp_path, slug)
    for name in (slug, found()[slug].title):
        _, letters = played.send(f"{slug}-{len(name)}@example.net", f"{command} {name}", "", AT)
        (letter,) = letters
        assert found()[slug].title in letter.text, letter.text
        assert ("the rules in brief" in letter.text) is (command == "rules")
        assert ("How answers are written" in letter.text) is (command in ("rules", "syntax"))


def test_the_catalogue_is_that_of_the_match_as_amended(tmp_path: Path) -> None:
    played = table(tmp_path, "fourplay")
    _, before = played.send("p1@example.org", f"pieces {played.match}", "", AT)
    assert "Queen" not in before[0].text
    assert "Crazyhorse" in before[0].text
    why = ("--why", "more pieces", "--now", "2026-03-01T13:00:00Z")
    assert played.world.run("amend", played.match, "--option", "catalogue=orthodox", *why).status == 0
    _, after = played.send("p1@example.org", f"pieces {played.match}", "", "2026-03-01T14:00:00Z")
    text = next(x for x in after if x.kind == "help").text
    assert "Queen" in text
    assert "How answers are written" not in text


def test_a_match_that_waits_for_players_is_explained_by_its_own_options(tmp_path: Path) -> None:
    world = World(tmp_path)
    ran = world.run(
        "open", "buttons", "--seat", "P1 <p1@example.org>", "--vacant", "1", "--option", "values=1..8",
        "--now", AT,
    )  # fmt: skip
    match = ran.out.strip()
    assert (
        "1 2 3 4 5 6 7 8"
        in next(x for x in world.sends("p1@example.org", f"pieces {match}", "", AT) if x.kind == "help").text
    )


def test_every_turn_says_where_help_is_and_only_the_first_how_answers_are_written(tmp_path: Path) -> None:
    played = table(tmp_path, "buttons")
    for day in ("02", "03"):
        played.turn = played.world.show(played.match)["due"][0]["seat"]
        first = played.latest("due", played.mover)
        assert first.text.count(f'Help: the subject "rules {played.match}".') == 1
        assert "A turn is one of two things" in first.text
        played.send(played.mover, first.subject, played.orders(played.mover), f"2026-03-{day}T00:00:00Z")
    played.turn = played.world.show(played.match)["due"][0]["seat"]
    later = played.latest("due", played.mover).text
    assert later.count(f'Help: the subject "rules {played.match}".') == 1
    assert "A turn is one of two things" not in later
