"""Letters of what happened in a match: notices made into one letter for each reader; word that a ruling waits, and the
welcome of whoever has just taken a seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from referee.core.chance import RECIPE
from referee.core.diagram import difference
from referee.core.texts.addresses import address_key
from referee.letters.calendars import dates_of
from referee.letters.letter import BOARD, Letter, LetterPage, Meant, PendingNews, Recipient, offered_draft
from referee.letters.speaker import Speaker, asked_rounds, thread
from referee.letters.subjects import Headline
from referee.match import events as ev
from referee.match.chain import SEAL_RECIPE
from referee.match.events import Entrant, Entry
from referee.match.match import Match, OpenRound, RoundName
from referee.match.notices import Notice

# What stands in a letter of a seat's own too; what opens or ends a match stands by itself.
_NEWS = frozenset(("announcement", "lapsed", "rewound", "extended"))
_OWN = frozenset(("due", "ahead"))  # letters of a seat's own, in which what is public stands too
_PROGRAM = "text/x-python"
_SILENT = PendingNews()
_PLAYED = (ev.Answered, ev.AnsweredAhead, ev.RoundOpened, ev.RoundClosed, ev.Happened)
Waited = Callable[[int, str], Sequence[Letter]]  # what waits for a seat at that address, taken
_OF_A_SEAT = (  # of which its player is told in words of their own (`...Yours`)
    ev.Lapsed, ev.RoundRevealed, ev.GraceBegun, ev.SeatOffered, ev.AnsweredAhead, ev.OfTime, ev.MatchResumed,
    ev.SubstituteNamed, ev.SubstituteDropped, ev.StoodIn, ev.CameBack, ev.EntrantReplaced,
)  # fmt: skip
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
    waited: Waited = lambda seat, address: (),
) -> tuple[list[Letter], PendingNews]:
    """The letters of a stimulus: one for each notice and reader, but that what is public and what a seat is asked for
    are one. `cause` tells the stimulus from all others; `before` is the match as it stood, for the difference that a
    rewind makes. What the seat that is being answered at that address is to hear comes back beside
    them. What tells of answers alone waits for the letter that asks its reader, where that seat is
    asked next; `waited` gives what has waited so, which is told before what happened now."""
    letters: list[Letter] = []
    rest = _SILENT
    dates = dates_of(speaker, match, notices, before, now)
    moved = match.status != "ended" and _moved(before, match)  # the last board is the last letter's
    public = {
        i: _told(speaker, match, n, None, why, before) for i, n in enumerate(notices) if n.seats is None
    }
    bulletins = {i: _news(speaker, context) for i, context in public.items() if notices[i].kind in _NEWS}
    if bulletins and moved and BOARD not in bulletins[max(bulletins)].news:
        bulletins[max(bulletins)] = replace(bulletins[max(bulletins)], moved=True)
    shared = PendingNews(moved=moved)  # all that happened in one
    for bulletin in bulletins.values():
        shared = replace(bulletin, news=shared.news + bulletin.news)
    pages = {
        i: _page(speaker, "announcement", context, bulletins[i])
        if i in bulletins
        else _page(speaker, notices[i].kind, context, PendingNews(moved=True))
        for i, context in public.items()
    }
    patient = _patient(speaker, match)
    told_all = tuple({e.version: e for n in notices if n.seats is None for e in n.entries}.values())
    asks = {n.seats[0]: i for i, n in reversed(list(enumerate(notices))) if n.kind in _OWN and n.seats}
    answered = (answering[0], address_key(answering[1])) if answering else None
    for index, notice in enumerate(notices):
        public_news, may_wait = index in bulletins, _of_answers(notice)
        for reader in _readers(match, notice.seats):
            seat, asking = reader.seat or 0, asks.get(reader.seat or 0) == index
            if (seat, address_key(reader.address)) == answered and (public_news or asking):
                entries = (*rest.appointments, *dates.get((seat, index), ()))
                duty = notice if asking and notice.kind == "due" else rest.duty
                rest = replace(shared, duty=duty, appointments=entries)
                continue
            if public_news and seat in asks:
                continue
            waits = public_news and may_wait and seat in patient
            carries = seat and not waits and (asking or public_news)
            earlier = waited(seat, reader.address) if carries else ()
            # what asks shows the board whatever happened: receipts show none
            asked = replace(shared, moved=moved or bool(shared.news))
            news = (asked if asking else bulletins.get(index, _SILENT)).after(earlier)
            context = public.get(index) or _told(speaker, match, notice, reader, why)
            own = _own(speaker, match, reader, notice.kind, told_all if asking else notice.entries)
            if public_news and not (asking or own or earlier or pages[index].text.strip()):
                continue  # the letter of the end tells it
            if (page := pages.get(index)) is None or earlier or own:
                kind, told = "announcement" if public_news else notice.kind, {"own": own, "reader": reader}
                page = _page(speaker, kind, {**context, **told}, news)
            key = ("letter", match.name, cause, str(index), notice.kind, str(reader.seat), reader.address)
            indices = (index, *bulletins) if asking and shared.news else (index,)
            entries = (*news.appointments, *(x for i in indices for x in dates.get((seat, i), ())))
            letter = _letter(speaker, match, notice, reader, page, context, key, now, told_all)
            to_all = news.news or notice.seats is None
            letter = letter.public(match) if to_all else letter
            letters.append(replace(letter, appointments=entries, waits=waits))
    if answering and (rest.news or rest.duty):
        rest = rest.after(waited(*answering))
    return letters, rest


def delayed(
    speaker: Speaker, match: Match, r: OpenRound, due: datetime, until: datetime, now: datetime
) -> list[Letter]:
    """To all, that the ruling on a round waits, and until when at most; nothing about whom it waits for."""
    notice = Notice("announcement", None, round=r)
    context = {**_told(speaker, match, notice, None), "due_at": due, "until": until}
    page, key = speaker.page("delayed", context), ("delayed", match.name, due.isoformat())
    letters = (
        _letter(speaker, match, notice, reader, page, context, (*key, reader.address), now)
        for reader in _readers(match, None)
    )
    return [letter.public(match) for letter in letters]


def welcome(speaker: Speaker, match: Match, seat: int, record: str, cause: str, now: datetime) -> Letter:
    """To whoever has just taken a seat: the rules in brief, who plays, how it stands, what is owed; the record goes
    with it. All of it as that seat may see it from now on, nothing of what was its first player's alone."""
    person = match.entrant(seat)
    reader = Recipient(person.addresses[0], person.name, seat, person.zone)
    before = next((f.entrant.name for f in reversed(match.former) if f.seat == seat), "")
    another = before if match.seating and before != person.name else ""
    files = ((f"{match.name}.json", "application/json", record),)
    page = speaker.page("welcome", {**speaker.context(match, reader), "before": another}, files)
    key, below = ("welcome", match.name, cause, str(seat), reader.address), thread(match, reader.address)
    subject, meant = speaker.subject(match, "you have a seat"), Meant(rounds=asked_rounds(match, seat))
    return speaker.letter("welcome", reader, subject, key, now, match, page, below=below, reply=meant)


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
    address = person.addresses[0]
    reader = Recipient(address, person.name, None, person.zone)
    subject = speaker.subject(match, "you have your seat no more")
    key = ("gone", match.name, cause, str(seat), address)
    told = {"event": event, "what": type(event).__name__, "number": seat, "why": why}
    return speaker.letter("gone", reader, subject, key, now, match, told, below=thread(match, address))


