"""Requests that only tell, to the address they came from, what its owner may know anyhow; and what a mail wishes of the
desk in its own words: where it only asks it is answered at once, as by the command for that; where something would
change the command is shown, and OK, or its number, gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from referee.core.game import AnyGame
from referee.core.texts.addresses import address_key
from referee.language.sentences import words_of
from referee.language.wishes import WHOLE, Wish
from referee.letters.letter import ABSENCE, ADDRESS, PRESS, Letter, Meant, Offered
from referee.letters.replies import unreadable
from referee.match.ahead import drawn
from referee.match.handling.seating import entered
from referee.match.record.public import public_record, record_json
from referee.match.record.text import text_record
from referee.offices.club.persons import know_people
from referee.way.case import Case, Settled
from referee.way.requests.days import absence_spans
from referee.way.requests.request import (
    former_seats,
    match_shown,
    named_in,
    open_seats,
    outlined,
    send_help,
    tell,
)
from referee.way.routing import Route

_LISTED = 40  # matches that a letter shows


def status(case: Case) -> Settled:
    """What the sender owes, everywhere, until when."""
    named = named_in(case)
    meant = [r for r in case.speaking if named is None or r.match.name == named.name]
    shown = [r for r in meant if r.match.known]
    unread = sorted({r.match.name for r in meant} - {r.match.name for r in shown})
    rows = [_row(case, at) for at in shown]
    only = shown[0] if len(shown) == 1 else None
    told = tell(
        case,
        "status",
        case.command,
        only.match if only else None,
        only.seat if only else None,
        Meant(draft=any(at.seat in at.match.drafts for at in shown)),
        rows=rows,
        named=named,
        failing=case.unit.failing({a for r in shown for a in r.match.entrant(r.seat).addresses}),
        unread=unread,
        former=former_seats(case, case.answering.address),
        person=case.unit.person(case.answering.address),
        boards=case.command == "board" or len(rows) == 1,
        calendars=_calendars(case, shown),
    )
    alarms = []
    for name in unread:  # the letter says that the moderator knows
        row, why = case.unit.match(name), case.room.matches.why_unreadable(case.unit, name)
        if row and why:
            alarms.append(unreadable(case.room.speaker, name, row.game, row.version, why, case.now))
    return replace(told, letters=(*told.letters, *alarms))


def _calendars(case: Case, seats: Sequence[Route]) -> list[str]:
    """The addresses of the sender's calendars in the archive, one for each name he plays under."""
    offices, keys = case.room.offices, case.room.keys
    if not offices.site:
        return []
    names: dict[str, None] = {}
    know_people(case.unit, keys)
    for at in seats:
        entrant = entered(case.unit.history(at.match.name))[0][at.seat]
        names[keys.calendar(keys.player(entrant.name, *entrant.addresses[:1]))] = None
    return [offices.calendar(name) for name in names]


def _row(case: Case, at: Route) -> dict[str, object]:
    mine = [(r, d) for r, d in at.match.due if d.seat == at.seat]
    return {
        "route": at,
        "game": case.room.games[at.match.game],
        "owes": mine,
        "sent": {d for r, d in mine if r.answer_of(d) is not None},
        "view": at.match.view(at.seat),
        "others": [(r, d) for r, d in at.match.due if d.seat != at.seat],
        "vacant": at.match.vacant,
        "ahead": "\n".join(drawn(one.branches)) if (one := at.match.ahead_of(at.seat)) else "",
        "draft": at.match.drafts.get(at.seat),
        "absences": [a for a in at.match.absences if a.seat == at.seat],
    }


def board(case: Case) -> Settled | None:
    """How a match stands: one's own view of it, or the public one."""
    match = match_shown(case)
    if match is None:
        return status(case) if case.speaking else None
    seat = next((r.seat for r in case.speaking if r.match.name == match.name), None)
    return tell(case, "board", "board", match, seat)


def games(case: Case) -> Settled:
    forming = case.room.proposals.forming(case.unit)
    return tell(case, "games", "games", open_seats=open_seats(case), forming=forming)


