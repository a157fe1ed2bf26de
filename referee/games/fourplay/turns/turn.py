"""The Turn (606-610), or its lapse (612): how it is asked for, and what it brings about; a faulty
turn mended as far as may be, each line with all that it states (611, part 4)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from referee.core.answers import Form, Named, Part, Party, Reading, Said
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line, fault
from referee.core.diagram import Mark
from referee.core.orders.keyed import bare, comment_lines, left_out
from referee.core.owing import Demand
from referee.games.fourplay import state as ev
from referee.games.fourplay.board.catalogue import catalogue_of
from referee.games.fourplay.board.moves import Position, neutron_runs
from referee.games.fourplay.board.primitives import NAMES, NUMBERS
from referee.games.fourplay.cycles import next_turn, resigned
from referee.games.fourplay.forms.declarations import Leave, leave_text, parse_leave
from referee.games.fourplay.forms.fields import RESIGNATIONS, SLOT, Sent, tidied
from referee.games.fourplay.state import CENTRE, NEUTRON, LastTurn, Lot, Record, State
from referee.games.fourplay.turns import reading
from referee.games.fourplay.turns.choosing import PATIENCE, leader, possible, suggested_turn
from referee.games.fourplay.turns.judging import Judged, Judgement, judge
from referee.games.fourplay.turns.reading import Bought, Entry, Passed, Step, Turn, Unread, part_of
from referee.games.fourplay.turns.statements import Claim


class TurnAnswer(Sent[Turn | Leave]):
    """A whole submission; a resignation may stand in its place."""

    kind = "Turn"
    clause = "607"

    def parse(self, state: State, seat: int, lines: Sequence[Line], party: Party) -> Reading[Turn | Leave]:
        catalogue = catalogue_of(state.rules.pieces)
        others = [line for line in lines if bare(line.text) not in RESIGNATIONS]
        if len(others) < len(lines) and reading.parse_turn(others, catalogue).action is None:
            return parse_leave(state, lines, party)
        lenient = state.rules.statements == "lenient"
        return reading.parse_turn(lines, catalogue, lenient)

    def possible(self, state: State, demand: Demand, said: Said, named: Named) -> Iterator[Part]:
        return possible(state, demand.seat, said, named)

    def check(self, state: State, demand: Demand, action: Turn | Leave) -> Iterable[Complaint]:
        if isinstance(action, Leave):
            return ()
        true = {"player": demand.seat, "round": state.round, "cycle": state.cycle}
        false = (  # where the submission states them (610.a)
            fault("turn_header_false", "610.a", key, key=key.title(), stated=said, really=really)
            for key, really in true.items()
            if (said := getattr(action, key)) not in (None, really)
        )
        return (*false, *judge(state, demand.seat, action).complaints)

    def write(self, state: State, demand: Demand, action: Turn | Leave) -> str:
        return leave_text(action) if isinstance(action, Leave) else reading.render_turn(action)

    def head(self, state: State, party: Party, action: Turn | Leave | None) -> list[str]:
        if isinstance(action, Leave):
            return []
        name = [f"Name: {party.name}"] if party.name else []
        return [*name, f"Player: {party.number}", f"Round: {state.round}", f"Cycle: {state.cycle}"]

    def blank(self, state: State, seat: int) -> list[str]:
        return [*map(reading.render_entry, (*neutron_slot(state), Passed())), f"Purchase: {SLOT}"]

    def filled_in(self, state: State, demand: Demand, action: Turn | Leave) -> str:
        if isinstance(action, Leave):
            return leave_text(action)
        return "\n".join([*reading.form_entries(action.entries), *comment_lines(action.comment)])

    def mended(self, state: State, demand: Demand, draft: Reading[Turn | Leave]) -> Form:
        said = draft.action
        if said is None:
            passes = ("I found no move of yours; as the form stands, you pass.",) if draft.orders else ()
            return Form("\n".join(self.blank(state, demand.seat)), passes)
        if isinstance(said, Leave):
            return Form(leave_text(said), left_out(c.line for c in draft.complaints))
        mending = _Mending(state, demand.seat, draft.lines)
        lines = [*reading.form_entries(mending.entries(said)), *comment_lines(said.comment)]
        return Form("\n".join(lines), tuple(dict.fromkeys(mending.chosen)))

    def act(self, record: Record, seat: int, action: Turn | Leave) -> None:
        state = record.state
        if isinstance(action, Leave):
            record.tell(*resigned(state, seat, action.comment))
            return
        judgement = judge(state, seat, action)
        lines = [*map(reading.render_entry, judgement.stated)]
        told = f"The last turn, of Player {seat}: {'; '.join(lines)}."
        last = LastTurn(seat, tuple(_marks(judgement)), (told,))
        record.tell(ev.TurnTaken(seat, state.cycle, state.round, "\n".join(lines), last, action.comment))
        record.tell(*(event for judged in judgement.judged for event in judged.did))
        record.tell(*next_turn(record.state))

    def lapse(self, record: Record, demand: Demand) -> None:
        state = record.state
        record.tell(ev.TurnPassed(demand.seat, state.cycle, state.round, "time"))
        record.tell(*next_turn(record.state))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Turn | Leave:
        """After many rounds all but the leader give up, so that every match ends."""
        if state.round > PATIENCE and demand.seat != leader(state):
            return Leave()
        return suggested_turn(state, demand.seat, chance)


def _marks(judgement: Judgement) -> Iterator[Mark]:
    """Where the turn's pieces began and ended, and what was taken."""
    for judged in judgement.judged:
        if not isinstance(step := judged.stated, Step):
            continue
        if not step.placing:
            yield Mark(step.squares[0], "from")
        destroyed = (judged.effect.destroyed,) if judged.effect.destroyed else ()
        for taken in (*judged.effect.captures, *destroyed):
            yield Mark(taken.square, "captured")
        yield Mark(CENTRE if judged.effect.gem is not None else step.squares[-1], "to")


