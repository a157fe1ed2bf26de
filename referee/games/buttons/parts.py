"""What may be said now, part by part: buttons put down and moved, ways by their spaces, steps of the puzzle (5.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from referee.core.answers import FEW, Body, Part, pointed_at
from referee.core.duel import other
from referee.core.orders.talk import ACCEPT, OFFER
from referee.games.buttons import actions as do
from referee.games.buttons.board import COLOUR_NAME
from referee.games.buttons.mail import NOTATION, Orders, step_of, written
from referee.games.buttons.puzzle import SoloPlay
from referee.games.buttons.state import Cells, State, colour_of, side_of
from referee.games.buttons.turns import moves, placements

Slots = tuple[tuple[str, str], ...]

_GOALS = (
    Part("Goal: two", (("goal", "two"), ("goal", "2"))),
    Part("Goal: four", (("goal", "four"), ("goal", "4"))),
)
_STEPS = (
    (Part("Undo", (), "undo"), do.Step("undo")),
    (Part("Give up", (), "resign"), do.Step("give up")),
)


def possible(state: State, seat: int, said: Sequence[str], named: Collection[str]) -> Iterator[Part]:
    """In the game for two a turn and what may stand beside it, in the puzzle the next step and a goal."""
    sheet: Orders = NOTATION.sheet(Body.of("\n".join(said)).lines)
    if not state.cells or state.result or state.ended is not None:
        return iter(())
    return _puzzle(state, sheet, named) if state.rules.solo else _turn(state, seat, sheet, named)


def _turn(state: State, seat: int, sheet: Orders, named: Collection[str]) -> Iterator[Part]:
    if not sheet.of("move", "place", "accept"):
        moved = _moved(state, state.cells, moves(state, seat), named)
        yield from pointed_at((*_placed(state, seat), *moved), named)
        if state.offer == other(seat) and not sheet.of("offer"):
            yield ACCEPT
    if not sheet.of("offer", "accept"):
        yield OFFER


def _puzzle(state: State, sheet: Orders, named: Collection[str]) -> Iterator[Part]:
    """On the board that the steps before leave."""
    goals = sheet.of("goal")
    play = SoloPlay(state, goals[0].value if goals else "")
    for entry in sheet.of("move", "undo", "give up", "resign"):
        play.make(step_of(entry))
    yield from pointed_at(_moved(state, play.cells, play.moves(), named), named)
    yield from (part for part, step in _STEPS if not any(play.faults(step)))
    yield from () if state.goal or goals else _GOALS


def _placed(state: State, seat: int) -> Iterator[Part]:
    names = state.rules.ground.spaces
    for value, space in placements(state, seat):
        slots = (*_button(state, f"{colour_of(seat)}{value}"), ("to", names[space]))
        yield Part(written(do.PlaceButton(value, names[space])), slots)


def _moved(
    state: State, cells: Cells, ways: Iterable[tuple[int, int]], named: Collection[str]
) -> Iterator[Part]:
    """Moves by their ends, and by every way whose spaces a mail names."""
    ground = state.rules.ground
    passed = frozenset(ground.index[name] for name in named if name in ground.index)
    for start, end in ways:
        button = _button(state, cells[start])
        for path in ((start, end), *(_ways(state, cells[start], start, end, passed))):
            first, *between, last = ground.names(path)
            by = ((f"by {number}", space) for number, space in enumerate(between, 1))
            yield Part(
                written(do.MoveButton((first, *between, last))),
                (*button, ("from", first), *by, ("to", last)),
            )


def _button(state: State, sign: str) -> Slots:
    """A button by its colour and its number; by its sign where no space is called so ("B3")."""
    signs = () if sign.lower() in state.rules.ground.index else (("number", sign.lower()),)
    return (("colour", COLOUR_NAME[sign[0]]), ("number", sign[1:]), *signs)


def _ways(
    state: State, sign: str, start: int, end: int, passed: Collection[int]
) -> Iterator[tuple[int, ...]]:
    """Every way over spaces that are named, where those are few and more than its ends."""
    ways, bridges = state.rules.ground.ways[side_of(sign)], int(sign[1:])

    def walk(path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(path) > bridges:
            yield from [path] if path[-1] == end else []
            return
        for there in ways[path[-1]]:
            if there in passed and there not in path:
                yield from walk((*path, there))

    if 2 <= bridges < len(passed) <= FEW and start in passed and end in passed:
        yield from walk((start,))
