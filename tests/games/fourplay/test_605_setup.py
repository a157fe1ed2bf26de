"""The Initial Setup (605): what is understood, what is refused, what stands on the board after the reveal."""

import pytest

from referee.core import seam
from referee.core.value import Demand
from referee.games.fourplay.game import GAME
from tests.games.fourplay.examples import LIST, OWNED
from tests.games.fourplay.table import PEOPLE, Table, header, to_purchase, to_setup

SETUP = f"""\
{OWNED}
Setup:
Pawn: i9, j9, k9, l9, m9, n9, o9, i10, j10, k10
Jester: l10, m10, n10, o10
Cannon: i11, j11, k11, l11
Snake: i12, j12, n12, o12
Archer: l12, m12
Crazyhorse: k13

King: o15
Dollarman: n15
Mascot: Archer l12
"""
VALID = header(1) + "\n" + SETUP


@pytest.fixture(scope="module")
def table() -> Table:
    return to_setup(LIST)


def changed(*changes: tuple[str, str]) -> str:
    text = VALID
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def codes(table: Table, *changes: tuple[str, str]) -> list[str]:
    return table.codes(1, "Setup", changed(*changes))


@pytest.mark.parametrize(
    ("written", "meant"),
    [("Archer m1", "m1"), ("m1", "m1"), ("Archer on M1", "m1"), ("M1 l12", "l12"), ("M1 m1", "m1")],
)
def test_605b_a_mascot_may_stand_on_m1(table: Table, written: str, meant: str) -> None:
    reading = table.read(1, "Setup", changed(("Mascot: Archer l12", f"Mascot: {written}")))
    assert (reading.action.mascot, reading.complaints) == (meant, ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Snake: i12, j12, n12, o12", "Snake i12 j12 n12 o12"),
        ("Snake: i12, j12, n12, o12", "~: I12; J12; N12; O12"),
        ("Snake: i12, j12, n12, o12", "- snakes - i12, j12, n12 and o12"),
        ("Snake: i12, j12, n12, o12", "4 Snakes: i12, j12, n12, o12"),
        ("Snake: i12, j12, n12, o12", "Snake en i12, j12, n12 et o12"),
        ("Snake: i12, j12, n12, o12", "En dan de rest:\nSnake op i12 j12 n12 o12"),
        ("Snake: i12, j12, n12, o12", "Snake: i12, j12\nSnake: n12, o12"),
        ("Snake: i12, j12, n12, o12", "| Snake | i12 | j12 | n12 | o12 |"),
        ("Snake: i12, j12, n12, o12", "Snake\ti12\tj12\tn12\to12"),
        ("Snake: i12, j12, n12, o12", "Snake: i-12, j12, n12, o12."),
        ("Crazyhorse: k13", "Crazyhorse at k13"),
        ("Crazyhorse: k13", "k13 Crazyhorse"),
        ("Crazyhorse: k13", "Crazy Horse = K13"),
        ("King: o15", "king o15"),
        ("King: o15", "K: o15"),
        ("Dollarman: n15", "$: n15"),
        ("Mascot: Archer l12", "mascot - l12 (Archer)"),
        ("Mascot: Archer l12", "Mascot: A on l12"),
        ("Mascot: Archer l12", "Mascot: l12"),
        ("Mascot: Archer l12", "Mascot Archer l12"),
        ("1 Crazyhorse\n", "1 Crazyhorse\n1 King\n1 Dollarman\n"),
        ("10 Pawn\n4 Jester\n4 Cannon\n", "10 Pawn, 4 Jester, 4 Cannon\n"),
        ("Pieces owned:\n", "My pieces:\n"),
        ("Snake: i12,", "\nSnake:   i12 ,"),
    ],
)
def test_605b_a_setup_may_be_written_in_many_ways(table: Table, old: str, new: str) -> None:
    text = changed((old, new))
    assert table.complaints(1, "Setup", text) == []
    assert table.read(1, "Setup", text).action == table.read(1, "Setup", VALID).action


@pytest.mark.parametrize(
    "changes",
    [
        [("Archer: l12, m12", "Archer: l12 (Maskottchen), m12"), ("Mascot: Archer l12\n", "")],
        [
            (
                OWNED,
                "J'ai toujours 10 Pawn, 4 Jester, 4 Cannon, 4 Snake, 2 Archer et 1 Crazyhorse, les voici :",
            )
        ],
        [(header(1), "Name Ann Archer, joueur 1, ann@example.org\n")],
    ],
)
def test_605b_what_is_possible_is_said_in_any_words(table: Table, changes: list[tuple[str, str]]) -> None:
    text = changed(*changes)
    assert table.complaints(1, "Setup", text) == []
    assert table.read(1, "Setup", text).action == table.read(1, "Setup", VALID).action


