"""611: the difference that a rewind makes is drawn, and told in words of its own."""

from __future__ import annotations

from referee.core.diagram import Diagram, Mark, Token
from referee.core.difference import difference
from referee.drawing import describe, draw_text, picture_key


def board(*tokens: Token, marks: tuple[Mark, ...] = ()) -> Diagram:
    return Diagram(title="", columns=("a", "b", "c"), rows=("2", "1"), tokens=tokens, marks=marks)


PAWN, KING, JESTER = Token("a1", "P", "Pawn"), Token("b1", "K", "King"), Token("b1", "J", "Jester")
BEFORE = board(Token("b2", "P", "Pawn"), KING, marks=(Mark("b2", "to"),))
AFTER = board(PAWN, JESTER, marks=(Mark("a1", "last"),))


def test_611_squares_that_changed_are_marked_and_told_one_by_one() -> None:
    drawn = difference(BEFORE, AFTER)
    assert {(mark.square, mark.kind) for mark in drawn.marks} == {
        ("b2", "emptied"), ("a1", "changed"), ("b1", "changed"),
    }  # fmt: skip
    assert drawn.sentences == ("b2: Pawn is gone.", "a1: Pawn is back.", "b1: Jester in place of King.")


def test_611_nothing_of_the_difference_is_said_to_be_the_last_turn() -> None:
    drawn = difference(BEFORE, AFTER)
    told = " ".join([describe(drawn), draw_text(drawn), *(what for _, what in picture_key(drawn))])
    assert "last turn" not in told
    assert "placed" not in told
    assert {("solid frame", "changed"), ("dashed frame", "empty now")} <= set(picture_key(drawn))


def test_611_a_rewind_that_changes_no_square_says_so() -> None:
    drawn = difference(BEFORE, BEFORE)
    assert drawn.marks == ()
    assert drawn.sentences == ("The board is as it was.",)
