"""A proof as people read it: a tree to be opened reply by reply (4.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from referee.core.capabilities import Branch
from referee.games.onepiece.events import VerdictGiven
from referee.games.onepiece.proofs.checker import ENDS, LAST

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
        """What the strategy answers to each move of the side it meets, with so many plies left; the answer to most
        moves comes last."""
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
