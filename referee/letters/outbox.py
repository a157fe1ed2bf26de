"""The outbox: every letter is queued here, where and as its reader gets it. To an address that
works, threaded, no larger than a letter may be, in the medium they wish, kept for a digest if they
wish that and it can wait; alarms within their measure. And the courier's round: unsent letters
leave; what was refused for now is tried again, what failed is reported."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from itertools import groupby
from time import monotonic
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from referee.base.logs import Log
from referee.base.ports import Courier, Delivery, Parcel
from referee.base.settings import Settings
from referee.core.texts.addresses import address_key
from referee.core.value import Value
from referee.letters.letter import Letter, Recipient, decoded, outgoing
from referee.letters.replies import STRANGERS, copies, counted_about, to_moderator, unreached
from referee.letters.speaker import PUBLIC, Speaker, asked_rounds
from referee.match.match import Match, RoundName
from referee.store.engine import again
from referee.store.post import OutgoingLetter
from referee.store.sql import Claim, Store, Unit

log, courier_log = Log("referee.outbox"), Log("referee.courier")
_DAY, _LONGEST_GAP = timedelta(days=1), timedelta(days=30)
_NEVER = datetime.max.replace(tzinfo=UTC)
_TO_ANSWER = timedelta(hours=12)  # that a digest leaves for what it asks
_ASKING, _TOLD = frozenset(("due", "reminder")), PUBLIC | {"status"}
_MOST_BYTES = 4  # of a character in UTF-8
_NAMED = {
    "held": "mails held",
    "shunted": "mails put aside",
    "bounce": "letters that came back",
    "undelivered": "letters that could not be delivered",
    "delayed": "deadlines that wait for a mail",
    "missed": "mails seen too late",
    "forged": "forged mails",
    "fault": "faults in a match",
    "unsolved": "searches without an answer",
    "trouble": "troubles of the service",
    "well": "troubles over",
    STRANGERS: "what people who do not play here have sent, or were sent",
}


class Outbox(Value):
    """Queues letters for the courier, in the caller's transaction."""

    outlined: Callable[[Unit, str], Match]  # a match; of one that can't be folded its outline
    speaker: Speaker
    settings: Settings

    def post(self, unit: Unit, letters: Iterable[Letter]) -> None:
        """Queue the letters; one that is there (of the same Message-ID) is not queued again."""
        for alarms, group in groupby(letters, key=lambda letter: letter.kind == "alarm"):
            if alarms:
                for letter in group:
                    self._alarm(unit, letter)
            else:
                self._post_all(unit, list(group))

    def _post_all(self, unit: Unit, letters: Sequence[Letter]) -> None:
        persons = unit.persons(letter.head.recipient for letter in letters)
        queued: list[tuple[Letter, bool]] = []  # and whether it waits for a digest
        for letter in letters:
            wishes = persons[letter.head.recipient]
            # an answer to a mail goes to its sender only, whatever is known of them
            if wishes.failing is not None and letter.head.automatic != "auto-replied":
                letter = letter.to(self._next_address(unit, letter) or letter.head.recipient)
                wishes = unit.person(letter.head.recipient)
            medium = "text" if letter.medium == "text" else wishes.medium
            letter = replace(fitted(letter, self.settings.limits.largest_letter), medium=medium)
            queued.append((letter, wishes.gathers(letter.match) and self._can_wait(unit, letter)))
        firsts = unit.first_of_threads(thread for letter, _ in queued if (thread := _thread(letter)))
        queued = list(_threaded(queued, firsts))
        unit.send(*(outgoing(letter) for letter, waits in queued if not waits and not letter.waits))
        unit.send(*(outgoing(letter) for letter, waits in queued if waits), gathered=True)
        for letter in (letter for letter, waits in queued if letter.waits and not waits):
            kept = letter.counted(bucket=f"waits {letter.match} {letter.seat}")
            unit.send(outgoing(kept), until=letter.head.at + _DAY)
        for letter, waits in queued:
            log.info("letter queued", **letter.facts(), **({"digest": True} if waits else {}))

    def _can_wait(self, unit: Unit, letter: Letter) -> bool:
        """Whether it may wait for its reader's digest: what is public, and what asks for something that does not end
        soon after that. Not where it offers what an OK would send, nor where what it tells may be objected to, and
        somebody else is asked before its reader is asked once more."""
        told = letter.position is not None and letter.kind in _TOLD
        answers = letter.head.automatic == "auto-replied" or letter.reply.offers
        if answers or not letter.match or not (letter.kind in _ASKING or told):
            return False
        match, seat = self.outlined(unit, letter.match), letter.seat or 0
        if letter.kind in _ASKING:
            due = [until for r, d in match.due if d.seat == seat and (until := r.due_for(seat))]
            return not due or min(due) >= self._leaves(letter.head.at) + _TO_ANSWER
        standing = match.standing if seat else None
        objects = standing is not None and any(d.kind == "Objection" for d in standing.open_to(seat))
        return not objects or bool(asked_rounds(match, seat) or (standing and standing.expected(seat)))

    def waited(self, unit: Unit, match: str, seat: int, address: str) -> list[Letter]:
        """What waits for a letter to the seat that carries it, oldest first; it waits no more. Some
        may be older than a day, where no pass came that would have sent it."""
        return [*map(decoded, unit.take_waiting(f"waits {match} {seat}", address, unit.now - _LONGEST_GAP))]

    # --- digests: the letters of a day in one, for those who want it so --------------------------

    def gather(self, unit: Unit, now: datetime) -> None:
        """Queue the digests that leave now: at the first such hour (in the referee's zone) after the oldest letter of
        one was written. What asks for something, and is all there is, leaves as it is."""
        for recipient, oldest in unit.gathered():
            if self._leaves(oldest) <= now and (rows := unit.take_gathered(recipient)):
                digest, asked = self._digest(unit, [*map(decoded, rows)], now)
                if len(rows) == len(asked) == 1:
                    unit.redirect(rows[0])
                elif digest is not None:
                    unit.send(outgoing(replace(digest, medium=unit.person(recipient).medium)))

    def _leaves(self, oldest: datetime) -> datetime:
        local = oldest.astimezone(ZoneInfo(self.speaker.offices.timezone))
        at = datetime.combine(local.date(), time(self.settings.limits.digest_hour), local.tzinfo)
        return at if at > local else at + timedelta(days=1)

    def _digest(
        self, unit: Unit, letters: Sequence[Letter], now: datetime
    ) -> tuple[Letter | None, Sequence[Letter]]:
        """A day's letters to one reader in one: what they owe anywhere, by when it ends, and those that ask for it,
        which are given back too; then what happened. None where nothing of it is left to tell."""
        address = letters[0].head.recipient
        seats = [(self.outlined(unit, match), seat) for match, seat in unit.seats_of(address)]
        due = [(m, *each) for m, seat in seats for each in m.due if each[1].seat == seat]
        owes = [each for each in due if each[1].answer_of(each[2]) is None]
        owes.sort(key=lambda one: one[1].due_for(one[2].seat) or _NEVER)
        asking = {(x.match, x.seat, r): x for x in letters[::-1] if x.kind in _ASKING for r in x.reply.rounds}
        found = (asking.get((m.name, d.seat, RoundName(r.label, r.opened))) for m, r, d in owes)
        asked = list({x.head.message_id: x for x in found if x is not None}.values())
        told = [x for x in letters if x.page.news or x.kind not in _ASKING if x not in asked]
        if not (asked or told):
            return None, asked
        matches = list(dict.fromkeys(x.match or "" for x in letters))
        ids = [x.head.message_id for x in letters]
        called = f"{len(owes)} to answer" if owes else f"{len(told)} public letter{'s'[: len(told) - 1]}"
        zone = next((m.entrant(seat).zone for m, seat in seats if m.known), None)
        reader = Recipient(address, letters[0].head.recipient_name, None, zone)
        facts = {"owes": owes, "asked": asked, "letters": told, "matches": matches}
        subject = f"{called}: {', '.join(matches)}"[:200]
        head = {"token": asked[0].head.token if len({x.head.token for x in asked}) == 1 else ""}
        dates = tuple({a.uid: a for letter in letters for a in letter.appointments}.values())
        stop, key = letters[0].stop if len(matches) == 1 else None, ("digest", address, *ids)
        more: dict[str, Any] = {"told": facts, "head": head, "stop": stop, "appointments": dates}
        return self.speaker.letter("digest", reader, subject, key, now, None, **more), asked

    # --- addresses at which letters do not arrive ------------------------------------------------

    def send_again(self, unit: Unit, message_id: str) -> str | None:
        """A letter of ours came back: the same one is queued once more, for the seat's next
        address, which is given back; None where there is none."""
        row = unit.letter(message_id)
        if row is None or not unit.failing([row.recipient]):
            return None
        letter = decoded(row)
        working = self._next_address(unit, letter)
        if working is not None:
            unit.redirect(outgoing(letter.to(working)))
        return working

    def _next_address(self, unit: Unit, letter: Letter) -> str | None:
        """The first address of the letter's seat that is not known to fail."""
        if letter.match is None or not letter.seat:
            return None
        match = self.outlined(unit, letter.match)
        addresses = match.entrant(letter.seat).addresses if match.known else ()
        if address_key(letter.head.recipient) not in map(address_key, addresses):
            return None  # the seat is another's now, or it was written to elsewhere
        failing = {person.address for person in unit.failing(addresses)}
        return next((a for a in addresses if address_key(a) not in failing), None)

    # --- the moderator's alarms ------------------------------------------------------------------

    def _alarm(self, unit: Unit, letter: Letter) -> None:
        """Queue an alarm, if its kind has room today or it is the first about its player; else it
        is only counted, and told of with the others."""
        if unit.letter(letter.head.message_id) is not None:
            return
        topic, bucket, now = letter.measure.topic, letter.measure.bucket, letter.head.at
        unit.hold("alarm", topic)
        told = unit.many(now - _DAY, quota="alarm", recipient=letter.head.recipient, topic=topic)
        full = told >= self.settings.limits.alarms_a_day
        if not full or (bucket is not None and unit.bucket_since(bucket, now - _DAY) == 0):
            unit.send(*map(outgoing, copies(self.speaker, unit, letter)))
        elif unit.withhold(topic, now) == 1:
            self.tell_of_many(unit, topic, now, 0, now)

    def tell_of_many(self, unit: Unit, topic: str, since: datetime, count: int, now: datetime) -> None:
        """How many alarms of a kind were withheld since when."""
        kind, most = _NAMED.get(topic, topic), self.settings.limits.alarms_a_day
        more = f"{count} more alarms within a day" if count else "More alarms than a day may have"
        key = ("many", topic, since.isoformat(), str(bool(count)))
        subject = f"{more}: {kind}"
        told = {"reason": kind, "most": most, "count": count, "since": since}
        alarm = to_moderator(self.speaker, "many", subject, key, now, **told)
        unit.send(*map(outgoing, copies(self.speaker, unit, alarm)))