def listing(case: Case) -> Settled:
    """What one can enter: seats, proposals, events; and what is being played."""
    running, forming = outlined(case, case.unit.running(_LISTED)), case.room.proposals.forming(case.unit)
    entries = case.room.tournaments.taking_entries(case.unit)
    seats = open_seats(case)
    return tell(case, "list", "list", running=running, forming=forming, open_seats=seats, entries=entries)


def rules(case: Case) -> Settled:
    """The rules in brief, how answers are written, the pieces: of a match as amended, or of a game as it usually is."""
    room, game = case.room, game_named(case, case.argument)
    match, played = None if game else match_shown(case), {at.match.game for at in case.speaking}
    if match is not None:
        game, history = room.games[match.game], lambda: case.unit.history(match.name)
        shown = match.view(None) or room.speaker.beginning(match, history)
    else:
        game = game or (room.games.get(min(played)) if len(played) == 1 else None)
        if game is None:
            return games(case)
        shown = room.speaker.usual(game)
    return tell(case, "rules", case.command, match, topic=case.command, about=game, shown=shown)


def game_beginning(case: Case, argument: str) -> AnyGame | None:
    """The game whose name the words begin with."""
    words = argument.split()
    found = (game_named(case, " ".join(words[:count])) for count in range(len(words), 0, -1))
    return next(filter(None, found), None)


def game_named(case: Case, named: str) -> AnyGame | None:
    """The game of that name, by its slug or one of its titles."""
    wanted = "".join(named.casefold().split())
    for game in case.room.games.values():
        if wanted and wanted in ("".join(name.casefold().split()) for name in (game.slug, *game.titles)):
            return game
    return None


def record(case: Case) -> Settled | None:
    """It, as a file; one too large for a letter in the game's own notation, which is shorter, or none."""
    match = match_shown(case)
    if match is None:
        return None
    game, history = case.room.games[match.game], case.unit.history(match.name)
    told, most = public_record(game, history), case.room.settings.limits.largest_letter // 2
    whole, files = record_json(told), tuple[tuple[str, str, str], ...]()
    if len(whole.encode()) <= most:
        files = ((f"{match.name}.json", "application/json", whole),)
    elif len((short := text_record(game, history)).encode()) <= most:
        files = ((f"{match.name}.txt", "text/plain", short),)
    settled = tell(case, "record", "record", match, record=told, file=files[0][0] if files else "")
    (letter,) = settled.letters
    return replace(settled, letters=(replace(letter, page=replace(letter.page, attachments=files)),))


_TOLD: Final[dict[str, Callable[[Case], Settled | None]]] = {
    "rules": rules, "record": record, "board": board, "help": send_help, "status": status,
}  # fmt: skip


def tell_wishes(case: Case, at: Route | None = None, *, ordered: bool = False) -> tuple[Letter, ...]:
    """The letters about what it asks and would have changed, in the match of its seat or, where that is not known, in
    those that it may mean; `ordered`: beside another one, about its order."""
    meant, said = [at] if at else _meant(case), case.mail.wishes
    asks = [topic for topic in said.asks if topic in said.plainly or not ordered]
    names, found, offers = sorted({r.match.name for r in meant}), list[Letter](), [*_offers(case, meant)]
    for topic in (one for one in asks if one in WHOLE):
        if topic in ("record", "board") and len(names) > 1:
            offers += [Offered(topic, name) for name in names]
        else:
            found += _told(case, topic, names[0] if len(names) == 1 and topic != "help" else "")
    if at is None and not WHOLE.issuperset(asks):
        found += _told(case, "status", names[0] if len(names) == 1 else "")
    return (*found, *([_offering(case, at, offers, ordered)] if offers else []))


def _told(case: Case, command: str, argument: str) -> tuple[Letter, ...]:
    """As by that command in its subject."""
    to = replace(case.answering, identity=f"{case.kept.identity} {command}")
    settled = _TOLD[command](replace(case.as_command(command, argument), reader=to))
    return settled.letters if settled else ()


