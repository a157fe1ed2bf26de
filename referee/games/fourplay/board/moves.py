"""A board in the kernel's own shape: numbers for squares, pieces and owners, changed in place. A cell holds 0, or
`kind << 4 | immune << 3 | owner`; the Neutron's owner is 5. Immune is what nobody can take.

Which moves a piece has (part B, part D): quiet ones, captures, and those a PrimeMover lends; where the Neutron
runs (905, 607.B.i, 610.b), whose Gem it brings, what its return destroys. Check and attack (607.B.ii, rulings 1 and
2), by the capture rules of the pieces alone; whether there is a remedy (ruling 11).

These are the moves by the rules of the piece alone; check, aggression and the number of moves are the turn's."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from referee.games.fourplay.board import primitives as on
from referee.games.fourplay.board.catalogue import Catalogue, catalogue_of
from referee.games.fourplay.state import KING, NEUTRON, SEATS, Piece, State

NOBODY: Final = 5
_IMMUNE: Final = 8
_OWNERS: Final = range(NOBODY + 1)
_NEIGHBOURS: Final = tuple(
    tuple(near for step in on.ALL8 if (near := on.stepped(square, step)) is not None) for square in on.SQUARES
)

Cell = int


class Position:
    """The pieces of all players. `men[owner]` maps squares to kinds; `kings[owner]` is a square or -1;
    `spare[owner]` counts kinds off the board; `granted` are the moves lent for the whole turn, by identity."""

    __slots__ = ("catalogue", "cells", "granted", "identities", "king", "kings", "men", "neutron", "spare")

    def __init__(self, catalogue: Catalogue, pieces: Iterable[Piece] = ()) -> None:
        self.catalogue = catalogue
        self.king = catalogue.numbers[KING]
        self.cells: list[Cell] = [0] * len(on.SQUARES)
        self.identities: list[int] = [0] * len(on.SQUARES)
        self.men: list[dict[int, int]] = [{} for _ in _OWNERS]
        self.kings: list[int] = [-1 for _ in _OWNERS]
        self.spare: list[Counter[int]] = [Counter() for _ in _OWNERS]
        self.neutron = -1
        self.granted: dict[int, tuple[on.Grant, ...]] = {}
        for piece in pieces:
            owner, kind = piece.owner or NOBODY, catalogue.numbers[piece.type]
            if piece.square is None:
                self.spare[owner][kind] += 1
            else:
                self.put(on.NUMBERS[piece.square], owner, kind, piece.id)

    @classmethod
    def of(cls, state: State, mover: int | None = None) -> "Position":
        """The position of a match; with its `mover`, as his turn begins."""
        position = cls(catalogue_of(state.rules.pieces), state.pieces)
        if mover is not None:
            position.fix_grants(mover)
        return position

    def put(self, square: int, owner: int, kind: int, identity: int) -> None:
        piece = self.catalogue.types[kind]
        immune = _IMMUNE if owner == NOBODY or piece.uncapturable else 0
        self.cells[square] = kind << 4 | immune | owner
        self.identities[square] = identity
        self.men[owner][square] = kind
        if kind == self.king:
            self.kings[owner] = square
        if piece.name == NEUTRON:
            self.neutron = square

    def place(self, square: int, owner: int, kind: int, identity: int) -> None:
        """Put one of the owner's off-board pieces on the board."""
        self.spare[owner] = self.spare[owner] - Counter((kind,))
        self.put(square, owner, kind, identity)

    def remove(self, square: int) -> Cell:
        cell = self.cells[square]
        owner = cell & 7
        self.cells[square] = 0
        del self.men[owner][square]
        if self.kings[owner] == square:
            self.kings[owner] = -1
        return cell

    def play(self, move: on.Move) -> None:
        """Make a move: what it takes is removed, and a piece that becomes its victim does so."""
        start, end, _, captures, _ = move
        cell = new = self.cells[start]
        for square in captures:
            taken = self.remove(square)
            if self.catalogue.types[cell >> 4].on_capture:
                new = (taken >> 4) << 4 | cell & 7
        if start != end or new != cell:
            self.shift(start, end, new, self.identities[start])

    def copied(self) -> "Position":
        """The same position, to be changed apart from it."""
        other = Position.__new__(Position)
        other.catalogue, other.king = self.catalogue, self.king
        other.cells, other.identities = self.cells[:], self.identities[:]
        other.men, other.spare = [dict(men) for men in self.men], self.spare[:]
        other.kings, other.neutron, other.granted = self.kings[:], self.neutron, self.granted
        return other

    def shift(self, start: int, end: int, cell: Cell, identity: int) -> None:
        owner = cell & 7
        self.cells[start] = 0
        del self.men[owner][start]
        self.cells[end] = cell
        self.identities[end] = identity
        self.men[owner][end] = cell >> 4
        if cell >> 4 == self.king:
            self.kings[owner] = end
        elif self.kings[owner] == start:
            self.kings[owner] = -1

    def fix_grants(self, owner: int) -> None:
        """The turn of the owner begins: what is lent now stays lent to those pieces until its end (ruling 4)."""
        self.granted = {self.identities[square]: lent for square, lent in self.grants(owner).items()}

    def takes(self, owner: int, kind: int, square: int) -> bool:
        """Whether such a piece of the owner may take what stands on the square, however it gets there."""
        if not (cell := self.cells[square]) or cell & _IMMUNE or cell & 7 == owner:
            return False
        piece = self.catalogue.types[kind]
        return not piece.no_capture and (not piece.on_capture or self.vetoed(owner, kind, cell >> 4) is None)

    def vetoed(self, owner: int, kind: int, victim: int) -> tuple[str, int] | None:
        """The type of which the owner would have more on the board than its limit, and that limit, did a piece that
        becomes its victim capture: it no longer counts as what it was (961, ruling 5)."""
        men = Counter((*self.men[owner].values(), victim))
        men.subtract((kind,))
        owned, kinds = self.owned(owner), [victim]
        if self.catalogue.types[kind].veto:
            owned, kinds = self._names(men + self.spare[owner]), [victim, *sorted(men)]
        for one in kinds:
            limit = self.catalogue.limit(self.named(one), owned)
            if limit is not None and men[one] > limit:
                return self.named(one), limit
        return None

    def may_gain(self, owner: int, kind: int) -> bool:
        """Whether one more of a kind on the board keeps its instance limit."""
        limit = self.limit(owner, kind)
        return limit is None or sum(1 for other in self.men[owner].values() if other == kind) < limit

    def limit(self, owner: int, kind: int) -> int | None:
        """The owner's instance limit of a kind; mutual limits count what he owns, on the board or off it."""
        return self.catalogue.limit(self.named(kind), self.owned(owner))

    def owned(self, owner: int) -> dict[str, int]:
        """How many of each type the owner has, on the board and off it."""
        return self._names(Counter(self.men[owner].values()) + self.spare[owner])

    def _names(self, kinds: Mapping[int, int]) -> dict[str, int]:
        return {self.named(kind): count for kind, count in kinds.items()}

    def grants(self, owner: int) -> dict[int, tuple[on.Grant, ...]]:
        """The moves that standing PrimeMovers lend to the owner's pieces, by the squares of those pieces."""
        lent: dict[int, tuple[on.Grant, ...]] = {}
        men, grants = self.men[owner], self.catalogue.grants
        for square in () if grants.keys().isdisjoint(men.values()) else men:
            if (grant := grants.get(men[square])) is not None:
                for friend in _NEIGHBOURS[square]:
                    if friend in men and grant not in lent.get(friend, ()):
                        lent[friend] = (*lent.get(friend, ()), grant)
        return lent

    def seats_with_king(self) -> tuple[int, ...]:
        return tuple(seat for seat in SEATS if self.kings[seat] >= 0)

    def name(self, square: int) -> str:
        """The name of the type on a square that is not empty."""
        return self.named(self.cells[square] >> 4)

    def named(self, kind: int) -> str:
        return self.catalogue.types[kind].name


