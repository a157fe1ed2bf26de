"""Positions as the four games draw them, and a few odd ones, for every kind of drawing."""

import pytest

from referee.core.diagram import Diagram, Link, Mark, Tint, Token

LETTERS = "abcdefghijklmno"
COLOURS = {"1": "red", "2": "blue", "3": "green", "4": "yellow"}
SHAPES = {"1": "disc", "2": "square", "3": "diamond", "4": "hexagon"}
NAMES = {
    "K": "King", "$": "Dollarman", "Cn": "Cannon", "P": "Pawn", "Nw": "Nwap", "Ch": "Crazyhorse", "A": "Archer",
    "~": "Snake", "J": "Jester", "Qr": "Quadrunner", "M1": "PrimeMover", "KT": "Killer Tomato", "Be": "Bender",
    "Zo": "Zombie", "W": "Withdrawer",
}  # fmt: skip
STANDING = {
    "1": "Ko15 $n14 Cnl11 Cnm12 Pj10 Pk10 Pl10 Pm10 Nwj12 Nwk12 Chn11 Ao11 ~m14 Jl13 Wi11",
    "2": "Ka15 $b14 Cnd11 Cne12 Pc10 Pd10 Pe10 Pf10 Qrb12 Qrc12 M1f12 KTg11 Bea11 Zog9 Ad13",
    "3": "Ka1 $b2 Cnd5 Pc6 Pd6 Pe6 Pf6 Pg6 Nwb5 Nwc4 Chf4 ~e3 Jg2 Zob7 Zoh5",
    "4": "Ko1 $n2 Cnl5 Cnm4 Pj6 Pk6 Pl6 Pm6 Nwk4 Chn5 Ao5 ~m2 Jl3 Wi5 Ml8",
}


def fourplay_tints() -> tuple[tuple[str, Tint], ...]:
    """Quadrants a1-g7, i1-o7, a9-g15, i9-o15; row 8 and column h neutral; the corners home."""
    tints: list[tuple[str, Tint]] = []
    for x, column in enumerate(LETTERS):
        for row in range(1, 16):
            if column == "h" or row == 8:
                tints.append((f"{column}{row}", "neutral"))
            else:
                region = (3 if x < 7 else 4) if row < 8 else (2 if x < 7 else 1)
                tints.append((f"{column}{row}", f"region{region}"))  # type: ignore[arg-type]
    return (*tints, *((corner, "home") for corner in ("o15", "a15", "a1", "o1")))


def fourplay() -> Diagram:
    tokens = [Token("h8", "+", "Neutron", "grey", "star")]
    for owner, pieces in STANDING.items():
        for piece in pieces.split():
            cut = next(i for i, c in enumerate(piece) if c in LETTERS and piece[i + 1 :].isdigit())
            text, square = piece[:cut], piece[cut:]
            name = f"{NAMES.get(text, 'Pawn')} of Player {owner}"
            mascot = square in ("d11", "n11")
            tokens.append(
                Token(square, text, name, COLOURS[owner], SHAPES[owner], mascot, owner)  # type: ignore[arg-type]
            )
    marks = (
        Mark("h8", "centre"), Mark("h11", "from", "N"), Mark("h8", "to", "N"), Mark("g9", "to", "1"),
        Mark("f8", "from", "1"), Mark("h5", "to", "2"), Mark("h5", "captured", "2"), Mark("c7", "from", "2"),
        Mark("i11", "captured"), Mark("o15", "run"),
    )  # fmt: skip
    return Diagram(
        "Round 3, Player 2 has moved", tuple(LETTERS), tuple(str(n) for n in range(15, 0, -1)), "cells",
        tuple(tokens), fourplay_tints(), (), marks,
        (*((sign, name) for sign, name in NAMES.items()), ("+", "Neutron"), ("*", "mascot")),
        ("Player 2 moved the Zombie from f8 to g9.",),
    )  # fmt: skip


GO = """
. . . . . . . . . . . . . . . . . . .
. . . . O . . . B B W . . . . . . . .
. . R . . . . B . B W W . . . U U . .
. . . R . G . . B W . . . . U . . . .
. . R . . . . . . . W . . . . . U . .
. . . . . . . . . . . . . . . . . . .
. G G . . . . . . . . . . . P P . . .
. . . G . . . . . . . . . . P . P . .
. . . . . . . . Y . . . . . . . . . .
. . . . . . . . Y Y O . . . . . . . .
. . . . . . . . . O . O . . . . . . .
. . . . . . . . . . O . . . . . . . .
. . U . . . . . . . . . . . . . R . .
. . U U . . . . . . . . . . . R . . .
. . . U W . . . . . . . . . . . R . .
. . B W W . . . . G . . . . . Y Y . .
. . . B W . . . P . . . . . . Y O . .
. . . . B . . . . . . . . . . . O O .
. . . . . . . . . . . . . . . . . . .
"""
GO_COLOURS = {
    "B": "black", "W": "white", "R": "red", "U": "blue", "G": "green", "Y": "yellow", "P": "purple", "O": "orange",
}  # fmt: skip


def drawn_go(text: str, marks: tuple[Mark, ...] = ()) -> Diagram:
    rows = [line.split() for line in text.split("\n") if line.strip()]
    columns = "ABCDEFGHJKLMNOPQRSTUVWXYZ"[: len(rows[0])]
    tokens = tuple(
        Token(f"{column}{len(rows) - y}", sign, GO_COLOURS[sign], GO_COLOURS[sign])  # type: ignore[arg-type]
        for y, row in enumerate(rows)
        for column, sign in zip(columns, row, strict=True)
        if sign != "."
    )
    numbers = tuple(str(n) for n in range(len(rows), 0, -1))
    legend = tuple((sign, colour) for sign, colour in GO_COLOURS.items())
    return Diagram("Round 12", tuple(columns), numbers, "points", tokens, (), (), marks, legend)


