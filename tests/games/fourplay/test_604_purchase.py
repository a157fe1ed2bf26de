"""The Initial Purchase (604): what is understood, what is refused, what is revealed."""

import pytest

from referee.core import seam
from referee.core.answers import Party
from referee.core.seam import Standing
from referee.core.value import Demand
from referee.games.fourplay.cycles import cycle_over
from referee.games.fourplay.forms.purchase import Buy
from referee.games.fourplay.game import GAME
from referee.games.fourplay.state import Lot
from tests.games.fourplay.examples import LIST
from tests.games.fourplay.table import PEOPLE, Table, header, read, to_purchase, to_setup

ARMY = Buy(
    (
        Lot("Pawn", 10),
        Lot("Jester", 4),
        Lot("Cannon", 4),
        Lot("Snake", 4),
        Lot("Archer", 2),
        Lot("Crazyhorse", 1),
    ),
    "Archer",
)
VALID = header(1) + "\n" + LIST


@pytest.fixture(scope="module")
def table() -> Table:
    return to_purchase()


def changed(*changes: tuple[str, str]) -> str:
    """The rules' example with some of its words changed."""
    text = VALID
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def codes(table: Table, *changes: tuple[str, str]) -> list[str]:
    return table.codes(1, "Purchase", changed(*changes))


ONE_LINE = "10 Pawn, 8 F$ each, value 1 each"
WRITINGS = [
    "10x Pawn @ 8, value 1",
    "Pawn x 10, F$ 8, value 1",
    "10 Pawns at $8, value 1",
    "10 P, 8 F$, 1",
    "\t10\tPawn\t8\t1",
    "10 | Pawn | 8 | 1",
    "| Pawn | 10 | 8 F$ | 1 |",
    "- 10 pawn, 8 F$ each, value 1 each",
    "* 10 PAWNS (8 F$ each, value 1 each)",
    "• 10 × Pawn – 8 F$ each – value 1 each",
    "1. 10 Pawn, 8 F$ each, value 1 each",
    "10 Pawn, price 8, value 1",
    "ten Pawns, 8 F$ each, value 1 each",
    "10 Pawn, 8\u00a0F$ each, value\u00a01 each",
    "１０ Pawn, ８ Ｆ＄ each, value １ each",
    "10,Pawn,8,1",
    "Pawn: 10, 8 F$ each, value 1 each",
    "10 Pawn, 8 F$ each = 80 F$, value 1 each",
    "10 Pawn, 8 $F each, 1 point each",
    "Pawn (8 F$, value 1): 10",
    "10 Pawns @8F$ ea (value 1 ea)",
    "10 | Pawn | 8 | 1 | 80 | 10",
    "10 Pawn @ 8 F$ = 80 F$, value 1 (10)",
    "> 10 Pawn, 8 F$ each, value 1 each",
    "10 *Pawn*, 8 F$ each, value 1 each.",
    "• Pawn x 10 (8 F$, wartość 1)",
    "Pawn, 10, a 8, valen 1",
]


@pytest.mark.parametrize("writing", WRITINGS)
def test_604b_a_lot_may_be_written_in_many_ways(table: Table, writing: str) -> None:
    text = changed((ONE_LINE, writing))
    assert table.complaints(1, "Purchase", text) == []
    assert table.read(1, "Purchase", text).action == ARMY


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("4 Snake,", "4 ~,"),
        ("4 Snake,", "4 Snakes,"),
        ("1 Crazyhorse,", "a Crazyhorse,"),
        ("1 Crazyhorse,", "1 Crazy Horse,"),
        ("4 Cannon,", "4 Cn,"),
        ("Mascot: Archer", "Mascot: A"),
        ("Mascot: Archer", "MASCOT - archer."),
        ("Mascot: Archer", "Mascot Archer"),
        ("Mascot: Archer", "Mascot: the Archer"),
        ("Total cost: 543 F$\nTotal value: 74", "Total | | 543 F$ | 74"),
        ("Total cost: 543 F$\nTotal value: 74", "Total cost: 543 F$, total value: 74"),
        ("Total cost: 543 F$\nTotal value: 74", "Total cost 543 F$ / Total value 74"),
        ("Total cost: 543 F$", "total cost = F$ 543"),
        ("Total cost: 543 F$", "**Total cost:** $543"),
        ("Total cost: 543 F$", "Total price | 543"),
        ("Total value: 74", "Total material value: 74 points"),
        ("Name: Ann Archer", "name:   ann   archer"),
        ("Name: Ann Archer", "Name: A. Archer"),
        ("Name: Ann Archer", "Name: Archer, Ann"),
        ("Name: Ann Archer", "Name: Ann Archer (Player 1)"),
        ("Name: Ann Archer", "Name: Ann B. Archer <ann@example.org>"),
        ("Player: 1", "Player: 1 (upper right)"),
        ("Total cost: 543 F$", "Total cost: 543 F$ (of 615)"),
        ("Player: 1", "Player 1"),
        ("Player: 1", "Player: #1"),
        ("Player: 1", "Number: Player 1"),
        ("Email: ann@example.org", "E-mail: <ANN@Example.ORG>"),
        ("Email: ann@example.org", "Email: Ann Archer <ann.archer@work.example>"),
        ("Purchases:\n", "Purchases\n-----\nCount | Piece | Price | Value\n---|---|---|---\n"),
        ("10 Pawn, 8 F$ each, value 1 each\n", "4 Pawn, 8 F$, value 1\n6 Pawn, 8 F$, value 1\n"),
    ],
)
def test_604b_keys_symbols_and_header_lines_may_be_written_in_many_ways(
    table: Table, old: str, new: str
) -> None:
    text = changed((old, new))
    assert table.complaints(1, "Purchase", text) == []
    assert table.read(1, "Purchase", text).action == ARMY


