"""One Piece For Two through the outer contract alone: golden games, and a claim settled in each way by the solver."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.games.onepiece.board import Grid, ply_of
from tests.games.onepiece.plainly import line_to
from tests.world import World, kinds

E3 = "Ra1Bb1 Rb2Bb3 Rf1Bg1 Rc2Bc1 Rd2Bd1 Rc3Bd3 Re2Be1"
K2 = "Re1Be2 Rc1Bd1 Rb1Ba1 Rc3Bc2 Rg2Bg1 Rh1Bh2 Re4Be3 Rg3Bh3"
TWO = ["Ann <ann@example.org>", "Ben <ben@example.org>"]
FOUR = [*TWO, "Cleo <cleo@example.org>", "Dan <dan@example.org>"]


class Play:
    """A match whose moves are mailed one after another, a minute apart."""

    def __init__(self, folder: Path, people: list[str], **options: str) -> None:
        self.world = World(folder)
        self.people = people
        self.match = self.world.open("onepiece", people, **options)
        self.world.step()
        self.world.new_letters()
        self.minute = 0

    def send(self, seat: int, body: str):
        self.minute += 1
        at = f"2026-03-01T13:{self.minute:02d}:00Z"
        self.world.mail(self.people[seat - 1], f"1P42: Move / Player {seat}", body, at)
        counts = self.world.step(at)
        return counts, self.world.new_letters()

    @property
    def points(self) -> list[int]:
        return self.world.show(self.match)["position"]["points"]


@pytest.mark.parametrize("move", ["Rd4Bc4", "Ba3Ra2", "c^r"])
def test_36_e4_red_wins_by_its_own_run(tmp_path: Path, move: str) -> None:
    """E4a and E4b; the third is no winning move and the game goes on."""
    play = Play(
        tmp_path, TWO, grid="7x7", starter="1", colours="blue", edge="south", repetition="3", position=E3
    )
    counts, letters = play.send(2, f"hello,\n\nMove: {move}\n\nthanks")
    assert counts["accepted"] == 1, letters[0].text
    shown = play.world.show(play.match)
    if move == "c^r":
        assert shown["status"] == "open"
        assert [d["seat"] for d in shown["due"]] == [1]
    else:
        assert kinds(letters)["ended"] == ["ann@example.org", "ben@example.org"]
        assert shown["outcome"]["winners"] == [2]


def test_34_a_move_that_hangs_in_the_air_is_refused_with_the_rule(tmp_path: Path) -> None:
    play = Play(tmp_path, TWO, starter="1", colours="red", edge="south")
    counts, letters = play.send(1, "Move: Rd2Be2")
    assert counts["refused"] == 1
    assert "3.3" in letters[0].text
    assert letters[0].form.startswith("Move:")


E5 = (
    "Rc1Bd1 Re1Be2 Rd3Bd2 Rf1Bf2 Rc2Bc3 Rc4Bc5 Rg1Bh1 Re4Be3 Rd4Bd5 Rg2Bg3 "
    "Ra1Ba2 Re6Be5 Rh3Bh2 Rg4Bg5 Rh4Bh5 Rd6Bd7 Ra4Ba3 Rg6Bh6 Rh7Bg7 Re8Be7"
)
E6 = "Rd1Be1 Rd3Bd2 Rc1Bb1 Re3Be2 Rf1Bf2 Ra1Ba2 Rb2Bc2"


def test_36_e3_a_move_that_makes_both_fours_wins_nothing(tmp_path: Path) -> None:
    before = " ".join(E3.split()[:6])
    play = Play(tmp_path, TWO, starter="1", colours="blue", edge="south", position=before)
    counts, letters = play.send(1, "Move: Re2Be1")
    assert counts["accepted"] == 1, letters[0].text
    told = " ".join(next(x.text for x in letters if x.position is not None).split())
    assert "red half makes a run of 4, its blue half one of 4" in told
    assert play.world.show(play.match)["status"] == "open"


def test_36_e5_relocating_by_mail(tmp_path: Path) -> None:
    play = Play(tmp_path, TWO, starter="1", colours="red", edge="south", position=E5)
    for move, fault in (
        ("Rc1Bd1>Rb1Bb2", "Rc2Bc3"),  # covered by it
        ("Rf1Bf2>Rf2Bf1", "very piece"),
        ("Rc4Bc5>Rc4Bb1", "next to each"),
        ("Rf1Bf2>Rf3Bf4", "f1"),  # nothing may float once f1 and f2 are free
        ("Rb1Bb2", "box"),
    ):
        counts, letters = play.send(1, f"Move: {move}")
        assert counts["refused"] == 1, move
        assert fault in letters[0].text, (move, letters[0].text)
        assert letters[0].form.startswith("Move:")
    counts, letters = play.send(1, "Move: f2>Rb1Bb2")
    assert counts["accepted"] == 1, letters[0].text
    shown = play.world.show(play.match)
    assert shown["outcome"]["winners"] == [1]
    assert kinds(letters)["ended"] == ["ann@example.org", "ben@example.org"]


def test_36_e5_a_legal_move_that_gives_blue_the_win(tmp_path: Path) -> None:
    play = Play(tmp_path, TWO, starter="1", colours="red", edge="south", position=E5)
    counts, letters = play.send(1, "Move: Rc4Bc5>Rf3Bf4")
    assert counts["accepted"] == 1, letters[0].text
    assert play.world.show(play.match)["outcome"]["winners"] == [2]


def test_36_e6_blue_wins_on_ply_7(tmp_path: Path) -> None:
    play = Play(tmp_path, TWO, starter="1", colours="blue", edge="south")
    for number, move in enumerate(E6.split()):
        assert play.world.show(play.match)["status"] == "open"
        play.send(1 + number % 2, f"Move: {move}")
    assert play.world.show(play.match)["outcome"]["winners"] == [1]


@pytest.mark.parametrize("move", ["a^r", "Ra7Ba8", "b=RB", "Rb7Bc7"])
def test_36_small_cases_by_mail(tmp_path: Path, move: str) -> None:
    """Columns a and b have one free cell each, c is empty: nothing can stand on a, nothing can lie on b and c."""
    given = {"grid": "6x7", "starter": "1", "colours": "red", "edge": "south"}
    play = Play(tmp_path, TWO, position="Ra1Ba2 Rb1Bb2 Ba3Ra4 Bb3Rb4 Ra5Ba6 Rb5Bb6", **given)
    counts, letters = play.send(1, f"Move: {move}")
    assert counts["refused"] == 1
    assert "Move:" in letters[0].form


@pytest.mark.parametrize(("test", "paid"), [("exact", -4), ("by", 5)])
def test_45_k2_exact_and_by_differ(tmp_path: Path, test: str, paid: int) -> None:
    play = Play(tmp_path, FOUR, position=K2, claim_test=test)
    play.send(1, "Move: Rf2Bf1\nClaim: 4")
    placed = [ply_of(text).placed for text in (*K2.split(), "Rf2Bf1")]
    for seat, move in zip((2, 3, 4, 1), line_to(Grid(8, 8, placed, 11), "blue", 4, None, 0), strict=True):
        counts, letters = play.send(seat, f"Move: {move}")
        assert counts["accepted"] == 1, letters[0].text
    assert play.points == [paid, 0, 0, 0]


def test_45_k2_a_claim_that_is_kept_pays_claimer_and_partner(tmp_path: Path) -> None:
    play = Play(tmp_path, FOUR, position=K2)
    counts, letters = play.send(1, "Move: Rf2Bf1\nClaim: 2")
    assert counts["accepted"] == 1, letters[0].text
    assert play.world.show(play.match)["position"]["claim"] == {"seat": 1, "ply": 9, "n": 2}
    play.send(2, "Move: Ra2Ba3")
    play.send(3, "Move: Rf3Bf4")
    assert play.points == [2, 0, 1, 0]


def test_45_k2_a_true_claim_that_nobody_carried_out_is_upheld_by_the_solver(tmp_path: Path) -> None:
    play = Play(tmp_path, FOUR, position=K2)
    play.send(1, "Move: Rf2Bf1\nClaim: 2")
    play.send(2, "Move: Ra2Ba3")
    counts, letters = play.send(3, "Move: Ra4Bb2")
    if counts["refused"]:
        counts, letters = play.send(3, "Move: Rd2Bd3")
    assert counts["accepted"] == 1, letters[0].text
    assert play.points == [3, 0, 0, 0]
    record = tmp_path / "record.json"
    record.write_text(play.world.run("record", play.match).out)
    assert play.world.run("verify", str(record)).status == 0


def test_43_a_bluff_costs_what_it_claimed(tmp_path: Path) -> None:
    play = Play(tmp_path, FOUR, colours="red", edge="south")
    play.send(1, "Move: Rd1Be1\nClaim: 2")
    play.send(2, "Move: Ra1Bb1")
    counts, letters = play.send(3, "Move: Rg1Bh1")
    assert counts["accepted"] == 1, letters[0].text
    assert play.points == [-2, 0, 0, 0]


@pytest.mark.parametrize("claim", ["1", "0", "10", "three"])
def test_42_a_bad_claim_refuses_the_whole_mail(tmp_path: Path, claim: str) -> None:
    play = Play(tmp_path, FOUR, colours="red", edge="south")
    counts, letters = play.send(1, f"Move: Rd1Be1\nClaim: {claim}")
    assert counts["refused"] == 1
    assert play.world.show(play.match)["due"][0]["seat"] == 1
    assert "4.2" in letters[0].text
