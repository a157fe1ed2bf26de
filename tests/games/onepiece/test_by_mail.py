"""One Piece For Two through the outer contract alone: golden games, and a claim settled in each way by the solver."""

from __future__ import annotations

from pathlib import Path

import pytest

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
