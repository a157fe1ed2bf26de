"""Letters of what happened in a match: notices made into one letter for each reader; word that a
ruling waits, and the welcome of whoever has just taken a seat."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from markupsafe import Markup

from referee.core.chance import RECIPE
from referee.core.diagram import difference
from referee.core.texts.addresses import address_key
from referee.core.value import Value
from referee.letters.calendars import dates_of
from referee.letters.letter import (
    BOARD,
    Files,
    Letter,
    LetterPage,
    Meant,
    PendingNews,
    Recipient,
    offered_draft,
)
from referee.letters.page_words import Context
from referee.letters.speaker import KINDS, Headline, Speaker, asked_rounds, thread
from referee.match import events as ev
from referee.match.chain import SEAL_RECIPE
from referee.match.match import Match, OpenRound, RoundName
from referee.match.notices import Notice

# What stands in a letter of a seat's own too; what opens or ends a match stands by itself.
_NEWS = frozenset(("announcement", "lapsed", "rewound", "extended"))
_OWN = frozenset(("due", "ahead"))  # letters of a seat's own, in which what is public stands too
_PLAYED = (ev.Answered, ev.RoundOpened, ev.RoundClosed, ev.Happened)
Waited = Callable[[int, str], Sequence[Letter]]  # what waits for a seat at that address, taken
_OF_A_SEAT = (  # of which its player is told in words of their own (`...Yours`)
    ev.Lapsed, ev.RoundRevealed, ev.GraceBegun, ev.SeatOffered, ev.AnsweredAhead, ev.OfTime, ev.MatchResumed,
    ev.SubstituteNamed, ev.SubstituteDropped, ev.StoodIn, ev.CameBack, ev.EntrantReplaced,
)  # fmt: skip
_AT_THE_END = (ev.MatchEnded, ev.Lapsed, ev.RoundRevealed)
_CLOSING = (ev.RoundRevealed, ev.RoundClosed, ev.Lapsed)


class Telling(Value):
    """What a stimulus has readers of a match be told, in letters: the match as it stands now, and stood `before`, for
    the difference that a rewind makes; `cause` tells the stimulus from all others, `why` is the moderator's reason."""

    speaker: Speaker
    match: Match
    cause: str
    now: datetime
    why: str = ""
    before: Match | None = None

    def letters(
        self,
        notices: Sequence[Notice],
        answering: tuple[int, str] | None = None,
        waited: Waited = lambda seat, address: (),
    ) -> tuple[list[Letter], PendingNews]:
        """One for each notice and reader, but that what is public and what a seat is asked for are
        one. What the seat that is being answered at that address is to hear comes back beside them.
        What tells of answers alone waits for the letter that asks its reader, where that seat is
        asked next; `waited` gives what has waited so, which is told before what happened now."""
        match, letters, rest = self.match, list[Letter](), PendingNews()
        dates = dates_of(self.speaker, match, notices, self.before, self.now)
        stood = [b and (b.tokens, b.links) for b in (self.before and self.before.board, match.board)]
        still, patient = PendingNews(moved=stood[0] != stood[1]), self._patient()
        public = {i: self._told(n, None) for i, n in enumerate(notices) if n.seats is None}
        stands = {i: self._news(told) for i, told in public.items() if notices[i].kind in (*_NEWS, "ended")}
        bulletins = [i for i in stands if notices[i].kind in _NEWS]
        shown = [public[i] for i in bulletins]
        if stands and still.moved and BOARD not in stands[max(stands)].news:
            stands[max(stands)] = replace(stands[max(stands)], moved=True)
        shared = still  # all that happened in one
        for i in bulletins:
            shared = replace(stands[i], news=shared.news + stands[i].news)

        @cache
        def same(i: int, zone: str | None, news: PendingNews) -> LetterPage:
            return self._page(notices[i], {**public[i], "when": self.speaker.pages.clock(zone)}, news)

        told_all = tuple({e.version: e for n in notices if n.seats is None for e in n.entries}.values())
        asks = {n.seats[0]: i for i, n in reversed(list(enumerate(notices))) if n.kind in _OWN and n.seats}
        answered = (answering[0], address_key(answering[1])) if answering else None
        for index, notice in enumerate(notices):
            for reader in self._readers(notice):
                seat = reader.seat or 0
                asking, shares = asks.get(seat) == index, index in bulletins
                if (shares or asking) and (seat, address_key(reader.address)) == answered:
                    dated = (*rest.appointments, *dates.get((seat, index), ()))
                    duty = notice if asking and notice.kind == "due" else rest.duty
                    answers = (a for e in told_all for a in getattr(e.event, "answers", (e.event,)))
                    mine = "\n".join(a.text for a in answers if isinstance(a, ev.Answered | ev.Unsealed))
                    rest = replace(self._to(reader, shared, *shown, mine=mine), duty=duty, appointments=dated)
                    continue
                if shares and seat in asks:
                    continue
                own = self._own(reader, notice.kind, told_all if asking else notice.entries)
                waits = shares and seat in patient and _of_answers(notice) and not own
                carries = seat and not waits and (asking or index in stands)
                earlier = waited(seat, reader.address) if carries else ()
                context = public.get(index) or self._told(notice, reader)
                news, told_in = stands.get(index, still), [context]
                able = match.standing.may_answer(seat) if shares and seat and match.standing else None
                if able is not None and all(d.kind == "Objection" for d in able):
                    news = replace(news, moved=False)  # who can do nothing but object sees no board
                if asking:  # it shows the board whatever happened: receipts show none
                    news, told_in = replace(shared, moved=shared.moved or bool(shared.news)), shown
                news = (self._to(reader, news, *told_in) if own else news).after(earlier)
                if notice.seats is None and not (earlier or own):
                    page = same(index, reader.zone, news)
                else:
                    told = {"own": own, "reader": reader, "when": self.speaker.pages.clock(reader.zone)}
                    page = self._page(notice, {**context, **told}, news)
                of = (self.cause, str(index), notice.kind, str(reader.seat), reader.address)
                letter = self._letter(notice, reader, page, context, ("letter", match.name, *of), told_all)
                indices = (index, *bulletins) if asking and shared.news else (index,)
                entries = (*news.appointments, *(x for i in indices for x in dates.get((seat, i), ())))
                letter = letter.public(match) if news.news or notice.seats is None else letter
                letters.append(replace(letter, appointments=entries, waits=waits))
        if answering and (rest.news or rest.duty):
            rest = rest.after(waited(*answering))
        return letters, rest

    def delayed(self, r: OpenRound, due: datetime, until: datetime) -> list[Letter]:
        """To all, that the ruling on a round waits, and until when at most; nothing about whom it waits for."""
        notice = Notice("announcement", None, round=r)
        letters, told = list[Letter](), {**self._told(notice, None), "due_at": due, "until": until}
        for reader in self._readers(notice):
            page = self.speaker.page("delayed", {**told, "when": self.speaker.pages.clock(reader.zone)})
            key = ("delayed", self.match.name, due.isoformat(), reader.address)
            letters.append(self._letter(notice, reader, page, told, key).public(self.match))
        return letters

    def welcome(self, seat: int, record: str) -> Letter:
        """To whoever has just taken a seat: the rules in brief, who plays, how it stands, what is owed; the record goes
        with it. All of it as that seat may see it from now on, nothing of what was its first player's alone."""
        speaker, match, person = self.speaker, self.match, self.match.entrant(seat)
        reader = Recipient(person.addresses[0], person.name, seat, person.zone)
        before = next((f.entrant.name for f in reversed(match.former) if f.seat == seat), "")
        files = ((f"{match.name}.json", "application/json", record),)
        told = {**speaker.context(match, reader), "before": before, "why": self.why}
        page, asks = speaker.page("welcome", told, files), Meant(rounds=asked_rounds(match, seat))
        return self._status("welcome", seat, reader, page, reply=asks).public(match)

    def gone(self, seat: int, person: ev.Entrant, event: ev.Event) -> Letter:
        """To whoever has a seat no more: who has it, or that it is vacant, and why."""
        reader = Recipient(person.addresses[0], person.name, None, person.zone)
        told = {"event": event, "what": type(event).__name__, "number": seat, "why": self.why}
        return self._status("gone", seat, reader, told)

    def _status(self, kind: str, seat: int, to: Recipient, told: Context | LetterPage, **more: Any) -> Letter:
        key = (kind, self.match.name, self.cause, str(seat), to.address)
        below = thread(self.match, to.address)
        return self.speaker.letter(kind, to, "", key, self.now, self.match, told, below=below, **more)

    # --- to whom, and what it says ------------------------------------------------------------------------------

    def _readers(self, notice: Notice) -> list[Recipient]:
        match, seats = self.match, self.match.numbers if notice.seats is None else notice.seats
        people = [(n, match.entrant(n)) for n in seats if n != notice.by]
        readers = [Recipient(p.addresses[0], p.name, n, p.zone) for n, p in people if p.addresses]
        if notice.seats is None:
            seated = {address_key(a) for n in match.numbers for a in match.entrant(n).addresses}
            readers += [Recipient(a) for a in match.observers if address_key(a) not in seated]
        return readers

    def _patient(self) -> set[int]:
        """The seats whose news may wait for the letter that asks them: asked next, owing nothing
        now, and with no turn kept that would be made before they are asked."""
        match = self.match
        if match.status != "open" or match.inner is None:
            return set()
        asked = self.speaker.games[match.game].asked_next(match.inner)
        return {*asked} - {d.seat for _, d in match.due} - {kept.seat for kept in match.ahead}

    def _told(self, notice: Notice, reader: Recipient | None) -> dict[str, Any]:
        """What the templates of a letter are given, of a public one without a reader. What a rewind
        changed is marked on its board (611)."""
        context = self.speaker.context(self.match, reader)
        context.update(notice=notice, entries=notice.entries, why=self.why)
        if notice.round and notice.demand:
            context.update(self.speaker.owing(self.match, notice.round, notice.demand, first=notice.first))
        view = context["view"]
        was = self.before.view(None) if self.before and notice.kind == "rewound" else None
        if view and was and view.diagram and was.diagram:
            context["view"] = replace(view, diagram=difference(was.diagram, view.diagram))
        return context

    def _own(self, reader: Recipient, kind: str, entries: Iterable[ev.Entry]) -> str:
        """What of it is about the reader, said to them, in their zone: one paragraph above the words for all."""
        about = _AT_THE_END if kind == "ended" else _OF_A_SEAT
        told = [e for e in entries if reader.seat and _concerns(e, about, reader.seat)]
        context = {**self.speaker.context(self.match, reader), "entries": told}
        return self.speaker.pages.part("referee/yours.j2", context).strip() if told else ""

    def _news(self, context: Mapping[str, Any]) -> PendingNews:
        """What a public letter says of what happened; its words stand in the letters of seats as they stand there."""
        news, proof = (self.speaker.pages.part(f"referee/{part}.j2", context) for part in ("news", "proof"))
        return PendingNews(news, proof, _recipes(context["entries"]))

    def _to(self, reader: Recipient, told: PendingNews, *contexts: Context, mine: str = "") -> PendingNews:
        """The same news to a reader whom some of it is about, in their zone, and without what they
        are told as theirs, or in a receipt of their orders (`mine`)."""
        if not told.news:
            return told
        when = self.speaker.pages.clock(reader.zone)
        theirs = {"reader": reader, "seat": reader.seat, "when": when, "mine": mine}
        parts = (self.speaker.pages.part("referee/news.j2", {**context, **theirs}) for context in contexts)
        return replace(told, news=Markup("").join(parts))

    def _page(self, notice: Notice, context: Mapping[str, Any], told: PendingNews) -> LetterPage:
        files = told.files if told.news else _recipes(context["entries"])
        page = self.speaker.page(KINDS[notice.kind].template or notice.kind, {**context, **vars(told)}, files)
        return replace(page, news=str(told.news))

    def _letter(
        self,
        notice: Notice,
        reader: Recipient,
        page: LetterPage,
        context: Mapping[str, Any],
        key: tuple[str, ...],
        public: Sequence[ev.Entry] = (),
    ) -> Letter:
        match, draft, root = self.match, context["draft"], thread(self.match, reader.address)
        first = notice.kind == "opened" and any(isinstance(e.event, ev.MatchOpened) for e in notice.entries)
        key, below = (root, ()) if first else (key, root)
        subject = Headline(self.speaker, match, reader).of(notice, public)
        rounds, offers = self._rounds(notice, reader.seat), offered_draft(notice.demand, draft)
        stop = None if reader.seat else (match.name, self.speaker.keys.stop_token(match.name, reader.address))
        meant = Meant(context.get("form", ""), rounds=rounds, offers=offers, draft=draft is not None)
        return self.speaker.letter(
            notice.kind, reader, subject, key, self.now, match, page, below=below, reply=meant, stop=stop
        )

    def _rounds(self, notice: Notice, seat: int | None) -> tuple[RoundName, ...]:
        """What the letter asks the seat for; where that is nothing, the rounds whose end it tells."""
        if notice.round is not None and notice.demand is not None:
            return (RoundName(notice.round.label, notice.round.opened),)
        if asked := asked_rounds(self.match, seat):
            return asked
        told = {e.event.label for e in notice.entries if isinstance(e.event, _CLOSING)}
        return tuple(RoundName(p.label, p.opened) for p in self.match.past if p.label in told and seat)


