"""What may be said of a turn, a list and a setup in one's own words: the parts choose, words only point."""

import tomllib
from pathlib import Path

import pytest

from referee.core import seam
from referee.core.answers import Body
from referee.core.seam import Standing
from referee.core.value import Demand
from referee.games.fourplay.game import GAME
from referee.language.interpret import interpret
from tests.games.fourplay.cases import read
from tests.games.fourplay.examples import LIST
from tests.games.fourplay.table import PEOPLE, Table, to_purchase, to_setup
from tests.games.fourplay.test_rule_cases import table_of

TEMPLATES = Path(__file__).parents[3] / "templates/fourplay"
STANDS = """
[1] 607: A few pieces.
     a   b   c   d   e   f   g   h   i   j   k   l   m   n   o
15   K2  .   .   .   .   .   .   .   .   .   .   .   .   .   K1
12   .   .   .   .   P3  .   .   .   .   .   .   .   .   .   .
10   .   .   Cn2 .   J2  .   .   .   .   .   .   .   .   .   .
 8   .   .   .   .   .   .   .   +   .   .   .   .   .   .   .
 1   K3  .   .   .   .   .   .   .   .   .   .   .   .   .   K4
given:
    money 2: 100
    off 2: Zombie
Player 2 sends:
    Pass
"""
TAKES = "Jester: e10-e12, captures Pawn of Player 3, aggressive toward Player 3, 1 F$ received"


@pytest.fixture(scope="module")
def table() -> Table:
    return table_of(next(read(STANDS)))


@pytest.mark.parametrize(
    ("words", "turn"),
    [
        ("I move the neutron from h8 to h15. Pass.", "Neutron: h8-h15\nPass"),
        ("neutron to h15 and I place my zombie on d10", "Neutron: h8-h15\nZombie: off-d10"),
        (
            "neutron to h15, zombie on d10. and i buy a cannon for 22 F$",
            "Neutron: h8-h15\nZombie: off-d10\nPurchase: 1 Cannon, 22 F$",
        ),
        ("Neutron: h8-h15\nPass\nIch kaufe 2 Bauern.", "Neutron: h8-h15\nPass\nPurchase: 2 Pawn, 16 F$"),
    ],
)
def test_607_a_turn_in_words_is_the_turn_with_all_that_its_lines_state(
    table: Table, words: str, turn: str
) -> None:
    demand, reading = interpret(Standing(GAME, table.state), 2, "Turn", Body.of(words), PEOPLE[2])
    assert (demand.kind, reading.choices) == ("Turn", ())
    assert seam.write(GAME, table.state, demand, reading.action) == turn
    assert not Standing(GAME, table.state).faults(demand, reading)


@pytest.mark.parametrize(
    "words",
    [
        "The neutron goes to h15, then I move my jester from e10 to e12.",
        "Neutron: h8-h15\nI move the jester to e12.",
        "Ich ziehe das Neutron nach h15 und den Narren von e10 nach e12.",
        "Le neutron va en h15, et je joue le bouffon en e12.",
    ],
)
def test_607_a_turn_whose_words_tell_of_no_capture_is_asked_about_with_the_capture_it_is(
    table: Table, words: str
) -> None:
    demand, reading = interpret(Standing(GAME, table.state), 2, "Turn", Body.of(words), PEOPLE[2])
    assert (demand.kind, reading.choices) == ("Turn", (f"Neutron: h8-h15\n{TAKES}",))


def lines(table: Table, demand: Demand, said: tuple[str, ...], named: set[str]) -> list[str]:
    answer = seam.answer_of(GAME, demand.kind)
    return [part.line for part in answer.possible(table.state, demand, said, named)]


def test_608_in_play_a_piece_alone_moves_and_with_a_number_it_is_bought(table: Table) -> None:
    turn = Demand("Turn", 2)
    assert not [line for line in lines(table, turn, (), {"jester", "e12"}) if line.startswith("Purchase")]
    assert "Purchase: 3 Jester, 24 F$" in lines(table, turn, (), {"jester", "3"})
    assert "Purchase: 13 Jester, 104 F$" not in lines(table, turn, (), {"jester", "13"})


def test_607b_below_a_purchase_nothing_moves_and_below_a_pass_but_the_neutron(table: Table) -> None:
    turn = Demand("Turn", 2)
    bought = ("Neutron: h8-h15", "Purchase: 2 Pawn, 16 F$")
    assert lines(table, turn, bought, {"jester", "e12"}) == []
    told = lines(table, turn, ("Pass",), {"jester", "neutron", "e12", "h15"})
    assert {line.partition(":")[0] for line in told} == {"Neutron"}
    assert lines(table, Demand("Turn", 3), (), {"neutron", "h15"}) == []


def test_604_lots_go_as_far_as_the_budget_and_the_limits() -> None:
    bought, demand = to_purchase(), Demand("Purchase", 1)
    assert lines(bought, demand, (), {"pawns", "11"}) == ["1 Pawn, 8 F$ each, value 1 each"]
    assert lines(bought, demand, (), {"archer", "mascot"})[-1] == "Mascot: Archer"
    said = ("10 Pawn, 8 F$ each, value 1 each", "6 PrimeMover, 22 F$ each, value 3 each")
    told = lines(bought, demand, said, {"snakes", "4", "20", "primemover"})
    assert "4 Snake, 29 F$ each, value 4 each" in told
    assert "20 PrimeMover, 22 F$ each, value 3 each" not in told
    assert "Total cost: 212 F$" in told


