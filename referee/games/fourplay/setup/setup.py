"""The Initial Setup (605): which setups are allowed, what they look like, what a revealed one changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.game import Party
from referee.games.fourplay.actions import Place, Spot
from referee.games.fourplay.army.catalogue import catalogue_of
from referee.games.fourplay.army.purchase import value
from referee.games.fourplay.board.squares import NAMES, NUMBERS, quadrant_of
from referee.games.fourplay.events import ArmyPlaced, KingPlacedAlone, Placement
from referee.games.fourplay.notation import SLOT, comment_lines, header_lines
from referee.games.fourplay.state import DOLLARMAN, HOME_CORNERS, KING, Lot, Piece, State

_RULE: Final = "605.B"


def quadrant_squares(seat: int) -> tuple[str, ...]:
    """The 49 squares of the player's quadrant."""
    return tuple(name for name in NAMES if quadrant_of(name) == seat)


def army_of(state: State, seat: int) -> dict[str, int]:
    return {lot.piece: lot.count for lot in state.player(seat).army}


# --- judging ------------------------------------------------------------------------------------------------------


def setup_complaints(state: State, seat: int, place: Place) -> tuple[Complaint, ...]:
    """Every reason why the setup is not allowed; of one with gaps only what holds however they are filled."""
    return (
        *_counts(state, seat, place),
        *_squares(seat, place),
        *_least_value(state, seat, place),
        *_missing(place),
        *_mascot(state, seat, place),
    )


def _counts(state: State, seat: int, place: Place) -> Iterable[Complaint]:
    army = army_of(state, seat)
    for name, spots in _groups(place).items():
        if name not in army:
            yield Complaint("not_owned", "605.A", spots[0].line, {"piece": name})
        elif len(spots) > army[name]:
            facts = {"piece": name, "placed": len(spots), "owned": army[name]}
            yield Complaint("more_than_owned", "605.A", spots[army[name]].line, facts)


def _spots(place: Place) -> list[Spot]:
    """Every square with what is to stand there, King and Dollarman among them."""
    return [
        *place.spots,
        *([Spot(KING, place.king, place.king_line)] if place.king else []),
        *([Spot(DOLLARMAN, place.dollarman, place.dollarman_line)] if place.dollarman else []),
    ]


def _squares(seat: int, place: Place) -> Iterable[Complaint]:
    taken: dict[str, str] = {}
    for spot in _spots(place):
        facts: dict[str, object] = {"square": spot.square, "piece": spot.piece}
        if spot.square not in NUMBERS:
            yield Complaint("off_board", "800", spot.line, facts)
            continue
        if spot.square in taken:
            yield Complaint("square_twice", "605.A", spot.line, facts | {"other": taken[spot.square]})
        taken.setdefault(spot.square, spot.piece)
        owner = quadrant_of(spot.square)
        if owner == 0:
            yield Complaint("neutral_square", "605.A", spot.line, facts | {"quadrant": _corners(seat)})
        elif owner != seat:
            yield Complaint(
                "wrong_quadrant", "605.A", spot.line, facts | {"owner": owner, "quadrant": _corners(seat)}
            )


def _corners(seat: int) -> str:
    squares = quadrant_squares(seat)
    return f"{squares[0]} to {squares[-1]}"