def _patient(speaker: Speaker, match: Match) -> set[int]:
    """The seats whose news may wait for the letter that asks them: asked next, owing nothing now, and with no turn kept
    that would be made before they are asked."""
    if match.status != "open" or match.inner is None:
        return set()
    asked = speaker.games[match.game].asked_next(match.inner)
    return {*asked} - {d.seat for _, d in match.due} - {kept.seat for kept in match.ahead}


def _of_answers(notice: Notice) -> bool:
    """Whether a letter tells of answers to rounds alone, and of what follows in the game: of nothing
    that somebody may wish to do something about at once."""
    events = [entry.event for entry in notice.entries]
    whole = all(isinstance(event, _PLAYED) for event in events)
    labels = [event.label for event in events if isinstance(event, ev.Answered | ev.AnsweredAhead)]
    return notice.kind == "announcement" and whole and bool(labels) and all(labels)


def _moved(before: Match | None, after: Match) -> bool:
    """Whether the board has changed for all to see."""
    views = [match.view(None) if match else None for match in (before, after)]
    one, other = (view.diagram if view else None for view in views)
    if one is None or other is None:
        return one is not other
    return (one.tokens, one.links) != (other.tokens, other.links)


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


def _own(speaker: Speaker, match: Match, reader: Recipient, kind: str, entries: Iterable[Entry]) -> str:
    """What of it is about the reader, said to them, in their zone: one paragraph above the words for all."""
    about = ev.MatchEnded if kind == "ended" else _OF_A_SEAT
    told = [e for e in entries if e.public and reader.seat and isinstance(e.event, about)]
    context = {**speaker.context(match, reader), "entries": told}
    return speaker.pages.part("referee/yours.j2", context).strip() if told else ""


