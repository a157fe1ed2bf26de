"""Letters of what happened in a match: notices made into one letter for each reader; word that a ruling waits, and the
welcome of whoever has just taken a seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from referee.core.chance import RECIPE
from referee.core.diagram import difference
from referee.core.game import View
from referee.core.replacing import replace
from referee.core.texts.addresses import address_key
from referee.match import events as ev
from referee.match.chain.sealing import SEAL_RECIPE
from referee.match.drafts import drafted
from referee.match.events import Entrant, Entry
from referee.match.match import Match, OpenRound, RoundName
from referee.match.notices import Notice
from referee.offices.outgoing.calendars import appointment_id, appointments
from referee.offices.outgoing.kinds import subject_of_notice
from referee.offices.outgoing.letters import (
    Appointment,
    Bulletin,
    Letter,
    LetterPage,
    Meant,
    Recipient,
    StillToTell,
    offered_draft,
)
from referee.offices.outgoing.speaker import Speaker, asked_rounds

# What stands in a letter of a seat's own too; what opens or ends a match stands by itself.
_NEWS = frozenset(("announcement", "lapsed", "rewound", "extended"))
_OWN = frozenset(("due", "ahead"))  # letters of a seat's own, in which what is public stands too
_PROGRAM = "text/x-python"
_CLOSING = (ev.RoundRevealed, ev.RoundClosed, ev.Lapsed)


def announced(
    speaker: Speaker,
    match: Match,
    notices: Sequence[Notice],
    cause: str,
    now: datetime,
    why: str = "",
    before: Match | None = None,
    answering: tuple[int, str] | None = None,
) -> tuple[list[Letter], StillToTell]:
    """The letters of a stimulus: one for each notice and reader, but that what is public and what a seat is asked for
    are one. `cause` tells the stimulus from all others; `before` is the match as it stood, for the difference that a
    rewind makes. What the seat that is being answered at that address is to hear comes back beside them."""
    letters: list[Letter] = []
    rest = StillToTell()
    calendars = _calendars(speaker, match, notices, before, now)
    contexts = {i: _public(speaker, match, n, why, before) for i, n in enumerate(notices) if n.seats is None}
    bulletins = {i: _bulletin(speaker, match, contexts[i]) for i in contexts if notices[i].kind in _NEWS}
    shared = _as_one(list(bulletins.values()))
    asks = {n.seats[0]: i for i, n in reversed(list(enumerate(notices))) if n.kind in _OWN and n.seats}
    for index, notice in enumerate(notices):
        page = _public_page(speaker, contexts[index], bulletins.get(index)) if index in contexts else None
        for reader in _readers(match, notice.seats):
            seat, asking = reader.seat or 0, asks.get(reader.seat or 0) == index
            mine = calendars[index].get(seat, ())
            if _is(reader, answering) and (index in bulletins or asking):
                rest = replace(rest, bulletin=shared, appointments=(*rest.appointments, *mine))
                rest = replace(rest, duty=notice) if asking and notice.kind == "due" else rest
                continue
            if index in bulletins and seat in asks:
                continue
            news = shared if asking else None
            own = page or _own_page(speaker, match, notice, reader, why, news)
            key = ("letter", match.name, cause, str(index), notice.kind, str(reader.seat), reader.address)
            letter = _letter(speaker, match, notice, reader, own, key, now)
            if news is not None:
                beside = (calendars[i].get(seat, ()) for i in bulletins)
                mine = tuple({x.uid: x for some in (mine, *beside) for x in some}.values())
                letter = replace(letter, position=news.position)
            letters.append(replace(letter, appointments=mine))
    return letters, rest


def delayed(
    speaker: Speaker, match: Match, r: OpenRound, due: datetime, until: datetime, now: datetime
) -> list[Letter]:
    """To all, that the ruling on a round waits, and until when at most; nothing about whom it waits for."""
    notice = Notice("announcement", None, round=r)
    page = speaker.page(
        "delayed", {**speaker.context(match, None), "notice": notice, "due_at": due, "until": until}
    )
    key = ("delayed", match.name, due.isoformat())
    return [
        _letter(speaker, match, notice, reader, page, (*key, reader.address), now)
        for reader in _readers(match, None)
    ]


def welcome(speaker: Speaker, match: Match, seat: int, record: str, cause: str, now: datetime) -> Letter:
    """To whoever has just taken a seat: the rules in brief, who plays, how it stands, what is owed; the record goes
    with it. All of it as that seat may see it from now on, nothing of what was its first player's alone."""
    person = match.entrant(seat)
    reader = Recipient(person.addresses[0], person.name, seat, person.zone)
    before = next((f.entrant.name for f in reversed(match.former) if f.seat == seat), "")
    another = before if match.seating and before != person.name else ""
    page = speaker.page("welcome", {**speaker.context(match, reader), "before": another}, match.view(seat))
    letter = speaker.letter(
        "welcome",
        reader,
        speaker.subject(match, "welcome"),
        replace(page, attachments=((f"{match.name}.json", "application/json", record),)),
        speaker.message_id("welcome", match.name, cause, str(seat), reader.address),
        now,
        match,
        (speaker.thread(match, reader.address),),
    )
    return replace(letter, reply=Meant(rounds=asked_rounds(match, seat)))


