"""Where a piece of a type can go and what it can take from each square, worked out from its primitives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from referee.games.fourplay.board.catalogue import PieceType
from referee.games.fourplay.board.primitives import (
    Bent,
    Directions,
    Grant,
    Hop,
    Leap,
    Legs,
    Rifle,
    Slide,
    Withdraw,
    Zigzag,
)
from referee.games.fourplay.board.squares import DIRECTIONS, QUADRANTS, Step, images, ray, stepped

Path = tuple[int, ...]


class Move(NamedTuple):
    """One move of one piece. `via` are the squares between start and end that it passes or lands on; `granted`
    tells that a PrimeMover lent it."""

    start: int
    end: int
    via: tuple[int, ...] = ()
    captures: tuple[int, ...] = ()
    granted: bool = False


class _Run(NamedTuple):
    """A way over empty squares: may end on any square of the path from the `least`-th (1 is the first) on."""

    path: Path
    least: int
    quiet: bool
    strike: bool


# By square of a path the move that ends there quietly and the one that takes there, None where there is none.
Along = tuple[tuple[int, Move | None, Move | None], ...]


class Ways(NamedTuple):
    """All a type can do from one square, with the moves that it may come to, each made once: by their ends those of
    leaps, `quiet` and `strikes`; `overs` with the pieces to pass; `retreats` are the neighbour taken, and the way
    straight away from it; `chains` the landings of a piece that leaps several times, one path per choice."""

    quiet: tuple[tuple[int, Move], ...]
    strikes: tuple[tuple[int, Move], ...]
    runs: tuple[Along, ...]
    overs: tuple[tuple[int, Along], ...]
    shots: tuple[tuple[tuple[int, Move], ...], ...]
    retreats: tuple[tuple[int, Path], ...]
    chains: tuple[Path, ...]


def _along(square: int, path: Path, least: int, quiet: bool, strike: bool) -> Along:
    """The moves along a path, from its `least`-th square on."""
    return tuple(
        (
            end,
            Move(square, end, path[:index]) if quiet and index >= least - 1 else None,
            Move(square, end, path[:index], (end,)) if strike and index >= least - 1 else None,
        )
        for index, end in enumerate(path)
    )


def ways_from(piece: PieceType, square: int) -> Ways:
    quiet: list[int] = []
    strikes: list[int] = []
    runs: list[_Run] = []
    overs: list[tuple[int, Along]] = []
    shots: list[Path] = []
    retreats: list[tuple[int, Path]] = []
    chains: list[Path] = []
    for move in piece.moves:
        match move:
            case Leap(vectors, mode):
                ends = _landings(square, vectors)
                quiet += ends if mode != "capture" else ()
                strikes += ends if mode != "quiet" else ()
            case Hop(dirs, screens, mode):
                lines = _rays(square, dirs)
                overs += [(screens, _along(square, p, 1, mode != "capture", mode != "quiet")) for p in lines]
            case Rifle(dirs, most):
                shots += _rays(square, dirs, most)
            case Withdraw(dirs, most):
                retreats += _retreats(square, dirs, most)
            case Legs(legs, least):
                chains += _chains(square, legs, least)
            case Grant():
                pass
            case _:
                runs += _runs(square, move)
    return Ways(
        tuple((end, Move(square, end)) for end in dict.fromkeys(quiet)),
        tuple((end, Move(square, end, (), (end,))) for end in dict.fromkeys(strikes) if not piece.no_capture),
        tuple(_along(square, *run) for run in _distinct(runs, piece.no_capture)),
        tuple(overs),
        tuple(tuple((end, Move(square, square, (), (end,))) for end in shot) for shot in shots),
        tuple(retreats),
        tuple(chains),
    )


def _landings(square: int, vectors: tuple[Step, ...]) -> Path:
    steps = dict.fromkeys(step for vector in vectors for (step,) in images(vector))
    return tuple(end for step in steps if (end := stepped(square, step)) is not None)


def _rays(square: int, dirs: Directions, most: int = 15) -> list[Path]:
    return [path for step in DIRECTIONS[dirs] if (path := ray(square, step, most))]


def _retreats(square: int, dirs: Directions, most: int) -> Iterator[tuple[int, Path]]:
    for x, y in DIRECTIONS[dirs]:
        victim, away = stepped(square, (-x, -y)), ray(square, (x, y), most)
        if victim is not None and away:
            yield victim, away


def _chains(square: int, legs: tuple[tuple[Step, ...], ...], least: int) -> Iterator[Path]:
    """The landings of every choice of leaps, the shortest chains first."""
    paths: list[Path] = [()]
    for number, vectors in enumerate(legs, 1):
        paths = [(*path, end) for path in paths for end in _landings(path[-1] if path else square, vectors)]
        if number >= least:
            yield from paths


def _runs(square: int, move: Slide | Zigzag | Bent) -> Iterator[_Run]:
    quiet, strike = move.mode != "capture", move.mode != "quiet"
    match move:
        case Slide(to_end=True):
            return  # the Neutron's: see `neutron`
        case Slide(bend_on="border"):
            for path in _bending(square, move):
                yield _Run(path, move.least, quiet, strike)
        case Slide():
            for path in _rays(square, move.dirs, move.most):
                yield _Run(path, move.least, quiet, strike)
        case Zigzag():
            for first, second in images(move.step_a, move.step_b):
                yield _Run(_zigzag(square, first, second, move.most), 1, quiet, strike)
        case Bent():
            for path in _bent(square, move):
                yield _Run(path, move.total, quiet, strike)


def _zigzag(square: int, first: Step, second: Step, most: int) -> Path:
    path: list[int] = []
    here = stepped(square, first)
    while here is not None and len(path) < most:
        path.append(here)
        here = stepped(here, (first, second)[len(path) % 2])
    return tuple(path)


def _bent(square: int, move: Bent) -> Iterator[Path]:
    """Straight, or with one right angle after any number of squares; only whole ways."""
    for x, y in DIRECTIONS[move.dirs]:
        for before in range(1, move.total + 1):
            straight = ray(square, (x, y), before)
            turns: tuple[Step, ...] = ((-y, x), (y, -x)) if before < move.total else ((x, y),)
            for turn in turns:
                path = straight
                if len(straight) == before:
                    path += ray(straight[-1], turn, move.total - before)
                if len(path) == move.total:
                    yield path


def _bending(square: int, move: Slide) -> Iterator[Path]:
    """960: straight to the first square of another region, and from there either forward diagonal."""
    for x, y in DIRECTIONS[move.dirs]:
        straight = ray(square, (x, y), move.most)
        regions = [QUADRANTS[square], *(QUADRANTS[s] for s in straight)]
        crossing = next((i for i in range(1, len(regions)) if regions[i] != regions[i - 1]), None)
        if crossing is None:
            yield straight
            continue
        straight = straight[:crossing]
        yield straight
        for turn in _forward_diagonals((x, y)):
            yield straight + ray(straight[-1], turn, move.most - len(straight))


def _forward_diagonals(step: Step) -> tuple[Step, Step]:
    """The two directions half a right angle to the left and to the right."""
    x, y = step
    return (_sign(x - y), _sign(x + y)), (_sign(x + y), _sign(y - x))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _distinct(runs: list[_Run], harmless: bool) -> tuple[_Run, ...]:
    """The runs without empty ones; where two begin alike, the later one starts where they part."""
    found: list[_Run] = []
    for path, least, quiet, strike in runs:
        for other in found:
            if (other.quiet, other.strike) == (quiet, strike) and other.least <= least:
                least = max(least, _shared(path, other.path) + 1)
        if least <= len(path):
            found.append(_Run(path, least, quiet, strike and not harmless))
    return tuple(found)


def _shared(path: Path, other: Path) -> int:
    """How many squares two paths have in common from their beginnings."""
    length = 0
    while length < min(len(path), len(other)) and path[length] == other[length]:
        length += 1
    return length


# Conditions of a hit: all `squares` empty; the same, but the piece stays (a shot); so many of them occupied;
# all of them fit to land on.
CLEAR: Final = 0
SHOT: Final = 1
SCREENED: Final = 2
LANDABLE: Final = 3


class Hit(NamedTuple):
    """One way to take what stands on a target: the condition, its squares, and where the piece ends."""

    condition: int
    squares: Path
    screens: int
    end: int


def hits_from(ways: Ways, square: int) -> dict[int, tuple[Hit, ...]]:
    """By target: every way to take what stands there. Empty ways (a leap) are conditions without squares."""
    found: dict[int, list[Hit]] = {}
    for target, _ in ways.strikes:
        found.setdefault(target, []).append(Hit(CLEAR, (), 0, target))
    for run in ways.runs:
        for target, _, take in run:
            if take is not None:
                found.setdefault(target, []).append(Hit(CLEAR, take.via, 0, target))
    for screens, over in ways.overs:
        for target, _, take in over[screens:]:
            if take is not None:
                found.setdefault(target, []).append(Hit(SCREENED, take.via, screens, target))
    for shot in ways.shots:
        for index, (target, _) in enumerate(shot):
            path = tuple(end for end, _ in shot[:index])
            found.setdefault(target, []).append(Hit(SHOT, path, 0, square))
    for victim, away in ways.retreats:
        found.setdefault(victim, []).extend(Hit(CLEAR, away[: n + 1], 0, end) for n, end in enumerate(away))
    for path in ways.chains:
        for target in path:
            others = tuple(other for other in path if other != target)
            found.setdefault(target, []).append(Hit(LANDABLE, others, 0, path[-1]))
    return {target: tuple(dict.fromkeys(hits)) for target, hits in found.items() if target != square}
