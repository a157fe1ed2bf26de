"""The Initial Purchase (604): what a list states, tolerant in how it is written, strict in what it
says; which armies may be bought; a list written, mended, carried out."""

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Final

from referee.core.answers import Form, Named, Part, Reading, Said, pointed_at
from referee.core.chance import Chance
from referee.core.orders.keyed import SheetEntry, comment_lines, left_out, parted
from referee.core.value import Complaint, Demand, FreeText, Lapse, Line, Value, fault
from referee.games.fourplay.board.catalogue import Catalogue, PieceType, called, catalogue_of
from referee.games.fourplay.forms import fields
from referee.games.fourplay.forms.fields import COMMENT, HEADER, Field, FieldForm, Filled, KeyedLine, Keys
from referee.games.fourplay.state import ArmyBought, Lot, NothingBought, Record, Rules, SetupBegun, State

_AMOUNT: Final = r"(?:F\s?\$|\$)?\s*\d+\s*(?:F\s?\$|\$|F|points?)?"
_AND_VALUE: Final = rf"[\s|,;/]+(?:and\s+)?(?:total\s+)?(?:material\s+)?(?:value)?[\s:=]*({_AMOUNT})"
_BOTH: Final = re.compile(rf"[\s|,;/]*({_AMOUNT}){_AND_VALUE}", re.I)
COST: Final = Field(
    "Total cost, total price, total costs, cost, total, sum",
    rf"{_AMOUNT}(?:{_AND_VALUE})?",
    "total_cost_missing",
    "total_cost_wrong",
)
VALUE: Final = Field(
    "Total value, total material value, material value, value, total values",
    _AMOUNT,
    "total_value_missing",
    "total_value_wrong",
)
MASCOT: Final = Field("Mascot, mascott", r"[A-Za-z~$]\S*(?: [A-Za-z]+)?")
_LIST: Final = Field(
    "Purchases, purchase, pieces, list, list of purchases, initial purchase, pieces purchased, pieces bought"
)
_RULE: Final = "604.B"
_PRICED: Final = re.compile(r"\$|@|\b(?:each|apiece|price|cost|costs|value)\b", re.I)
_ADDED: Final = re.compile(r"(?:my |the )?(?:office's )?(?:mascott?|total)\b", re.I)
_AS_MASCOT: Final = re.compile(
    r"(?:(?:an?|the|my) )?(.{1,40}?) (?:(?:as|is|will be|for) (?:my |the |a )?mascott?|\((?:my |the )?mascott?\))[.!]*",
    re.I,
)
_BETWEEN_LOTS: Final = re.compile(r";(?!\s*(?:its |the )?(?:material )?(?:costs?|price|value)\b)", re.I)
_ALIKE: Final = 0.7  # how much a misspelt name has of what it means
_TRIES: Final = 200


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


class Buy(Value):
    """An Initial Purchase (604). `guesses` and `gaps` stand for lines that were not understood:
    such a list is refused, but the rest of it can still be judged and mended."""

    lots: tuple[Lot, ...]
    mascot: str = ""
    comment: FreeText = ""
    guesses: tuple[Lot, ...] = ()
    gaps: bool = False


