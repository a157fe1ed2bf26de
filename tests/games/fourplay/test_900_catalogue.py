"""900: the catalogue as data. Every fault of a bad one at once; a new piece without touching code."""

import copy
import tomllib
from typing import Any

import pytest

from referee.games.fourplay.board.catalogue import catalogue_of, catalogue_text, read_catalogue
from referee.games.fourplay.board.moves import Position, moves_from
from referee.games.fourplay.board.primitives import NUMBERS
from referee.games.fourplay.game import GAME
from referee.games.fourplay.state import Piece
from tests.games.fourplay.table import catalogues

# Part B: value and limit of every piece marked complete, nearly complete or inferred.
PART_B = {
    "Cannon": (3, 4), "Pawn": (1, 10), "Nwap": (1, 10), "Crazyhorse": (12, 1), "Archer": (10, 2), "Snake": (4, 4),
    "Jester": (1, 6), "Quadrunner": (1, 4), "PrimeMover": (3, None), "Killer Tomato": (2, 2), "Bender": (4, 4),
    "Zombie": (4, 3), "Withdrawer": (4, 1),
}  # fmt: skip


def pieces() -> dict[str, Any]:
    return copy.deepcopy(dict(catalogues()["pieces"]))


def added(toml: str) -> tuple[str, ...]:
    """The faults of the authentic catalogue with more rows."""
    table = pieces()
    table["piece"] = [*table["piece"], *tomllib.loads(toml)["piece"]]
    return read_catalogue(table)[1]


@pytest.mark.parametrize("name", PART_B)
def test_part_b_values_limits_and_prices(name: str) -> None:
    piece = catalogue_of(catalogue_text(pieces())).by_name[name]
    assert (piece.value, piece.limit) == PART_B[name]
    assert piece.price == 1 + 7 * piece.value
    assert piece.for_sale
    assert piece.may_be_mascot


def test_part_c_the_check_of_the_prices() -> None:
    """The 12 types with a stated limit allow at most 48 pieces, value 123, 909 F$."""
    catalogue = catalogue_of(catalogue_text(pieces()))
    limited = {name: limit for name, (_, limit) in PART_B.items() if limit}
    assert len(limited) == 12
    army = {**limited, "Nwap": 7}
    assert sum(army.values()) == 48
    assert sum(catalogue.by_name[name].value * count for name, count in army.items()) == 123
    assert sum(catalogue.by_name[name].price * count for name, count in army.items()) == 909


@pytest.mark.parametrize("word", ["killer tomato", "KT", "KillerTomatoes", "killer-tomatos", "Killer Tomato"])
def test_8_pieces_by_name_plural_or_symbol_in_any_case(word: str) -> None:
    found = catalogue_of(catalogue_text(pieces())).find(word)
    assert found.name == "Killer Tomato"


LANCER = """
[[piece]]
name = "Lancer"
symbol = "La"
value = 5
limit = 2
description = "Slides up to three squares diagonally; captures over two pieces along a row."
moves = [
  { by = "slide", dirs = "diag", most = 3, mode = "quiet" },
  { by = "hop", dirs = "orth", screens = 2, mode = "capture" },
]
"""


def test_a_new_piece_needs_no_code() -> None:
    assert added(LANCER) == ()
    tables = catalogue_of(catalogue_text(pieces(), tomllib.loads(LANCER)))
    men = [Piece(1, "Lancer", 2, "c10"), Piece(2, "Pawn", 2, "e10"), Piece(3, "Pawn", 3, "g10")]
    men.append(Piece(4, "Jester", 3, "k10"))
    moves = moves_from(Position(tables, men), NUMBERS["c10"])
    assert {NUMBERS["k10"]} == {move.end for move in moves if move.captures}
    assert len([move for move in moves if not move.captures]) == 3 + 3 + 2 + 2
    diagrams = GAME.piece_diagrams({"pieces": pieces(), "mine": tomllib.loads(LANCER)}, "la")
    assert [diagram.title for diagram in diagrams] == [
        "Lancer (rule house), on an empty board",
        "Lancer (rule house), in an example",
    ]


def test_every_piece_can_be_drawn_alone_and_in_an_example() -> None:
    for piece in catalogue_of(catalogue_text(pieces())).types:
        diagrams = GAME.piece_diagrams(catalogues(), piece.name)
        assert len(diagrams) == (1 if piece.name == "Neutron" else 2)
        assert all(mark.kind in ("quiet", "target") for diagram in diagrams for mark in diagram.marks)
        assert all(diagram.marks for diagram in diagrams)
    assert GAME.piece_diagrams(catalogues(), "Oliphaunt") == ()


def test_a_bad_catalogue_is_refused_with_every_fault() -> None:
    faults = added(
        """
[[piece]]
name = "Rook 2"
symbol = "abc"
value = "five"
moves = [{ by = "slide", dir = "orth" }, { by = "leap", vectors = [[0, 0]] }, { by = "fly" }, 3]
colour = "red"

[[piece]]
name = "Pawn"
symbol = "Cn"
value = 1
description = "A second one."
moves = [{ by = "slide", dirs = "orth", to_end = true }]
limit_if_other = [{ piece = "Ghost", least = 2, limit = 1 }]

[[piece]]
name = "Pass"
symbol = "Ps"
value = 1
no_capture = "yes"
description = "No name for a piece."
moves = []
"""
    )
    said = "\n".join(faults)
    for words in (
        "name must be of letters",
        "'abc' is not possible; it has one or two characters",
        "value = 'five' is no number",
        "slide knows no 'dir'",
        "not both 0",
        "by = 'fly' is no primitive",
        "3 is no table",
        "there is no key 'colour'",
        "description is missing",
        "Pawn and Pawn are both called 'pawn'",
        "both called 'cn'",
        "to_end is for the Neutron",
        "limit_if_other names 'Ghost'",
        "'Pass' is a word of the notation",
        "neither true nor false",
        "moves is missing",
    ):
        assert words in said, words
    assert len(faults) >= 16


@pytest.mark.parametrize("missing", ["Neutron", "King", "Dollarman"])
def test_a_catalogue_needs_neutron_king_and_dollarman(missing: str) -> None:
    table = pieces()
    table["piece"] = [row for row in table["piece"] if row["name"] != missing]
    assert read_catalogue(table)[1] == (f"There is no {missing}; the game can't be played without one.",)


@pytest.mark.parametrize("table", [{}, {"piece": []}, {"piece": {}}, {"piece": [1]}, {"pieces": []}])
def test_a_table_that_is_no_catalogue_is_refused_in_words(table: dict[str, Any]) -> None:
    catalogue, faults = read_catalogue(table)
    assert catalogue is None
    assert faults


def test_900_the_orthodox_catalogue_adds_four_pieces() -> None:
    catalogue = catalogue_of(catalogue_text(pieces(), catalogues()["orthodox"]))
    extra = {piece.name for piece in catalogue.types} - set(PART_B) - {"King", "Dollarman", "Neutron"}
    assert extra == {"Queen", "Rook", "Bishop", "Knight"}
