"""The board (800): 15 x 15 squares, numbered 0 (a1) to 224 (o15), with quadrants, neutral squares and rays. Inside the
kernel a square is a number, everywhere else its name; `OFF` names what is not on the board.

What pieces are made of (part D): the primitives a catalogue may name, how their rows are read,
and where a piece made of them can go and what it can take from each square.

A direction set is "orth", "diag" or "all8"; a vector stands for its eight images. `mode` says
whether a primitive gives moves to empty squares ("quiet"), captures on arrival ("capture") or both.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from itertools import chain, product, takewhile
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from referee.core.value import Value

SIDE: Final = 15
COLUMNS: Final = "abcdefghijklmno"
SQUARES: Final = range(SIDE * SIDE)
NAMES: Final = tuple(f"{COLUMNS[square % SIDE]}{square // SIDE + 1}" for square in SQUARES)
NUMBERS: Final = {name: square for square, name in enumerate(NAMES)}
OFF: Final = "off"
NEUTRAL: Final = 0

Step = tuple[int, int]  # columns to the right, rows up

ORTHOGONAL: Final[tuple[Step, ...]] = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONAL: Final[tuple[Step, ...]] = ((1, 1), (-1, 1), (-1, -1), (1, -1))
ALL8: Final = ORTHOGONAL + DIAGONAL
COMPASS: Final = (*chain(*zip(ORTHOGONAL, DIAGONAL, strict=True)),)  # counter-clockwise
DIRECTIONS: Final = {"orth": ORTHOGONAL, "diag": DIAGONAL, "all8": ALL8}


MIDDLE: Final = SIDE // 2
_HALVES: Final = ((3, 4), (2, 1))  # lower and upper, each left and right (part C)
QUADRANTS: Final = tuple(
    NEUTRAL if MIDDLE in (s % SIDE, s // SIDE) else _HALVES[s // SIDE > MIDDLE][s % SIDE > MIDDLE]
    for s in SQUARES
)
CENTRE: Final = NUMBERS["h8"]
EDGE: Final = frozenset(s for s in SQUARES if s % SIDE in (0, SIDE - 1) or s // SIDE in (0, SIDE - 1))


def stepped(square: int, step: Step) -> int | None:
    """The square one step on, or None beyond the edge."""
    column, row = square % SIDE + step[0], square // SIDE + step[1]
    return row * SIDE + column if 0 <= column < SIDE and 0 <= row < SIDE else None


def ray(square: int, step: Step, longest: int = SIDE) -> tuple[int, ...]:
    """The squares reached by repeating a step, nearest first, at most `longest` of them."""
    found: list[int] = []
    here = stepped(square, step)
    while here is not None and len(found) < longest:
        found.append(here)
        here = stepped(here, step)
    return tuple(found)


def images(*vectors: Step) -> tuple[tuple[Step, ...], ...]:
    """The vectors, turned and mirrored together, each result once, in a fixed order."""
    found: dict[tuple[Step, ...], None] = {}
    for seen in (vectors, tuple((x, -y) for x, y in vectors)):
        for _ in range(4):
            found[seen] = None
            seen = tuple((-y, x) for x, y in seen)
    return tuple(found)


def quadrant_of(name: str) -> int:
    """The number of the player whose quadrant the named square is in; 0 where it is neutral."""
    return QUADRANTS[NUMBERS[name]]


# --- primitives ------------------------------------------------------------------------------------------------------


Mode: TypeAlias = Literal["quiet", "capture", "both"]
Directions: TypeAlias = Literal["orth", "diag", "all8"]


class Leap(Value):
    """Straight to the square at one of the vectors, whatever stands between."""

    vectors: tuple[Step, ...]
    mode: Mode = "both"


class Slide(Value):
    """`least` to `most` squares in one direction over empty squares. `to_end`: as far as possible (905).

    `bend_on` "border": the way ends on the first square beyond a border of quadrants, or turns
    there to either forward diagonal and runs on, straight, over empty squares (960)."""

    dirs: Directions
    least: int = 1
    most: int = SIDE
    mode: Mode = "both"
    to_end: bool = False
    bend_on: Literal["", "border"] = ""


class Hop(Value):
    """Along a line over exactly `screens` pieces of any owner, at any distances, to a square beyond them."""

    dirs: Directions
    screens: int = 1
    mode: Mode = "both"


class Zigzag(Value):
    """Steps alternating between `step_a` and `step_b` (or both turned alike), up to `most`, over empty squares."""

    step_a: Step
    step_b: Step
    most: int = SIDE
    mode: Mode = "both"


class Bent(Value):
    """Exactly `total` squares: some in one of the directions, the rest at a right angle, over empty squares."""

    dirs: Directions
    total: int
    mode: Mode = "both"


class Rifle(Value):
    """Takes the first piece up to `most` squares away in one direction, and stays where it is."""

    dirs: Directions
    most: int


class Withdraw(Value):
    """Takes a neighbour by moving straight away from it, up to `most` squares over empty squares."""

    dirs: Directions
    most: int = SIDE


class Legs(Value):
    """Leaps in a row, each from where the last one landed, each taking what it lands on; at least
    `least` of them. The start square counts as empty for the later legs."""

    legs: tuple[tuple[Step, ...], ...]
    least: int = 1


class Grant(Value):
    """Friends next to this piece when their player's turn begins may instead go one of the `distances` in one
    direction; squares on the way at the `blocked` distances must be empty, others may be occupied (950)."""

    dirs: Directions = "all8"
    distances: tuple[int, ...] = (2, 3, 5, 7, 11, 13)
    blocked: tuple[int, ...] = (4, 6, 8, 9, 10, 12)


Primitive: TypeAlias = Leap | Slide | Hop | Zigzag | Bent | Rifle | Withdraw | Legs | Grant

PRIMITIVES: Mapping[str, type[Primitive]] = {k.__name__.lower(): k for k in get_args(Primitive)}


def primitive(row: Any) -> tuple[Primitive | None, tuple[str, ...]]:
    """The primitive that a table of the catalogue describes, or every fault of it, in words."""
    if not isinstance(row, Mapping):
        return None, (f'{row!r} is no table such as {{ by = "slide", dirs = "orth" }}.',)
    name = row.get("by")
    if not isinstance(name, str) or name not in PRIMITIVES:
        return None, (f"by = {name!r} is no primitive; there are {', '.join(PRIMITIVES)}.",)
    kind = PRIMITIVES[name]
    known = {field.name: field for field in fields(kind)}
    faults = [
        f"{name} knows no {key!r}; it knows {', '.join(known)}." for key in row if key not in (*known, "by")
    ]
    values: dict[str, Any] = {}
    for key in known:
        if key in row:
            try:
                values[key] = _READERS[key](row[key])
            except ValueError as fault:
                faults.append(f"{name}: {key} = {row[key]!r} is not possible; it may be {fault}.")
    if not faults:
        needed = (key for key, field in known.items() if field.default is MISSING)
        faults += [f"{name} needs {key!r}." for key in needed if key not in values]
    return (None, tuple(faults)) if faults else (kind(**values), ())


def _reader(
    right: Callable[[Any], bool], words: str, made: Callable[[Any], Any] = lambda v: v
) -> Callable[[Any], Any]:
    """Reads a value that is right; ValueError with what it may be, of any other."""

    def read(value: Any) -> Any:
        if not right(value):
            raise ValueError(words)
        return made(value)

    return read


def _one_of(*words: str) -> Callable[[Any], Any]:
    return _reader(lambda value: value in words, " or ".join(map(repr, words)))


_number = _reader(lambda v: type(v) is int and 1 <= v <= SIDE, f"a whole number from 1 to {SIDE}")
_numbers = _reader(
    lambda v: isinstance(v, list),
    f"a list of whole numbers from 1 to {SIDE - 1}",
    lambda v: tuple(sorted(set(map(_number, v)))),
)
_step = _reader(
    lambda v: (
        isinstance(v, list) and [type(part) for part in v] == [int, int] and 0 < max(map(abs, v)) < SIDE
    ),
    f"a pair of whole numbers from {1 - SIDE} to {SIDE - 1}, not both 0, such as [1, 2]",
    tuple,
)
_steps = _reader(
    lambda v: isinstance(v, list) and bool(v),
    "a list of pairs such as [[1, 0], [1, 1]]",
    lambda v: tuple(map(_step, v)),
)
_legs = _reader(
    lambda v: isinstance(v, list) and 1 <= len(v) <= 3,
    "a list of one to three legs, each a list of pairs such as [[1, 2]]",
    lambda v: tuple(map(_steps, v)),
)
_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "vectors": _steps,
    "mode": _one_of("quiet", "capture", "both"),
    "dirs": _one_of("orth", "diag", "all8"),
    "least": _number,
    "most": _number,
    "to_end": _reader(lambda v: isinstance(v, bool), "true or false"),
    "bend_on": _one_of("", "border"),
    "screens": _number,
    "step_a": _step,
    "step_b": _step,
    "total": _number,
    "legs": _legs,
    "distances": _numbers,
    "blocked": _numbers,
}


# --- where they lead -------------------------------------------------------------------------------------------------

Path = tuple[int, ...]


class Move(NamedTuple):
    """One move of one piece. `via` are the squares between start and end that it passes or lands
    on; `granted` tells that a PrimeMover lent it."""

    start: int
    end: int
    via: Path = ()
    captures: Path = ()
    granted: bool = False


# By square of a path the move that ends there quietly and the one that takes there, None where there is none.
Along = tuple[tuple[int, Move | None, Move | None], ...]


class Ways(NamedTuple):
    """All a type can do from one square, with the moves that it may come to, each made once:
    `lines`, a leap one of a single square, with the pieces to pass on them; `retreats` are the
    neighbour taken, and the way straight away from it; `chains` the landings of a piece that leaps
    several times, one for every choice; the start counts as empty (920)."""

    lines: tuple[tuple[int, Along], ...]
    retreats: tuple[tuple[int, Path], ...]
    chains: tuple[tuple[Path, Move], ...]


def ways_from(moves: Iterable[Primitive], harmless: bool, square: int) -> Ways:
    """What the primitives come to from one square; `harmless`: they take nothing by coming there."""
    quiet: list[int] = []
    strikes: list[int] = []
    runs: list[_Run] = []
    overs: list[tuple[int, Along]] = []
    shots: list[Along] = []
    retreats: list[tuple[int, Path]] = []
    chains: list[Path] = []
    for move in moves:
        match move:
            case Leap(vectors, mode):
                ends = _landings(square, vectors)
                quiet += ends if mode != "capture" else ()
                strikes += ends if mode != "quiet" and not harmless else ()
            case Hop(dirs, screens, mode):
                lines = _rays(square, dirs)
                overs += [(screens, _along(square, p, 1, mode != "capture", mode != "quiet")) for p in lines]
            case Rifle(dirs, most):
                lines = _rays(square, dirs, most)
                shots += [tuple((s, None, Move(square, square, (), (s,))) for s in line) for line in lines]
            case Withdraw(dirs, most):
                for x, y in DIRECTIONS[dirs]:
                    victim, away = stepped(square, (-x, -y)), ray(square, (x, y), most)
                    retreats += [(victim, away)] if victim is not None and away else []
            case Legs(legs, least):
                paths: list[Path] = [()]
                for number, vectors in enumerate(legs, 1):
                    paths = [(*p, end) for p in paths for end in _landings(p[-1] if p else square, vectors)]
                    chains += paths if number >= least else ()
            case Slide() | Zigzag() | Bent():
                modes = move.mode != "capture", move.mode != "quiet" and not harmless
                runs += [(path, least, *modes) for path, least in _runs(square, move)]
    leaps: list[_Run] = [((end,), 1, True, False) for end in dict.fromkeys(quiet)]
    leaps += [((end,), 1, False, True) for end in dict.fromkeys(strikes)]
    plain = [(0, _along(square, *run)) for run in (*leaps, *_distinct(runs))]
    return Ways(
        (*plain, *overs, *((0, shot) for shot in shots)),
        tuple(retreats),
        tuple((tuple(s for s in p if s != square), Move(square, p[-1], p[:-1])) for p in chains),
    )


# A way over empty squares, from its how-manieth square on (1 is the first) the piece may end, quietly and taking.
_Run: TypeAlias = tuple[Path, int, bool, bool]


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


def _landings(square: int, vectors: tuple[Step, ...]) -> Path:
    steps = dict.fromkeys(step for vector in vectors for (step,) in images(vector))
    return tuple(end for step in steps if (end := stepped(square, step)) is not None)


def _rays(square: int, dirs: Directions, most: int = SIDE) -> list[Path]:
    return [path for step in DIRECTIONS[dirs] if (path := ray(square, step, most))]


def _runs(square: int, move: Slide | Zigzag | Bent) -> Iterator[tuple[Path, int]]:
    """The ways of a primitive over empty squares, with the least squares that it goes."""
    match move:
        case Slide(to_end=True):
            return  # the Neutron's: see `moves`
        case Slide(bend_on="border"):
            yield from ((path, move.least) for path in _bending(square, move))
        case Slide():
            yield from ((path, move.least) for path in _rays(square, move.dirs, move.most))
        case Zigzag():
            for steps in images(move.step_a, move.step_b):
                way: list[int] = []
                here = stepped(square, steps[0])
                while here is not None and len(way) < move.most:
                    way.append(here)
                    here = stepped(here, steps[len(way) % 2])
                yield tuple(way), 1
        case Bent(dirs, total):  # straight, or with one right angle after any number of squares
            for (x, y), before in product(DIRECTIONS[dirs], range(1, total + 1)):
                straight = ray(square, (x, y), before)
                for turn in ((-y, x), (y, -x)) if before < total else ((x, y),):
                    whole = len(straight) == before
                    path = straight + (ray(straight[-1], turn, total - before) if whole else ())
                    if len(path) == total:
                        yield path, total


def _bending(square: int, move: Slide) -> Iterator[Path]:
    """960: straight to the first square of another region, and from there either forward diagonal."""
    for step in DIRECTIONS[move.dirs]:
        straight = ray(square, step, move.most)
        regions = [QUADRANTS[square], *(QUADRANTS[s] for s in straight)]
        crossing = next((i for i in range(1, len(regions)) if regions[i] != regions[i - 1]), None)
        if crossing is None:
            yield straight
            continue
        straight = straight[:crossing]
        yield straight
        ahead = COMPASS.index(step)
        for turn in (COMPASS[(ahead + 1) % 8], COMPASS[ahead - 1]):
            yield straight + ray(straight[-1], turn, move.most - len(straight))


def _distinct(runs: Iterable[_Run]) -> list[_Run]:
    """The runs without empty ones; where two begin alike, the later one starts where they part."""
    found: list[_Run] = []
    for path, least, quiet, strike in runs:
        for other, first, *modes in found:
            if modes == [quiet, strike] and first <= least:
                shared = takewhile(lambda pair: pair[0] == pair[1], zip(path, other, strict=False))
                least = max(least, len([*shared]) + 1)
        if least <= len(path):
            found.append((path, least, quiet, strike))
    return found


class Hit(NamedTuple):
    """One way to take what stands on a target: the squares of which just so many must be occupied,
    or (None) all be fit to land on, and where the piece ends."""

    squares: Path
    screens: int | None
    end: int


def hits_from(ways_of: Callable[[int], Ways], square: int) -> dict[int, tuple[Hit, ...]]:
    """By target: every way to take what stands there."""
    found: defaultdict[int, list[Hit]] = defaultdict(list)
    ways = ways_of(square)
    for screens, line in ways.lines:
        path = tuple(end for end, _, _ in line)
        for index, (target, _, take) in enumerate(line):
            if take is not None and index >= screens:
                found[target].append(Hit(path[:index], screens, take.end))
    for victim, away in ways.retreats:
        found[victim] += [Hit(away[: n + 1], 0, end) for n, end in enumerate(away)]
    for _, walk in ways.chains:
        path = *walk.via, walk.end
        for target in path:
            others = tuple(other for other in path if other != target)
            found[target].append(Hit(others, None, path[-1]))
    return {target: tuple(dict.fromkeys(hits)) for target, hits in found.items() if target != square}
