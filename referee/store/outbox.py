"""The outbox: letters queued in the transaction that made them, sent afterwards, marked when gone."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from referee.core.texts.addresses import address_key
from referee.store.engine import Rows, pair
from referee.store.tables import as_indexed, outbox, sheets, withheld


class OutgoingLetter(NamedTuple):
    """A letter on its way."""

    message_id: str
    at: datetime
    kind: str
    match: str | None
    seat: int | None  # for which it was written
    recipient: str
    answers: str | None  # the Message-ID of the mail it answers
    thread: str | None  # that of the first of its thread
    body: str  # the encoded letter without its page
    attempts: int = 0
    handed: int = 0  # times, with nobody knowing what became of it
    note: str | None = None
    quota: str | None = None
    topic: str | None = None
    bucket: str | None = None  # of a challenge: with which others it is counted
    sheet: str = ""  # the encoded page


_NAMES = OutgoingLetter._fields
_FIELDS = tuple(name for name in _NAMES if name != "sheet")
_COLUMNS = [sheets.c.content.label("sheet") if name == "sheet" else outbox.c[name] for name in _NAMES]
_ALL = sa.select(*_COLUMNS).join_from(outbox, sheets, sheets.c.digest == outbox.c.sheet)
_IN_ORDER = _ALL.order_by(outbox.c.id)
_LETTER = _ALL.where(outbox.c.message_id == sa.bindparam("named"))
_UNSENT = _IN_ORDER.where(
    outbox.c.state == "unsent", sa.or_(outbox.c.next_try.is_(None), outbox.c.next_try <= sa.bindparam("by"))
).limit(sa.bindparam("most"))
_UNSENT_TO = _UNSENT.where(outbox.c.recipient.in_(sa.bindparam("to", expanding=True)))
_READERS = _UNSENT.with_only_columns(outbox.c.recipient).offset(sa.bindparam("beyond"))
_SENT = (
    sa.update(outbox)
    .where(outbox.c.message_id.in_(sa.bindparam("named", expanding=True)))
    .values(state="sent", handed=0, sent_at=sa.bindparam("moment"))
)
_GONE = ("unsent", "sent", "failed", "parked")
_HANDING = (
    sa.update(outbox)
    .where(outbox.c.message_id.in_(sa.bindparam("named", expanding=True)))
    .values(handed=outbox.c.handed + sa.bindparam("more"))
)
_LEAVING = sa.select(outbox.c.message_id).where(outbox.c.state.in_(_GONE))
_THEMSELVES = sa.select(outbox.c.recipient, outbox.c.message_id).where(
    outbox.c.state.in_(_GONE), outbox.c.message_id.in_(sa.bindparam("roots", expanding=True))
)
_THREADED = (
    _LEAVING.where(outbox.c.recipient == sa.bindparam("to"), outbox.c.thread == sa.bindparam("root"))
    .order_by(outbox.c.at, outbox.c.id)
    .limit(1)
)
_COUNT = sa.select(sa.func.count())
_COUNTED = _COUNT.where(
    outbox.c.quota == sa.bindparam("quota"),
    outbox.c.recipient == sa.bindparam("to"),
    outbox.c.at > sa.bindparam("since"),
)
_COUNTED_TOPIC = _COUNTED.where(outbox.c.topic == sa.bindparam("topic"))
_GATHERED = (
    sa.select(outbox.c.recipient, sa.func.min(outbox.c.at).label("oldest"))
    .where(outbox.c.state == "gathered")
    .group_by(outbox.c.recipient)
)
_WAITING = _IN_ORDER.where(
    *(
        outbox.c.bucket == sa.bindparam("bucket"),
        outbox.c.at > sa.bindparam("since"),
        outbox.c.state == "unsent",
    ),
    *(outbox.c.recipient == sa.bindparam("to"), outbox.c.attempts == 0, outbox.c.handed == 0),
)
_CARRIED = sa.delete(outbox).where(outbox.c.message_id.in_(sa.bindparam("named", expanding=True)))
_OVER = sa.delete(withheld).where(withheld.c.since <= sa.bindparam("by")).returning(*withheld.c)


class LetterStore(Rows):
    """The rows of letters."""

    def send(self, *letters: OutgoingLetter, gathered: bool = False, until: datetime | None = None) -> None:
        """Queue letters, which wait `until` then where that is given, or keep them for a digest; one of
        a Message-ID that is there already is not queued again. Letters with equal sheets share one
        row that holds it."""
        digests, state = self._kept(letters), "gathered" if gathered else "unsent"
        rows = [
            {
                **{name: getattr(letter, name) for name in _FIELDS},
                "sheet": digests[letter.sheet],
                "state": state,
                "next_try": until,
            }
            for letter in letters
        ]
        self.insert_all_new(outbox, rows, "message_id")

    def unsent(self, by: datetime, most: int, to: Collection[str] | None = None) -> list[OutgoingLetter]:
        """What is to leave now (to those readers, where they are given), in the order it was queued, `most` at most."""
        if to is None:
            return self.all(OutgoingLetter, _UNSENT, by=by, most=most)
        return self.all(OutgoingLetter, _UNSENT_TO, by=by, most=most, to=list(to))

    def readers_waiting(self, by: datetime, most: int, beyond: int = 0) -> list[str]:
        """To whom the letters go that are to leave now, one after another, without the first ones."""
        return self.column(_READERS, by=by, most=most, beyond=beyond)

    def sent(self, message_ids: Sequence[str], at: datetime) -> None:
        self.change(_SENT, named=list(message_ids), moment=at)

    def handing(self, message_ids: Sequence[str], more: int = 1) -> None:
        """These go to the courier now: written before, so that whoever finds it knows. Taken back (-1) where it is
        known that they did not."""
        if message_ids:
            self.change(_HANDING, named=list(message_ids), more=more)

    def postponed(self, message_id: str, until: datetime, note: str, *, known: bool = True) -> None:
        """It is tried again; `known`: that it has not left."""
        handed = 0 if known else outbox.c.handed
        self._mark(message_id, next_try=until, note=note, attempts=outbox.c.attempts + 1, handed=handed)

    def park(self, message_id: str, note: str) -> None:
        """It may have left, twice: it is not tried again by itself."""
        self._mark(message_id, state="parked", note=note)

    def parked(self) -> list[tuple[int, OutgoingLetter]]:
        """Those, each with the number by which it is let go."""
        query = _ALL.add_columns(outbox.c.id).where(outbox.c.state == "parked").order_by(outbox.c.id)
        return self.all(lambda *row: (row[-1], OutgoingLetter(*row[:-1])), query)

    def unpark(self, number: int) -> bool:
        """It leaves once more. Whether there was one."""
        fresh = sa.update(outbox).values(state="unsent", handed=0, attempts=0, next_try=None)
        return bool(self.change(fresh.where(outbox.c.id == number, outbox.c.state == "parked")))

    def failed(self, message_id: str, note: str) -> None:
        self._mark(message_id, state="failed", handed=0, note=note)

    def redirect(self, letter: OutgoingLetter) -> None:
        """Queue a letter that is there once more, for the recipient that it now has."""
        self._mark(
            letter.message_id,
            recipient=letter.recipient,
            body=letter.body,
            sheet=self._kept([letter])[letter.sheet],
            state="unsent",
            attempts=0,
            handed=0,
            next_try=None,
            sent_at=None,
        )

    def _kept(self, letters: Sequence[OutgoingLetter]) -> dict[str, str]:
        """Keep the letters' sheets; the digest of each."""
        digests = {letter.sheet: digest_of(letter.sheet) for letter in letters}
        rows = [{"digest": digest, "content": content} for content, digest in digests.items()]
        rows.sort(key=lambda row: row["digest"])  # in one order, whoever else writes them
        self.insert_all_new(sheets, rows, "digest")
        return digests

    def failures(self) -> list[OutgoingLetter]:
        return self.all(OutgoingLetter, _IN_ORDER.where(outbox.c.state == "failed"))

    def letter(self, message_id: str) -> OutgoingLetter | None:
        return self.first(OutgoingLetter, _LETTER, named=message_id)

    def letters_of(self, match: str, seat: int | None = None) -> list[OutgoingLetter]:
        """All letters ever written about a match, or to one seat of it, in their order, whatever became of them."""
        query = _IN_ORDER.where(outbox.c.match == match)
        return self.all(OutgoingLetter, query if seat is None else query.where(outbox.c.seat == seat))

    def first_of_threads(self, threads: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Of each recipient and root the first letter of that thread that was written to him: the root itself, or one
        that refers to it; nothing where there is none."""
        wanted = list(dict.fromkeys(threads))
        if not wanted:
            return {}
        there = set(self.all(pair, _THEMSELVES, roots=[root for _, root in wanted]))
        found = {(to, root): root for to, root in wanted if (as_indexed(address_key(to)), root) in there}
        for thread in wanted:
            if thread not in found:
                first = self.value(_THREADED, to=address_key(thread[0]), root=thread[1])
                found.update({thread: first} if first is not None else {})
        return found

    def answers_since(self, recipient: str, thread: str | None, since: datetime) -> int:
        """How many letters went to the recipient since then (in that thread, where one is given)."""
        query = _COUNT.where(
            outbox.c.recipient == address_key(recipient), outbox.c.answers.is_not(None), outbox.c.at > since
        )
        return int(self.value(query if thread is None else query.where(outbox.c.thread == thread)))

    def answers_from(self, quota: str, since: datetime) -> int:
        """How many letters since then count in a quota, whoever got them."""
        return int(self.value(_COUNT.where(outbox.c.quota == quota, outbox.c.at > since)))

    def counted(self, quota: str, recipient: str, topic: str | None, since: datetime) -> int:
        """How many letters to the recipient since then count in a quota (on that topic, where one is given)."""
        wanted = {"quota": quota, "to": address_key(recipient), "since": since}
        if topic is None:
            return int(self.value(_COUNTED, **wanted))
        return int(self.value(_COUNTED_TOPIC, **wanted, topic=topic))

    def withhold(self, topic: str, at: datetime) -> int:
        """One more alarm of a kind that was not sent; how many there are by now."""
        first, one_more = {"topic": topic, "since": at, "number": 1}, {"number": withheld.c.number + 1}
        return int(self.upsert(withheld, first, "topic", one_more, "number"))

    def take_withheld(self, by: datetime) -> list[tuple[str, datetime, int]]:
        """Kinds of alarms of which the first was withheld by then: the kind, when, how many. They are forgotten."""
        return sorted(self.all(lambda *row: row, _OVER, by=by))

    def newest_letter(self, match: str, seat: int, kinds: Sequence[str]) -> OutgoingLetter | None:
        """The seat's last letter of these kinds."""
        query = _ALL.where(outbox.c.match == match, outbox.c.seat == seat, outbox.c.kind.in_(kinds))
        return self.first(OutgoingLetter, query.order_by(outbox.c.id.desc()).limit(1))

    def last_letters(self, match: str, seat: int, address: str, most: int) -> list[OutgoingLetter]:
        """The seat's letters about the match, and those to the address that are about none, the newest first."""
        theirs = sa.and_(outbox.c.match == match, outbox.c.seat == seat)
        of_none = sa.and_(outbox.c.recipient == address_key(address), outbox.c.match.is_(None))
        query = _ALL.where(sa.or_(theirs, of_none))
        return self.all(OutgoingLetter, query.order_by(outbox.c.id.desc()).limit(most))

    def bucket_since(self, bucket: str, since: datetime, recipient: str | None = None) -> int:
        """How many letters of that bucket were written since then; of all that end so, to the recipient where one is
        given."""
        his = outbox.c.bucket == bucket
        if recipient is not None:
            ends_so = outbox.c.bucket.endswith(bucket, autoescape=True)
            his = sa.and_(outbox.c.recipient == address_key(recipient), ends_so)
        return int(self.value(_COUNT.where(outbox.c.at > since, his)))

    def letters_in(self, bucket: str) -> list[OutgoingLetter]:
        """All letters of that bucket, in their order."""
        return self.all(OutgoingLetter, _IN_ORDER.where(outbox.c.bucket == bucket))

    def written_of(self, recipient: str, most: int) -> list[str]:
        """The matches of which the recipient had letters last that were to no seat."""
        theirs = sa.and_(outbox.c.recipient == address_key(recipient), outbox.c.seat.is_(None))
        query = sa.select(outbox.c.match).where(theirs, outbox.c.match.is_not(None)).group_by(outbox.c.match)
        return self.column(query.order_by(sa.func.max(outbox.c.id).desc()).limit(most))

    def uncount(self, message_id: str) -> None:
        """That letter is counted in its bucket no longer: whom it asked has answered."""
        self._mark(message_id, bucket=None)

    def gathered(self) -> list[tuple[str, datetime]]:
        """For whom letters are kept for a digest, and when the oldest of them was written."""
        return sorted(self.all(pair, _GATHERED))

    def take_gathered(self, recipient: str) -> list[OutgoingLetter]:
        """His letters kept for a digest, oldest first. They have been told from now on, and nobody else gets them."""
        theirs = sa.update(outbox).where(outbox.c.state == "gathered", outbox.c.recipient == recipient)
        taken = self.column(theirs.values(state="told").returning(outbox.c.id))
        query = _ALL.where(outbox.c.id.in_(taken)).order_by(outbox.c.at, outbox.c.id)
        return self.all(OutgoingLetter, query)

    def take_waiting(self, bucket: str, recipient: str, since: datetime) -> list[OutgoingLetter]:
        """The letters of that bucket, written since then, that wait to be carried by another, oldest
        first: none of them ever leaves."""
        wanted = {"bucket": bucket, "to": address_key(recipient), "since": since}
        if found := self.all(OutgoingLetter, _WAITING, **wanted):
            self.change(_CARRIED, named=[letter.message_id for letter in found])
        return found

    def _mark(self, message_id: str, **values: object) -> None:
        self.change(sa.update(outbox).where(outbox.c.message_id == message_id).values(**values))


def digest_of(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
