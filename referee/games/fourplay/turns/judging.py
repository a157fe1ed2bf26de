"""A whole submission judged line by line, each line on the board that the earlier ones left (606-610, part 4).

A line that can't be carried out is left out, or carried out as its writer seems to mean it (`as_meant`); a reason
for a later line counts only where it stands both ways, so that what hangs on an earlier fault is not said again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from referee.core.complaint import Complaint
from referee.core.replacing import replace
from referee.games.fourplay.actions import Bought, Entry, Passed, Step, Turn, Unread, part_of
from referee.games.fourplay.board.attack import checkers, in_check, remedy
from referee.games.fourplay.board.squares import NAMES
from referee.games.fourplay.state import NEUTRON, State
from referee.games.fourplay.turns.progress import Deed, Judged, Judgement, Progress
from referee.games.fourplay.turns.steps import mascot_line, neutron_line, own_line, returns

_IDLE: Final = {"turn_is_over", "no_neutron", "neutron_stuck", "no_mascot_off"}


def judge(state: State, seat: int, turn: Turn) -> Judgement:
    """Every reason against a submission, and what its lines do."""
    first = _gone_through(Progress(state, seat, as_meant=False), turn)
    if first.doubtful:
        second = _gone_through(Progress(state, seat, as_meant=True), turn)
        first.complaints = list(_standing(first.complaints, second.complaints))
    return first


def _standing(first: Sequence[Complaint], second: Sequence[Complaint]) -> Iterator[Complaint]:
    """The reasons that stand both ways. An entry that is faulty both ways, but never for the same reason, is faulty
    whatever the earlier ones mean: its reasons are those of the entry as meant."""
    both = {(c.code, _entry_of(c)) for c in first} & {(c.code, _entry_of(c)) for c in second}
    told = {entry for _, entry in both} | {""}
    for complaint in first:
        entry = _entry_of(complaint)
        if (complaint.code, entry) in both:
            yield complaint
        elif entry not in told:
            told.add(entry)
            yield from (other for other in second if _entry_of(other) == entry)


def _entry_of(complaint: Complaint) -> str:
    """The entry that a complaint is about: its part, without the claim."""
    return complaint.part.partition(".claims.")[0]


def _gone_through(progress: Progress, turn: Turn) -> Judgement:
    for place, entry in enumerate(turn.entries):
        progress.part = part_of(place)
        before = len(progress.result.complaints)
        deed = _entry(progress, entry, turn)
        codes = {complaint.code for complaint in progress.result.complaints[before:]}
        progress.result.judged.append(Judged(entry, deed, bool(codes & _IDLE)))
        if deed is None:
            progress.result.doubtful = True
    progress.part = ""
    _end(progress, turn)
    progress.result.over = progress.over
    return progress.result


def _entry(progress: Progress, entry: Entry, turn: Turn) -> Deed | None:
    if isinstance(entry, Unread):
        progress.lost = True
        return None
    if isinstance(entry, Step) and not entry.piece:
        entry = replace(entry, piece=progress.standing(entry.squares[0]))
    if progress.over and isinstance(entry, Passed):
        return Deed("pass")  # ruling 10: it says truly that nothing more is made
    if progress.over:
        rule = "603" if progress.over == "cycle" else "607.A"
        progress.complain("turn_is_over", rule, why=progress.over)
        return None
    if progress.purchased and not isinstance(entry, Bought):
        if not progress.belated:
            progress.complain("after_purchase", "608")
        progress.belated = True
    match entry:
        case Passed():
            progress.passed = True
            progress.neutron_time()
            return Deed("pass")
        case Bought():
            progress.neutron_time()
            return _purchase(progress, entry)
        case Step(piece=piece) if piece == NEUTRON and not entry.placing:
            return neutron_line(progress, entry)
        case Step(placing=True) if returns(progress, entry):
            return mascot_line(progress, entry)
        case _:
            progress.neutron_time()
            return own_line(progress, entry, turn)


def _purchase(progress: Progress, bought: Bought) -> Deed | None:
    """608: what can be paid for and owned, the sum stated (part 4). Several purchases are added up: each may state its
    own sum, or the last one that of all."""
    if not progress.purchased:
        progress.moves_in_time = progress.moves
    progress.purchased = True
    catalogue = progress.position.tables.catalogue
    owned = progress.position.owned(progress.seat)
    owned.update({piece: owned.get(piece, 0) + count for piece, count in progress.bought.items()})
    for lot in bought.lots:
        owned[lot.piece] = owned.get(lot.piece, 0) + lot.count
    before = len(progress.result.complaints)
    for lot in bought.lots:
        piece, limit = catalogue.by_name[lot.piece], catalogue.limit(lot.piece, owned)
        if not piece.for_sale:
            progress.complain("turn_not_for_sale", "608", piece=lot.piece)
        elif limit is not None and owned[lot.piece] > limit:
            facts = {"piece": lot.piece, "limit": limit, "owned": owned[lot.piece] - lot.count}
            progress.complain("turn_over_limit", "608", **facts, count=lot.count)
    _lowered(progress, bought, owned)
    cost = sum(catalogue.by_name[lot.piece].price * lot.count for lot in bought.lots)
    if progress.cost + cost > progress.money:
        progress.complain("cannot_pay", "608", cost=progress.cost + cost, money=progress.money)
    faulty = len(progress.result.complaints) > before
    known = bought.whole and all(catalogue.by_name[lot.piece].for_sale for lot in bought.lots)
    if not known:
        return None  # what it all costs hangs on what is wrong with it
    progress.cost += cost
    progress.bought.update({lot.piece: lot.count for lot in bought.lots})
    _sums(progress, bought, cost)
    if faulty or not bought.lots:
        return None
    return Deed("purchase", lots=bought.lots, cost=cost)


def _lowered(progress: Progress, bought: Bought, owned: Mapping[str, int]) -> None:
    """911, 912: what is bought may lower the limit of another piece, of which one has too many then."""
    counts = {lot.piece: lot.count for lot in bought.lots}
    for piece in progress.position.tables.catalogue.types:
        for other in piece.limit_if_other if piece.name not in counts else ():
            falls = owned.get(other.piece, 0) - counts.get(other.piece, 0) < other.least
            have, count = owned.get(piece.name, 0), owned.get(other.piece, 0)
            if falls and count >= other.least and have > other.limit:
                facts = {"piece": piece.name, "owned": have, "limit": other.limit}
                progress.complain("turn_limit_falls", "608", **facts, bought=other.piece, count=count)


def _sums(progress: Progress, bought: Bought, cost: int) -> None:
    """A sum stands for its own line, or for all lines down to it."""
    if not bought.lots:
        return
    if bought.sum is None and bought.total is None:
        progress.unsummed += cost
        progress.unsummed_part = progress.unsummed_part or progress.part
        return
    if bought.sum is not None and bought.sum not in (cost, progress.cost):
        progress.complain("sum_false", "608", stated=bought.sum, cost=cost)
    elif bought.total is not None and bought.total != progress.cost:
        progress.complain("sum_false", "608", stated=bought.total, cost=progress.cost)
    if progress.cost in (bought.sum, bought.total) or bought.sum != cost:
        progress.unsummed, progress.unsummed_part = 0, ""


def _end(progress: Progress, turn: Turn) -> None:
    unread = any(isinstance(entry, Unread) for entry in turn.entries)
    passed = next((part_of(i) for i, entry in enumerate(turn.entries) if isinstance(entry, Passed)), "")
    progress.neutron_time()
    named = any(isinstance(entry, Unread) and "neutron" in entry.text.casefold() for entry in turn.entries)
    if not progress.ran and progress.could_run and not named:
        progress.complain("neutron_missing", "607.B.i", square=NAMES[progress.position.neutron])
    if progress.unsummed and progress.strict:
        facts = {"cost": progress.unsummed}
        progress.add(Complaint("sum_missing", "608", facts=facts, part=progress.unsummed_part))
    if progress.passed and (progress.moves_in_time if progress.belated else progress.moves):
        facts = {"moves": progress.moves}
        progress.add(Complaint("pass_and_moves", "607.B.ii", facts=facts, part=passed))
    if progress.over:
        return
    if not progress.passed and not progress.moves and progress.strict and not unread:
        progress.complain("nothing_made", "607.B.ii")
    still = not progress.moves and not progress.lost
    if still and in_check(progress.position, progress.seat) and remedy(progress.state, progress.seat):
        by = checkers(progress.position, progress.seat)  # ruling 11: `Pass` in check only where nothing helps
        progress.add(Complaint("pass_in_check", "607.B.ii", facts={"players": by}, part=passed))
