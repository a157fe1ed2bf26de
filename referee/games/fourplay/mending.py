"""A turn stated correctly (611, part 4): the whole truth of each line, and a faulty turn mended as far as it can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from referee.games.fourplay import neutron
from referee.games.fourplay.board import NAMES, OFF
from referee.games.fourplay.claims import statement
from referee.games.fourplay.judgement import Deed, Judgement
from referee.games.fourplay.judging import judge
from referee.games.fourplay.notation import SLOT
from referee.games.fourplay.position import Position
from referee.games.fourplay.state import KING, NEUTRON, Lot, State
from referee.games.fourplay.submission import Bought, Claim, Entry, Passed, Step, Turn, Unread
from referee.games.fourplay.turn_lines import RESIGNING
from referee.games.fourplay.turn_writing import slot

_MENDINGS: Final = 4  # a mended turn is judged again: one line's mending may change what others bring about
_RETURNED: Final = ", Mascot returned"


def stated(judgement: Judgement) -> tuple[Entry, ...]:
    """The lines of a legal turn, each with its whole statement."""
    return tuple(_stated(judged.entry, judged.deed) for judged in judgement.judged if judged.deed is not None)


def _stated(entry: Entry, deed: Deed) -> Entry:
    match deed.kind:
        case "pass":
            return entry
        case "purchase":
            return Bought(deed.lots, deed.cost, entry.line)
        case _:
            return Step(deed.name, deed.squares, statement(deed.truth), entry.line)


def mended(state: State, seat: int, draft: Turn) -> tuple[Entry, ...]:
    """The turn with true statements, gaps where its writer must choose, and without what can't stand."""
    entries = _one_purchase(draft.entries)
    for _ in range(_MENDINGS):
        before, entries = entries, _mended_once(state, seat, replace(draft, entries=entries))
        if entries == before:
            break
    return entries


def _one_purchase(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Several purchases as one, whose sum is still to be said."""
    bought = [entry for entry in entries if isinstance(entry, Bought)]
    if len(bought) < 2:
        return tuple(entries)
    counts: Counter[str] = Counter()
    for lot in (lot for each in bought for lot in each.lots):
        counts[lot.piece] += lot.count
    lots = tuple(Lot(piece, count) for piece, count in counts.items())
    rest = [entry for entry in entries if not isinstance(entry, Bought)]
    return (*rest, Bought(lots, None, bought[0].line, all(each.whole for each in bought)))


def _mended_once(state: State, seat: int, draft: Turn) -> tuple[Entry, ...]:
    judgement = judge(state, seat, draft)
    codes = {complaint.code for complaint in judgement.complaints}
    entries: list[Entry] = []
    for judged in judgement.judged:
        entry, deed = judged.entry, judged.deed
        needless = isinstance(entry, Passed) and codes & {"pass_and_moves", "pass_in_check"}
        if judged.mend == "drop" or needless or (isinstance(entry, Unread) and entry.text == RESIGNING):
            continue
        if judged.mend == "state" and deed is not None:
            entries.append(_stated(entry, deed))
        else:
            entries.append(_as_meant(state, seat, entry) or _gap(state, seat, entry))
    if "neutron_missing" in codes:
        entries = [*neutron_slot(state), *entries]
    if "pass_in_check" in codes:
        entries.append(Unread(slot(KING, _start(state, seat, KING))))
    elif "nothing_made" in codes:
        entries.append(Passed())
    return tuple(sorted(entries, key=_place))


def _as_meant(state: State, seat: int, entry: Entry) -> Entry | None:
    """A line that calls its piece by a wrong name, or puts back a Mascot as if it were a move: said rightly, so that it
    can be judged once more. None for all others."""
    if not isinstance(entry, Step) or entry.piece == NEUTRON:
        return None
    if entry.placing:
        alike = [p for p in state.off_board(seat) if p.type == entry.piece]
        claimed = any(claim.kind == "mascot_returned" for claim in entry.claims)
        returns = bool(alike) and all(p.mascot for p in alike) and not claimed
        return Step(entry.piece, entry.squares, (Claim("mascot_returned"),)) if returns else None
    there = state.at(entry.squares[0])
    misnamed = there is not None and there.owner == seat and there.type != entry.piece
    return replace(entry, piece=there.type) if misnamed and there is not None else None


def _gap(state: State, seat: int, entry: Entry) -> Entry:
    """The line with what its writer must choose left open."""
    match entry:
        case Step(piece, placing=True):
            returned = any(claim.kind == "mascot_returned" for claim in entry.claims)
            return Unread(slot(piece, OFF) + (_RETURNED if returned else ""))
        case Step(piece, squares):
            there = state.at(squares[0])
            his = there is not None and there.owner == seat and there.type == piece
            return Unread(slot(piece, squares[0] if his else _start(state, seat, piece)))
        case Bought():
            return Unread(f"Purchase: {SLOT}")
        case Unread(piece=piece) if piece:
            return Unread(slot(piece, _start(state, seat, piece)))
        case _:
            return entry


def _place(entry: Entry) -> int:
    """The Mascot's return first, then the Neutron, the purchase last; the rest in the order written."""
    text = entry.text if isinstance(entry, Unread) else ""
    if text.endswith(_RETURNED) or (
        isinstance(entry, Step) and any(claim.kind == "mascot_returned" for claim in entry.claims)
    ):
        return 0
    if text.startswith(f"{NEUTRON}:") or (isinstance(entry, Step) and entry.piece == NEUTRON):
        return 1
    return 3 if isinstance(entry, Bought) or text.startswith("Purchase:") else 2


def _start(state: State, seat: int, piece: str) -> str:
    """Where the player's only piece of a type stands, or the Neutron; empty where there are several or none."""
    owner = None if piece == NEUTRON else seat
    squares = [p.square for p in state.on_board() if p.type == piece and p.owner == owner]
    return squares[0] or "" if len(squares) == 1 else ""


def neutron_slot(state: State) -> tuple[Entry, ...]:
    """The Neutron's line to fill in, where it must be moved."""
    position = Position.of(state)
    return (Unread(slot(NEUTRON, NAMES[position.neutron])),) if neutron.runs(position) else ()
