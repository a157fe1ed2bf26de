"""A legal turn as a seeded player might make it: it takes a King when it can, else the best it sees, else goes near.

For rehearsals and laws only. Such players end their matches because they prefer captures to
everything else."""

from __future__ import annotations

from typing import Final

from referee.core.chance import Chance
from referee.games.fourplay.actions import Bought, Entry, Passed, Step, Turn
from referee.games.fourplay.board.attack import attacked_kings, in_check
from referee.games.fourplay.board.catalogue import catalogue_of
from referee.games.fourplay.board.moves import NeutronRun, moves_of, neutron_runs, placements, run_neutron
from referee.games.fourplay.board.position import Position
from referee.games.fourplay.board.primitives import Move
from referee.games.fourplay.board.squares import NAMES, OFF, SIDE
from referee.games.fourplay.state import NEUTRON, Lot, State
from referee.games.fourplay.turns.effect import Effect, statement
from referee.games.fourplay.turns.judging import judge
from referee.games.fourplay.turns.mending import stated
from referee.games.fourplay.turns.paths import shortest_squares, taken_by

_KING: Final = 10_000
_BUYS: Final = 4  # one turn in so many buys something
PATIENCE: Final = 60  # rounds after which those who do not lead give up
_WANDERS: Final = 6  # the largest share of chance in a move's worth


def leader(state: State) -> int:
    """The player with a King who has most material on the board, the first of them in order."""
    types = catalogue_of(state.rules.pieces).by_name
    worth = {
        seat: sum(types[p.type].value for p in state.on_board() if p.owner == seat) for seat in state.kings
    }
    return max(worth, key=lambda seat: (worth[seat], -seat))


def suggested_turn(state: State, seat: int, chance: Chance) -> Turn:
    """A turn that passes `check`: with the first run of the Neutron after which all goes well, else a pass."""
    start = Position.of(state)
    runs = chance.shuffle(neutron_runs(start), "the Neutron's run")
    for run in sorted(runs, key=lambda run: _run_worth(start, seat, run), reverse=True) or (None,):
        position = Position.of(state, seat)
        if run is not None:
            run_neutron(position, run)
        player = _Player(state, position, seat, chance)
        entries = player.moves()
        if position.kings[seat] < 0 or not in_check(position, seat):
            return _turn(state, seat, run, entries, chance)
    return _turn(state, seat, runs[0] if runs else None, [], chance)


def _run_worth(position: Position, seat: int, run: NeutronRun) -> int:
    """A Gem is good, one's own piece destroyed is bad, one's own King destroyed is the end."""
    gone, worth = run.destroyed, 3 if run.gem == seat else 0
    if gone is None:
        return worth
    mine = position.cells[gone] & 7 == seat
    king = position.cells[gone] >> 4 == position.king
    return worth + (-1 if mine else 1) * (_KING if king else 5)


def _turn(state: State, seat: int, run: NeutronRun | None, entries: list[Entry], chance: Chance) -> Turn:
    """The lines with their statements, as the judge finds them; a purchase now and then."""
    first: list[Entry] = [Step(NEUTRON, (NAMES[run.start], NAMES[run.end]))] if run is not None else []
    judged = judge(state, seat, Turn((*first, *entries)))
    told = stated(judged)
    if judged.over:
        return Turn(told)
    if not entries:
        told = (*told, Passed())
    earned = sum(played.effect.received for played in judged.played)
    bought = _purchase(state, seat, state.player(seat).money + earned, chance)
    whole = Turn((*told, bought) if bought is not None else told)
    # what the turn itself has brought in counts among what one owns (608)
    return whole if bought is None or not judge(state, seat, whole).complaints else Turn(told)


def _purchase(state: State, seat: int, money: int, chance: Chance) -> Bought | None:
    """One piece that can be paid and owned, now and then."""
    if chance.below(_BUYS, "whether to buy"):
        return None
    catalogue, owned = catalogue_of(state.rules.pieces), Position.of(state).owned(seat)
    wanted = [
        piece
        for piece in catalogue.types
        if piece.for_sale and piece.price <= money and catalogue.one_more(piece.name, owned)
    ]
    if not wanted:
        return None
    piece = wanted[chance.below(len(wanted), "what to buy")]
    return Bought((Lot(piece.name, 1),), piece.price)


