"""Ratings by openskill's Plackett-Luce model: of two and more seats, of those who win together as a team, and draws;
for each game apart. They hang on the results alone, in the order in which matches ended."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple


class Finished(NamedTuple):
    """A match that has ended: who played, seat by seat, and how he came out: the lower, the better,
    equal where they are. Those of rank 1 won together, unless all have it, which is a draw."""

    match: str
    game: str
    at: str  # ISO 8601
    players: tuple[str, ...]
    ranks: tuple[int, ...]


class Rating(NamedTuple):
    """A player's rating after a match: what he is thought to be worth, and how sure that is. By `shown` they are
    ordered: three deviations below the mean, so that nobody is high on a list by one lucky match."""

    match: str
    at: str
    mean: float
    deviation: float

    @property
    def shown(self) -> float:
        return self.mean - 3 * self.deviation

    @property
    def points(self) -> int:
        """The same for people: 1000 before the first match, and nobody's is negative."""
        return max(0, round(1000 + 40 * self.shown))


Course = Mapping[str, Sequence[Rating]]  # by player


def ratings(
    finished: Iterable[Finished], unrated: Collection[str] = ()
) -> dict[str, dict[str, list[Rating]]]:
    """By game and player, every step since his first match. A match in which somebody stays unrated rates nobody."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    found: dict[str, dict[str, list[Rating]]] = {}
    for one in sorted(finished, key=lambda f: (f.at, f.match)):
        if len(one.players) < 2 or not set(unrated).isdisjoint(one.players):
            continue
        known = found.setdefault(one.game, {})
        teams = _teams(one)
        before = [[_rating(model, known.get(one.players[seat])) for seat in team] for team in teams]
        after = model.rate(before, ranks=[float(one.ranks[team[0]]) for team in teams])
        for team, rated in zip(teams, after, strict=True):
            for seat, rating in zip(team, rated, strict=True):
                step = Rating(one.match, one.at, rating.mu, rating.sigma)
                known.setdefault(one.players[seat], []).append(step)
    return found


def _teams(one: Finished) -> list[list[int]]:
    """Seats that win together are one team; all others stand alone."""
    winners = [seat for seat, rank in enumerate(one.ranks) if rank == 1]
    if not 1 < len(winners) < len(one.ranks):
        return [[seat] for seat in range(len(one.ranks))]
    return [winners, *([seat] for seat in range(len(one.ranks)) if seat not in winners)]


def _rating(model, course: Sequence[Rating] | None):  # type: ignore[no-untyped-def]
    return model.rating(mu=course[-1].mean, sigma=course[-1].deviation) if course else model.rating()
