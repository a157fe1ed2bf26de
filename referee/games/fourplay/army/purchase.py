"""The Initial Purchase (604): which armies may be bought, what a list looks like, what a revealed one changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.game import Party
from referee.games.fourplay.actions import Buy
from referee.games.fourplay.army.catalogue import Catalogue, catalogue_of
from referee.games.fourplay.events import ArmyBought
from referee.games.fourplay.notation import SLOT, comment_lines, header_lines
from referee.games.fourplay.state import Lot, Rules, State


def cost(lots: Iterable[Lot], catalogue: Catalogue) -> int:
    """F$ for the lots; what is not for sale costs nothing."""
    priced = ((lot.count, catalogue.by_name[lot.piece]) for lot in lots)
    return sum(count * piece.price for count, piece in priced if piece.for_sale)


def value(lots: Iterable[Lot], catalogue: Catalogue) -> int:
    """Material value of the lots."""
    return sum(lot.count * catalogue.by_name[lot.piece].value for lot in lots)


def least_cost(rules: Rules) -> int:
    """The least whole number of F$ that is not under `least_spent` per cent of the budget (604.A): 523 of 615."""
    return -(-rules.budget * rules.least_spent // 100)


def beethoven_set(lots: Iterable[Lot]) -> tuple[str, ...]:
    """The distinct types of an army (604.C), sorted."""
    return tuple(sorted({lot.piece for lot in lots}))


# --- judging ------------------------------------------------------------------------------------------------------


def purchase_complaints(state: State, seat: int, buy: Buy) -> tuple[Complaint, ...]:
    """Every reason why the army can't be bought. Of a list with gaps only what holds however they are filled."""
    catalogue = catalogue_of(state.rules.pieces)
    where = {lot.piece: line for lot, line in zip(buy.lots, buy.lines, strict=False)}
    return (
        *_not_for_sale(buy, catalogue, where),
        *_over_limits(buy, catalogue, where),
        *_beyond_budget(state.rules, buy, catalogue),
        *_beethoven(state, seat, buy),
        *_mascot(buy, catalogue),
    )


def _not_for_sale(buy: Buy, catalogue: Catalogue, where: Mapping[str, Line]) -> Iterable[Complaint]:
    for lot in buy.lots:
        if not catalogue.by_name[lot.piece].for_sale:
            yield Complaint("not_for_sale", "604.A", where.get(lot.piece), {"piece": lot.piece})


def _over_limits(buy: Buy, catalogue: Catalogue, where: Mapping[str, Line]) -> Iterable[Complaint]:
    owned = {lot.piece: lot.count for lot in buy.lots}
    for name, count in owned.items():
        piece = catalogue.by_name[name]
        limit = catalogue.limit(name, owned)
        if piece.for_sale and limit is not None and count > limit:
            others = [
                o for o in piece.limit_if_other if owned.get(o.piece, 0) >= o.least and o.limit == limit
            ]
            facts = {
                "piece": name,
                "count": count,
                "limit": limit,
                "usual": piece.limit,
                "because": [{"piece": o.piece, "count": owned[o.piece], "least": o.least} for o in others],
            }
            yield Complaint("over_limit", piece.rule, where.get(name), facts)


def _beyond_budget(rules: Rules, buy: Buy, catalogue: Catalogue) -> Iterable[Complaint]:
    spent, least = cost(buy.lots, catalogue), least_cost(rules)
    facts = {"spent": spent, "budget": rules.budget, "least": least, "percent": rules.least_spent}
    if spent > rules.budget:
        yield Complaint("over_budget", "604.A", buy.cost_line, facts | {"by": spent - rules.budget})
    elif spent < least and not buy.gaps and buy.lots:
        yield Complaint("under_budget", "604.A", buy.cost_line, facts | {"by": least - spent})


def _beethoven(state: State, seat: int, buy: Buy) -> Iterable[Complaint]:
    mine = set(beethoven_set(buy.lots))
    for cycle, earlier in enumerate(state.player(seat).earlier, 1):
        if mine and earlier and mine <= set(earlier) and not buy.gaps:
            facts = {"cycle": cycle, "earlier": list(earlier), "equal": mine == set(earlier)}
            yield Complaint("beethoven_set", "604.C", None, facts)


