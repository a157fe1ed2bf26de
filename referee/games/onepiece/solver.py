"""Can a colour force a win at exactly, or by, ply x + n? A depth-first search (4.4); and the
verdict on a claim: which questions it comes to, what the search answers, and a line that shows it.

`plies` counts what is left: odd, the claimer is to move, who must win with the last ply; even, the other side. Either
side looks for a move that decides nothing and leaves the other without one, or that wins: the
claimer's own by then, or in `exact` just then. It fails the claimer that somebody can't move.

Whoever is threatened has only the moves that may undo every threat. Those that lead to what the table knows are tried
first, then those that often worked elsewhere with as many plies left, then those that threaten to win. A node is a
position looked at; their number alone decides when to give up.

From a finished search `proof` writes down why it came out as it did, in the compact form that `checker` checks."""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_
from typing import Any, Final

from referee.core.value import Value
from referee.games.onepiece import board, checker
from referee.games.onepiece.board import Colour, Grid, Ground, Position, Step, ground, other, ply_of
from referee.games.onepiece.events import Claim, Proof, State, Verdict, VerdictGiven
from referee.games.onepiece.notation import GiveVerdict

TABLE: Final = 400_000  # entries; a fixed number, so that the count of nodes is the same on every machine
ENOUGH: Final = 5  # pieces to lift: a move changes four columns at most, and so leaves one of them
STUCK: Final = "stuck"  # an answer: nobody can move

Answer = Step | str | None  # what works; None where nothing does


class OutOfNodes(Exception):
    """The search may look at no more positions."""


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
        x, y, h, box = self.ground.after(at, step)
        return y, x, h, box

    def _searched(self, at: Position, plies: int) -> Answer:
        """The same, with more than one ply left and nothing known."""
        own = plies % 2 == 1
        if not (own and self.exact) and (won := self.ground.winning(*at)) is not None:
            return won
        if not (steps := self.ground.steps(*at)) and not own:
            return STUCK
        if own or plies == 2 or not self.exact:
            steps = self.undoing(at, steps)
        goes_on = (s for s in self._tries(at, plies, steps) if self.ground.result(*at[:2], s) == 0)
        return next((s for s in goes_on if self.answer(self.moved(at, s), plies - 1) is None), None)

    def undoing(self, at: Position, steps: list[Step]) -> list[Step]:
        """Those of the moves that may undo every threat of the other side: it wins after any other.
        A placement that wins with its next move is safe from one that changes none of its columns,
        lifts nothing of the run and puts nothing of its colour beside it. Where it needs a lift
        that breaks a run, or has only a few pieces to lift, that is not counted on."""
        g, (y, x, h, box) = self.ground, at
        made, spoilt = g.completing(x), g.completing(y)
        places = [p for p in g.places(x | y) if p[0] & made and not p[1] & spoilt] if made else []
        lifts = g.lifts(x, y, h) if places and box < 2 else []
        for px, py, _, cols in places:
            run = reduce(or_, (line for line in g.lines_at(px) if not line & ~(x | px)), px) if box < 2 else 0
            if box > 1 or sum(not (under & cols or lx & run) for lx, _, _, under in lifts) >= ENOUGH:
                lines = (line & ~y for line in g.lines_at(py) if (line & y).bit_count() > 1)
                beside = reduce(or_, lines, 0)
                steps = [s for s in steps if s.cols & cols or s.ly & run or s.px & beside]
        return steps

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
            return number, checker.ENDS
        return number, self.met(self.search.moved(at, step), plies - 1)

    def met(self, at: Position, plies: int) -> int:
        """The other side moves, and nothing works for it."""
        if plies == 1 or (plies == 2 and not self.lists_wins):
            return checker.LAST
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
            holding = (step for step in self.recent if self._holds(after, step, not self.proved))
            answer = next(holding, None) or self.search.answer(after, plies - 1)
            self.last[-1][self._number(answer, plies - 1)] = None
            if isinstance(answer, Step):
                self.recent = [answer, *(step for step in self.recent if step != answer)][:RECENT]
        return checker.LAST + 1 - len(self.last)

    def _holds(self, at: Position, step: Step, quietly: bool = False) -> bool:
        """Whether what answered another move answers this one: it wins, or may leave the claimer's last ply no win."""
        if not self.ground.legal(*at, step):
            return False
        result = self.ground.result(*at[:2], step)
        if quietly and result == 0:
            return self.ground.winning(*self.search.moved(at, step)) is None
        return result == 1

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
        **({"form": checker.FORM} if long else {}),
        "question": question,
        "verdict": verdict,
        "moves": list(prover.moves),
        "last": [] if long else [list(answers) for answers in prover.last],
        "nodes": prover.kept,
        "root": root,
    }