class Purchase(FieldForm[Buy]):
    """604."""

    kind = "Purchase"
    headings = ("Initial Purchase of Pieces",)
    clause = "604"
    keys = Keys(_RULE, (*HEADER, _LIST, COST, VALUE, MASCOT, COMMENT))
    signed = True

    def begins(self, text: str, catalogue: Catalogue) -> bool:
        """A key, or a lot."""
        first, *others = parted(text, lambda part: self.adds(part, catalogue))
        if others:
            return any(self.begins(part, catalogue) for part in (first, *others))
        if self.keys.begin(text) or _AS_MASCOT.fullmatch(text):
            return not fields.is_slot(text)
        lot, *more = fields.parse_lots(Line(0, text), catalogue)
        priced = None not in (lot.price, lot.value) and bool(lot.name) and not fields.is_slot(text)
        likely = priced and bool(_PRICED.search(text) or catalogue.near(lot.name))
        return bool(more) or lot.certain or likely

    def adds(self, text: str, catalogue: Catalogue) -> bool:
        """A total, the Mascot."""
        return (bool(_ADDED.match(text)) and self.keys.begin(text)) or bool(_AS_MASCOT.fullmatch(text))

    def entries(self, entry: KeyedLine, catalogue: Catalogue) -> Iterator[KeyedLine]:
        """Lots, totals (`Total | 543 F$ | 74` has both), the Mascot, which may be named in words beside its lot."""
        both = _BOTH.fullmatch(entry.value) if entry.order == COST.order else None
        named = _AS_MASCOT.fullmatch(entry.value) if not entry.order else None
        found = fields.parse_lot(Line(entry.line.number, named[1]), catalogue) if named else None
        if both:
            worth, cost = sorted(both.groups(), key=lambda said: fields.amount(said) or 0)  # of any army
            yield replace(entry, value=cost)
            yield replace(entry, order=VALUE.order, value=worth)
        elif named and found and found.piece:
            if found.count is not None:
                yield replace(entry, value=named[1])
            yield replace(entry, order=MASCOT.order, value=found.piece.name)
        else:
            yield entry

    def stated(self, state: State, seat: int, said: Filled) -> Buy:
        catalogue = catalogue_of(state.rules.pieces)
        found, strange = self._lots(said, catalogue)
        lots, _ = said.found = self._without_sums(said, found, catalogue), strange
        cost, value, mascot = said.once(COST, "cost"), said.once(VALUE), said.once(MASCOT, "mascot")
        said.complaints += (complaint for lot in lots for complaint in lot_complaints(lot, catalogue))
        said.complaints += (*map(self.doubt, strange), *said.sheet.complaints)
        _check_totals(said, lots, cost, value)
        name = re.sub(r"(?i)^(?:the|my|an|a|one)\s+", "", mascot.value.strip(" .")) if mascot else ""
        named = catalogue.find(name)
        if mascot is None:
            said.complain("mascot_missing", None, "604.B.iv")
        elif named is None:
            said.complain("piece_unknown", mascot.line, "604.B.iv", **catalogue.unknown(name))
        if not lots:
            said.complain("no_lots")
        known, guesses = Counter[str](), list[Lot]()  # one piece's lots count at their first line
        for lot in lots:
            if lot.piece is not None and lot.count:
                if lot.piece.name not in known:
                    said.lines[f"lots.{len(known)}"] = lot.line
                known[lot.piece.name] += lot.count
            elif lot.piece is None and lot.count and (guess := likely_piece(lot.name, catalogue)):
                guesses.append(Lot(guess, lot.count))
        return Buy(
            lots=tuple(Lot(piece, count) for piece, count in known.items()),
            mascot=named.name if named else "",
            comment=said.sheet.comment,
            guesses=tuple(guesses),
            gaps=bool(strange) or any(lot.piece is None or not lot.count or lot.left for lot in lots),
        )

    def _without_sums(self, said: Filled, lots: list[fields.LotLine], of: Catalogue) -> list[fields.LotLine]:
        """The lots, without what are the totals in other words than the rule's: the true ones, and no other number."""
        bought = [Lot(lot.piece.name, lot.count) for lot in lots if lot.piece and lot.count]
        sums = {COST: str(cost(bought, of)), VALUE: str(value(bought, of))}
        unknown = [lot.line for lot in lots if lot.piece is None]
        for line in (*unknown, *said.sheet.courtesy):
            numbers = re.findall(r"\d+", line.text)
            if bought and numbers and set(numbers) <= set(sums.values()):
                told = (field for field in sums if sums[field] in numbers and not said.entries(field))
                said.signed += [SheetEntry(field.order, sums[field], line) for field in told]
                lots = [lot for lot in lots if lot.line != line]
        return lots

    def _lots(self, said: Filled, catalogue: Catalogue) -> tuple[list[fields.LotLine], list[Line]]:
        """The lot lines: those without a key, and what stands beside `Purchases:` itself. Apart
        from them the lines that begin with a key that was misspelt."""
        found: list[fields.LotLine] = []
        strange: list[Line] = []
        for entry in said.sheet.of("", _LIST.order):
            slot = fields.empty(entry.value) or fields.is_slot(entry.value)
            parts = [part for part in _BETWEEN_LOTS.split(entry.value) if part.strip() and not slot]
            for part in (part for part in parts if not fields.is_heading_row(part)):
                lots = fields.parse_lots(Line(entry.line.number, part), catalogue)
                if lots[0].piece is None and self.keys.near(part) is not None:
                    strange.append(entry.line)
                else:
                    found += [replace(lot, line=entry.line) for lot in lots]
        return found, strange

    def check(self, state: State, demand: Demand, action: Buy) -> Iterable[Complaint]:
        """Every reason why the army can't be bought. Of a list with gaps only what holds however they are filled."""
        catalogue, rules = catalogue_of(state.rules.pieces), state.rules
        where = {lot.piece: f"lots.{place}" for place, lot in enumerate(action.lots)}
        owned = {lot.piece: lot.count for lot in action.lots}
        for name in owned:
            if not catalogue.by_name[name].for_sale:
                yield fault("not_for_sale", "604.A", where[name], piece=name)
        for name, count in owned.items():
            piece, limit = catalogue.by_name[name], catalogue.limit(name, owned)
            if piece.for_sale and limit is not None and count > limit:
                because = [
                    {"piece": o.piece, "count": owned[o.piece], "least": o.least}
                    for o in piece.limit_if_other
                    if o.limit == limit and owned.get(o.piece, 0) >= o.least
                ]
                limits = {"limit": limit, "usual": piece.limit, "because": because}
                yield fault("over_limit", piece.rule, where[name], piece=name, count=count, **limits)
        spent, least = cost(action.lots, catalogue), least_cost(rules)
        sums = {"spent": spent, "budget": rules.budget, "least": least, "percent": rules.least_spent}
        if spent > rules.budget:
            yield fault("over_budget", "604.A", "cost", **sums, by=spent - rules.budget)
        elif spent < least and not action.gaps and action.lots:
            yield fault("under_budget", "604.A", "cost", **sums, by=least - spent)
        mine = set(where)
        for cycle, earlier in enumerate(state.player(demand.seat).earlier, 1):
            if mine and earlier and mine <= set(earlier) and not action.gaps:
                same = {"cycle": cycle, "earlier": list(earlier), "equal": mine == set(earlier)}
                yield fault("beethoven_set", "604.C", **same)
        guessed = action.gaps and action.mascot in {lot.piece for lot in action.guesses}
        if action.mascot and not catalogue.by_name[action.mascot].may_be_mascot:
            yield fault("mascot_not_allowed", "501", "mascot", piece=action.mascot)
        elif action.mascot and action.mascot not in mine and not guessed:
            yield fault("mascot_not_bought", "604.B.iv", "mascot", piece=action.mascot, army=list(where))

    def write(self, state: State, demand: Demand, action: Buy) -> str:
        """The list in canonical text, without the header (609)."""
        catalogue = catalogue_of(state.rules.pieces)
        lots = [lot_text(lot.count, lot.piece, catalogue) for lot in action.lots]
        mascot = [f"Mascot: {action.mascot}", *comment_lines(action.comment)]
        return "\n".join(["Purchases:", *lots, "", *_totals(action.lots, catalogue), *mascot])

    def possible(self, state: State, demand: Demand, said: Said, named: Named) -> Iterator[Part]:
        """Lots of the pieces that are named, in each number that is, as far as the budget goes;
        below lots their totals; the Mascot where one is spoken of."""
        if state.phase == "purchase":
            action = self.so_far(state, demand.seat, said)
            yield from pointed_at(_parts(state, action.lots if action else (), said, named), named)

    def blank(self, state: State, seat: int) -> list[str]:
        catalogue = catalogue_of(state.rules.pieces)
        lots = [lot_text(fields.SLOT, piece.name, catalogue) for piece in catalogue.types if piece.for_sale]
        totals = [f"Total cost: {fields.SLOT} F$", f"Total value: {fields.SLOT}", f"Mascot: {fields.SLOT}"]
        return ["Purchases:", *lots, "", *totals]

    def mended(self, state: State, demand: Demand, draft: Reading[Buy]) -> Form:
        """604.B: the list with true prices, values and totals. What only its writer can know (a number, a piece)
        stays as he wrote it, or is left to fill in; what nobody could read is left out, and said to be."""
        catalogue = catalogue_of(state.rules.pieces)
        said: Filled = draft.understood
        lots, strange = said.found
        rows, chosen = _rows(lots, catalogue)
        chosen += left_out((*strange, *(c.line for c in said.sheet.complaints)))
        lines = self.blank(state, demand.seat)[:-1]  # its last line is the Mascot's
        if rows:
            known = [Lot(name, count) for name, count in rows.items() if count and name in catalogue.by_name]
            texts = (lot_text(count or fields.SLOT, name, catalogue) for name, count in rows.items())
            lines = ["Purchases:", *texts, "", *_totals(known, catalogue)]
        words = [entry.value.strip(" .") for entry in said.entries(MASCOT)]
        named = dict.fromkeys(_meant(word, catalogue.find(word), catalogue, chosen) for word in words)
        lines += [f"Mascot: {name}" for name in named or (fields.SLOT,)]  # of several one has to be chosen
        held = (lot.line for lot in lots if lot.count and (lot.piece or not no_lot(lot, catalogue)))
        return said.form(lines, dict.fromkeys(chosen), (*said.keyed, *held))

    def follow(self, record: Record, answers: Mapping[Demand, Buy | Lapse]) -> None:
        """After all purchases comes the setup (605)."""
        super().follow(record, answers)
        record.tell(SetupBegun(record.state.cycle, 1))

    def act(self, record: Record, seat: int, action: Buy) -> None:
        catalogue = catalogue_of(record.state.rules.pieces)
        sums = cost(action.lots, catalogue), value(action.lots, catalogue)
        record.tell(ArmyBought(seat, action.lots, action.mascot, *sums, action.comment))

    def lapse(self, record: Record, demand: Demand) -> None:
        record.tell(NothingBought(demand.seat))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Buy:
        """A random army that may be bought. LookupError where chance finds none: after an army of
        every type no later one can be anything but its subset (604.C)."""
        catalogue = catalogue_of(state.rules.pieces)
        names = [piece.name for piece in catalogue.types if piece.for_sale]
        for _ in range(_TRIES):
            some = chance.shuffle(names, "types")[: 5 + chance.below(4, "how many types")]
            counts, money = dict.fromkeys(some, 0), state.rules.budget
            while can := [  # piece by piece, until nothing more can be had
                name
                for name in counts
                if catalogue.by_name[name].price <= money and catalogue.one_more(name, counts)
            ]:
                name = can[chance.below(len(can), "next piece")]
                counts[name] += 1
                money -= catalogue.by_name[name].price
            lots = tuple(Lot(name, count) for name, count in counts.items() if count)
            worthy = [lot.piece for lot in lots if catalogue.by_name[lot.piece].may_be_mascot]
            if worthy:
                buy = Buy(lots, worthy[chance.below(len(worthy), "mascot")])
                if not tuple(self.check(state, demand, buy)):
                    return buy
        raise LookupError(f"no army was found that Player {demand.seat} may still buy")


