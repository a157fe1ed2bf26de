"""The Initial Setup (605): lines that place pieces, lines that say what is owned, the Mascot's
square; which setups are allowed; a setup written, mended, carried out."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final, TypeVar

from referee.core.answers import Form, Named, Part, Reading, Said, pointed_at
from referee.core.chance import Chance
from referee.core.orders.keyed import comment_lines, left_out, parted
from referee.core.value import Complaint, Demand, FreeText, Lapse, Line, Value, fault
from referee.games.fourplay import state as ev
from referee.games.fourplay.board.catalogue import Catalogue, called, catalogue_of
from referee.games.fourplay.board.primitives import NAMES, NUMBERS, quadrant_of
from referee.games.fourplay.cycles import turn_begun
from referee.games.fourplay.forms import fields
from referee.games.fourplay.forms.fields import COMMENT, HEADER, Field, FieldForm, Filled, KeyedLine, Keys
from referee.games.fourplay.forms.purchase import MASCOT as CHOSEN
from referee.games.fourplay.forms.purchase import value
from referee.games.fourplay.state import CENTRE, DOLLARMAN, HOME_CORNERS, KING, Lot, Record, State

MASCOT: Final = Field(CHOSEN.written, r"(?:[A-Za-z0-9~$ ,]+ ?)?[a-zA-Z]\d{1,2}")
_OWNED: Final = Field("Pieces owned, owned, pieces I own, pieces, owned pieces, army")
_SETUP: Final = Field("Setup, initial setup, placement, placements, positions, pieces placed")
_RULE: Final = "605.B"
V = TypeVar("V")
_LINKS: Final = frozenset(re.findall(r"\S+", "x at on and to in auf und en et sur y op i na och på e em su"))
"""They say nothing between squares."""
_AS_MASCOT: Final = re.compile(r"\s*\((?:(?:the|my|our) )?mas[ck]\w*\)", re.I)


@cache
def quadrant_squares(seat: int) -> tuple[str, ...]:
    """The 49 squares of the player's quadrant."""
    return tuple(name for name in NAMES if quadrant_of(name) == seat)


def army_of(state: State, seat: int) -> dict[str, int]:
    return {lot.piece: lot.count for lot in state.player(seat).army}


class Spot(Value):
    """Where one piece is to stand."""

    piece: str
    square: str


class Place(Value):
    """An Initial Setup (605): `spots` are the bought pieces, `mascot` the Mascot's square and
    `mascot_piece` the type named beside it. `gaps` as for `Buy`."""

    spots: tuple[Spot, ...]
    king: str = ""
    dollarman: str = ""
    mascot: str = ""
    mascot_piece: str = ""
    comment: FreeText = ""
    gaps: bool = False