# --- the verdict on a claim ------------------------------------------------------------------------------------------


class Found(Value):
    """What the solver says of one question, with a line that shows it; `proof` is None where it is unknown."""

    verdict: Verdict
    nodes: int
    proof: dict[str, Any] | None = None
    line: tuple[str, ...] = ()


def solved(
    grid: Grid, colour: Colour, plies: int, exact: bool, limit: int, played: tuple[str, ...] = ()
) -> Found:
    """Can the colour force a win at exactly, or by, so many plies from now? `played` is what the game then came to. The
    limit is on the search, on the writing of its proof, and on the line together."""
    search = Search(grid.cols, grid.rows, exact, limit)
    at = grid.seen_by(colour if plies % 2 else other(colour))
    try:
        verdict: Verdict = "proved" if search.succeeds(at, plies) else "refuted"
        written = proof(search, at, plies, verdict, asked(grid, colour, plies, exact))
        line = tuple(_shown(search, grid, colour, plies, verdict, played))
    except OutOfNodes:
        return Found("unknown", limit)
    return Found(verdict, search.nodes, written, line)


def _shown(
    search: Search, grid: Grid, colour: Colour, plies: int, verdict: Verdict, played: tuple[str, ...]
) -> Iterator[str]:
    """A line of the proof: the strategy's side plays by it, the other side what it really played as
    long as it can, then its first legal move that ends nothing."""
    line: list[str] = []
    for left in range(plies, 0, -1):
        side, ply = colour if left % 2 else other(colour), None
        if (side == colour) == (verdict == "proved"):
            answer = search.answer(grid.seen_by(side), left)
            ply = search.ground.ply(answer, side) if isinstance(answer, Step) else None
        elif len(line) < len(played) and tuple(line) == played[: len(line)]:
            ply = ply_of(played[len(line)])
        elif possible := grid.plies():
            ply = next((p for p in possible if board.winner_of(grid, p) is None), possible[0])
        if ply is None:
            return
        line.append(str(ply))
        yield str(ply)
        grid = grid.after(ply)
        if board.winner_in(grid, ply) is not None:
            return


def asked(grid: Grid, colour: Colour, plies: int, exact: bool) -> dict[str, Any]:
    """The question of a proof."""
    return {
        "cols": grid.cols,
        "rows": grid.rows,
        "box": grid.box,
        "pieces": list(grid.pieces),
        "colour": colour,
        "plies": plies,
        "test": "exact" if exact else "by",
    }


def audited(state: State, event: VerdictGiven) -> tuple[str, ...]:
    """Why a recorded verdict is not proved: a question missing or another one, or a step that does
    not hold. One question proved upholds a claim; to refute it takes all of them."""
    if event.verdict == "unknown":
        return ()
    claim, found = event.claim, [str(given.get("verdict")) for given in event.proofs]
    colour, exact = state.colour_of(claim.seat), state.law.claim_test == "exact"
    due = [asked(state.grid_before(a + 1), colour, left, exact) for a, left in questions(state, claim)]
    answered = [given.get("question") for given in event.proofs]
    wrong = [] if set(found) == {event.verdict} else ["the proofs are of another verdict"]
    if event.verdict == "refuted" and answered != due:
        wrong.append("the proofs do not answer the questions of this claim")
    elif event.verdict == "proved" and not (len(answered) == 1 and answered[0] in due):
        wrong.append("the proof does not answer a question of this claim")
    wrong += _slip_faults(state, event, colour, exact)
    both = (*event.proofs, *event.slip_proofs)
    return (*wrong, *(fault for given in both for fault in checker.faults(given)))


