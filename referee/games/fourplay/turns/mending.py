"""A turn stated correctly (611, part 4): each line with all it brings about; a faulty turn mended as far as may be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from referee.core.complaint import Line
from referee.games.fourplay.actions import Bought, Claim, Entry, Passed, Step, Turn, Unread, part_of
from referee.games.fourplay.board.moves import neutron_runs
from referee.games.fourplay.board.position import Position
from referee.games.fourplay.board.squares import NAMES, NUMBERS
from referee.games.fourplay.forms.notation import tidied
from referee.games.fourplay.state import NEUTRON, Lot, State
from referee.games.fourplay.turns.effect import statement
from referee.games.fourplay.turns.judging import judge
from referee.games.fourplay.turns.lines import STOP, slot, squares_alone
from referee.games.fourplay.turns.turn_state import Judged, Judgement, Played

_MENDINGS: Final = 4  # a mended turn is judged again: one line's mending may change what others bring about
_RETURNED: Final = ", Mascot returned"


def stated(judgement: Judgement) -> tuple[Entry, ...]:
    """The lines of a legal turn, each with its whole statement."""
    return tuple(
        _stated(judged.entry, judged.played) for judged in judgement.judged if judged.played is not None
    )


def _stated(entry: Entry, played: Played) -> Entry:
    match played.kind:
        case "pass":
            return entry
        case "purchase":
            return Bought(played.lots, played.cost)
        case _:
            return Step(played.name, played.squares, statement(played.effect))


def mended(
    state: State, seat: int, draft: Turn, lines: Mapping[str, Line]
) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """The turn with true statements, every line of it kept but those that can't stand in any turn
    now; and what mending chose in its writer's place. `lines` are those of the draft's parts."""
    mending = _Mending(state, seat, lines)
    entries = tuple(
        mending.named(entry, part_of(place)) for place, entry in enumerate(_one_purchase(draft.entries))
    )
    for _ in range(_MENDINGS):
        before, entries = entries, mending.mended(replace(draft, entries=entries))
        if entries == before:
            break
    return entries, tuple(dict.fromkeys(mending.chosen))


def _one_purchase(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Several purchases as one, whose sum is still to be said."""
    bought = [entry for entry in entries if isinstance(entry, Bought)]
    if len(bought) < 2 or not all(each.whole for each in bought):
        return tuple(entries)
    counts: Counter[str] = Counter()
    for lot in (lot for each in bought for lot in each.lots):
        counts[lot.piece] += lot.count
    lots = tuple(Lot(piece, count) for piece, count in counts.items())
    rest = [entry for entry in entries if not isinstance(entry, Bought)]
    return (*rest, Bought(lots))


class _Mending:
    """What is put in the place of faulty lines. `chosen` is what the writer did not say so; `guessed` are lines without
    a piece, read as those of the piece that stands there: their faults were not named, so their squares stay."""

    def __init__(self, state: State, seat: int, lines: Mapping[str, Line]) -> None:
        self.state, self.seat, self.lines = state, seat, lines
        self.chosen: list[str] = []
        self.guessed: set[Step] = set()

    def named(self, entry: Entry, part: str) -> Entry:
        """A line that does not name its piece, or wrongly, with the one that stands on its first
        square; a line that lacks squares, with a place for them."""
        match entry:
            case Unread(piece=piece) if piece:
                return self._with_slot(entry)
            case Unread(text=text):
                return self._guessed(squares_alone(text)) or entry
            case Bought(whole=False) if part in self.lines:
                return Unread(tidied(self.lines[part].text))
            case Step(squares=squares) if all(square in NUMBERS for square in squares):
                return self._renamed(entry)
        return entry

    def _with_slot(self, entry: Unread) -> Entry:
        """`Pawn: i10-...` for a line that names no second square; from where the player's only
        piece of the kind stands where it names none at all, or only where it ends."""
        squares = [word.lower() for word in re.findall(rf"\b{STOP}\b", entry.text, re.I)]
        if len(squares) > 1:
            return entry
        owner = None if entry.piece == NEUTRON else self.seat
        pieces = self.state.on_board()
        stand = [p.square or "" for p in pieces if p.type == entry.piece and p.owner == owner]
        only = stand[0] if len(stand) == 1 else ""
        if only and squares and squares[0] != only and squares[0] in NUMBERS:
            return Step(entry.piece, (only, squares[0]))
        start = squares[0] if squares and squares[0] in NUMBERS else only
        return replace(entry, text=slot(entry.piece, start))

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

    def mended(self, draft: Turn) -> tuple[Entry, ...]:
        """The turn with what one judging of it finds."""
        judgement = judge(self.state, self.seat, draft)
        codes = {complaint.code for complaint in judgement.complaints}
        entries = [self._stated(judged) for judged in judgement.judged if not judged.idle]
        if "neutron_missing" in codes:
            entries = [*neutron_slot(self.state), *entries]
        if "nothing_made" in codes and not any(isinstance(e, Unread) or _moves(e) for e in entries):
            entries.append(Passed())
            self.chosen.append("You state no move of your own: I wrote `Pass`.")
        return tuple(sorted(entries, key=_place))

    def _stated(self, judged: Judged) -> Entry:
        if judged.played is None:
            return _returning(self.state, self.seat, judged.entry)
        entry, stated = judged.entry, _stated(judged.entry, judged.played)
        if isinstance(entry, Step) and entry in self.guessed and isinstance(stated, Step):
            return entry if entry.squares[-1] != stated.squares[-1] else stated
        return stated


def _moves(entry: Entry) -> bool:
    return isinstance(entry, Step) and entry.piece != NEUTRON


def _returning(state: State, seat: int, entry: Entry) -> Entry:
    """A Mascot put back as if it were placed, said rightly; any other line as it stands."""
    if not isinstance(entry, Step) or not entry.placing or entry.claiming("mascot_returned"):
        return entry
    alike = [p for p in state.off_board(seat) if p.type == entry.piece]
    if alike and all(p.mascot for p in alike):
        return replace(entry, claims=(Claim("mascot_returned"),))
    return entry


def _place(entry: Entry) -> int:
    """The Mascot's return first, then the Neutron, the purchase last; the rest in the order written."""
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
    return (Unread(slot(NEUTRON, NAMES[position.neutron])),) if neutron_runs(position) else ()