def gone(
    speaker: Speaker,
    match: Match,
    seat: int,
    person: Entrant,
    event: ev.Event,
    cause: str,
    why: str,
    now: datetime,
) -> Letter:
    """To whoever has a seat no more: who has it, or that it is vacant, and why."""
    reader = Recipient(person.addresses[0], person.name, None, person.zone)
    told = {"event": event, "what": type(event).__name__, "number": seat, "why": why}
    return speaker.letter(
        "gone",
        reader,
        speaker.subject(match, "your seat"),
        speaker.page("gone", {**speaker.context(match, reader), **told}),
        speaker.message_id("gone", match.name, cause, str(seat), reader.address),
        now,
        match,
        (speaker.thread(match, reader.address),),
    )


# --- to whom, and what it says ----------------------------------------------------------------------------------------


def _readers(match: Match, seats: tuple[int, ...] | None) -> list[Recipient]:
    numbers = match.numbers if seats is None else seats
    people = [(n, match.entrant(n)) for n in numbers]
    readers = [Recipient(p.addresses[0], p.name, n, p.zone) for n, p in people if p.addresses]
    if seats is None:
        seated = {address_key(a) for _, p in people for a in p.addresses}
        watching = [address for address in match.observers if address_key(address) not in seated]
        readers += [Recipient(address, "", None) for address in watching]
    return readers


def _is(reader: Recipient, answering: tuple[int, str] | None) -> bool:
    """Whether the reader is the seat that is being answered, at that address."""
    if answering is None or reader.seat != answering[0]:
        return False
    return address_key(reader.address) == address_key(answering[1])


def _public(speaker: Speaker, match: Match, notice: Notice, why: str, before: Match | None) -> dict[str, Any]:
    """What the templates of a public letter are given."""
    view = match.view(None)
    if notice.kind == "rewound":
        view = _with_difference(view, before)
    told = {"notice": notice, "entries": notice.entries, "why": why}
    return {**speaker.context(match, None), "view": view, **told}


def _bulletin(speaker: Speaker, match: Match, context: Mapping[str, Any]) -> Bulletin:
    """What a public letter says of what happened; its words stand in the letters of seats as they stand there."""
    news, proof = (speaker.pages.part(f"referee/{part}.j2", context) for part in ("news", "proof"))
    return Bulletin(match.position, news, proof, _recipes(context["entries"]))


def _as_one(bulletins: Sequence[Bulletin]) -> Bulletin | None:
    """Those of one stimulus in one: all that happened, and how the record stands after it."""
    if not bulletins:
        return None
    news = bulletins[0].news
    for other in bulletins[1:]:
        news += other.news  # marked up, as both are
    return replace(bulletins[-1], news=news)


def _public_page(speaker: Speaker, context: Mapping[str, Any], bulletin: Bulletin | None) -> LetterPage:
    kind = "announcement" if bulletin else context["notice"].kind
    page = speaker.page(kind, {**context, **news_in(bulletin)}, context["view"])
    return replace(page, attachments=_recipes(context["entries"]))


def _own_page(
    speaker: Speaker, match: Match, notice: Notice, reader: Recipient, why: str, bulletin: Bulletin | None
) -> LetterPage:
    """A letter to one seat, with what is public of the same stimulus."""
    context = {**speaker.context(match, reader), "notice": notice, "entries": notice.entries, "why": why}
    if notice.round and notice.demand:
        context.update(speaker.owing(match, notice.round, notice.demand, first=notice.first))
    page = speaker.page(notice.kind, {**context, **news_in(bulletin)}, match.view(reader.seat))
    return replace(page, attachments=bulletin.files) if bulletin else page


