"""604.B and 605.B in their own words: the labels that the rules put before what a list states are read, in any usual
writing, and nobody who says who he is is told that he does not."""

import random
from collections.abc import Callable, Iterator

import pytest

from tests.games.fourplay.examples import LIST
from tests.games.fourplay.table import to_purchase, to_setup

WHO = [  # the ways to write a label, and what stands behind it
    "Name/Name of the Player/The Name of that Player/The Player's name/Player's Name/My name",
    "Player/Number of that Player/The number of the Player/Player's number/Player number",
    "Email/E-mail address of that Player/The Player's e-mail address/His e-mail address/Address",
]
WHO_IS = ("Ann Archer", "1", "ann@example.org")
TOTALS = [
    "The total cost in F$/Total cost/Total cost of all the Pieces in F$/The total cost (F$)/Cost in F$",
    "The total material value/Total value/The total material value of the Pieces/Material value of all Pieces",
    "The Office's Mascot/Mascot/The Player's Mascot/Mascot of the Office/My Mascot/The Mascot is",
]
LOTS = [(10, "Pawn", 8, 1), (4, "Jester", 8, 1), (4, "Cannon", 22, 3), (4, "Snake", 29, 4), (2, "Archer", 71, 10),
        (1, "Crazyhorse", 85, 12)]  # fmt: skip
LOT_WORDS = (
    "{count} {name}, cost in F$: {price}, material value: {value}",
    "{count} {name}: cost in F$ {price}, material value {value}",
    "{count} {name}s, cost (F$): {price}, value: {value}",
    "{name}, number: {count}, cost in F$: {price}, material value: {value}",
    "{count} {name}; its cost in F$: {price}; its material value: {value}",
)
PLACES = {
    "Pawn": "i9, j9, k9, l9, m9, n9, o9, i10, j10, k10", "Jester": "l10, m10, n10, o10", "Cannon": "i11, j11, k11, l11",
    "Snake": "i12, j12, n12, o12", "Archer": "l12, m12", "Crazyhorse": "k13", "King": "o15", "Dollarman": "n15",
}  # fmt: skip
KING_WORDS = [
    "the Player's {name} is placed on",
    "The {name} is placed on",
    "The Player's {name}",
    "{name}",
    "The square of the {name}",
    "My {name} is on",
    "{name}'s square",
]
MASCOT_WORDS = [
    "The Office's Mascot is placed on",
    "The Mascot is placed on",
    "Mascot",
    "The Player's Mascot",
]
BULLETS: tuple[Callable[[int], str], ...] = (
    lambda number: "",
    lambda number: "- ",
    lambda number: f"({('i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x')[number % 10]}) ",
    lambda number: f"{'abcdefgh'[number % 8]}) ",
    lambda number: f"({number + 1}) ",
)
COLONS = (": ", " : ", ":", " = ", ":   ")
CASES: tuple[Callable[[str], str], ...] = (str, str.upper, str.lower)


def written(pairs: list[tuple[str, str]], dice: random.Random, bullet: Callable[[int], str]) -> Iterator[str]:
    """Each label with its value, as one writer puts them."""
    colon, case = dice.choice(COLONS), dice.choice(CASES)
    for number, (label, value) in enumerate(pairs):
        yield f"{bullet(number)}{case(label)}{colon}{value}"


def who(dice: random.Random) -> list[tuple[str, str]]:
    return [(dice.choice(labels.split("/")), value) for labels, value in zip(WHO, WHO_IS, strict=True)]


@pytest.mark.parametrize("seed", range(40))
def test_604b_a_list_under_the_labels_of_the_rule_counts(seed: int) -> None:
    dice, table = random.Random(f"604 {seed}"), to_purchase()
    bullet, lot = BULLETS[seed % len(BULLETS)], dice.choice(LOT_WORDS)
    lots = [lot.format(count=c, name=n, price=p, value=v) for c, n, p, v in LOTS]
    totals = [
        (dice.choice(labels.split("/")), value)
        for labels, value in zip(TOTALS, ("543", "74", "Archer"), strict=True)
    ]
    blocks = [
        "\n".join(written(who(dice), dice, bullet)),
        "\n".join(
            ["Pieces purchased:"] * dice.randrange(2) + [f"{bullet(n)}{x}" for n, x in enumerate(lots)]
        ),
        "\n".join(written(totals, dice, bullet)),
    ]
    dice.shuffle(blocks)
    text = "\n\n".join(blocks)
    assert table.codes(1, "Purchase", text) == [], text
    bought = table.read(1, "Purchase", text).action
    assert [(lot.count, lot.piece) for lot in bought.lots] == [(c, n) for c, n, *_ in LOTS], text
    assert bought.mascot == "Archer"


@pytest.mark.parametrize("seed", range(40))
def test_605b_a_setup_under_the_labels_of_the_rule_counts(seed: int) -> None:
    dice, table = random.Random(f"605 {seed}"), to_setup(LIST)
    bullet, king, mascot = BULLETS[seed % len(BULLETS)], dice.choice(KING_WORDS), dice.choice(MASCOT_WORDS)
    army = [f"{lot.count} {lot.piece}" for lot in table.state.player(1).army]
    named = [*zip(("Name of the Player", "Number of that Player", "E-mail address"), WHO_IS, strict=True)]
    single = [(king.format(name=name), PLACES[name]) for name in ("King", "Dollarman")]
    others = [(name, squares) for name, squares in PLACES.items() if name not in ("King", "Dollarman")]
    chosen = (mascot, dice.choice(("Archer l12", "l12", "Archer on l12")))
    blocks = [
        "\n".join(written(named, dice, bullet)),
        "\n".join([dice.choice(("Pieces owned:", "The Pieces owned by the Player:")), *army]),
        "\n".join(written([*others, *single, chosen], dice, bullet)),
    ]
    dice.shuffle(blocks)
    text = "\n\n".join(blocks)
    assert table.codes(1, "Setup", text) == [], text
    placed = table.read(1, "Setup", text).action
    assert (placed.king, placed.dollarman, placed.mascot) == ("o15", "n15", "l12"), text
    assert len(placed.spots) == 25


@pytest.mark.parametrize(
    "said",
    [
        "Commander: Ann Archer\nPlayer: 1\nEmail: ann@example.org",
        "Player 1: Ann Archer\nEmail: ann@example.org",
        "Player: Ann Archer\nNumber: 1\nContact: ann@example.org",
        "Name: Ann Archer, Player 1\nann@example.org",
        "Player: Ann Archer (1)\nmy e-mail address is ann@example.org",
        "Ann Archer, Player 1, ann@example.org",
        "I am Ann Archer.\nI am Player 1.\nReply to: ann@example.org",
    ],
)
def test_604b_who_sends_it_may_stand_under_another_label(said: str) -> None:
    lots = "\n".join(LOT_WORDS[0].format(count=c, name=n, price=p, value=v) for c, n, p, v in LOTS)
    text = f"{said}\n\nPurchases:\n{lots}\n\nTotal cost: 543 F$\nTotal value: 74\nMascot: Archer"
    assert to_purchase().codes(1, "Purchase", text) == []


def test_604b_another_number_under_another_label_is_still_wrong() -> None:
    assert "number_wrong" in to_purchase().codes(
        1, "Purchase", "Player 2: Ann Archer\n10 Pawn, 8 F$ each, value 1"
    )
