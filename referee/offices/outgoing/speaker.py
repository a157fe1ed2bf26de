"""The speaker: notices and verdicts to letters. What a letter shows is cut by the game's `view`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from referee.core.addresses import address_key
from referee.core.diagram import Diagram, difference
from referee.core.game import View
from referee.core.owing import Demand
from referee.core.replacing import replace
from referee.match import events as ev
from referee.match.match import Match, OpenRound, RoundName
from referee.match.names import name_fault
from referee.match.notices import Notice
from referee.offices.outgoing.letters import (
    NOTICES,
    AnsweredMail,
    Appointment,
    Letter,
    Recipient,
    about_in_answer,
    office_of,
    reply_office_of,
    subject_of_notice,
)
from referee.offices.outgoing.showing import Showing
from referee.offices.ports.store import KeptMail

_CLOSING = (ev.RoundRevealed, ev.RoundClosed, ev.Lapsed)


class Speaker(Showing):
    """Writes letters. Ids are keyed hashes: nothing can be read off them, and the same cause gives the same id."""

    # --- what follows from a match's entries -------------------------------------------------------------------

    def told(
        self,
        match: Match,
        notices: Iterable[Notice],
        cause: str,
        now: datetime,
        why: str = "",
        before: Match | None = None,
    ) -> list[Letter]:
        """The letters of a stimulus: one for each notice and reader. `cause` tells the stimulus from all others;
        `before` is the match as it stood, for the difference that a rewind makes."""
        letters: list[Letter] = []
        notices = tuple(notices)
        changed = self._changed(match, notices, before, now)
        asked = [self._asked(match, notice) for notice in notices]
        public = next((i for i, notice in enumerate(notices) if notice.seats is None), None)
        for index, notice in enumerate(notices):
            readers = self._readers(match, notice.seats)
            pages: tuple[str, str, Diagram | None] | None = None
            for reader in readers:
                if pages is None or notice.seats is not None:
                    pages = self._pages_of(
                        match, notice, reader if notice.seats is not None else None, why, before
                    )
                key = ("letter", match.name, cause, str(index), notice.kind, str(reader.seat), reader.address)
                mine = changed.get(reader.seat or 0, ())
                if index == public:
                    entries = tuple(x for x in mine if x.uid == asked[index] or x.uid not in asked)
                else:
                    entries = tuple(x for x in mine if x.uid == asked[index])
                letters.append(self._match_letter(match, notice, reader, pages, key, now, entries))
        return letters

    def _changed(
        self, match: Match, notices: Sequence[Notice], before: Match | None, now: datetime
    ) -> Mapping[int, tuple[Appointment, ...]]:
        """What a stimulus changes in the seats' calendars; reminders and tables change nothing."""
        if before is None and not any(notice.kind == "opened" for notice in notices):
            return {}
        return self.appointments(before, match, now)

    def _asked(self, match: Match, notice: Notice) -> str:
        """The calendar entry of what a notice asks for."""
        if notice.kind != "due" or notice.round is None or notice.demand is None:
            return ""
        return self.appointment_id(match, notice.round, notice.demand)

    def delayed(
        self, match: Match, r: OpenRound, due: datetime, until: datetime, now: datetime
    ) -> list[Letter]:
        """To all, that the ruling on a round waits, and until when at most; nothing about whom it waits for."""
        notice = Notice("announcement", None, round=r)
        context = {**self.context(match, None), "notice": notice, "due_at": due, "until": until}
        text, html = self._pages.letter("referee/delayed.j2", context)
        pages = text, html, None
        return [
            self._match_letter(
                match, notice, reader, pages, ("delayed", match.name, due.isoformat(), reader.address), now
            )
            for reader in self._readers(match, None)
        ]

    def _readers(self, match: Match, seats: tuple[int, ...] | None) -> list[Recipient]:
        numbers = match.numbers if seats is None else seats
        people = [(n, match.entrant(n)) for n in numbers]
        readers = [Recipient(p.addresses[0], p.name, n, p.zone) for n, p in people if p.addresses]
        if seats is None:
            seated = {address_key(a) for _, p in people for a in p.addresses}
            watching = [address for address in match.observers if address_key(address) not in seated]
            readers += [Recipient(address, "", None) for address in watching]
        return readers

    def _pages_of(
        self, match: Match, notice: Notice, reader: Recipient | None, why: str, before: Match | None
    ) -> tuple[str, str, Diagram | None]:
        view = self.view(match, reader.seat if reader else None)
        if notice.kind == "rewound":
            view = self._with_difference(view, before)
        context = {**self.context(match, reader), "view": view}
        context.update(notice=notice, entries=notice.entries, why=why)
        if notice.round and notice.demand:
            context.update(self.owing(match, notice.round, notice.demand, first=notice.first))
        text, html = self._pages.letter(f"referee/{notice.kind}.j2", context)
        return text, html, view.diagram if view else None

    def _with_difference(self, view: View | None, before: Match | None) -> View | None:
        """The view with what a rewind changed marked on its board (611)."""
        was = self.view(before, None)
        if view is None or was is None or view.diagram is None or was.diagram is None:
            return view
        return replace(view, diagram=difference(was.diagram, view.diagram))

    def _match_letter(
        self,
        match: Match,
        notice: Notice,
        reader: Recipient,
        pages: tuple[str, str, Diagram | None],
        key: tuple[str, ...],
        now: datetime,
        appointments: tuple[Appointment, ...] = (),
    ) -> Letter:
        text, html, diagram = pages
        root = self._id("thread", match.name, reader.address)
        first = notice.kind == "opened" and any(isinstance(e.event, ev.MatchOpened) for e in notice.entries)
        form = self.form(match, notice.demand) if notice.demand else ""
        return Letter(
            kind=notice.kind,
            office="speaker",
            reply_to=reply_office_of(notice.kind),
            recipient=reader.address,
            recipient_name=reader.name,
            subject=self._subject(match, notice),
            text=text,
            html=html,
            message_id=root if first else self._id(*key),
            at=now,
            references=() if first else (root,),
            match=match.name,
            position=match.position if notice.seats is None else None,
            diagram=diagram,
            seat=reader.seat,
            form=form,
            token=self._token(match, reader.seat),
            rounds=self._rounds(match, notice, reader.seat),
            appointments=appointments,
            stop=self._stop(match, reader),
        )

    def _rounds(self, match: Match, notice: Notice, seat: int | None) -> tuple[RoundName, ...]:
        """What the letter asks the seat for; where that is nothing, the rounds whose end it tells of."""
        if notice.round is not None and notice.demand is not None:
            return (RoundName(notice.round.label, notice.round.opened),)
        if asked := self.rounds_of(match, seat):
            return asked
        told = {e.event.label for e in notice.entries if isinstance(e.event, _CLOSING)}
        return tuple(RoundName(p.label, p.opened) for p in match.past if p.label in told and seat)

    def _stop(self, match: Match, reader: Recipient) -> tuple[str, str] | None:
        """How an observer's letters end; None for whoever has a seat."""
        return None if reader.seat else (match.name, self.keys.stop_token(match.name, reader.address))

    # --- what answers a mail -----------------------------------------------------------------------------------

    def answer(
        self,
        template: str,
        to: AnsweredMail,
        now: datetime,
        context: Mapping[str, object],
        match: Match | None = None,
        seat: int | None = None,
        attachments: tuple[tuple[str, str, str], ...] = (),
        kind: str | None = None,
        about: str = "",
        rounds: tuple[RoundName, ...] = (),
        appointments: tuple[Appointment, ...] = (),
        demand: Demand | None = None,
    ) -> Letter:
        """The answer to one mail, to its sender only: the template, and what the header calls it; `about` and `rounds`
        as in Letter, where the seat owes nothing now; `demand` is what it is about, where that is something owed."""
        kind = kind or NOTICES.get(template, template)
        zone = match.entrant(seat).zone if match and seat else to.zone
        called = match.entrant(seat).name if match and seat else to.name
        called = (
            "" if name_fault(called) else called
        )  # what a stranger writes in its place is not said after him
        reader = Recipient(to.address, called, seat, zone)
        subject = self._answering(template, str(context.get("topic", "")), match, demand)
        full, view = {**self.context(match, reader), **context, "subject": subject}, self.view(match, seat)
        text, html = self._pages.letter(f"referee/{template}.j2", full)
        references = (*to.references, *((to.message_id,) if to.message_id else ()))
        return Letter(
            kind=kind,
            office=office_of(kind),
            reply_to=reply_office_of(kind),
            recipient=to.address,
            recipient_name=called,
            subject=subject,
            text=text,
            html=html,
            message_id=self._id("answer", to.identity, kind, to.address),
            at=now,
            automatic="auto-replied",
            in_reply_to=to.message_id,
            references=references[-20:],
            match=match.name if match else None,
            position=None,
            diagram=view.diagram if view else None,
            attachments=attachments,
            seat=seat,
            form=str(context.get("form") or ""),
            token=self._token(match, seat),
            about=about or to.kept,
            rounds=self.rounds_of(match, seat) or rounds,
            appointments=appointments,
        )

    def challenge(
        self,
        match: Match,
        seat: int,
        address: str,
        identity: str,
        now: datetime,
        context: Mapping[str, object],
        lane: str,
    ) -> Letter:
        """To a registered address: is this mail yours? Its reply is told by its Message-ID, which nobody else knows."""
        person = match.entrant(seat)
        reader = Recipient(address, person.name, seat, person.zone)
        text, html = self._pages.letter("referee/challenge.j2", {**self.context(match, reader), **context})
        subject = f"[{match.name}] {self._games[match.game].title}: is this mail yours?"
        root = self._id("thread", match.name, address)
        return Letter(
            kind="challenge",
            office="collector",
            reply_to="collector",
            recipient=address,
            recipient_name=person.name,
            subject=subject,
            text=text,
            html=html,
            message_id=self.challenge_id(identity, address),
            at=now,
            references=(root,),
            match=match.name,
            seat=seat,
            about=identity,
            lane=lane,
        )

    def address_question(
        self, match: Match, seat: int, address: str, identity: str, now: datetime, lane: str
    ) -> Letter:
        """To an address that a seat's player says is his: is it? Nothing in it is for that player alone."""
        reader = Recipient(address, "", None)
        context = {**self.context(match, reader), "seat": seat}
        text, html = self._pages.letter("referee/address_question.j2", context)
        subject = f"[{match.name}] {self._games[match.game].title}: is this address a player's?"
        return Letter(
            kind="challenge",
            office="collector",
            reply_to="collector",
            recipient=address,
            recipient_name="",
            subject=subject,
            text=text,
            html=html,
            message_id=self.challenge_id(identity, address),
            at=now,
            match=match.name,
            about=identity,
            asks="address",
            lane=lane,
        )

    def challenge_id(self, identity: str, address: str, *, again: bool = False) -> str:
        """The Message-ID of the question about a mail to an address; `again`: of the second and last one."""
        return self._id("challenge", identity, address, *(("again",) if again else ()))

    def welcome(self, match: Match, seat: int, record: str, cause: str, now: datetime) -> Letter:
        """To whoever has just taken a seat: the rules in brief, who plays, how it stands, what is owed; the record
        goes with it. All of it as that seat may see it from now on, nothing of what was its first player's alone."""
        person = match.entrant(seat)
        reader = Recipient(person.addresses[0], person.name, seat, person.zone)
        before = next((f.entrant.name for f in reversed(match.former) if f.seat == seat), "")
        context = {
            **self.context(match, reader),
            "before": before if match.seating and before != person.name else "",
        }
        text, html = self._pages.letter("referee/welcome.j2", context)
        view = self.view(match, seat)
        return Letter(
            kind="status",
            office="speaker",
            reply_to="collector",
            recipient=reader.address,
            recipient_name=reader.name,
            subject=f"[{match.name}] {self._games[match.game].title}: welcome",
            text=text,
            html=html,
            message_id=self._id("welcome", match.name, cause, str(seat), reader.address),
            at=now,
            match=match.name,
            diagram=view.diagram if view else None,
            seat=seat,
            token=self._token(match, seat),
            attachments=((f"{match.name}.json", "application/json", record),),
            references=(self._id("thread", match.name, reader.address),),
            rounds=self.rounds_of(match, seat),
        )

    def digest(self, letters: Sequence[Letter], now: datetime) -> Letter:
        """Public letters of a day to one reader in one."""
        address = letters[0].recipient
        reader = Recipient(address, letters[0].recipient_name, None)
        text, html = self._pages.letter(
            "referee/digest.j2", {**self.context(None, reader), "letters": letters}
        )
        matches = list(dict.fromkeys(letter.match for letter in letters if letter.match))
        subject = (
            f"{len(letters)} public {'letter' if len(letters) == 1 else 'letters'}: {', '.join(matches)}"
        )
        return Letter(
            kind="digest",
            office="speaker",
            reply_to="collector",
            recipient=address,
            recipient_name=letters[0].recipient_name,
            subject=subject[:200],
            text=text,
            html=html,
            message_id=self._id("digest", address, *(letter.message_id for letter in letters)),
            at=now,
            stop=letters[0].stop if len(matches) == 1 else None,
            appointments=tuple({a.uid: a for letter in letters for a in letter.appointments}.values()),
        )

    def alarm(
        self,
        topic: str,
        subject: str,
        key: tuple[str, ...],
        now: datetime,
        *,
        reason: str = "",
        mail: KeptMail | None = None,
        about: str = "",
        **facts: object,
    ) -> Letter:
        """A letter to the moderator. `topic` is its kind, `key` tells it from all others; `mail` is the one it is
        about, `facts` what its words need besides."""
        reader = Recipient(self._offices.moderator, "Moderator", None)
        told = {"topic": topic, "reason": reason, "mail": mail, "about": about, **facts}
        text, html = self._pages.letter("referee/alarm.j2", {**self.context(None, reader), **told})
        return Letter(
            kind="alarm",
            office="speaker",
            reply_to="moderator",
            recipient=reader.address,
            recipient_name=reader.name,
            subject=subject,
            text=text,
            html=html,
            message_id=self._id("alarm", *key),
            at=now,
            purse="alarm",
            topic=topic,
        )

    def is_moderator(self, address: str | None) -> bool:
        """Whether alarms go there."""
        return address is not None and address_key(address) == address_key(self._offices.moderator)

    def unreadable(self, match: str, version: int, why: str, now: datetime) -> Letter:
        """To the moderator, once for each version of it: the match's ledger can't be read."""
        key = ("fault", match, "ledger", str(version))
        return self.alarm(
            "unfoldable", f"{match}: its ledger can't be read", key, now, reason=why, about=match
        )

    def _token(self, match: Match | None, seat: int | None) -> str:
        """The token of a seat's reply address; none for whoever has no seat."""
        if match is None or not seat:
            return ""
        return self.keys.reply_token(match.name, seat, match.renewals.get(seat, 0))

    def _answering(self, template: str, topic: str, match: Match | None, demand: Demand | None) -> str:
        """The subject of a letter that answers a mail: nothing of the mail's own is in it."""
        about = about_in_answer(template, topic)
        if match is None:
            return about[0].upper() + about[1:]
        if demand is None:
            return f"[{match.name}] {self._games[match.game].title}: {about}"
        return f"[{match.name}] {self.heading_of(match, demand)} - {about}"

    def _subject(self, match: Match, notice: Notice) -> str:
        if notice.kind in ("due", "reminder") and notice.demand:
            subject = self.order_subject(match, notice.demand)
            return f"Reminder: {subject}" if notice.kind == "reminder" else subject
        return subject_of_notice(match, self._games[match.game].title, notice)

    def _id(self, *parts: str) -> str:
        """An opaque, repeatable Message-ID."""
        host = self._offices.speaker.rpartition("@")[2]
        return f"<{self.keys.derive('message-id', *parts)[:40]}@{host}>"
