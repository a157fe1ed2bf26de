"""What may be asked of an office in a subject. What one may do to a seat is decided before it comes here."""

from __future__ import annotations

from collections.abc import Callable

from referee.offices.incoming.case import Order, Settled
from referee.offices.incoming.requests import doors, person, programme, seats, substitutes, telling
from referee.offices.incoming.requests.request import Request, Requests

TELLING: frozenset[str] = frozenset(
    ("help", "status", "games", "list", "record", "board", "rules", "syntax", "pieces")
)
OPEN_TO_ALL: frozenset[str] = TELLING | {"join", "observe", "stop"}
PROPOSING: frozenset[str] = frozenset(("propose", "rematch"))
TRIED: frozenset[str] = frozenset(("resign", "withdraw", "discard", "preview"))
"""Those that are judged as an answer is, and weighed as one until it shows what would come of them: they alone have a
dry run."""

# None: it can't be done as it was asked; the help letter follows.
Deed = Callable[[Requests, Request], Settled | Order | None]
TABLE: dict[str, Deed] = {
    "help": telling.guide,
    "status": telling.status,
    "board": telling.board,
    "games": telling.games,
    "rules": telling.rules,
    "syntax": telling.rules,
    "pieces": telling.rules,
    "list": doors.listing,
    "propose": doors.propose,
    "event": programme.event,
    "rematch": doors.rematch,
    "record": telling.record,
    "withdraw": seats.withdraw,
    "discard": seats.discard,
    "resign": seats.resign,
    "preview": seats.preview,
    "join": seats.join,
    "observe": seats.observe,
    "stop": seats.observe,
    "timezone": seats.set_zone,
    "vacation": seats.take_absence,
    "press": seats.send_press,
    "substitute": substitutes.name_substitute,
    "renew": seats.renew,
    "address": person.add_address,
    "format": person.set_format,
    "digest": person.set_format,
    "phrase": person.set_phrase,
    "key": person.set_key,
    "rating": person.wish_of_club,
    "listing": person.wish_of_club,
}


def dealt_with(requests: Requests, request: Request) -> Settled | Order:
    """What the request asks for is done, or a help letter says what is possible."""
    deed = TABLE.get(request.command)
    done = deed(requests, request) if deed else None
    return done if done is not None else requests.help(request)
