"""What may be said, part by part: as far as words tell, and no more than the rules allow."""

import pytest

from referee.core import seam
from referee.core.answers import Body, Party
from referee.core.seam import Standing
from referee.core.value import demands
from referee.games.multigo.game import GAME
from referee.language.interpret import interpret
from tests.games.multigo.table import PC1, T2, Table

EYE = """
3 . W . .
2 W . W .
1 . W . .
  A B C D
"""
CHAINS = """
5 B B . . .
4 . . . W .
3 . . . W .
2 . . . . .
1 R . . . .
  A B C D E
"""


def parts(table: Table, seat: int, *named: str, said: tuple[str, ...] = ()) -> list[str]:
    """What the seat may say in answer to what it owes."""
    demand = demands(GAME.due(table.state), seat)[0]
    answer = seam.answer_of(GAME, demand.kind)
    return [part.line for part in answer.possible(table.state, demand, said, named)]


def test_2_3_a_point_is_possible_where_a_stone_may_go() -> None:
    table = Table(3, EYE, compensation="none")
    told = parts(table, 1)  # where few points are free all are told
    assert told == [
        "Pass",
        *(f"Move: {point}" for point in ("C3", "D3", "D2", "C1", "D1")),
    ]  # A1, A3, B2: suicide
    assert parts(table, 1, "b2", "c1") == told
    wide = Table(3, compensation="none").play("B D4")
    assert parts(wide, 2) == ["Pass"]
    assert parts(wide, 2, "d4", "q16", "z30") == ["Pass", "Move: Q16"]
    assert parts(wide, 2, "q16", said=("Move: D4",)) == []
    assert parts(wide, 2, "q16", said=("Pass",)) == []


def test_2_2_a_double_opening_move_names_two_points_in_either_order() -> None:
    table = Table(5).play("B D4", "W E4", "R F4", "U G4")
    told = parts(table, 5, "c3", "q16", "d4")
    assert told == ["Pass", "Move: Q16", "Move: C3", "Move: Q16 C3", "Move: C3 Q16"]


@pytest.mark.parametrize(
    ("named", "lines"),
    [
        (["white"], ["Take: 2 white"]),  # the colour alone is the whole share
        (["2", "white"], ["Take: 2 white"]),
        (["white", "blue"], ["Take: 1 white, 1 blue"]),
        (["each"], ["Take: 1 white, 1 blue"]),
        (["blue"], ["Take: 1 white, 1 blue"]),  # there is only one of it
        ([], ["Take: 1 white, 1 blue", "Take: 2 white"]),
    ],
)
def test_2_5_a_share_is_possible_whole(named: list[str], lines: list[str]) -> None:
    table = Table(4, T2, coop="on", compensation="none").play("B Pass", "W Pass", "R E3")
    assert parts(table, 3, *named) == lines


def test_2_5_of_a_larger_share_as_much_is_named_as_is_meant() -> None:
    table = Table(4, PC1, order="parallel", coop="on").play("B E4", "W F2", "R Pass", "U Pass")
    assert parts(table, 2, "red") == ["Take: 2 red"]
    assert parts(table, 2, "blue") == ["Take: 2 blue"]
    assert parts(table, 2, "1", "red") == ["Take: 1 red, 1 blue"]


def test_2_6_any_stone_of_a_chain_names_it() -> None:
    table = Table(3, CHAINS).play("B Pass", "W Pass", "R Pass")
    assert parts(table, 1) == ["Dead: none", "Dead: A5", "Dead: D4", "Dead: A1"]
    assert parts(table, 1, "d3", "b5") == [
        *("Dead: none", "Dead: B5", "Dead: D3", "Dead: A1"),
        "Dead: D3, B5",  # as they are named
    ]


def test_2_6_partners_are_possible_alone_and_as_they_are_named() -> None:
    table = Table(4, CHAINS, coop="on", dead="none").play("B Pass", "W Pass", "R Pass", "U Pass")
    assert parts(table, 1) == ["Ally: none", "Ally: White", "Ally: Red", "Ally: Blue"]
    assert parts(table, 1, "white", "player 3")[4:] == ["Ally: White, Red"]
    small = Table(4, CHAINS, coop="on", dead="none", max_alliance="2").play(
        "B Pass", "W Pass", "R Pass", "U Pass"
    )
    assert parts(small, 1, "white", "red") == ["Ally: none", "Ally: White", "Ally: Red", "Ally: Blue"]


