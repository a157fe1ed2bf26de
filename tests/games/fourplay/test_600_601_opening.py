"""The draw (600), the declarations of readiness (601.B), Offices and colours (500)."""

from collections import Counter
from itertools import permutations

import pytest

from referee.core import seam
from referee.core.answers import Body
from referee.core.chance import Chance
from referee.core.seam import Standing
from referee.core.value import Demand
from referee.games.fourplay.game import GAME
from referee.games.fourplay.state import OrderDrawn
from referee.language.interpret import interpret
from tests.games.fourplay.table import DECLARATION, PEOPLE, Table, catalogues, setup


def test_600_every_order_of_play_comes_about_and_is_equally_likely() -> None:
    given = setup()
    drawn = Counter(GAME.opening(given, Chance(f"{n:064x}")).seating for n in range(960))
    assert set(drawn) == set(permutations((1, 2, 3, 4)))
    assert all(15 <= count <= 70 for count in drawn.values())  # 40 expected, standard deviation 6.2


def test_600_numbers_are_assigned_by_the_draw_and_the_draw_can_be_checked() -> None:
    opening = GAME.opening(setup(), Chance("c0" * 32))
    drawn = next(event for event in opening.events if isinstance(event, OrderDrawn))
    assert drawn.seating == opening.seating
    again = Chance(drawn.seed)
    assert again.shuffle((1, 2, 3, 4), "order of play") == opening.seating
    assert again.transcript == drawn.draws


@pytest.mark.parametrize(
    "text",
    [
        DECLARATION,
        f'"{DECLARATION}"',
        "i am ready for battle, let the games begin",
        "I AM READY FOR BATTLE! LET THE GAMES BEGIN!!!",
        "I am ready for battle.\nLet the Games begin!",
        "Hi all,\n\n  “I am ready for battle. Let the Games begin!”\n\nAnn",
        "I am ready for\nbattle. Let the\nGames begin!",
        "> I am ready for battle. Let the Games begin!",
        "I am ready. Let the games begin!",
        "I'm ready, let the games begin",
        "We are ready for the battle. Let the game begin!",
        "Ready for battle. Let the Games start!",
        "I am now ready for battle, so let the battle commence.",
    ],
)
def test_601b_quotes_case_punctuation_and_line_ends_do_not_matter(text: str) -> None:
    assert Table().complaints(3, "Ready", text) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I am ready.",
        "Let the Games begin!",
        "I am ready for battle.",
        "I am not ready. Let the Games begin!",
        "I'm not yet ready for battle. Let the games begin later",
        "Not ready: let the games begin next week",
        "We aren't ready. Let the games begin!",
        "Let the games begin when I am ready.",
    ],
)
def test_601b_other_words_declare_nothing(text: str) -> None:
    assert "declaration_missing" in Table().codes(3, "Ready", text)


def test_601_a_second_declaration_is_answered_that_the_first_stands() -> None:
    table = Table()
    table.send(2, "Ready", DECLARATION)
    complaint = table.complaints(2, "Ready", DECLARATION)[0]
    assert (complaint.code, complaint.rule, complaint.facts["ready"]) == ("not_now", "601", True)


def test_500_office_and_colours_may_come_with_the_declaration() -> None:
    table = Table()
    text = f"{DECLARATION}\nOffice: The Long Bows\nColours: Red and gold, trim black / white\nComment: Good luck!"
    event = table.send(2, "Ready", text)[0]
    assert (event.office, event.colours, event.trim) == ("The Long Bows", ("red", "gold"), ("black", "white"))
    assert event.comment == "Good luck!"


