"""What stands at any moment of a Fourplay match: the rules it is judged by, players, pieces, phase and turn.

All values are frozen and small; a piece keeps its identity (607.B.ii) from the purchase on. The
catalogue and every option are part of the state, as the opening event recorded them: judging never
reads a file."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any, Literal

from referee.core.diagram import Mark
from referee.core.value import Value

Phase = Literal["ready", "purchase", "setup", "play", "waiting", "ended"]

SEATS = (1, 2, 3, 4)
NEUTRON, KING, DOLLARMAN = "Neutron", "King", "Dollarman"
CENTRE = "h8"
HOME_CORNERS = {1: "o15", 2: "a15", 3: "a1", 4: "o1"}  # 605.E, part C


class Rules(Value):
    """Every option of the match, and the piece catalogue as canonical JSON text."""

    pieces: str = "{}"
    cycles: int = 1
    waiting_period: timedelta = timedelta(0)
    purchase_window: timedelta = timedelta(days=14)
    setup_window: timedelta = timedelta(days=14)
    turn_window: timedelta = timedelta(days=7)
    on_timeout: Literal["pass", "hold"] = "pass"
    statements: Literal["strict", "full", "lenient"] = "strict"
    catalogue: str = "authentic"
    capture_reward: Literal["value", "0"] = "value"
    dollarman_income: int = 10
    dollarman_reward: int = 50
    budget: int = 615
    least_spent: int = 85  # per cent, of the budget (604.A) and of the army's value (605.A)


class Lot(Value):
    """So many pieces of one type, by catalogue name."""

    piece: str
    count: int


GIVEN = (Lot(KING, 1), Lot(DOLLARMAN, 1))  # 604.A


class Player(Value):
    """One seat. `army` is what it bought in this cycle's Initial Purchase; `mascot` the type named
    there; `earlier` its Beethoven Sets (604.C) of the cycles before, each a sorted tuple of piece
    names. `mascot_waits`: no setup has placed the Mascot (605.E)."""

    seat: int
    ready: bool = False
    left: bool = False
    office: str = ""
    colours: tuple[str, ...] = ()
    trim: tuple[str, ...] = ()
    money: int = 0
    gems: int = 0
    army: tuple[Lot, ...] = ()
    mascot: str = ""
    mascot_waits: bool = False
    earlier: tuple[tuple[str, ...], ...] = ()


class Piece(Value):
    """One piece. `owner` is None for the Neutron; `square` is None off the board. An off-board
    piece with `mascot` set is a captured Mascot that its owner may put back (610.d)."""

    id: int
    type: str
    owner: int | None
    square: str | None = None
    mascot: bool = False


class LastTurn(Value):
    """What the pictures mark: the last turn's squares, and the turn in words for those who cannot see it."""

    player: int
    marks: tuple[Mark, ...] = ()
    sentences: tuple[str, ...] = ()


class CycleResult(Value):
    """One line of the standings: who kept the last King (None: nobody), F$ and gems by seat."""

    cycle: int
    winner: int | None
    money: tuple[int, ...]
    gems: tuple[int, ...]
    round: int = 0
    player: int = 0


class State(Value):
    """A match. `start` counts how often the phase has begun: again, once a left seat is filled (104).
    `unnamed`: the cycle whose rounds are named without it, the only one when the match opened; 0: none."""

    rules: Rules = Rules()
    unnamed: int = 0
    phase: Phase = "ready"
    cycle: int = 1
    start: int = 1
    round: int = 0
    to_move: int = 0
    players: tuple[Player, ...] = tuple(Player(seat) for seat in SEATS)
    pieces: tuple[Piece, ...] = ()
    next_piece: int = 1
    last: LastTurn | None = None
    results: tuple[CycleResult, ...] = ()
    winners: tuple[int, ...] = ()
    reason: str = ""

    def player(self, seat: int) -> Player:
        return self.players[seat - 1]

    def on_board(self) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if piece.square is not None)

    def off_board(self, seat: int) -> tuple[Piece, ...]:
        """The seat's pieces off the board, a captured Mascot among them."""
        return tuple(piece for piece in self.pieces if piece.owner == seat and piece.square is None)

    def at(self, square: str) -> Piece | None:
        return next((piece for piece in self.pieces if piece.square == square), None)

    def piece(self, identity: int) -> Piece:
        return next(piece for piece in self.pieces if piece.id == identity)

    @property
    def vacant(self) -> tuple[int, ...]:
        """The seats whose players have left, in order."""
        return tuple(player.seat for player in self.players if player.left)

    @property
    def kings(self) -> tuple[int, ...]:
        """The seats with a King on the board, in order."""
        return tuple(
            sorted(p.owner for p in self.pieces if p.type == KING and p.owner is not None and p.square)
        )

    def with_player(self, seat: int, **changes: Any) -> State:
        changed = (replace(p, **changes) if p.seat == seat else p for p in self.players)
        return replace(self, players=tuple(changed))

    def with_piece(self, identity: int, **changes: Any) -> State:
        changed = (replace(p, **changes) if p.id == identity else p for p in self.pieces)
        return replace(self, pieces=tuple(changed))

    def without_piece(self, identity: int) -> State:
        return replace(self, pieces=tuple(p for p in self.pieces if p.id != identity))

    def with_new_pieces(self, owner: int | None, lots: tuple[Lot, ...]) -> State:
        """New pieces off the board, their ids in the order of the lots."""
        names = [lot.piece for lot in lots for _ in range(lot.count)]
        new = tuple(Piece(self.next_piece + i, name, owner) for i, name in enumerate(names))
        return replace(self, pieces=self.pieces + new, next_piece=self.next_piece + len(new))
