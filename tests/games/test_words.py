"""What letters say and show beyond the laws of all games and the kept letters (`SLUG/letters`). That whatever happens,
is owed and is complained of can be said in words, each match at the seam looks after."""

import pytest

from referee.core.orders.keyed import Wording
from referee.games.buttons.game import GAME as buttons
from referee.games.buttons.notation import NOTATION as of_buttons
from referee.games.multigo.game import GAME as multigo
from referee.games.multigo.notation import NOTATION as of_go
from referee.games.multigo.state import Region, Scored
from referee.games.onepiece.game import GAME as onepiece
from referee.games.onepiece.notation import NOTATION as of_onepiece
from tests.games.buttons.sitting import Sitting
from tests.games.multigo.table import Table as Goban
from tests.games.onepiece.test_44_judging import missed
from tests.letters.plain import PAGES, asked, told


@pytest.mark.parametrize(
    ("slug", "notation", "of_the_match"),
    [("buttons", of_buttons, set()), ("onepiece", of_onepiece, {"If", "Withdraw"})],
)
def test_law_7_every_key_has_a_line_of_help_and_none_is_left_over(
    slug: str, notation: Wording, of_the_match: set[str]
) -> None:
    orders = {order.capitalize() for order in (*notation.by_key.values(), *notation.alone.values())}
    assert set(PAGES.help(slug)["keys"]) == orders | of_the_match


def test_law_7_every_key_of_go_has_a_line_of_help_and_none_is_left_over() -> None:
    keys, of_the_match = {key.lower() for key in PAGES.help("multigo")["keys"]}, {"if", "then", "withdraw"}
    assert {*of_go.alone, *of_the_match, "move", "seal", "take"} <= keys
    assert keys <= {*of_go.by_key, *of_go.alone, *of_the_match}


def test_43_a_demonstration_says_that_a_slip_of_ones_own_pays_nothing() -> None:
    table = missed(2, adjudication="players")
    (demand,) = table.owing()
    words = " ".join(asked(onepiece, demand, onepiece.view(table.state, demand.seat), False).split())
    assert "where the first move that you change is your partner's, and none where it is your own" in words


def test_neutral_points_are_counted_by_who_borders_them() -> None:
    scored = Scored((), (Region(2, (1, 3)), Region(1, (2, 3)), Region(3, (1, 3)), Region(4, ())), 81)
    words = told(multigo, scored, multigo.view(Goban(3, board="9x9").state, None))
    assert "- 5 points between Black and Red, in 2 places\n- 1 point between White and Red\n" in words


def test_law_9_captures_and_collisions_are_marked() -> None:
    drawing = "2 B . . .\n1 W . . .\n  A B C D"
    table = Goban(3, drawing, order="parallel").play("B B1", "W D1", "R D1")
    diagram = multigo.view(table.state, None).diagram
    marks = {f"{mark.square} {mark.kind}" for mark in diagram.marks}
    assert marks == {"B1 last", "A1 captured", "D1 void"}
    assert "Removed in the last turn: white A1." in diagram.sentences


def test_colours_can_be_told_apart_without_colour() -> None:
    drawing = "1 B W R U G Y P O .\n  A B C D E F G H J"
    board = drawing.replace("B W R U G Y P O .", "B . W . R . U . G . Y . P . O .")
    diagram = multigo.view(Goban(8, board).state, None).diagram
    assert [token.text for token in diagram.tokens] == list("BWRUGYPO")
    assert [sign for sign, _ in diagram.legend] == list("BWRUGYPO")


def test_law_9_the_last_exchange_is_marked_and_told() -> None:
    sitting = Sitting(starter="1", position="B1 W1 .. ../.. .. .. ../.. .. .. ../.. .. .. ..").played(
        (1, "Move: a4-b4")
    )
    diagram = buttons.view(sitting.state, None).diagram
    assert [(mark.square, mark.kind) for mark in diagram.marks] == [("a4", "from"), ("b4", "to")]
    assert diagram.sentences[0] == "Row 4: a4 white 1, b4 black 1, c4 nothing, d4 nothing."
    assert diagram.sentences[-1] == "The last turn moved black 1 from a4 to b4, changing places with white 1."
