"""The grid and its pieces (3.1, 3.4), a move as it is said, and every reason why it is not legal (3.3)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from referee.core.value import Complaint, Value, fault

Colour = Literal["red", "blue"]

COLOURS: tuple[Colour, Colour] = ("red", "blue")
RUN = 4
_MOVE = re.compile(r"(?:(R[a-z]\d{1,2}B[a-z]\d{1,2})>)?R([a-z]\d{1,2})B([a-z]\d{1,2})")


def other(colour: Colour) -> Colour:
    return "blue" if colour == "red" else "red"


class Ply(Value):
    """One move as it is said, cells by name; `lifted` is a piece ("Rc6Bc7"), "" for one from the
    box, and before it is judged perhaps a cell where no piece lies."""

    red: str
    blue: str
    lifted: str = ""

    @property
    def placed(self) -> str:
        """The piece as it lies then."""
        return f"R{self.red}B{self.blue}"

    def __str__(self) -> str:
        """Canonical text ("Rd1Be1", "Rc6Bc7>Rg4Bg3")."""
        return f"{self.lifted}>{self.placed}" if self.lifted else self.placed


def ply_of(text: str) -> Ply:
    """The move that canonical text names ("Rd1Be1", "Rc6Bc7>Rg4Bg3")."""
    if (found := _MOVE.fullmatch(text)) is None:
        raise ValueError(f"{text!r} names no move")
    return Ply(found[2], found[3], found[1] or "")


@lru_cache(maxsize=4096)
def cells_of(piece: str) -> tuple[str, str]:
    """The cells of a piece ("Rd1Be1"), the red half's first."""
    ply = ply_of(piece)
    return ply.red, ply.blue


class Step(NamedTuple):
    """A move as the colour x sees it: what it changes in the three numbers of a position (see Ground), the cells put
    down, those lifted (0 where the piece comes from the box), and every bit of the columns that change."""

    dx: int
    dy: int
    dh: int
    px: int
    py: int
    lx: int
    ly: int
    cols: int


# Where a piece is put down or lifted: x cell, y cell, the left one where they lie flat, all cells of their columns.
Spot = tuple[int, int, int, int]
# The cells of one colour, those of the other, which lie flat (see Ground), and how many pieces are in the box.
Position = tuple[int, int, int, int]
_BOX: Spot = (0, 0, 0, 0)


