"""One Piece For Two through the outer contract alone: golden games, and a claim settled in each way by the solver."""

from __future__ import annotations

from pathlib import Path

from tests.world import World, kinds

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
