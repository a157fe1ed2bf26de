"""Checks the proof of a verdict by the rules alone. Nothing here is shared with the solver: neither moves nor boards.

A proof is a JSON object: the `question` (the grid, the box, the pieces, the claimer's colour, how many plies are left,
the test `exact` or `by`), the `verdict`, a table of `moves`, a table of `nodes`, and a `root`.

A proof of "refuted" is a strategy of the other colour, "proved" one of the claimer. A node belongs to the side that the
strategy meets: it lists groups [answer, node after it, move, move, ...]; the first group answers every move that no
other group names. An answer is a number in `moves`, or -1 where nobody can move. The node after it is -1 where the
answer ends the game. A node of the last plies is {"any": [answer, ...]}: to each move one of these is an answer after
which nothing is left to show. The root is [answer, node] where the strategy's own side moves first, else a node.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, cast

_MOVE = re.compile(r"(?:R([a-z])(\d+)B([a-z])(\d+)>)?R([a-z])(\d+)B([a-z])(\d+)")
Move = tuple[
    tuple[int, int] | None, int, int
]  # the piece lifted (its red and its blue bit), red bit, blue bit
Pieces = frozenset[tuple[int, int]]
Place = tuple[
    Pieces, int, int, int
]  # the pieces on the grid, how many are in the box, all red cells, all blue cells


class Unproved(Exception):
    """A step of the proof does not hold."""


def faults(proof: Mapping[str, Any]) -> tuple[str, ...]:
    """Why the proof does not hold; empty where it does. Never raises, whatever the proof."""
    try:
        _Check(proof).run()
    except Unproved as fault:
        return (str(fault),)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError) as fault:
        return (f"the proof can't be read: {type(fault).__name__}: {fault}",)
    return ()


class _Check:
    def __init__(self, proof: Mapping[str, Any]) -> None:
        question = proof["question"]
        self.cols, self.rows = int(question["cols"]), int(question["rows"])
        self.claimer_red = {"red": True, "blue": False}[question["colour"]]
        self.exact = {"exact": True, "by": False}[question["test"]]
        self.plies = int(question["plies"])
        self.proved = {"proved": True, "refuted": False}[proof["verdict"]]
        self.width = self.cols + 3  # three empty columns at the side, so that no run goes around
        pieces = frozenset((m[1], m[2]) for m in map(self._move, question["pieces"]))
        self.start: Place = (
            pieces,
            int(question["box"]),
            sum(r for r, _ in pieces),
            sum(b for _, b in pieces),
        )
        self.moves = [self._move(text) for text in proof["moves"]]
        self.nodes, self.root = proof["nodes"], proof["root"]
        self.seen: set[tuple[Place, int, int]] = set()

    def run(self) -> None:
        claimer_moves = self.plies % 2 == 1
        if self.plies < 1:
            raise Unproved("no plies are left")
        if claimer_moves == self.proved:  # the strategy's own side begins
            answer, node = self.root
            self._answered(self.start, self.plies, answer, node)
        else:
            self._node(self.start, self.plies, self.root)

    # --- strategies ------------------------------------------------------------------------------------------------

    def _node(self, place: Place, plies: int, number: int) -> None:
        """The met side moves: to each of its moves the node has an answer."""
        if (place, plies, number) in self.seen:
            return
        if not self.proved and plies == 1:
            if self._wins(place):
                raise Unproved("the claimer wins with the last ply")
            self.seen.add((place, plies, number))
            return
        node = self.nodes[number]
        moved = False
        for move in self._legal(place):
            moved = True
            after = self._after(place, move)
            result = self._result(after, move)
            if result == 0:
                self._meet(after, plies - 1, move, node)
            elif (result == -1) if self.proved else (result == 1 and not self.exact):
                raise Unproved(f"{self._text(move)} wins against the strategy")
        if self.proved and not moved:
            raise Unproved("the other side can't move, which is a draw")
        self.seen.add((place, plies, number))

    def _meet(self, place: Place, plies: int, move: Move, node: Any) -> None:
        if isinstance(node, Mapping):
            if not any(self._settles(place, plies, answer) for answer in node["any"]):
                raise Unproved(f"nothing listed answers {self._text(move)}")
            return
        for answer, after, *named in node[1:]:
            if any(self.moves[index] == move for index in named):
                self._answered(place, plies, answer, after)
                return
        answer, after, *_ = node[0]
        self._answered(place, plies, answer, after)

    def _settles(self, place: Place, plies: int, answer: int) -> bool:
        """Whether the answer leaves nothing to show."""
        try:
            self._answered(place, plies, answer, 0 if plies == 2 and not self.proved else -1)
        except Unproved:
            return False
        return True

    def _answered(self, place: Place, plies: int, answer: int, node: int) -> None:
        """The strategy's own side moves."""
        if answer == -1:
            if self.proved or next(self._legal(place), None) is not None:
                raise Unproved("somebody can still move")
            return
        move = self.moves[answer]
        if not self._is_legal(place, move):
            raise Unproved(f"{self._text(move)} is not legal")
        after = self._after(place, move)
        result = self._result(after, move)
        if self.proved:
            if result == 1 and (plies == 1 or not self.exact):
                return
            if result != 0 or plies == 1:
                raise Unproved(f"{self._text(move)} does not win")
        elif result == -1:
            return
        elif result == 1:
            raise Unproved(f"{self._text(move)} makes the claimer's four")
        if node == -1:
            raise Unproved(f"{self._text(move)} does not end the game")
        self._node(after, plies - 1, node)

    # --- the rules ---------------------------------------------------------------------------------------------------

    def _bit(self, col: int, row: int) -> int:
        if not (0 <= col < self.cols and 0 <= row < self.rows):
            raise ValueError("a cell outside the grid")
        return 1 << (row * self.width + col)

    def _move(self, text: str) -> Move:
        found = _MOVE.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} is no move")
        cells = [
            self._bit(ord(found[i]) - ord("a"), int(found[i + 1]) - 1) if found[i] else 0
            for i in (1, 3, 5, 7)
        ]
        return ((cells[0], cells[1]) if cells[0] else None), cells[2], cells[3]

    def _text(self, move: Move) -> str:
        def cell(bit: int) -> str:
            row, col = divmod(bit.bit_length() - 1, self.width)
            return f"{chr(ord('a') + col)}{row + 1}"

        lifted = f"R{cell(move[0][0])}B{cell(move[0][1])}>" if move[0] else ""
        return f"{lifted}R{cell(move[1])}B{cell(move[2])}"

    @cached_property
    def _foot(self) -> tuple[int, ...]:
        """The lowest cell of every column."""
        return tuple(self._bit(col, 0) for col in range(self.cols))

    @cached_property
    def _pairs(self) -> dict[int, tuple[tuple[int, int, int], ...]]:
        """By its lower or left cell every pair of neighbouring cells: both, and the cells that must lie below."""
        found: dict[int, list[tuple[int, int, int]]] = {}
        for row in range(self.rows):
            for col in range(self.cols):
                cell = self._bit(col, row)
                under = self._bit(col, row - 1) if row else 0
                if row + 1 < self.rows:
                    found.setdefault(cell, []).append((cell, self._bit(col, row + 1), under))
                if col + 1 < self.cols:
                    beside = self._bit(col + 1, row)
                    below = under | (self._bit(col + 1, row - 1) if row else 0)
                    found.setdefault(cell, []).append((cell, beside, below))
        return {cell: tuple(pairs) for cell, pairs in found.items()}

    def _free_pairs(self, occupied: int) -> Iterator[tuple[int, int]]:
        """Where a piece may come to rest. Nothing floats, so it begins on the lowest free cell of a column."""
        pairs = self._pairs
        for cell in self._foot:
            while cell & occupied:
                cell <<= self.width
            for one, two, below in pairs.get(cell, ()):
                if not (one | two) & occupied and occupied & below == below:
                    yield one, two

    def _legal(self, place: Place) -> Iterator[Move]:
        pieces, box, reds, blues = place
        occupied = reds | blues
        if box:
            for one, two in self._free_pairs(occupied):
                yield None, one, two
                yield None, two, one
            return
        for piece in pieces:
            old = piece[0] | piece[1]
            if not (old << self.width) & ~old & occupied:
                for one, two in self._free_pairs(occupied ^ old):
                    if not (one | two) & old:
                        yield piece, one, two
                        yield piece, two, one

    def _is_legal(self, place: Place, move: Move) -> bool:
        pieces, box, reds, blues = place
        lifted, red, blue = move
        occupied = reds | blues
        if (lifted is None) != (box > 0):
            return False
        if lifted is not None:
            old = lifted[0] | lifted[1]
            if lifted not in pieces or (old << self.width) & ~old & occupied or (red | blue) & old:
                return False
            occupied ^= old
        first = min(red, blue)
        for one, two, below in self._pairs.get(first, ()):
            if {one, two} == {red, blue}:
                return not (one | two) & occupied and occupied & below == below
        return False

    def _after(self, place: Place, move: Move) -> Place:
        pieces, box, reds, blues = place
        lifted, red, blue = move
        if lifted is None:
            return pieces | {(red, blue)}, box - 1, reds | red, blues | blue
        stay = pieces - {lifted}
        return stay | {(red, blue)}, box, reds ^ lifted[0] | red, blues ^ lifted[1] | blue

    def _result(self, place: Place, move: Move) -> int:
        """1: the claimer alone has four through the piece just put down; -1: the other alone; 0: neither or both."""
        _, _, reds, blues = place
        fours = int(self._four(reds, move[1])) - int(self._four(blues, move[2]))
        return fours if self.claimer_red else -fours

    def _four(self, cells: int, at: int) -> bool:
        for step in (1, self.width - 1, self.width, self.width + 1):
            run = 1
            for ray in (_shifted(at, step), _shifted(at, -step)):
                for cell in ray:
                    if not cell & cells:
                        break
                    run += 1
            if run >= 4:
                return True
        return False

    def _wins(self, place: Place) -> bool:
        """Whether the claimer has a winning move. To lift a piece takes cells away, so that without a cell that makes
        four on the grid as it stands there is none."""
        _, _, reds, blues = place
        own, half = (reds, 1) if self.claimer_red else (blues, 2)
        reachable = 0
        for one, two in self._free_pairs(reds | blues):
            reachable |= one | two
        fours = 0
        while reachable:
            cell = reachable & -reachable
            reachable ^= cell
            fours |= cell if self._four(own, cell) else 0
        if not fours:
            return False
        tries = (move for move in self._legal(place) if cast(int, move[half]) & fours)
        return any(self._result(self._after(place, move), move) == 1 for move in tries)


def _shifted(cell: int, step: int) -> Iterator[int]:
    """The next three cells in a direction."""
    for k in (1, 2, 3):
        yield cell << k * step if step > 0 else cell >> -k * step