def lot_text(count: int | str, name: str, catalogue: Catalogue) -> str:
    """A lot in the rules' notation: `10 Pawn, 8 F$ each, value 1 each`; of no known piece without its price."""
    piece = catalogue.by_name.get(name)
    return f"{count} {name}" + (f", {piece.price} F$ each, value {piece.value} each" if piece else "")


def _totals(lots: Sequence[Lot], catalogue: Catalogue) -> list[str]:
    return [f"Total cost: {cost(lots, catalogue)} F$", f"Total value: {value(lots, catalogue)}"]


def _rows(lots: Sequence[fields.LotLine], catalogue: Catalogue) -> tuple[dict[str, int], list[str]]:
    """The lots of a mended form, each with its number (0: none), and what mending took on itself."""
    rows, chosen = dict[str, int](), list[str]()
    for lot in lots:
        if lot.piece is None and no_lot(lot, catalogue):
            chosen += left_out([lot.line])
            continue
        name = _meant(lot.name, lot.piece, catalogue, chosen)
        if name in catalogue.by_name and not catalogue.by_name[name].for_sale:
            chosen += left_out([lot.line], "")
            continue
        rows[name] = rows.get(name, 0) + (lot.count or 0)
        if not lot.count:
            chosen.append(f"The number of {name} is left open; as the form stands, none is bought.")
        if lot.left:
            chosen += left_out([lot.line])
    return rows, chosen


