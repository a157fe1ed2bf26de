"""What a match came to, as ratings and tables of results count it: from its ledger alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from referee.club.proposal import Proposal
from referee.club.standings import Course, Finished
from referee.club.tournament import Tournament
from referee.core.value import Value
from referee.match import events as ev
from referee.match.chain import Keys
from referee.match.events import Entry
from referee.match.handling.moderating import CALLED_OFF
from referee.match.handling.seating import entered
from referee.match.match import Match, outcome
from referee.offices.register.facts import Facts


class ClubRecord(Value):
    """What all may see of the club, and who wishes not to be seen: players by what tells them apart in public."""

    forming: tuple[Proposal, ...] = ()
    events: tuple[Tournament, ...] = ()
    unrated: frozenset[str] = frozenset()
    unlisted: frozenset[str] = frozenset()


def finished(match: Match, history: Sequence[Entry], keys: Keys) -> Finished | None:
    """None of a match that goes on, was called off, or had one seat. Whoever sits there at the end is who played. The
    winners have the first rank; the others stand by the game's own points where it gives any to tell them apart."""
    found = outcome(match)
    if found is None or found.reason == CALLED_OFF or match.seats < 2:
        return None
    at = next(entry.at for entry in reversed(history) if isinstance(entry.event, ev.MatchEnded))
    seated, _ = entered(history)
    won = set(found.winners or seated)  # by their worth the best come first
    points = {n: Fraction(0) if n in won else -found.points.get(n, Fraction(0)) for n in seated}
    worth = {n: (n not in won, points[n]) for n in seated}
    better = sorted(set(worth.values()))
    ranks = tuple(better.index(worth[n]) + 1 for n in seated)
    players = tuple(keys.player(person.name, *person.addresses[:1]) for person in seated.values())
    return Finished(match.name, match.game, at.isoformat(), players, ranks)


def rated_facts(courses: Course, names: Mapping[str, str], unlisted: Collection[str]) -> list[Facts]:
    """The ratings of a game, the best first."""
    ranked = sorted(courses.items(), key=lambda row: (-row[1][-1].shown, names[row[0]], row[0]))
    return [
        {
            "player": names[player],
            "points": course[-1].points,
            "rating": round(course[-1].shown, 2),
            "course": [
                {"match": s.match, "at": s.at, "mean": round(s.mean, 4), "deviation": round(s.deviation, 4)}
                for s in course
            ],
        }
        for player, course in ranked
        if player not in unlisted
    ]