def test_604b_the_blocks_may_stand_in_any_order(table: Table) -> None:
    text = (
        "Mascot: Archer\nTotal value: 74\nTotal cost: 543 F$\n\n" + LIST.split("\n\n")[0] + "\n\n" + header(1)
    )
    assert table.complaints(1, "Purchase", text) == []
    assert table.read(1, "Purchase", text).action == ARMY


def test_604b_courtesy_around_the_list_is_no_order(table: Table) -> None:
    text = f"Dear Collector,\n\nhere is what I should like to have.\n\n{VALID}\nThank you,\nand good luck to all\nAnn"
    reading = table.read(1, "Purchase", text)
    assert reading.action == ARMY
    assert reading.complaints == ()
    assert [line.text for line in reading.courtesy][:1] == ["Dear Collector,"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Mascto: Pawn", "key_unknown"),
        ("Note: I am away in May", None),
        ("We met in 2019 at the club", None),
        ("Good luck with those Jesters, Bob!", None),
    ],
)
def test_604b_what_looks_like_an_order_is_never_passed_over(
    table: Table, words: str, code: str | None
) -> None:
    expected = [code] if code else []
    assert table.codes(1, "Purchase", f"{VALID}\nThank you.\n{words}") == expected
    assert table.codes(1, "Purchase", f"Hello,\n{words}\n\n{VALID}") == expected


def test_604b_a_comment_goes_with_the_list(table: Table) -> None:
    action = table.read(1, "Purchase", VALID + "Comment: May the best army win.\n").action
    assert action.comment == "May the best army win."
    assert "Comment: May the best army win." in seam.write(GAME, table.state, Demand("Purchase", 1), action)


