"""The record of a match: its lines (2.7), and SGF (FF[4])."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.games.multigo import state as ev
from referee.games.multigo.board import EMPTY, NAME, SYMBOL, SYMBOLS, Points
from referee.games.multigo.state import State, counts, fold, stones_in


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
            orders = " | ".join(f"{SYMBOL[o.seat]} {' '.join(o.points) or '-'}" for o in event.orders)
            marks = [f"coll {collision.point}" for collision in event.collisions]
            marks += ["void"] if event.void else [*filter(None, [_captured(event.removed).strip()])]
            return " ; ".join([f"{event.round}. {orders}", *marks])
        case ev.Resigned():
            return f"{SYMBOL[event.seat]} resigns"
        case ev.DeadListed():
            return f"{SYMBOL[event.seat]} dead: {' '.join(event.points) or 'none'}"
        case ev.DeadAgreed():
            return f"dead agreed{_captured(event.removed)}"
        case ev.Scored():
            scores = " ".join(f"{SYMBOL[tally.seat]} {tally.score}" for tally in event.tallies)
            return f"count: {scores}; of {event.total}"
        case ev.AlliesDeclared():
            said = (
                f"{SYMBOL[d.seat]} {''.join(SYMBOL[seat] for seat in d.partners) or '-'}"
                for d in event.declarations
            )
            return f"allies {event.round}: {' | '.join(said)}"
        case ev.GameWon():
            won = "; ".join("+".join(SYMBOL[seat] for seat in bloc) for bloc in event.blocs)
            return f"won by {won}"
        case _:
            return ""


def _captured(chains: Sequence[ev.Chain]) -> str:
    """ " x2W1U": how many of each colour were removed, in the order of seats."""
    taken = "".join(f"{c.stones}{SYMBOL[c.colour]}" for c in counts(stones_in(chains, len(SYMBOLS))))
    return f" x{taken}" if taken else ""


def to_sgf(events: Iterable[ev.Event], names: Mapping[int, str] | None = None) -> str:
    """The whole match as one game tree, positions from the first to the last."""
    told = list(events)
    if not told:  # seats are still vacant
        return "(;FF[4]GM[1]CA[UTF-8]AP[referee])\n"
    state, shown = frames(told)
    first = frames(told[:1])[0].board
    plain = state.law.players == 2 and not state.law.parallel
    nodes = [_root(state, first, names or {}, plain)]
    board = first
    for frame in shown:
        if plain and frame.seat:
            where = _at(state.points, frame.point) if frame.point else ""
            nodes.append(f";{SYMBOL[frame.seat]}[{where}]{_comment(frame.words)}")
        else:  # what changed on the board, every label, and the record's line
            stones = _stones(state.points, board, frame.board)
            words = _comment([frame.line, *frame.words])
            nodes.append(f";{stones}{_labels(state.points, frame.board)}{words}")
        board = frame.board
    return f"({''.join(nodes)})\n"


def _root(state: State, board: str, names: Mapping[int, str], plain: bool) -> str:
    size = str(state.width) if state.width == state.height else f"{state.width}:{state.height}"
    node = f";FF[4]GM[1]CA[UTF-8]AP[referee]SZ[{size}]"
    called = [names.get(seat, f"Player {seat}") for seat in range(1, state.law.players + 1)]
    if plain:
        node += f"PB[{_escaped(called[0])}]PW[{_escaped(called[1])}]{_result(state)}"
        return node + _stones(state.points, EMPTY * len(board), board)
    roster = "\n".join(f"{SYMBOL[seat]} {NAME[seat]}: {name}" for seat, name in enumerate(called, 1))
    node += f"GN[Go for {state.law.players} players]C[{_escaped(roster)}]"
    return node + _stones(state.points, EMPTY * len(board), board) + _labels(state.points, board)


def _result(state: State) -> str:
    won: ev.GameWon | None = state.won
    if won is None:
        return ""
    seats = [seat for bloc in won.blocs for seat in bloc]
    if len(seats) != 1:
        return "RE[0]"
    if won.why == "last" or state.scored is None:
        return f"RE[{SYMBOL[seats[0]]}+R]"
    scores = [tally.score for tally in state.scored.tallies]
    return f"RE[{SYMBOL[seats[0]]}+{abs(scores[0] - scores[1])}]"


def _stones(points: Points, before: str, after: str) -> str:
    """AB, AW and AE for what differs between two boards."""
    changed: dict[str, list[str]] = {"AB": [], "AW": [], "AE": []}
    for point, (was, now) in enumerate(zip(before, after, strict=True)):
        if was != now:
            prop = "AE" if now == EMPTY else "AB" if SYMBOLS.index(now) % 2 == 0 else "AW"
            changed[prop].append(f"[{_at(points, points.names[point])}]")
    return "".join(prop + "".join(values) for prop, values in changed.items() if values)


def _labels(points: Points, board: str) -> str:
    """LB for every stone whose colour SGF does not have."""
    labels = [
        f"[{_at(points, points.names[point])}:{symbol}]"
        for point, symbol in enumerate(board)
        if symbol not in (EMPTY, "B", "W")
    ]
    return f"LB{''.join(labels)}" if labels else ""


def _comment(words: Iterable[str]) -> str:
    text = "\n".join(words)
    return f"C[{_escaped(text)}]" if text else ""


def _at(points: Points, name: str) -> str:
    """SGF counts columns and rows from the top left, both in letters."""
    row, column = divmod(points.index[name], points.width)
    return chr(ord("a") + column) + chr(ord("a") + row)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
