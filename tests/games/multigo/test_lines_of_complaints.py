"""Every complaint about what a mail says names the line that says it; only what is missing, or untimely, has none."""

from __future__ import annotations

import pytest

from referee.core import seam
from referee.core.answers import Body, Party
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.owing import demands
from referee.core.seam import Standing
from referee.games.multigo.game import GAME
from tests.games.multigo.table import Table

KO = """
4 . B W .
3 B W . W
2 . B W .
1 . . . .
  A B C D
"""
SHARED = """
5 . . . . . . . .
4 . . R R . B . .
3 . R W W . U B .
2 . . R R . B . .
1 . . . . . . . .
  A B C D E F G H
"""


MAILS = """
Move: A1
Move: A1 A1 B2 C3
Move: E5 / Prefer: red
Take: 7 white
Take: 1 black
Dead: A1, J9
Ally: Black, White, Red, Blue
If Black D4 then E4 / If White D4 then E4
Withdraw
Prefer: red
"""


def told(table: Table, seat: int, text: str) -> list[tuple[str, int | None]]:
    """The codes of the complaints about a mail, each with the number of its line."""
    return [(one.code, one.line.number if one.line else None) for one in table.mail(seat, text)]


def sequential(**given: str) -> Table:
    return Table(3, board="9x9", compensation="none", **given).play("B D4")


def shared() -> Table:
    """Red is to choose two of two white stones and a blue one."""
    return Table(4, SHARED, coop="on", compensation="none").play("B Pass", "W Pass", "R E3")


def ended(**given: str) -> Table:
    return Table(3, board="9x9", compensation="none", **given).play("B D4", "W Pass", "R Pass", "B Pass")


def test_a_stone_that_cannot_be_placed_has_its_line() -> None:
    assert told(sequential(), 2, "Hello\nMove: D4\nComment: so far") == [("occupied", 2)]
    assert told(sequential(), 2, "Move: A1 B1\nComment: two") == [("too_many_points", 1)]
    assert told(Table(3, KO, compensation="none").play("B C3"), 2, "Hello!\n\nMove: b3") == [("superko", 3)]
    eye = Table(2, "3 . . W\n2 . W .\n1 . . W\n  A B C", compensation="none")
    assert told(eye, 1, "Comment: in\nMove: C2") == [("suicide", 2)]


def test_a_sealed_stone_that_cannot_be_placed_has_its_line() -> None:
    table = Table(3, "3 . . .\n2 . B .\n1 . . .\n  A B C", order="parallel", fallbacks="2")
    mail = "Comment: all of it\nSeal: B2, A1, A1"
    assert told(table, 2, mail) == [("same_point_twice", 2), ("occupied", 2)]


def test_a_double_opening_move_has_its_line() -> None:
    table = Table(5, board="9x9").play("B A1", "W B1", "R C1", "U D1")
    assert told(table, 5, "Good luck!\nMove: E1 E1") == [("same_point_twice", 2)]
    assert told(table, 5, "Good luck!\nMove: E1 D1") == [("occupied", 2)]


def test_a_preference_without_use_has_its_line() -> None:
    assert told(sequential(), 2, "Move: E5\nPrefer: black") == [("no_choices", 2)]
    assert told(sequential(), 2, "Prefer: black\nMove: E5\nPrefer: red") == [("no_choices", 3)]
    assert told(sequential(), 2, "Hello\nPrefer: red") == [("no_choices", 2)]
    early = told(sequential(), 3, "Move: E5\nPrefer: red")
    assert early == [("no_choices", 2), ("not_your_turn", None)]


def test_a_choice_of_prisoners_has_its_line() -> None:
    assert told(shared(), 3, "Mine:\nTake: 2 blue") == [("take_not_there", 2)]
    assert told(shared(), 3, "Mine:\nTake: 1 blue") == [("take_total", 2)]
    drawing = "2 . B U B . .\n1 B W . R W .\n  A B C D E F"
    own = Table(4, drawing, order="parallel", coop="on", removal="old_first")
    own.play("B C1", "W Pass", "R Pass", "U Pass")
    assert told(own, 2, "Mine:\nTake: 1 white") == [("take_own", 2)]


def test_a_list_of_dead_stones_has_its_line() -> None:
    mail = "I think so\nDead: D4, E5, F6"
    assert told(ended(), 1, mail) == [("no_stone", 2), ("no_stone", 2)]


def test_an_alliance_has_its_line() -> None:
    table = ended(coop="on", dead="none")
    assert told(table, 1, "Comment: me\nAlly: Black") == [("ally_self", 2)]
    assert told(table, 1, "Comment: us\nAlly: Red, White") == [("ally_too_many", 2)]
    left = ended(coop="on", dead="none").play("R Resign")
    assert ("ally_resigned", 1) in told(left, 1, "Ally: Red")


def test_what_comes_at_the_wrong_time_has_no_line() -> None:
    table = sequential()
    assert told(table, 1, "Move: E5") == [("not_your_turn", None)]
    assert told(table, 2, "Dead: none") == [("not_now", None)]
    assert told(table, 2, "Press: hello") == [("no_press", None)]
    assert told(table, 2, "Take: 1 white") == [("nothing_to_take", None)]


@pytest.mark.parametrize("order", ["sequential", "parallel"])
@pytest.mark.parametrize("coop", ["off", "on"])
def test_whatever_a_seat_sends_its_faults_have_lines(order: str, coop: str) -> None:
    """Any answer, at any time, under words of courtesy: what is said against an answer that was asked for, and is
    there, has the line that says it."""
    table, chance = Table(4, board="9x9", order=order, coop=coop), Chance("07" * 32)
    for _ in range(60):
        for seat in table.state.active:
            for mail in MAILS.strip().splitlines():
                said = "\n".join(["Dear all,", *mail.split(" / "), "Kind regards"])
                assert not [fault for fault in faults(table, seat, said) if fault.line is None]
        for round_ in table.due:
            for demand in round_.demands:
                action = seam.suggest(GAME, table.state, demand, chance)
                table.mail(demand.seat, seam.write(GAME, table.state, demand, action))


def faults(table: Table, seat: int, mail: str) -> tuple[Complaint, ...]:
    """What the rules have against an answer that may be given now."""
    body = Body.of(mail)
    demand = Standing(GAME, table.state).aimed(seat, "Move", body)
    if demand not in (*demands(GAME.due(table.state), seat), *GAME.open_to(table.state, seat)):
        return ()
    return Standing(GAME, table.state).faults(
        demand, seam.read(GAME, table.state, demand, body, Party("Ann", seat))
    )
