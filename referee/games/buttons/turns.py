"""The two-player turn: what is legal, and what follows from it (5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.games.buttons import actions as do
from referee.games.buttons import events as ev
from referee.games.buttons.bridges import route
from referee.games.buttons.evolve import evolved
from referee.games.buttons.state import State, colour_of, other


class Tale:
    """Events in their order, and the state after the last of them."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Any] = []

    def tell(self, *events: Any) -> None:
        for event in events:
            self.events.append(event)
            self.state = evolved(self.state, event)


def placements(state: State, seat: int) -> Iterator[tuple[int, int]]:
    """Value and space of every legal placement: next to an opponent's button, anywhere on an empty board."""
    values = tuple(dict.fromkeys(state.supply(seat)))
    for space in open_spaces(state, seat) if values else ():
        for value in values:
            yield value, space


def open_spaces(state: State, seat: int) -> tuple[int, ...]:
    """Where the seat may place a button."""
    cells, ground = state.cells, state.rules.ground
    near = ground.beside if state.rules.place_adjacency == "grid" else ground.joined  # O3
    against = colour_of(other(seat))
    bare = not any(cells)
    return tuple(
        s
        for s, cell in enumerate(cells)
        if not cell and (bare or any(cells[t][:1] == against for t in near[s]))
    )


def moves(state: State, seat: int) -> Iterator[tuple[int, int]]:
    """From and to of every legal move: own button, exactly its value in bridges, no reversal."""
    own = colour_of(seat)
    for space, cell in enumerate(state.cells):
        if cell[:1] == own:
            for target in state.rules.reach(cell, space):
                if not reverses(state, space, target):
                    yield space, target


def reverses(state: State, first: int, second: int) -> bool:
    """Whether the move would exchange exactly the two buttons that the last turn exchanged (5.3, O6, O7)."""
    return state.swapped is not None and {first, second} == set(state.swapped)


def stuck(state: State, seat: int) -> bool:
    return next(moves(state, seat), None) is None and next(placements(state, seat), None) is None


def full_lines(state: State, seat: int) -> tuple[tuple[int, ...], ...]:
    """The lines that four of the seat's buttons fill."""
    own = colour_of(seat)
    return tuple(line for line in state.rules.ground.lines if all(state.cells[s][:1] == own for s in line))


def resolve_turn(state: State, seat: int, action: Any) -> tuple[Any, ...]:
    """A turn that `check` passed, and all that follows."""
    tale = Tale(state)
    names = state.rules.ground.spaces
    match action:
        case do.PlaceButton(value, space):
            tale.tell(ev.ButtonPlaced(seat, f"{colour_of(seat)}{value}", space))
        case do.MoveButton(path):
            index = state.rules.ground.index
            tale.tell(moved(state, seat, tuple(index[space] for space in path)))
        case do.AcceptDraw():
            tale.tell(ev.DrawAgreed(seat))
        case _:
            raise TypeError(f"{action!r} is no turn")
    _relay(tale, seat, action.comment)
    if isinstance(action, do.AcceptDraw):
        tale.tell(ev.MatchDecided((), "Both players agreed to a draw."))
        return tuple(tale.events)
    judge_lines(tale, seat, names)
    if tale.state.ended is None and action.offer:
        tale.tell(ev.DrawOffered(seat))
    go_on(tale)
    return tuple(tale.events)


def moved(state: State, seat: int, path: tuple[int, ...], private: bool = False) -> ev.ButtonMoved:
    """The move, with a way for the record where the player named none."""
    ground, button = state.rules.ground, state.cells[path[0]]
    given = len(path) > 2
    colour: Any = button[0]
    way = path if given else route(state.rules.board, colour, int(button[1:]), path[0], path[-1])
    return ev.ButtonMoved(seat, button, state.cells[path[-1]], ground.names(way), given, private)


def judge_lines(tale: Tale, seat: int, names: tuple[str, ...]) -> None:
    """Four in a line wins, whoever moved; where both have one, the player who has just moved wins (5.3, O9)."""
    made = {player: full_lines(tale.state, player) for player in (seat, other(seat))}
    for player, lines in made.items():
        tale.tell(*(ev.LineMade(player, tuple(names[s] for s in line)) for line in lines))
    if made[seat] and made[other(seat)]:
        tale.tell(ev.MatchDecided((seat,), "Both have four in a line, and the winner has just played."))
    elif made[seat]:
        tale.tell(ev.MatchDecided((seat,), "Four in a line."))
    elif made[other(seat)]:
        tale.tell(ev.MatchDecided((other(seat),), "Four in a line, completed by the opponent."))


def go_on(tale: Tale) -> None:
    """Repetition, then forced passes; two in a row are a draw (5.3)."""
    while tale.state.ended is None:
        state = tale.state
        times = state.seen.count(state.seen[-1]) if state.seen else 0
        if state.rules.repetition and times >= state.rules.repetition:
            tale.tell(ev.MatchDecided((), f"The same position has stood on the board {times} times: a draw."))
        elif stuck(state, state.mover):
            tale.tell(ev.PassForced(state.mover))
            if state.passed:
                tale.tell(ev.MatchDecided((), "Neither player can place or move a button: a draw."))
        else:
            return


def resolve_lapse(state: State, seat: int) -> tuple[Any, ...]:
    """The default action at the deadline: the match is lost."""
    return ev.TurnLapsed(seat), ev.MatchDecided((other(seat),), "The opponent ran out of time.")


def resolve_resignation(seat: int, comment: str) -> tuple[Any, ...]:
    said = (ev.Commented(seat, comment),) if comment else ()
    return ev.PlayerResigned(seat), *said, ev.MatchDecided((other(seat),), "The opponent resigned.")


def _relay(tale: Tale, seat: int, comment: str) -> None:
    if comment:
        tale.tell(ev.Commented(seat, comment))
