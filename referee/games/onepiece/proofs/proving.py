"""From a finished search to its proof, in the compact form that `checker` checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from referee.games.onepiece.board import Colour
from referee.games.onepiece.proofs.checker import ENDS, FORM, LAST
from referee.games.onepiece.search.bits import Step
from referee.games.onepiece.search.solver import UNKNOWN, Search
from referee.games.onepiece.search.tactics import Recent

Position = tuple[int, int, int, int]  # x, y, h and the box
Answer = tuple[int, int]  # a number in the table of moves, and the node after it

LONG = 80  # replies in a list, after which another one is begun
LONG_PROOF = 6  # plies; a proof of a win from there on leaves the last moves to the checker


class Prover:
    """Writes down why the search of one question came out as it did. Equal nodes are written once, and positions that
    come about in several ways are looked at once. Every position counts as a node of the search."""

    def __init__(self, search: Search, lists_wins: bool) -> None:
        self.lists_wins = lists_wins
        self.search, self.ground = search, search.ground
        self.moves: dict[Step, int] = {}
        self.nodes: dict[str, int] = {}
        self.kept: list[Any] = []
        self.done: dict[tuple[Position, int], int] = {}
        self.last: list[dict[Step | str, None]] = [{}]  # lists of answers of the last plies
        self.recent = Recent(8)

    def move(self, step: Step | str) -> int:
        if isinstance(step, str):  # stuck
            return -1
        return self.moves.setdefault(step, len(self.moves))

    def node(self, wins: list[Step], pairs: Iterable[tuple[Answer, int]]) -> int:
        """The number of a node, written once."""
        node = [[self.move(step) for step in wins], *grouped(pairs)]
        key = repr(node)
        if key not in self.nodes:
            self.nodes[key] = len(self.kept)
            self.kept.append(node)
        return self.nodes[key]

    def _listed(self) -> int:
        """The node of the last plies, with the list in use."""
        return LAST + 1 - len(self.last)

    # --- refuted: the strategy of y ---------------------------------------------------------------------------------

    def refuting(self, at: Position, plies: int) -> Answer:
        """y to move: its reply, and the node for what x tries next."""
        step = self.search.answer(*at, plies)
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
        made, spoilt = g.completing(at[0]), g.completing(at[1])
        tries = [t for t in g.steps(*at) if g.outcome(at[0], at[1], made, spoilt, t) == 0]
        if plies == 3:
            self._answer_last(at, tries)
            self.done[at, plies] = self._listed()
            return self.done[at, plies]
        for t in tries:
            x, y, h, box = after = moved(at, t)
            if any(g.legal(*after, win) and g.result(x, y, win) == -1 for win in wins):
                continue
            if (won := g.winning(y, x, h, box)) is not None:
                wins.append(g.flipped(won))
            else:
                pairs.append((self.refuting(after, plies - 1), self.move(t)))
        self.done[at, plies] = self.node(wins, pairs)
        return self.done[at, plies]

    def _answer_last(self, at: Position, tries: list[Step]) -> None:
        """Three plies left: see that each try of x is answered by one of the last answers."""
        x, y, h, box = at
        if len(self.last[-1]) > LONG:  # it takes long to go through
            self.last.append({})
        last, left = self.last[-1], max(0, box - 1)
        for step in self.recent.steps:
            if len(tries) > 1 and self.ground.legal(x, y, h, left, step):
                tries = self._met_by(at, step, tries)
        while tries:
            t, *tries = tries
            after = moved(at, t)
            found = next((reply for reply in self.recent.steps if self._stops(after, reply)), None)
            if found is None:
                answer = self.search.answer(*after, 2)
                if answer is None:
                    raise ValueError("nothing refutes here")
                last[answer] = None
                if isinstance(answer, Step):
                    self.recent.worked(answer)
                    if len(tries) > 1 and self.ground.legal(x, y, h, left, answer):
                        tries = self._met_by(at, answer, tries)
            else:
                last[found] = None

    def _met_by(self, at: Position, reply: Step, tries: list[Step]) -> list[Step]:
        """The tries of x that the reply does not answer by itself, elsewhere on the grid."""
        x, y, _, box = at
        left = self.search.left_by(x, y, max(0, box - 2), reply, tries)
        if len(left) < len(tries):
            self.last[-1][reply] = None
        return left

    def _stops(self, at: Position, reply: Step) -> bool:
        """Whether a reply that answered another try answers this one."""
        g = self.ground
        self.search.counter.add()
        if not g.legal(*at, reply):
            return False
        result = g.result(at[0], at[1], reply)
        return result == -1 or (result == 0 and not g.wins(*moved(at, reply)))

    # --- proved: the strategy of x ------------------------------------------------------------------------------------

    def proving(self, at: Position, plies: int) -> Answer:
        """x to move: its answer, and the node for the replies to it."""
        g = self.ground
        step = g.winning(*at) if plies == 1 else self.search.answer(*at, plies)
        if not isinstance(step, Step):
            raise ValueError("nothing succeeds here")
        if g.result(at[0], at[1], step) == 1:
            return self.move(step), ENDS
        return self.move(step), self.proved(moved(at, step), plies - 1)

    def proved(self, at: Position, plies: int) -> int:
        """y to move, and x succeeds against everything."""
        if plies == 2 and not self.lists_wins:
            return LAST
        if (known := self.done.get((at, plies))) is None:
            if plies == 2:
                self._win_last(at)
            known = self.done[at, plies] = LAST if plies == 2 else self._proved(at, plies)
        return known

    def _win_last(self, at: Position) -> None:
        """Two plies left: see that to each reply one of the last answers wins."""
        g, last = self.ground, self.last[-1]  # winning moves are few enough for one list
        made, spoilt = g.completing(at[0]), g.completing(at[1])
        for reply in g.steps(*at):
            if g.outcome(at[0], at[1], made, spoilt, reply):
                continue
            after = moved(at, reply)
            self.search.counter.add()
            found = next((s for s in self.recent.steps if self._wins(after, s)), None) or g.winning(*after)
            if found is None:
                raise ValueError("nothing wins here")
            last[found] = None
            self.recent.worked(found)

    def _proved(self, at: Position, plies: int) -> int:
        self.search.counter.add()
        g, wins, pairs = self.ground, list[Step](), list[tuple[Answer, int]]()
        made, spoilt = g.completing(at[0]), g.completing(at[1])
        usual: dict[Step, Answer] = {}  # answers to other replies here
        for reply in g.steps(*at):
            if g.outcome(at[0], at[1], made, spoilt, reply):
                continue
            after = moved(at, reply)
            if not self.search.exact:
                if any(self._wins(after, win) for win in wins):
                    continue
                if (won := g.winning(*after)) is not None:
                    wins.append(won)
                    continue
            same = next(self._known_to_succeed(after, usual, plies - 1), None)
            if same is not None:
                answer = self.move(same), self.proved(moved(after, same), plies - 2)
            else:
                answer = self.proving(after, plies - 1)
                step = self.search.answer(*after, plies - 1)
                if isinstance(step, Step) and answer[1] != ENDS:
                    usual[step] = answer
            pairs.append((answer, self.move(reply)))
        return self.node(wins, pairs)

    def _known_to_succeed(self, at: Position, steps: Iterable[Step], plies: int) -> Iterator[Step]:
        """Those of the moves of x that are legal and lead to a position that the search has proved."""
        g, table, (x, y, h, box) = self.ground, self.search.table, at
        for step in steps:
            known = table.get((x ^ step.dx, y ^ step.dy, h ^ step.dh, plies - 1), UNKNOWN)
            if known is None and g.legal(x, y, h, box, step) and g.result(x, y, step) == 0:
                yield step

    def _wins(self, at: Position, step: Step) -> bool:
        return self.ground.legal(*at, step) and self.ground.result(at[0], at[1], step) == 1


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
    long = verdict == "proved" and plies >= LONG_PROOF
    prover = Prover(search, not long)
    root: Any
    if verdict == "refuted":
        root = prover.refuting(at, plies) if plies % 2 == 0 else prover.refuted(at, plies)
    else:
        root = prover.proving(at, plies) if plies % 2 else prover.proved(at, plies)
    last = [[prover.move(step) for step in answers] for answers in prover.last]
    return {
        **({"form": FORM} if long else {}),
        "question": question,
        "verdict": verdict,
        "moves": [str(search.ground.ply(step, colour)) for step in prover.moves],
        "last": [] if long else last,
        "nodes": prover.kept,
        "root": list(root) if isinstance(root, tuple) else root,
    }
