"""The verdict on a claim: which questions it comes to, what the solver answers, and a line that shows it (4.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from referee.core.codec import Value
from referee.games.onepiece import checker
from referee.games.onepiece.board import Colour, Grid, Step, other, ply_of, runs_of
from referee.games.onepiece.events import VerdictGiven
from referee.games.onepiece.notation import GiveVerdict
from referee.games.onepiece.solver import OutOfNodes, Search, proof
from referee.games.onepiece.state import Claim, Proof, State, Verdict


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
    """A line of the proof: the strategy's side plays by it, the other side what it really played as long as it can,
    then its first legal move that ends nothing."""
    line: list[str] = []
    for left in range(plies, 0, -1):
        side, ply = colour if left % 2 else other(colour), None
        if (side == colour) == (verdict == "proved"):
            answer = search.answer(grid.seen_by(side), left)
            ply = search.ground.ply(answer, side) if isinstance(answer, Step) else None
        elif len(line) < len(played) and tuple(line) == played[: len(line)]:
            ply = ply_of(played[len(line)])
        elif possible := grid.plies():
            quiet = (p for p in possible if runs_of(grid.after(p), p.placed).winner is None)
            ply = next(quiet, possible[0])
        if ply is None:
            return
        line.append(str(ply))
        yield str(ply)
        grid = grid.after(ply)
        if runs_of(grid, ply.placed).winner is not None:
            return


def asked(grid: Grid, colour: Colour, plies: int, exact: bool) -> dict[str, Any]:
    """The question of a proof."""
    return {
        "cols": grid.cols,
        "rows": grid.rows,
        "box": grid.box,
        "pieces": [str(piece) for piece in grid.pieces],
        "colour": colour,
        "plies": plies,
        "test": "exact" if exact else "by",
    }


def audited(state: State, event: VerdictGiven) -> tuple[str, ...]:
    """Why a recorded verdict is not proved: a question missing or another one, or a step that does not hold. One
    question proved upholds a claim; to refute it takes all of them."""
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
    """After which plies it is asked, and how many plies are then left: after the claim; with `along_line` also before
    every ply that the claimer's side then played."""
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
    """The ply of the claimer's side that let the win go (4.3), with what was found after each such ply until then.
    Where the limit leaves it unknown, the last of them to move decides."""
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
