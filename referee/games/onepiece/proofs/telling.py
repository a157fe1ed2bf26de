"""A proof as people read it: a line that shows it (4.4), and a tree to be opened reply by reply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from referee.core.capabilities import Branch
from referee.games.onepiece.board import Colour, Grid, ground, other, ply_of, runs_of
from referee.games.onepiece.events import VerdictGiven
from referee.games.onepiece.proofs.checker import ENDS, FORM, LAST

MOST: Final = 400  # branches of a verdict that are told; the record has all
NAMED: Final = 12  # moves named in one sentence


# --- a line ---------------------------------------------------------------------------------------------------------


def shown_line(grid: Grid, given: Mapping[str, Any], played: tuple[str, ...]) -> tuple[str, ...]:
    """A line of the proof: the strategy's side plays by it, the other side what it really played as long as it can,
    then its first legal move that ends nothing."""
    colour: Colour = given["question"]["colour"]
    line: list[str] = []
    node: Any = None
    for left in range(given["question"]["plies"], 0, -1):
        own = (left % 2 == 1) == (given["verdict"] == "proved")
        if own:
            text, node = _answer(grid, given, line[-1] if line else None, node, left)
        else:
            node = given["root"] if node is None else node
            text = _met(grid, colour, played, line)
        if text is None:
            break
        line.append(text)
        grid = grid.after(ply_of(text))
        if runs_of(grid, ply_of(text).placed).winner is not None:
            break
    return tuple(line)


def _answer(
    grid: Grid, given: Mapping[str, Any], last: str | None, node: Any, left: int
) -> tuple[str | None, Any]:
    """The strategy's answer here, and the node after it."""
    moves = given["moves"]
    if last is None:
        answer, after = given["root"]
    elif node <= LAST and given["verdict"] == "proved" and given.get("form") == FORM:
        return _win(grid, given["question"]["colour"]), ENDS
    elif node <= LAST:
        answer, after = _fitting(grid, given, given["last"][LAST - node]), LAST
    else:
        wins, *groups = given["nodes"][node]
        answer, after = _fitting(grid, given, wins, at_once=True), ENDS
        if answer is None:
            named = (g for g in groups[1:] if any(moves[m] == last for m in g[2:]))
            answer, after = next(named, groups[0])[:2]
    return (None, after) if answer is None or answer < 0 else (moves[answer], after)


def _fitting(grid: Grid, given: Mapping[str, Any], answers: list[int], at_once: bool = False) -> int | None:
    """Of the answers listed the one that holds here: that wins, or after which the claimer can't win any more."""
    colour: Colour = given["question"]["colour"]
    side = colour if given["verdict"] == "proved" else other(colour)
    legal = set(map(str, grid.plies()))
    for answer in answers:
        text = given["moves"][answer] if answer >= 0 else ""
        if text in legal:
            after = grid.after(ply_of(text))
            winner = runs_of(after, ply_of(text).placed).winner
            quiet = winner is None and side != colour and not at_once
            if winner == side or (quiet and _win(after, colour) is None):
                return answer
    return None


def _win(grid: Grid, colour: Colour) -> str | None:
    """A move that wins at once."""
    g = ground(grid.cols, grid.rows)
    won = g.winning(*g.position(grid.pieces, colour), grid.box)
    return None if won is None else str(g.ply(won, colour))


def _met(grid: Grid, colour: Colour, played: tuple[str, ...], line: list[str]) -> str | None:
    """What the side that is met by the strategy does: what it did in the game, while the line is the game's."""
    plies = grid.plies()
    if len(line) < len(played) and tuple(line) == played[: len(line)]:
        return played[len(line)]
    quiet = (p for p in plies if runs_of(grid.after(p), p.placed).winner is None)
    first = next(quiet, plies[0] if plies else None)
    return str(first) if first else None


# --- a tree ---------------------------------------------------------------------------------------------------------


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
        count = "1 ply" if plies == 1 else f"{plies} plies"
        verdict = "can force" if self.proved else "cannot force"
        words = f"{colour.capitalize()} {verdict} a win {when} {count} from here"
        if isinstance(self.root, list):  # the strategy's own side begins
            answer, node = self.root
            return Branch(words, (Branch(f"First {self._said(answer)}.", tuple(self._met(node, plies - 1))),))
        return Branch(words, tuple(self._met(self.root, plies)))

    def _met(self, node: int, plies: int) -> Iterator[Branch]:
        """What the strategy answers to each move of the side it meets, with so many plies left; the answer to most
        moves comes last."""
        if node == ENDS or self.left <= 0:
            return
        if plies == 1 and not self.proved:
            yield Branch("Then no move wins with the last ply.")
            return
        if node <= LAST:
            self.left -= 1
            if not self.last:
                yield Branch("To each move there is one that wins at once.")
                return
            yield Branch(
                f"To each move one of these {self._leaves()}: {self._listed(self.last[LAST - node])}."
            )
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

    def _leaves(self) -> str:
        return "wins" if self.proved else "leaves no win"

    def _said(self, answer: int) -> str:
        return "nobody can move" if answer == -1 else self.moves[answer]

    def _listed(self, moves: Sequence[int]) -> str:
        named = ", ".join(self._said(move) for move in moves[:NAMED])
        return named if len(moves) <= NAMED else f"{named} and {len(moves) - NAMED} more"