def _told(
    speaker: Speaker,
    match: Match,
    notice: Notice,
    reader: Recipient | None,
    why: str = "",
    before: Match | None = None,
) -> dict[str, Any]:
    """What the templates of a letter are given, of a public one without a reader. What a rewind changed is marked on
    its board (611)."""
    context = {**speaker.context(match, reader), "notice": notice, "entries": notice.entries, "why": why}
    if notice.round and notice.demand:
        context.update(speaker.owing(match, notice.round, notice.demand, first=notice.first))
    view, was = context["view"], before.view(None) if before and notice.kind == "rewound" else None
    if view and was and view.diagram and was.diagram:
        context["view"] = replace(view, diagram=difference(was.diagram, view.diagram))
    return context


def _news(speaker: Speaker, context: Mapping[str, Any]) -> PendingNews:
    """What a public letter says of what happened; its words stand in the letters of seats as they stand there."""
    news, proof = (speaker.pages.part(f"referee/{part}.j2", context) for part in ("news", "proof"))
    return PendingNews(news, proof, _recipes(context["entries"]))


def _page(
    speaker: Speaker, template: str, context: Mapping[str, Any], told: PendingNews = _SILENT
) -> LetterPage:
    files = told.files if told.news else _recipes(context["entries"])
    told_too = {"news": told.news, "proof": told.proof, "moved": told.moved}
    page = speaker.page(template, {**context, **told_too}, files)
    return replace(page, news=str(told.news))


def _letter(
    speaker: Speaker,
    match: Match,
    notice: Notice,
    reader: Recipient,
    page: LetterPage,
    context: Mapping[str, Any],
    key: tuple[str, ...],
    now: datetime,
    public: Sequence[Entry] = (),
) -> Letter:
    root, draft = thread(match, reader.address), context["draft"]
    first = notice.kind == "opened" and any(isinstance(e.event, ev.MatchOpened) for e in notice.entries)
    subject = Headline(speaker, match, reader).of(notice, public)
    rounds, offers = _rounds(match, notice, reader.seat), offered_draft(notice.demand, draft)
    stop = None if reader.seat else (match.name, speaker.keys.stop_token(match.name, reader.address))
    meant = Meant(context.get("form", ""), rounds=rounds, offers=offers, draft=draft is not None)
    key, below = (root, ()) if first else (key, root)
    return speaker.letter(
        notice.kind, reader, subject, key, now, match, page, below=below, reply=meant, stop=stop
    )


def _rounds(match: Match, notice: Notice, seat: int | None) -> tuple[RoundName, ...]:
    """What the letter asks the seat for; where that is nothing, the rounds whose end it tells of."""
    if notice.round is not None and notice.demand is not None:
        return (RoundName(notice.round.label, notice.round.opened),)
    if asked := asked_rounds(match, seat):
        return asked
    told = {e.event.label for e in notice.entries if isinstance(e.event, _CLOSING)}
    return tuple(RoundName(p.label, p.opened) for p in match.past if p.label in told and seat)


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
