"""Checks the proof of a verdict by the rules of the board alone: nothing here is known of the search that found it.

A proof is a JSON object: the `question` (the grid, the box, the pieces, the claimer's colour, how many plies are left,
the test `exact` or `by`), the `verdict`, a table of `moves`, lists of answers `last`, a table of `nodes`, and a `root`.

A proof of "refuted" is a strategy of the other colour, "proved" one of the claimer. A node belongs to the side that the
strategy meets: [wins, group, group, ...]. A move that goes on is met by the first of `wins` that wins at once, else by
its group [answer, node after it, move, move, ...]; the first group answers every move that no other one names. Moves
and answers are numbers in `moves`; the answer -1 says that nobody can move. The node -1 follows an answer that ends the
game. The node -2 - k is of the last plies: to each move one of the answers in `last[k]` leaves nothing to show. In a
long proof of a win, which says `form` 2, `last` is empty, and at the node -2 a win is found to each move by the rules.
The root is [answer, node] where the strategy's own side moves first, else a node."""

from collections.abc import Mapping
from typing import Any

from referee.games.onepiece.board import Colour, Position, Step, cells_of, ground, ply_of

FORM = 2
ENDS, LAST = -1, -2


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
        cols, rows = int(question["cols"]), int(question["rows"])
        if not (1 <= cols <= 26 and 1 <= rows <= 99):
            raise ValueError("no such grid")
        self.ground = ground(cols, rows)
        colours: dict[str, Colour] = {"red": "red", "blue": "blue"}
        self.colour = colours[question["colour"]]
        self.exact = {"exact": True, "by": False}[question["test"]]
        self.plies = int(question["plies"])
        self.proved = {"proved": True, "refuted": False}[proof["verdict"]]
        self.start: Position = (0, 0, 0, int(question["box"]))
        for text in question["pieces"]:  # each is put down on those before
            if not self.ground.legal(*self.start[:3], 1, step := self._step(text)):
                raise ValueError("no such grid")
            self.start = (*self.ground.after(self.start, step)[:3], self.start[3])
        self.moves = [self._step(text) for text in proof["moves"]]
        self.form = {1: 1, FORM: FORM}[proof.get("form", 1)]
        self.last: list[list[int]] = [list(answers) for answers in proof["last"]]
        if self.form == FORM and self.proved and self.last:
            raise Unproved("in this form a proof of a win lists no last answers")
        self.nodes, self.root = proof["nodes"], proof["root"]
        self.groups: dict[int, dict[Step, tuple[int, int]]] = {}
        self.seen: set[tuple[Position, int, int]] = set()

    def _step(self, text: str) -> Step:
        """Raises ValueError."""
        ply, g = ply_of(text), self.ground
        cells = (ply.red, ply.blue, *(cells_of(ply.lifted) if ply.lifted else ()))
        if not all(cell in g.bits for cell in cells):
            raise ValueError("a cell outside the grid")
        return g.step(ply, self.colour)

    def run(self) -> None:
        claimer_moves = self.plies % 2 == 1
        if self.plies < 1:
            raise Unproved("no plies are left")
        if claimer_moves == self.proved:  # the strategy's own side begins
            answer, node = self.root
            self._answered(self.start, self.plies, answer, node)
        else:
            self._met(self.start, self.plies, self.root)

    def _met(self, place: Position, plies: int, node: int) -> None:
        """The met side moves: to each of its moves the strategy has an answer."""
        if (place, plies, node) in self.seen:
            return
        self.seen.add((place, plies, node))
        if plies == 1 and not self.proved:
            if self._can_win(place):
                raise Unproved("the claimer wins with the last ply")
            return
        moves = self.ground.steps(*place)
        for move in moves:
            if (result := self.ground.result(*place[:2], move)) == 0:
                self._meet(self.ground.after(place, move), plies - 1, move, node)
            elif (result == -1) if self.proved else (result == 1 and not self.exact):
                raise Unproved(f"{self._said(move)} wins against the strategy")
        if self.proved and not moves:
            raise Unproved("the other side can't move, which is a draw")

    def _meet(self, place: Position, plies: int, move: Step, node: int) -> None:
        """The answer to a move that goes on; so many plies are left after it."""
        if node == LAST and plies == 1 and self.proved and self.form == FORM:
            if not self._can_win(place):
                raise Unproved(f"nothing wins after {self._said(move)}")
        elif node <= LAST:
            if plies != (1 if self.proved else 2) or not self._settled(place, self.last[LAST - node]):
                raise Unproved(f"nothing listed answers {self._said(move)}")
        elif not (self._may_win(plies) and any(self._result(place, m) == 1 for m in self.nodes[node][0])):
            answer, after = self._group(node, move)
            self._answered(place, plies, answer, after)

    def _group(self, node: int, move: Step) -> tuple[int, int]:
        if node < 0 or len(self.nodes[node]) < 2:
            raise Unproved(f"nothing answers {self._said(move)}")
        if node not in self.groups:
            named = self.nodes[node][2:]
            self.groups[node] = {self.moves[m]: (g[0], g[1]) for g in named for m in g[2:]}
        answer, after, *_ = self.groups[node].get(move) or self.nodes[node][1]
        return answer, after

    def _settled(self, place: Position, answers: list[int]) -> bool:
        """Whether one of the answers leaves nothing to show; it is tried first the next time."""
        for index, answer in enumerate(answers):
            result = None if answer == -1 else self._result(place, answer)
            quiet = result == 0 and not self.proved
            if (
                result == 1
                or (answer == -1 and not self.proved and not self.ground.steps(*place))
                or (quiet and not self._can_win(self.ground.after(place, self.moves[answer])))
            ):
                answers.insert(0, answers.pop(index))
                return True
        return False

    def _answered(self, place: Position, plies: int, answer: int, node: int) -> None:
        """The strategy's own side moves."""
        if answer == -1:
            if self.proved or self.ground.steps(*place):
                raise Unproved("somebody can still move")
            return
        move, result = self.moves[answer], self._result(place, answer)
        if result is None:
            raise Unproved(f"{self._said(move)} is not legal")
        if result == 1 and self._may_win(plies):
            return
        if result != 0 or (self.proved and plies == 1):
            raise Unproved(f"{self._said(move)} does not do")
        if node == ENDS:
            raise Unproved(f"{self._said(move)} does not end the game")
        self._met(self.ground.after(place, move), plies - 1, node)

    def _result(self, place: Position, answer: int) -> int | None:
        """Of an answer, as the side that gives it sees it: 1 where it wins; None where it is not legal."""
        if not self.ground.legal(*place, self.moves[answer]):
            return None
        result = self.ground.result(*place[:2], self.moves[answer])
        return result if self.proved else -result

    def _may_win(self, plies: int) -> bool:
        """Whether the strategy's side may win with so many plies left; in `exact` the claimer not before the last."""
        return not (self.proved and self.exact) or plies == 1

    def _can_win(self, place: Position) -> bool:
        """Whether the claimer has a winning move."""
        return self.ground.winning(*place) is not None

    def _said(self, move: Step) -> str:
        return str(self.ground.ply(move, self.colour))