# --- moves -----------------------------------------------------------------------------------------------------------


def moves_from(position: Position, square: int, bound: bool = True) -> list[on.Move]:
    """Every move of the piece on a square, its own before those lent to it; not `bound`: as if it
    might end in any quadrant."""
    cells, takes = position.cells, position.takes
    owner, kind = cells[square] & 7, cells[square] >> 4
    lines, retreats, chains = position.catalogue.ways[kind](square)
    found: list[on.Move] = []
    withdrawn: set[int] = set()
    for victim, away in retreats:
        if cells[victim] and takes(owner, kind, victim):
            for index, end in enumerate(away):
                if cells[end]:
                    break
                withdrawn.add(end)
                found.append(on.Move(square, end, away[:index], (victim,)))
    for screens, line in lines:
        for end, walk, take in line:
            if cell := cells[end]:
                if screens:
                    screens -= 1
                    continue
                if take is not None and cell & 7 != owner and takes(owner, kind, end):
                    found.append(take)
                break
            if walk is not None and not screens and end not in withdrawn:
                found.append(walk)
    for landings, chain in chains:
        if not (landed := [end for end in landings if cells[end]]):
            found.append(chain)
        elif all(takes(owner, kind, end) for end in landed):
            found.append(on.Move(square, chain.end, chain.via, tuple(dict.fromkeys(landed))))
    for grant in position.granted.get(position.identities[square], ()):
        for end, (blocked, via) in _lent(grant)[square].items():
            taken = (end,) if cells[end] else ()
            if not any(map(cells.__getitem__, blocked)) and (not taken or takes(owner, kind, end)):
                found.append(on.Move(square, end, via, taken, True))
    if bound and position.catalogue.types[kind].end_in:  # 930: a shot goes nowhere
        found = [move for move in found if move.end == square or on.QUADRANTS[move.end] == owner]
    return found