def _parts(state: State, lots: Sequence[Lot], said: Said, named: Named) -> Iterator[Part]:
    catalogue, keys = catalogue_of(state.rules.pieces), {line.partition(":")[0] for line in said}
    left, bought = state.rules.budget - cost(lots, catalogue), {lot.piece: lot.count for lot in lots}
    open_still = not keys & {"Total cost", "Total value"}
    mascot = "mascot" in named and "Mascot" not in keys
    for piece, count in fields.lots_named(catalogue, bought, left, named) if open_still else ():
        slots = (("count", str(count)), *(("piece", word) for word in called(piece)))
        line, price = lot_text(count, piece.name, catalogue), str(piece.price)
        yield Part(line, (*slots, *((("price", price),) if price in named else ())))
        if mascot and piece.may_be_mascot and bought and piece.name not in bought:
            yield Part(f"{line}\nMascot: {piece.name}", (*slots, ("what", "mascot")))
    for piece in catalogue.types if mascot else ():
        ways = [("piece", word) for word in called(piece)]
        listed = piece.name in bought or not bought
        if piece.may_be_mascot and listed and any(word in named for _, word in ways):
            one = (("count", "1"),) if "1" in named else ()
            yield Part(f"Mascot: {piece.name}", (*one, ("what", "mascot"), *ways))
    for line in _totals(lots, catalogue) if lots else ():
        key, _, total = line.partition(": ")
        if key not in keys:
            yield Part(line, (("what", key.lower()), ("sum", total.split()[0])), "total")


