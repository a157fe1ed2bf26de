"""What pieces are made of (part D): the primitives a catalogue may name, and how their rows are read.

A direction set is "orth", "diag" or "all8"; a vector stands for its eight images. `mode` says whether a
primitive gives moves to empty squares ("quiet"), captures on arrival ("capture") or both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final, Literal, TypeAlias

from referee.games.fourplay.board.squares import SIDE, Step

Mode: TypeAlias = Literal["quiet", "capture", "both"]
Directions: TypeAlias = Literal["orth", "diag", "all8"]


@dataclass(frozen=True, slots=True)
class Leap:
    """Straight to the square at one of the vectors, whatever stands between."""

    vectors: tuple[Step, ...]
    mode: Mode = "both"


@dataclass(frozen=True, slots=True)
class Slide:
    """`least` to `most` squares in one direction over empty squares. `to_end`: as far as possible (905).

    `bend_on` "border": the way ends on the first square beyond a border of quadrants, or turns there to
    either forward diagonal and runs on, straight, over empty squares (960).
    """

    dirs: Directions
    least: int = 1
    most: int = SIDE
    mode: Mode = "both"
    to_end: bool = False
    bend_on: Literal["", "border"] = ""


@dataclass(frozen=True, slots=True)
class Hop:
    """Along a line over exactly `screens` pieces of any owner, at any distances, to a square beyond them."""

    dirs: Directions
    screens: int = 1
    mode: Mode = "both"


@dataclass(frozen=True, slots=True)
class Zigzag:
    """Steps alternating between `step_a` and `step_b` (or both turned alike), up to `most`, over empty squares."""

    step_a: Step
    step_b: Step
    most: int = SIDE
    mode: Mode = "both"


@dataclass(frozen=True, slots=True)
class Bent:
    """Exactly `total` squares: some in one of the directions, the rest at a right angle, over empty squares."""

    dirs: Directions
    total: int
    mode: Mode = "both"


@dataclass(frozen=True, slots=True)
class Rifle:
    """Takes the first piece up to `most` squares away in one direction, and stays where it is."""

    dirs: Directions
    most: int


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Takes a neighbour by moving straight away from it, up to `most` squares over empty squares."""

    dirs: Directions
    most: int = SIDE


@dataclass(frozen=True, slots=True)
class Legs:
    """Leaps in a row, each from where the last one landed, each taking what it lands on; at least `least` of
    them. The start square counts as empty for the later legs."""

    legs: tuple[tuple[Step, ...], ...]
    least: int = 1


@dataclass(frozen=True, slots=True)
class Grant:
    """Friends next to this piece when their player's turn begins may instead go one of the `distances` in one
    direction; squares on the way at the `blocked` distances must be empty, others may be occupied (950)."""

    dirs: Directions = "all8"
    distances: tuple[int, ...] = (2, 3, 5, 7, 11, 13)
    blocked: tuple[int, ...] = (4, 6, 8, 9, 10, 12)


Primitive: TypeAlias = Leap | Slide | Hop | Zigzag | Bent | Rifle | Withdraw | Legs | Grant

PRIMITIVES: Final[Mapping[str, type[Primitive]]] = {
    "leap": Leap,
    "slide": Slide,
    "hop": Hop,
    "zigzag": Zigzag,
    "bent": Bent,
    "rifle": Rifle,
    "withdraw": Withdraw,
    "legs": Legs,
    "grant": Grant,
}


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
