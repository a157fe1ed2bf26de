"""The registry: what a decision leaves behind - the ledger, the match's row, and the letters to everybody."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from referee.core import seam
from referee.core.answers import Body, GivesUpSeat
from referee.core.capabilities import ComparesTables
from referee.core.complaint import Line
from referee.match import events as ev
from referee.match.decide import Decision
from referee.match.match import Match, RoundName, outcome, owed, vacancies
from referee.match.notices import Notice, notices
from referee.match.record.public import public_record, record_json
from referee.offices.book import Book
from referee.offices.incoming.allowances import Allowances, fitted
from referee.offices.incoming.routing import Route
from referee.offices.outgoing.forwarding import Forwarding
from referee.offices.outgoing.letters import Letter, decoded, outgoing
from referee.offices.outgoing.speaker import Speaker
from referee.offices.people import People
from referee.offices.ports.mail import Mail
from referee.offices.ports.store import OutgoingLetter, Unit

_SEATING = (
    ev.MatchOpened,
    ev.EntrantJoined,
    ev.EntrantLeft,
    ev.MatchBegun,
    ev.EntrantReplaced,
    ev.ReplyAddressRenewed,
    ev.ObserverAdded,
)


OBSERVING = 0  # in the place of a seat: a token by which an observer's letters end


class Registry:
    """Writes decisions down and queues what must be told."""

    def __init__(self, book: Book, speaker: Speaker, allowances: Allowances, largest_letter: int) -> None:
        self.book = book
        self.forwarding = Forwarding(book)
        self._speaker = speaker
        self.allowances = allowances
        self._largest_letter = largest_letter

    def record(
        self,
        unit: Unit,
        before: Match | None,
        decision: Decision,
        cause: str,
        now: datetime,
        why: str = "",
    ) -> int:
        """Save the entries and queue the letters they call for; how many letters."""
        if not decision.entries:
            return 0
        self.book.save(unit, decision.match, decision.entries, now)
        for entry in decision.entries:
            if isinstance(entry.event, ev.EntrantReplaced | ev.EntrantJoined):
                People(unit).trusted(entry.event.entrant.addresses)
                People(unit).seated(entry.event.entrant.addresses)
            if isinstance(entry.event, ev.MatchOpened):
                for entrant in entry.event.roster:
                    People(unit).seated(entrant.addresses)
        if any(isinstance(e.event, _SEATING) for e in decision.entries):
            unit.reply_tokens(decision.match.name, self._tokens(decision.match))
        sent = self.post(unit, self._welcomes(unit, decision, cause, now))
        told = notices(before, decision.match, decision.entries)
        sent += self.post(unit, self._speaker.told(decision.match, told, cause, now, why, before))
        sent += self.post(unit, self._vacated(before, decision, now))
        if decision.match.status == "ended" and decision.match.options.get("table"):
            sent += self._publish_table(unit, decision.match, now)
        return sent

    def _welcomes(self, unit: Unit, decision: Decision, cause: str, now: datetime) -> list[Letter]:
        """To everybody who has just taken a seat; the letter that opens a match is welcome enough."""
        match, events = decision.match, [entry.event for entry in decision.entries]
        if any(isinstance(event, ev.MatchBegun) for event in events):
            return []
        taken = [event.seat for event in events if isinstance(event, ev.EntrantReplaced)]
        taken += [len(match.roster) for event in events if isinstance(event, ev.EntrantJoined)]
        if not taken:
            return []
        record = record_json(public_record(self.book.game(match), unit.history(match.name)))
        return [self._speaker.welcome(match, seat, record, cause, now) for seat in taken]

    def _vacated(self, before: Match | None, decision: Decision, now: datetime) -> list[Letter]:
        """The moderator hears of every seat that has become vacant, and of whoever has resigned."""
        after, entries = decision.match, decision.entries
        if before is None:
            return []
        game = self.book.game(after)
        gone = [
            (e.event.seat, before.entrant(e.event.seat))
            for e in entries
            if isinstance(e.event, ev.EntrantLeft)
        ]
        if after.inner is not None and before.inner is not None:
            fresh = set(vacancies(after, game)) - set(vacancies(before, game))
            gone += [(seat, after.entrant(seat)) for seat in sorted(fresh)]
        answers = [entry.event for entry in entries if isinstance(entry.event, ev.Answered)]
        resigned = [
            a.demand.seat for a in answers if isinstance(game.actions_codec.decode(a.action), GivesUpSeat)
        ]
        quitting = [(seat, after.entrant(seat)) for seat in resigned if seat not in [s for s, _ in gone]]
        return [
            self._speaker.alarm(
                f"{after.name}: {'a seat is vacant' if open_ else 'a player has resigned'}",
                ("vacant", after.name, str(after.version), str(seat)), now,
                {"topic": "vacant", "reason": person.name, "mail": None, "about": after.name, "number": seat,
                 "open": open_, "began": after.inner is not None, "over": after.status == "ended"},
            )
            for open_, found in ((True, gone), (False, quitting))
            for seat, person in found
        ]  # fmt: skip

    def _publish_table(self, unit: Unit, ended: Match, now: datetime) -> int:
        """When the last match of a table has ended, all their players learn how they compare."""
        table = ended.options["table"]
        found = (self.book.outline(unit, row.name) for row in unit.matches() if row.game == ended.game)
        matches = {m.name: m for m in found if m.known and m.options.get("table") == table}
        game = self.book.game(ended)
        ends = {name: outcome(m) for name, m in matches.items()}
        rows = game.table(ends) if isinstance(game, ComparesTables) else ()
        if not rows:
            return 0
        head = ("Player", *rows[0])
        told = (head, *((matches[row[0]].roster[0].name, *row) for row in rows[1:]))
        notice = Notice("announcement", None, table=told)
        letters = [
            letter
            for m in matches.values()
            for letter in self._speaker.told(m, [notice], f"table {table}", now)
        ]
        return self.post(unit, letters)

    def post(self, unit: Unit, letters: Iterable[Letter]) -> int:
        """Queue letters for the courier, where and as their readers get them."""
        return sum(self._posted(unit, self.forwarding.forwarded(unit, letter)) for letter in letters)

    def _posted(self, unit: Unit, letter: Letter) -> bool:
        """A public letter to somebody who wants digests is kept for the next one; alarms have a measure."""
        if letter.kind == "alarm":
            return self.allowances.alarm(unit, letter)
        wishes = unit.person(letter.recipient)
        gathered = wishes.digest and letter.position is not None
        letter = fitted(letter, self._largest_letter)
        medium = "text" if letter.medium == "text" else wishes.medium
        threaded = _threaded(unit, replace(letter, medium=medium))
        return unit.send(outgoing(threaded), gathered=gathered)

    def _tokens(self, match: Match) -> list[tuple[int, str]]:
        keys = self._speaker.keys
        seats = [(n, keys.reply_token(match.name, n, match.renewals.get(n, 0))) for n in match.numbers]
        return seats + [(OBSERVING, keys.stop_token(match.name, address)) for address in match.observers]

    def asked_kind(self, at: Route, mail: Mail, replied: OutgoingLetter | None) -> str:
        """What kind of answer a mail means: the heading's; under a subject without one, what the seat owes, and of
        several things the one that the answered letter asked for."""
        game = self.book.game(at.match)
        if mail.tag.kind is not None:
            return mail.tag.kind
        mine = [(r, d) for r, d in owed(at.match, game) if d.seat == at.seat]
        about = {name.opened for name in rounds_answered(at, replied)}
        kinds = [*(d.kind for r, d in mine if r.opened in about), *(d.kind for _, d in mine)]
        return kinds[0] if kinds else game.answers[0].kind

    def has_orders(self, at: Route, mail: Mail, replied: OutgoingLetter | None) -> bool:
        """Whether the sender's own words hold an order for the game."""
        game = self.book.game(at.match)
        if at.match.inner is None:
            return True
        body = Body(mail.own)
        demand = seam.aimed(game, at.match.inner, at.seat, self.asked_kind(at, mail, replied), body)
        return seam.read(game, at.match.inner, demand, body, at.match.party(at.seat)).orders_in(body.lines)

    def words_alone(self, mail: Mail) -> Mail:
        """A mail of words and an attached form, without the form; any other as it is."""
        if mail.attached is None:
            return mail
        lines, name = mail.attached
        said = tuple(line for line in mail.own if line not in lines)
        return replace(mail, own=said, left_out=(*mail.left_out, (name, 0)), attached=None)

    def as_meant(self, at: Route, mail: Mail, replied: OutgoingLetter | None) -> Mail:
        """A mail of words and an attached form: the words alone, where by the game's own rule they hold an order or
        what looks like one; else both."""
        alone = self.words_alone(mail)
        return alone if mail.attached is not None and self.has_orders(at, alone, replied) else mail

    def holds_orders(self, at: Route, mail: Mail, replied: OutgoingLetter | None) -> bool:
        """Whether a reply to a letter with a form holds an order: in its own words, or in the form if changed."""
        if at.match.inner is None or replied is None or not decoded(replied.body).form:
            return False
        return self.has_orders(at, mail, replied) or bool(self.quoted_form(mail, replied))

    @staticmethod
    def quoted_form(mail: Mail, replied: OutgoingLetter | None) -> tuple[Line, ...]:
        """The form inside our own quoted letter, if the sender changed or added a line in it; else nothing."""
        form = decoded(replied.body).form if replied else ""
        ours = [_folded(line) for line in form.splitlines() if line.strip()]
        if not ours:
            return ()
        start = next((i for i, line in enumerate(mail.quoted) if _same_start(line.text, ours[0])), None)
        if start is None:
            return ()
        theirs = tuple(line for line in mail.quoted[start:] if line.text.strip())
        changed = any(_folded(line.text) not in ours for line in theirs)
        return theirs if changed else ()


def rounds_answered(at: Route, replied: OutgoingLetter | None) -> tuple[RoundName, ...]:
    """The rounds that the letter was about which a mail of the seat replies to; none where it is no such reply."""
    if replied is None or replied.match != at.match.name or replied.seat != at.seat:
        return ()
    return decoded(replied.body).rounds


def _threaded(unit: Unit, letter: Letter) -> Letter:
    """A letter that answers no mail hangs on the first one of its match that the reader has got, so that mail
    programs keep one thread a match: beside each other, not each below the last."""
    if letter.automatic == "auto-replied" or not letter.references:
        return letter
    root = letter.references[0]
    first = unit.first_of_thread(letter.recipient, root)
    if first is None or first == letter.message_id:
        return letter
    return replace(letter, in_reply_to=first, references=tuple(dict.fromkeys((root, first))))


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _same_start(line: str, first: str) -> bool:
    """Whether a quoted line is where our form began: its key, whatever now stands behind it."""
    key = first.partition(":")[0]
    return _folded(line).startswith(key)
