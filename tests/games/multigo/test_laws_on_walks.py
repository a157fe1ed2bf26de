"""Whole matches by seeded players: the invariants of the rules page. The laws of the seam: `tests/laws`."""

import itertools
from collections.abc import Iterator

import pytest

from referee.core import seam
from referee.core.chance import Chance
from referee.core.seam import Standing
from referee.core.value import Demand
from referee.games.multigo import state as ev
from referee.games.multigo.board import COLOURS, EMPTY, SYMBOLS, lifeless
from referee.games.multigo.game import GAME
from referee.games.multigo.notation import Move
from tests.games.multigo.table import Table
from tests.sampling import long


def walk(table: Table, seed: int, lapses: int = 12) -> Iterator[Table]:
    """Plays the match to its end, now and then missing a deadline or saying something unasked."""
    chance = Chance(f"{seed:064x}")
    for _ in range(3000):
        if not table.due:
            return
        if chance.below(15, "unasked") == 0:
            seat = table.state.active[chance.below(len(table.state.active), "who")]
            said = [d for d in GAME.open_to(table.state, seat) if d.kind not in ("Resign", "Dead")]
            if said:
                obey(table, said[chance.below(len(said), "what")], chance)
        elif chance.below(lapses, "lapse") == 0:
            table.lapse()
        else:
            for demand in table.due[0].demands:
                obey(table, demand, chance)
                if not table.sealed and table.due and demand.kind != "Dead":
                    break
        yield table
    raise AssertionError("the match does not end")


def obey(table: Table, demand: Demand, chance: Chance) -> None:
    action = seam.suggest(GAME, table.state, demand, chance)
    assert table.mail(demand.seat, seam.write(GAME, table.state, demand, action)) == ()


def placements(events: list[ev.Event], players: int) -> list[int]:
    """Stones placed per colour (those of void rounds are not made)."""
    made = [0] * players
    for event in events:
        if isinstance(event, ev.StonePlaced):
            made[event.seat - 1] += 1
        elif isinstance(event, ev.RoundPlayed) and not event.void:
            for stone in event.placed:
                made[stone.seat - 1] += 1
    return made


MATCHES = [
    (players, seed, "9x9")
    for players, seed in zip((2, 3, 4, 4, 4, 6, 8), (1, 2, 5, 12, 21, 4, 5), strict=True)
]
MANY = [(2 + seed % 7, seed, f"{9 + seed % 5}x{9 + seed % 3}") for seed in range(100, 160)]


@pytest.mark.parametrize("coop", ["off", "on"])
@pytest.mark.parametrize("matches", [MATCHES, *long(MANY)])
def test_no_stone_is_lost_and_none_stands_without_a_liberty(
    coop: str, matches: list[tuple[int, int, str]]
) -> None:
    """In matches that come to their ends, and meet what they are meant to meet."""
    met: set[object] = set()
    for order, (players, seed, board) in itertools.product(("sequential", "parallel"), matches):
        table = Table(players, board=board, order=order, coop=coop)
        for _ in walk(table, seed):
            state = table.state
            assert not lifeless(state.board, state.points.neighbours)
            held = [sum(seat.prisoners[colour] for seat in state.seats) for colour in range(players)]
            waiting = [sum(pending.pool[colour] for pending in state.pending) for colour in range(players)]
            on_board = [state.board.count(SYMBOLS[colour]) for colour in range(players)]
            total = [sum(parts) for parts in zip(on_board, held, waiting, state.eliminated, strict=True)]
            assert placements(table.events, players) == total
        assert GAME.outcome(table.state) is not None
        met |= {type(event) for event in table.events} | {how for _, how in table.takes}
        met |= {"collision" for played in table.of(ev.RoundPlayed) if played.collisions}
    assert {ev.DeadListed, ev.Scored, ev.GameWon, "collision"} <= met
    if coop == "on":
        assert {"mail", "deadline", "only", "prefer", ev.CaptureShared, ev.AlliesDeclared} <= met


@pytest.mark.parametrize("order", ["sequential", "parallel"])
def test_no_position_comes_again_but_by_passes_and_void_rounds(order: str) -> None:
    met = 0
    for seed in range(4):
        table = Table(3, position="/".join(["...."] * 4), order=order, compensation="none")
        seen, before = {table.state.board}, table.state.board
        chance = Chance(f"{seed:064x}")
        for _ in range(120):
            if table.state.phase != "play":
                break
            for demand in table.due[0].demands:
                if table.state.phase == "play":
                    table.mail(
                        demand.seat, seam.write(GAME, table.state, demand, biting(table, demand, chance))
                    )
            if table.state.board != before:
                assert table.state.board not in seen
                seen.add(table.state.board)
                before = table.state.board
        met += len(seen)
    assert met > 60


def biting(table: Table, demand: Demand, chance: Chance) -> Move:
    """Any legal stone at all, eyes filled: small boards then empty and repeat."""
    free = [point for point, symbol in enumerate(table.state.board) if symbol == EMPTY]
    for point in chance.shuffle(free, "stone"):
        move = Move((table.state.points.names[point],))
        if not Standing(GAME, table.state).check(demand, move):
            return move
    return Move()


def renamed(seat: int, permutation: tuple[int, ...]) -> int:
    return permutation[seat - 1]


@pytest.mark.parametrize("permutation", list(itertools.permutations((1, 2, 3)))[1:])
@pytest.mark.parametrize(
    ("removal", "coop"), [("simultaneous", "off"), ("old_first", "off"), ("simultaneous", "on")]
)
def test_renaming_colours_with_seats_commutes_with_a_parallel_round(
    permutation: tuple[int, ...], removal: str, coop: str
) -> None:
    """Crossman's rule with cooperation: the choice order is the one thing that knows seats."""
    given = {"order": "parallel", "coop": coop, "removal": removal}
    if coop == "on":
        given["prisoners"] = "crossman"
    given["position"] = "/".join(["...."] * 4)
    plain, other = Table(3, **given), Table(3, **given)
    chance = Chance("07" * 32)
    for _ in range(25):
        moves = {d.seat: biting(plain, d, chance) for d in plain.due[0].demands if d.kind == "Move"}
        if not moves:
            break
        for seat, move in moves.items():
            plain.mail(seat, seam.write(GAME, plain.state, Demand("Move", seat), move))
            again = renamed(seat, permutation)
            other.mail(again, seam.write(GAME, other.state, Demand("Move", again), move))
        table = str.maketrans({SYMBOLS[s - 1]: SYMBOLS[permutation[s - 1] - 1] for s in (1, 2, 3)})
        assert other.state.board == plain.state.board.translate(table)
        assert other.eliminated == {
            COLOURS[permutation[COLOURS.index(name)] - 1]: n for name, n in plain.eliminated.items()
        }
        for seat in (1, 2, 3):
            mine = plain.state.seat(seat).prisoners
            theirs = other.state.seat(renamed(seat, permutation)).prisoners
            assert [theirs[renamed(colour, permutation) - 1] for colour in (1, 2, 3)] == list(mine)
