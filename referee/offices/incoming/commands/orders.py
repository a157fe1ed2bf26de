"""Commands that are orders to a game in other words: they are judged like a mail under the game's own heading."""

from __future__ import annotations

from referee.core.complaint import Line
from referee.core.seam import headings
from referee.offices.incoming.commands.clerk import Asked, Clerk, Obeyed, Order
from referee.offices.incoming.routing import Astray


def withdraw(clerk: Clerk, asked: Asked) -> Order | Obeyed | None:
    places = clerk.places(asked)
    holding = [r for r in places if any(a.demand.seat == r.seat for x in r.match.rounds for a in x.answered)]
    return Order((holding or list(places))[0], take_back=True) if places else None


def resign(clerk: Clerk, asked: Asked) -> Order | Obeyed:
    """The word Resign under the game's own heading for it."""
    at = clerk.place(asked)
    if isinstance(at, Astray):
        return clerk.help(asked, at.why, at)
    kind = headings(clerk.games[at.match.game]).get("Resign")
    last = max((line.number for line in asked.mail.own), default=0)
    says = any(line.text.strip(" .!*_-").casefold() == "resign" for line in asked.mail.own)
    lines = asked.mail.own if says else (*asked.mail.own, Line(last + 1, "Resign"))
    return Order(at, kind, lines)


def preview(clerk: Clerk, asked: Asked) -> Order | Obeyed:
    at = clerk.place(asked)
    return clerk.help(asked, at.why, at) if isinstance(at, Astray) else Order(at, preview=True)
