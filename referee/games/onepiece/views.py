"""What anyone may know of a match, for nothing in it is secret: facts, the grid as a picture, and
what the page that writes a mail by clicks must know."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from referee.core.diagram import Diagram, Link, Mark, Token
from referee.core.game import BoardForm, Branch, View
from referee.games.onepiece.board import RUN, Grid, Ply, cells_of, ply_of, runs_of
from referee.games.onepiece.checker import ENDS, LAST
from referee.games.onepiece.events import GameStopped, GameWon, State, VerdictGiven
from referee.games.onepiece.notation import short
from referee.games.onepiece.turns import claim_faults

_PHASES = {
    "setup": "choosing colours and edge",
    "verdict": "judging a claim",
    "evidence": "judging a claim",
    "demonstration": "demonstration of a claim",
    "over": "over",
}


def viewed(state: State, seat: int | None) -> View:
    """The same for all. `position` is the contract's: board, points (tournament and series), claim."""
    grid = state.shown_grid
    claim = (*state.judged, *state.claims)[:1]
    signs = ["R" if bit & grid.red else "B" if bit & grid.blue else "." for bit in grid.ground.names]
    position: dict[str, object] = {
        "board": ["".join(signs[row :: grid.rows]) for row in reversed(range(grid.rows))],
        "points": _points(state),
        "claim": {"seat": claim[0].seat, "ply": claim[0].ply, "n": claim[0].n} if claim else None,
    }
    phase = _PHASES.get(state.phase) or ("placing" if state.box else "relocating")
    plies = state.shown_plies
    if state.demo is not None:
        title = "Demonstration"
    else:
        title = f"Game {state.game}" if state.law.tournament or state.law.games > 1 else "One Piece For Two"
    title += f", after move {len(plies)}" if plies else ", the grid is empty"
    return View(phase, position, drawn(title, grid, plies[-1:], _said(state)), _facts(state))


