"""What a mail wishes of the desk in its own words. Where it only asks it is answered at once, as by the command
for that; where something would change the command is shown, and OK, or its number, gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from referee.core.texts.addresses import address_key
from referee.language.sentences import words_of
from referee.language.wishes import WHOLE, Wish
from referee.letters.letter import ABSENCE, ADDRESS, PRESS, Letter, Meant, Offered
from referee.letters.replies import answer
from referee.way.case import Case, Settled
from referee.way.requests import telling
from referee.way.requests.days import absence_spans
from referee.way.requests.request import Request
from referee.way.routing import Route

_TOLD: Final[dict[str, Callable[[Request], Settled | None]]] = {
    "rules": telling.rules, "record": telling.record, "board": telling.board, "help": Request.help,
    "status": telling.status,
}  # fmt: skip


def answers(case: Case, at: Route | None = None, *, ordered: bool = False) -> tuple[Letter, ...]:
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
    tag = replace(case.mail.tag, command=command, argument=argument, kind=None)
    to = replace(case.answering, identity=f"{case.kept.identity} {command}")
    request = Request(replace(case, mail=replace(case.mail, tag=tag)), to, case.proof.seats)
    settled = _TOLD[command](request)
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
    rows = [(one, _span(case, one.form)) if one.heading == ABSENCE else (one,) for one in offers]
    match, seat = (at.match, at.seat) if at else (None, None)
    meant, speaker = Meant(offers=tuple(offers)), case.room.speaker
    letter = answer(speaker, "wished", to, {"rows": rows}, match, seat, reply=meant)
    return replace(letter, kind="status") if ordered else letter


def _span(case: Case, days: str) -> tuple[datetime, datetime]:
    return next(iter(absence_spans(days, case.answering.zone or case.room.offices.timezone, case.now)))


# --- by what exists -------------------------------------------------------------------------------------------------


def _offers(case: Case, meant: Sequence[Route]) -> Iterator[Offered]:
    for wish in case.mail.wishes.wants:
        yield from dict.fromkeys(_offer(case, meant, wish))
    for at in meant:
        supposed = [_supposed(at, *wish.said) for wish in case.mail.wishes.wants if wish.command == "if"]
        if supposed and at.match.inner is not None and all(d.seat != at.seat for _, d in at.match.due):
            yield Offered(case.room.games[at.match.game].answers[0].kind, "\n".join(supposed))


def _of_another(case: Case) -> bool:
    """Whether a line tells of another player: "Ben is away until Friday", not "Ben, I am"."""
    seats = [(at.match, seat) for at in case.proof.seats for seat in at.match.seating if seat != at.seat]
    others = {words_of(match.entrant(seat).name)[:1] for match, seat in seats}
    told = (words_of(line.text.partition(",")[0]) for line in case.mail.own)
    return any(len(words) > 1 and words[:1] in others for words in told)


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
        case "vacation" if playing and not _of_another(case):
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
