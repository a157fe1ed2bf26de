"""What the page that writes a mail by clicks must know: the catalogue with its moves, and who owns what.

Its script, `templates/fourplay/form.js`, makes the moves of pieces from the same primitives as the kernel does.
"""

from __future__ import annotations

from dataclasses import asdict

from referee.core.capabilities import BoardForm
from referee.games.fourplay.army.purchase import least_cost
from referee.games.fourplay.board.catalogue import PieceType, catalogue_of
from referee.games.fourplay.board.primitives import PRIMITIVES
from referee.games.fourplay.letters.views import COLOURS, SHAPES
from referee.games.fourplay.owing import last_made
from referee.games.fourplay.state import Player, State

_NAMES = {kind: name for name, kind in PRIMITIVES.items()}


def clickable(state: State) -> BoardForm:
    """`types` in the catalogue's order, `pieces` on and off the board (owner 0 is nobody's), `players` by seat, `last`
    the last turn that was made (cycle, round, player) or null, `looks` the colours and shapes of the players."""
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
            "players": {str(player.seat): _player(player) for player in state.players},
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


def _player(player: Player) -> dict[str, object]:
    return {
        "money": player.money,
        "army": [[lot.piece, lot.count] for lot in player.army],
        "mascot": player.mascot,
        "waits": player.mascot_waits,
        "earlier": [list(types) for types in player.earlier],
    }