def go() -> Diagram:
    marks = (
        Mark("J16", "last"), Mark("K17", "captured"), Mark("L15", "captured"), Mark("D4", "last"),
        Mark("Q10", "void"),
    )  # fmt: skip
    return drawn_go(GO.replace("B . B W W", "B . . W W"), marks)


def onepiece() -> Diagram:
    plies = (
        "Rc1Bd1 Re1Be2 Rd3Bd2 Rf1Bf2 Rc2Bc3 Rc4Bc5 Rg1Bh1 Re4Be3 Rd4Bd5 Rg2Bg3 Ra1Ba2 Re6Be5 Rh3Bh2 Rg4Bg5 "
        "Rh4Bh5 Rd6Bd7 Ra4Ba3 Rg6Bh6 Rh7Bg7 Re8Be7"
    )
    tokens: list[Token] = []
    links: list[Link] = []
    for ply in plies.split():
        red, blue = ply[1:3], ply[4:6]
        tokens += [
            Token(red, "R", "red half", "red", "disc"),
            Token(blue, "B", "blue half", "blue", "square"),
        ]
        links.append(Link(red, blue, "none", "", "domino"))
    marks = (
        *(Mark(square, "run") for square in ("d4", "c4", "e4")), Mark("e8", "to"), Mark("e7", "to"),
        Mark("b1", "from"), Mark("b2", "from"),
    )  # fmt: skip
    return Diagram(
        "Ply 20", tuple("abcdefgh"), tuple("87654321"), "cells", tuple(tokens), (), tuple(links), marks,
        (("R", "red half"), ("B", "blue half")), ("Red placed e8 and e7.",),
    )  # fmt: skip


BRIDGES = {
    "red": "a2b2 a2a3 b1c1 b2c2 b2b3 b3c3 b3b4 b4c4 c1c2 c2c3 c3d3 d2d3",
    "black": "a1b1 a4b4 b1b2 c1d1 c3c4 c4d4",
    "white": "a1a2 a3a4 a3b3 c2d2 d1d2 d3d4",
}


def buttons() -> Diagram:
    links = tuple(
        Link(bridge[:2], bridge[2:], colour, colour[0])  # type: ignore[arg-type]
        for colour, bridges in BRIDGES.items()
        for bridge in bridges.split()
    )
    standing = "a4B3 b4W1 d4B1 a3W4 b3B2 c3W2 d3W3 b2B4 c2W1 d2B1 c1W2 d1B2"
    tokens = tuple(
        Token(
            piece[:2], piece[2:], f"{'black' if piece[2] == 'B' else 'white'} {piece[3]}",
            "black" if piece[2] == "B" else "white",
        )
        for piece in standing.split()
    )  # fmt: skip
    marks = (Mark("b3", "to"), Mark("d3", "from"))
    return Diagram(
        "White has moved", tuple("abcd"), tuple("4321"), "islands", tokens, (), links, marks,
        (("r", "red bridge"), ("b", "black bridge"), ("w", "white bridge")),
        ("White exchanged b3 and d3.",),
    )  # fmt: skip


def ragged() -> Diagram:
    """Islands with missing spaces and diagonal bridges."""
    tints: tuple[tuple[str, Tint], ...] = (("b2", "hole"), ("c1", "hole"))
    links = (
        Link("a1", "a2", "red", "r"), Link("a3", "b3", "white", "w"), Link("a2", "b3", "black", "b"),
        Link("c2", "c3", "blue", ""), Link("b1", "a2", "green", "g"),
    )  # fmt: skip
    tokens = (Token("a3", "B8", "black 8", "black"), Token("c2", "W1", "white 1", "white"))
    return Diagram("Ragged", tuple("abc"), tuple("321"), "islands", tokens, tints, links)


def holed() -> Diagram:
    """Cells with a gap, and dominoes about the gap."""
    tints: tuple[tuple[str, Tint], ...] = (("b2", "hole"), ("a1", "home"), ("c3", "neutral"))
    links = (Link("a2", "a3", "none", "", "domino"), Link("c2", "c1", "none", "", "domino"))
    tokens = (Token("c1", "N", "N", "orange", "diamond", True, "4"), Token("a3", "x", "x"))
    marks = (Mark("c1", "target"), Mark("c3", "void"), Mark("a3", "run"), Mark("a3", "from", "7"))
    return Diagram("Holed", tuple("abc"), tuple("321"), "cells", tokens, tints, links, marks)


def powers() -> Diagram:
    """What one piece may do, as `referee games fourplay --piece` draws it."""
    quiet = [Mark(f"{c}4", "quiet") for c in "abcefg"] + [Mark(f"d{n}", "quiet") for n in (1, 2, 3, 5, 6)]
    marks = (*quiet, Mark("d7", "target"))
    tokens = (
        Token("d4", "Cn", "Cannon", "red", owner="1"),
        Token("d7", "P", "Pawn", "blue", "square", owner="2"),
    )
    return Diagram("The Cannon", tuple("abcdefg"), tuple("7654321"), "cells", tokens, (), (), marks)


SAMPLES = {
    "fourplay": fourplay, "go": go, "onepiece": onepiece, "buttons": buttons, "ragged": ragged, "powers": powers,
    "holed": holed, "one square": lambda: Diagram("", ("a",), ("1",)),
    "empty go": lambda: drawn_go("\n".join([". " * 9] * 9)),
}  # fmt: skip


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> Diagram:
    return SAMPLES[request.param]()


@pytest.fixture
def samples() -> dict[str, Diagram]:
    return {name: make() for name, make in SAMPLES.items()}
