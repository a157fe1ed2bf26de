"""A turn stated correctly (611, part 4): the whole truth of each line, and a faulty turn mended as far as it can be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from referee.games.fourplay.board import neutron
from referee.games.fourplay.board.position import Position
from referee.games.fourplay.board.squares import NAMES, NUMBERS
from referee.games.fourplay.notation import tidied
from referee.games.fourplay.state import NEUTRON, Lot, State
from referee.games.fourplay.turns.actions import Bought, Claim, Entry, Passed, Step, Turn, Unread
from referee.games.fourplay.turns.forms import slot
from referee.games.fourplay.turns.judging import judge
from referee.games.fourplay.turns.lines import STOP, squares_alone
from referee.games.fourplay.turns.progress import Deed, Judgement
from referee.games.fourplay.turns.truth import statement

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


def mended(state: State, seat: int, draft: Turn) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """The turn with true statements, every line of it kept but those that can't stand in any turn now; and what
    mending chose in its writer's place."""
    chosen: list[str] = []
    entries = tuple(_named(state, seat, entry, chosen) for entry in _one_purchase(draft.entries))
    for _ in range(_MENDINGS):
        before, entries = entries, _mended_once(state, seat, replace(draft, entries=entries), chosen)
        if entries == before:
            break
    return entries, tuple(dict.fromkeys(chosen))


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
    return (*rest, Bought(lots, None, bought[0].line))


def _named(state: State, seat: int, entry: Entry, chosen: list[str]) -> Entry:
    """A line that does not name its piece, or wrongly, with the one that stands on its first square; a line that lacks
    squares, with a place for them."""
    if isinstance(entry, Unread) and entry.piece:
        return _with_slot(state, seat, entry)
    if isinstance(entry, Unread):
        squares = squares_alone(entry.text)
        there = state.at(squares[0]) if squares else None
        mine = there is not None and there.owner in (seat, None) and all(s in NUMBERS for s in squares)
        return Step(there.type, squares, (), entry.line) if mine and there is not None else entry
    if isinstance(entry, Bought) and not entry.whole and entry.line is not None:
        return Unread(tidied(entry.line.text), entry.line)
    if not isinstance(entry, Step) or not all(square in NUMBERS for square in entry.squares):
        return entry
    there = state.at(entry.squares[0])
    if there is not None and not entry.piece and there.owner in (seat, None):
        return replace(entry, piece=there.type)
    if there is None or there.owner != seat or there.type == entry.piece or entry.piece == NEUTRON:
        return entry
    chosen.append(f"On {entry.squares[0]} stands your {there.type}; I wrote that instead of {entry.piece}.")
    return replace(entry, piece=there.type)


def _with_slot(state: State, seat: int, entry: Unread) -> Entry:
    """`Pawn: i10-...` for a line that names no second square; where it names none at all, from where the player's only
    piece of the kind stands."""
    squares = [word.lower() for word in re.findall(rf"\b{STOP}\b", entry.text, re.I)]
    if len(squares) > 1:
        return entry
    owner = None if entry.piece == NEUTRON else seat
    stand = [p.square or "" for p in state.on_board() if p.type == entry.piece and p.owner == owner]
    start = squares[0] if squares and squares[0] in NUMBERS else stand[0] if len(stand) == 1 else ""
    return replace(entry, text=slot(entry.piece, start))


def _mended_once(state: State, seat: int, draft: Turn, chosen: list[str]) -> tuple[Entry, ...]:
    judgement = judge(state, seat, draft)
    codes = {complaint.code for complaint in judgement.complaints}
    entries: list[Entry] = []
    for judged in judgement.judged:
        if judged.idle:
            continue
        stated_so = judged.deed and _stated(judged.entry, judged.deed)
        entries.append(stated_so or _returning(state, seat, judged.entry))
    if "neutron_missing" in codes:
        entries = [*neutron_slot(state), *entries]
    if "nothing_made" in codes and not any(isinstance(entry, Unread) or _moves(entry) for entry in entries):
        entries.append(Passed())
        chosen.append("You state no move of your own: I wrote `Pass`.")
    return tuple(sorted(entries, key=_place))


def _moves(entry: Entry) -> bool:
    return isinstance(entry, Step) and entry.piece != NEUTRON


def _returning(state: State, seat: int, entry: Entry) -> Entry:
    """A Mascot put back as if it were placed, said rightly; any other line as it stands."""
    if not isinstance(entry, Step) or not entry.placing:
        return entry
    alike = [p for p in state.off_board(seat) if p.type == entry.piece]
    claimed = any(claim.kind == "mascot_returned" for claim in entry.claims)
    if alike and all(p.mascot for p in alike) and not claimed:
        return replace(entry, claims=(Claim("mascot_returned"),))
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


def neutron_slot(state: State) -> tuple[Entry, ...]:
    """The Neutron's line to fill in, where it must be moved."""
    position = Position.of(state)
    return (Unread(slot(NEUTRON, NAMES[position.neutron])),) if neutron.runs(position) else ()
