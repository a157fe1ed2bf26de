"""The outbox: every letter is queued here, where and as its reader gets it. To an address that works, threaded, no
larger than a letter may be, in the medium he wishes, kept for a digest if he wishes that; alarms within their measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby

from referee.base.logs import Log
from referee.base.settings import Settings
from referee.core.texts.addresses import address_key
from referee.letters.kinds import PUBLIC
from referee.letters.letter import Letter, decoded, outgoing
from referee.letters.replies import STRANGERS, copies, to_moderator
from referee.letters.speaker import Speaker
from referee.store.sql import Unit

_DAY = timedelta(days=1)
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
log = Log("referee.outbox")


@dataclass(frozen=True, slots=True)
class Outbox:
    """Queues letters for the courier, in the caller's transaction."""

    addresses: Callable[[Unit, str, int], Sequence[str]]  # of a match's seat; none where nobody can say
    speaker: Speaker
    settings: Settings

    def post(self, unit: Unit, letters: Iterable[Letter]) -> None:
        """Queue the letters; one that is there already (of the same Message-ID) is not queued again."""
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
            if wishes.failing is not None:
                letter = self._where_it_arrives(unit, letter)
                wishes = unit.person(letter.head.recipient)
            medium = "text" if letter.medium == "text" else wishes.medium
            letter = fitted(letter, self.settings.limits.largest_letter)
            if letter.medium != medium:
                letter = replace(letter, medium=medium)
            queued.append((letter, wishes.digest and letter.kind in PUBLIC and letter.position is not None))
        firsts = unit.first_of_threads(thread for letter, _ in queued if (thread := _thread(letter)))
        queued = list(_threaded(queued, firsts))
        unit.send(*(outgoing(letter) for letter, waits in queued if not waits))
        unit.send(*(outgoing(letter) for letter, waits in queued if waits), gathered=True)
        for letter, waits in queued:
            log.info("letter queued", **letter.facts(), **({"digest": True} if waits else {}))

    # --- addresses at which letters do not arrive --------------------------------------------------------------

    def _where_it_arrives(self, unit: Unit, letter: Letter) -> Letter:
        """A letter to an address that fails: to the seat's next one that works; unchanged where none does. An answer to
        a mail goes to its sender only, whatever is known of him."""
        if letter.head.automatic == "auto-replied":
            return letter
        working = self._next_address(unit, letter)
        return letter.to(working) if working else letter

    def send_again(self, unit: Unit, message_id: str) -> str | None:
        """A letter of ours came back: the same one is queued once more, for the seat's next address, which is given
        back; None where there is none."""
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
        addresses = self.addresses(unit, letter.match, letter.seat)
        if address_key(letter.head.recipient) not in map(address_key, addresses):
            return None  # the seat is another's now, or it was written to elsewhere
        failing = {person.address for person in unit.failing(addresses)}
        return next((a for a in addresses if address_key(a) not in failing), None)

    # --- the moderator's alarms --------------------------------------------------------------------------------

    def _alarm(self, unit: Unit, letter: Letter) -> None:
        """Queue an alarm, if its kind has room today or it is the first about its player; else it is only counted, and
        told of with the others."""
        if unit.letter(letter.head.message_id) is not None:
            return
        topic, bucket, now = letter.measure.topic, letter.measure.bucket, letter.head.at
        unit.hold("alarm", topic)
        told = unit.counted("alarm", letter.head.recipient, topic, now - _DAY)
        full = told >= self.settings.limits.alarms_a_day
        if not full or (bucket is not None and unit.bucket_since(bucket, now - _DAY) == 0):
            unit.send(*map(outgoing, copies(self.speaker, unit, letter)))
        elif unit.withhold(topic, now) == 1:
            self._tell_of_many(unit, topic, 0, now, now)

    def sum_up(self, unit: Unit, withheld: Iterable[tuple[str, datetime, int]], now: datetime) -> None:
        """How many alarms of each kind were withheld since when."""
        for topic, since, count in withheld:
            self._tell_of_many(unit, topic, count, since, now)

    def _tell_of_many(self, unit: Unit, topic: str, count: int, since: datetime, now: datetime) -> None:
        kind, most = _NAMED.get(topic, topic), self.settings.limits.alarms_a_day
        more = f"{count} more alarms within a day" if count else "More alarms than a day may have"
        key = ("many", topic, since.isoformat(), str(bool(count)))
        subject = f"{more}: {kind}"
        alarm = to_moderator(
            self.speaker, "many", subject, key, now, reason=kind, most=most, count=count, since=since
        )
        unit.send(*map(outgoing, copies(self.speaker, unit, alarm)))


def _thread(letter: Letter) -> tuple[str, str] | None:
    """The recipient and the root of the thread in which a letter hangs; None of one that answers a mail or is the
    first of its thread."""
    if letter.head.automatic == "auto-replied" or not letter.head.references:
        return None
    return letter.head.recipient, letter.head.references[0]


def _threaded(
    letters: Iterable[tuple[Letter, bool]], queued: Mapping[tuple[str, str], str]
) -> Iterator[tuple[Letter, bool]]:
    """Letters that answer no mail hang on the first one of their match that the reader has got, so that mail programs
    keep one thread a match: beside each other, not each below the last. `queued` are those first ones that are queued
    already; one that waits for a digest is none."""
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
