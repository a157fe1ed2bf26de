"""The purchase that ends a turn judged (608): what can be paid and owned, the sum stated."""

from __future__ import annotations

from referee.games.fourplay.hearing import Hearing
from referee.games.fourplay.judgement import Deed
from referee.games.fourplay.submission import Bought


def purchase_line(hearing: Hearing, bought: Bought) -> Deed | None:
    """608: what can be paid for and owned, the sum stated (part 4)."""
    hearing.purchased = True
    hearing.moves_in_time = hearing.moves
    catalogue = hearing.position.tables.catalogue
    owned = hearing.position.owned(hearing.seat)
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
    if cost > hearing.money:
        hearing.complain("cannot_pay", "608", bought.line, cost=cost, money=hearing.money)
    faulty = len(hearing.result.complaints) > before
    known = bought.whole and all(catalogue.by_name[lot.piece].for_sale for lot in bought.lots)
    if not known:
        return None  # what it all costs hangs on what is wrong with it
    if bought.sum is None and hearing.strict and bought.lots:
        hearing.complain("sum_missing", "608", bought.line, cost=cost)
    elif bought.sum is not None and bought.sum != cost and bought.lots:
        hearing.complain("sum_false", "608", bought.line, stated=bought.sum, cost=cost)
    if faulty or not bought.lots:
        return None
    return Deed("purchase", lots=bought.lots, cost=cost)
