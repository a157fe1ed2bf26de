"""The Initial Purchase (604): which armies may be bought, what a list looks like, what a revealed one changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from referee.core.answers import Body, Form, Part, Party, Reading, pointed_at
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.orders.sheet import comment_lines, left_out
from referee.core.owing import Demand, Lapse
from referee.games.fourplay import events as ev
from referee.games.fourplay.actions import Buy
from referee.games.fourplay.answers import Sent
from referee.games.fourplay.army.lots import LotLine, lots_named
from referee.games.fourplay.army.reading import Listed, meant, no_lot, read_purchase
from referee.games.fourplay.board.catalogue import Catalogue, called, catalogue_of
from referee.games.fourplay.folding import Told
from referee.games.fourplay.notation.signs import SLOT
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


class Purchase(Sent[Buy]):
    """604."""

    kind = "Purchase"
    headings = ("Initial Purchase of Pieces",)
    actions = (Buy,)
    clause = "604"
    signed = True
    understood = staticmethod(read_purchase)

    def check(self, state: State, demand: Demand, action: Buy) -> Iterable[Complaint]:
        """Every reason why the army can't be bought. Of a list with gaps only what holds however they are filled."""
        catalogue = catalogue_of(state.rules.pieces)
        where = {lot.piece: f"lots.{place}" for place, lot in enumerate(action.lots)}
        for lot in action.lots:
            if not catalogue.by_name[lot.piece].for_sale:
                yield Complaint("not_for_sale", "604.A", facts={"piece": lot.piece}, part=where[lot.piece])
        yield from _over_limits(action, catalogue, where)
        yield from _beyond_budget(state.rules, action, catalogue)
        yield from _beethoven(state, demand.seat, action)
        yield from _mascot(action, catalogue)

    def write(self, state: State, demand: Demand, action: Buy) -> str:
        """The list in canonical text, without the header (609)."""
        catalogue = catalogue_of(state.rules.pieces)
        lots = [lot_text(lot.count, lot.piece, catalogue) for lot in action.lots]
        mascot = [f"Mascot: {action.mascot}", *comment_lines(action.comment)]
        return "\n".join(["Purchases:", *lots, "", *_totals(action.lots, catalogue), *mascot])

    def possible(
        self, state: State, demand: Demand, said: Sequence[str], named: Collection[str]
    ) -> Iterator[Part]:
        """Lots of the pieces that are named, in each number that is, as far as the budget goes; below lots their
        totals; the Mascot where one is spoken of."""
        if state.phase != "purchase":
            return iter(())
        lines = Body.of("\n".join(said)).lines
        action = read_purchase(state, demand.seat, lines, Party("", demand.seat)).action
        return pointed_at(_parts(state, action.lots if action else (), said, named), named)

    def blank(self, state: State, seat: int) -> list[str]:
        catalogue = catalogue_of(state.rules.pieces)
        lots = [lot_text(SLOT, piece.name, catalogue) for piece in catalogue.types if piece.for_sale]
        totals = [f"Total cost: {SLOT} F$", f"Total value: {SLOT}", f"Mascot: {SLOT}"]
        return ["Purchases:", *lots, "", *totals]

    def mended(self, state: State, demand: Demand, draft: Reading[Buy]) -> Form:
        """604.B: the list with true prices, values and totals. What only its writer can know (a number, a piece)
        stays as he wrote it, or is left to fill in; what nobody could read is left out, and said to be."""
        catalogue = catalogue_of(state.rules.pieces)
        listed: Listed = draft.understood
        sheet = listed.said.sheet
        rows, chosen = _rows(listed.lots, catalogue)
        chosen += left_out((*listed.strange, *(c.line for c in sheet.complaints)))
        lines = self.blank(state, demand.seat)[:-1]  # its last line is the Mascot's
        if rows:
            known = [Lot(name, count) for name, count in rows.items() if count and name in catalogue.by_name]
            texts = (lot_text(count or SLOT, name, catalogue) for name, count in rows.items())
            lines = ["Purchases:", *texts, "", *_totals(known, catalogue)]
        words = [entry.value.strip(" .") for entry in listed.said.entries("Mascot")]
        named = dict.fromkeys(found.name if (found := catalogue.find(word)) else word for word in words)
        lines += [f"Mascot: {name}" for name in named or (SLOT,)]  # of several their writer has to choose
        text = "\n".join([*lines, *comment_lines(sheet.comment)])
        return Form(text, tuple(chosen), listed.said.keyed)

    def follow(self, record: Told, answers: Mapping[Demand, Buy | Lapse]) -> None:
        """After all purchases comes the setup (605)."""
        super().follow(record, answers)
        record.tell(ev.SetupBegun(record.state.cycle, 1))

    def act(self, record: Told, seat: int, action: Buy) -> None:
        catalogue = catalogue_of(record.state.rules.pieces)
        sums = cost(action.lots, catalogue), value(action.lots, catalogue)
        record.tell(ev.ArmyBought(seat, action.lots, action.mascot, *sums, action.comment))

    def lapse(self, record: Told, demand: Demand) -> None:
        record.tell(ev.NothingBought(demand.seat))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Buy:
        """A random army that may be bought. LookupError where chance finds none: after an army of every type no later
        one can be anything but its subset (604.C)."""
        catalogue = catalogue_of(state.rules.pieces)
        names = [piece.name for piece in catalogue.types if piece.for_sale]
        for _ in range(_TRIES):
            some = chance.shuffle(names, "types")[: 5 + chance.below(4, "how many types")]
            lots = _affordable(state.rules, some, catalogue, chance)
            worthy = [lot.piece for lot in lots if catalogue.by_name[lot.piece].may_be_mascot]
            if worthy:
                buy = Buy(lots, worthy[chance.below(len(worthy), "mascot")])
                if not tuple(self.check(state, demand, buy)):
                    return buy
        raise LookupError(f"no army was found that Player {demand.seat} may still buy")


