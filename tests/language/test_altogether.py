"""What a mail names altogether, where no sentence of it orders anything by itself: up to three answers are asked about,
never counted. What is told of somebody else, asked, supposed or denied names nothing."""

import pytest

from referee.core.answers import Body, Party
from referee.core.game import AnyGame
from referee.core.seam import Standing
from referee.core.value import demands
from referee.games.morris.game import GAME as MORRIS
from referee.games.multigo.game import GAME as GO
from referee.games.onepiece.game import GAME as ONE_PIECE
from referee.games.onepiece.notation import ChooseEdge, MovePiece
from referee.language.interpret import interpret
from tests.games.morris.test_morris import EMPTY, board
from tests.games.multigo.table import Table
from tests.games.onepiece.table import K2, two
from tests.games.onepiece.table import Table as OnePieceTable

WIDE = Table(3, compensation="none").play("B D4").state
LIFTED = two(position=K2).state


def asked(game: AnyGame, state: object, words: str) -> tuple[str, ...]:
    """The answers that are asked about; nothing may count."""
    owed = next(demand for seat in (1, 2, 3) for demand in demands(game.due(state), seat))
    standing = Standing(game, state)
    _, reading = interpret(standing, owed.seat, owed.kind, Body.of(words), Party("Jo", owed.seat))
    assert reading.choices or reading.action is None or reading.complaints, words
    return reading.choices


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("okay so dictating this from the car comma black wants golf five", ["Move: G5"]),
        ("Cäsar sieben. Mehr geht ja kaum noch.", ["Move: C7"]),
        ("C jak Cecylia, siedem", ["Move: C7"]),
        ("Para taparlo me planto en la estrella de abajo: columna E, fila tres.", ["Move: E3"]),
        ("| Speler | wit (ik) |\n| Waar | g7 |", ["Move: G7"]),
        ("Keine Ahnung, ob d9 oder e9.", ["Move: D9", "Move: E9"]),
        ("He will surely take c3.", []),
        ("If he hides in c3 I shall cry.", []),
        ("He was in room c3 of the hospital last week.", []),
    ],
)
def test_one_point_of_many_words(words: str, lines: list[str]) -> None:
    assert list(asked(GO, WIDE, words)) == lines


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("Lying down on g and h, whichever you like", ["Move: Rg4Bh4", "Move: Rh4Bg4"]),
        ("Lying down on c and d, whichever you like", []),
        ("de pie en la columna h, azul debajo y luego el rojo encima", ["Move: Rh5Bh4"]),
    ],
)
def test_a_piece_by_its_columns_and_the_side_of_a_half(words: str, lines: list[str]) -> None:
    assert sorted(asked(ONE_PIECE, LIFTED, words)) == lines


def test_the_side_of_a_half_tells_a_piece_from_its_mirror() -> None:
    words = "flat on g and h, red on the g side"
    _, reading = interpret(Standing(ONE_PIECE, LIFTED), 1, "Move", Body.of(words), Party("Jo", 1))
    assert (reading.action, reading.choices) == (MovePiece("g4", "h4"), ())


def test_letters_of_pieces_and_signs_between_are_no_hindrance() -> None:
    assert asked(MORRIS, board(EMPTY, hands=(9, 9)), "10. Nb4 (if men were knights.)") == ("Move: b4",)


@pytest.mark.parametrize(
    "words",
    [
        "Hello, my orders are below, thanks.\n\nEdge: east",
        "Meine Wahl steht unten.\n\nEdge: east",
        "Ma réponse est dessous.\n\nEdge: east",
        "Mi respuesta va abajo.\n\nEdge: east",
        "Edge: east\n\nMy choice is above, sorry for the delay.",
    ],
)
def test_where_the_form_stands_is_no_side(words: str) -> None:
    standing = Standing(ONE_PIECE, OnePieceTable(2, starter="1").state)
    _, reading = interpret(standing, 2, "Edge", Body.of(words), Party("Jo", 2))
    assert (reading.choices, reading.action) == ((), ChooseEdge("east"))


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("Move: J9 (the corner)", ["Move: J9"]),
        ("Tengen!", []),
        ("Tengen, weil mir nichts Besseres einfällt", ["Move: K10"]),
        ("Move: C7\n\nSorry, I meant to put it on G3.", ["Move: G3"]),
    ],
)
def test_what_stands_beside_the_notation_is_asked_about(words: str, lines: list[str]) -> None:
    state = Table(3, compensation="none").play("B D4").state
    owed = next(demand for seat in (1, 2, 3) for demand in demands(GO.due(state), seat))
    _, reading = interpret(Standing(GO, state), owed.seat, owed.kind, Body.of(words), Party("Jo", owed.seat))
    assert [*reading.choices] == lines, reading