def test_604b_the_lines_of_the_form_left_with_dots_buy_nothing(table: Table) -> None:
    text = VALID.replace(
        "Purchases:\n", "Purchases:\n... Nwap, 8 F$ each, value 1 each\n… Bender, 29 F$ each, value 4 each\n"
    )
    assert table.complaints(1, "Purchase", text) == []
    assert table.read(1, "Purchase", text).action == ARMY


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Name: Ann Archer\n", "", ["name_missing"]),
        ("Name: Ann Archer", "Name: Bob Bender", ["name_wrong"]),
        ("Name: Ann Archer", "Name: Ann Other", ["name_wrong"]),
        ("Name: Ann Archer", "Name: A. A.", ["name_wrong"]),
        ("Player: 1\n", "", ["number_missing"]),
        ("Player: 1", "Player: 2", ["number_wrong"]),
        ("Player: 1", "Player: one or two", ["number_wrong"]),
        ("Email: ann@example.org\n", "", ["address_missing"]),
        ("Email: ann@example.org", "Email: at home", ["no_address"]),
        ("10 Pawn,", "10 Pwan,", ["piece_unknown"]),
        ("10 Pawn,", "0 Pawn,", ["count_wrong", "total_cost_wrong", "total_value_wrong"]),
        ("10 Pawn,", "-10 Pawn,", ["count_wrong", "total_cost_wrong", "total_value_wrong"]),
        ("10 Pawn,", "2.5 Pawn,", ["count_wrong"]),
        ("10 Pawn,", "Pawn,", ["count_wrong"]),
        ("10 Pawn, 8 F$ each,", "10 Pawn, 9 F$ each,", ["price_wrong"]),
        ("10 Pawn, 8 F$ each, value 1 each", "10 Pawn, value 1 each", ["price_missing"]),
        ("4 Cannon, 22 F$ each, value 3 each", "4 Cannon, 22 F$ each", ["value_missing"]),
        ("4 Cannon, 22 F$ each, value 3 each", "4 Cannon, 22 F$ each, value 4 each", ["value_wrong"]),
        (ONE_LINE, "10 Pawn, 8 F$ each = 90 F$, value 1 each", ["lot_cost_wrong"]),
        (ONE_LINE, "10 | Pawn | 8 | 1 | 80 | 11", ["lot_value_wrong"]),
        (ONE_LINE, "10 | Pawn | 8 | 1 | 80 | 10 | 3", ["not_understood"]),
        ("Total cost: 543 F$\n", "", ["total_cost_missing"]),
        ("Total cost: 543 F$", "Total cost: ... F$", ["total_cost_missing"]),
        ("Total cost: 543 F$", "Total cost: 544 F$", ["total_cost_wrong"]),
        ("Total cost: 543 F$", "Total cost: much", ["total_cost_wrong"]),
        ("Total value: 74\n", "", ["total_value_missing"]),
        ("Total value: 74", "Total value: 75", ["total_value_wrong"]),
        ("Mascot: Archer\n", "", ["mascot_missing"]),
        ("Mascot: Archer", "Mascot: Bender", ["mascot_not_bought"]),
        ("Mascot: Archer", "Mascot: King", ["mascot_not_allowed"]),
        ("Mascot: Archer", "Mascot: Dollarman", ["mascot_not_allowed"]),
        ("Mascot: Archer", "Mascot: Archibald", ["piece_unknown"]),
        ("Mascot: Archer", "Mascot: Archer\nMascot: Pawn", ["said_twice"]),
        ("Mascot: Archer", "Maskot: Archer", ["key_unknown", "mascot_missing"]),
        ("Total value: 74", "Total value: 74\n1 King, 0 F$ each, value 0 each", ["not_for_sale"]),
        ("Total value: 74", "Total value: 74\n1 Dollarman, 0 F$, value 0", ["not_for_sale"]),
        ("Total cost:", "and some more of that kind\nTotal cost:", ["not_understood"]),
    ],
)  # fmt: skip
def test_604b_everything_stated_must_be_there_and_true(
    table: Table, old: str, new: str, expected: list[str]
) -> None:
    assert codes(table, (old, new)) == expected


def bought(counts: str, mascot: str = "Pawn") -> str:
    """A list with right totals from "10 Pawn, 4 Snake"."""
    prices = {"Pawn": 1, "Nwap": 1, "Snake": 4, "Archer": 10, "Crazyhorse": 12, "PrimeMover": 3, "Jester": 1}
    rows = [(int(part.split()[0]), part.split()[1]) for part in counts.split(", ")]
    listed = [f"{n} {name}, {1 + 7 * prices[name]} F$ each, value {prices[name]} each" for n, name in rows]
    cost = sum(n * (1 + 7 * prices[name]) for n, name in rows)
    value = sum(n * prices[name] for n, name in rows)
    return "\n".join(
        [
            header(1),
            "Purchases:",
            *listed,
            f"Total cost: {cost} F$",
            f"Total value: {value}",
            f"Mascot: {mascot}",
        ]
    )


@pytest.mark.parametrize(
    ("counts", "total", "expected"),
    [
        ("10 Pawn, 4 Nwap, 7 PrimeMover, 1 Snake, 2 Archer, 1 Crazyhorse", 522, ["under_budget"]),
        ("10 Pawn, 5 Nwap, 8 PrimeMover, 2 Archer, 1 Crazyhorse", 523, []),
        ("10 Pawn, 14 PrimeMover, 2 Archer, 1 Crazyhorse", 615, []),
        ("10 Pawn, 2 Nwap, 12 PrimeMover, 1 Snake, 2 Archer, 1 Crazyhorse", 616, ["over_budget"]),
    ],
)
def test_604a_at_least_85_per_cent_and_at_most_all_of_the_budget(
    table: Table, counts: str, total: int, expected: list[str]
) -> None:
    text = bought(counts)
    assert f"Total cost: {total} F$" in text
    assert table.codes(1, "Purchase", text) == expected


def limits(table: Table, **counts: int) -> list[tuple[str, int]]:
    """The pieces over their limit, and the limit, when so many are bought."""
    buy = Buy(tuple(Lot(name.replace("_", " "), count) for name, count in counts.items()), "Pawn")
    found = Standing(GAME, table.state).check(Demand("Purchase", 1), buy)
    return [(c.facts["piece"], c.facts["limit"]) for c in found if c.code == "over_limit"]