@pytest.mark.parametrize(
    ("said", "colours", "trim"),
    [
        ("Colours: red", ("red",), ()),
        ("Colors: red, blue", ("red", "blue"), ()),
        ("Colours: dark red with trim of silver", ("dark red",), ("silver",)),
        ("Colours: red\nTrim: gold and black", ("red",), ("gold", "black")),
        ("colour - red & white (trim: green)", ("red", "white"), ("green",)),
    ],
)
def test_500_colours_may_be_written_in_many_ways(
    said: str, colours: tuple[str, ...], trim: tuple[str, ...]
) -> None:
    action = Table().read(1, "Ready", f"{DECLARATION}\n{said}").action
    assert (action.colours, action.trim) == (colours, trim)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Office: the long-bows", "office_taken"),
        ("Colours: gold and red", "colours_taken"),
        ("Colours: red, gold, blue", "colours_count"),
        ("Colours: red, trim blue, green, white", "colours_count"),
        ("Trim: blue", "colours_count"),
        (f"Office: {'x' * 61}", "too_long"),
        ("Office: A\nOffice: B", "said_twice"),
        ("Offcie: Bows", "key_unknown"),
    ],
)
def test_500_office_and_colours_must_be_ones_own(said: str, code: str) -> None:
    table = Table()
    table.send(2, "Ready", f"{DECLARATION}\nOffice: The Long Bows\nColours: red, gold")
    found = table.complaints(1, "Ready", f"{DECLARATION}\n{said}")
    assert [c.code for c in found] == [code]
    assert found[0].rule == ("house" if code == "too_long" else "500")
    assert found[0].line is not None


def test_500_a_set_of_colours_that_differs_in_one_is_free() -> None:
    table = Table()
    table.send(2, "Ready", f"{DECLARATION}\nColours: red, gold")
    assert table.complaints(1, "Ready", f"{DECLARATION}\nColours: red") == []
    assert table.complaints(1, "Ready", f"{DECLARATION}\nColours: red, gold, trim black") == []


def test_law_6_a_misspelt_key_stays_in_the_form_as_the_key_it_is_meant_for() -> None:
    table = Table()
    reading = table.read(1, "Ready", f"{DECLARATION}\nOffise: The Bank\nColours: blue")
    mended = seam.form(GAME, table.state, Demand("Ready", 1), PEOPLE[1], reading)
    assert mended.text == f"{DECLARATION}\nColours: blue\nOffice: The Bank"
    assert mended.chosen == ('I read "Offise: The Bank" as `Office:`.',)


@pytest.mark.parametrize("kind", ["Ready", "Purchase"])
def test_104_a_resignation_sent_for_something_else_counts_for_nothing(kind: str) -> None:
    table = Table()
    if kind == "Purchase":
        for seat in (1, 2, 3, 4):
            table.send(seat, "Ready", DECLARATION)
    standing = Standing(GAME, table.state)
    demand, reading = interpret(standing, 1, kind, Body.of("Good luck to all.\nResign"), PEOPLE[1])
    assert reading.choices or standing.faults(demand, reading) or reading.complaints


def test_100_four_people_are_needed() -> None:
    given = setup()
    assert GAME.seats(given.options) == (4,)
    for seats in (3, 5):
        assert GAME.faults(type(given)(given.options, given.data, seats)) != ()


def test_900_the_orthodox_pieces_are_added_by_an_option() -> None:
    table = Table(catalogue="orthodox")
    table.declare_all()
    assert table.complaints(1, "Purchase", "1 Queen, 64 F$, value 9")[-1].code != "piece_unknown"
    authentic = Table().declare_all()
    assert "piece_unknown" in authentic.codes(1, "Purchase", "1 Queen, 64 F$, value 9")


def test_900_a_moderator_adds_a_piece_as_data() -> None:
    given = setup()
    hopper = {
        "name": "Frog", "symbol": "Fr", "value": 2, "limit": 3, "description": "Leaps three squares.",
        "moves": [{"by": "leap", "vectors": [[3, 0]]}],
    }  # fmt: skip
    data = {**catalogues(), "pieces": {"piece": [*catalogues()["pieces"]["piece"], hopper]}}
    altered = type(given)(given.options, data, 4)
    assert GAME.faults(altered) == ()
    state = GAME.initial()
    for event in GAME.opening(altered, Chance("01" * 32)).events:
        state = GAME.evolve(state, event)
    assert ["Frog", "Fr", "15 F$", "2", "3"] in GAME.view(state, None).facts["price_table"]
