"""What few games tell, as values: what stands in no record, a proof to follow, a form on the board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, runtime_checkable

from referee.core.diagram import Diagram
from referee.core.owing import Demand

Given: TypeAlias = tuple[Demand, Any]  # an answer: the demand and the action


@dataclass(frozen=True, slots=True)
class Seen:
    """What everybody saw of a stimulus, and of what came later. `answers`: LAPSED where a deadline
    passed; none where nothing was seen of what brought it about."""

    answers: Mapping[Demand, Any]
    happened: Sequence[Any]
    later: Iterable[Any]


@dataclass(frozen=True, slots=True)
class Untold:
    """What no record tells: `orders` given in private, and `whole`, answers that were seen with their private parts.
    Where nothing was seen of what brought a stimulus about, the last of the orders did."""

    orders: tuple[Given, ...] = ()
    whole: Mapping[Demand, Any] = field(default_factory=dict)


@runtime_checkable
class LeavesUntold(Protocol):
    """A game of which answers, or parts of them, stand in no public record (a standing order, a
    private puzzle, a verdict's proofs)."""

    def supposed(self, state: Any, seen: Seen) -> Iterable[Untold]:
        """What may have been ordered in private for this to have happened: every possibility, the likeliest first. For
        `verify`: the rules must allow each order, and must make of them just what was seen."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A step of a proof in a sentence, and what may follow it."""

    words: str
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardForm:
    """Public facts for the game's own script, `templates/SLUG/form.js`: JSON values only. `boards`
    are boards to click on beside that of the public view, by names that the script knows."""

    facts: Mapping[str, Any]
    boards: Mapping[str, Diagram] = field(default_factory=dict)