_TRIES: Final = 200


# --- judging ---------------------------------------------------------------------------------------------------------


def _over_limits(buy: Buy, catalogue: Catalogue, where: Mapping[str, str]) -> Iterable[Complaint]:
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
            yield Complaint("over_limit", piece.rule, facts=facts, part=where[name])


def _beyond_budget(rules: Rules, buy: Buy, catalogue: Catalogue) -> Iterable[Complaint]:
    spent, least = cost(buy.lots, catalogue), least_cost(rules)
    facts = {"spent": spent, "budget": rules.budget, "least": least, "percent": rules.least_spent}
    if spent > rules.budget:
        yield Complaint("over_budget", "604.A", facts=facts | {"by": spent - rules.budget}, part="cost")
    elif spent < least and not buy.gaps and buy.lots:
        yield Complaint("under_budget", "604.A", facts=facts | {"by": least - spent}, part="cost")


def _beethoven(state: State, seat: int, buy: Buy) -> Iterable[Complaint]:
    mine = set(beethoven_set(buy.lots))
    for cycle, earlier in enumerate(state.player(seat).earlier, 1):
        if mine and earlier and mine <= set(earlier) and not buy.gaps:
            facts = {"cycle": cycle, "earlier": list(earlier), "equal": mine == set(earlier)}
            yield Complaint("beethoven_set", "604.C", facts=facts)


def _mascot(buy: Buy, catalogue: Catalogue) -> Iterable[Complaint]:
    if not buy.mascot:
        return
    owned = {lot.piece for lot in buy.lots}
    if not catalogue.by_name[buy.mascot].may_be_mascot:
        yield Complaint("mascot_not_allowed", "501", facts={"piece": buy.mascot}, part="mascot")
    elif buy.mascot not in owned and not (buy.gaps and buy.mascot in {lot.piece for lot in buy.guesses}):
        facts = {"piece": buy.mascot, "army": [lot.piece for lot in buy.lots]}
        yield Complaint("mascot_not_bought", "604.B.iv", facts=facts, part="mascot")


# --- writing, mending ------------------------------------------------------------------------------------------------


def lot_text(count: int | str, name: str, catalogue: Catalogue) -> str:
    """A lot in the rules' notation: `10 Pawn, 8 F$ each, value 1 each`; of no known piece without its price."""
    piece = catalogue.by_name.get(name)
    return f"{count} {name}" + (f", {piece.price} F$ each, value {piece.value} each" if piece else "")


def _totals(lots: Sequence[Lot], catalogue: Catalogue) -> list[str]:
    return [f"Total cost: {cost(lots, catalogue)} F$", f"Total value: {value(lots, catalogue)}"]


def _rows(lots: Sequence[LotLine], catalogue: Catalogue) -> tuple[dict[str, int], list[str]]:
    """The lots of a mended form, each with the number that stands before it (0: none), and what mending took on
    itself."""
    rows: dict[str, int] = {}
    chosen: list[str] = []
    for lot in lots:
        name = lot.piece.name if lot.piece is not None else lot.name
        if lot.piece is None and no_lot(lot, catalogue):
            chosen += left_out([lot.line])
            continue
        if lot.piece is None and (guess := meant(lot.name, catalogue)) is not None:
            chosen.append(f'I took "{lot.name}" for {guess}.')
            name = guess
        if name in catalogue.by_name and not catalogue.by_name[name].for_sale:
            chosen += left_out([lot.line], "")
            continue
        rows[name] = rows.get(name, 0) + (lot.count or 0)
        if not lot.count:
            chosen.append(f"The number of {name} is left open; as the form stands, none is bought.")
        if lot.left:
            chosen += left_out([lot.line])
    return rows, chosen


# --- what may be said ------------------------------------------------------------------------------------------------


def _parts(state: State, lots: Sequence[Lot], said: Sequence[str], named: Collection[str]) -> Iterator[Part]:
    catalogue, keys = catalogue_of(state.rules.pieces), {line.partition(":")[0] for line in said}
    left, bought = state.rules.budget - cost(lots, catalogue), {lot.piece: lot.count for lot in lots}
    open_still = not keys & {"Total cost", "Total value"}
    for piece, count in lots_named(catalogue, bought, left, named) if open_still else ():
        words = (("piece", word) for word in called(piece))
        yield Part(lot_text(count, piece.name, catalogue), (("count", str(count)), *words))
    for piece in catalogue.types if "mascot" in named and "Mascot" not in keys else ():
        ways = [("piece", word) for word in called(piece)]
        if piece.may_be_mascot and any(word in named for _, word in ways):
            yield Part(f"Mascot: {piece.name}", (("what", "mascot"), *ways))
    for line in _totals(lots, catalogue) if lots else ():
        key, _, total = line.partition(": ")
        if key not in keys:
            yield Part(line, (("what", key.lower()), ("sum", total.split()[0])), "total")


# --- suggesting ------------------------------------------------------------------------------------------------------


def _affordable(rules: Rules, names: Iterable[str], catalogue: Catalogue, chance: Chance) -> tuple[Lot, ...]:
    """Pieces of the given types, one by one, until nothing more can be had."""
    counts = dict.fromkeys(names, 0)
    money = rules.budget
    while True:
        can = [
            name
            for name in counts
            if catalogue.by_name[name].price <= money and catalogue.one_more(name, counts)
        ]
        if not can:
            return tuple(Lot(name, count) for name, count in counts.items() if count)
        name = can[chance.below(len(can), "next piece")]
        counts[name] += 1
        money -= catalogue.by_name[name].price
