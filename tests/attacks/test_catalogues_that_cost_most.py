"""Boards, positions and catalogues of the moderator's own that would cost most: refused in words when a match is
opened, or as cheap as any other."""

import copy
import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from string import ascii_lowercase, digits
from typing import Any

import pytest

from referee.games.fourplay.board import catalogue as reading
from referee.games.fourplay.board.catalogue import MOST_MOVES, MOST_WAYS, read_catalogue
from tests.games.fourplay.table import catalogues
from tests.games.onepiece.table import EXACT4
from tests.world import START, Sent, World

PEOPLE = [f"P{n} <p{n}@example.org>" for n in range(1, 9)]


def with_pieces(*rows: Mapping[str, Any]) -> dict[str, Any]:
    table = copy.deepcopy(dict(catalogues()["pieces"]))
    table["piece"] = [*table["piece"], *rows]
    return table


def piece(number: int, moves: list[dict[str, Any]]) -> dict[str, Any]:
    """One of up to a thousand, each with a name and a symbol of its own."""
    known = digits + ascii_lowercase
    letters = "".join(ascii_lowercase[int(digit)] for digit in str(number))
    return {
        "name": f"Z{letters}x",
        "symbol": f"{'éèêëàâäùûüôöîïçñøåæœðþłđžščć'[number // 36]}{known[number % 36]}",
        "value": 1,
        "description": "A piece of one's own.",
        "moves": moves,
    }


def legs(count: int, vectors: int) -> dict[str, Any]:
    return {"by": "legs", "legs": [[[n, 1] for n in range(1, vectors + 1)]] * count}


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        (
            [legs(3, 2)],
            f"its legs have 4096 ways, with the eight images of each pair; there can be {MOST_WAYS}.",
        ),
        ([legs(3, 14)], "its legs have 1404928 ways"),
        ([legs(2, 3)], "its legs have 576 ways"),
        ([legs(3, 1), legs(1, 1)], "its legs have 520 ways"),
        ([{"by": "slide", "dirs": "all8"}] * (MOST_MOVES + 1), "it has 21 moves; there can be 20."),
        ([{"by": "slide", "dirs": "all8"}] * 5_000, "it has 5000 moves; there can be 20."),
    ],
)
def test_a_piece_that_can_go_too_many_ways_is_refused(moves: list[dict[str, Any]], words: str) -> None:
    found, faults = read_catalogue(with_pieces(piece(0, moves)))
    assert found is None
    assert [words in fault for fault in faults] == [True]


@pytest.mark.parametrize(
    "moves", [[legs(3, 1)], [legs(2, 2)], [{"by": "slide", "dirs": "all8"}] * MOST_MOVES]
)
def test_as_many_ways_as_may_be_are_taken(moves: list[dict[str, Any]]) -> None:
    assert read_catalogue(with_pieces(piece(0, moves)))[1] == ()


