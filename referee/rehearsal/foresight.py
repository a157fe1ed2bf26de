"""Conditional turns of seeded players: what they would answer to moves that the others may make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.core import seam
from referee.core.answers import Body
from referee.core.chance import Chance
from referee.core.owing import Demand
from referee.core.seam import Standing
from referee.match.ahead.reading import foreseen
from referee.match.match import Match

_STEPS = 3  # one behind the other
_MOVES = 12  # of all seats, that are looked at


def said_ahead(match: Match, demand: Demand, action: Any, chance: Chance) -> str:
    """Lines to stand beside the answer: some moves of others with one's own behind each, and now and then one's move
    whatever comes. None where nothing can be said that would be taken."""
    if match.standing is None or not seam.foreseeable(match.standing.game, demand):
        return ""
    standing = _after(match.standing, demand, action)
    found = [_path(standing, demand.seat, chance) for _ in range(1 + chance.below(2, "cases"))]
    if chance.below(2, "whatever comes") == 0:
        found.append(next(_whatever(standing, demand.seat, chance), ""))
    text = "\n".join(dict.fromkeys(line for line in found if line))
    if not text or foreseen(match, demand.seat, Body.of(text).lines, (demand, action)).complaints:
        return ""
    return text


def _path(standing: Standing, seat: int, chance: Chance) -> str:
    """A line: the move of whoever plays right before the seat, the seat's, and so on."""
    steps: list[str] = []
    before = ""
    for demand, text in _course(standing, chance):
        if demand.seat != seat:
            before = f"Player {demand.seat}: {text}"
        elif before:
            steps.append(f"{before}, then {text}")
            before = ""
        if len(steps) == _STEPS:
            break
    return f"If {', if '.join(steps)}" if steps else ""


def _whatever(standing: Standing, seat: int, chance: Chance) -> Iterator[str]:
    for demand, text in _course(standing, chance):
        if demand.seat == seat:
            yield f"If anything else: {text}"


def _course(standing: Standing, chance: Chance) -> Iterator[tuple[Demand, str]]:
    """Moves as they may come, one after the other."""
    for _ in range(_MOVES):
        owing = [d for r in standing.due for d in r.demands if not r.sealed]
        if len(owing) != 1 or not seam.foreseeable(standing.game, owing[0]):
            return
        demand = owing[0]
        answer = seam.answer_of(standing.game, demand.kind)
        move = answer.foreseen(standing.state, seam.suggest(standing.game, standing.state, demand, chance))
        if move is None:
            return
        text = seam.write(standing.game, standing.state, demand, move).replace("\n", " ")
        standing = _after(standing, demand, move)
        yield demand, text


def _after(standing: Standing, demand: Demand, action: Any) -> Standing:
    for event in seam.resolve(standing.game, standing.state, {demand: action}):
        standing = standing.after(event)
    return standing