def _meant(case: Case) -> list[Route]:
    """The sender's seats in the matches of the games that it names; all where it names none."""
    seats = [at for at in case.proof.seats if at.match.known and at.match.status != "ended"]
    said = {word for line in case.mail.own for word in words_of(line.text)}
    named = (
        at
        for at in seats
        if any(said.issuperset(words_of(title)) for title in case.room.games[at.match.game].titles)
    )
    return list(named) or seats


def _offering(case: Case, at: Route | None, offers: Sequence[Offered], ordered: bool) -> Letter:
    """Beside an order it is no preview, whose place in that it would take."""
    to = replace(case.answering, identity=f"{case.kept.identity} wished")
    zone = case.answering.zone or case.room.offices.timezone
    days = {one: absence_spans(one.form, zone, case.now) for one in offers if one.heading == ABSENCE}
    rows = [(one, next(iter(days[one]))) if one in days else (one,) for one in offers]
    letter = case.written("wished", {"rows": rows}, at, to, Meant(offers=tuple(offers)))
    return replace(letter, kind="status") if ordered else letter


# --- by what exists -------------------------------------------------------------------------------------------------


def _offers(case: Case, meant: Sequence[Route]) -> Iterator[Offered]:
    for wish in case.mail.wishes.wants:
        yield from dict.fromkeys(_offer(case, meant, wish))
    for at in meant:
        supposed = [_supposed(at, *wish.said) for wish in case.mail.wishes.wants if wish.command == "if"]
        if supposed and at.match.inner is not None and all(d.seat != at.seat for _, d in at.match.due):
            yield Offered(case.room.games[at.match.game].answers[0].kind, "\n".join(supposed))


def _supposed(at: Route, words: str, move: str, reply: str) -> str:
    """A conditional turn, of the player whom its words name, or of the other one."""
    called = {words_of(at.match.entrant(seat).name)[0]: seat for seat in at.match.seating if seat != at.seat}
    seat = next((called[word] for word in words_of(words) if word in called), None)
    return f"If {f'Player {seat}' if seat else 'he'}: {move}, then {reply}"


def _offer(case: Case, meant: Sequence[Route], wish: Wish) -> Iterator[Offered]:
    """The commands that a wish may mean, none that could do nothing."""
    said, to, unit = wish.said, case.answering, case.unit
    playing = [at for at in case.proof.seats if at.match.status in ("open", "paused")]
    match wish.command:
        case "vacation" if playing:
            seats = [(at.match, n) for at in case.proof.seats for n in at.match.seating if n != at.seat]
            others = {words_of(match.entrant(seat).name)[:1] for match, seat in seats}
            told = [words_of(line.text.partition(",")[0]) for line in case.mail.own]
            if any(len(words) > 1 and words[:1] in others for words in told):
                return  # "Ben is away until Friday", not "Ben, I am"
            zone = to.zone or case.room.offices.timezone
            ways = (absence_spans(text, zone, case.now) for text in said)
            for days in next(filter(None, ways), {}).values():
                yield Offered(ABSENCE, f"{days.first}..{days.last}")
        case "timezone" if said[0] != to.zone:
            yield Offered("timezone", said[0])
        case "digest" | "format" if case.proof.seats:
            yield Offered(wish.command, said[0])
        case "address" if address_key(said[0]) != address_key(to.address):
            yield Offered(ADDRESS, said[0])
        case "rematch":
            ended = [at.match.name for at in case.proof.seats if at.match.status == "ended"]
            yield from (Offered("rematch", name) for name in ended)
        case "observe" | "join" if unit.match(said[0]) is not None:
            if all(at.match.name != said[0] for at in case.proof.seats):
                yield Offered(wish.command, said[0])
        case "press":
            for match, seat in ((at.match, n) for at in meant for n in at.match.seating if n != at.seat):
                called = words_of(match.entrant(seat).name)
                if called[: len(words_of(said[0]))] == words_of(said[0]) and case.room.letters.may_talk(
                    match, said[1]
                ):
                    yield Offered(f"{PRESS} {match.name} Player {seat}", said[1])
