"""Requests that only tell, to the address they came from, what its owner may know anyhow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.core.game import AnyGame
from referee.letters.letter import Letter, Meant
from referee.letters.replies import unreadable
from referee.match.ahead.reading import drawn
from referee.match.handling.seating import entered
from referee.match.match import Match
from referee.match.record.public import public_record, record_json
from referee.match.record.text import text_record
from referee.way.case import Settled
from referee.way.requests.request import Request, former_seats, open_seats
from referee.way.routing import Route

_LISTED = 40  # matches that a letter shows


def status(request: Request) -> Settled:
    """What the sender owes, everywhere, until when."""
    named = request.named
    meant = [r for r in request.seats if named is None or r.match.name == named.name]
    shown = [r for r in meant if r.match.known]
    unread = sorted({r.match.name for r in meant} - {r.match.name for r in shown})
    rows = [_row(request, at) for at in shown]
    only = shown[0] if len(shown) == 1 else None
    told = request.told(
        "status",
        request.command,
        only.match if only else None,
        only.seat if only else None,
        Meant(draft=any(at.seat in at.match.drafts for at in shown)),
        rows=rows,
        named=named,
        failing=request.unit.failing({a for r in shown for a in r.match.entrant(r.seat).addresses}),
        unread=unread,
        former=former_seats(request.case, request.to.address),
        person=request.unit.person(request.to.address),
        boards=request.command == "board" or len(rows) == 1,
        calendars=_calendars(request, shown),
    )
    alarms = [alarm for name in unread if (alarm := _unreadable(request, name)) is not None]
    return replace(told, letters=(*told.letters, *alarms))


def _unreadable(request: Request, name: str) -> Letter | None:
    """The moderator's alarm about a match that can't be read: the letter says that he knows."""
    row, why = request.unit.match(name), request.room.matches.why_unreadable(request.unit, name)
    return unreadable(request.room.speaker, name, row.version, why, request.now) if row and why else None


def _calendars(request: Request, seats: Sequence[Route]) -> list[str]:
    """The addresses of the sender's calendars in the archive, one for each name he plays under."""
    offices, keys = request.room.offices, request.room.keys
    if not offices.site:
        return []
    names: dict[str, None] = {}
    for at in seats:
        entrant = entered(request.unit.history(at.match.name))[0][at.seat]
        names[keys.calendar(keys.player(entrant.name, *entrant.addresses[:1]))] = None
    return [offices.calendar(name) for name in names]


def _row(request: Request, at: Route) -> dict[str, object]:
    mine = [(r, d) for r, d in at.match.due if d.seat == at.seat]
    return {
        "route": at,
        "game": request.room.games[at.match.game],
        "owes": mine,
        "sent": {d for r, d in mine if r.answer_of(d) is not None},
        "view": at.match.view(at.seat),
        "others": [(r, d) for r, d in at.match.due if d.seat != at.seat],
        "vacant": at.match.vacant,
        "ahead": "\n".join(drawn(one.branches)) if (one := at.match.ahead_of(at.seat)) else "",
        "draft": at.match.drafts.get(at.seat),
        "absences": [a for a in at.match.absences if a.seat == at.seat],
    }


def board(request: Request) -> Settled | None:
    """How a match stands: one's own view of it, or the public one."""
    match = request.match_shown
    if match is None:
        return status(request) if request.seats else None
    seat = next((r.seat for r in request.seats if r.match.name == match.name), None)
    return request.told("board", "board", match, seat)


def games(request: Request) -> Settled:
    forming = request.room.proposals.forming(request.unit)
    return request.told("games", "games", open_seats=open_seats(request.case), forming=forming)


def listing(request: Request) -> Settled:
    """What is being formed, where a seat is free, what is being played."""
    unit = request.unit
    running = [request.room.matches.outline(unit, name) for name in unit.running(_LISTED)]
    return request.told(
        "list",
        "list",
        forming=request.room.proposals.forming(unit),
        running=[m for m in running if m.known],
        open_seats=open_seats(request.case),
    )


def rules(request: Request) -> Settled:
    """The rules in brief, how answers are written, the pieces: of a match as amended, or of a game as it usually is."""
    room, game = request.room, game_named(request, request.argument)
    match = None if game else request.match_shown
    if match is not None:
        game, history = room.games[match.game], lambda: request.unit.history(match.name)
        shown = match.view(None) or room.speaker.beginning(match, history)
    elif game is not None or (game := _played(request)) is not None:
        shown = room.speaker.usual(game)
    else:
        return games(request)
    return request.told("rules", request.command, match, topic=request.command, about=game, shown=shown)


def game_beginning(request: Request, argument: str) -> AnyGame | None:
    """The game whose name the words begin with."""
    words = argument.split()
    found = (game_named(request, " ".join(words[:count])) for count in range(len(words), 0, -1))
    return next(filter(None, found), None)


def game_named(request: Request, named: str) -> AnyGame | None:
    """The game of that name, by its slug or one of its titles."""
    wanted = "".join(named.casefold().split())
    for game in request.room.games.values():
        if wanted and wanted in ("".join(name.casefold().split()) for name in (game.slug, *game.titles)):
            return game
    return None


def _played(request: Request) -> AnyGame | None:
    """The game of all the sender's seats, if it is one."""
    slugs = {route.match.game for route in request.seats}
    return request.room.games.get(slugs.pop()) if len(slugs) == 1 else None


def record(request: Request) -> Settled | None:
    match = request.match_shown
    if match is None:
        return None
    told = public_record(request.room.games[match.game], request.unit.history(match.name))
    files = _attached(request, match, record_json(told))
    settled = request.told("record", "record", match, record=told, file=files[0][0] if files else "")
    (letter,) = settled.letters
    return replace(settled, letters=(replace(letter, page=replace(letter.page, attachments=files)),))


def _attached(request: Request, match: Match, whole: str) -> tuple[tuple[str, str, str], ...]:
    """The record as a file; one too large for a letter in the game's own notation, which is shorter; or none."""
    room = request.room.settings.limits.largest_letter // 2
    if len(whole.encode()) <= room:
        return ((f"{match.name}.json", "application/json", whole),)
    short = text_record(request.room.games[match.game], request.unit.history(match.name))
    return ((f"{match.name}.txt", "text/plain", short),) if len(short.encode()) <= room else ()
