"""The purchase that ends a turn judged (608): what can be paid and owned, the sum stated."""

from __future__ import annotations

from referee.games.fourplay.turns.hearing import Hearing
from referee.games.fourplay.turns.judgement import Deed
from referee.games.fourplay.turns.submission import Bought


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
