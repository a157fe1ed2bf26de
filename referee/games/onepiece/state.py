"""The rules a match is judged by, and how it stands."""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from referee.core.codec import Value
from referee.core.duel import MatchDecided
from referee.games.onepiece.board import Colour, Grid, piece_of, ply_of

Phase = Literal["setup", "play", "verdict", "evidence", "demonstration", "over"]
Edge = Literal["", "south", "north", "east", "west"]
Verdict = Literal["proved", "refuted", "unknown"]
Proof: TypeAlias = dict[str, Any]  # JSON, as `checker.py` describes and checks it

# The orders of the seats in the three pairings: partners sit two apart (4.1).
ORDERS = ((1, 2, 3, 4), (1, 3, 2, 4), (1, 2, 4, 3))


class Law(Value):
    """All options, as the opening recorded them; 0 for `repetition` and `max_relocations` is off, `starter` 0 was
    drawn, `colours` and `edge` "" are asked for; `claiming`: four players play the tournament, with claims."""

    seats: int = 2
    claiming: bool = True
    cols: int = 8
    rows: int = 8
    pieces: int = 20
    games: int = 1
    starter: int = 0
    colours: Literal["", "red", "blue"] = ""
    edge: Edge = ""
    repetition: int = 3
    max_relocations: int = 100
    target: int = 10
    lead: int = 1
    pairing: Literal["fixed", "rotate"] = "fixed"
    claims: Literal["single", "multiple"] = "single"
    max_claim: int = 8
    claim_n: Literal["any", "partner_only"] = "any"
    claim_test: Literal["exact", "by"] = "exact"
    evidence: Literal["forced", "along_line"] = "forced"
    early_win: Literal["actual", "claimed"] = "actual"
    pay_winner: bool = True
    adjudication: Literal["solver", "players"] = "solver"
    solver_nodes: int = 50_000_000
    evidence_window: timedelta = timedelta(hours=72)
    demonstration_window: timedelta = timedelta(hours=48)
    window: timedelta = timedelta(days=7)
    timeout: Literal["loss", "play"] = "loss"
    press: bool = False

    @property
    def pairs(self) -> bool:
        """Four players, two of each colour."""
        return self.seats == 4

    @property
    def tournament(self) -> bool:
        """Games in pairs for points, with claims."""
        return self.pairs and self.claiming


class Claim(Value):
    """ "My colour wins at ply x + n", made with ply x."""

    seat: int
    ply: int
    n: int

    @property
    def end(self) -> int:
        return self.ply + self.n


class Win(Value):
    """How a game was won: the colour, the seat that moved, and its ply; `how` as GameWon gives the reason."""

    colour: Colour
    seat: int
    ply: int
    how: str = ""


class Demonstration(Value):
    """A claim shown on the board: `before` plies stand as they were played, `shown` are the plies since."""

    claim: Claim
    before: int
    shown: tuple[str, ...] = ()


class State(Value):
    """How a match stands. By seat, the first at index 0: `red` (who plays red), `points` (tournament) or half points
    (a game won 2, drawn 1), `timeouts` (moves in a row the referee played). `gone` are the seats that were resigned,
    `vacant` those that another person may take.

    Of the game: `order` the seats in turn, `first` the seat of ply 1, `plies` all its moves from the empty grid,
    `pieces` on the grid, `base` the number of plies given by a position, `seen` the positions since the box was
    empty, `absent` the plies the referee played, `offer` the seat that offers a draw and `agreed` those who accept.
    Of a game that has ended and is being judged: `win`, and `judged` the claims that wait for a verdict.
    """

    law: Law = Law()
    phase: Phase = "setup"
    game: int = 0
    red: tuple[bool, ...] = ()
    points: tuple[int, ...] = ()
    timeouts: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    vacant: tuple[int, ...] = ()
    colours: Literal["", "red", "blue"] = ""
    edge: Edge = ""
    order: tuple[int, ...] = ()
    first: int = 1
    base: int = 0
    plies: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    relocations: int = 0
    absent: tuple[int, ...] = ()
    offer: int = 0
    agreed: tuple[int, ...] = ()
    claims: tuple[Claim, ...] = ()
    win: Win | None = None
    judged: tuple[Claim, ...] = ()
    demo: Demonstration | None = None
    ended: MatchDecided | None = None

    # --- the grid ----------------------------------------------------------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows: a game edge in the east or west turns the grid on its side (3.2)."""
        turned = self.edge in ("east", "west")
        return (self.law.rows, self.law.cols) if turned else (self.law.cols, self.law.rows)

    @property
    def grid(self) -> Grid:
        return self.grid_of(self.pieces)

    def grid_of(self, pieces: tuple[str, ...]) -> Grid:
        """The grid with these pieces on it."""
        return _grid(*self.size, pieces, self.law.pieces)

    @property
    def box(self) -> int:
        return self.law.pieces - len(self.pieces)

    def grid_before(self, ply: int) -> Grid:
        """The grid as it stood before that ply of this game."""
        return replayed(*self.size, self.law.pieces, self.plies[: ply - 1])

    # --- turns -------------------------------------------------------------------------------------------------

    @property
    def ply(self) -> int:
        """The number of the ply that comes next."""
        return len(self.plies) + 1

    def mover_of(self, ply: int) -> int:
        """Whose ply it is: the seats in turn, from the first."""
        return self.order[(self.order.index(self.first) + ply - 1) % len(self.order)]

    @property
    def mover(self) -> int:
        return self.mover_of(self.ply)

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(range(1, self.law.seats + 1))

    @property
    def active(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.seats if seat not in self.gone)

    def colour_of(self, seat: int) -> Colour:
        return "red" if self.red[seat - 1] else "blue"

    def team(self, colour: Colour) -> tuple[int, ...]:
        """The seats of a colour, in seat order."""
        return tuple(seat for seat in self.seats if self.red[seat - 1] == (colour == "red"))

    def partner(self, seat: int) -> int:
        """The other seat of the same colour, two plies later (4.1); with two players the seat itself."""
        return self.order[(self.order.index(seat) + 2) % len(self.order)]

    # --- claims --------------------------------------------------------------------------------------------------

    @property
    def limit(self) -> int | None:
        """The ply at which pending claims end the game (4.2)."""
        return min((claim.end for claim in self.claims), default=None)

    def own_plies(self, claim: Claim) -> tuple[int, ...]:
        """The plies of the claimer's colour that were played after the claim, down to the one it is about: one of them
        may be changed in a demonstration (4.4)."""
        return tuple(range(claim.ply + 2, min(claim.end, len(self.plies)) + 1, 2))

    @property
    def shown_plies(self) -> tuple[str, ...]:
        """The plies of the grid that letters show: in a demonstration its own, after those of the game it keeps."""
        return self.plies if self.demo is None else (*self.plies[: self.demo.before], *self.demo.shown)

    @property
    def shown_ply(self) -> int:
        """The number of the ply that comes next on that grid."""
        return len(self.shown_plies) + 1

    @property
    def shown_grid(self) -> Grid:
        return self.grid if self.demo is None else replayed(*self.size, self.law.pieces, self.shown_plies)


@lru_cache(maxsize=256)
def _grid(cols: int, rows: int, pieces: tuple[str, ...], box: int) -> Grid:
    return Grid(cols, rows, (piece_of(text) for text in pieces), box - len(pieces))


@lru_cache(maxsize=64)
def replayed(cols: int, rows: int, box: int, plies: tuple[str, ...]) -> Grid:
    """The grid after those plies from the empty one."""
    grid = Grid(cols, rows, (), box)
    for text in plies:
        grid = grid.after(ply_of(text))
    return grid
