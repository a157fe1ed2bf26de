"""From a finished search to its proof, in the compact form that `proofs` checks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.games.onepiece.bits import Step
from referee.games.onepiece.grid import Colour
from referee.games.onepiece.solver import Search

Position = tuple[int, int, int, int]  # x, y, h and the box
Answer = tuple[int, int]  # a number in the table of moves, and the node after it


class Prover:
    """Writes down why the search of one question came out as it did. Equal nodes are written once."""

    def __init__(self, search: Search, colour: Colour) -> None:
        self.search, self.colour = search, colour
        self.moves: dict[str, int] = {}
        self.nodes: dict[str, int] = {}
        self.kept: list[Any] = []
        self.done: dict[tuple[Position, int], int] = {}

    def move(self, step: Step) -> int:
        text = str(self.search.ground.ply(step, self.colour))
        return self.moves.setdefault(text, len(self.moves))

    def node(self, node: Any) -> int:
        """The number of a node, written once."""
        key = repr(node)
        if key not in self.nodes:
            self.nodes[key] = len(self.kept)
            self.kept.append(node)
        return self.nodes[key]

    # --- refuted: the strategy of y ---------------------------------------------------------------------------------

    def refuting(self, at: Position, plies: int) -> Answer:
        """y to move: its reply, and the node for what x tries next."""
        step = self.search.reply_in(*at, plies)
        if step is None:
            raise ValueError("nothing refutes here")
        if isinstance(step, str):
            return -1, -1
        if self.search.ground.result(at[0], at[1], step) == -1:
            return self.move(step), -1
        return self.move(step), self.refuted(moved(at, step), plies - 1)

    def refuted(self, at: Position, plies: int) -> int:
        """x to move, and nothing succeeds."""
        if plies == 1:
            return 0
        if (known := self.done.get((at, plies))) is not None:
            return known
        if plies == 3:
            node: Any = {"any": self._any_reply(at)}
        else:
            g = self.search.ground
            tries = (t for t in g.steps(*at) if g.result(at[0], at[1], t) == 0)
            node = grouped((self.refuting(moved(at, t), plies - 1), self.move(t)) for t in tries)
        self.done[at, plies] = self.node(node)
        return self.done[at, plies]

    def _any_reply(self, at: Position) -> list[int]:
        """Replies of y of which one answers each try of x, with three plies left."""
        g, found = self.search.ground, list[Step | str]()
        for t in g.steps(*at):
            if g.result(at[0], at[1], t) == 0:
                after = moved(at, t)
                if not any(self._stops(after, reply) for reply in found):
                    reply = self.search.reply_in_two(*after)
                    if reply is None:
                        raise ValueError("nothing refutes here")
                    found.append(reply)
        return [-1 if isinstance(reply, str) else self.move(reply) for reply in found]

    def _stops(self, at: Position, reply: Step | str) -> bool:
        """Whether a reply that answered another try answers this one."""
        g = self.search.ground
        if isinstance(reply, str):
            return not g.steps(*at)
        if not g.legal(*at, reply):
            return False
        result = g.result(at[0], at[1], reply)
        return result == -1 or (result == 0 and g.winning(*moved(at, reply)) is None)

    # --- proved: the strategy of x ------------------------------------------------------------------------------------

    def proving(self, at: Position, plies: int) -> Answer:
        """x to move: its answer, and the node for the replies to it."""
        g = self.search.ground
        step = g.winning(*at) if plies == 1 else self.search.try_in(*at, plies)
        if step is None:
            raise ValueError("nothing succeeds here")
        if g.result(at[0], at[1], step) == 1:
            return self.move(step), -1
        return self.move(step), self.proved(moved(at, step), plies - 1)

    def proved(self, at: Position, plies: int) -> int:
        """y to move, and x succeeds against everything."""
        if (known := self.done.get((at, plies))) is not None:
            return known
        g = self.search.ground
        replies = [r for r in g.steps(*at) if g.result(at[0], at[1], r) == 0]
        if plies == 2:
            node: Any = {"any": self._any_win(at, replies)}
        else:
            node = grouped((self.proving(moved(at, r), plies - 1), self.move(r)) for r in replies)
        self.done[at, plies] = self.node(node)
        return self.done[at, plies]

    def _any_win(self, at: Position, replies: list[Step]) -> list[int]:
        """Winning moves of x of which one is left after each reply, with two plies left."""
        g, found = self.search.ground, list[Step]()
        for reply in replies:
            after = moved(at, reply)
            if not any(g.legal(*after, win) and g.result(after[0], after[1], win) == 1 for win in found):
                won = g.winning(*after)
                if won is None:
                    raise ValueError("nothing wins here")
                found.append(won)
        return [self.move(step) for step in found]


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
    """The proof of a verdict that the search has reached."""
    prover = Prover(search, colour)
    prover.node({"any": []})  # number 0: nothing is left to show
    root: Any
    if verdict == "refuted":
        root = prover.refuting(at, plies) if plies % 2 == 0 else prover.refuted(at, plies)
    else:
        root = prover.proving(at, plies) if plies % 2 else prover.proved(at, plies)
    return {
        "question": question,
        "verdict": verdict,
        "moves": list(prover.moves),
        "nodes": prover.kept,
        "root": list(root) if isinstance(root, tuple) else root,
    }
