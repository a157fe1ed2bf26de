"""611: the difference that a rewind makes is drawn, and told in words of its own."""

from dataclasses import replace

from referee.core.diagram import Diagram, Mark, Token, difference
from referee.draw import describe, draw_text, picture_key


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


def crowd(rows: int) -> Diagram:
    """A board of twelve columns, its lowest rows full: Pawns of two players, a King each."""
    columns, numbers = tuple("abcdefghijkl"), tuple(str(n) for n in range(6, 0, -1))
    tokens = tuple(
        Token(f"{c}{r}", "K" if c == "a" else "P", f"{'King' if c == 'a' else 'Pawn'} of Player {o}", owner=o)
        for r, o in list(zip(range(1, rows + 1), "1212", strict=False))
        for c in columns
    )
    return Diagram(title="", columns=columns, rows=numbers, tokens=tokens)


def test_611_many_squares_are_told_as_counts_by_player_and_piece() -> None:
    gone = difference(crowd(4), crowd(0))
    assert gone.sentences == (
        "The board is empty again: all 48 that stood on it are gone.",
        "Gone, of Player 1: 2 King, 22 Pawn.",
        "Gone, of Player 2: 2 King, 22 Pawn.",
    )
    back = difference(crowd(1), crowd(4))
    assert back.sentences == (
        "36 squares are not as they were.",
        "Back, of Player 1: 1 King, 11 Pawn.",
        "Back, of Player 2: 2 King, 22 Pawn.",
    )
    assert len(back.marks) == 36


def test_611_many_squares_with_the_same_pieces_on_others() -> None:
    before, after = crowd(4), crowd(4)
    turned = tuple(Token(t.square, t.text, t.name, owner=t.owner) for t in after.tokens)
    moved = {t.square: f"{t.square[0]}{int(t.square[1:]) % 6 + 1}" for t in turned}
    after = replace(after, tokens=tuple(replace(t, square=moved[t.square]) for t in turned))
    told = difference(before, after).sentences
    assert len(told) == 2
    assert "stands where it stood" in told[1]


def test_611_what_a_name_says_beyond_its_owner_stands_in_brackets() -> None:
    mascot = Token("l6", "P", "Pawn of Player 2, Mascot", owner="2", ringed=True)
    before = crowd(4)
    told = difference(replace(before, tokens=(*before.tokens, mascot)), crowd(0)).sentences
    assert "Gone, of Player 2: 2 King, 22 Pawn, 1 Pawn (Mascot)." in told
