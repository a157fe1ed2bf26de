"""The speaker: notices and verdicts to letters. What a letter shows is cut by the game's `view`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from referee.core.diagram import difference
from referee.core.game import View
from referee.core.owing import Demand
from referee.core.replacing import replace
from referee.core.texts.addresses import address_key
from referee.match import events as ev
from referee.match.match import Match, OpenRound, RoundName
from referee.match.names import name_fault
from referee.match.notices import Notice
from referee.offices.outgoing.kinds import KINDS, about_in_answer, subject_of_notice
from referee.offices.outgoing.letters import (
    NO_REPLY,
    UNCOUNTED,
    AnsweredMail,
    Appointment,
    Head,
    Letter,
    LetterSheet,
    Meant,
    Measure,
    Recipient,
)
from referee.offices.outgoing.showing import Showing
from referee.offices.ports.store import KeptMail

_CLOSING = (ev.RoundRevealed, ev.RoundClosed, ev.Lapsed)
_REFERENCES = 20  # of a thread that a letter names


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
            sheet: LetterSheet | None = None
            for reader in readers:
                if sheet is None or notice.seats is not None:
                    sheet = self._sheet_of(
                        match, notice, reader if notice.seats is not None else None, why, before
                    )
                key = ("letter", match.name, cause, str(index), notice.kind, str(reader.seat), reader.address)
                mine = changed.get(reader.seat or 0, ())
                if index == public:
                    entries = tuple(x for x in mine if x.uid == asked[index] or x.uid not in asked)
                else:
                    entries = tuple(x for x in mine if x.uid == asked[index])
                letters.append(self._match_letter(match, notice, reader, sheet, key, now, entries))
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
        sheet = self._sheet("delayed", context, None)
        return [
            self._match_letter(
                match, notice, reader, sheet, ("delayed", match.name, due.isoformat(), reader.address), now
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

    def _sheet_of(
        self, match: Match, notice: Notice, reader: Recipient | None, why: str, before: Match | None
    ) -> LetterSheet:
        view = match.view(reader.seat if reader else None)
        if notice.kind == "rewound":
            view = self._with_difference(view, before)
        context = {**self.context(match, reader), "view": view}
        context.update(notice=notice, entries=notice.entries, why=why)
        if notice.round and notice.demand:
            context.update(self.owing(match, notice.round, notice.demand, first=notice.first))
        return self._sheet(notice.kind, context, view)

    def _with_difference(self, view: View | None, before: Match | None) -> View | None:
        """The view with what a rewind changed marked on its board (611)."""
        was = before.view(None) if before else None
        if view is None or was is None or view.diagram is None or was.diagram is None:
            return view
        return replace(view, diagram=difference(was.diagram, view.diagram))

    def _match_letter(
        self,
        match: Match,
        notice: Notice,
        reader: Recipient,
        sheet: LetterSheet,
        key: tuple[str, ...],
        now: datetime,
        appointments: tuple[Appointment, ...] = (),
    ) -> Letter:
        root = self._thread(match, reader.address)
        first = notice.kind == "opened" and any(isinstance(e.event, ev.MatchOpened) for e in notice.entries)
        form = self.form(match, notice.demand) if notice.demand else ""
        return self._letter(
            notice.kind,
            reader,
            self._subject(match, notice),
            sheet,
            root if first else self._id(*key),
            now,
            match,
            references=() if first else (root,),
            position=match.position if notice.seats is None else None,
            reply=Meant(form, rounds=self._rounds(match, notice, reader.seat)),
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
        zone = match.entrant(seat).zone if match and seat else to.zone
        called = match.entrant(seat).name if match and seat else to.name
        # what a stranger writes in its place is not said after him
        reader = Recipient(to.address, "" if name_fault(called) else called, seat, zone)
        subject = self._answering(template, str(context.get("topic", "")), match, demand)
        full = {**self.context(match, reader), **context, "subject": subject}
        sheet = replace(
            self._sheet(template, full, match.view(seat) if match else None), attachments=attachments
        )
        form, rounds = str(context.get("form") or ""), self.rounds_of(match, seat) or rounds
        kind = kind or template
        return self._letter(
            kind,
            reader,
            subject,
            sheet,
            self._id("answer", to.identity, KINDS[kind].notice, to.address),
            now,
            match,
            answers=to,
            reply=Meant(form, rounds=rounds, about=about or to.kept),
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
        sheet = self._sheet("challenge", {**self.context(match, reader), **context}, None)
        return self._letter(
            "challenge",
            reader,
            f"[{match.name}] {self._games[match.game].title}: is this mail yours?",
            sheet,
            self.challenge_id(identity, address),
            now,
            match,
            references=(self._thread(match, address),),
            reply=Meant(about=identity),
            measure=Measure(lane=lane),
        )

    def address_question(
        self, match: Match, seat: int, address: str, identity: str, now: datetime, lane: str
    ) -> Letter:
        """To an address that a seat's player says is his: is it? Nothing in it is for that player alone."""
        reader = Recipient(address, "", None)
        context = {**self.context(match, reader), "seat": seat}
        return self._letter(
            "address_question",
            reader,
            f"[{match.name}] {self._games[match.game].title}: is this address a player's?",
            self._sheet("address_question", context, None),
            self.challenge_id(identity, address),
            now,
            match,
            reply=Meant(about=identity, asks="address"),
            measure=Measure(lane=lane),
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
        sheet = self._sheet("welcome", context, match.view(seat))
        return self._letter(
            "welcome",
            reader,
            f"[{match.name}] {self._games[match.game].title}: welcome",
            replace(sheet, attachments=((f"{match.name}.json", "application/json", record),)),
            self._id("welcome", match.name, cause, str(seat), reader.address),
            now,
            match,
            references=(self._thread(match, reader.address),),
            reply=Meant(rounds=self.rounds_of(match, seat)),
        )

    def digest(self, letters: Sequence[Letter], now: datetime) -> Letter:
        """Public letters of a day to one reader in one."""
        address = letters[0].head.recipient
        reader = Recipient(address, letters[0].head.recipient_name, None)
        matches = list(dict.fromkeys(letter.match for letter in letters if letter.match))
        subject = (
            f"{len(letters)} public {'letter' if len(letters) == 1 else 'letters'}: {', '.join(matches)}"
        )
        return self._letter(
            "digest",
            reader,
            subject[:200],
            self._sheet("digest", {**self.context(None, reader), "letters": letters}, None),
            self._id("digest", address, *(letter.head.message_id for letter in letters)),
            now,
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
        sheet = self._sheet("alarm", {**self.context(None, reader), **told}, None)
        return self._letter(
            "alarm", reader, subject, sheet, self._id("alarm", *key), now, measure=Measure("alarm", topic)
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

    # --- written -----------------------------------------------------------------------------------------------

    def _sheet(self, template: str, context: Mapping[str, object], view: View | None) -> LetterSheet:
        text, html = self._pages.letter(f"referee/{template}.j2", context)
        return LetterSheet(text, html, view.diagram if view else None)

    def _letter(
        self,
        kind: str,
        reader: Recipient,
        subject: str,
        sheet: LetterSheet,
        message_id: str,
        now: datetime,
        match: Match | None = None,
        *,
        references: tuple[str, ...] = (),
        answers: AnsweredMail | None = None,
        position: int | None = None,
        reply: Meant = NO_REPLY,
        measure: Measure = UNCOUNTED,
        appointments: tuple[Appointment, ...] = (),
        stop: tuple[str, str] | None = None,
    ) -> Letter:
        """Every letter there is; `kind` as in KINDS, `answers` the mail in whose thread it stands."""
        sent = KINDS[kind]
        head = Head(
            sent.office,
            sent.reply_to,
            reader.address,
            reader.name,
            subject,
            message_id,
            now,
            references=references,
            token="" if sent.known_by_id else self._token(match, reader.seat),
        )
        if answers is not None:
            head = _answered(head, answers)
        name = match.name if match else None
        return Letter(
            sent.notice, head, sheet, name, reader.seat, position, reply, measure, appointments, stop
        )

    def _thread(self, match: Match, address: str) -> str:
        """The first letter of a match to an address, on which all others hang."""
        return self._id("thread", match.name, address)

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


def _answered(head: Head, to: AnsweredMail) -> Head:
    """In the thread of the mail that it answers."""
    references = (*to.references, *((to.message_id,) if to.message_id else ()))
    return replace(
        head, automatic="auto-replied", in_reply_to=to.message_id, references=references[-_REFERENCES:]
    )