def test_605b_who_denies_a_mascot_or_a_square_names_none(table: Table) -> None:
    denied = ("Archer: l12, m12", "Archer: l12 (no mascot), m12"), ("Mascot: Archer l12\n", "")
    assert {"square_unclear", "mascot_square_missing"} <= set(codes(table, *denied))
    assert "square_unclear" in codes(table, ("Archer: l12, m12", "Archer: l12, not m12"))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Name: Ann Archer\n", "", ["name_missing"]),
        ("Player: 1\n", "", ["number_missing"]),
        ("Player: 1", "Player: 4", ["number_wrong"]),
        ("Email: ann@example.org", "Email: nowhere", ["no_address"]),
        ("10 Pawn\n", "9 Pawn\n", ["owned_wrong"]),
        ("10 Pawn\n", "", ["owned_left_out"]),
        ("10 Pawn\n", "10 Pawn\n1 Zombie\n", ["owned_wrong"]),
        ("10 Pawn\n", "10 Prawn\n", ["piece_unknown", "owned_left_out"]),
        (SETUP.split("\n\n")[0], "", ["owned_missing"]),
        ("Crazyhorse: k13", "Crazyhorse: k13\nZombie: l13", ["not_owned"]),
        ("Crazyhorse: k13", "Crazyhorse: k13, l13", ["more_than_owned"]),
        ("Crazyhorse: k13", "Crazyhorse: p13", ["off_board"]),
        ("Crazyhorse: k13", "Crazyhorse: k16", ["off_board"]),
        ("Crazyhorse: k13", "Crazyhorse: h13", ["neutral_square"]),
        ("Crazyhorse: k13", "Crazyhorse: k8", ["neutral_square"]),
        ("Crazyhorse: k13", "Crazyhorse: c13", ["wrong_quadrant"]),
        ("Crazyhorse: k13", "Crazyhorse: i9", ["square_twice"]),
        ("Crazyhorse: k13", "Crazyhorse: k13\n2 Pawns: n13", ["more_than_owned", "count_misstated"]),
        ("Crazyhorse: k13", "Crazyhorse: somewhere, k13", ["square_unclear"]),
        ("Crazyhorse: k13", "Crazyhrose: k13", ["piece_unknown"]),
        ("Crazyhorse: k13", "Crazyhorse: ...", ["too_little_placed"]),
        ("Crazyhorse: k13\n", "", ["too_little_placed"]),
        ("King: o15\n", "", ["square_missing"]),
        ("King: o15", "King: ...", ["square_missing"]),
        ("King: o15", "King: o1", ["wrong_quadrant"]),
        ("King: o15", "King: k13", ["square_twice"]),
        ("King: o15", "King: o15\nKing: o14", ["said_twice"]),
        ("Dollarman: n15\n", "", ["square_missing"]),
        ("Mascot: Archer l12\n", "", ["mascot_square_missing"]),
        ("Mascot: Archer l12", "Mascot: Archer", ["mascot_square_missing"]),
        ("Mascot: Archer l12", "Mascot: Archer i9", ["mascot_elsewhere"]),
        ("Mascot: Archer l12", "Mascot: Pawn i9", ["mascot_changed"]),
        ("Mascot: Archer l12", "Mascot: Archer l12 m12", ["mascot_squares"]),
        ("Mascot: Archer l12", "Mascot: Fletcher l12", ["piece_unknown"]),
        ("Setup:\n", "Setup:\nand now for my brave men\n", ["not_understood"]),
        ("King: o15", "Kink: o15", ["piece_unknown", "square_missing"]),
    ],
)
def test_605b_each_fault_is_a_complaint_of_its_own(
    table: Table, old: str, new: str, expected: list[str]
) -> None:
    assert sorted(codes(table, (old, new))) == sorted(expected)


def test_605a_85_per_cent_of_the_value_is_counted_in_whole_numbers(table: Table) -> None:
    """74 x 85 % = 62.9: the Snakes (16) are too many to leave out, a Cannon, a Snake and four Jesters (11) are not."""
    assert codes(table, ("Snake: i12, j12, n12, o12\n", "")) == ["too_little_placed"]
    fewer = (
        ("Jester: l10, m10, n10, o10\n", ""),
        ("l11", "l11"),
        ("j11, k11, l11", "k11, l11"),
        ("i12, j12,", "j12,"),
    )
    assert codes(table, *fewer) == []
    assert codes(table, *fewer, ("i9, j9,", "j9,")) == ["too_little_placed"]


def test_605d_a_setup_in_another_phase_is_refused() -> None:
    assert to_purchase().codes(1, "Setup", VALID)[-1] == "not_now"


def test_605a_pieces_not_placed_stay_off_the_board_and_are_owned() -> None:
    table = to_setup(LIST)
    table.send(1, "Setup", changed(("Jester: l10, m10, n10, o10", "Jester: l10")))
    table.lapse()
    off = [row for row in GAME.view(table.state, None).position["off_board"] if row["player"] == 1]
    assert off == [{"player": 1, "piece": "Jester", "count": 3}]


def test_605_who_bought_nothing_sets_up_king_and_dollarman() -> None:
    table = to_purchase()
    table.lapse()
    text = header(2) + "Pieces owned: none\nSetup: none\nKing: a15\nDollarman: b15\n"
    assert table.complaints(2, "Setup", text) == []
    assert table.codes(2, "Setup", text + "Mascot: King a15\n") == ["no_mascot"]
    form = seam.form(GAME, table.state, Demand("Setup", 2), PEOPLE[2]).text
    assert "Mascot" not in form
    filled = form.replace("King: ...", "King: a15").replace("Dollarman: ...", "Dollarman: b15")
    assert table.complaints(2, "Setup", filled) == []


def test_the_blank_form_states_the_pieces_owned(table: Table) -> None:
    form = seam.form(GAME, table.state, Demand("Setup", 1), PEOPLE[1]).text
    assert form.startswith("Name: Ann Archer\nPlayer: 1\nEmail: ann@example.org\n\nPieces owned:\n10 Pawn\n")
    assert "Crazyhorse: ...\n" in form
    assert form.endswith("King: ...\nDollarman: ...\nMascot: Archer ...")
    assert sorted(table.codes(1, "Setup", form)) == [
        "mascot_square_missing", "square_missing", "square_missing", "too_little_placed",
    ]  # fmt: skip