def answers(table: Table, words: str) -> tuple[list[str], tuple[str, ...]]:
    """What a seat's words count as, and what they are asked about."""
    owed = demands(GAME.due(table.state), 1)[0].kind
    demand, reading = interpret(Standing(GAME, table.state), 1, owed, Body.of(words), Party("Ann", 1))
    asked = reading.choices
    sure = reading.action is not None and not asked and not reading.complaints
    return (seam.write(GAME, table.state, demand, reading.action).splitlines() if sure else []), asked


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("D4 is dead, nothing else.", "Dead: D4"),
        ("The white stone on d4 is dead. The others live.", "Dead: D4"),
        ("Der weiße Stein auf D4 ist tot, alles andere lebt.", "Dead: D4"),
        ("La pierre blanche en D4 est morte, les autres sont vivantes.", "Dead: D4"),
    ],
)
def test_2_6_what_says_that_all_else_is_nothing_is_no_second_answer(words: str, line: str) -> None:
    table = Table(3, CHAINS).play("B Pass", "W Pass", "R Pass")
    told, asked = answers(table, words)
    assert told == [line] or asked == (line,)


@pytest.mark.parametrize(
    "words",
    [
        "No me alío con nadie.",
        "Nie, nikogo.",
        "Non mi alleo con nessuno.",
        "Je ne m'allie avec aucun joueur.",
    ],
)
def test_2_6_what_denies_beside_nothing_never_names_a_partner(words: str) -> None:
    table = Table(4, CHAINS, coop="on", dead="none").play("B Pass", "W Pass", "R Pass", "U Pass")
    told, asked = answers(table, words)
    assert set(told) | set(asked) <= {"Ally: none"}


def test_2_6_in_spanish_no_beside_nobody_is_nobody() -> None:
    table = Table(4, CHAINS, coop="on", dead="none").play("B Pass", "W Pass", "R Pass", "U Pass")
    assert answers(table, "No me alío con nadie.") == (["Ally: none"], ())


LONG = "I have sat in front of this board the whole evening, and my stone goes to"


@pytest.mark.parametrize(
    ("words", "counts", "asked"),
    [
        (f"{LONG}\nB2.", ["Move: B2"], ()),  # which the program broke where the line was full
        ("My stone goes to B2.", ["Move: B2"], ()),
        ("My stone goes to B2. Perhaps.", [], ("Move: B2",)),
        ("Mein Stein geht bis B2.", ["Move: B2"], ()),  # so far, not so long
        ("I play B2, until Friday.", [], ("Move: B2",)),
        ("Ma pierre va en bé un.", ["Move: B1"], ()),
        ("I play B2. Ben's 3 stones look strong.", ["Move: B2"], ()),
        ("My stone goes to B2, right beside Ben's on D3.", ["Move: B2"], ()),
    ],
)
def test_what_is_no_order_and_no_doubt_of_one(words: str, counts: list[str], asked: tuple[str, ...]) -> None:
    table = Table(3, CHAINS)
    reader, standing = Party("Ann", 1), Standing(GAME, table.state)
    _, reading = interpret(standing, 1, "Move", Body.of(words), reader, {2: "Ben Baker", 3: "Cleo"})
    sure = reading.action is not None and not reading.choices and not reading.complaints
    told = seam.write(GAME, table.state, demands(GAME.due(table.state), 1)[0], reading.action) if sure else ""
    assert (told.splitlines(), reading.choices) == (counts, asked)


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("Z Benem, czyli z białymi.", ("Ally: White",)),  # bent
        ("Mit den Weißsteinen, bitte.", ("Ally: White",)),  # joined
        ("Ho ricevuto ben tre proposte, nessun alleato.", ("Ally: none",)),  # no name
    ],
)
def test_a_name_that_is_bent_or_joined_is_asked_about(words: str, lines: tuple[str, ...]) -> None:
    table = Table(4, CHAINS, coop="on", dead="none").play("B Pass", "W Pass", "R Pass", "U Pass")
    owed = demands(GAME.due(table.state), 1)[0].kind
    people = {2: "Ben Baker", 3: "Cleo", 4: "Hugo"}
    _, reading = interpret(Standing(GAME, table.state), 1, owed, Body.of(words), Party("Ann", 1), people)
    assert reading.choices == lines
