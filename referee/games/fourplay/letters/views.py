"""What a seat, or the public, may know: the facts of the contract, the board's picture, facts for the letters.

Nothing in the state is secret: sealed answers stay with the match until the reveal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Final

from referee.core.capabilities import BoardForm
from referee.core.diagram import Colour, Diagram, Mark, Shape, Tint, Token
from referee.core.game import View
from referee.games.fourplay.board.attack import checkers
from referee.games.fourplay.board.catalogue import Catalogue, PieceType, catalogue_of
from referee.games.fourplay.board.position import Position
from referee.games.fourplay.board.primitives import PRIMITIVES
from referee.games.fourplay.board.squares import COLUMNS, NAMES, NUMBERS, quadrant_of
from referee.games.fourplay.cycles import cycles_won, last_made
from referee.games.fourplay.forms import purchase, setup
from referee.games.fourplay.forms.purchase import least_cost
from referee.games.fourplay.state import CENTRE, DOLLARMAN, HOME_CORNERS, KING, SEATS, Piece, Player, State

COLOURS: Final[dict[int, Colour]] = {1: "red", 2: "blue", 3: "green", 4: "yellow"}
SHAPES: Final[dict[int, Shape]] = {1: "disc", 2: "square", 3: "diamond", 4: "hexagon"}
_REGIONS: Final[dict[int, Tint]] = {0: "neutral", 1: "region1", 2: "region2", 3: "region3", 4: "region4"}
_QUADRANTS: Final = {1: "upper right", 2: "upper left", 3: "lower left", 4: "lower right"}


ROWS: Final = tuple(str(row) for row in range(15, 0, -1))
TINTS: Final = tuple((name, _REGIONS[quadrant_of(name)]) for name in NAMES)
_HOMES: Final[tuple[tuple[str, Tint], ...]] = tuple((square, "home") for square in HOME_CORNERS.values())


def view(state: State) -> View:
    """The one gate; a seat learns no more than the public does."""
    drawn = state.phase in ("setup", "play") or bool(state.on_board())
    return View(state.phase, position(state), diagram(state) if drawn else None, _facts(state))


def position(state: State) -> dict[str, object]:
    """The contract's "Facts in `position`"."""
    off = Counter((piece.owner, piece.type) for piece in state.pieces if piece.square is None)
    return {
        "cycle": state.cycle,
        "round": state.round,
        "pieces": [
            {"square": piece.square, "piece": piece.type, "player": piece.owner, "mascot": piece.mascot}
            for piece in sorted(state.on_board(), key=_place)
        ],
        "off_board": [
            {"player": owner, "piece": name, "count": count} for (owner, name), count in off.items()
        ],
        "money": {str(player.seat): player.money for player in state.players},
        "gems": {str(player.seat): player.gems for player in state.players},
    }


def _place(piece: Piece) -> int:
    return NUMBERS.get(piece.square or "", -1)


# --- the picture --------------------------------------------------------------------------------------------------


def diagram(state: State) -> Diagram:
    """The board, with quadrants, neutral squares, Home Corners, mascots and the last turn marked (part 8)."""
    catalogue = catalogue_of(state.rules.pieces)
    on_board = sorted(state.on_board(), key=_place)
    symbols = {piece.type: catalogue.by_name[piece.type].symbol for piece in on_board}
    centre = () if state.at(CENTRE) else (Mark(CENTRE, "centre"),)
    return Diagram(
        title=_title(state),
        columns=tuple(COLUMNS),
        rows=ROWS,
        tokens=tuple(drawn(catalogue.by_name[p.type], p.square or "", p.owner, p.mascot) for p in on_board),
        tints=(*TINTS, *_HOMES),
        marks=(*centre, *(state.last.marks if state.last else ())),
        legend=(
            *((symbols[piece.name], piece.name) for piece in catalogue.types if piece.name in symbols),
            *((("*", "Mascot"),) if any(piece.mascot for piece in on_board) else ()),
        ),
        sentences=_sentences(state, on_board),
    )


def _title(state: State) -> str:
    cycle = f", cycle {state.cycle}" if state.rules.cycles != 1 else ""
    return f"Fourplay{cycle}" + (f", round {state.round}" if state.phase == "play" else "")


def drawn(piece: PieceType, square: str, owner: int | None, mascot: bool = False) -> Token:
    """A piece as pictures show it."""
    if owner is None:
        return Token(square, piece.symbol, piece.name, "grey", "star")
    name = f"{piece.name} of Player {owner}" + (", Mascot" if mascot else "")
    return Token(square, piece.symbol, name, COLOURS[owner], SHAPES[owner], mascot, str(owner))


def _sentences(state: State, on_board: Sequence[Piece]) -> tuple[str, ...]:
    """The board in words, one sentence for each player, and the last turn."""
    where: dict[int | None, dict[str, list[str]]] = {}
    for piece in on_board:
        mascot = " (Mascot)" if piece.mascot else ""
        where.setdefault(piece.owner, {}).setdefault(piece.type, []).append(f"{piece.square}{mascot}")
    found = [_stands(seat, where.get(seat, {})) for seat in SEATS]
    if neutral := where.get(None):
        found.append(f"The Neutron stands on {next(iter(neutral.values()))[0]}.")
    return (*found, *(state.last.sentences if state.last else ()))