class Ground:
    """A grid of one size as whole numbers, and what moves and wins are on it.

    A column takes `rows + 1` bits, its lowest cell first; the spare bit keeps columns apart. A
    position is (x, y, h): the cells of one colour, those of the other, and the left cells of the
    pieces that lie flat. Since nothing floats, h tells how the cells pair up: what is not flat
    stands."""

    def __init__(self, cols: int, rows: int) -> None:
        self.cols, self.rows = cols, rows
        self.stride = stride = rows + 1
        self.foot = sum(1 << col * stride for col in range(cols))
        self.board = self.foot * ((1 << rows) - 1)
        self.column_at = [((1 << stride) - 1) << at // stride * stride for at in range(cols * stride)]
        self.column_at += [0] * stride
        cells = [at for at in range(cols * stride) if at % stride < rows]
        self.bits = {f"{chr(ord('a') + at // stride)}{at % stride + 1}": 1 << at for at in cells}
        self.names = {bit: name for name, bit in self.bits.items()}
        self.slopes = (stride, 1, stride + 1, stride - 1)  # from a cell to the next one of a line
        starts = ((start, slope) for slope in self.slopes for start in range(cols * stride))
        lines = (sum(1 << start + k * slope for k in range(RUN)) for start, slope in starts)
        self.lines = [line for line in lines if line & self.board == line]
        self.lines_at = lru_cache(maxsize=None)(lambda bit: [line for line in self.lines if line & bit])
        self.completing = lru_cache(maxsize=100_000)(self._completing)

    # --- pieces and numbers --------------------------------------------------------------------------------------

    def position(self, pieces: Iterable[str], colour: Colour) -> tuple[int, int, int]:
        """(x, y, h) with x the cells of the colour."""
        red = blue = flat = 0
        for piece in pieces:
            first, second = (self.bits[cell] for cell in cells_of(piece))
            red, blue = red | first, blue | second
            flat |= min(first, second) if max(first, second) == min(first, second) << self.stride else 0
        return (red, blue, flat) if colour == "red" else (blue, red, flat)

    def step(self, ply: Ply, colour: Colour) -> Step:
        """The move, legal or not; x is that colour."""
        px, py, ph = self.position((ply.placed,), colour)
        lx, ly, lh = self.position(filter(None, (ply.lifted,)), colour)
        columns = {self.column_at[bit.bit_length() - 1] for bit in (px, py, lx, ly) if bit}
        return Step(lx | px, ly | py, lh | ph, px, py, lx, ly, sum(columns))

    def after(self, at: Position, step: Step) -> Position:
        """The position after a move, legal or not."""
        x, y, h, box = at
        return x ^ step.dx, y ^ step.dy, h ^ step.dh, box - 1 if box else 0

    def ply(self, step: Step, colour: Colour) -> Ply:
        """The move in notation; x is that colour."""
        turn = 1 if colour == "red" else -1
        put, lifted = (step.px, step.py)[::turn], (step.lx, step.ly)[::turn]
        piece = Ply(*(self.names[bit] for bit in lifted)).placed if step.lx else ""
        red, blue = (self.names[bit] for bit in put)
        return Ply(red, blue, piece)

    # --- moves (3.3) ---------------------------------------------------------------------------------------------

    def lifts(self, x: int, y: int, h: int) -> list[Spot]:
        """The pieces with nothing above them."""
        occupied, stride = x | y, self.stride
        top = occupied & ~(occupied >> 1)
        flat, standing = top & top >> stride & h, (top & ~(h | h << stride)) >> 1
        found: list[Spot] = []
        for cells, beyond in ((flat, stride), (standing, 1)):
            while cells:
                cell = cells & -cells
                cells ^= cell
                both, at = cell | cell << beyond, cell.bit_length() - 1
                found.append((both & x, both & y, cell & h, self.column_at[at] | self.column_at[at + beyond]))
        return found

    def places(self, occupied: int) -> list[Spot]:
        """Where a piece can come to rest, each way round."""
        free = (occupied + self.foot) & self.board
        found: list[Spot] = []
        for cells, beyond in ((free & self.board >> 1, 1), (free & free >> self.stride, self.stride)):
            while cells:
                cell = cells & -cells
                cells ^= cell
                at, flat = cell.bit_length() - 1, cell if beyond > 1 else 0
                columns = self.column_at[at] | self.column_at[at + beyond]
                found.append((cell, cell << beyond, flat, columns))
                found.append((cell << beyond, cell, flat, columns))
        return found

    def steps(self, x: int, y: int, h: int, box: int) -> list[Step]:
        """Every legal move: with pieces in the box one of them, else one that is lifted, to other columns."""
        places = self.places(x | y)
        return [
            _joined(lifted, placed)
            for lifted in ((_BOX,) if box else self.lifts(x, y, h))
            for placed in places
            if not lifted[3] & placed[3]
        ]

    def legal(self, x: int, y: int, h: int, box: int, step: Step) -> bool:
        """Whether a move, perhaps of another position, is legal in this one."""
        if step.lx & ~x or step.ly & ~y or (step.px | step.py) & (x | y):
            return False
        lifts = (_BOX,) if box else self.lifts(x, y, h)
        lifted = next((lift for lift in lifts if lift[:2] == (step.lx, step.ly)), None)
        placed = next((place for place in self.places(x | y) if place[:2] == (step.px, step.py)), None)
        return lifted is not None and placed is not None and not lifted[3] & placed[3]

    # --- wins (3.4) ----------------------------------------------------------------------------------------------

    def _completing(self, x: int) -> int:
        """The cells where one more x makes a run of four."""
        found = 0
        for step in self.slopes:
            two = x & x >> step
            three = two & x >> 2 * step
            found |= three << 3 * step | three >> step
            found |= (two & x >> 3 * step) << 2 * step | (x & two >> 2 * step) << step
        return found & self.board

    def result(self, x: int, y: int, step: Step) -> int:
        """Of a legal move: 1 where x alone has four through the piece just put down, -1 where y alone, 0 where neither
        or both. x and y are those before the move; to lift a piece can only take a four away."""
        own, their = step.px & self.completing(x), step.py & self.completing(y)
        own = own and (not step.lx or self.completing(x ^ step.lx) & step.px)
        their = their and (not step.ly or self.completing(y ^ step.ly) & step.py)
        return bool(own) - bool(their)

    def winning(self, x: int, y: int, h: int, box: int) -> Step | None:
        """A move after which x has four and y has not; None where there is none."""
        if not (made := self.completing(x)) or not (places := [p for p in self.places(x | y) if p[0] & made]):
            return None
        places.sort(key=lambda place: (place[2] > 0, place[0] > place[1]))
        lifts = (_BOX,) if box else self.lifts(x, y, h)
        tries = (_joined(lift, place) for place in places for lift in lifts if not lift[3] & place[3])
        return next((step for step in tries if self.result(x, y, step) == 1), None)


def _joined(lifted: Spot, placed: Spot) -> Step:
    lx, ly, lh, under = lifted
    px, py, ph, columns = placed
    return Step(lx | px, ly | py, lh | ph, px, py, lx, ly, under | columns)


@lru_cache(maxsize=16)
def ground(cols: int, rows: int) -> Ground:
    return Ground(cols, rows)


class Grid:
    """A grid with pieces on it, by their notation; a value: changes give a new one."""

    def __init__(self, cols: int, rows: int, pieces: Iterable[str], box: int) -> None:
        self.cols, self.rows, self.box = cols, rows, box
        self.ground, self.pieces = ground(cols, rows), tuple(pieces)
        self.red, self.blue, self.flat = self.ground.position(self.pieces, "red")

    @cached_property
    def owners(self) -> Mapping[str, str]:
        """The piece on every cell that is taken."""
        return {cell: piece for piece in self.pieces for cell in cells_of(piece)}

    def after(self, ply: Ply) -> "Grid":
        """The grid after a move, legal or not."""
        stay = (piece for piece in self.pieces if piece != ply.lifted)
        return Grid(self.cols, self.rows, (*stay, ply.placed), self.box - (not ply.lifted))

    def seen_by(self, colour: Colour) -> Position:
        """The position in numbers, x the colour's cells, and how many pieces are in the box."""
        x, y = (self.red, self.blue) if colour == "red" else (self.blue, self.red)
        return x, y, self.flat, self.box

    def plies(self) -> tuple[Ply, ...]:
        """Every legal move, in notation order (3.3)."""
        steps = self.ground.steps(*self.seen_by("red"))
        steps.sort(key=lambda step: (step.lx, step.ly, step.px, step.py))
        return tuple(self.ground.ply(step, "red") for step in steps)

    def run(self, cell: str) -> tuple[str, ...]:
        """The longest run through the cell of its own colour; of two as long, the first direction."""
        g, bit = self.ground, self.ground.bits[cell]
        own = self.red if bit & self.red else self.blue

        def along(slope: int) -> list[str]:
            at, found = bit, list[str]()
            while at >> slope & own:
                at >>= slope
            while at & own:
                found.append(g.names[at])
                at <<= slope
            return found

        return max((tuple(along(slope)) for slope in g.slopes), key=len)

    def ordered(self) -> list[str]:
        """The pieces as in notation: by the red cell, then the blue."""
        bits = self.ground.bits
        return sorted(self.pieces, key=lambda piece: [bits[cell] for cell in cells_of(piece)])


def runs_of(grid: Grid, ply: Ply) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the piece of a move made, which lies on the grid: the longest run of its red half, and of its blue half."""
    return grid.run(ply.red), grid.run(ply.blue)


def winner_in(grid: Grid, ply: Ply) -> Colour | None:
    """The colour of which alone the piece of a move, which lies on the grid, made a run of four or more (3.4)."""
    red, blue = (len(run) >= RUN for run in runs_of(grid, ply))
    return None if red == blue else "red" if red else "blue"


def first_safe(grid: Grid, colour: Colour) -> Ply:
    """The first move in notation order that does not win for the other colour at once; the first, if all do."""
    plies = grid.plies()
    return next((p for p in plies if winner_of(grid, p) != other(colour)), plies[0])


def winner_of(grid: Grid, ply: Ply) -> Colour | None:
    """The colour for which the move, a legal one, wins."""
    return winner_in(grid.after(ply), ply)


def move_faults(grid: Grid, ply: Ply) -> Iterator[Complaint]:
    """Every reason why the move is not legal on the grid."""
    lifted = ply.lifted
    if grid.box and lifted:
        yield fault("box_not_empty", "3.3", "move", box=grid.box)
    elif not grid.box and not lifted:
        yield fault("box_empty", "3.3", "move")
    elif lifted and lifted not in grid.pieces:
        is_cell = _MOVE.fullmatch(lifted) is None  # with what lies where the sender thought that a piece lay
        near = [grid.owners.get(cell) for cell in ([lifted] if is_cell else cells_of(lifted))]
        facts = {"piece": lifted, "is_cell": is_cell, "near": list(dict.fromkeys(filter(None, near)))}
        yield fault("no_such_piece", "3.3", "move", **facts)
    else:
        old = cells_of(lifted) if lifted else ()
        above = (grid.owners.get(f"{cell[0]}{int(cell[1:]) + 1}", lifted) for cell in old)
        if covering := next((owner for owner in above if owner != lifted), None):
            yield fault("covered", "3.3", "move", piece=lifted, above=covering)
        yield from _target_faults(grid, old, ply)


def _target_faults(grid: Grid, old: Sequence[str], ply: Ply) -> Iterator[Complaint]:
    facts, cells, (red, blue) = {"piece": ply.placed}, grid.ground.bits, (ply.red, ply.blue)
    outside = [cell for cell in (red, blue) if cell not in cells]
    adjacent = abs(ord(red[0]) - ord(blue[0])) + abs(int(red[1:]) - int(blue[1:])) == 1
    if outside:
        yield fault("off_the_grid", "3.1", "move", **facts, cells=outside, corner=[*cells][-1])
    if not adjacent:
        yield fault("not_adjacent", "3.1", "move", **facts, cells=[red, blue])
    for cell in (red, blue) if adjacent and not outside else ():
        at = {**facts, "cell": cell}
        if cell in old:
            yield fault("overlaps_itself", "3.3", "move", **at)
        elif cell in grid.owners:
            yield fault("occupied", "3.1", "move", **at, by=grid.owners[cell])
        else:
            below = (f"{cell[0]}{row}" for row in range(1, int(cell[1:])))
            free = (c for c in below if (c not in grid.owners or c in old) and c not in (red, blue))
            if gap := next(free, None):  # the lowest one, once the lifted piece is gone
                yield fault("floats", "3.3", "move", **at, gap=gap, lifted=gap in old)
