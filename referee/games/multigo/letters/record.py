"""The game record, one line per action (2.7): `12. R Q16 x2W1U [R2 B1]`, `12. B D4 | W D4 | U - ; coll D4`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from referee.games.multigo import events as ev
from referee.games.multigo.actions import Count
from referee.games.multigo.board.points import SYMBOL
from referee.games.multigo.folding import fold
from referee.games.multigo.state import State


@dataclass(slots=True)
class Frame:
    """One line of the record and the position after it. `seat` is 0 where nobody moved alone."""

    text: str
    board: str
    seat: int = 0
    point: str = ""
    credits: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)  # comments, "White: well played"

    @property
    def line(self) -> str:
        return f"{self.text} [{' '.join(self.credits)}]" if self.credits else self.text


def frames(events: Iterable[ev.Event]) -> tuple[State, tuple[Frame, ...]]:
    """The last state, and every line with its position. A choice made later is credited to its capture's line."""
    state, found = State(), list[Frame]()
    shared: dict[int, Frame] = {}
    for event in events:
        state = fold(state, event)
        if text := noted(event):
            seat = event.seat if isinstance(event, ev.StonePlaced | ev.Passed) else 0
            point = event.point if isinstance(event, ev.StonePlaced) else ""
            found.append(Frame(text, state.board, seat, point))
        if found:
            _note(event, found[-1], shared)
    return state, tuple(found)


def _note(event: ev.Event, frame: Frame, shared: dict[int, Frame]) -> None:
    """Credits and comments that belong to a line."""
    match event:
        case ev.CaptureShared():
            shared[event.number] = frame
        case ev.PrisonersTaken():
            own = shared.get(event.number, frame)
            if event.stones:
                own.credits.append(f"{SYMBOL[event.seat]}{sum(count.stones for count in event.stones)}")
        case ev.Commented() | ev.PressRelayed():
            frame.words.append(f"{SYMBOL[event.seat]}: {event.text}")
        case ev.RoundPlayed():
            frame.words += [f"{SYMBOL[o.seat]}: {o.comment}" for o in event.orders if o.comment]
        case ev.AlliesDeclared():
            frame.words += [f"{SYMBOL[d.seat]}: {d.comment}" for d in event.declarations if d.comment]
    if isinstance(event, ev.StonePlaced | ev.Passed | ev.Resigned | ev.DeadListed) and event.comment:
        frame.words.append(f"{SYMBOL[event.seat]}: {event.comment}")


def noted(event: ev.Event) -> str:
    """The line of the record that an event begins, or nothing (2.7)."""
    match event:
        case ev.StonePlaced():
            return f"{event.round}. {SYMBOL[event.seat]} {event.point}{_captured(event.removed)}"
        case ev.Passed():
            return f"{event.round}. {SYMBOL[event.seat]} -"
        case ev.RoundPlayed():
            return _round(event)
        case ev.Resigned():
            return f"{SYMBOL[event.seat]} resigns"
        case ev.DeadListed():
            return f"{SYMBOL[event.seat]} dead: {' '.join(event.points) or 'none'}"
        case ev.DeadAgreed():
            return f"dead agreed{_captured(event.removed)}"
        case ev.Scored():
            return (
                f"count: {' '.join(f'{SYMBOL[t.seat]} {t.score}' for t in event.tallies)}; of {event.total}"
            )
        case ev.AlliesDeclared():
            return f"allies {event.round}: {' | '.join(_declared(d) for d in event.declarations)}"
        case ev.GameWon():
            won = "; ".join("+".join(SYMBOL[seat] for seat in bloc) for bloc in event.blocs)
            return f"won by {won}"
        case _:
            return ""


def _round(event: ev.RoundPlayed) -> str:
    orders = " | ".join(f"{SYMBOL[o.seat]} {' '.join(o.points) or '-'}" for o in event.orders)
    marks = [f"coll {collision.point}" for collision in event.collisions]
    marks += ["void"] if event.void else [taken.strip()] if (taken := _captured(event.removed)) else []
    return " ; ".join([f"{event.round}. {orders}", *marks])


def _declared(declaration: ev.Declaration) -> str:
    partners = "".join(SYMBOL[seat] for seat in declaration.partners)
    return f"{SYMBOL[declaration.seat]} {partners or '-'}"


def _captured(chains: Sequence[ev.Chain]) -> str:
    """ " x2W1U": how many of each colour were removed, in the order of seats."""
    numbers: dict[int, int] = {}
    for chain in chains:
        numbers[chain.colour] = numbers.get(chain.colour, 0) + len(chain.points)
    counts = [Count(colour, numbers[colour]) for colour in sorted(numbers)]
    return f" x{''.join(f'{c.stones}{SYMBOL[c.colour]}' for c in counts)}" if counts else ""