ARMY = ("10 Pawn", "4 Jester", "4 Cannon", "4 Snake", "2 Archer", "1 Crazyhorse")


@pytest.mark.parametrize(
    "words",
    [
        "ten pawns at 8 each, four jesters, four cannons at 22, four snakes, both archers and a Crazyhorse. "
        "The mascot is one of the archers.",
        "Ich kaufe zehn Bauern, vier Narren, vier Kanonen, vier Schlangen, zwei Archer und ein Crazyhorse. "
        "Maskottchen ist ein Archer.",
        "Quiero diez Pawn, cuatro Jester, cuatro Cannon, cuatro Snake, dos Archer y un Crazyhorse, con un "
        "Archer de mascota.",
        "Compro 10 Pawn, 4 Jester, 4 Cannon, 4 Snake, 2 Archer e 1 Crazyhorse. A mascote é um Archer.",
        "Ik koop tien Pawns, vier Jesters, vier Cannons, vier Snakes, twee Archers en een Crazyhorse. "
        "Mascotte: een Archer.",
        "Prendo dieci Pawn, quattro Jester, quattro Cannon, quattro Snake, un Crazyhorse e due Archer. "
        "La mascotte è un Archer.",
    ],
)
def test_604_a_list_in_prose_is_the_list_and_nothing_of_it_is_lost(words: str) -> None:
    bought = to_purchase()
    demand, reading = interpret(Standing(GAME, bought.state), 1, "Purchase", Body.of(words), PEOPLE[1])
    told = seam.write(GAME, bought.state, demand, reading.action)
    assert demand.kind == "Purchase"
    assert {line.partition(",")[0] for line in told.splitlines() if "each" in line} == {*ARMY}
    assert told.splitlines()[-1] == "Mascot: Archer"
    assert [line.number for line in reading.worded] == [1]


def test_604_a_piece_that_is_also_to_be_the_mascot_is_both() -> None:
    bought, said = to_purchase(), "quattro Snake e un Crazyhorse che fa anche da mascotte"
    demand, reading = interpret(Standing(GAME, bought.state), 1, "Purchase", Body.of(said), PEOPLE[1])
    told = seam.write(GAME, bought.state, demand, reading.action).splitlines()
    assert told[1:3] == ["4 Snake, 29 F$ each, value 4 each", "1 Crazyhorse, 85 F$ each, value 12 each"]
    assert told[-1] == "Mascot: Crazyhorse"


@pytest.mark.parametrize(
    "words",
    [
        "Pawns on i9, j9 and k9, the snakes on l9 m9. King to o15, dollarman n15. The pawn on j9 is the mascot",
        "Bauern auf i9, j9, k9; Schlangen auf l9 und m9. König o15, Dollarman n15. Maskottchen: Pawn j9.",
        "Pawns su i9, j9 e k9, poi Snakes su l9, m9. Re su o15 e Dollarman su n15, con il Pawn su j9 come mascotte.",
        "Pawns i9, j9 y k9 (la mascota es el de j9), Snakes l9 y m9. El rey en o15 y el Dollarman en n15.",
        "Pawns i9, j9, k9 (j9 is de mascotte), Snakes l9, m9, King o15 en de Dollarman op n15.",
    ],
)
def test_605_a_setup_in_prose_places_each_piece_where_it_is_said_to_stand(words: str) -> None:
    table = to_setup(LIST.replace("Mascot: Archer", "Mascot: Pawn"))
    demand, reading = interpret(Standing(GAME, table.state), 1, "Setup", Body.of(words), PEOPLE[1])
    told = seam.write(GAME, table.state, demand, reading.action).splitlines()
    assert {"Pawn: i9, j9, k9", "Snake: l9, m9", "King: o15", "Dollarman: n15", "Mascot: Pawn j9"} <= {*told}
    assert [line.number for line in reading.worded] == [1]


def test_605_each_piece_may_stand_where_nothing_is_said_to_stand() -> None:
    table, demand = to_setup(LIST), Demand("Setup", 1)
    said = ("King: o15", "Pawn: i9, j9")
    assert "Dollarman: o15" not in lines(table, demand, said, {"dollarman", "o15", "n15"})
    assert "Dollarman: n15" in lines(table, demand, said, {"dollarman", "o15", "n15"})
    assert "Snake: k9, l9" in lines(table, demand, said, {"snakes", "k9", "l9"})
    assert not [line for line in lines(table, demand, said, {"king", "k9"}) if line.startswith("King")]


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "it", "nl", "pl", "pt", "sv"])
def test_every_word_of_a_language_means_what_some_part_names(language: str, table: Table) -> None:
    words = tomllib.loads((TEMPLATES / f"words.{language}.toml").read_text(encoding="utf-8"))
    known = {*seam.answer_of(GAME, "Turn").named(table.state), "off", "none", "player"}
    orthodox = {"queen", "rook", "bishop", "knight"}  # of the catalogue of that name
    assert words["values"].keys() <= known | orthodox
