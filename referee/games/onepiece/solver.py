"""Can a colour force a win at exactly, or by, ply x + n? A depth-first search (4.4).

`plies` counts what is left: odd, the claimer is to move, who must win with the last ply; even, the other side. Either
side looks for a move that decides nothing and leaves the other without one, or that wins: the claimer's own by then, or
in `exact` just then. It fails the claimer that somebody can't move.

Whoever is threatened has only the moves that may undo every threat. Those that lead to what the table knows are tried
first, then those that often worked elsewhere with as many plies left, then those that threaten to win. A node is a
position looked at; their number alone decides when to give up.

From a finished search `proof` writes down why it came out as it did, in the compact form that `checker` checks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple

from referee.games.onepiece.board import Colour, Ground, Step, ground, other
from referee.games.onepiece.checker import ENDS, FORM, LAST

TABLE: Final = 400_000  # entries; a fixed number, so that the count of nodes is the same on every machine
ENOUGH: Final = 5  # pieces to lift: a move changes four columns at most, and so leaves one of them
STUCK: Final = "stuck"  # an answer: nobody can move

# The cells of the side to move, those of the other, which lie flat, and how many pieces are in the box.
Position = tuple[int, int, int, int]
Answer = Step | str | None  # what works; None where nothing does


class OutOfNodes(Exception):
    """The search may look at no more positions."""


class Threat(NamedTuple):
    """A placement that wins with the next move. It is safe from a move of the other side that changes none of `cols`,
    lifts nothing of `run` and puts nothing of its colour on `beside`."""

    cols: int
    run: int
    beside: int


class Search:
    """One question's search. Positions and moves are as the side to move sees them."""

    def __init__(self, cols: int, rows: int, exact: bool, limit: int) -> None:
        self.ground: Ground = ground(cols, rows)
        self.exact, self.limit, self.nodes = exact, limit, 0
        self.table: dict[Position, Answer] = {}  # with the plies left in the place of the box
        self._worked: dict[int, dict[Step, int]] = {}  # by the plies left, how often a move worked

    def succeeds(self, at: Position, plies: int) -> bool:
        """Whether the claimer forces a win."""
        return (self.answer(at, plies) is None) is (plies % 2 == 0)

    def answer(self, at: Position, plies: int) -> Answer:
        """What works for the side to move. Raises OutOfNodes."""
        key = (*at[:3], plies)
        if key in self.table:
            return self.table[key]
        self.count()
        if plies == 1:
            return self.ground.winning(*at)
        found = self._searched(at, plies)
        if isinstance(found, Step):
            worked = self._worked.setdefault(plies, {})
            worked[found] = worked.get(found, 0) + 1
        if len(self.table) < TABLE:
            self.table[key] = found
        return found

    def count(self) -> None:
        """One more position is looked at."""
        self.nodes += 1
        if self.nodes > self.limit:
            raise OutOfNodes

    def moved(self, at: Position, step: Step) -> Position:
        """The position after a move, for the other side."""
        x, y, h, box = at
        return y ^ step.dy, x ^ step.dx, h ^ step.dh, box - 1 if box else 0

    def _searched(self, at: Position, plies: int) -> Answer:
        """The same, with more than one ply left and nothing known."""
        own = plies % 2 == 1
        if not (own and self.exact) and (won := self.ground.winning(*at)) is not None:
            return won
        steps = self.ground.steps(*at)
        if not steps and not own:
            return STUCK
        if own or plies == 2 or not self.exact:
            steps = self.undoing(at, steps)
        goes_on = (s for s in self._tries(at, plies, steps) if self.ground.result(*at[:2], s) == 0)
        return next((s for s in goes_on if self.answer(self.moved(at, s), plies - 1) is None), None)

    def undoing(self, at: Position, steps: list[Step]) -> list[Step]:
        """Those of the moves that may undo every threat of the other side: it wins after any other."""
        for threat in self._threats(at):
            steps = [s for s in steps if s.cols & threat.cols or s.ly & threat.run or s.px & threat.beside]
        return steps

    def _threats(self, at: Position) -> Iterator[Threat]:
        """How the other side would win with its next move. Where it needs a lift that breaks a run, or has only a few
        pieces to lift, that is not counted on."""
        g, (y, x, h, box) = self.ground, at
        made, spoilt = g.completing(x), g.completing(y)
        places = (
            [place for place in g.places(x | y) if place[0] & made and not place[1] & spoilt] if made else []
        )
        lifts = g.lifts(x, y, h) if places and box < 2 else []
        for px, py, _, cols in places:
            run = reduce(or_, (line for line in g.lines_at(px) if not line & ~(x | px)), px) if box < 2 else 0
            if box > 1 or sum(not (under & cols or lx & run) for lx, _, _, under in lifts) >= ENOUGH:
                lines = (line & ~y for line in g.lines_at(py) if (line & y).bit_count() > 1)
                yield Threat(cols, run, reduce(or_, lines, 0))

    def _tries(self, at: Position, plies: int, steps: list[Step]) -> Iterator[Step]:
        """The moves in the order in which they are tried; to look each up takes less than to search one."""
        x, y, h, _ = at
        if plies > 2:
            yield from (
                s for s in steps if self.table.get((y ^ s.dy, x ^ s.dx, h ^ s.dh, plies - 1), STUCK) is None
            )
        worked, g = self._worked.get(plies, {}), self.ground

        def threatens(s: Step) -> bool:
            free = ((x ^ s.dx | y ^ s.dy) + g.foot) & g.board
            return bool(g.completing(x ^ s.dx) & (free | free << 1))

        yield from sorted(steps, key=lambda s: (-worked.get(s, 0), plies == 2 or not threatens(s)))


Numbered = tuple[int, int]  # a number in the table of moves, and the node after it

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

    def answer(self, at: Position, plies: int) -> Numbered:
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
        groups: dict[Numbered, list[int]] = {}
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