def _thread(letter: Letter) -> tuple[str, str] | None:
    """The recipient and the root of the thread in which a letter hangs; None of one that answers a
    mail or is the first of its thread."""
    if letter.head.automatic == "auto-replied" or not letter.head.references:
        return None
    return letter.head.recipient, letter.head.references[0]


def _threaded(
    letters: Iterable[tuple[Letter, bool]], queued: Mapping[tuple[str, str], str]
) -> Iterator[tuple[Letter, bool]]:
    """Letters that answer no mail hang on the first one of their match that the reader has got, so
    that mail programs keep one thread a match: beside each other, not each below the last. `queued`
    are those first ones that are queued already; one that waits for a digest is none."""
    firsts = dict(queued)
    for letter, waits in letters:
        own = letter.head.message_id
        thread = _thread(letter) or (letter.head.recipient, own)
        first = firsts.get(thread, own)
        if not waits:
            firsts[thread] = first
        if first != own:
            references = tuple(dict.fromkeys((thread[1], first)))
            letter = replace(letter, head=replace(letter.head, in_reply_to=first, references=references))
        yield letter, waits


def fitted(letter: Letter, largest: int) -> Letter:
    """The letter, no larger than so many bytes: words that are too many are cut, and what asks for an answer stays."""
    page, form = letter.page, letter.reply.form
    files = [text for _, _, text in page.attachments]
    words = (page.text, page.html, *files)
    if _MOST_BYTES * sum(map(len, words)) <= largest or _bytes(*words) <= largest:
        return letter
    room = largest // 2
    attached = page.attachments if _bytes(*files) <= room else ()
    kept = page.text.encode()[: max(room - _bytes(form), 0)].decode(errors="ignore")
    lines = kept.rpartition("\n")[0].splitlines()
    left = len(page.text.splitlines()) - len(lines)
    note = (
        f"(Here {left} lines are left out, since no letter of mine holds more than {largest // 1000} kB. The subjects"
        ' "board" and "record" of a mail to me bring you how the match stands, and all of it.)'
    )
    text = "\n".join([*lines, "", note, *(["", form] if form else []), ""])
    return replace(letter, page=replace(page, text=text, attachments=attached), medium="text")