def test_a_thousand_pieces_are_compared_by_their_names_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not each with each."""
    count = 0
    key = reading.name_key

    def counted(word: str) -> str:
        nonlocal count
        count += 1
        return key(word)

    monkeypatch.setattr(reading, "name_key", counted)
    rows = [piece(number, [{"by": "slide", "dirs": "all8"}]) for number in range(1_000)]
    found, faults = read_catalogue(with_pieces(*rows))
    assert faults == ()
    assert count < 10 * len(found.types)


def test_names_and_symbols_that_come_twice_are_still_named() -> None:
    one, two = piece(1, [legs(1, 1)]), piece(2, [legs(1, 1)])
    _, faults = read_catalogue(with_pieces(one, {**two, "symbol": one["symbol"]}, {**one, "symbol": "é9"}))
    assert faults == (
        f"{two['name']} and {one['name']} are both called {one['symbol']!r} (900.A).",
        f"{one['name']} and {one['name']} are both called {one['name'].casefold()!r} (900.A).",
    )


GO = {
    "one chain of all points but one": ["B" * 25] * 24 + ["B" * 24 + "."],
    "three hundred chains of one stone": [
        "".join("BWRUGYPO"[(x + 3 * y) % 8] if (x + y) % 2 else "." for x in range(25)) for y in range(25)
    ],
}


@pytest.mark.parametrize("rows", GO.values(), ids=GO.keys())
def test_the_largest_boards_are_opened_shown_and_verified(tmp_path: Path, rows: list[str]) -> None:
    world = World(tmp_path)
    match = world.open("multigo", PEOPLE, position="/".join(rows), compensation="none")
    world.step()
    due = world.show(match)["due"][0]["seat"]
    sender = next(seat for seat in world.show(match)["seats"] if seat["number"] == due)["name"].lower()
    world.mail(f"{sender}@example.org", f"Multiplayer Go: Move / Player {due} [{match}]", "Move: A25\nPass")
    assert json.loads(world.run("step", "--json").out)["refused"] == 1
    world.verifies(match)
    assert max(path.stat().st_size for path in (tmp_path / "mail/out/new").iterdir()) < 100_000


@pytest.mark.parametrize(("width", "height"), [(26, 26), (1, 99), (99, 1), (100, 100), (400, 400)])
def test_a_larger_board_is_refused_in_a_line(tmp_path: Path, width: int, height: int) -> None:
    position = "/".join(["." * width] * height)
    seats = [part for person in PEOPLE for part in ("--seat", person)]
    ran = World(tmp_path).run("open", "multigo", *seats, "--option", f"position={position}")
    assert ran.status == 1
    assert "a board has at most 25 rows and 25 columns" in ran.err
    assert len(ran.err) < 1_000


# --- claims that make the solver work: a match takes so many a day -----------------------------------------------


class Claims:
    """A tournament in which every ply may bear a claim, and a line that it follows. Players 1 and 3 are red."""

    def __init__(self, folder: Path, most: int, **options: str) -> None:
        self.world = World(folder)
        self.world.configure("searches_a_day = 10 ", f"searches_a_day = {most} ")
        given = {"colours": "red", "edge": "south", "solver_nodes": "1000", "claims": "multiple", **options}
        match = self.world.open("onepiece", PEOPLE[:4], **given)
        self.clock = datetime.fromisoformat(START)
        self.world.passed()
        self.starter = self.world.show(match)["due"][0]["seat"]
        line = (
            EXACT4 if self.starter % 2 else re.sub(r"R(..)B(..)", r"R\2B\1", EXACT4)
        )  # the colours exchanged
        self.line = line.split()
        self.plies = 0

    def says(self, *claim: str) -> tuple[bool, list[Sent]]:
        """The next ply of the line, and whether it counted."""
        self.clock += timedelta(minutes=1)
        seat, at = (self.starter + self.plies - 1) % 4 + 1, self.clock.isoformat()
        body = "\n".join((f"Move: {self.line[self.plies]}", *claim))
        self.world.mail(PEOPLE[seat - 1], f"1P42: Move / Player {seat}", body, at)
        counted = self.world.step(at)["accepted"] == 1
        self.plies += counted
        return counted, self.world.new_letters()


def test_a_claim_too_many_is_refused_with_the_time_at_which_there_is_room(tmp_path: Path) -> None:
    claims = Claims(tmp_path, 3)
    for n in (8, 6, 4):
        counted, letters = claims.says(f"Claim: {n}")
        assert counted, [x.text for x in letters]
    counted, letters = claims.says("Claim: 2")
    assert not counted
    (refusal,) = [x for x in letters if x.kind == "refusal"]
    told = refusal.words
    assert "this match has had 3 claims that I may have to judge by a search" in told
    assert "claim again from Monday 2 March 2026, 12:01" in told, "a day after the first of them"
    assert "with OK" not in told, "the form as it stands would be refused again"
    assert claims.says()[0], "the move alone counts"
    claims.clock += timedelta(hours=23, minutes=50)
    assert not claims.says("Claim: 2")[0]
    claims.clock += timedelta(minutes=20)
    assert claims.says("Claim: 2")[0], "there is room again"


def test_claims_that_players_judge_cost_nothing(tmp_path: Path) -> None:
    claims = Claims(tmp_path, 1, adjudication="players")
    assert all(claims.says(f"Claim: {n}")[0] for n in (8, 6, 4, 2))
