"""Positions as the four games draw them, and a few odd ones, for every kind of drawing."""

from functools import cache

import pytest

from referee.core.diagram import Diagram, Link, Mark, Tint, Token


@cache
def played(kind: str, most: int) -> Diagram:
    """A position as its game draws it, some answers into a match."""
    from tests.laws.walks import steps

    *_, step = steps(kind, 3, most)
    view = step.walk.match.view(None)
    assert view is not None
    assert view.diagram is not None
    return view.diagram


def empty() -> Diagram:
    """A board of Go on which nothing stands."""
    return Diagram("", tuple("ABCDEFGHJ"), tuple("987654321"), "points")


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
    "fourplay": lambda: played("fourplay in play", 6),
    "go": lambda: played("go parallel coop", 14),
    "onepiece": onepiece,
    "buttons": buttons,
    "ragged": ragged,
    "powers": powers,
    "holed": holed,
    "one square": lambda: Diagram("", ("a",), ("1",)),
    "empty go": empty,
}


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> Diagram:
    return SAMPLES[request.param]()


@pytest.fixture
def samples() -> dict[str, Diagram]:
    return {name: make() for name, make in SAMPLES.items()}