@lru_cache(maxsize=64)
def _lent(grant: on.Grant) -> tuple[dict[int, tuple[on.Path, on.Path]], ...]:
    """What a grant lends, by square: where it leads, which squares must be empty for it, and the way there."""

    def ends(start: int) -> Iterator[tuple[int, tuple[on.Path, on.Path]]]:
        for line in (on.ray(start, step) for step in on.DIRECTIONS[grant.dirs]):
            for far in (distance for distance in grant.distances if distance <= len(line)):
                yield line[far - 1], (tuple(line[b - 1] for b in grant.blocked if b < far), line[: far - 1])

    return tuple(dict(ends(start)) for start in on.SQUARES)


def placements(position: Position, owner: int, kind: int) -> list[int]:
    """The squares where an off-board piece of the owner may be put: empty ones of his quadrant, within the limit."""
    if not position.may_gain(owner, kind):
        return []
    return [square for square in on.SQUARES if on.QUADRANTS[square] == owner and not position.cells[square]]


# --- the Neutron -----------------------------------------------------------------------------------------------------

_LINES = tuple(tuple(on.ray(square, step) for step in on.ALL8) for square in on.SQUARES)


class NeutronRun(NamedTuple):
    """One run: `end` is where it stops; `gem` the player who catches it there, on an edge square of his quadrant, or
    None; `destroyed` is the centre where its return destroys what stands there, else None."""

    start: int
    end: int
    gem: int | None
    destroyed: int | None


def neutron_runs(position: Position) -> tuple[NeutronRun, ...]:
    """Every way it can go; empty where it can't move or is not on the board."""
    lines = _LINES[position.neutron] if position.neutron >= 0 else ()
    return tuple(run for line in lines if (run := run_along(position, line)) is not None)


def run_along(position: Position, line: on.Path) -> NeutronRun | None:
    """As far as possible along a line; None where its first square is taken."""
    end = -1
    for square in line:
        if position.cells[square]:
            break
        end = square
    if end < 0:
        return None
    gem = on.QUADRANTS[end] if end in on.EDGE and on.QUADRANTS[end] else None
    there = position.cells[on.CENTRE] if gem is not None else 0
    return NeutronRun(position.neutron, end, gem, on.CENTRE if there and there & 7 != NOBODY else None)


def line_to(position: Position, square: int) -> on.Path | None:
    """The line from the Neutron on which a square lies, up to the edge."""
    return next((line for line in _LINES[position.neutron] if square in line), None)


def run_neutron(position: Position, run: NeutronRun) -> None:
    """Make the run, with its return to the centre and what that destroys."""
    if run.destroyed is not None:
        position.remove(run.destroyed)
    cells, start, end = position.cells, run.start, on.CENTRE if run.gem is not None else run.end
    position.shift(start, end, cells[start], position.identities[start])
    position.neutron = end


# --- attack ----------------------------------------------------------------------------------------------------------


