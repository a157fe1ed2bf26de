"""A turn: what may be played, what is wrong with one that may not, and what follows from one that may (M2 to M7)."""

from collections.abc import Iterator
from dataclasses import replace

from referee.core.duel import commented, other
from referee.core.orders import talk
from referee.core.value import Complaint, FreeText, Recorder, Value, fault
from referee.games.morris import state as ev


class Play(Value):
    """A man placed (`start` is "") or moved, and the man that the mill takes ("": none is named)."""

    start: str
    end: str
    taken: str = ""
    offer: bool = False
    comment: FreeText = ""


Turn = Play | talk.AcceptDraw
Record = Recorder[ev.State, ev.Event]


# --- what may be played ----------------------------------------------------------------------------------------------


def ends(state: ev.State, seat: int, start: str) -> tuple[str, ...]:
    """Where a man may go to from a point, or be placed ("")."""
    anywhere = not start or state.flies(seat)
    return tuple(point for point in (ev.POINTS if anywhere else ev.BESIDE[start]) if not state.at(point))


def starts(state: ev.State, seat: int) -> tuple[str, ...]:
    """Where a turn may begin: in the hand ("") while a man is left there (M2), then where a man can move (M3)."""
    return ("",) if state.hand(seat) else tuple(man for man in state.men(seat) if ends(state, seat, man))


def closes(state: ev.State, seat: int, start: str, end: str) -> bool:
    """Whether the man closes a mill: three in line (M5)."""
    cells = state.with_men([*([(start, 0)] if start else []), (end, seat)])
    return replace(state, cells=cells).in_mill(end)


def takeable(state: ev.State, seat: int) -> tuple[str, ...]:
    """The opponent's men that a mill may take: none that stands in a mill, unless all do (M5)."""
    men = state.men(other(seat))
    return tuple(man for man in men if not state.in_mill(man)) or men


def plays(state: ev.State, seat: int) -> Iterator[Play]:
    """Every turn that may be played, with each man that its mill may take."""
    men = takeable(state, seat)
    for start in starts(state, seat):
        for end in ends(state, seat, start):
            for taken in men if closes(state, seat, start, end) else ("",):
                yield Play(start, end, taken)


# --- what is wrong with a turn ---------------------------------------------------------------------------------------


def faults(state: ev.State, seat: int, turn: Turn) -> Iterator[Complaint]:
    """Every complaint; all are about the part `turn`."""
    if isinstance(turn, talk.AcceptDraw):
        if state.offer != other(seat):
            yield fault("no_offer", "M7", "turn")
        return
    named = dict.fromkeys(filter(None, (turn.start, turn.end, turn.taken)))
    strange = [point for point in named if point not in ev.INDEX]
    for point in strange:
        yield fault("no_such_point", "M1", "turn", point=point)
    if strange:
        return
    wrong = tuple(_move_faults(state, seat, turn))
    yield from wrong
    mill, possible = not wrong and closes(state, seat, turn.start, turn.end), takeable(state, seat)
    facts = {"taken": turn.taken, "possible": possible}
    if wrong:
        return
    if mill and not turn.taken:
        yield fault("take_missing", "M5", "turn", **facts)
    elif turn.taken and not mill:
        yield fault("no_mill", "M5", "turn", **facts)
    elif turn.taken and state.at(turn.taken) != other(seat):
        yield fault("nothing_to_take", "M5", "turn", **facts)
    elif turn.taken and turn.taken not in possible:
        yield fault("in_a_mill", "M5", "turn", **facts)


def _move_faults(state: ev.State, seat: int, turn: Play) -> Iterator[Complaint]:
    facts = {"start": turn.start, "end": turn.end, "own": ev.COLOURS[seat], "hand": state.hand(seat)}
    if turn.start and state.hand(seat):
        yield fault("place_first", "M2", "turn", **facts)
    elif not turn.start and not state.hand(seat):
        yield fault("all_placed", "M3", "turn", **facts)
    elif turn.start and state.at(turn.start) != seat:
        whose = ev.COLOURS.get(state.at(turn.start), "")
        yield fault("not_your_man", "M3", "turn", **facts, whose=whose)
    elif turn.start and turn.end not in ev.BESIDE[turn.start] and not state.flies(seat):
        yield fault("too_far", "M3", "turn", **facts, possible=ends(state, seat, turn.start))
    if state.at(turn.end):
        yield fault("occupied", "M2" if not turn.start else "M3", "turn", **facts)


# --- what follows ----------------------------------------------------------------------------------------------------


def follow(record: Record, seat: int, action: Turn) -> None:
    """A turn that has no fault, and how it may end the match."""
    if isinstance(action, talk.AcceptDraw):
        record.tell(*commented(seat, action.comment), ev.MatchDecided((), "Both players agreed to a draw."))
        return
    record.tell(ev.ManPlayed(seat, action.start, action.end))
    if action.taken:
        record.tell(ev.ManTaken(seat, action.taken))
    offered = [ev.DrawOffered(seat)] if action.offer else []
    record.tell(*commented(seat, action.comment), *offered, ev.TurnEnded(seat))
    state, loser, rules = record.state, other(seat), record.state.rules  # whether it is the end (M6, M7)
    if len(state.men(loser)) + state.hand(loser) < 3:
        record.tell(ev.MatchDecided((seat,), f"{ev.COLOURS[loser].capitalize()} has only two men left."))
    elif not starts(state, loser):
        record.tell(ev.MatchDecided((seat,), f"{ev.COLOURS[loser].capitalize()} can't move a man."))
    elif rules.repetition and state.seen.count(state.key) >= rules.repetition:
        stood = f"The same position has stood on the board {rules.repetition} times: a draw."
        record.tell(ev.MatchDecided((), stood))
    elif rules.quiet and state.quiet >= rules.quiet:
        record.tell(ev.MatchDecided((), f"No man was placed or taken in {rules.quiet} turns: a draw."))
