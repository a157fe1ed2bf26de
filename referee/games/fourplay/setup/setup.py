"""The Initial Setup (605): which setups are allowed, what they look like, what a revealed one changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from referee.core.answers import Body, Form, Part, Party, Reading, pointed_at
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.orders.sheet import comment_lines, left_out
from referee.core.owing import Demand, Lapse
from referee.games.fourplay import events as ev
from referee.games.fourplay.actions import Place, Spot
from referee.games.fourplay.answers import Sent
from referee.games.fourplay.army.purchase import value
from referee.games.fourplay.board.catalogue import called, catalogue_of
from referee.games.fourplay.board.squares import NAMES, NUMBERS, quadrant_of
from referee.games.fourplay.cycles.cycles import turn_begun
from referee.games.fourplay.folding import Told
from referee.games.fourplay.notation.keys import Filled
from referee.games.fourplay.notation.signs import SLOT, folded
from referee.games.fourplay.setup.reading import KEYS, Laid, Placing, mascot_parts, read_setup
from referee.games.fourplay.state import CENTRE, DOLLARMAN, HOME_CORNERS, KING, Lot, Piece, State

_RULE: Final = "605.B"


@cache
def quadrant_squares(seat: int) -> tuple[str, ...]:
    """The 49 squares of the player's quadrant."""
    return tuple(name for name in NAMES if quadrant_of(name) == seat)


def army_of(state: State, seat: int) -> dict[str, int]:
    return {lot.piece: lot.count for lot in state.player(seat).army}


class Setup(Sent[Place]):
    """605."""

    kind = "Setup"
    headings = ("Initial Setup of Pieces",)
    actions = (Place,)
    clause = "605"
    signed = True
    understood = staticmethod(read_setup)

    def check(self, state: State, demand: Demand, action: Place) -> Iterable[Complaint]:
        """Every reason why the setup is not allowed; of one with gaps only what holds however they are filled."""
        yield from _counts(state, demand.seat, action)
        yield from _squares(demand.seat, action)
        yield from _least_value(state, demand.seat, action)
        for name, square in ((KING, action.king), (DOLLARMAN, action.dollarman)):
            if not square:
                yield Complaint("square_missing", _RULE, facts={"piece": name})
        yield from _mascot(state, demand.seat, action)

    def write(self, state: State, demand: Demand, action: Place) -> str:
        """The setup in canonical text, without the header (609)."""
        groups: dict[str, list[str]] = {}
        for spot in action.spots:
            groups.setdefault(spot.piece, []).append(spot.square)
        where = {name: ", ".join(squares) for name, squares in groups.items()}
        where |= {KING: action.king, DOLLARMAN: action.dollarman}
        named = action.mascot_piece or state.player(demand.seat).mascot
        mascot = [f"Mascot: {named} {action.mascot}"] if action.mascot else []
        lines = _laid_out(army_of(state, demand.seat), where)
        return "\n".join([*lines, *mascot, *comment_lines(action.comment)])

    def possible(
        self, state: State, demand: Demand, said: Sequence[str], named: Collection[str]
    ) -> Iterator[Part]:
        """Each piece on each square of the quadrant that nothing is said of, where either is named, and all of a kind
        on all that are; the Mascot where it stands; what is owned, as it is."""
        if state.phase != "setup":
            return iter(())
        lines = Body.of("\n".join(said)).lines
        place = read_setup(state, demand.seat, lines, Party("", demand.seat)).action or Place((), "", "")
        return pointed_at(_parts(state, demand.seat, place, said, named), named)

    def blank(self, state: State, seat: int) -> list[str]:
        """The form, prefilled with what is owned."""
        army, mascot = army_of(state, seat), state.player(seat).mascot
        lines = _laid_out(army, dict.fromkeys((*army, KING, DOLLARMAN), SLOT))
        return [*lines, *([f"Mascot: {mascot} {SLOT}"] if mascot else [])]

    def mended(self, state: State, demand: Demand, draft: Reading[Place]) -> Form:
        """605.B: what is owned put right; every square that was named, where it was named."""
        seat = demand.seat
        if not draft.orders:
            return Form("\n".join(self.blank(state, seat)))
        said: Laid = draft.understood
        army, sheet = army_of(state, seat), said.said.sheet
        placed = [line for line in said.placed if line.piece or not KEYS.begin(f"{line.name}:")]
        strange = [line.line for line in said.placed if line not in placed]
        groups = _said_squares(placed)
        named = dict.fromkeys((*army, *groups, KING, DOLLARMAN))
        where = {name: ", ".join(groups.get(name, ())) or SLOT for name in named}
        lines = [
            *_laid_out(army, where),
            *_mascot_lines(state, seat, said.said, groups),
            *comment_lines(sheet.comment),
        ]
        unread = (*said.unknown, *strange, *(complaint.line for complaint in sheet.complaints))
        chosen = (*left_out(unread), *_recounted(placed))
        return Form("\n".join(lines), chosen, (*said.said.keyed, *(line.line for line in placed)))

    def follow(self, record: Told, answers: Mapping[Demand, Place | Lapse]) -> None:
        """After all setups comes the play (606): the Neutron on the centre square (905)."""
        super().follow(record, answers)
        record.tell(ev.PlayBegun(record.state.cycle, record.state.next_piece, CENTRE))
        record.tell(*turn_begun(record.state))

    def act(self, record: Told, seat: int, action: Place) -> None:
        """Pieces of one type are taken in the order of their ids."""
        waiting: dict[str, list[Piece]] = {}
        for piece in record.state.off_board(seat):
            waiting.setdefault(piece.type, []).append(piece)
        spots = [spot for _, spot in _places(action)]
        placed = (ev.Placement(waiting[spot.piece].pop(0).id, spot.piece, spot.square) for spot in spots)
        record.tell(ev.ArmyPlaced(seat, tuple(placed), action.mascot, action.comment))

    def lapse(self, record: Told, demand: Demand) -> None:
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
        first = sorted(names, key=lambda name: (name != chosen, -catalogue.by_name[name].value))[
            : len(squares)
        ]
        placed: dict[str, list[str]] = {lot.piece: [] for lot in player.army}
        for name, square in zip(first, squares, strict=False):
            placed[name].append(square)
        spots = tuple(
            Spot(name, square)
            for name, where in placed.items()
            for square in sorted(where, key=NUMBERS.__getitem__)
        )
        return Place(spots, king, dollarman, placed[chosen][0] if chosen else "", chosen)


