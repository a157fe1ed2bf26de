"""The plain text drawing: what it shows, how wide it is, and that it can be read back."""

import dataclasses
import itertools
from typing import get_args

import pytest

from referee.core.diagram import Diagram, Link, Mark, MarkKind, Token
from referee.draw import draw_text


def board(diagram: Diagram, width: int = 80) -> list[str]:
    return draw_text(diagram, width, legend=False).rstrip("\n").split("\n")


def test_a_go_board_looks_as_usual(samples: dict[str, Diagram]) -> None:
    assert board(samples["empty go"]) == [
        "   A  B  C  D  E  F  G  H  J",
        "9  .  .  .  .  .  .  .  .  .  9",
        "8  .  .  .  .  .  .  .  .  .  8",
        "7  .  .  +  .  +  .  +  .  .  7",
        "6  .  .  .  .  .  .  .  .  .  6",
        "5  .  .  +  .  +  .  +  .  .  5",
        "4  .  .  .  .  .  .  .  .  .  4",
        "3  .  .  +  .  +  .  +  .  .  3",
        "2  .  .  .  .  .  .  .  .  .  2",
        "1  .  .  .  .  .  .  .  .  .  1",
        "   A  B  C  D  E  F  G  H  J",
    ]


def test_buttons_stand_between_their_bridges(samples: dict[str, Diagram]) -> None:
    assert board(samples["buttons"]) == [
        "    a      b      c      d",
        "4  B3--b--W1--r--..--b--B1  4",
        "    w      r      b      w",
        "3  W4--w-[B2]--r-W2--r-(W3) 3",
        "    r      r      r      r",
        "2  ..--r--B4--r--W1--w--B1  2",
        "    w      b      r      w",
        "1  ..--b--..--r--W2--b--B2  1",
        "    a      b      c      d",
    ]


def test_dominoes_are_joined_by_their_direction(samples: dict[str, Diagram]) -> None:
    lines = board(samples["onepiece"])
    assert lines[3] == "7  .   .   .   B  [B]  .   B---R  7"
    assert lines[2] == "                   |"


def test_missing_spaces_are_blank(samples: dict[str, Diagram]) -> None:
    assert "       /b         |" in draw_text(samples["ragged"])
    assert board(samples["ragged"])[5] == "1  ..     ..         1"


def test_marks_move_no_column() -> None:
    marks = (Mark("a1", "from"), Mark("b1", "to"))
    plain = Diagram("", tuple("abc"), ("1",), tokens=(Token("b1", "P", "Pawn"),))
    assert board(plain) == ["   a  b  c", "1  .  P  .  1", "   a  b  c"]
    assert board(dataclasses.replace(plain, marks=marks))[1] == "1 (.)[P] .  1"


def test_of_several_marks_on_a_square_one_shows_and_the_others_are_told() -> None:
    marks = (Mark("a1", "to"), Mark("a1", "captured"), Mark("b1", "to"), Mark("b1", "from"))
    token = Token("a1", "Cn", "Cannon", ringed=True, owner="2")
    drawn = Diagram("", ("a", "b"), ("1",), tokens=(token,), marks=marks)
    assert board(drawn)[1] == "1 {Cn2* [.]  1"
    told = draw_text(drawn).splitlines()
    assert "Also where it ended: a1." in told
    assert "Also where the last turn began: b1." in told


def test_the_fourplay_board_fits_a_letter(samples: dict[str, Diagram]) -> None:
    text = draw_text(samples["fourplay"])
    assert max(len(line) for line in text.split("\n")) <= 80
    assert "14  A2* Qr2   .    .    .    .    $2   :    .    .   KT1   .    .    .    .   14" in text
    for explained in (":    empty, neutral", "( )  where the last turn began", "*    Mascot", "Cn   Cannon"):
        assert explained in text
    assert "Also where it ended: l10, c6." in text


