"""Decisions carried out: what a command does to a match is decided by it, written into its ledger,
and told.

Whatever changes a match - a mail, a deadline, a reminder, the moderator - comes this way."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from referee.base.errors import traced
from referee.base.logs import Log
from referee.core.answers import GivesUpSeat
from referee.core.codec import JsonObject
from referee.core.texts.addresses import address_key
from referee.core.value import Value
from referee.letters.announcements import Telling
from referee.letters.letter import AnsweredMail, Letter, PendingNews
from referee.letters.outbox import Outbox
from referee.letters.replies import answer, counted_about, to_moderator, unreadable
from referee.letters.speaker import Speaker
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import MatchCommand
from referee.match.decide import Decision, decide, opened
from referee.match.events import Entrant
from referee.match.match import Match, outcome
from referee.match.notices import Notice, notices
from referee.match.record.public import public_record, record_json
from referee.offices.passes import Counts
from referee.offices.register import ROSTER, Matches, People, Unfoldable
from referee.store.engine import Again
from referee.store.matches import MatchStore
from referee.store.post import KeptMail
from referee.store.sql import Unit

_SEATING = ROSTER | ev.ReplyAddressRenewed | ev.ObserverAdded | ev.ObserverRemoved
log = Log("referee.desk")
_AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)  # before all that waits
OBSERVING = 0  # in the place of a seat: a token by which an observer's letters end


class Decisions(Value):
    """Decides commands and writes down what comes of them, in the caller's transaction."""

    matches: Matches
    speaker: Speaker
    outbox: Outbox

    def carry_out(self, unit: Unit, match: Match, command: MatchCommand, cause: str) -> Decision:
        """What the command does to the match: decided, and recorded. `cause` tells the stimulus from all others."""
        decision = self.decide(unit, match, command)
        self.record(unit, match, decision, cause)
        return decision

    def open(
        self, unit: Unit, opening: ev.MatchOpened, seed: str, happened: Sequence[JsonObject] = ()
    ) -> Match:
        """A new match."""
        opening = replace(opening, roster=tuple(self._zoned(unit, one) for one in opening.roster))
        game, keys = self.matches.games[opening.game], self.speaker.keys
        decision = opened(game, opening, seed, unit.now, keys, happened)
        self.record(unit, None, decision, f"opening {opening.match}")
        return decision.match

    def decide(self, unit: Unit, match: Match, command: MatchCommand) -> Decision:
        """What the command would do; nothing is written. For who must look before it counts."""
        game = self.matches.game(match)
        if isinstance(command, do.Join | ev.EntrantReplaced | ev.SubstituteNamed):
            command = replace(command, entrant=self._zoned(unit, command.entrant))
        return decide(game, match, command, unit.now, self.speaker.keys, lambda: unit.history(match.name))

    def record(
        self,
        unit: Unit,
        before: Match | None,
        decision: Decision,
        cause: str,
        why: str = "",
        answering: tuple[int, str] | None = None,
    ) -> PendingNews:
        """Append the entries to the ledger, rewrite the match's row with its deadlines and seats from the state after,
        and queue the letters that the entries call for. `before` None: the match has just been opened. Given back is
        what the seat that is being answered, at that address, has still to be told."""
        if not decision.entries:
            return PendingNews()
        after, events = decision.match, [entry.event for entry in decision.entries]
        self.matches.save(unit, after, decision.entries, unit.now)
        first, last = decision.entries[0].version, decision.entries[-1].version
        log.info("ruling", match=after.name, entries=f"{first}-{last}", position=after.position)
        seating = any(isinstance(event, _SEATING) for event in events)
        if seating:
            _seat(People(unit), events)
            unit.reply_tokens(after.name, self.tokens(after))
        telling = Telling(self.speaker, after, cause, unit.now, why, before)
        letters = self._welcomes(unit, telling, events) if seating else []
        waited = partial(self.outbox.waited, unit, after.name)
        news, untold = telling.letters(notices(before, after, decision.entries), answering, waited)
        letters += news
        if before is not None:
            letters += self._vacated(before, after, events, unit.now)
            letters += _gone(telling, before, events) if seating else []
        ends = "ended" in (after.status, before.status if before else "")
        if ends and (event := unit.event_of(after.name)):
            unit.wake(event, _AT_ONCE)
        if after.status == "ended" and after.options.get("table"):
            letters += self._table_told(unit, after)
        self.outbox.post(unit, letters)
        if seating:
            self._same_zone(unit, after, events, cause)
        return untold

    # --- one zone a person -------------------------------------------------------------------------------------

    def _zoned(self, unit: Unit, person: Entrant) -> Entrant:
        """A person is told all times in one zone: if none is given, that of their other seats."""
        if person.zone is not None:
            return person
        known = (match.entrant(seat).zone for match, seat in self._seats(unit, person))
        return replace(person, zone=next((zone for zone in known if zone), None))

    def _same_zone(self, unit: Unit, after: Match, events: list[ev.Event], cause: str) -> None:
        """The zone with which somebody is entered holds for his other seats too."""
        people = [e.entrant for e in events if isinstance(e, ev.EntrantJoined | ev.EntrantReplaced)]
        people += [person for e in events if isinstance(e, ev.MatchOpened) for person in e.roster]
        for person in people:
            for match, seat in self._seats(unit, person) if person.zone else ():
                if match.name != after.name and match.status != "ended":
                    self.carry_out(unit, match, ev.ZoneSet(seat, person.zone or "UTC"), f"{cause} zone")

    def _seats(self, unit: Unit, person: Entrant) -> list[tuple[Match, int]]:
        """Those whose letters go to the person's address, or to one that it has proved its own."""
        own = People(unit).proved_by(person.addresses[0]) if person.addresses else ()
        held = sorted({place for address in own for place in unit.seats_of(address)})
        found = [(self.matches.outline(unit, name), seat) for name, seat in held]
        return [(m, n) for m, n in found if m.known and address_key(m.entrant(n).addresses[0]) in own]

    def told_of(self, unit: Unit, kept: KeptMail, topic: str, **facts: object) -> None:
        """Tell the sender of a mail that waited what became of it."""
        key = f"{topic} {kept.identity}"
        to = AnsweredMail(kept.sender or "", "", kept.message_id, (), key, unit.now, kept.identity)
        self.outbox.post(unit, [answer(self.speaker, "not_done", to, {"topic": topic, **facts})])

    def tokens(self, match: Match) -> list[tuple[int, str]]:
        """What stands in reply addresses of the match, for its seats and for observers."""
        keys = self.speaker.keys
        seats = [(n, keys.reply_token(match.name, n, match.renewals.get(n, 0))) for n in match.numbers]
        return seats + [(OBSERVING, keys.stop_token(match.name, address)) for address in match.observers]

    def _welcomes(self, unit: MatchStore, telling: Telling, events: list[ev.Event]) -> list[Letter]:
        """To all who have just taken a seat; the letter that opens a match is welcome enough."""
        if any(isinstance(event, ev.MatchBegun) for event in events):
            return []
        match, came = telling.match, ev.EntrantReplaced | ev.StoodIn | ev.CameBack
        taken = [event.seat for event in events if isinstance(event, came)]
        taken += [len(match.roster) for event in events if isinstance(event, ev.EntrantJoined)]
        if not taken:
            return []
        record = record_json(public_record(self.matches.game(match), unit.history(match.name)))
        return [telling.welcome(seat, record) for seat in taken]

    def _vacated(self, before: Match, after: Match, events: list[ev.Event], now: datetime) -> list[Letter]:
        """The moderator hears of every seat that has become vacant, and of whoever has resigned."""
        gone = {e.seat: before.entrant(e.seat) for e in events if isinstance(e, ev.EntrantLeft)}
        began, over = after.inner is not None, after.status == "ended"
        if began and before.inner is not None:
            fresh = {*after.vacant} - {*before.vacant, *after.vacated}
            gone |= {seat: after.entrant(seat) for seat in sorted(fresh)}
        kind_of = self.matches.game(after).actions_codec.kind_of
        answers = [event for event in events if isinstance(event, ev.Answered)]
        resigned = [a.demand.seat for a in answers if issubclass(kind_of(a.action), GivesUpSeat)]
        alarms = []
        for seat in dict.fromkeys((*gone, *resigned)):
            news = "a seat is vacant" if seat in gone else "a player has resigned"
            person, subject = gone.get(seat) or after.entrant(seat), self.speaker.subject(after, news)
            key = ("vacant", after.name, str(after.position), str(seat))
            alarm = to_moderator(
                self.speaker, "vacant", subject, key, now, reason=person.name, about=after.name, number=seat,
                open=seat in gone, began=began, over=over,
            )  # fmt: skip
            alarms.append(alarm)
        return alarms

    def _table_told(self, unit: Unit, ended: Match) -> list[Letter]:
        """When the last match of a table has ended, all their players learn how they compare."""
        table = ended.options["table"]
        unit.hold("table", f"{ended.game} {table}")  # of two that end at once the last sees both
        found = (self.matches.outline(unit, name) for name in unit.compared(ended.game, table))
        matches = {m.name: m for m in found if m.known and m.options.get("table") == table}
        game, ends = self.matches.game(ended), {name: outcome(m) for name, m in matches.items()}
        rows = game.table(ends)
        if not rows:
            return []
        told = (("Player", *rows[0]), *((matches[row[0]].roster[0].name, *row) for row in rows[1:]))
        notice = Notice("announcement", None, table=told)
        telling = [Telling(self.speaker, m, f"table {table}", unit.now) for m in matches.values()]
        return [letter for each in telling for letter in each.letters([notice])[0]]

    # --- our own faults: what stumbled is put aside or left for the next pass, the moderator is told, the queue goes
    # on; the caller's savepoint has undone what the fault left half done

    def _alarm(self, topic: str, subject: str, *key: str, now: datetime, **facts: Any) -> Letter:
        return to_moderator(self.speaker, topic, subject, (topic, *key), now, **facts)

    def fault_of_mail(
        self, unit: Unit, mail: KeptMail, error: BaseException, proved: list[tuple[str, int]]
    ) -> tuple[Letter, str | None, int | None]:
        """The alarm of a mail that is put aside, and the match and seat it is for. `proved`: the
        seats that it proves to be of by more than its From: no other's deadline waits for it."""
        self.matches.forget()
        found = proved or (unit.seats_of(mail.sender) if mail.sender else [])
        match, seat = found[0] if len(found) == 1 else (None, None)
        key, reason = (str(mail.id), mail.arrived.isoformat(), unit.now.isoformat()), type(error).__name__
        about, subject = mail.sender or "", "A mail could not be judged"
        alarm = self._alarm("shunted", subject, *key, now=unit.now, reason=reason, mail=mail, about=about)
        alarm = counted_about(alarm, found, "proved" if proved else "address")
        return alarm, match, seat if proved else 0

    def fault_of_search(self, unit: Unit, match: Match, error: Exception, counts: Counts) -> None:
        """The referee's own answer was not found: held, until the moderator lets it be looked for again."""
        log.error("unsolved", match=match.name, trace=traced(error))
        unit.stick(match.name, match.version)
        subject = self.speaker.subject(match, "the referee's own answer was not found")
        counts.trouble.append(f"{subject}; see the log, and `referee unshunt {match.name}`")
        name, key, reason = match.name, (str(match.position), unit.now.isoformat()), type(error).__name__
        alarm = self._alarm("unsolved", subject, name, *key, now=unit.now, reason=reason, about=name)
        self.outbox.post(unit, [alarm])

    def fault_of_clock(self, unit: Unit, why: str) -> None:
        """Of the machine on which the referee works."""
        subject, about = "The machine's clock can't be believed", self.speaker.offices.name
        alarm = self._alarm("clock", subject, unit.now.isoformat(), now=unit.now, reason=why, about=about)
        self.outbox.post(unit, [alarm])

    @contextmanager
    def apart(self, unit: Unit, name: str, what: str, counts: Counts) -> Iterator[None]:
        """What is done to one match, or gathering, apart from all others: where it stumbles nothing of it is left."""
        try:
            with unit.savepoint():
                yield
        except Again:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, all others must go on
            self.fault_of_match(unit, name, what, error, counts)

    def fault_of_match(self, unit: Unit, name: str, what: str, error: Exception, counts: Counts) -> None:
        """Something in a match: told once, tried at every pass. One that can't be folded is told
        of once, wherever it stumbled."""
        speaker, row = self.speaker, unit.match(name)
        self.matches.forget()
        log.error("fault", match=name, what=what, trace=traced(error))
        version, game = (row.version, row.game) if row else (0, None)
        if isinstance(error, Unfoldable):
            alarm = unreadable(speaker, name, game, version, str(error), unit.now)
        else:
            subject, reason = speaker.titled(name, game, f"{what} could not be judged"), type(error).__name__
            key = (name, what, str(version))
            alarm = self._alarm("fault", subject, *key, now=unit.now, reason=reason, about=name, what=what)
        if (trouble := f"{alarm.head.subject}; see the log") not in counts.trouble:
            counts.trouble.append(trouble)
        self.outbox.post(unit, [alarm])


def _gone(telling: Telling, before: Match, events: list[ev.Event]) -> list[Letter]:
    """Whoever has lost their seat hears of it, and what they can do; who left by themselves is answered anyhow."""
    kinds = ev.SeatVacated | ev.EntrantReplaced | ev.StoodIn | ev.CameBack
    lost = [e for e in events if isinstance(e, kinds) or (isinstance(e, ev.EntrantLeft) and telling.why)]
    last = {event.seat: event for event in lost if event.seat in before.numbers}
    return [
        telling.gone(seat, person, event)
        for seat, event in sorted(last.items())
        if (person := before.entrant(seat)).addresses
        and person.name != getattr(getattr(event, "entrant", None), "name", "")
    ]


def _seat(people: People, events: list[ev.Event]) -> None:
    """The addresses of those who have come into the match are their own."""
    for event in events:
        if isinstance(event, ev.EntrantReplaced | ev.EntrantJoined | ev.StoodIn):
            people.trusted(event.entrant.addresses)
            people.seated(event.entrant.addresses)
        for entrant in event.roster if isinstance(event, ev.MatchOpened) else ():
            people.seated(entrant.addresses)