LIMITS = [
    ({"Pawn": 10}, []),
    ({"Pawn": 11}, [("Pawn", 10)]),
    ({"Pawn": 8, "Nwap": 8}, []),
    ({"Pawn": 10, "Nwap": 7}, []),
    ({"Pawn": 7, "Nwap": 10}, []),
    ({"Pawn": 10, "Nwap": 8}, [("Pawn", 8)]),
    ({"Pawn": 9, "Nwap": 9}, [("Pawn", 8), ("Nwap", 8)]),
    ({"PrimeMover": 27}, []),
]
SINGLE = {"Cannon": 4, "Crazyhorse": 1, "Archer": 2, "Snake": 4, "Jester": 6, "Quadrunner": 4}
SINGLE |= {"Killer_Tomato": 2, "Bender": 4, "Zombie": 3, "Withdrawer": 1}
LIMITS += [({name: most}, []) for name, most in SINGLE.items()]
LIMITS += [({name: most + 1}, [(name.replace("_", " "), most)]) for name, most in SINGLE.items()]


@pytest.mark.parametrize(("counts", "over"), LIMITS)
def test_607iii_911_912_each_piece_has_its_limit_and_pawns_and_nwaps_limit_each_other(
    table: Table, counts: dict[str, int], over: list[tuple[str, int]]
) -> None:
    assert limits(table, **counts) == over


def second_cycle() -> Table:
    """Cycle 2; Player 1 had Pawns, Jesters, Cannons, Snakes, Archers and a Crazyhorse before."""
    table = to_setup(LIST, cycles="2").suggest_all()
    table.happen(cycle_over(table.state, 1))
    return table


def test_604c_one_new_kind_is_enough() -> None:
    table = second_cycle()
    text = changed(("4 Jester, 8 F$ each", "4 Nwap, 8 F$ each"))
    assert table.codes(1, "Purchase", text) == []


def test_604c_armies_are_compared_with_ones_own_only() -> None:
    table = second_cycle()
    text = header(2) + LIST
    assert table.codes(2, "Purchase", text) == []


def test_604_a_list_in_another_phase_is_refused_with_the_phase() -> None:
    table = Table()
    found = table.complaints(1, "Purchase", VALID)
    assert [(c.code, c.facts["phase"]) for c in found] == [("not_now", "ready")]
    later = to_setup()
    assert later.codes(1, "Purchase", VALID) == ["not_now"]
    assert later.codes(1, "Purchase", "Purchases:\n3 Unicorn") == ["not_now"]


def test_609_the_canonical_text_is_that_of_the_rules(table: Table) -> None:
    assert seam.write(GAME, table.state, Demand("Purchase", 1), ARMY) + "\n" == LIST


def mended(table: Table, text: str) -> str:
    reading = table.read(1, "Purchase", text)
    return seam.form(GAME, table.state, Demand("Purchase", 1), PEOPLE[1], reading).text


def test_the_blank_form_is_prefilled_and_lists_every_piece_for_sale(table: Table) -> None:
    form = seam.form(GAME, table.state, Demand("Purchase", 1), PEOPLE[1]).text
    assert form.startswith("Name: Ann Archer\nPlayer: 1\nEmail: ann@example.org\n")
    assert "... Killer Tomato, 15 F$ each, value 2 each" in form
    assert "King" not in form
    assert table.codes(1, "Purchase", form) == [
        "total_cost_missing", "total_value_missing", "mascot_missing", "no_lots",
    ]  # fmt: skip


def test_law_6_a_misspelt_name_is_mended_and_a_strange_one_stays_for_its_writer(table: Table) -> None:
    assert "10 Pawn, 8 F$ each" in mended(table, changed(("10 Pawn,", "10 Pwan,")))
    form = mended(table, changed(("10 Pawn,", "10 Unicorn,")))
    assert "\n10 Unicorn\n" in form
    assert "Total cost: 463 F$" in form
    assert table.codes(1, "Purchase", form) == ["piece_unknown"]


def test_law_6_what_mending_chose_is_said(table: Table) -> None:
    def chosen(old: str, new: str) -> tuple[str, ...]:
        reading = table.read(1, "Purchase", changed((old, new)))
        return seam.form(GAME, table.state, Demand("Purchase", 1), PEOPLE[1], reading).chosen

    assert chosen("543", "5430") == ()
    king = "1 King, 0 F$, value 0"
    assert chosen("Total value: 74", f"{king}\nTotal value: 74") == (f'I left out "{king}".',)
    assert chosen("10 Pawn,", "10 Pwan,") == ('I took "Pwan" for Pawn.',)
    assert chosen("Mascot: Archer", "Mascot: Archr") == ('I took "Archr" for Archer.',)
    assert chosen("10 Pawn,", "0 Pawn,") == (
        "The number of Pawn is left open; as the form stands, none is bought.",
    )
    assert chosen("Total value: 74", "what else?\nTotal value: 74") == (
        'I left out what I could not read: "what else?".',
    )


def test_a_record_read_back_owes_no_header(table: Table) -> None:
    reading = read(table.state, Demand("Purchase", 1), LIST, Party("", 1))
    assert (reading.action, reading.complaints) == (ARMY, ())
