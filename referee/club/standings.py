"""How those who play an event stand: points, then tie-breaks, each by its name in the field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from referee.core.value import Value

HALF = Fraction(1, 2)
ROUND_ROBIN = ("direct encounter", "Sonneborn-Berger", "wins")
SWISS = ("Buchholz", "Sonneborn-Berger", "direct encounter")
TABLES = ("wins", "game points")


class MatchScore(NamedTuple):
    """A match that counts: the points of each who played it; `own` what the game gave, where it counts by points."""

    points: Mapping[str, Fraction]
    own: Mapping[str, Fraction] = {}


class Ranked(Value):
    """A player's line. `tie_breaks` in the order in which they decide."""

    player: str
    points: Fraction
    tie_breaks: Mapping[str, Fraction]
    played: int


def standings(
    players: Sequence[str],
    results: Sequence[MatchScore],
    given: Mapping[str, Fraction],
    breaks: Sequence[str],
) -> list[Ranked]:
    """Best first; who is equal in all stands in the order of the draw. `given` are points without a match: byes, and
    what falls to those whose opponent is gone. Buchholz is the sum of the points of those one has met; Sonneborn-Berger
    that of each by what one took from him; direct encounter what one took from those who are equal in points."""
    points = dict.fromkeys(players, Fraction(0))
    for player, extra in given.items():
        points[player] += extra
    for result in results:
        for player, taken in result.points.items():
            points[player] += taken
    rows = [_row(player, points, results, breaks) for player in players]
    place = {player: number for number, player in enumerate(players)}
    return sorted(rows, key=lambda r: (-r.points, *(-v for v in r.tie_breaks.values()), place[r.player]))


def _row(
    player: str, points: Mapping[str, Fraction], results: Sequence[MatchScore], breaks: Sequence[str]
) -> Ranked:
    mine = [result for result in results if player in result.points]
    met = [(other, r.points[player]) for r in mine for other in r.points if other != player]
    equal = {other for other, total in points.items() if total == points[player]}
    values = {
        "Buchholz": _sum(points[other] for other, _ in met),
        "Sonneborn-Berger": _sum(points[other] * taken for other, taken in met),
        "direct encounter": _sum(taken for other, taken in met if other in equal),
        "wins": Fraction(sum(r.points[player] == max(r.points.values()) > HALF for r in mine)),
        "game points": _sum(r.own.get(player, Fraction(0)) for r in mine),
    }
    return Ranked(player, points[player], {name: values[name] for name in breaks}, len(mine))


def _sum(values: Iterable[Fraction]) -> Fraction:
    return sum(values, Fraction(0))


def counted(points: Fraction) -> str:
    """Points as they are written: halves as decimals, thirds and the like as fractions."""
    if points.denominator in (1, 2, 4):
        return f"{float(points):g}"
    return str(points)