def _mascot(buy: Buy, catalogue: Catalogue) -> Iterable[Complaint]:
    if not buy.mascot:
        return
    owned = {lot.piece for lot in buy.lots}
    if not catalogue.by_name[buy.mascot].may_be_mascot:
        yield Complaint("mascot_not_allowed", "501", buy.mascot_line, {"piece": buy.mascot})
    elif buy.mascot not in owned and not (buy.gaps and buy.mascot in {lot.piece for lot in buy.guesses}):
        facts = {"piece": buy.mascot, "army": [lot.piece for lot in buy.lots]}
        yield Complaint("mascot_not_bought", "604.B.iv", buy.mascot_line, facts)


# --- writing ------------------------------------------------------------------------------------------------------


def lot_text(count: int | str, name: str, catalogue: Catalogue) -> str:
    """A lot in the rules' notation: `10 Pawn, 8 F$ each, value 1 each`."""
    piece = catalogue.by_name[name]
    return f"{count} {name}, {piece.price} F$ each, value {piece.value} each"


def purchase_text(state: State, buy: Buy) -> str:
    """The list in canonical text, without the header (609)."""
    catalogue = catalogue_of(state.rules.pieces)
    return "\n".join(
        [
            "Purchases:",
            *(lot_text(lot.count, lot.piece, catalogue) for lot in buy.lots),
            "",
            f"Total cost: {cost(buy.lots, catalogue)} F$",
            f"Total value: {value(buy.lots, catalogue)}",
            f"Mascot: {buy.mascot}",
            *comment_lines(buy.comment),
        ]
    )


def purchase_form(state: State, party: Party, draft: Buy | None) -> str:
    """The form, prefilled with who sends it; with a draft, that list."""
    if draft is not None:
        return "\n".join([*header_lines(party), "", purchase_text(state, draft)])
    catalogue = catalogue_of(state.rules.pieces)
    lots = [lot_text(SLOT, piece.name, catalogue) for piece in catalogue.types if piece.for_sale]
    totals = [f"Total cost: {SLOT} F$", f"Total value: {SLOT}", f"Mascot: {SLOT}"]
    return "\n".join([*header_lines(party), "", "Purchases:", *lots, "", *totals])


# --- resolving, suggesting ----------------------------------------------------------------------------------------


def army_bought(state: State, seat: int, buy: Buy) -> ArmyBought:
    """The fact of a valid list."""
    catalogue = catalogue_of(state.rules.pieces)
    sums = cost(buy.lots, catalogue), value(buy.lots, catalogue)
    return ArmyBought(seat, buy.lots, buy.mascot, *sums, buy.comment)


_TRIES: Final = 200


def suggested_purchase(state: State, seat: int, chance: Chance) -> Buy:
    """A random army that may be bought. LookupError where chance finds none: after an army of every type no later
    one can be anything but its subset (604.C)."""
    catalogue = catalogue_of(state.rules.pieces)
    names = [piece.name for piece in catalogue.types if piece.for_sale]
    for _ in range(_TRIES):
        some = chance.shuffle(names, "types")[: 5 + chance.below(4, "how many types")]
        lots = _filled(state.rules, some, catalogue, chance)
        worthy = [lot.piece for lot in lots if catalogue.by_name[lot.piece].may_be_mascot]
        if worthy:
            buy = Buy(lots, worthy[chance.below(len(worthy), "mascot")])
            if not purchase_complaints(state, seat, buy):
                return buy
    raise LookupError(f"no army was found that Player {seat} may still buy")


def _filled(rules: Rules, names: Iterable[str], catalogue: Catalogue, chance: Chance) -> tuple[Lot, ...]:
    """Pieces of the given types, one by one, until nothing more can be had."""
    counts = dict.fromkeys(names, 0)
    money = rules.budget
    while True:
        can = [
            name
            for name, count in counts.items()
            if catalogue.by_name[name].price <= money
            and ((limit := catalogue.limit(name, counts | {name: count + 1})) is None or count < limit)
        ]
        if not can:
            return tuple(Lot(name, count) for name, count in counts.items() if count)
        name = can[chance.below(len(can), "next piece")]
        counts[name] += 1
        money -= catalogue.by_name[name].price
