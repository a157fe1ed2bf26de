"""From a finished search to its proof, in the compact form that `checker` checks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.games.onepiece.board.grid import Colour
from referee.games.onepiece.proofs.checker import ENDS, LAST
from referee.games.onepiece.search.bits import Step
from referee.games.onepiece.search.ordering import Recent, flipped
from referee.games.onepiece.search.solver import Search

Position = tuple[int, int, int, int]  # x, y, h and the box
Answer = tuple[int, int]  # a number in the table of moves, and the node after it

LONG = 80  # replies in a list, after which another one is begun


class Prover:
    """Writes down why the search of one question came out as it did. Equal nodes are written once, and positions that
    come about in several ways are looked at once. Every position counts as a node of the search."""

    def __init__(self, search: Search, colour: Colour) -> None:
        self.search, self.colour, self.ground = search, colour, search.ground
        self.moves: dict[str, int] = {}
        self.nodes: dict[str, int] = {}
        self.kept: list[Any] = []
        self.done: dict[tuple[Position, int], int] = {}
        self.last: list[dict[Step | str, None]] = [{}]  # lists of answers of the last plies
        self.recent = Recent(6)

    def move(self, step: Step | str) -> int:
        if isinstance(step, str):  # stuck
            return -1
        return self.moves.setdefault(str(self.ground.ply(step, self.colour)), len(self.moves))

    def node(self, wins: list[Step], pairs: Iterable[tuple[Answer, int]]) -> int:
        """The number of a node, written once."""
        node = [[self.move(step) for step in wins], *grouped(pairs)]
        key = repr(node)
        if key not in self.nodes:
            self.nodes[key] = len(self.kept)
            self.kept.append(node)
        return self.nodes[key]

    def _list(self) -> dict[Step | str, None]:
        """The list of replies that the next position may rely on; a long one takes long to go through."""
        if len(self.last[-1]) > LONG:
            self.last.append({})
        return self.last[-1]

    def _listed(self) -> int:
        """The node of the last plies, with the list in use."""
        return LAST + 1 - len(self.last)

    # --- refuted: the strategy of y ---------------------------------------------------------------------------------

    def refuting(self, at: Position, plies: int) -> Answer:
        """y to move: its reply, and the node for what x tries next."""
        step = self.search.reply_in(*at, plies)
        if step is None:
            raise ValueError("nothing refutes here")
        if isinstance(step, str) or self.ground.result(at[0], at[1], step) == -1:
            return self.move(step), ENDS
        return self.move(step), self.refuted(moved(at, step), plies - 1)

    def refuted(self, at: Position, plies: int) -> int:
        """x to move, and nothing succeeds."""
        if plies == 1:
            return LAST
        if (known := self.done.get((at, plies))) is not None:
            return known
        self.search.counter.add()
        g, wins, pairs = self.ground, list[Step](), list[tuple[Answer, int]]()
        tries = [t for t in g.steps(*at) if g.result(at[0], at[1], t) == 0]
        if plies == 3:
            self._answer_last(at, tries)
            self.done[at, plies] = self._listed()
            return self.done[at, plies]
        for t in tries:
            x, y, h, box = after = moved(at, t)
            if any(g.legal(*after, win) and g.result(x, y, win) == -1 for win in wins):
                continue
            if (won := g.winning(y, x, h, box)) is not None:
                wins.append(flipped(won))
            else:
                pairs.append((self.refuting(after, plies - 1), self.move(t)))
        self.done[at, plies] = self.node(wins, pairs)
        return self.done[at, plies]

    def _answer_last(self, at: Position, tries: list[Step]) -> None:
        """Three plies left: see that each try of x is answered by one of the last answers."""
        x, y, h, box = at
        last = self._list()
        for step in self.recent.steps:
            if tries and self.ground.legal(x, y, h, max(0, box - 1), step):
                left = self.search.left_by(x, y, max(0, box - 2), step, tries)
                if len(left) < len(tries):
                    tries = left
                    last[step] = None
        for t in tries:
            after = moved(at, t)
            found = next((reply for reply in last if self._stops(after, reply)), None)
            if found is None:
                found = self.search.reply_in_two(*after)
                if found is None:
                    raise ValueError("nothing refutes here")
            last[found] = None
            if isinstance(found, Step):
                self.recent.worked(found)

    def _stops(self, at: Position, reply: Step | str) -> bool:
        """Whether a reply that answered another try answers this one."""
        g = self.ground
        self.search.counter.add()
        if isinstance(reply, str):
            return not g.steps(*at)
        if not g.legal(*at, reply):
            return False
        result = g.result(at[0], at[1], reply)
        return result == -1 or (result == 0 and g.winning(*moved(at, reply)) is None)

    # --- proved: the strategy of x ------------------------------------------------------------------------------------

    def proving(self, at: Position, plies: int) -> Answer:
        """x to move: its answer, and the node for the replies to it."""
        g = self.ground
        step = g.winning(*at) if plies == 1 else self.search.try_in(*at, plies)
        if step is None:
            raise ValueError("nothing succeeds here")
        if g.result(at[0], at[1], step) == 1:
            return self.move(step), ENDS
        return self.move(step), self.proved(moved(at, step), plies - 1)

    def proved(self, at: Position, plies: int) -> int:
        """y to move, and x succeeds against everything."""
        if (known := self.done.get((at, plies))) is not None:
            return known
        self.search.counter.add()
        g = self.ground
        replies = [r for r in g.steps(*at) if g.result(at[0], at[1], r) == 0]
        if plies == 2:
            self._win_last(at, replies)
        self.done[at, plies] = self._listed() if plies == 2 else self._proved(at, plies, replies)
        return self.done[at, plies]

    def _proved(self, at: Position, plies: int, replies: list[Step]) -> int:
        g, wins, pairs = self.ground, list[Step](), list[tuple[Answer, int]]()
        for reply in replies:
            after = moved(at, reply)
            if not self.search.exact:
                if any(self._wins(after, win) for win in wins):
                    continue
                if (won := g.winning(*after)) is not None:
                    wins.append(won)
                    continue
            pairs.append((self.proving(after, plies - 1), self.move(reply)))
        return self.node(wins, pairs)

    def _wins(self, at: Position, step: Step) -> bool:
        return self.ground.legal(*at, step) and self.ground.result(at[0], at[1], step) == 1

    def _win_last(self, at: Position, replies: list[Step]) -> None:
        """Two plies left: see that to each reply one of the last answers wins."""
        last = self.last[-1]  # winning moves are few enough for one list
        for reply in replies:
            after = moved(at, reply)
            self.search.counter.add()
            found = next((s for s in self.recent.steps if self._wins(after, s)), None)
            if found is None:
                found = self.ground.winning(*after)
                if found is None:
                    raise ValueError("nothing wins here")
            last[found] = None
            self.recent.worked(found)


def grouped(pairs: Iterable[tuple[Answer, int]]) -> list[list[int]]:
    """Moves by the answer to them; the answer to the most moves first, as the default, without naming them."""
    groups: dict[Answer, list[int]] = {}
    for answer, move in pairs:
        groups.setdefault(answer, []).append(move)
    ordered = sorted(groups.items(), key=lambda item: -len(item[1]))
    return [[*answer, *(named if index else [])] for index, (answer, named) in enumerate(ordered)]


def moved(at: Position, step: Step) -> Position:
    x, y, h, box = at
    return x ^ step.dx, y ^ step.dy, h ^ step.dh, box - 1 if box else 0


def proof(
    search: Search, at: Position, plies: int, colour: Colour, verdict: str, question: dict[str, Any]
) -> dict[str, Any]:
    """The proof of a verdict that the search has reached. Raises OutOfNodes: its limit bounds this too."""
    prover = Prover(search, colour)
    root: Any
    if verdict == "refuted":
        root = prover.refuting(at, plies) if plies % 2 == 0 else prover.refuted(at, plies)
    else:
        root = prover.proving(at, plies) if plies % 2 else prover.proved(at, plies)
    last = [[prover.move(step) for step in answers] for answers in prover.last]
    return {
        "question": question,
        "verdict": verdict,
        "moves": list(prover.moves),
        "last": last,
        "nodes": prover.kept,
        "root": list(root) if isinstance(root, tuple) else root,
    }