# --- what may be said ------------------------------------------------------------------------------------------------


def _parts(
    state: State, seat: int, place: Place, said: Sequence[str], named: Collection[str]
) -> Iterator[Part]:
    catalogue, army, chosen = (
        catalogue_of(state.rules.pieces),
        army_of(state, seat),
        state.player(seat).mascot,
    )
    taken = Counter(spot.piece for _, spot in _places(place))
    used = {spot.square for _, spot in _places(place)}
    free = [square for square in quadrant_squares(seat) if square not in used]
    told = [square for square in free if square in named]
    for name, count in {**army, KING: 1, DOLLARMAN: 1}.items():
        words = tuple(("piece", word) for word in called(catalogue.by_name[name]))
        spoken, left = not {word for _, word in words}.isdisjoint(named), count - taken[name]
        if spoken and 1 < len(told) <= left:
            yield Part(f"{name}: {', '.join(told)}", (*words, *_squares_named(told)))
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


def _squares_named(squares: Iterable[str]) -> Iterator[tuple[str, str]]:
    for number, square in enumerate(squares, 1):
        yield (f"square {number}" if number > 1 else "square"), square


# --- judging ---------------------------------------------------------------------------------------------------------


def _places(place: Place) -> Iterator[tuple[str, Spot]]:
    """Every square with what is to stand there, King and Dollarman among them, each with the name of its part."""
    for number, spot in enumerate(place.spots):
        yield f"spots.{number}", spot
    for name, part, square in ((KING, "king", place.king), (DOLLARMAN, "dollarman", place.dollarman)):
        if square:
            yield part, Spot(name, square)


def _groups(place: Place) -> dict[str, list[str]]:
    """The names of the parts that place each bought piece."""
    groups: dict[str, list[str]] = {}
    for number, spot in enumerate(place.spots):
        groups.setdefault(spot.piece, []).append(f"spots.{number}")
    return groups


def _counts(state: State, seat: int, place: Place) -> Iterable[Complaint]:
    army = army_of(state, seat)
    for name, parts in _groups(place).items():
        if name not in army:
            yield Complaint("not_owned", "605.A", facts={"piece": name}, part=parts[0])
        elif len(parts) > army[name]:
            facts = {"piece": name, "placed": len(parts), "owned": army[name]}
            yield Complaint("more_than_owned", "605.A", facts=facts, part=parts[army[name]])