def _slip_faults(state: State, event: VerdictGiven, colour: Colour, exact: bool) -> list[str]:
    """Who let the win go is shown by proofs after each ply of the claimer's side: proved, until one is refuted. Where
    there are none the test was left unknown, and the last of the side's plies stands for it."""
    if not event.slip:
        return []
    own = [p for p in state.own_plies(event.claim) if p > event.after]
    if not event.slip_proofs:
        return [] if own and event.slip == own[-1] else ["the ply that let the win go is another one"]
    tested = [p for p in own if p <= event.slip and p < event.claim.end]
    due = [asked(state.grid_before(p + 1), colour, event.claim.end - p, exact) for p in tested]
    verdicts = ["proved"] * len(tested)
    if event.slip != event.claim.end and verdicts:
        verdicts[-1] = "refuted"
    found = [(given.get("question"), given.get("verdict")) for given in event.slip_proofs]
    fits = event.slip in own and found == list(zip(due, verdicts, strict=True))
    return [] if fits else ["the proofs do not show which ply let the win go"]


def questions(state: State, claim: Claim) -> Iterator[tuple[int, int]]:
    """After which plies it is asked, and how many plies are then left: after the claim; with
    `along_line` also before every ply that the claimer's side then played."""
    yield claim.ply, claim.n
    if state.law.evidence == "along_line":
        for ply in state.own_plies(claim):
            yield ply - 1, claim.end - ply + 1


def judged(state: State, nodes: int) -> GiveVerdict:
    """Upheld where one question is proved, a bluff where all are refuted; else unknown. The limit is for all."""
    claim = state.judged[0]
    colour, exact = state.colour_of(claim.seat), state.law.claim_test == "exact"
    spent, refuted, due = 0, list[Found](), tuple(questions(state, claim))
    for after, plies in due:
        grid, played = state.grid_before(after + 1), state.plies[after:]
        found = solved(grid, colour, plies, exact, nodes - spent, played)
        spent += found.nodes
        if found.verdict == "proved":
            slip, shown = slip_of(state, claim, after, nodes - spent)
            spent += sum(each.nodes for each in shown)
            return GiveVerdict("proved", after, spent, found.line, _proofs([found]), slip, _proofs(shown))
        refuted += [found] if found.verdict == "refuted" else []
        if spent >= nodes:
            break
    if len(refuted) < len(due):
        return GiveVerdict("unknown", claim.ply, spent)
    return GiveVerdict("refuted", claim.ply, spent, refuted[0].line, _proofs(refuted))


def slip_of(state: State, claim: Claim, after: int, nodes: int) -> tuple[int, list[Found]]:
    """The ply of the claimer's side that let the win go (4.3), with what was found after each such
    ply until then. Where the limit leaves it unknown, the last of them to move decides."""
    colour, exact = state.colour_of(claim.seat), state.law.claim_test == "exact"
    own = [p for p in state.own_plies(claim) if p > after]
    found: list[Found] = []
    for ply in own:
        if ply == claim.end:
            return ply, found
        answer = solved(state.grid_before(ply + 1), colour, claim.end - ply, exact, nodes)
        if answer.verdict == "unknown":
            break
        nodes -= answer.nodes
        found.append(answer)
        if answer.verdict == "refuted":
            return ply, found
        if nodes <= 0:
            break
    return (own[-1] if own else 0), []


def _proofs(found: Iterable[Found]) -> tuple[Proof, ...]:
    return tuple(each.proof for each in found if each.proof is not None)
