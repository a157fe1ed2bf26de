"""Commands that only tell, to the address they came from, what its owner may know anyhow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.match.match import AnyGame, Match, owed, vacancies
from referee.match.record.public import public_record, record_json
from referee.match.record.text import text_record
from referee.match.seating import entered
from referee.offices.incoming.commands.clerk import Asked, Clerk, Obeyed
from referee.offices.incoming.routing import Route
from referee.offices.people import People


def guide(clerk: Clerk, asked: Asked) -> Obeyed:
    """How to write to the referee."""
    return clerk.help(asked)


def status(clerk: Clerk, asked: Asked) -> Obeyed:
    """What the sender owes, everywhere, until when."""
    named = clerk.named(asked)
    shown = [r for r in asked.seats if named is None or r.match.name == named.name]
    rows = [_row(clerk, at) for at in shown]
    people = People(asked.unit)
    addresses = {a for r in shown for a in r.match.entrant(r.seat).addresses}
    context = {
        "rows": rows, "named": named, "failing": people.failing(addresses),
        "former": clerk.former(asked.unit, asked.to.address), "person": people.of(asked.to.address),
        "boards": asked.command == "board" or len(rows) == 1, "calendars": _calendars(clerk, asked, shown),
    }  # fmt: skip
    only = shown[0] if len(shown) == 1 else None
    match = only.match if only else None
    letter = clerk.speaker.answer("status", asked.to, asked.now, context, match, only.seat if only else None)
    return "answered", asked.command, (letter,)


def _calendars(clerk: Clerk, asked: Asked, seats: Sequence[Route]) -> list[str]:
    """The addresses of the sender's calendars in the archive, one for each name he plays under."""
    offices, keys = clerk.offices, clerk.speaker.keys
    if not offices.site:
        return []
    names: dict[str, None] = {}
    for at in seats:
        entrant = entered(asked.unit.history(at.match.name))[0][at.seat]
        names[keys.calendar(keys.player(entrant.name, *entrant.addresses[:1]))] = None
    return [offices.calendar(name) for name in names]


def _row(clerk: Clerk, at: Route) -> dict[str, Any]:
    game = clerk.games[at.match.game]
    mine = [(r, d) for r, d in owed(at.match, game) if d.seat == at.seat] if at.match.inner else []
    sent = {d for r, d in mine if r.answer_of(d) is not None}
    return {
        "route": at, "game": game, "owes": mine, "sent": sent, "view": clerk.speaker.view(at.match, at.seat),
        "others": [(r, d) for r, d in owed(at.match, game) if d.seat != at.seat],
        "vacant": vacancies(at.match, game), "absences": [a for a in at.match.absences if a.seat == at.seat],
    }  # fmt: skip


def board(clerk: Clerk, asked: Asked) -> Obeyed | None:
    """How a match stands: one's own view of it, or the public one."""
    match = clerk.named(asked) or _only(asked.seats)
    if match is None:
        return status(clerk, asked) if asked.seats else None
    seat = next((r.seat for r in asked.seats if r.match.name == match.name), None)
    letter = clerk.speaker.answer("board", asked.to, asked.now, {}, match, seat)
    return "answered", "board", (letter,)


def games(clerk: Clerk, asked: Asked) -> Obeyed:
    context = {"open_seats": clerk.open_seats(asked.unit)}
    return "answered", "games", (clerk.speaker.answer("games", asked.to, asked.now, context),)


def rules(clerk: Clerk, asked: Asked) -> Obeyed:
    """The rules in brief, how answers are written, the pieces: of a match as amended, or of a game as it usually is."""
    game = _game(clerk, asked.argument)
    match = None if game else clerk.named(asked) or _only(asked.seats)
    if match is not None:
        game, history = clerk.games[match.game], lambda: asked.unit.history(match.name)
        shown = clerk.speaker.view(match, None) or clerk.speaker.beginning(match, history)
    elif game is not None or (game := _played(clerk, asked.seats)) is not None:
        shown = clerk.speaker.usual(game)
    else:
        return games(clerk, asked)
    context = {"topic": asked.command, "about": game, "shown": shown}
    letter = clerk.speaker.answer("rules", asked.to, asked.now, context, match)
    return "answered", asked.command, (letter,)


def _game(clerk: Clerk, named: str) -> AnyGame | None:
    """The game of that name, by its slug or one of its titles."""
    wanted = "".join(named.casefold().split())
    for game in clerk.games.values():
        if wanted and wanted in ("".join(name.casefold().split()) for name in (game.slug, *game.titles)):
            return game
    return None


def _played(clerk: Clerk, seats: tuple[Route, ...]) -> AnyGame | None:
    """The game of all the sender's seats, if it is one."""
    slugs = {route.match.game for route in seats}
    return clerk.games[slugs.pop()] if len(slugs) == 1 else None


def record(clerk: Clerk, asked: Asked) -> Obeyed | None:
    match = clerk.named(asked) or _only(asked.seats)
    if match is None:
        return None
    told = public_record(clerk.games[match.game], asked.unit.history(match.name))
    files = _attached(clerk, asked, match, record_json(told))
    context = {"record": told, "file": files[0][0] if files else ""}
    letter = clerk.speaker.answer("record", asked.to, asked.now, context, match, None, files)
    return "answered", "record", (letter,)


def _attached(clerk: Clerk, asked: Asked, match: Match, whole: str) -> tuple[tuple[str, str, str], ...]:
    """The record as a file; one too large for a letter in the game's own notation, which is shorter; or none."""
    room = clerk.settings.limits.largest_letter // 2
    if len(whole.encode()) <= room:
        return ((f"{match.name}.json", "application/json", whole),)
    short = text_record(clerk.games[match.game], asked.unit.history(match.name))
    return ((f"{match.name}.txt", "text/plain", short),) if len(short.encode()) <= room else ()


def _only(seats: tuple[Route, ...]) -> Match | None:
    names = {r.match.name for r in seats}
    return seats[0].match if len(names) == 1 else None