def attacks(position: Position, owner: int, target: int) -> bool:
    """Whether some piece of the owner could take the piece that stands on the target, were it his move now.

    Pins, the number of moves and the limit of aggression do not count; PrimeMovers lend what stands
    next to them at this moment (part C)."""
    for square, hits in _aimed(position, owner, target):
        if position.takes(owner, position.cells[square] >> 4, target):
            for hit in hits:
                if _possible(position, owner, square, hit):
                    return True
    return False


def _aimed(position: Position, owner: int, target: int) -> list[tuple[int, tuple[on.Hit, ...]]]:
    """By squares of the owner's pieces their ways to take what stands on the target, whatever stands between."""
    hits_of = position.catalogue.hits
    men = position.men[owner].items()
    found = [(square, hits) for square, kind in men if (hits := hits_of[kind](square).get(target))]
    for square, grants in position.grants(owner).items():
        lent = (_lent(grant)[square].get(target) for grant in grants)
        found += [(square, (on.Hit(blocked, 0, target),)) for blocked, _ in filter(None, lent)]
    return found


def _possible(position: Position, owner: int, start: int, hit: on.Hit) -> bool:
    squares, screens, end = hit
    cells = position.cells
    kind = cells[start] >> 4
    if end != start and position.catalogue.types[kind].end_in and on.QUADRANTS[end] != owner:
        return False
    if not screens and screens is not None:
        return not any(map(cells.__getitem__, squares))
    if screens:
        return sum(1 for square in squares if cells[square]) == screens
    return all(not cells[s] or s == start or position.takes(owner, kind, s) for s in squares)


def attacked_kings(position: Position, owner: int) -> tuple[int, ...]:
    """The other players whose King some piece of the owner attacks."""
    kings = position.kings
    return tuple(s for s in SEATS if s != owner and kings[s] >= 0 and attacks(position, owner, kings[s]))


def checkers(position: Position, player: int, among: Iterable[int] = SEATS) -> Iterator[int]:
    """The players who give the player check: those with a King of their own (ruling 2)."""
    kings = position.kings
    for seat in among if kings[player] >= 0 else ():
        if seat != player and kings[seat] >= 0 and attacks(position, seat, kings[player]):
            yield seat


def in_check(position: Position, player: int, among: Iterable[int] = SEATS) -> bool:
    return any(checkers(position, player, among))


def remedy(state: State, seat: int) -> bool:
    """Whether a run of the Neutron, with at most one own move or placement, ends out of check."""
    for run in neutron_runs(Position.of(state)) or (None,):
        position = Position.of(state, seat)
        if run is not None:
            run_neutron(position, run)
        if position.kings[seat] >= 0 and _helped(position, seat, state):
            return True
    return False


def safe_moves(position: Position, seat: int) -> Iterator[on.Move]:
    """The player's moves after which their King is not in check. Tried are those that touch a
    square on which check depends; of a piece's others one tells what comes of all."""
    king, kings = position.kings[seat], position.kings
    foes = (other for other in SEATS if other != seat and kings[other] >= 0)
    aims = {owner: ways for owner in foes if (ways := _aimed(position, owner, king))}
    checked = in_check(position, seat, aims)
    # What attacks or lends may be taken, and so may a King; a Zombie may take what it might not before one was lost.
    decisive = {*kings}.union(*(position.men[owner] for owner in aims))
    decisive.update(s for ways in aims.values() for _, hits in ways for hit in hits for s in hit.squares)
    for square in sorted(position.men[seat]):
        usual = None if square in decisive else not checked  # after what touches nothing else
        for move in moves_from(position, square):
            end, takes = move[1], move[3]
            touching = end in decisive or square == king or (takes and not decisive.isdisjoint(takes))
            safe = usual
            if touching or safe is None:
                after = position.copied()
                after.play(move)
                safe = not in_check(after, seat, aims if after.kings[seat] == king else SEATS)
                usual = usual if touching else safe
            if safe:
                yield move


def _helped(position: Position, seat: int, state: State) -> bool:
    """Whether the King is out of check as things stand, or after one own move or placement."""
    if not in_check(position, seat) or any(safe_moves(position, seat)):
        return True
    for name in {piece.type for piece in state.off_board(seat) if not piece.mascot}:
        kind = position.catalogue.numbers[name]
        for square in placements(position, seat, kind):
            after = position.copied()
            after.place(square, seat, kind, 0)
            if not in_check(after, seat):
                return True
    return False
