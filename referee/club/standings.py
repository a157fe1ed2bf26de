"""How those who play an event stand: points, then tie-breaks, each by its name in the field. And
ratings by openskill's Plackett-Luce model: of two and more seats, of those who win together as a
team, and draws; for each game apart. They hang on the results alone, in the order in which matches
ended."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from referee.club.events import Scored
from referee.core.value import Value

HALF = Fraction(1, 2)
ROUND_ROBIN = ("direct encounter", "Sonneborn-Berger", "wins")
SWISS = ("Buchholz", "Sonneborn-Berger", "direct encounter")
TABLES = ("wins", "game points")


class Ranked(Value):
    """A player's line. `tie_breaks` in the order in which they decide."""

    player: str
    points: Fraction
    tie_breaks: Mapping[str, Fraction]
    played: int


def standings(
    players: Sequence[str], scores: Iterable[Scored], given: Mapping[str, Fraction], breaks: Sequence[str]
) -> list[Ranked]:
    """Best first; who is equal in all stands in the order of the draw. `given` are points without a match: byes, and
    what falls to those whose opponent is gone. Buchholz is the sum of the points of those one has met; Sonneborn-Berger
    that of each by what one took from him; direct encounter what one took from those who are equal in points."""
    results = [({p: Fraction(n) for p, n in score.points.items()}, score.own) for score in scores]
    points = {p: given[p] + _sum(taken[p] for taken, _ in results if p in taken) for p in players}
    rows = []
    for player in players:
        mine = [(taken, own) for taken, own in results if player in taken]
        met = [(other, taken[player]) for taken, _ in mine for other in taken if other != player]
        equal = {other for other, total in points.items() if total == points[player]}
        values = {
            "Buchholz": _sum(points[other] for other, _ in met),
            "Sonneborn-Berger": _sum(points[other] * taken for other, taken in met),
            "direct encounter": _sum(taken for other, taken in met if other in equal),
            "wins": Fraction(sum(taken[player] == max(taken.values()) > HALF for taken, _ in mine)),
            "game points": _sum(Fraction(own.get(player, 0)) for _, own in mine),
        }
        rows.append(Ranked(player, points[player], {name: values[name] for name in breaks}, len(mine)))
    return sorted(rows, key=lambda r: (-r.points, *(-v for v in r.tie_breaks.values())))


def _sum(values: Iterable[Fraction]) -> Fraction:
    return sum(values, Fraction(0))


def counted(points: Fraction) -> str:
    """Points as they are written: halves as decimals, thirds and the like as fractions."""
    if points.denominator in (1, 2, 4):
        return f"{float(points):g}"
    return str(points)


# --- ratings


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
        won = [seat for seat, rank in enumerate(one.ranks) if rank == 1]
        if not 1 < len(won) < len(one.ranks):  # else they are a team; all others stand alone
            won = []
        teams = [*([won] if won else []), *([seat] for seat in range(len(one.ranks)) if seat not in won)]
        new = Rating("", "", model.mu, model.sigma)
        stood = [known[player][-1] if player in known else new for player in one.players]
        worth = [model.rating(mu=each.mean, sigma=each.deviation) for each in stood]
        before = [[worth[seat] for seat in team] for team in teams]
        after = model.rate(before, ranks=[float(one.ranks[team[0]]) for team in teams])
        for team, rated in zip(teams, after, strict=True):
            for seat, rating in zip(team, rated, strict=True):
                step = Rating(one.match, one.at, rating.mu, rating.sigma)
                known.setdefault(one.players[seat], []).append(step)
    return found
