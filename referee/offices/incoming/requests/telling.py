"""Requests that only tell, to the address they came from, what its owner may know anyhow."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.game import AnyGame
from referee.core.replacing import replace
from referee.match.ahead.saying import drawn
from referee.match.handling.seating import entered
from referee.match.match import Match
from referee.match.record.public import public_record, record_json
from referee.match.record.text import text_record
from referee.offices.incoming.case import Settled
from referee.offices.incoming.requests.request import Request, Requests
from referee.offices.incoming.routing import Route
from referee.offices.outgoing.alarms import unreadable
from referee.offices.outgoing.letters import Letter, Meant
from referee.offices.outgoing.replies import answer


def guide(requests: Requests, request: Request) -> Settled:
    """How to write to the referee."""
    return requests.help(request)


def status(requests: Requests, request: Request) -> Settled:
    """What the sender owes, everywhere, until when."""
    named = requests.named(request)
    meant = [r for r in request.seats if named is None or r.match.name == named.name]
    shown = [r for r in meant if r.match.known]
    unread = sorted({r.match.name for r in meant} - {r.match.name for r in shown})
    rows = [_row(requests, at) for at in shown]
    addresses = {a for r in shown for a in r.match.entrant(r.seat).addresses}
    context = {
        "rows": rows,
        "named": named,
        "failing": request.unit.failing(addresses),
        "unread": unread,
        "former": requests.former(request.unit, request.to.address),
        "person": request.unit.person(request.to.address),
        "boards": request.command == "board" or len(rows) == 1,
        "calendars": _calendars(requests, request, shown),
    }
    only = shown[0] if len(shown) == 1 else None
    match = only.match if only else None
    told = Meant(draft=any(at.seat in at.match.drafts for at in shown))
    seat = only.seat if only else None
    letter = answer(requests.speaker, "status", request.to, context, match, seat, reply=told)
    alarms = [alarm for name in unread if (alarm := _unreadable(requests, request, name)) is not None]
    return request.case.settled("answered", request.command, letter, *alarms)


def _unreadable(requests: Requests, request: Request, name: str) -> Letter | None:
    """The moderator's alarm about a match that can't be read: the letter says that he knows."""
    row, why = request.unit.match(name), requests.matches.why_unreadable(request.unit, name)
    return unreadable(requests.speaker, name, row.version, why, request.now) if row and why else None


def _calendars(requests: Requests, request: Request, seats: Sequence[Route]) -> list[str]:
    """The addresses of the sender's calendars in the archive, one for each name he plays under."""
    offices, keys = requests.offices, requests.keys
    if not offices.site:
        return []
    names: dict[str, None] = {}
    for at in seats:
        entrant = entered(request.unit.history(at.match.name))[0][at.seat]
        names[keys.calendar(keys.player(entrant.name, *entrant.addresses[:1]))] = None
    return [offices.calendar(name) for name in names]


def _row(requests: Requests, at: Route) -> dict[str, object]:
    game = requests.games[at.match.game]
    mine = [(r, d) for r, d in at.match.due if d.seat == at.seat]
    sent = {d for r, d in mine if r.answer_of(d) is not None}
    return {
        "route": at,
        "game": game,
        "owes": mine,
        "sent": sent,
        "view": at.match.view(at.seat),
        "others": [(r, d) for r, d in at.match.due if d.seat != at.seat],
        "vacant": at.match.vacant,
        "ahead": "\n".join(drawn(one.branches)) if (one := at.match.ahead_of(at.seat)) else "",
        "draft": at.match.drafts.get(at.seat),
        "absences": [a for a in at.match.absences if a.seat == at.seat],
    }


def board(requests: Requests, request: Request) -> Settled | None:
    """How a match stands: one's own view of it, or the public one."""
    match = requests.match_shown(request)
    if match is None:
        return status(requests, request) if request.seats else None
    seat = next((r.seat for r in request.seats if r.match.name == match.name), None)
    letter = answer(requests.speaker, "board", request.to, {}, match, seat)
    return request.case.settled("answered", "board", letter)


def games(requests: Requests, request: Request) -> Settled:
    context = {
        "open_seats": requests.open_seats(request.unit),
        "forming": requests.proposals.forming(request.unit),
    }
    letter = answer(requests.speaker, "games", request.to, context)
    return request.case.settled("answered", "games", letter)


def rules(requests: Requests, request: Request) -> Settled:
    """The rules in brief, how answers are written, the pieces: of a match as amended, or of a game as it usually is."""
    game = game_named(requests, request.argument)
    match = None if game else requests.match_shown(request)
    if match is not None:
        game, history = requests.games[match.game], lambda: request.unit.history(match.name)
        shown = match.view(None) or requests.speaker.beginning(match, history)
    elif game is not None or (game := _played(requests, request.seats)) is not None:
        shown = requests.speaker.usual(game)
    else:
        return games(requests, request)
    context = {"topic": request.command, "about": game, "shown": shown}
    letter = answer(requests.speaker, "rules", request.to, context, match)
    return request.case.settled("answered", request.command, letter)


def game_beginning(requests: Requests, argument: str) -> AnyGame | None:
    """The game whose name the words begin with."""
    words = argument.split()
    found = (game_named(requests, " ".join(words[:count])) for count in range(len(words), 0, -1))
    return next(filter(None, found), None)


def game_named(requests: Requests, named: str) -> AnyGame | None:
    """The game of that name, by its slug or one of its titles."""
    wanted = "".join(named.casefold().split())
    for game in requests.games.values():
        if wanted and wanted in ("".join(name.casefold().split()) for name in (game.slug, *game.titles)):
            return game
    return None


def _played(requests: Requests, seats: tuple[Route, ...]) -> AnyGame | None:
    """The game of all the sender's seats, if it is one."""
    slugs = {route.match.game for route in seats}
    return requests.games.get(slugs.pop()) if len(slugs) == 1 else None


def record(requests: Requests, request: Request) -> Settled | None:
    match = requests.match_shown(request)
    if match is None:
        return None
    told = public_record(requests.games[match.game], request.unit.history(match.name))
    files = _attached(requests, request, match, record_json(told))
    context = {"record": told, "file": files[0][0] if files else ""}
    letter = answer(requests.speaker, "record", request.to, context, match)
    letter = replace(letter, page=replace(letter.page, attachments=files))
    return request.case.settled("answered", "record", letter)


def _attached(
    requests: Requests, request: Request, match: Match, whole: str
) -> tuple[tuple[str, str, str], ...]:
    """The record as a file; one too large for a letter in the game's own notation, which is shorter; or none."""
    room = requests.settings.limits.largest_letter // 2
    if len(whole.encode()) <= room:
        return ((f"{match.name}.json", "application/json", whole),)
    short = text_record(requests.games[match.game], request.unit.history(match.name))
    return ((f"{match.name}.txt", "text/plain", short),) if len(short.encode()) <= room else ()
