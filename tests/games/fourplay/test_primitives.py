"""Part D: every primitive, effect and restriction makes a piece from TOML alone; every bad use is refused."""

import json
import tomllib
from pathlib import Path

import pytest

from referee.games.fourplay.board.catalogue import catalogue_of, catalogue_text, read_catalogue
from referee.games.fourplay.board.moves import Position, moves_from
from referee.games.fourplay.board.primitives import NAMES, NUMBERS, Move
from referee.games.fourplay.state import Piece
from tests.games.fourplay.boards import moves_of
from tests.games.fourplay.table import catalogues
from tests.world import World

ROW = """
[[piece]]
name = "Newcomer"
symbol = "Ne"
value = 2
description = "A piece of one's own."
"""


def newcomer(words: str) -> str:
    return f"{ROW}{words}\n"


def moves(words: str, *others: str, at: str = "h8") -> list[Move]:
    """The moves of Player 2's Newcomer among others (`h9 Pawn 3`)."""
    tables = catalogue_of(catalogue_text(catalogues()["pieces"], tomllib.loads(newcomer(words))))
    men = [Piece(1, "Newcomer", 2, at)]
    for number, other in enumerate(others, 2):
        square, kind, owner = other.split()
        men.append(Piece(number, kind, int(owner), square))
    position = Position(tables, men)
    position.fix_grants(2)
    return list(moves_of(position, 2)) if "grant" in words else moves_from(position, NUMBERS[at])


def quiet(found: list[Move]) -> set[str]:
    return {NAMES[move.end] for move in found if not move.captures}


def taken(found: list[Move]) -> dict[str, set[str]]:
    """By captured square: where the piece ends."""
    ends: dict[str, set[str]] = {}
    for move in found:
        for square in move.captures:
            ends.setdefault(NAMES[square], set()).add(NAMES[move.end])
    return ends


# Drawn by hand from h8 on an empty board.
ALONE = {
    'moves = [{ by = "leap", vectors = [[1, 3]] }]': "g11 i11 e9 k9 e7 k7 g5 i5",
    'moves = [{ by = "leap", vectors = [[0, 2]], mode = "quiet" }]': "h10 h6 f8 j8",
    'moves = [{ by = "slide", dirs = "diag", least = 2, most = 3 }]': "f6 e5 f10 e11 j6 k5 j10 k11",
    'moves = [{ by = "hop", dirs = "orth" }]': "",
    'moves = [{ by = "zigzag", step_a = [1, 1], step_b = [1, -1], most = 2 }]': "i9 g9 g7 i7 j8 h10 f8 h6",
    'moves = [{ by = "bent", dirs = "orth", total = 2 }]': "h10 h6 f8 j8 i9 g9 g7 i7",
    'moves = [{ by = "rifle", dirs = "diag", most = 2 }]': "",
    'moves = [{ by = "withdraw", dirs = "orth", most = 2 }]': "",
    'moves = [{ by = "legs", legs = [[[1, 0]], [[1, 0]]], least = 2 }]': "h10 h6 f8 j8 i9 g9 g7 i7 h8",
    'moves = [{ by = "grant" }]': "",
    'moves = [{ by = "leap", vectors = [[1, 0]], mode = "capture" }]': "",
}


@pytest.mark.parametrize("words", ALONE)
def test_d_each_primitive_alone_on_an_empty_board(words: str) -> None:
    assert quiet(moves(words)) == set(ALONE[words].split())


def test_d_a_leap_takes_what_stands_at_its_end_whatever_stands_between() -> None:
    found = moves('moves = [{ by = "leap", vectors = [[0, 2]] }]', "h9 Pawn 2", "h10 Pawn 3", "j8 Pawn 2")
    assert taken(found) == {"h10": {"h10"}}
    assert quiet(found) == {"h6", "f8"}


def test_d_a_slide_stops_before_friends_and_on_enemies() -> None:
    found = moves(
        'moves = [{ by = "slide", dirs = "orth" }]', "h10 Pawn 2", "j8 Pawn 3", "g8 Pawn 2", "h7 Pawn 2"
    )
    assert quiet(found) == {"h9", "i8"}
    assert taken(found) == {"j8": {"j8"}}


def test_d_a_hop_needs_exactly_its_screens() -> None:
    words = 'moves = [{ by = "hop", dirs = "orth", screens = 2 }]'
    found = moves(words, "h9 Pawn 2", "h11 Pawn 3", "h13 Pawn 3", "h15 Pawn 3")
    assert quiet(found) == {"h12"}
    assert taken(found) == {"h13": {"h13"}}


def test_d_a_rifle_takes_the_first_it_sees_and_stays() -> None:
    found = moves(
        'moves = [{ by = "rifle", dirs = "diag", most = 2 }]', "j10 Pawn 3", "g9 Pawn 2", "f10 Pawn 3"
    )
    assert taken(found) == {"j10": {"h8"}}


def test_d_withdrawing_takes_the_neighbour_straight_behind() -> None:
    found = moves('moves = [{ by = "withdraw", dirs = "orth", most = 2 }]', "h9 Pawn 3", "g8 Pawn 2")
    assert taken(found) == {"h9": {"h7", "h6"}}


def test_d_legs_take_on_every_landing() -> None:
    words = 'moves = [{ by = "legs", legs = [[[1, 0]], [[1, 0]]] }]'
    found = moves(words, "h9 Pawn 3", "h10 Pawn 4", "g8 Pawn 2")
    both = [move for move in found if len(move.captures) == 2]
    assert [(NAMES[move.end], [NAMES[s] for s in move.captures]) for move in both] == [("h10", ["h9", "h10"])]
    assert "f8" not in quiet(found)  # the first leg can't land on a friend