def _points(state: State) -> list[int | float] | None:
    """By seat; None where a single game has no score. A drawn game of a series is worth a half."""
    if state.law.tournament:
        return list(state.points)
    if state.law.games == 1:
        return None
    return [points // 2 if points % 2 == 0 else points / 2 for points in state.points]


def _facts(state: State) -> dict[str, object]:
    """For the game's own templates."""
    playing = state.phase in ("play", "demonstration")
    grid = state.shown_grid
    plies = grid.plies() if playing else ()
    facts: dict[str, object] = {
        "law": state.law,
        "state": state,
        "colours": {seat: state.colour_of(seat) for seat in state.seats} if state.red else {},
        "partner": {seat: state.partner(seat) for seat in state.order} if state.law.pairs else {},
        "ply": state.ply,
        "box": grid.box,
        "examples": (str(plies[len(plies) // 2]), short(plies[len(plies) // 2])) if plies else ("", ""),
        "count": len(plies),
        "points": _points(state),
        "proving": lambda event: proving(state, event),
        "ending": lambda event: ending(state, event),
    }
    if state.judged:
        claim = state.judged[0]
        facts["claim"] = claim
        facts["changeable"] = [(ply, state.plies[ply - 1]) for ply in state.own_plies(claim)]
    if state.demo is not None:
        facts["shown_ply"] = state.shown_ply
    return facts


def proving(state: State, verdict: VerdictGiven) -> Diagram:
    """The line of a verdict, its plies numbered."""
    grid = state.grid_of(verdict.start)
    for text in verdict.line:
        grid = grid.after(ply_of(text))
    first = verdict.after + 1
    title = f"The line of the verdict, moves {first} to {verdict.after + len(verdict.line)}"
    sentences = tuple(f"Ply {n}: {spoken(ply_of(t))}." for n, t in enumerate(verdict.line, start=first))
    return drawn(title, grid, verdict.line, sentences, first)


def stepped(state: State, verdict: VerdictGiven) -> Iterable[tuple[str, Diagram]]:
    """The line of a verdict ply by ply, from the grid on which it begins."""
    grid = state.grid_of(verdict.start)
    if verdict.line:
        yield (
            f"After move {verdict.after}, where the line begins",
            drawn("Where the line begins", grid, (), ()),
        )
    for number, text in enumerate(verdict.line, start=verdict.after + 1):
        grid = grid.after(ply_of(text))
        words = f"Ply {number}: {spoken(ply_of(text))}"
        yield words, drawn(f"The line after move {number}", grid, (text,), (f"{words}.",))


def ending(state: State, over: GameWon | GameStopped) -> Diagram:
    """The grid at the end of a game, its last piece marked."""
    return drawn(f"Game {over.number} at its end", state.grid_of(over.pieces), over.pieces[-1:], ())


def drawn(title: str, grid: Grid, last: Sequence[str], sentences: Iterable[str], number: int = 0) -> Diagram:
    """A grid with the pieces of `last` marked; with a number, by the numbers of their plies."""
    bits = grid.ground.bits
    tokens = tuple(
        Token(cell, "R", "red", "red", "disc")
        if bit & grid.red
        else Token(cell, "B", "blue", "blue", "square")
        for cell, bit in bits.items()
        if bit & (grid.red | grid.blue)
    )
    boxed = f"{grid.box} pieces are in the box." if grid.box != 1 else "One piece is in the box."
    links = tuple(
        Link(low, high, "grey", "-" if low[1:] == high[1:] else "|", "domino")
        for low, high in (sorted(cells_of(piece), key=bits.__getitem__) for piece in grid.pieces)
    )
    return Diagram(
        title=title,
        columns=tuple(chr(ord("a") + col) for col in range(grid.cols)),
        rows=tuple(str(row + 1) for row in reversed(range(grid.rows))),
        tokens=tokens,
        links=links,
        marks=tuple(_marks(grid, last, number)),
        legend=(("R", "the red half of a piece"), ("B", "the blue half of a piece")),
        sentences=(*sentences, boxed),
    )


def _marks(grid: Grid, last: Sequence[str], number: int) -> Iterable[Mark]:
    """The pieces just put down, where the last was lifted, and runs of four the last one made."""
    marked: dict[str, str] = {}
    for index, text in enumerate(last):
        for cell in cells_of(ply_of(text).placed):
            marked[cell] = str(number + index) if number else ""
    for cell in marked:
        if cell in grid.owners:
            yield Mark(cell, "last", marked[cell])
    if not last:
        return
    final = ply_of(last[-1])
    for cell in cells_of(final.lifted) if final.lifted else ():
        if cell not in grid.owners:
            yield Mark(cell, "from")
    if final.placed in grid.pieces:
        for run in runs_of(grid, final):
            for cell in run if len(run) >= RUN else ():
                yield Mark(cell, "run")


def spoken(ply: Ply) -> str:
    """A move in words."""
    lies = f"red on {ply.red}, blue on {ply.blue}"
    return f"{ply.lifted} is lifted and put down with {lies}" if ply.lifted else f"a piece with {lies}"


def _said(state: State) -> tuple[str, ...]:
    """The last happening, for those who can't see the marks."""
    if not (plies := state.shown_plies):
        return ("No piece is on the grid.",)
    ply = ply_of(plies[-1])
    red, blue = map(len, runs_of(state.shown_grid, ply))
    return (
        f"Move {len(plies)}: {spoken(ply)}.",
        f"Its red half makes a run of {red}, its blue half one of {blue}.",
    )


def clickable(state: State) -> BoardForm:
    """`grids` by the name of the board: the pieces, red half before blue, and how many are in the box; "" is the public
    one. In the evidence of a claim there is a board before each ply that may be changed: "ply-7"."""
    grids = {"": state.shown_grid}
    boards: dict[str, Diagram] = {}
    for ply in state.own_plies(state.judged[0]) if state.phase == "evidence" else ():
        name, grid = f"ply-{ply}", state.grid_before(ply)
        grids[name], boards[name] = grid, drawn(f"Before move {ply}", grid, (), ())
    facts = {
        "grids": {
            name: {
                "cols": grid.cols,
                "rows": grid.rows,
                "box": grid.box,
                "pieces": [list(cells_of(piece)) for piece in grid.ordered()],
            }
            for name, grid in grids.items()
        },
        "plies": [int(name[4:]) for name in boards],
        "claims": [
            n for n in range(2, state.law.max_claim + 1) if not any(claim_faults(state, n, wins=False))
        ],
        "offers": [seat for seat in state.active if not state.claims and state.offer != seat],
    }
    return BoardForm(facts, boards)


MOST: Final = 400  # branches of a verdict that are told; the record has all
NAMED: Final = 12  # moves named in one sentence


def branches(event: VerdictGiven) -> tuple[Branch, ...]:
    """A tree for each proof of a verdict, and for each that shows when a win was let go."""
    proofs = (*event.proofs, *event.slip_proofs)
    return tuple(_Telling(proof, MOST // len(proofs)).told() for proof in proofs)


class _Telling:
    """One proof. `left` counts down the branches that are still told, the upper ones first."""

    def __init__(self, proof: Mapping[str, Any], most: int) -> None:
        self.question, self.proved = proof["question"], proof["verdict"] == "proved"
        self.moves: Sequence[str] = proof["moves"]
        self.last: Sequence[Sequence[int]] = proof["last"]
        self.nodes: Sequence[Sequence[Any]] = proof["nodes"]
        self.root: Any = proof["root"]
        self.left = most

    def told(self) -> Branch:
        plies, colour = int(self.question["plies"]), str(self.question["colour"])
        when = "at exactly" if self.question["test"] == "exact" else "within"
        count = "1 move" if plies == 1 else f"{plies} moves"
        verdict = "can force" if self.proved else "cannot force"
        words = f"{colour.capitalize()} {verdict} a win {when} {count} from here"
        if isinstance(self.root, list):  # the strategy's own side begins
            answer, node = self.root
            return Branch(words, (Branch(f"First {self._said(answer)}.", tuple(self._met(node, plies - 1))),))
        return Branch(words, tuple(self._met(self.root, plies)))

    def _met(self, node: int, plies: int) -> Iterator[Branch]:
        """What the strategy answers to each move of the side it meets, with so many plies left; the
        answer to most moves comes last."""
        if node == ENDS or self.left <= 0:
            return
        if plies == 1 and not self.proved:
            yield Branch("Then no last move wins.")
            return
        if node <= LAST:
            self.left -= 1
            does = "wins" if self.proved else "leaves no win"
            if not self.last:
                yield Branch("To each move there is one that wins at once.")
                return
            yield Branch(f"To each move one of these {does}: {self._listed(self.last[LAST - node])}.")
            return
        wins, *groups = self.nodes[node]
        self.left -= len(groups) + bool(wins)
        if wins:
            yield Branch(f"Whatever lets one of these win at once is met by it: {self._listed(wins)}.")
        for number, (answer, after, *to) in enumerate([*groups[1:], *groups[:1]], 1):
            rest = number == len(groups)
            moves = "every other move" if rest and (len(groups) > 1 or wins) else "every move"
            met = moves if rest else self._listed(to)
            yield Branch(f"To {met}: {self._said(answer)}.", tuple(self._met(after, plies - 2)))

    def _said(self, answer: int) -> str:
        return "nobody can move" if answer == -1 else self.moves[answer]

    def _listed(self, moves: Sequence[int]) -> str:
        named = ", ".join(self._said(move) for move in moves[:NAMED])
        return named if len(moves) <= NAMED else f"{named} and {len(moves) - NAMED} more"