def _stands(seat: int, where: Mapping[str, Sequence[str]]) -> str:
    """Where a player's pieces are, by type."""
    if not where:
        return f"Player {seat} has nothing on the board."
    listed = "; ".join(f"{name} on {', '.join(squares)}" for name, squares in where.items())
    return f"Player {seat} ({_QUADRANTS[seat]}): {listed}."


# --- facts for the letters ----------------------------------------------------------------------------------------


def _facts(state: State) -> dict[str, object]:
    rules, catalogue = state.rules, catalogue_of(state.rules.pieces)
    in_play = {piece.type for piece in state.pieces}
    stands = Position.of(state) if state.phase == "play" else None
    return {
        "cycle": state.cycle,
        "cycles": rules.cycles,
        "start": state.start,
        "round": state.round,
        "budget": rules.budget,
        "least": purchase.least_cost(rules),
        "percent": rules.least_spent,
        "dollarman_income": rules.dollarman_income,
        "dollarman_reward": rules.dollarman_reward,
        "capture_reward": rules.capture_reward,
        "statements": rules.statements,
        "kings": list(state.kings),
        **_pieces(rules.pieces),
        "moves_on_board": [_moves(piece) for piece in catalogue.types if piece.name in in_play],
        "players": [_player(state, catalogue, player, stands) for player in state.players],
    }


@lru_cache(maxsize=8)
def _pieces(recorded: str) -> Mapping[str, object]:
    """What letters say of the catalogue's pieces, which no turn changes."""
    types = catalogue_of(recorded).types
    return {
        "price_table": [
            [piece.name, piece.symbol, f"{piece.price} F$", str(piece.value), _limit(piece)]
            for piece in types
            if piece.for_sale
        ],
        "moves": [_moves(piece) for piece in types],
    }


def _limit(piece: PieceType) -> str:
    others = [f"{o.limit} beside {o.least} or more {o.piece}" for o in piece.limit_if_other]
    return "; ".join([str(piece.limit) if piece.limit is not None else "none", *others])


def _moves(piece: PieceType) -> str:
    return f"{piece.name} ({piece.symbol}): {piece.description}"


def _player(state: State, catalogue: Catalogue, player: Player, stands: Position | None) -> dict[str, object]:
    squares = setup.quadrant_squares(player.seat)
    return {
        "seat": player.seat,
        "ready": player.ready,
        "money": player.money,
        "gems": player.gems,
        "army": [{"piece": lot.piece, "count": lot.count} for lot in player.army],
        "moves": [
            _moves(catalogue.by_name[name]) for name in (KING, DOLLARMAN, *(x.piece for x in player.army))
        ],
        "army_value": purchase.value(player.army, catalogue),
        "mascot": player.mascot,
        "earlier": [list(types) for types in player.earlier if types],
        "won": cycles_won(state, player.seat),
        "quadrant": _QUADRANTS[player.seat],
        "first": squares[0],
        "last": squares[-1],
        "home": HOME_CORNERS[player.seat],
        "off_board": dict(Counter(p.type for p in state.off_board(player.seat) if not p.mascot)),
        "mascot_off": next((p.type for p in state.off_board(player.seat) if p.mascot), ""),
        "checked_by": list(checkers(stands, player.seat)) if stands is not None else [],
    }


_NAMES = {kind: name for name, kind in PRIMITIVES.items()}


def clickable(state: State) -> BoardForm:
    """What the page that writes a mail by clicks must know; its script, `templates/fourplay/form.js`, makes the moves
    from the same primitives as the kernel. `types` in the catalogue's order, `pieces` on and off the board (owner 0
    is nobody's), `players` by seat, `last` the last turn that was made (cycle, round, player) or null, `looks` the
    colours and shapes of the players."""
    rules = state.rules
    catalogue = catalogue_of(rules.pieces)
    return BoardForm(
        {
            "phase": state.phase,
            "budget": rules.budget,
            "least": least_cost(rules),
            "percent": rules.least_spent,
            "statements": rules.statements,
            "rewards": rules.capture_reward == "value",
            "dollarman": rules.dollarman_reward,
            "types": [_type(piece) for piece in catalogue.types],
            "pieces": [[p.id, p.type, p.owner or 0, p.square, p.mascot] for p in state.pieces],
            "players": {str(player.seat): _belongings(player) for player in state.players},
            "last": last_made(state),
            "looks": {str(seat): [COLOURS[seat], SHAPES[seat]] for seat in COLOURS},
        }
    )


def _type(piece: PieceType) -> dict[str, object]:
    return {
        "name": piece.name,
        "symbol": piece.symbol,
        "value": piece.value,
        "price": piece.price,
        "sold": piece.for_sale,
        "mascot": piece.may_be_mascot,
        "limit": piece.limit,
        "others": [asdict(other) for other in piece.limit_if_other],
        "becomes": piece.on_capture == "become_victim",
        "veto": piece.veto == "every limit",
        "bound": piece.end_in == "own_quadrant",
        "harmless": piece.no_capture,
        "immune": piece.uncapturable,
        "moves": [{"by": _NAMES[type(move)], **asdict(move)} for move in piece.moves],
    }


def _belongings(player: Player) -> dict[str, object]:
    return {
        "money": player.money,
        "army": [[lot.piece, lot.count] for lot in player.army],
        "mascot": player.mascot,
        "waits": player.mascot_waits,
        "earlier": [list(types) for types in player.earlier],
    }