def test_d_a_way_bends_on_the_first_square_beyond_a_border() -> None:
    found = moves('moves = [{ by = "slide", dirs = "orth", bend_on = "border" }]', at="g9")
    assert {"h9", "i10", "i8", "j11", "j7"} <= quiet(found)
    assert not {"i9", "j9"} & quiet(found)


def test_d_a_grant_is_lent_to_friends_beside_and_its_blocked_squares_must_be_empty() -> None:
    words = 'moves = [{ by = "grant", dirs = "orth", distances = [2], blocked = [1] }]'
    found = [move for move in moves(words, "h9 Jester 2") if move.granted]
    assert {NAMES[move.end] for move in found} == {"h11", "f9", "j9"}  # down, the lender itself is in the way
    assert {NAMES[move.start] for move in found} == {"h9"}


def test_d_effects_and_restrictions() -> None:
    leap = 'moves = [{ by = "leap", vectors = [[1, 0]] }]'
    assert taken(moves(f"{leap}\nno_capture = true", "h9 Pawn 3")) == {}
    assert quiet(moves(f'{leap}\nend_in = "own_quadrant"', at="g9")) == {"f9", "g10"}
    limited = f'{leap}\non_capture = "become_victim"'
    assert taken(moves(limited, "h9 Withdrawer 3", "a9 Withdrawer 2")) == {}
    assert taken(moves(limited, "h9 Withdrawer 3")) == {"h9": {"h9"}}
    foe = catalogue_of(
        catalogue_text(catalogues()["pieces"], tomllib.loads(newcomer(f"{leap}\nuncapturable = true")))
    )
    men = [Piece(1, "Newcomer", 2, "h9"), Piece(2, "Quadrunner", 3, "h8")]
    assert not any(move.captures for move in moves_from(Position(foe, men), NUMBERS["h8"]))


BAD = {
    'moves = [{ by = "leap" }]': "leap needs 'vectors'",
    'moves = [{ by = "leap", vector = [[1, 2]] }]': "leap knows no 'vector'",
    'moves = [{ by = "leap", vectors = [[0, 0]] }]': "vectors = [[0, 0]]",
    'moves = [{ by = "leap", vectors = [[1, 15]] }]': "vectors = [[1, 15]]",
    'moves = [{ by = "leap", vectors = [[1, 2]], mode = "take" }]': "mode = 'take'",
    'moves = [{ by = "slide" }]': "slide needs 'dirs'",
    'moves = [{ by = "slide", dirs = "up" }]': "dirs = 'up'",
    'moves = [{ by = "slide", dirs = "orth", least = 0 }]': "least = 0",
    'moves = [{ by = "slide", dirs = "orth", least = 4, most = 3 }]': "least is 4, more than most, 3",
    'moves = [{ by = "slide", dirs = "orth", bend_on = "edge" }]': "bend_on = 'edge'",
    'moves = [{ by = "slide", dirs = "orth", to_end = true }]': "to_end is for the Neutron",
    'moves = [{ by = "hop", dirs = "orth", screens = 0 }]': "screens = 0",
    'moves = [{ by = "zigzag", step_a = [1, 1] }]': "zigzag needs 'step_b'",
    'moves = [{ by = "bent", dirs = "orth", total = "4" }]': "total = '4'",
    'moves = [{ by = "rifle", dirs = "orth" }]': "rifle needs 'most'",
    'moves = [{ by = "withdraw", dirs = "orth", mode = "both" }]': "withdraw knows no 'mode'",
    'moves = [{ by = "legs", legs = [[[1, 2]]], least = 2 }]': "least is 2, but there is only 1 leg",
    'moves = [{ by = "legs", legs = [] }]': "legs = []",
    'moves = [{ by = "grant", distances = [0] }]': "distances = [0]",
    'moves = [{ by = "grant" }, { by = "grant" }]': "only one grant",
    'moves = [{ by = "fly" }]': "by = 'fly' is no primitive",
    "moves = [7]": "7 is no table",
    "moves = []": "moves is missing",
    'moves = [{ by = "grant" }]\non_capture = "explode"': "on_capture = 'explode'",
    'moves = [{ by = "grant" }]\nend_in = "h8"': "end_in = 'h8'",
    'moves = [{ by = "grant" }]\nno_capture = 1': "no_capture = 1",
    'moves = [{ by = "leap", vectors = [[1, 0]], mode = "capture" }]\nno_capture = true': "no_capture is true",
    'moves = [{ by = "grant" }]\nlimit_if_other = [{ piece = "Gnu", least = 1, limit = 1 }]': "'Gnu'",
}  # fmt: skip


@pytest.mark.parametrize("words", BAD)
def test_d_a_bad_use_is_refused_in_words(words: str) -> None:
    rows = [*catalogues()["pieces"]["piece"], *tomllib.loads(newcomer(words))["piece"]]
    _, faults = read_catalogue({"piece": json.loads(json.dumps(rows))})
    assert len(faults) == 1
    assert "Newcomer" in faults[0]
    assert BAD[words] in faults[0]


def test_d_a_moderators_piece_is_drawn_and_a_faulty_one_refused_with_every_fault(tmp_path: Path) -> None:
    world = World(tmp_path)
    own = tmp_path / "config" / "fourplay" / "own.toml"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(newcomer(next(iter(ALONE))), encoding="utf-8")
    drawn = world.do("games", "fourplay", "--piece", "Newcomer")
    assert "Newcomer (rule house), in an example" in drawn.out
    own.write_text(newcomer('moves = [{ by = "fly" }]\nend_in = "h8"'), encoding="utf-8")
    refused = world.run("games", "fourplay", "--piece", "Newcomer")
    assert refused.status == 1
    assert "Traceback" not in refused.err
    assert "'fly'" in refused.err
    assert "end_in" in refused.err
