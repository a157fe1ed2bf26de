"""From a finished search to its proof, in the compact form that `checker` checks."""

from __future__ import annotations

from typing import Any

from referee.games.onepiece.board import Colour, Step, other
from referee.games.onepiece.proofs.checker import ENDS, FORM, LAST
from referee.games.onepiece.solver import Position, Search

Answer = tuple[int, int]  # a number in the table of moves, and the node after it

LONG = 80  # answers in a list, after which another one is begun
LONG_PROOF = 6  # plies; a proof of a win from there on leaves the last moves to the checker
RECENT = 8  # answers of the last plies that are tried anew


class Prover:
    """Writes down why the search of one question came out as it did. Equal nodes are written once, and positions that
    come about in several ways are looked at once. Every position counts as a node of the search."""

    def __init__(self, search: Search, colour: Colour, proved: bool, lists_wins: bool) -> None:
        self.search, self.ground, self.colour = search, search.ground, colour
        self.proved, self.lists_wins = proved, lists_wins
        self.moves: dict[str, int] = {}
        self.nodes: dict[str, int] = {}
        self.kept: list[Any] = []
        self.done: dict[tuple[Position, int], int] = {}
        self.last: list[dict[int, None]] = [{}]  # lists of answers of the last plies
        self.recent: list[Step] = []  # the latest first

    def answer(self, at: Position, plies: int) -> Answer:
        """The strategy's own side moves: what it plays, and the node for what it meets."""
        step = self.search.answer(at, plies)
        number = self._number(step, plies)
        if not isinstance(step, Step) or self.ground.result(*at[:2], step) == 1:
            return number, ENDS
        return number, self.met(self.search.moved(at, step), plies - 1)

    def met(self, at: Position, plies: int) -> int:
        """The other side moves, and nothing works for it."""
        if plies == 1 or (plies == 2 and not self.lists_wins):
            return LAST
        if (known := self.done.get((at, plies))) is None:
            self.search.count()
            goes_on = [s for s in self.ground.steps(*at) if self.ground.result(*at[:2], s) == 0]
            known = self._settled(at, plies, goes_on) if plies < 4 else self._node(at, plies, goes_on)
            self.done[at, plies] = known
        return known

    def _node(self, at: Position, plies: int, steps: list[Step]) -> int:
        """The number of a node, written once: moves that win at once against many, and the other moves by the answer to
        them, the answer to the most moves first, as the default, without naming them."""
        wins: list[Step] = []
        groups: dict[Answer, list[int]] = {}
        for step in steps:
            after = self.search.moved(at, step)
            if not self.proved or not self.search.exact:
                if any(self._holds(after, win) for win in wins):
                    continue
                if (won := self.ground.winning(*after)) is not None:
                    wins.append(won)
                    continue
            groups.setdefault(self.answer(after, plies - 1), []).append(self._number(step, plies))
        ordered = sorted(groups.items(), key=lambda item: -len(item[1]))
        named = [[*answer, *(moves if index else [])] for index, (answer, moves) in enumerate(ordered)]
        node = [[self._number(win, plies - 1) for win in wins], *named]
        if (key := repr(node)) not in self.nodes:
            self.nodes[key] = len(self.kept)
            self.kept.append(node)
        return self.nodes[key]

    def _settled(self, at: Position, plies: int, steps: list[Step]) -> int:
        """The node of the last plies: one of the answers in a list leaves nothing to show, whatever is played."""
        if len(self.last[-1]) > LONG:  # it takes long to go through
            self.last.append({})
        for step in steps:
            after = self.search.moved(at, step)
            self.search.count()
            found = next(
                (answer for answer in self.recent if self._holds(after, answer, not self.proved)), None
            )
            answer = found or self.search.answer(after, plies - 1)
            self.last[-1][self._number(answer, plies - 1)] = None
            if isinstance(answer, Step):
                self.recent = [answer, *(step for step in self.recent if step != answer)][:RECENT]
        return LAST + 1 - len(self.last)

    def _holds(self, at: Position, step: Step, quietly: bool = False) -> bool:
        """Whether what answered another move answers this one: it wins, or may leave the claimer's last ply no win."""
        if not self.ground.legal(*at, step):
            return False
        result = self.ground.result(*at[:2], step)
        return result == 1 or (
            quietly and result == 0 and self.ground.winning(*self.search.moved(at, step)) is None
        )

    def _number(self, step: Step | str | None, plies: int) -> int:
        """The number of a move that is made with so many plies left."""
        if step is None:
            raise ValueError("nothing works here")
        if isinstance(step, str):  # nobody can move
            return -1
        side = self.colour if plies % 2 else other(self.colour)
        return self.moves.setdefault(str(self.ground.ply(step, side)), len(self.moves))


def proof(search: Search, at: Position, plies: int, verdict: str, question: dict[str, Any]) -> dict[str, Any]:
    """The proof of a verdict that the search has reached. Raises OutOfNodes: its limit bounds this too."""
    proved = verdict == "proved"
    long = proved and plies >= LONG_PROOF
    prover = Prover(search, question["colour"], proved, not long)
    own = proved is (plies % 2 == 1)  # the strategy's own side begins
    root = list(prover.answer(at, plies)) if own else prover.met(at, plies)
    return {
        **({"form": FORM} if long else {}),
        "question": question,
        "verdict": verdict,
        "moves": list(prover.moves),
        "last": [] if long else [list(answers) for answers in prover.last],
        "nodes": prover.kept,
        "root": root,
    }