def no_lot(lot: fields.LotLine, catalogue: Catalogue) -> bool:
    """Whether the line is none of a list, but a sentence or a stray word."""
    stray = lot.piece is None and lot.count is None and lot.price is None and not catalogue.near(lot.name)
    return not lot.name or lot.wordy or stray


def lot_complaints(lot: fields.LotLine, catalogue: Catalogue) -> Iterator[Complaint]:
    """Everything wrong with one lot."""

    def complaint(code: str, rule: str = _RULE, /, **facts: object) -> Complaint:
        return Complaint(code, rule, lot.line, facts)

    unread = complaint("not_understood", "house", text=lot.line.text.strip())
    piece = lot.piece
    if no_lot(lot, catalogue):
        yield unread
        return
    if piece is None:
        yield complaint("piece_unknown", "604.D", **catalogue.unknown(lot.name))
        return
    if lot.count is None:
        yield complaint("count_wrong", piece=piece.name, stated=lot.bad_count)
    if not piece.for_sale:
        return  # price and value are of no account: the check says that it can't be bought
    for each, stated, one, missing, wrong in (
        ("price", lot.price, piece.price, "price_missing", "price_wrong"),
        ("value", lot.value, piece.value, "value_missing", "value_wrong"),
    ):
        if stated is None:
            yield complaint(missing, piece=piece.name, **{each: one})
        elif stated != str(one):
            yield complaint(wrong, piece=piece.name, stated=stated, **{each: one})
    for wrong, stated, one in (
        ("lot_cost_wrong", lot.together, piece.price),
        ("lot_value_wrong", lot.worth, piece.value),
    ):
        if lot.count and stated is not None and stated != str(lot.count * one):
            yield complaint(wrong, piece=piece.name, stated=stated, right=lot.count * one, count=lot.count)
    if lot.left:
        yield unread


def _check_totals(
    said: Filled, lots: Sequence[fields.LotLine], cost: KeyedLine | None, value: KeyedLine | None
) -> None:
    """Totals that are missing or not so. What can't be bought does not count, nor what is none (0
    Pawn); lots that were not understood may be counted as they are stated, or not; where a count is
    missing, only a total below the rest is known to be wrong."""
    sold = (lot for lot in lots if not lot.piece or lot.piece.for_sale)
    buyable = [lot for lot in sold if not lot.piece or fields.whole(lot.bad_count) is None]
    sure = [(lot.count, lot.piece) for lot in buyable if lot.count and lot.piece is not None]
    unsure = [lot for lot in buyable if not lot.count or lot.piece is None]
    uncounted = any(not lot.count for lot in unsure)
    for field, entry, each in ((COST, cost, attrgetter("price")), (VALUE, value, attrgetter("value"))):
        right = sum(count * each(piece) for count, piece in sure)
        priced = ((lot.count, each(lot)) for lot in unsure if lot.count and each(lot))
        most = right + sum(count * int(one) for count, one in priced if re.fullmatch(r"\d{1,9}", one))
        stated = fields.amount(entry.value) if entry else None
        true = stated is not None and (stated >= right if uncounted else stated in (right, most))
        said.check(field, entry, true, right=right, partly=bool(unsure))


def _meant(name: str, piece: PieceType | None, catalogue: Catalogue, chosen: list[str]) -> str:
    """The piece by its name, or the one that a misspelt name is likely to mean, which is noted; else that name."""
    guess = None if piece else likely_piece(name, catalogue)
    chosen += [f'I took "{name}" for {guess}.'] if guess else []
    return piece.name if piece else guess or name


def likely_piece(name: str, catalogue: Catalogue) -> str | None:
    """The piece that a misspelt name can hardly fail to mean: put into the mended form, for the player to see."""
    near = next(iter(catalogue.near(name, 1)), "")
    alike = difflib.SequenceMatcher(None, fields.folded(name), fields.folded(near)).ratio()
    return near if near and alike >= _ALIKE else None