class _Player:
    """Chooses move after move on a board that it changes."""

    def __init__(self, state: State, position: Position, seat: int, chance: Chance) -> None:
        self.state, self.position, self.seat, self.chance = state, position, seat, chance
        self.left = len(Position.of(state).seats_with_king()) - 1
        self.moved: set[int] = set()
        self.annoyed: set[int] = set()
        self.off = [piece for piece in state.off_board(seat) if not piece.mascot]

    def moves(self) -> list[Entry]:
        """As many good moves as are allowed, each legal; none where no move is."""
        found: list[Entry] = []
        while self.left and self.position.kings[self.seat] >= 0 and len(self.position.seats_with_king()) > 1:
            before = set(attacked_kings(self.position, self.seat))
            if (step := self._moved(before) or self._placed(before)) is None:
                break
            found.append(step)
            self.left -= 1
        return found

    def _moved(self, before: set[int]) -> Entry | None:
        """Makes the best legal move there is."""
        for move in self._ranked():
            captures = taken_by(self.state, self.position, move.captures)
            squares = shortest_squares(self.position, move)
            name, identity = self.position.name(move.start), self.position.identities[move.start]
            undo = self.position.play(move)
            if self._fair(identity, {taken.owner for taken in captures}, before):
                effect = Effect(captures, where=move.start == move.end and not move.via)
                return Step(name, squares, tuple(c for c in statement(effect) if c.kind == "capture"))
            self.position.undo(undo)
        return None

    def _fair(self, identity: int, toward: set[int], before: set[int]) -> bool:
        """Whether what a piece has just done is legal; then it is remembered."""
        toward |= set(attacked_kings(self.position, self.seat)) - before
        if toward & self.annoyed or in_check(self.position, self.seat):
            return False
        self.annoyed |= toward
        self.moved.add(identity)
        return True

    def _ranked(self) -> list[Move]:
        position, seat = self.position, self.seat
        free = [s for s in position.men[seat] if position.identities[s] not in self.moved]
        moves = list(moves_of(position, seat, sorted(free)))
        if not moves:
            return []
        spice = [self.chance.below(_WANDERS, "a move's charm") for _ in moves]
        kings = [square for owner, square in enumerate(position.kings) if square >= 0 and owner != seat]
        worth = [self._worth(move, kings) + more for move, more in zip(moves, spice, strict=True)]
        order = sorted(range(len(moves)), key=lambda index: -worth[index])
        return [moves[index] for index in order]

    def _worth(self, move: Move, kings: list[int]) -> int:
        """Captures by value, above all a King; else every square nearer to a King; one's own King stays at home."""
        position = self.position
        worth = 0
        for square in move.captures:
            kind = position.cells[square] >> 4
            worth += _KING if kind == position.king else 20 + 10 * position.catalogue.types[kind].value
        if position.cells[move.start] >> 4 == position.king:
            return worth - 5
        return (
            worth
            + min(_far(move.start, king) for king in kings)
            - min(_far(move.end, king) for king in kings)
        )

    def _placed(self, before: set[int]) -> Entry | None:
        """A piece from off the board, where that is legal."""
        for piece in self.off:
            kind = self.position.catalogue.numbers[piece.type]
            squares = placements(self.position, self.seat, kind)
            for square in self.chance.shuffle(squares, "where to place"):
                self.position.place(square, self.seat, kind, piece.id)
                if self._fair(piece.id, set(), before):
                    self.off.remove(piece)
                    return Step(piece.type, (OFF, NAMES[square]))
                self.position.take_back(square)
        return None


def _far(square: int, king: int) -> int:
    """King's steps between two squares."""
    return max(abs(square % SIDE - king % SIDE), abs(square // SIDE - king // SIDE))
