"""A whole parallel match with cooperation, and what only mails can show, through mails and commands alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.games.multigo.table import COLOURS, PC1, T2, drawn
from tests.world import Sent, World

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
START = "2026-03-01T12:00:00Z"


class Sitting:
    """Players at one match by mail. Every day brings the mails of that day and one pass."""

    def __init__(self, folder: Path, seats: int, drawing: str = "", **options: str) -> None:
        self.world = World(folder)
        if drawing:
            options["position"] = drawn(drawing)
        people = [f"{name} <{name.lower()}@example.org>" for name in NAMES[:seats]]
        self.match = self.world.open("multigo", people, **options)
        self.day = 1
        self._shown: dict[str, Any] | None = None
        self.letters = self.world.passed(START)

    def now(self) -> str:
        return f"2026-03-{self.day:02d}T18:00:00Z"

    def mails(self, *turns: str, heading: str = "Move") -> Sitting:
        """One day's mails, "B D4" or "3 Take: 1 white", in order; then the pass."""
        for minute, turn in enumerate(turns):
            who, _, what = turn.partition(" ")
            seat = int(who) if who.isdigit() else "BWRUG".index(who) + 1
            body = what if ":" in what or what in ("Pass", "Resign", "Withdraw") else f"Move: {what}"
            sender = f"{NAMES[seat - 1]} <{NAMES[seat - 1].lower()}@example.org>"
            text = f"Hello,\n\n{body}\n\n{NAMES[seat - 1]}"
            at = f"2026-03-{self.day:02d}T13:{minute:02d}:00Z"
            self.world.mail(sender, f"Go: {heading} / Player {seat}", text, at)
        return self.wait(0)

    def confirms(self, who: str) -> Sitting:
        """The player says Yes to the referee's question."""
        seat = "BWRUG".index(who) + 1
        asked = self.letter("challenge", seat, "gives up your seat")
        sender, at = f"{NAMES[seat - 1].lower()}@example.org", f"2026-03-{self.day:02d}T13:00:00Z"
        question = asked.message["Message-ID"]
        self.world.mail(sender, "Re: is this mail yours?", "Yes", at, reply_to=question)
        return self.wait(0)

    def wait(self, days: int) -> Sitting:
        self.day += days
        self.world.step(self.now())
        self._shown = None
        self.letters = self.world.new_letters()
        self.day += 1
        return self

    @property
    def shown(self) -> dict[str, Any]:
        """What `show` says after the last pass."""
        if self._shown is None:
            self._shown = self.world.show(self.match)
        return self._shown

    @property
    def prisoners(self) -> dict[str, dict[str, int]]:
        """By colour; those who hold nothing left out."""
        held = self.shown["position"]["prisoners"]
        return {COLOURS[int(seat) - 1]: taken for seat, taken in held.items() if taken}

    @property
    def due(self) -> list[tuple[int, str]]:
        return [(owed["seat"], owed["demand"]) for owed in self.shown["due"]]

    def told(self, seat: int, about: str) -> Sent:
        """The seat's letter that tells with these words what all were told in the last pass."""
        mine = [x for x in self.letters if x.position and x.to.startswith(NAMES[seat - 1].lower())]
        (found,) = [x for x in mine if about in " ".join(x.text.split())]
        return found

    def letter(self, kind: str, seat: int, about: str) -> Sent:
        """The seat's letter of that kind in the last pass that has these words in its text or subject."""
        mine = [x for x in self.letters if x.kind == kind and x.to.startswith(NAMES[seat - 1].lower())]
        (found,) = [x for x in mine if about in f"{x.subject} {' '.join(x.text.split())}"]
        return found


def test_a_refusal_shows_the_line_that_the_rules_are_against(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, 4, T2, coop="on").mails("B Pass", "W Take: 1 red\nComment: mine", "W C4")
    refusals = [" ".join(x.text.split()) for x in sitting.letters if x.kind == "refusal"]
    (stone,) = [text for text in refusals if "There is a red stone at C4 already" in text]
    assert 'Line 3: "Move: C4"' in stone
    (early,) = [text for text in refusals if "There are no prisoners for you to choose" in text]
    assert "Line" not in early.split("There are no prisoners")[0]


