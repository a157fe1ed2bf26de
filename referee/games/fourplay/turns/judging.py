"""A whole submission judged line by line, each line on the board that the earlier ones left (606-610, part 4).

A line that can't be carried out is left out, or carried out as its writer seems to mean it (`as_meant`); a reason
for a later line counts only where it stands both ways, so that what hangs on an earlier fault is not said again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from referee.core.complaint import Complaint
from referee.games.fourplay.board.attack import checkers, in_check, remedy
from referee.games.fourplay.board.squares import NAMES
from referee.games.fourplay.state import NEUTRON, State
from referee.games.fourplay.turns.actions import Bought, Entry, Passed, Step, Turn, Unread
from referee.games.fourplay.turns.progress import Deed, Hearing, Judged, Judgement
from referee.games.fourplay.turns.steps import mascot_line, neutron_line, own_line, returns


def purchase_line(hearing: Hearing, bought: Bought) -> Deed | None:
    """608: what can be paid for and owned, the sum stated (part 4). Several purchases are added up: each may state its
    own sum, or the last one that of all."""
    if not hearing.purchased:
        hearing.moves_in_time = hearing.moves
    hearing.purchased = True
    catalogue = hearing.position.tables.catalogue
    owned = hearing.position.owned(hearing.seat)
    owned.update({piece: owned.get(piece, 0) + count for piece, count in hearing.bought.items()})
    for lot in bought.lots:
        owned[lot.piece] = owned.get(lot.piece, 0) + lot.count
    before = len(hearing.result.complaints)
    for lot in bought.lots:
        piece, limit = catalogue.by_name[lot.piece], catalogue.limit(lot.piece, owned)
        if not piece.for_sale:
            hearing.complain("turn_not_for_sale", "608", bought.line, piece=lot.piece)
        elif limit is not None and owned[lot.piece] > limit:
            facts = {"piece": lot.piece, "limit": limit, "owned": owned[lot.piece] - lot.count}
            hearing.complain("turn_over_limit", "608", bought.line, **facts, count=lot.count)
    cost = sum(catalogue.by_name[lot.piece].price * lot.count for lot in bought.lots)
    if hearing.cost + cost > hearing.money:
        hearing.complain("cannot_pay", "608", bought.line, cost=hearing.cost + cost, money=hearing.money)
    faulty = len(hearing.result.complaints) > before
    known = bought.whole and all(catalogue.by_name[lot.piece].for_sale for lot in bought.lots)
    if not known:
        return None  # what it all costs hangs on what is wrong with it
    hearing.cost += cost
    hearing.bought.update({lot.piece: lot.count for lot in bought.lots})
    _sums(hearing, bought, cost)
    if faulty or not bought.lots:
        return None
    return Deed("purchase", lots=bought.lots, cost=cost)


def _sums(hearing: Hearing, bought: Bought, cost: int) -> None:
    """A sum stands for its own line, or for all lines down to it."""
    if not bought.lots:
        return
    if bought.sum is None and bought.total is None:
        hearing.unsummed += cost
        hearing.unsummed_line = hearing.unsummed_line or bought.line
        return
    if bought.sum is not None and bought.sum not in (cost, hearing.cost):
        hearing.complain("sum_false", "608", bought.line, stated=bought.sum, cost=cost)
    elif bought.total is not None and bought.total != hearing.cost:
        hearing.complain("sum_false", "608", bought.line, stated=bought.total, cost=hearing.cost)
    if hearing.cost in (bought.sum, bought.total) or bought.sum != cost:
        hearing.unsummed, hearing.unsummed_line = 0, None


_IDLE: Final = {"turn_is_over", "no_neutron", "neutron_stuck", "no_mascot_off"}


def judge(state: State, seat: int, turn: Turn) -> Judgement:
    """Every reason against a submission, and what its lines do."""
    first = _heard(Hearing(state, seat, as_meant=False), turn)
    if first.doubtful:
        second = _heard(Hearing(state, seat, as_meant=True), turn)
        first.complaints = list(_standing(first.complaints, second.complaints))
    return first


def _standing(first: Sequence[Complaint], second: Sequence[Complaint]) -> Iterator[Complaint]:
    """The reasons that stand both ways. A line that is faulty both ways, but never for the same reason, is faulty
    whatever the earlier ones mean: its reasons are those of the line as meant."""
    both = {(c.code, c.line) for c in first} & {(c.code, c.line) for c in second}
    told = {line for _, line in both} | {None}
    for complaint in first:
        if (complaint.code, complaint.line) in both:
            yield complaint
        elif complaint.line not in told:
            told.add(complaint.line)
            yield from (other for other in second if other.line == complaint.line)


def _heard(hearing: Hearing, turn: Turn) -> Judgement:
    for entry in turn.entries:
        before = len(hearing.result.complaints)
        deed = _entry(hearing, entry, turn)
        codes = {complaint.code for complaint in hearing.result.complaints[before:]}
        hearing.result.judged.append(Judged(entry, deed, bool(codes & _IDLE)))
        if deed is None:
            hearing.result.doubtful = True
    _end(hearing, turn)
    hearing.result.over = hearing.over
    return hearing.result


def _entry(hearing: Hearing, entry: Entry, turn: Turn) -> Deed | None:
    if isinstance(entry, Unread):
        hearing.lost = True
        return None
    if isinstance(entry, Step) and not entry.piece:
        entry = replace(entry, piece=hearing.standing(entry.squares[0]))
    if hearing.over and isinstance(entry, Passed):
        return Deed("pass")  # ruling 10: it says truly that nothing more is made
    if hearing.over:
        hearing.complain(
            "turn_is_over", "603" if hearing.over == "cycle" else "607.A", entry.line, why=hearing.over
        )
        return None
    if hearing.purchased and not isinstance(entry, Bought):
        if not hearing.belated:
            hearing.complain("after_purchase", "608", entry.line)
        hearing.belated = True
    match entry:
        case Passed():
            hearing.passed = True
            hearing.neutron_time()
            return Deed("pass")
        case Bought():
            hearing.neutron_time()
            return purchase_line(hearing, entry)
        case Step(piece=piece) if piece == NEUTRON and not entry.placing:
            return neutron_line(hearing, entry)
        case Step(placing=True) if returns(hearing, entry):
            return mascot_line(hearing, entry)
        case _:
            hearing.neutron_time()
            return own_line(hearing, entry, turn)


def _end(hearing: Hearing, turn: Turn) -> None:
    unread = any(isinstance(entry, Unread) for entry in turn.entries)
    hearing.neutron_time()
    if not hearing.ran and hearing.could_run and not (unread and _names_neutron(turn)):
        hearing.complain("neutron_missing", "607.B.i", square=NAMES[hearing.position.neutron])
    if hearing.unsummed and hearing.strict:
        hearing.complain("sum_missing", "608", hearing.unsummed_line, cost=hearing.unsummed)
    if hearing.passed and (hearing.moves_in_time if hearing.belated else hearing.moves):
        line = next(entry.line for entry in turn.entries if isinstance(entry, Passed))
        hearing.complain("pass_and_moves", "607.B.ii", line, moves=hearing.moves)
    if hearing.over:
        return
    if not hearing.passed and not hearing.moves and hearing.strict and not unread:
        hearing.complain("nothing_made", "607.B.ii")
    if not hearing.moves and not hearing.lost and in_check(hearing.position, hearing.seat):
        _passing_in_check(hearing, turn)


def _passing_in_check(hearing: Hearing, turn: Turn) -> None:
    """Ruling 11: `Pass` while in check only where nothing helps."""
    if remedy(hearing.state, hearing.seat):
        line = next((entry.line for entry in turn.entries if isinstance(entry, Passed)), None)
        hearing.complain("pass_in_check", "607.B.ii", line, players=checkers(hearing.position, hearing.seat))


def _names_neutron(turn: Turn) -> bool:
    return any(isinstance(entry, Unread) and "neutron" in entry.text.casefold() for entry in turn.entries)