def _squares(seat: int, place: Place) -> Iterable[Complaint]:
    taken: dict[str, str] = {}
    for part, spot in _places(place):
        facts: dict[str, object] = {"square": spot.square, "piece": spot.piece}
        if spot.square not in NUMBERS:
            yield Complaint("off_board", "800", facts=facts, part=part)
            continue
        if spot.square in taken:
            yield Complaint("square_twice", "605.A", facts=facts | {"other": taken[spot.square]}, part=part)
        taken.setdefault(spot.square, spot.piece)
        owner = quadrant_of(spot.square)
        if owner == 0:
            yield Complaint("neutral_square", "605.A", facts=facts | {"quadrant": _corners(seat)}, part=part)
        elif owner != seat:
            facts |= {"owner": owner, "quadrant": _corners(seat)}
            yield Complaint("wrong_quadrant", "605.A", facts=facts, part=part)


def _corners(seat: int) -> str:
    squares = quadrant_squares(seat)
    return f"{squares[0]} to {squares[-1]}"


def _least_value(state: State, seat: int, place: Place) -> Iterable[Complaint]:
    """605.A: so many per cent of the army's material value stand on the board; King and Dollarman count nothing."""
    catalogue = catalogue_of(state.rules.pieces)
    army = army_of(state, seat)
    placed = [Lot(name, min(len(parts), army.get(name, 0))) for name, parts in _groups(place).items()]
    has, of = value(placed, catalogue), value(state.player(seat).army, catalogue)
    percent = state.rules.least_spent
    if has * 100 < percent * of and not place.gaps:
        facts = {"placed": has, "of": of, "percent": percent, "least": -(-of * percent // 100)}
        yield Complaint("too_little_placed", "605.A", facts=facts)


def _mascot(state: State, seat: int, place: Place) -> Iterable[Complaint]:
    """605.B.vi: the piece named in the purchase, on one of its squares."""
    chosen, rule = state.player(seat).mascot, "605.B.vi"
    facts = {"mascot": chosen, "stated": place.mascot_piece, "square": place.mascot}
    if not chosen:
        if place.mascot or place.mascot_piece:
            yield Complaint("no_mascot", rule, facts=facts, part="mascot")
        return
    if place.mascot_piece and place.mascot_piece != chosen:
        yield Complaint("mascot_changed", rule, facts=facts, part="mascot")
    stand = [spot.square for spot in place.spots if spot.piece == chosen]
    if not place.mascot:
        yield Complaint("mascot_square_missing", rule, facts=facts | {"squares": stand}, part="mascot")
    elif place.mascot not in stand and (place.mascot_piece or chosen) == chosen:
        yield Complaint("mascot_elsewhere", rule, facts=facts | {"squares": stand}, part="mascot")


# --- writing, mending ------------------------------------------------------------------------------------------------


def _laid_out(army: Mapping[str, int], where: Mapping[str, str]) -> list[str]:
    """A setup in lines: what is owned, where each piece stands, King and Dollarman last."""
    owned = [f"{count} {name}" for name, count in army.items()] or ["none"]
    bought = [f"{name}: {squares}" for name, squares in where.items() if name not in (KING, DOLLARMAN)]
    single = [f"{name}: {where[name]}" for name in (KING, DOLLARMAN)]
    return ["Pieces owned:", *owned, "", "Setup:", *(bought or ["none"]), "", *single]


def _said_squares(placed: Iterable[Placing]) -> dict[str, list[str]]:
    """The squares of each piece, in the order in which they were named; words that are no squares among them."""
    groups: dict[str, list[str]] = {}
    for line in placed:
        groups.setdefault(line.piece or line.name, []).extend((*line.squares, *line.unclear))
    for name in (KING, DOLLARMAN):  # of which there is one
        groups[name] = list(dict.fromkeys(groups.get(name, ())))
    return groups


def _recounted(placed: Iterable[Placing]) -> Iterator[str]:
    """Where the number of pieces stated was not that of the squares."""
    for line in placed:
        if line.count is not None and line.count != len(line.squares) and not line.unclear:
            squares = f"{len(line.squares)} square{'' if len(line.squares) == 1 else 's'}"
            yield f"You wrote {line.count} {line.piece or line.name} with {squares}; the form has the squares."


def _mascot_lines(state: State, seat: int, form: Filled, groups: dict[str, list[str]]) -> Iterator[str]:
    """The Mascot's line as it was said; where only one square can be meant, with that."""
    mascot = state.player(seat).mascot
    if not mascot:
        return
    stand = groups.get(mascot, [])
    said = {folded(entry.value): entry for entry in form.entries("Mascot")}
    for entry in said.values():
        name, squares = mascot_parts(entry)
        found = catalogue_of(state.rules.pieces).find(name)
        where = ", ".join(squares) or (stand[0] if len(stand) == 1 else SLOT)
        yield f"Mascot: {mascot if where in stand else found.name if found else name or mascot} {where}"
    if not said:
        yield f"Mascot: {mascot} {stand[0] if len(stand) == 1 else SLOT}"
