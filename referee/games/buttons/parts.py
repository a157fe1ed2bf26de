"""What may be said now, part by part: buttons put down and moved, ways by their spaces, steps of the puzzle (5.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from referee.core.answers import FEW, Body, Part, pointed_at
from referee.core.duel import other
from referee.core.orders.talk import ACCEPT, OFFER
from referee.games.buttons import actions as do
from referee.games.buttons.board import COLOUR_NAME, SIDES, Colour
from referee.games.buttons.duel import moves, placements
from referee.games.buttons.notation import NOTATION, Orders, step_of, written
from referee.games.buttons.puzzle import SoloPlay
from referee.games.buttons.state import Cells, State, colour_of, side_of

Slots = tuple[tuple[str, str], ...]

_GOALS = (
    Part("Goal: two", (("goal", "two"), ("goal", "2"))),
    Part("Goal: four", (("goal", "four"), ("goal", "4"))),
)
_STEPS = ((Part("Undo", (), "undo"), do.Step("undo")), (Part("Give up", (), "resign"), do.Step("give up")))


def possible(state: State, seat: int, said: Sequence[str], named: Collection[str]) -> Iterator[Part]:
    """In the game for two a turn and what may stand beside it, in the puzzle the next step and a goal."""
    sheet: Orders = NOTATION.sheet(Body.of("\n".join(said)).lines)
    if not state.cells or state.result or state.ended is not None:
        return iter(())
    return _puzzle(state, sheet, named) if state.rules.solo else _turn(state, seat, sheet, named)


def _turn(state: State, seat: int, sheet: Orders, named: Collection[str]) -> Iterator[Part]:
    if not sheet.of("move", "place", "accept"):
        moved = _moved(state, state.cells, moves(state, seat), named)
        legal = [*pointed_at((*_placed(state, colour_of(seat), placements(state, seat)), *moved), named)]
        yield from legal
        yield from _unlawful(state, state.cells, legal, named, seat)
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
    legal = [*pointed_at(_moved(state, play.cells, play.moves(), named), named)]
    yield from legal
    yield from _unlawful(state, play.cells, legal, named) if legal else ()
    yield from (part for part, step in _STEPS if not any(play.faults(step)))
    yield from () if state.goal or goals else _GOALS


def _placed(state: State, side: Colour, ways: Iterable[tuple[int, int]], said: str = "") -> Iterator[Part]:
    """Numbers and the spaces they are put on; `said` is the colour that the line names."""
    names = state.rules.ground.spaces
    for value, space in ways:
        slots = (*_button(state, f"{side}{value}"), ("to", names[space]))
        yield Part(written(do.PlaceButton(value, names[space], said)), slots)


def _unlawful(
    state: State, cells: Cells, legal: Sequence[Part], named: Collection[str], seat: int = 0
) -> Iterator[Part]:
    """What a mail names whole and the rules forbid, so that its fault is told and no other turn is guessed: a move from
    one space to another, a number and a space, with the other's colour too."""
    index = state.rules.ground.index
    spaces = [space for space in index if space in named][:FEW]
    values = sorted({value for row in state.rules.values for value in row if str(value) in named})
    told = [{value for _, value in part.slots} for part in legal]

    def lacking(*said: str) -> bool:
        return not any(values.issuperset(said) for values in told)

    yield from _moved(
        state, cells, ((index[s], index[t]) for s in spaces for t in spaces if s != t and lacking(s, t))
    )
    for side in SIDES if seat else ():
        own, word = side == colour_of(seat), COLOUR_NAME[side]
        if own or word in named:
            said = () if own else (word,)
            put = ((v, index[s]) for v in values for s in spaces if lacking(str(v), s, *said))
            yield from _placed(state, side, put, "" if own else side)


def _moved(
    state: State, cells: Cells, ways: Iterable[tuple[int, int]], named: Collection[str] = ()
) -> Iterator[Part]:
    """Moves by their ends, and by every way whose spaces a mail names."""
    ground = state.rules.ground
    passed = frozenset(ground.index[name] for name in named if name in ground.index)
    for start, end in ways:
        button = _button(state, cells[start])
        for path in ((start, end), *(_ways(state, cells[start], start, end, passed))):
            first, *between, last = ground.names(path)
            by = ((f"by {number}", space) for number, space in enumerate(between, 1))
            swapped = () if state.rules.solo or not cells[end] else _button(state, cells[end])[:2]
            there = (
                ("there", value) for role, value in swapped if value in named and (role, value) not in button
            )
            yield Part(
                written(do.MoveButton((first, *between, last))),
                (*button, ("from", first), *by, *there, ("to", last)),
            )


def _button(state: State, sign: str) -> Slots:
    """A button by its colour and its number; by its sign where no space is called so ("B3"). Nothing names none."""
    if not sign:
        return (("colour", ""), ("number", ""))
    signs = () if sign.lower() in state.rules.ground.index else (("number", sign.lower()),)
    return (("colour", COLOUR_NAME[sign[0]]), ("number", sign[1:]), *signs)


def _ways(
    state: State, sign: str, start: int, end: int, passed: Collection[int]
) -> Iterator[tuple[int, ...]]:
    """Every way over spaces that are named, where those are few and more than its ends."""
    if not passed:
        return
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