def _of_answers(notice: Notice) -> bool:
    """Whether a letter tells of answers to rounds alone, and of what follows in the game: of
    nothing that somebody may wish to do something about at once."""
    events = [entry.event for entry in notice.entries]
    labels = [event.label for event in events if isinstance(event, ev.Answered)]
    played = all(isinstance(event, _PLAYED) for event in events)
    return notice.kind == "announcement" and played and bool(labels) and all(labels)


def _concerns(entry: ev.Entry, about: tuple[type, ...], seat: int) -> bool:
    """Whether it may be about the seat: by its kind, or as it is told of it in the game."""
    told = entry.event.event if isinstance(entry.event, ev.Happened) else {}
    return entry.public and (isinstance(entry.event, about) or seat in (told.get("seat"), told.get("player")))


def _recipes(entries: Iterable[ev.Entry]) -> Files:
    """The programs by which a reader makes a draw or a seal again, as files of the letter that
    tells of one, never its words: name, MIME type, text."""
    events = [entry.event for entry in entries]
    drawn = any(isinstance(event, ev.MatchBegun) and event.transcript for event in events)
    sealed = any(isinstance(event, ev.RoundRevealed) and event.answers for event in events)
    programs = (("draw.py", RECIPE, drawn), ("seal.py", SEAL_RECIPE, sealed))
    return tuple((name, "text/x-python", text) for name, text, told in programs if told)