def _least_value(state: State, seat: int, place: Place) -> Iterable[Complaint]:
    """605.A: so many per cent of the army's material value stand on the board; King and Dollarman count nothing."""
    catalogue = catalogue_of(state.rules.pieces)
    army = army_of(state, seat)
    placed = [Lot(name, min(len(spots), army.get(name, 0))) for name, spots in _groups(place).items()]
    has, of, percent = (
        value(placed, catalogue),
        value(state.player(seat).army, catalogue),
        state.rules.least_spent,
    )
    if has * 100 < percent * of and not place.gaps:
        facts = {"placed": has, "of": of, "percent": percent, "least": -(-of * percent // 100)}
        yield Complaint("too_little_placed", "605.A", None, facts)


def _missing(place: Place) -> Iterable[Complaint]:
    for name, square in ((KING, place.king), (DOLLARMAN, place.dollarman)):
        if not square:
            yield Complaint("square_missing", _RULE, None, {"piece": name})


def _mascot(state: State, seat: int, place: Place) -> Iterable[Complaint]:
    """605.B.vi: the piece named in the purchase, on one of its squares."""
    chosen, rule = state.player(seat).mascot, "605.B.vi"
    facts = {"mascot": chosen, "stated": place.mascot_piece, "square": place.mascot}
    if not chosen:
        if place.mascot or place.mascot_piece:
            yield Complaint("no_mascot", rule, place.mascot_line, facts)
        return
    if place.mascot_piece and place.mascot_piece != chosen:
        yield Complaint("mascot_changed", rule, place.mascot_line, facts)
    stand = [spot.square for spot in place.spots if spot.piece == chosen]
    if not place.mascot:
        yield Complaint("mascot_square_missing", rule, place.mascot_line, facts | {"squares": stand})
    elif place.mascot not in stand and (place.mascot_piece or chosen) == chosen:
        yield Complaint("mascot_elsewhere", rule, place.mascot_line, facts | {"squares": stand})


def _groups(place: Place) -> dict[str, list[Spot]]:
    groups: dict[str, list[Spot]] = {}
    for spot in place.spots:
        groups.setdefault(spot.piece, []).append(spot)
    return groups


# --- writing ------------------------------------------------------------------------------------------------------


def owned_lines(army: Mapping[str, int]) -> list[str]:
    return ["Pieces owned:", *([f"{count} {name}" for name, count in army.items()] or ["none"])]


def setup_text(state: State, seat: int, place: Place) -> str:
    """The setup in canonical text, without the header (609)."""
    groups = {name: [spot.square for spot in spots] for name, spots in _groups(place).items()}
    lines = [f"{name}: {', '.join(squares)}" for name, squares in groups.items()] or ["none"]
    mascot = f"{place.mascot_piece or state.player(seat).mascot} {place.mascot}"
    return "\n".join(
        [
            *owned_lines(army_of(state, seat)),
            "",
            "Setup:",
            *lines,
            "",
            f"King: {place.king}",
            f"Dollarman: {place.dollarman}",
            *([f"Mascot: {mascot}"] if place.mascot else []),
            *comment_lines(place.comment),
        ]
    )


def setup_form(state: State, seat: int, party: Party, draft: Place | None) -> str:
    """The form, prefilled with who sends it and what is owned; with a draft, that setup."""
    if draft is not None:
        return "\n".join([*header_lines(party), "", setup_text(state, seat, draft)])
    army, mascot = army_of(state, seat), state.player(seat).mascot
    return "\n".join(
        [
            *header_lines(party),
            "",
            *owned_lines(army),
            "",
            "Setup:",
            *([f"{name}: {SLOT}" for name in army] or ["none"]),
            "",
            f"King: {SLOT}",
            f"Dollarman: {SLOT}",
            *([f"Mascot: {mascot} {SLOT}"] if mascot else []),
        ]
    )


# --- resolving, suggesting ----------------------------------------------------------------------------------------


def army_placed(state: State, seat: int, place: Place) -> ArmyPlaced:
    """The fact of a valid setup: which piece stands where. Pieces of one type are taken in the order of their ids."""
    waiting: dict[str, list[Piece]] = {}
    for piece in state.off_board(seat):
        waiting.setdefault(piece.type, []).append(piece)
    placements = tuple(
        Placement(waiting[spot.piece].pop(0).id, spot.piece, spot.square) for spot in _spots(place)
    )
    return ArmyPlaced(seat, placements, place.mascot, place.comment)


def king_placed_alone(state: State, seat: int) -> KingPlacedAlone:
    """605.E: no valid setup came; the King alone goes on the board, everything else stays off it."""
    king = next(piece for piece in state.off_board(seat) if piece.type == KING)
    mascot = state.player(seat).mascot if state.rules.mascot_waits else ""
    return KingPlacedAlone(seat, king.id, HOME_CORNERS[seat], mascot)


def suggested_setup(state: State, seat: int, chance: Chance) -> Place:
    """Every piece on a random square; of an army larger than the quadrant, the most valuable pieces."""
    catalogue = catalogue_of(state.rules.pieces)
    king, dollarman, *squares = chance.shuffle(quadrant_squares(seat), "squares")
    names = [lot.piece for lot in state.player(seat).army for _ in range(lot.count)]
    chosen = state.player(seat).mascot
    first = sorted(names, key=lambda name: (name != chosen, -catalogue.by_name[name].value))[: len(squares)]
    placed: dict[str, list[str]] = {lot.piece: [] for lot in state.player(seat).army}
    for name, square in zip(first, squares, strict=False):
        placed[name].append(square)
    spots = tuple(Spot(name, square) for name, where in placed.items() for square in where)
    return Place(spots, king, dollarman, placed[chosen][0] if chosen else "", chosen)