def test_marks_of_one_number_are_told_together() -> None:
    marks = (Mark("a1", "from", "2"), Mark("b1", "to", "2"), Mark("b1", "captured", "2"))
    assert "2: from a1, to b1, captured here: b1." in draw_text(Diagram("", ("a", "b"), ("1",), marks=marks))


def test_a_board_too_wide_is_drawn_in_parts() -> None:
    columns = tuple("abcdefghijklmnopqrstuvwxy")
    tokens = tuple(Token(f"{column}1", "Nw", "Nwap", owner="3") for column in columns)
    lines = board(Diagram("", columns, ("1",), tokens=tokens))
    assert max(len(line) for line in lines) <= 80
    assert sum(line.count("Nw3") for line in lines) == 25
    assert lines[3] == ""


def test_a_legend_can_be_left_out_and_a_title_cannot_break_a_line() -> None:
    diagram = Diagram("A\nB\x1b[31m", ("a",), ("1",), legend=(("K\n", "King\r\nof"),))
    assert draw_text(diagram).startswith("A B[31m\n\n   a\n")
    assert "King of" in draw_text(diagram)
    assert "King" not in draw_text(diagram, legend=False)


@pytest.mark.parametrize("bond", ["bridge", "domino"])
def test_a_link_over_the_edge_of_a_part_is_still_drawn(bond: str) -> None:
    columns = tuple("abcdefghijklmnopqrstuvwxy")
    links = tuple(
        Link(f"{a}1", f"{b}1", "red", "r", bond)  # type: ignore[arg-type]
        for a, b in itertools.pairwise(columns)
    )
    lines = board(Diagram("", columns, ("1",), "islands", links=links))
    assert max(len(line) for line in lines) <= 80
    sign = "-r-" if bond == "bridge" else "---"
    assert sum(line.count(sign) for line in lines) == 24


def test_the_drawing_depends_on_nothing_but_the_diagram(sample: Diagram) -> None:
    assert draw_text(sample) == draw_text(dataclasses.replace(sample))


def test_m1_of_player_2_is_not_m12() -> None:
    tokens = (Token("a1", "M1", "PrimeMover", owner="2"), Token("b1", "M", "Mann", owner="12"))
    assert board(Diagram("", ("a", "b"), ("1",), tokens=tokens))[1] == "1  M¹2  M12  1"


KINDS: tuple[MarkKind, ...] = get_args(MarkKind)


def places(diagram: Diagram) -> list[int]:
    heading = board(diagram)[0]
    return [heading.index(letter) for letter in diagram.columns]


@pytest.mark.parametrize("name", ["fourplay", "go", "onepiece", "buttons"])
def test_a_board_keeps_its_columns_whatever_is_marked(samples: dict[str, Diagram], name: str) -> None:
    marked = samples[name]
    plain = dataclasses.replace(marked, marks=())
    squares = [column + row for row in plain.rows for column in plain.columns]
    everywhere = tuple(Mark(square, kind) for square in squares for kind in KINDS)
    some = tuple(Mark(square, KINDS[i % len(KINDS)]) for i, square in enumerate(squares))
    expected = places(plain)
    assert len({b - a for a, b in itertools.pairwise(expected)}) == 1
    for marks in (marked.marks, everywhere, some, everywhere[:40]):
        drawn = dataclasses.replace(plain, marks=marks)
        assert places(drawn) == expected
        assert len(board(drawn)) == len(board(plain))
        assert max(map(len, board(drawn))) <= 80


def test_fifteen_columns_of_ringed_and_marked_tokens_fit_80_columns() -> None:
    columns = tuple("abcdefghijklmno")
    tokens = tuple(Token(f"{c}15", "Ch", "Crazyhorse", ringed=True, owner="1") for c in columns)
    marks = tuple(Mark(f"{c}15", kind) for c in columns for kind in ("to", "captured"))
    drawn = board(Diagram("", columns, ("15",), tokens=tokens, marks=marks))  # type: ignore[arg-type]
    assert drawn[1] == "15" + "{Ch1*" * 15 + " 15"
    assert len(drawn[1]) <= 80
