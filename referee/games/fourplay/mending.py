"""A turn stated correctly (611, part 4): the whole truth of each line, and a faulty turn mended as far as it can be."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.games.fourplay import neutron
from referee.games.fourplay.board import NAMES
from referee.games.fourplay.claims import statement
from referee.games.fourplay.judgement import Deed, Judgement
from referee.games.fourplay.judging import judge
from referee.games.fourplay.notation import SLOT
from referee.games.fourplay.position import Position
from referee.games.fourplay.state import CENTRE, KING, NEUTRON, State
from referee.games.fourplay.submission import Bought, Entry, Passed, Step, Turn, Unread
from referee.games.fourplay.turn_writing import slot

_MENDINGS: Final = (
    3  # a mended turn is judged again, as one line's mending may change what others bring about
)


def stated(judgement: Judgement) -> tuple[Entry, ...]:
    """The lines of a legal turn, each with its whole statement."""
    return tuple(_stated(judged.entry, judged.deed) for judged in judgement.judged if judged.deed is not None)


def _stated(entry: Entry, deed: Deed) -> Entry:
    match deed.kind:
        case "pass":
            return entry
        case "purchase":
            return Bought(deed.lots, deed.cost)
        case _:
            return Step(deed.name, deed.squares, statement(deed.truth))


def mended(state: State, seat: int, draft: Turn) -> tuple[Entry, ...]:
    """The turn with true statements, gaps where its writer must choose, and without what can't stand."""
    entries = draft.entries
    for _ in range(_MENDINGS):
        before, entries = entries, _mended_once(state, seat, replace(draft, entries=entries))
        if entries == before:
            break
    return entries


def _mended_once(state: State, seat: int, draft: Turn) -> tuple[Entry, ...]:
    judgement = judge(state, seat, draft)
    codes = {complaint.code for complaint in judgement.complaints}
    entries: list[Entry] = []
    for judged in judgement.judged:
        entry, deed = judged.entry, judged.deed
        if judged.mend == "drop" or (
            isinstance(entry, Passed) and codes & {"pass_and_moves", "pass_in_check"}
        ):
            continue
        if judged.mend == "state" and deed is not None:
            entries.append(_stated(entry, deed))
        elif isinstance(entry, Step):
            start = _neutron_square(state) if entry.piece == NEUTRON else entry.squares[0]
            entries.append(Unread(slot(entry.piece, start)))
        elif isinstance(entry, Bought):
            entries.append(Unread(f"Purchase: {SLOT}"))
        else:
            entries.append(entry)
    if "neutron_missing" in codes:
        entries = [*neutron_slot(state), *entries]
    if "pass_in_check" in codes:
        entries.append(Unread(slot(KING, _king_square(state, seat))))
    elif "nothing_made" in codes:
        entries.append(Passed())
    return tuple(sorted(entries, key=_place))


def _place(entry: Entry) -> int:
    """The Mascot's return first, then the Neutron, the purchase last; the rest in the order written."""
    if isinstance(entry, Step) and any(claim.kind == "mascot_returned" for claim in entry.claims):
        return 0
    if _is_neutron(entry):
        return 1
    bought = isinstance(entry, Bought) or (isinstance(entry, Unread) and entry.text.startswith("Purchase:"))
    return 3 if bought else 2


def _is_neutron(entry: Entry) -> bool:
    if isinstance(entry, Unread):
        return entry.text.startswith(f"{NEUTRON}:")
    return isinstance(entry, Step) and entry.piece == NEUTRON


def _neutron_square(state: State) -> str:
    return next((p.square for p in state.pieces if p.type == NEUTRON and p.square is not None), CENTRE)


def _king_square(state: State, seat: int) -> str:
    """In check something must be moved: the form offers the King."""
    kings = (p.square for p in state.on_board() if p.type == KING and p.owner == seat)
    return next((square for square in kings if square is not None), SLOT)


def neutron_slot(state: State) -> tuple[Entry, ...]:
    """The Neutron's line to fill in, where it must be moved."""
    position = Position.of(state)
    return (Unread(slot(NEUTRON, NAMES[position.neutron])),) if neutron.runs(position) else ()