_MENDINGS: Final = 4  # a mended turn is judged again: one line's mending may change what others bring about
_RETURNED: Final = ", Mascot returned"


class _Mending:
    """A turn with true statements, every line of it kept but those that can't stand in any turn now; `lines` are those
    of the draft's parts. `chosen` is what the writer did not say so; `guessed` are lines without
    a piece, read as those of the piece that stands there: their faults were not named, so their squares stay."""

    def __init__(self, state: State, seat: int, lines: Mapping[str, Line]) -> None:
        self.state, self.seat, self.lines = state, seat, lines
        self.chosen: list[str] = []
        self.guessed: set[Step] = set()

    def entries(self, draft: Turn) -> tuple[Entry, ...]:
        entries = draft.entries
        bought = [entry for entry in entries if isinstance(entry, Bought)]
        if len(bought) > 1 and all(each.whole for each in bought):  # as one, whose sum is still to be said
            counts = Counter[str]()
            for lot in (lot for each in bought for lot in each.lots):
                counts[lot.piece] += lot.count
            rest = [entry for entry in entries if not isinstance(entry, Bought)]
            entries = (*rest, Bought(tuple(Lot(piece, count) for piece, count in counts.items())))
        entries = tuple(self._named(entry, part_of(place)) for place, entry in enumerate(entries))
        for _ in range(_MENDINGS):
            before, entries = entries, self._mended(replace(draft, entries=entries))
            if entries == before:
                break
        return entries

    def _named(self, entry: Entry, part: str) -> Entry:
        """A line that does not name its piece, or wrongly, with the one that stands on its first
        square; a line that lacks squares, with a place for them."""
        match entry:
            case Unread(piece=piece) if piece:
                return self._with_slot(entry)
            case Unread(text=text):
                return self._guessed(reading.squares_alone(text)) or entry
            case Bought(whole=False) if part in self.lines:
                return Unread(tidied(self.lines[part].text))
            case Step(squares=squares) if all(square in NUMBERS for square in squares):
                return self._renamed(entry)
        return entry

    def _with_slot(self, entry: Unread) -> Entry:
        """`Pawn: i10-...` for a line that names no second square; from where the player's only
        piece of the kind stands where it names none at all, or only where it ends."""
        squares = [word.lower() for word in re.findall(rf"\b{reading.STOP}\b", entry.text, re.I)]
        if len(squares) > 1:
            return entry
        owner = None if entry.piece == NEUTRON else self.seat
        pieces = self.state.on_board()
        stand = [p.square or "" for p in pieces if p.type == entry.piece and p.owner == owner]
        only = stand[0] if len(stand) == 1 else ""
        if only and squares and squares[0] != only and squares[0] in NUMBERS:
            return Step(entry.piece, (only, squares[0]))
        start = squares[0] if squares and squares[0] in NUMBERS else only
        return replace(entry, text=reading.slot(entry.piece, start))

    def _guessed(self, squares: tuple[str, ...]) -> Step | None:
        there = self.state.at(squares[0]) if squares else None
        if there is None or there.owner not in (self.seat, None) or not all(s in NUMBERS for s in squares):
            return None
        step = Step(there.type, squares)
        self.guessed.add(step)
        return step

    def _renamed(self, entry: Step) -> Step:
        there = self.state.at(entry.squares[0])
        if there is not None and not entry.piece and there.owner in (self.seat, None):
            return replace(entry, piece=there.type)
        if there is None or there.owner != self.seat or entry.piece in (there.type, NEUTRON):
            return entry
        stands = f"On {entry.squares[0]} stands your {there.type}"
        self.chosen.append(f"{stands}; I wrote that instead of {entry.piece}.")
        return replace(entry, piece=there.type)

    def _mended(self, draft: Turn) -> tuple[Entry, ...]:
        """The turn with what one judging of it finds."""
        judgement = judge(self.state, self.seat, draft)
        codes = {complaint.code for complaint in judgement.complaints}
        entries = [self._stated(judged) for judged in judgement.judged if not judged.idle]
        if "neutron_missing" in codes:
            entries = [*neutron_slot(self.state), *entries]
        moved = any(isinstance(e, Unread) or (isinstance(e, Step) and e.piece != NEUTRON) for e in entries)
        if "nothing_made" in codes and not moved:
            entries.append(Passed())
            self.chosen.append("You state no move of your own: I wrote `Pass`.")
        return tuple(sorted(entries, key=_place))

    def _stated(self, judged: Judged) -> Entry:
        entry, stated = judged.entry, judged.stated or judged.entry
        if not isinstance(entry, Step):
            return stated
        if judged.stated is None and entry.placing and not entry.claiming("mascot_returned"):
            alike = [p.mascot for p in self.state.off_board(self.seat) if p.type == entry.piece]
            if alike and all(alike):  # a Mascot put back as if it were placed
                return replace(entry, claims=(Claim("mascot_returned"),))
        elsewhere = isinstance(stated, Step) and entry.squares[-1] != stated.squares[-1]
        return entry if entry in self.guessed and elsewhere else stated


def _place(entry: Entry) -> int:
    """The Mascot's return first, then the Neutron, the purchase last; the rest as written."""
    match entry:
        case Step(piece=piece):
            return 0 if entry.claiming("mascot_returned") else 1 if piece == NEUTRON else 2
        case Unread(text=text) if text.endswith(_RETURNED):
            return 0
        case Unread(text=text) if text.startswith(f"{NEUTRON}:"):
            return 1
        case Unread(text=text) if text.startswith("Purchase:"):
            return 3
    return 3 if isinstance(entry, Bought) else 2


def neutron_slot(state: State) -> tuple[Entry, ...]:
    """The Neutron's line to fill in, where it must be moved."""
    position = Position.of(state)
    return (Unread(reading.slot(NEUTRON, NAMES[position.neutron])),) if neutron_runs(position) else ()