def news_in(bulletin: Bulletin | None) -> dict[str, str]:
    """What is public of a stimulus, as the templates name it."""
    return {"news": bulletin.news, "proof": bulletin.proof} if bulletin else {"news": "", "proof": ""}


def _with_difference(view: View | None, before: Match | None) -> View | None:
    """The view with what a rewind changed marked on its board (611)."""
    was = before.view(None) if before else None
    if view is None or was is None or view.diagram is None or was.diagram is None:
        return view
    return replace(view, diagram=difference(was.diagram, view.diagram))


def _letter(
    speaker: Speaker,
    match: Match,
    notice: Notice,
    reader: Recipient,
    page: LetterPage,
    key: tuple[str, ...],
    now: datetime,
) -> Letter:
    root = speaker.thread(match, reader.address)
    first = notice.kind == "opened" and any(isinstance(e.event, ev.MatchOpened) for e in notice.entries)
    form = speaker.form(match, notice.demand) if notice.demand else ""
    draft = drafted(match, notice.demand) if notice.demand else None
    letter = speaker.letter(
        notice.kind,
        reader,
        _subject(speaker, match, notice),
        page,
        root if first else speaker.message_id(*key),
        now,
        match,
        () if first else (root,),
    )
    return replace(
        letter,
        position=match.position if notice.seats is None else None,
        reply=Meant(
            form,
            rounds=_rounds(match, notice, reader.seat),
            offers=offered_draft(notice.demand, draft),
            draft=draft is not None,
        ),
        stop=None if reader.seat else (match.name, speaker.keys.stop_token(match.name, reader.address)),
    )


def _subject(speaker: Speaker, match: Match, notice: Notice) -> str:
    if notice.kind in ("due", "reminder") and notice.demand:
        subject = speaker.order_subject(match, notice.demand)
        return f"Reminder: {subject}" if notice.kind == "reminder" else subject
    return subject_of_notice(match, speaker.games[match.game], notice)


def _rounds(match: Match, notice: Notice, seat: int | None) -> tuple[RoundName, ...]:
    """What the letter asks the seat for; where that is nothing, the rounds whose end it tells of."""
    if notice.round is not None and notice.demand is not None:
        return (RoundName(notice.round.label, notice.round.opened),)
    if asked := asked_rounds(match, seat):
        return asked
    told = {e.event.label for e in notice.entries if isinstance(e.event, _CLOSING)}
    return tuple(RoundName(p.label, p.opened) for p in match.past if p.label in told and seat)


# --- calendars --------------------------------------------------------------------------------------------------------


def _calendars(
    speaker: Speaker, match: Match, notices: Sequence[Notice], before: Match | None, now: datetime
) -> list[Mapping[int, tuple[Appointment, ...]]]:
    """What each notice brings to the seats' calendars: the entry of what it asks for; the first public one all that no
    notice asks for. Reminders and tables change nothing."""
    if before is None and not any(notice.kind == "opened" for notice in notices):
        return [{} for _ in notices]
    changed = appointments(speaker, before, match, now)
    asked = [_asked(speaker, match, notice) for notice in notices]
    public = next((i for i, notice in enumerate(notices) if notice.seats is None), None)
    return [
        {
            seat: _of(mine, {uid} if index != public else {uid, *(x.uid for x in mine if x.uid not in asked)})
            for seat, mine in changed.items()
        }
        for index, uid in enumerate(asked)
    ]


def _of(mine: Iterable[Appointment], uids: set[str]) -> tuple[Appointment, ...]:
    return tuple(x for x in mine if x.uid in uids)


def _asked(speaker: Speaker, match: Match, notice: Notice) -> str:
    """The calendar entry of what a notice asks for."""
    if notice.kind != "due" or notice.round is None or notice.demand is None:
        return ""
    return appointment_id(speaker, match, notice.round, notice.demand)


def _recipes(entries: Iterable[Entry]) -> tuple[tuple[str, str, str], ...]:
    """The programs by which a reader makes a draw or a seal again, as files of the letter that tells of one, never its
    words: name, MIME type, text."""
    events = [entry.event for entry in entries]
    drawn = any(isinstance(event, ev.MatchBegun) and event.transcript for event in events)
    sealed = any(isinstance(event, ev.RoundRevealed) and event.answers for event in events)
    return (
        *([("draw.py", _PROGRAM, RECIPE)] if drawn else ()),
        *([("seal.py", _PROGRAM, SEAL_RECIPE)] if sealed else ()),
    )