def _bytes(*texts: str) -> int:
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)


# --- the courier's round -------------------------------------------------------------------------

_RETRY = tuple(timedelta(seconds=pause) for pause in (15, 60, 300, 1800, 7200))
_GIVE_UP = 40  # attempts
_MOST_UNKNOWN = 2  # times that nobody knows whether it left
_LONGEST = 300.0  # seconds of a round: mails are not to wait for a server that takes its time over letters
_SLOW = "letters wait to be sent: the mail server takes them too slowly."
Gone = tuple[OutgoingLetter, Delivery]  # a letter that was handed over, and what became of it


class Tally(Protocol):
    """What a pass counts of letters."""

    sent: int
    kept_back: int  # they wait for another try
    trouble: list[str]


class CourierRound(Value):
    """Hands letters over in their order, a batch at a time: written down before it, and what became of it in one commit
    after it. A crash between the two repeats no more than that batch, each letter alone and under the Message-ID it
    had; one of which twice nobody knows whether it left is parked until a moderator lets it go."""

    store: Store
    courier: Courier
    envelope: Callable[[Letter], bytes]  # a letter as the message that leaves
    outbox: Outbox
    mark_failing: Callable[[Unit, str, datetime, str], object]  # that letters do not arrive at an address

    def deliver(self, now: datetime, counts: Tally, stopping: Callable[[], bool] = lambda: False) -> None:
        """Count what leaves, and say why others wait. Alarms about failures leave in the same round. Once `stopping`
        says so, or the round has taken too long, the letter in hand is the last."""
        ends, first, more = monotonic() + _LONGEST, True, True

        def enough() -> bool:
            return stopping() or monotonic() > ends

        while more and not enough():
            with self.store.claiming() as claim:
                batch, more = self._claimed(claim, now, first)
                more = more and self._hand_over(batch, now, counts, enough)
            first = False
        if more and not stopping():
            counts.trouble.append(_SLOW)

    @again
    def _claimed(self, claim: Claim, now: datetime, first: bool) -> tuple[list[OutgoingLetter], bool]:
        """The next batch, written down as handed over, and whether there was anything; one that may have left already
        is a batch by itself. Before the `first` digests that leave now are queued."""
        settings = self.outbox.settings
        with self.store.transaction() as unit:
            unit.now = now
            if first:
                self.outbox.gather(unit, now)
            found = claim(unit, now, settings.courier.batch)
            for queued in found:
                if queued.handed >= _MOST_UNKNOWN:
                    self._park(unit, decoded(queued), "The process or the disk failed at it.")
            doubtful = [each for each in found if 0 < each.handed < _MOST_UNKNOWN]
            batch = doubtful[:1] or [each for each in found if not each.handed]
            unit.handing([queued.message_id for queued in batch])
            return batch, bool(found)

    def _hand_over(
        self, batch: Sequence[OutgoingLetter], now: datetime, counts: Tally, stop: Callable[[], bool]
    ) -> bool:
        """Whether there is a server, and more for it."""
        rows, gone = {queued.message_id: queued for queued in batch}, list[Gone]()
        served = True

        def parcels() -> Iterator[Parcel]:
            for queued in batch:
                if stop():
                    return
                parcel = self._packed(decoded(queued))
                if isinstance(parcel, Delivery):
                    gone.append((queued, parcel))
                else:
                    yield parcel

        for parcel, delivery in self.courier.send(parcels()):
            gone.append((rows[parcel.message_id], delivery))
            served &= delivery.tried
        fates, more = self._marked(batch, gone, now)
        for queued, delivery in gone:
            if delivery.fate == "sent":
                courier_log.info("letter sent", **decoded(queued).facts())
        counts.sent += fates["sent"]
        counts.kept_back += fates["later"]
        notes = dict.fromkeys(delivery.note for _, delivery in gone if delivery.fate == "later")
        waiting = (f"letters wait to be sent: {note}" for note in notes)
        counts.trouble += [words for words in waiting if words not in counts.trouble]
        return more and served

    @again
    def _marked(
        self, batch: Sequence[OutgoingLetter], gone: Sequence[Gone], now: datetime
    ) -> tuple[Counter[str], bool]:
        """Write down, in one commit, what became of a batch, and which of it was not handed over
        after all. How many met which fate, and whether there are more to leave."""
        with self.store.transaction() as unit:
            unit.now = now
            tried = {queued.message_id for queued, delivery in gone if delivery.tried}
            unit.handing([each.message_id for each in batch if each.message_id not in tried], -1)
            sent = [queued.message_id for queued, delivery in gone if delivery.fate == "sent"]
            unit.sent(sent, now)
            fates = Counter({"sent": len(sent)})
            for queued, delivery in gone:
                if delivery.fate != "sent":
                    fates[self._kept_back(unit, queued, delivery)] += 1
            return fates, bool(unit.readers_waiting(now, 1))

    def _packed(self, letter: Letter) -> Parcel | Delivery:
        """The letter as it leaves; or that it never does, since it could not be put together."""
        try:
            raw = self.envelope(letter)
        except Exception as error:  # noqa: BLE001 - it delays no other
            courier_log.exception("envelope", **letter.facts())
            return Delivery("never", f"it could not be put together ({type(error).__name__})")
        sender = self.outbox.speaker.offices.address(letter.head.office)
        return Parcel(sender, letter.head.recipient, letter.head.message_id, raw)

    def _kept_back(self, unit: Unit, queued: OutgoingLetter, delivery: Delivery) -> str:
        """Write down what became of a letter that was not sent: "later" or "never". One that was not tried stays as it
        is, and leaves as soon as there is a server: nothing was said against it."""
        if not delivery.tried:
            return "later"
        letter = decoded(queued)
        courier_log.warning("letter kept back", fate=delivery.fate, note=delivery.note, **letter.facts())
        if delivery.fate == "later" and queued.attempts < _GIVE_UP:
            if not delivery.known and queued.handed + 1 >= _MOST_UNKNOWN:
                self._park(unit, letter, delivery.note)
                return "never"
            pause = _RETRY[min(queued.attempts, len(_RETRY) - 1)]
            unit.postponed(queued.message_id, unit.now + pause, delivery.note, known=delivery.known)
            return "later"
        unit.given_up(queued.message_id, "failed", delivery.note)
        to, why, again = letter.head.recipient, delivery.note, None
        if delivery.fate == "never":
            self.mark_failing(unit, to, unit.now, why)
            again = self.outbox.send_again(unit, queued.message_id)
        self._tell(unit, unreached(unit, to, unit.now), "could not be delivered", letter, why, again)
        return "never"

    def _park(self, unit: Unit, letter: Letter, note: str) -> None:
        """On the desk: nobody knows whether it left; who knows may let it go once more."""
        courier_log.warning("letter parked", note=note, **letter.facts())
        unit.given_up(letter.head.message_id, "parked", note)
        self._tell(unit, ("parked", letter.head.message_id), "may have left, or not", letter, note)

    def _tell(
        self, unit: Unit, key: tuple[str, ...], fate: str, letter: Letter, why: str, again: str | None = None
    ) -> None:
        """The moderator, of a letter to somebody else: the key begins with what became of it."""
        if letter.kind != "alarm":
            to, speaker = letter.head.recipient, self.outbox.speaker
            seats, subject = unit.seats_of(to), f"A letter to {to} {fate}"
            told = {"letter": letter, "again": again, "matches": sorted({name for name, _ in seats})}
            alarm = to_moderator(speaker, key[0], subject, key, unit.now, reason=why, about=to, **told)
            self.outbox.post(unit, [counted_about(alarm, seats, key[0])])