def test_p4_by_mail_a_void_round_is_announced(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, 2, "2 . .\n1 . .\n  A B", order="parallel")
    sitting.mails("B A2", "W A1").mails("B B2", "W B1")
    assert sitting.shown["position"]["board"] == ["B.", "W."]
    assert sitting.told(1, "The round is void")


def test_a_parallel_match_with_collisions_choices_a_lapsed_choice_and_an_alliance(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, 4, PC1, order="parallel", coop="on", move_deadline="3d")
    # A collision, a move replaced before the reveal, and a refused one.
    sitting.mails("B A1", "W A1", "R J5", "R C4", "R A5")
    assert sitting.due == [(seat, "Move") for seat in (1, 2, 3, 4)]  # who has answered is nobody's business
    assert "occupied" not in sitting.letters[-1].text
    assert {x.kind for x in sitting.letters} == {"receipt", "refusal"}
    sitting.mails("U Pass")
    board = sitting.shown["position"]["board"]
    assert (board[0], board[4]) == ("R........", ".........")
    assert sitting.told(4, "Black and White both named A1")
    # PC1 itself: White's choice comes, Black's lapses and is the most numerous colour.
    sitting.mails("B E4", "W F2", "R Pass", "U Pass")
    assert sitting.due == [(2, "Take")]
    sitting.mails("W Take: 1 blue, 1 red", heading="Take")
    assert sitting.due == [(1, "Take")]
    sitting.wait(3)
    assert sitting.prisoners == {"white": {"blue": 1, "red": 1}, "black": {"blue": 2}}
    assert sitting.shown["position"]["eliminated"] == {"red": 1}
    # The end: all pass, nothing is dead, Black and White ally.
    sitting.mails("B Pass", "W Pass", "R Pass", "U Pass")
    sitting.mails("1 Dead: none", "2 Dead: none", "3 Dead: none", "4 Dead: none", heading="Dead")
    sitting.mails("B Ally: White", "W Ally: Black", "R Ally: none", "U Ally: none", heading="Ally")
    shown = sitting.shown
    assert shown["status"] == "ended"
    assert shown["outcome"]["winners"] == [1, 2]


def test_conditional_moves_by_mail_are_private_until_they_are_played(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, 3, board="9x9")
    sitting.mails("W If: Black D4 then E4")
    assert [x.kind for x in sitting.letters] == ["receipt"]
    assert "E4" not in sitting.world.run("record", sitting.match).out
    sitting.mails("B D4")
    assert sitting.told(3, "by a conditional turn")
    assert sitting.told(3, "a white stone at E4")
    assert sitting.due == [(3, "Move")]
    sgf = sitting.world.run("record", sitting.match, "--format", "sgf").out
    assert sgf.startswith("(;FF[4]")


def test_g24_a_resignation_completes_the_round_that_waited_for_nobody_else(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, 3, order="parallel", board="9x9").mails("B C3", "W E5")
    assert sitting.due == [(1, "Move"), (2, "Move"), (3, "Move")]
    sitting.mails("R Resign")
    sitting.confirms("R")
    assert sitting.shown["position"]["board"][4] == "....W...."
    assert sitting.due == [(1, "Move"), (2, "Move")]


def test_the_record_of_a_round_whose_answer_is_of_a_seat_that_has_left_since_is_true(tmp_path: Path) -> None:
    """Its move was legal when it was given; that its player resigned before the reveal makes no forgery of it."""
    world, people = World(tmp_path), [f"{name} <{name}@example.org>" for name in ("ann", "ben", "cleo")]
    name = world.open("multigo", people, board="9x9", order="parallel")
    world.passed()
    sender = dict(zip((s["name"] for s in world.show(name)["seats"]), (1, 2, 3), strict=True))
    seated = sorted(people, key=lambda person: sender[person.split()[0]])
    world.mail(seated[2], f"Multi-Go: Move / Player 3 [{name}]", "Move: c3")
    world.step()
    world.mail_and_yes(seated[2], f"resign {name}", "")
    for seat, point in ((1, "e5"), (2, "g7")):
        world.mail(seated[seat - 1], f"Multi-Go: Move / Player {seat} [{name}]", f"Move: {point}")
    world.step()
    assert [due["seat"] for due in world.show(name)["due"]] == [1, 2]
    world.verifies(name)
