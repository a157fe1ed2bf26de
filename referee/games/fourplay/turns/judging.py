"""A whole submission judged line by line, each line on the board that the earlier ones left (606-610, part 4).

A line that can't be carried out is left out, or carried out as its writer seems to mean it (`as_meant`); a reason
for a later line counts only where it stands both ways, so that what hangs on an earlier fault is not said again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from referee.core.complaint import Complaint
from referee.games.fourplay.actions import Bought, Entry, Passed, Step, Turn, Unread, part_of
from referee.games.fourplay.board.attack import checkers, in_check, remedy
from referee.games.fourplay.board.squares import NAMES
from referee.games.fourplay.state import NEUTRON, State
from referee.games.fourplay.turns.steps import (
    Judged,
    Judgement,
    Played,
    mascot_line,
    neutron_line,
    own_line,
    returns,
)

_IDLE: Final = {"turn_is_over", "no_neutron", "neutron_stuck", "no_mascot_off"}


def judge(state: State, seat: int, turn: Turn) -> Judgement:
    """Every reason against a submission, and what its lines do."""
    first = _gone_through(Judgement(state, seat, as_meant=False), turn)
    if first.doubtful:
        second = _gone_through(Judgement(state, seat, as_meant=True), turn)
        first.complaints = list(_standing(first.complaints, second.complaints))
    return first


def carried_out(so_far: Judgement, turn: Turn) -> Judgement:
    """How a turn goes on below its lines, none of which is judged."""
    for entry in turn.entries:
        _entry(so_far, entry, turn)
    return so_far


def _standing(first: Sequence[Complaint], second: Sequence[Complaint]) -> Iterator[Complaint]:
    """The reasons that stand both ways. An entry that is faulty both ways, but never for the same reason, is faulty
    whatever the earlier ones mean: its reasons are those of the entry as meant."""

    def entry_of(complaint: Complaint) -> str:
        return complaint.part.partition(".claims.")[0]

    both = {(c.code, entry_of(c)) for c in first} & {(c.code, entry_of(c)) for c in second}
    told = {entry for _, entry in both} | {""}
    for complaint in first:
        entry = entry_of(complaint)
        if (complaint.code, entry) in both:
            yield complaint
        elif entry not in told:
            told.add(entry)
            yield from (other for other in second if entry_of(other) == entry)


def _gone_through(so_far: Judgement, turn: Turn) -> Judgement:
    for place, entry in enumerate(turn.entries):
        so_far.part = part_of(place)
        before = len(so_far.complaints)
        played = _entry(so_far, entry, turn)
        codes = {complaint.code for complaint in so_far.complaints[before:]}
        so_far.judged.append(Judged(entry, played, bool(codes & _IDLE)))
        if played is None:
            so_far.doubtful = True
    so_far.part = ""
    _end(so_far, turn)
    return so_far


def _entry(so_far: Judgement, entry: Entry, turn: Turn) -> Played | None:
    if isinstance(entry, Unread):
        so_far.lost = True
        return None
    if isinstance(entry, Step) and not entry.piece:
        entry = replace(entry, piece=so_far.standing(entry.squares[0]))
    if so_far.over:
        if isinstance(entry, Passed):
            return Played("pass")  # ruling 10: it says truly that nothing more is made
        so_far.complain("turn_is_over", "603" if so_far.over == "cycle" else "607.A", why=so_far.over)
        return None
    if so_far.purchased and not isinstance(entry, Bought):
        if not so_far.belated:
            so_far.complain("after_purchase", "608")
        so_far.belated = True
    match entry:
        case Passed():
            so_far.passed = True
            so_far.neutron_time()
            return Played("pass")
        case Bought():
            so_far.neutron_time()
            return _purchase(so_far, entry)
        case Step(piece=piece) if piece == NEUTRON and not entry.placing:
            return neutron_line(so_far, entry)
        case Step(placing=True) if returns(so_far, entry):
            return mascot_line(so_far, entry)
        case _:
            so_far.neutron_time()
            return own_line(so_far, entry, turn)


def _purchase(so_far: Judgement, bought: Bought) -> Played | None:
    """608: what can be paid for and owned, the sum stated (part 4). Several purchases are added up:
    each may state its own sum, or the last one that of all."""
    if not so_far.purchased:
        so_far.moves_in_time = so_far.moves
    so_far.purchased = True
    catalogue = so_far.position.catalogue
    owned = so_far.position.owned(so_far.seat)
    owned.update({piece: owned.get(piece, 0) + count for piece, count in so_far.bought.items()})
    for lot in bought.lots:
        owned[lot.piece] = owned.get(lot.piece, 0) + lot.count
    before = len(so_far.complaints)
    for lot in bought.lots:
        piece, limit = catalogue.by_name[lot.piece], catalogue.limit(lot.piece, owned)
        if not piece.for_sale:
            so_far.complain("turn_not_for_sale", "608", piece=lot.piece)
        elif limit is not None and owned[lot.piece] > limit:
            facts = {"piece": lot.piece, "limit": limit, "owned": owned[lot.piece] - lot.count}
            so_far.complain("turn_over_limit", "608", **facts, count=lot.count)
    _lowered(so_far, bought, owned)
    cost = sum(catalogue.by_name[lot.piece].price * lot.count for lot in bought.lots)
    if so_far.cost + cost > so_far.money:
        so_far.complain("cannot_pay", "608", cost=so_far.cost + cost, money=so_far.money)
    faulty = len(so_far.complaints) > before
    known = bought.whole and all(catalogue.by_name[lot.piece].for_sale for lot in bought.lots)
    if not known:
        return None  # what it all costs hangs on what is wrong with it
    so_far.cost += cost
    so_far.bought.update({lot.piece: lot.count for lot in bought.lots})
    _sums(so_far, bought, cost)
    if faulty or not bought.lots:
        return None
    return Played("purchase", lots=bought.lots, cost=cost)


def _lowered(so_far: Judgement, bought: Bought, owned: Mapping[str, int]) -> None:
    """911, 912: what is bought may lower the limit of another piece, of which one has too many then."""
    counts = {lot.piece: lot.count for lot in bought.lots}
    for piece in so_far.position.catalogue.types:
        for other in piece.limit_if_other if piece.name not in counts else ():
            falls = owned.get(other.piece, 0) - counts.get(other.piece, 0) < other.least
            have, count = owned.get(piece.name, 0), owned.get(other.piece, 0)
            if falls and count >= other.least and have > other.limit:
                facts = {"piece": piece.name, "owned": have, "limit": other.limit}
                so_far.complain("turn_limit_falls", "608", **facts, bought=other.piece, count=count)


def _sums(so_far: Judgement, bought: Bought, cost: int) -> None:
    """A sum stands for its own line, or for all lines down to it."""
    if not bought.lots:
        return
    if bought.sum is None and bought.total is None:
        so_far.unsummed += cost
        so_far.unsummed_part = so_far.unsummed_part or so_far.part
        return
    if bought.sum is not None and bought.sum not in (cost, so_far.cost):
        so_far.complain("sum_false", "608", stated=bought.sum, cost=cost)
    elif bought.total is not None and bought.total != so_far.cost:
        so_far.complain("sum_false", "608", stated=bought.total, cost=so_far.cost)
    if so_far.cost in (bought.sum, bought.total) or bought.sum != cost:
        so_far.unsummed, so_far.unsummed_part = 0, ""


def _end(so_far: Judgement, turn: Turn) -> None:
    unread = [entry.text.casefold() for entry in turn.entries if isinstance(entry, Unread)]
    passed = next((part_of(i) for i, entry in enumerate(turn.entries) if isinstance(entry, Passed)), "")
    so_far.neutron_time()
    named = any("neutron" in text for text in unread)
    if not so_far.ran and so_far.could_run and not named:
        so_far.complain("neutron_missing", "607.B.i", square=NAMES[so_far.position.neutron])
    if so_far.unsummed and so_far.strict:
        facts = {"cost": so_far.unsummed}
        so_far.add(Complaint("sum_missing", "608", facts=facts, part=so_far.unsummed_part))
    if so_far.passed and (so_far.moves_in_time if so_far.belated else so_far.moves):
        facts = {"moves": so_far.moves}
        so_far.add(Complaint("pass_and_moves", "607.B.ii", facts=facts, part=passed))
    if so_far.over:
        return
    if not so_far.passed and not so_far.moves and so_far.strict and not unread:
        so_far.complain("nothing_made", "607.B.ii")
    still = not so_far.moves and not so_far.lost
    if still and in_check(so_far.position, so_far.seat) and remedy(so_far.state, so_far.seat):
        by = tuple(
            checkers(so_far.position, so_far.seat)
        )  # ruling 11: `Pass` in check only where nothing helps
        so_far.add(Complaint("pass_in_check", "607.B.ii", facts={"players": by}, part=passed))