class Setup(FieldForm[Place]):
    """605."""

    kind = "Setup"
    headings = ("Initial Setup of Pieces",)
    clause = "605"
    keys = Keys(_RULE, (*HEADER, _OWNED, _SETUP, MASCOT, COMMENT))
    signed = True

    def begins(self, text: str, catalogue: Catalogue) -> bool:
        """A key, a piece with its squares, a piece with its count."""
        if fields.is_slot(text):
            return False
        parts = tuple(parted(text, lambda part: self.adds(part, catalogue)))
        if any(self.keys.begin(part) or _puts(part, catalogue) for part in parts):
            return True
        return fields.parse_lot(Line(0, text), catalogue).certain or bool(fields.lots_in(text, catalogue))

    def adds(self, text: str, catalogue: Catalogue) -> bool:
        """Another piece than what stands before it."""
        named = re.match(r"(?:(?:my|the) )?(?:office's )?mascot", text, re.I)
        return named is not None or (not fields.SQUARE_LIKE.match(text) and _puts(text, catalogue))

    def entries(self, entry: KeyedLine, catalogue: Catalogue) -> Iterator[KeyedLine]:
        """What it puts, and the Mascot's square, behind which that may stand: "a11 (the mascot), b14"."""
        before, *others = _AS_MASCOT.split(entry.value) if not entry.order else (entry.value,)
        put = parse_placing(Line(0, before), catalogue) if others else None
        if put is not None and put.piece:
            yield replace(entry, order=MASCOT.order, value=f"{put.piece} {put.squares[-1]}")
            yield replace(entry, value="".join((before, *others)))
        else:
            yield entry

    def doubt(self, line: Line) -> Complaint:
        """It is no part of a setup: a purchase, or what nobody understands."""
        if re.match(r"\W*(?:purchases?|buy)\b", line.text, re.I):
            return Complaint("no_purchase_now", "605.F", line)
        return self.keys.doubt(line)

    def stated(self, state: State, seat: int, said: Filled) -> Place:
        catalogue = catalogue_of(state.rules.pieces)
        placed, owned, unknown = said.found = _sorted_out(said, catalogue)
        said.complaints += _owned_complaints(state, seat, owned)
        for put in placed:
            if put.piece is None:
                said.complain("piece_unknown", put.line, **catalogue.unknown(put.name))
            for word in put.unclear:
                said.complain("square_unclear", put.line, word=word)
            if put.misstated:
                counts = {"stated": put.count, "right": len(put.squares), "piece": put.piece or put.name}
                said.complain("count_misstated", put.line, **counts)
        said.complaints += (*map(self.doubt, unknown), *said.sheet.complaints)
        groups: dict[str, list[tuple[Spot, Line]]] = {lot.piece: [] for lot in state.player(seat).army}
        for put in placed:
            if put.piece:
                spots = [(Spot(put.piece, square), put.line) for square in put.squares]
                groups.setdefault(put.piece, []).extend(spots)
        king, dollarman = (_single(said, name, groups.pop(name, [])) for name in (KING, DOLLARMAN))
        mascot = said.once(MASCOT, "mascot")
        name, squares = mascot_parts(mascot.value) if mascot else ("", [])
        named = catalogue.find(name)
        if mascot and mascot.value.lower() not in ("none", "nothing"):
            if name and named is None:
                said.complain("piece_unknown", mascot.line, "605.B.vi", **catalogue.unknown(name))
            if len(squares) > 1:
                said.complain("mascot_squares", mascot.line, "605.B.vi", squares=squares)
        spots = [spot for group in groups.values() for spot in group]  # by piece, in the army's order
        said.lines |= {f"spots.{number}": line for number, (_, line) in enumerate(spots)}
        return Place(
            spots=tuple(spot for spot, _ in spots),
            king=king,
            dollarman=dollarman,
            mascot=squares[0] if squares else "",
            mascot_piece=named.name if named else state.player(seat).mascot if squares and not name else "",
            comment=said.sheet.comment,
            gaps=bool(unknown) or any(put.piece is None or put.unclear for put in placed),
        )

    def check(self, state: State, demand: Demand, action: Place) -> Iterable[Complaint]:
        """Every reason why the setup is not allowed; of one with gaps only what holds however they are filled."""
        seat, army, places = demand.seat, army_of(state, demand.seat), dict(_places(action))
        parts = _grouped((spot.piece, part) for part, spot in places.items() if part.startswith("spots"))
        for name, put in parts.items():
            if name not in army:
                yield fault("not_owned", "605.A", put[0], piece=name)
            elif len(put) > army[name]:
                facts = {"piece": name, "placed": len(put), "owned": army[name]}
                yield fault("more_than_owned", "605.A", put[army[name]], **facts)
        yield from _square_complaints(seat, places)
        catalogue, percent = catalogue_of(state.rules.pieces), state.rules.least_spent
        placed = [Lot(name, min(len(put), army.get(name, 0))) for name, put in parts.items()]
        has, of = value(placed, catalogue), value(state.player(seat).army, catalogue)
        if has * 100 < percent * of and not action.gaps:  # King and Dollarman count nothing
            worth = {"placed": has, "of": of, "percent": percent, "least": -(-of * percent // 100)}
            yield fault("too_little_placed", "605.A", **worth)
        for name, square in ((KING, action.king), (DOLLARMAN, action.dollarman)):
            if not square:
                yield fault("square_missing", _RULE, piece=name)
        yield from _mascot_complaints(state.player(seat).mascot, action)

    def write(self, state: State, demand: Demand, action: Place) -> str:
        """The setup in canonical text, without the header (609)."""
        groups = _grouped((spot.piece, spot.square) for spot in action.spots)
        where = {name: ", ".join(squares) for name, squares in groups.items()}
        where |= {KING: action.king, DOLLARMAN: action.dollarman}
        named = action.mascot_piece or state.player(demand.seat).mascot
        mascot = [f"Mascot: {named} {action.mascot}"] if action.mascot else []
        lines = _laid_out(army_of(state, demand.seat), where)
        return "\n".join([*lines, *mascot, *comment_lines(action.comment)])

    def possible(self, state: State, demand: Demand, said: Said, named: Named) -> Iterator[Part]:
        """Each piece on each square of the quadrant that nothing is said of, where either is named,
        and all of a kind on all that are; the Mascot where it stands; what is owned, as it is."""
        if state.phase == "setup":
            place = self.so_far(state, demand.seat, said) or Place((), "", "")
            yield from pointed_at(_parts(state, demand.seat, place, said, named), named)

    def blank(self, state: State, seat: int) -> list[str]:
        """The form, prefilled with what is owned."""
        army, mascot = army_of(state, seat), state.player(seat).mascot
        lines = _laid_out(army, dict.fromkeys((*army, KING, DOLLARMAN), fields.SLOT))
        return [*lines, *([f"Mascot: {mascot} {fields.SLOT}"] if mascot else [])]

    def mended(self, state: State, demand: Demand, draft: Reading[Place]) -> Form:
        """605.B: what is owned put right; every square that was named, where it was named."""
        seat = demand.seat
        if not draft.orders:
            return Form("\n".join(self.blank(state, seat)))
        form: Filled = draft.understood
        laid, _, unknown = form.found
        army = army_of(state, seat)
        placed = [put for put in laid if put.piece or not self.keys.begin(f"{put.name}:")]
        stands = ((put, at) for put in placed for at in (*put.squares, *put.unclear))
        groups = _grouped((put.piece or put.name, at) for put, at in stands)
        for name in (KING, DOLLARMAN):  # of which there is one
            groups[name] = list(dict.fromkeys(groups.get(name, ())))
        named = dict.fromkeys((*army, *groups, KING, DOLLARMAN))
        where = {name: ", ".join(groups.get(name, ())) or fields.SLOT for name in named}
        strange = [put.line for put in laid if put not in placed]
        chosen = [*left_out((*unknown, *strange, *(c.line for c in form.sheet.complaints)))]
        for put in placed:
            if put.misstated:
                squares = f"{len(put.squares)} square{'s' * (len(put.squares) != 1)}"
                told = f"You wrote {put.count} {put.piece or put.name} with {squares}"
                chosen.append(f"{told}; the form has the squares.")
        lines = [*_laid_out(army, where), *_mascot_lines(state, seat, form, groups)]
        return form.form(lines, chosen, (*form.keyed, *(put.line for put in placed)))

    def follow(self, record: Record, answers: Mapping[Demand, Place | Lapse]) -> None:
        """After all setups comes the play (606): the Neutron on the centre square (905)."""
        super().follow(record, answers)
        record.tell(ev.PlayBegun(record.state.cycle, record.state.next_piece, CENTRE))
        record.tell(*turn_begun(record.state))

    def act(self, record: Record, seat: int, action: Place) -> None:
        """Pieces of one type are taken in the order of their ids."""
        waiting = _grouped((piece.type, piece.id) for piece in record.state.off_board(seat))
        placed = (ev.Placement(waiting[s.piece].pop(0), s.piece, s.square) for _, s in _places(action))
        record.tell(ev.ArmyPlaced(seat, tuple(placed), action.mascot, action.comment))

    def lapse(self, record: Record, demand: Demand) -> None:
        """605.E: the King alone goes on the board, everything else stays off it."""
        seat, state = demand.seat, record.state
        king = next(piece for piece in state.off_board(seat) if piece.type == KING)
        record.tell(ev.KingPlacedAlone(seat, king.id, HOME_CORNERS[seat], state.player(seat).mascot))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Place:
        """Every piece on a random square; of an army larger than the quadrant, the most valuable pieces."""
        catalogue, player = catalogue_of(state.rules.pieces), state.player(demand.seat)
        king, dollarman, *squares = chance.shuffle(quadrant_squares(demand.seat), "squares")
        names = [lot.piece for lot in player.army for _ in range(lot.count)]
        chosen = player.mascot
        first = sorted(names, key=lambda name: (name != chosen, -catalogue.by_name[name].value))
        placed: dict[str, list[str]] = {lot.piece: [] for lot in player.army}
        for name, square in zip(first, squares, strict=False):  # as many as there are squares for
            placed[name].append(square)
        order = ((name, sorted(where, key=NUMBERS.__getitem__)) for name, where in placed.items())
        spots = tuple(Spot(name, square) for name, where in order for square in where)
        return Place(spots, king, dollarman, placed[chosen][0] if chosen else "", chosen)


def _parts(state: State, seat: int, place: Place, said: Said, named: Named) -> Iterator[Part]:
    catalogue, army = catalogue_of(state.rules.pieces), army_of(state, seat)
    chosen = state.player(seat).mascot
    spots = [spot for _, spot in _places(place)]
    taken, used = Counter(spot.piece for spot in spots), {spot.square for spot in spots}
    free = [square for square in quadrant_squares(seat) if square not in used]
    told = [square for square in free if square in named]
    for name, count in {**army, KING: 1, DOLLARMAN: 1}.items():
        words = tuple(("piece", word) for word in called(catalogue.by_name[name]))
        spoken, left = not {word for _, word in words}.isdisjoint(named), count - taken[name]
        if spoken and 1 < len(told) <= left:
            more = ((f"square {number}", square) for number, square in enumerate(told[1:], 2))
            yield Part(f"{name}: {', '.join(told)}", (*words, ("square", told[0]), *more))
        for square in (free if spoken else told) if left else ():
            yield Part(f"{name}: {square}", (*words, ("square", square)))
        owned = f"{count} {name}"
        if name in army and owned not in said:
            yield Part(owned, (("count", str(count)), *words), "own")
        if name == chosen and not place.mascot and "mascot" in named:
            stand = [spot.square for spot in place.spots if spot.piece == chosen] or told
            for square in stand:
                yield Part(f"Mascot: {name} {square}", (("what", "mascot"), *words, ("square", square)))
    if not army and said.count("none") < 2:  # neither owned nor placed
        yield Part("none", (("what", "none"),), "own")


def _grouped(pairs: Iterable[tuple[str, V]]) -> dict[str, list[V]]:
    groups: dict[str, list[V]] = {}
    for name, one in pairs:
        groups.setdefault(name, []).append(one)
    return groups


def _places(place: Place) -> Iterator[tuple[str, Spot]]:
    """Every square with what is to stand there, King and Dollarman among them, each with the name of its part."""
    for number, spot in enumerate(place.spots):
        yield f"spots.{number}", spot
    for name, part, square in ((KING, "king", place.king), (DOLLARMAN, "dollarman", place.dollarman)):
        if square:
            yield part, Spot(name, square)


def _square_complaints(seat: int, places: Mapping[str, Spot]) -> Iterator[Complaint]:
    own = quadrant_squares(seat)
    quadrant = f"{own[0]} to {own[-1]}"
    taken: dict[str, str] = {}
    for part, spot in places.items():
        facts: dict[str, object] = {"square": spot.square, "piece": spot.piece}
        if spot.square not in NUMBERS:
            yield fault("off_board", "800", part, **facts)
            continue
        if spot.square in taken:
            yield fault("square_twice", "605.A", part, **facts, other=taken[spot.square])
        taken.setdefault(spot.square, spot.piece)
        if (owner := quadrant_of(spot.square)) == 0:
            yield fault("neutral_square", "605.A", part, **facts, quadrant=quadrant)
        elif owner != seat:
            facts |= {"owner": owner, "quadrant": quadrant}
            yield fault("wrong_quadrant", "605.A", part, **facts)


def _mascot_complaints(chosen: str, place: Place) -> Iterator[Complaint]:
    """605.B.vi: the piece named in the purchase, on one of its squares."""
    rule = "605.B.vi"
    facts = {"mascot": chosen, "stated": place.mascot_piece, "square": place.mascot}
    if not chosen:
        if place.mascot or place.mascot_piece:
            yield fault("no_mascot", rule, "mascot", **facts)
        return
    if place.mascot_piece and place.mascot_piece != chosen:
        yield fault("mascot_changed", rule, "mascot", **facts)
    stand = [spot.square for spot in place.spots if spot.piece == chosen]
    if not place.mascot:
        yield fault("mascot_square_missing", rule, "mascot", **facts, squares=stand)
    elif place.mascot not in stand and (place.mascot_piece or chosen) == chosen:
        yield fault("mascot_elsewhere", rule, "mascot", **facts, squares=stand)


def _laid_out(army: Mapping[str, int], where: Mapping[str, str]) -> list[str]:
    """A setup in lines: what is owned, where each piece stands, King and Dollarman last."""
    owned = [f"{count} {name}" for name, count in army.items()] or ["none"]
    bought = [f"{name}: {squares}" for name, squares in where.items() if name not in (KING, DOLLARMAN)]
    single = [f"{name}: {where[name]}" for name in (KING, DOLLARMAN)]
    return ["Pieces owned:", *owned, "", "Setup:", *(bought or ["none"]), "", *single]


def _mascot_lines(state: State, seat: int, form: Filled, groups: dict[str, list[str]]) -> Iterator[str]:
    """The Mascot's line as it was said; where only one square can be meant, with that."""
    if not (mascot := state.player(seat).mascot):
        return
    stand = groups.get(mascot, [])
    only = stand[0] if len(stand) == 1 else fields.SLOT
    said = {fields.folded(entry.value): entry for entry in form.entries(MASCOT)}
    for entry in said.values():
        name, squares = mascot_parts(entry.value)
        found, where = catalogue_of(state.rules.pieces).find(name), ", ".join(squares) or only
        yield f"Mascot: {mascot if where in stand else found.name if found else name or mascot} {where}"
    if not said:
        yield f"Mascot: {mascot} {only}"


class Placing(Value):
    """A line that puts pieces on squares. `piece` is None where no piece of that `name` is known; `squares` are as
    the rules write them, whether they exist or not; `unclear` are words among them that are no squares."""

    line: Line
    name: str
    piece: str | None
    count: int | None
    squares: tuple[str, ...]
    unclear: tuple[str, ...] = ()

    @property
    def misstated(self) -> bool:
        """Whether it states another number of pieces than it has squares."""
        return self.count not in (None, len(self.squares)) and not self.unclear


def parse_placing(line: Line, catalogue: Catalogue) -> Placing | None:
    """The line as one that places pieces; None where it names no square at all."""
    text = re.sub(r"(?i)^(?:and )?(?:the|my) ", "", re.sub(r"\.{2,}|_{2,}", " ", fields.tidied(line.text)))
    name, rest = _name_and_rest(text, catalogue)
    said = [w.strip(".") for w in re.split(r"[\s,;+&/()|:=]+", rest)]
    said = [w for w in said if w and w.lower() not in _LINKS]
    if not (squares := [w for w in said if fields.SQUARE_LIKE.fullmatch(w)]) or not name:
        return None
    counted = re.fullmatch(r"(\d+)\s*x?\s+(.*)|(.*?)\s+x?\s*(\d+)", name)
    count = next((int(n) for n in (counted[1], counted[4]) if n), None) if counted else None
    bare = next((n for n in (counted[2], counted[3]) if n), "") if counted else name
    piece = catalogue.find(name) or catalogue.find(bare)
    unclear = tuple(w for w in said if not fields.SQUARE_LIKE.fullmatch(w))
    known, where = piece.name if piece else None, tuple(map(fields.square_of, squares))
    return Placing(line, bare, known, count, where, unclear)


def _name_and_rest(text: str, catalogue: Catalogue) -> tuple[str, str]:
    """What stands for the piece, and what for the squares."""
    head, sign, tail = (part.strip() for part in (*re.split(r"([:=|])", text, maxsplit=1), "", "")[:3])
    if sign and head and not fields.SQUARE_LIKE.fullmatch(head):
        return fields.label(head), tail
    words = re.split(r"[\s,]+", text.replace(":", " "))
    for size in range(min(4, len(words) - 1), 0, -1):
        if catalogue.find(re.sub(r"^\d+\s*x?\s+", "", " ".join(words[:size]))):
            return " ".join(words[:size]), " ".join(words[size:])
    squares = [w for w in words if fields.SQUARE_LIKE.fullmatch(w)]
    plain = [w for w in words if w not in squares and w.lower() not in _LINKS]
    return fields.label(" ".join(plain)).strip(" -"), " ".join(squares)


def _puts(text: str, catalogue: Catalogue) -> bool:
    """Whether a text does nothing but put pieces of a kind on squares."""
    placed = parse_placing(Line(0, text), catalogue)
    return placed is not None and not placed.unclear and placed.piece is not None


def _single(said: Filled, name: str, stands: Sequence[tuple[Spot, Line]]) -> str:
    """The square of a piece that stands on one square."""
    for spot, line in stands:
        said.lines.setdefault(name.lower(), line)
        if spot != stands[0][0]:
            said.complain("said_twice", line, key=name, first=stands[0][0].square)
    return stands[0][0].square if stands else ""


def _sorted_out(said: Filled, catalogue: Catalogue) -> tuple[list[Placing], list[fields.LotLine], list[Line]]:
    """The lines that place pieces, those that say what is owned, and those that say neither."""
    placed: list[Placing] = []
    owned: list[fields.LotLine] = []
    unknown: list[Line] = []
    for entry in said.sheet.of("", _OWNED.order, _SETUP.order):
        line, (head, _, tail) = Line(entry.line.number, entry.value), entry.value.partition(":")
        nothing = entry.value.lower().strip(" .") in ("none", "nothing", "-")
        if fields.is_slot(entry.value) or fields.is_heading_row(entry.value) or nothing:
            continue
        if (spot := parse_placing(line, catalogue)) is not None:
            placed.append(replace(spot, line=entry.line))
        elif lots := _owned_lots(line, catalogue):
            owned += lots
        elif catalogue.find(head) is None or not fields.empty(tail):  # else a line of our form, as it was
            unknown.append(entry.line)
    return placed, owned, unknown


def _owned_lots(line: Line, catalogue: Catalogue) -> list[fields.LotLine]:
    """`10 Pawn`, or several such, parted by commas."""
    if named := fields.lots_in(line.text, catalogue):
        return [fields.parse_lot(Line(line.number, lot), catalogue) for lot in named]
    whole = fields.parse_lot(line, catalogue)
    if whole.piece is not None or "," not in line.text:
        return [whole] if whole.name and (whole.count is not None or whole.bad_count) else []
    split = re.split(r"[,;]| and ", line.text)
    parts = [fields.parse_lot(Line(line.number, part), catalogue) for part in split if part.strip()]
    return parts if all(part.name and part.count for part in parts) else []


def _owned_complaints(state: State, seat: int, owned: Sequence[fields.LotLine]) -> Iterable[Complaint]:
    """`Pieces owned` must be the army, no more and no less; King and Dollarman may be listed."""
    army, catalogue = army_of(state, seat), catalogue_of(state.rules.pieces)
    if not owned:
        if army:
            yield Complaint("owned_missing", _RULE, None, {"army": army})
        return
    said: Counter[str] = Counter()
    where: dict[str, fields.LotLine] = {}
    for lot in owned:
        if lot.piece is None:
            yield Complaint("piece_unknown", _RULE, lot.line, catalogue.unknown(lot.name))
        else:
            said[lot.piece.name] += lot.count or 0
            where[lot.piece.name] = lot
    for name, count in said.items():
        right = 1 if name in (KING, DOLLARMAN) else army.get(name, 0)
        if count != right:
            facts = {"piece": name, "stated": where[name].bad_count or count, "right": right}
            yield Complaint("owned_wrong", _RULE, where[name].line, facts)
    for name, count in army.items():
        if name not in said:
            yield Complaint("owned_left_out", _RULE, None, {"piece": name, "right": count})


def mascot_parts(text: str) -> tuple[str, list[str]]:
    """The piece's name and the squares of `Mascot: Archer d12`. M1 is a square, and a piece's
    symbol where a square follows it."""
    words = [w for w in re.split(r"[\s,;()]+", text) if w and w.lower() not in _LINKS]
    like_squares = [w for w in words if re.fullmatch(r"[A-Za-z]{1,2}\d{1,3}\.?", w)]
    symbol = len(like_squares) > 1 and words[0].upper() == "M1"
    squares = like_squares[1:] if symbol else like_squares
    name = words[:1] if symbol else [w for w in words if w not in squares]
    return " ".join(name).strip(" ."), [fields.square_of(w.strip(".")) for w in squares]
