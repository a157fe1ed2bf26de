"""The outbox: letters queued in the transaction that made them, sent afterwards, marked when gone."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Annotated, NamedTuple

import sqlalchemy as sa

from referee.core.texts.addresses import address_key
from referee.store.engine import Rows, given, pair
from referee.store.inbox import inbox
from referee.store.tables import Digest, Foreign, Found, Moment, NameIfAny, as_indexed, columns, table


class OutgoingLetter(NamedTuple):
    """A letter on its way."""

    message_id: Annotated[str, sa.String(255)]
    at: datetime
    kind: Annotated[str, sa.String(20)]
    match: NameIfAny
    seat: int | None  # for which it was written
    recipient: Annotated[str, Foreign(indexed=True)]  # as addresses are compared
    answers: Found  # the Message-ID of the mail it answers
    thread: Found  # that of the first of its thread
    body: str  # the encoded letter without its page
    attempts: int = 0
    handed: int = 0  # times, with nobody knowing yet, or ever, what became of it: written before
    note: Annotated[str | None, Foreign()] = None
    quota: Annotated[str | None, sa.String(10)] = None  # whose measure it counts in; none for most letters
    topic: Found = None
    bucket: Annotated[str | None, sa.String(120)] = None  # of a challenge: with which others it is counted
    sheet: Digest = ""  # the encoded page; in its row the digest of that


_HANDED = {"default": 0, "server_default": "0"}
outbox = table(
    "outbox",
    sa.Column("id", sa.Integer, primary_key=True),
    *columns(OutgoingLetter, message_id={"unique": True}, attempts={"default": 0}, handed=_HANDED),
    # unsent, sent, failed, parked (nobody knows whether it was), gathered (for a digest), told (by one)
    sa.Column("state", sa.String(8), nullable=False),
    sa.Column("next_try", Moment),
    sa.Column("sent_at", Moment),
    sa.Index("outbox_buckets", "bucket", "at"),
    sa.Index("outbox_unsent", "state", "next_try"),
    sa.Index("outbox_at", "at"),
    sa.Index("outbox_answers", "recipient", "thread", "at"),
    sa.Index("outbox_strangers", "quota", "at"),
    sa.Index("outbox_quotas", "quota", "recipient", "at"),
    sa.Index("outbox_topics", "quota", "recipient", "topic", "at"),
    sa.Index("outbox_seat", "match", "seat", "kind"),
)

# The words of letters, each once however many letters hold it, under the digest of its content.
sheets = table("sheets", keys=1, digest=sa.String(64), content=sa.Text)

# alarms that were not sent, because their kind had used up its day
withheld = table("withheld", keys=1, topic=sa.String(40), since=Moment, number=sa.Integer)


_NAMES = OutgoingLetter._fields
_FRESH = {"state": "unsent", "attempts": 0, "handed": 0, "next_try": None}
_COLUMNS = [sheets.c.content.label("sheet") if name == "sheet" else outbox.c[name] for name in _NAMES]
_ALL = sa.select(*_COLUMNS).join_from(outbox, sheets, sheets.c.digest == outbox.c.sheet)
_IN_ORDER = _ALL.order_by(outbox.c.id)
_UNSENT = _IN_ORDER.where(
    outbox.c.state == "unsent", sa.or_(outbox.c.next_try.is_(None), outbox.c.next_try <= given("by"))
).limit(given("most"))
_WAITING = _IN_ORDER.where(
    *(outbox.c.bucket == given("bucket"), outbox.c.recipient == given("to"), outbox.c.at > given("since")),
    *(outbox.c.state == "unsent", outbox.c.attempts == 0, outbox.c.handed == 0),
)
_GATHERED = sa.select(outbox.c.recipient, sa.func.min(outbox.c.at)).where(outbox.c.state == "gathered")
_GATHERED = _GATHERED.group_by(outbox.c.recipient)
_LEFT = outbox.c.state.in_(("unsent", "sent", "failed", "parked"))  # not those that a digest holds
_ABOUT = sa.or_(inbox.c.message_id == outbox.c.answers, inbox.c.identity == outbox.c.topic)
_ARRIVED = sa.select(sa.func.max(inbox.c.arrived)).where(_ABOUT).scalar_subquery()


class LetterStore(Rows):
    """The rows of letters."""

    def send(self, *letters: OutgoingLetter, gathered: bool = False, until: datetime | None = None) -> None:
        """Queue letters, which wait `until` then where that is given, or keep them for a digest;
        one of a Message-ID that is there already is not queued again. Letters with equal sheets
        share one row that holds it."""
        digests, state = self._kept(letters), "gathered" if gathered else "unsent"
        beside = {"state": state, "next_try": until}
        rows = [{**letter._asdict(), "sheet": digests[letter.sheet], **beside} for letter in letters]
        self.insert_all_new(outbox, rows, "message_id")

    def unsent(self, by: datetime, most: int, to: Collection[str] | None = None) -> list[OutgoingLetter]:
        """What is to leave now (to those readers, where they are given), in the order it was queued, `most` at most."""
        query = _UNSENT if to is None else _UNSENT.where(outbox.c.recipient.in_(to))
        return self.all(OutgoingLetter, query, by=by, most=most)

    def readers_waiting(self, by: datetime, most: int, beyond: int = 0) -> list[str]:
        """To whom letters are to leave now, one after another, without the first ones."""
        query = _UNSENT.with_only_columns(outbox.c.recipient).offset(beyond)
        return self.column(query, by=by, most=most)

    def sent(self, message_ids: Sequence[str], at: datetime) -> None:
        self._mark(*message_ids, state="sent", handed=0, sent_at=at)

    def handing(self, message_ids: Sequence[str], more: int = 1) -> None:
        """These go to the courier now: written before, so that whoever finds it knows. Taken back
        (-1) where it is known that they did not."""
        if message_ids:
            self._mark(*message_ids, handed=outbox.c.handed + more)

    def postponed(self, message_id: str, until: datetime, note: str, *, known: bool = True) -> None:
        """It is tried again; `known`: that it has not left."""
        handed = 0 if known else outbox.c.handed
        self._mark(message_id, next_try=until, note=note, attempts=outbox.c.attempts + 1, handed=handed)

    def parked(self) -> list[tuple[int, OutgoingLetter]]:
        """Those, each with the number by which it is let go."""
        query = _ALL.add_columns(outbox.c.id).where(outbox.c.state == "parked").order_by(outbox.c.id)
        return self.all(lambda *row: (row[-1], OutgoingLetter(*row[:-1])), query)

    def unpark(self, number: int, *, leaves: bool) -> bool:
        """It leaves once more, or counts as one that has left. Whether there was one."""
        parked = sa.update(outbox).where(outbox.c.id == number, outbox.c.state == "parked")
        return bool(self.change(parked.values(**(_FRESH if leaves else {"state": "sent"}))))

    def given_up(self, message_id: str, state: str, note: str) -> None:
        """It is not tried again by itself: it has "failed", or may have left, twice ("parked")."""
        self._mark(message_id, state=state, handed=0, note=note)

    def redirect(self, letter: OutgoingLetter) -> None:
        """Queue a letter that is there once more, for the recipient that it now has."""
        to, body, sheet = letter.recipient, letter.body, self._kept([letter])[letter.sheet]
        self._mark(letter.message_id, recipient=to, body=body, sheet=sheet, sent_at=None, **_FRESH)

    def _kept(self, letters: Sequence[OutgoingLetter]) -> dict[str, str]:
        """Keep the letters' sheets; the digest of each."""
        digests = {letter.sheet: digest_of(letter.sheet) for letter in letters}
        rows = [{"digest": digest, "content": content} for content, digest in digests.items()]
        rows.sort(key=lambda row: row["digest"])  # in one order, whoever else writes them
        self.insert_all_new(sheets, rows, "digest")
        return digests

    def letter(self, message_id: str) -> OutgoingLetter | None:
        return self.first(OutgoingLetter, _ALL.where(outbox.c.message_id == message_id))

    def letters(self, **wanted: object) -> list[OutgoingLetter]:
        """All that have that in their columns, or anything (None), in their order, whatever became of them."""
        such = (outbox.c[name] == value for name, value in wanted.items() if value is not None)
        return self.all(OutgoingLetter, _IN_ORDER.where(*such))

    def first_of_threads(self, threads: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Of each recipient and root the first letter of that thread that was written to him: the
        root itself, or one that refers to it; nothing where there is none."""
        wanted = list(dict.fromkeys(threads))
        if not wanted:
            return {}
        roots = outbox.c.message_id.in_([root for _, root in wanted])
        there = set(self.all(pair, sa.select(outbox.c.recipient, outbox.c.message_id).where(_LEFT, roots)))
        by_age = sa.select(outbox.c.message_id).where(_LEFT).order_by(outbox.c.at, outbox.c.id).limit(1)
        found = {(to, root): root for to, root in wanted if (as_indexed(address_key(to)), root) in there}
        for thread in wanted:
            if thread not in found:
                to, root = address_key(thread[0]), thread[1]
                first = self.value(by_age.where(outbox.c.recipient == to, outbox.c.thread == root))
                found.update({thread: first} if first is not None else {})
        return found

    def answers_since(self, recipient: str, thread: str | None, since: datetime) -> int:
        """How many letters went to the recipient since then (in that thread, where one is given)."""
        return self.many(since, outbox.c.answers.is_not(None), recipient=recipient, thread=thread)

    def many(self, since: datetime, *which: sa.ColumnElement[bool], **counted: str | None) -> int:
        """How many letters of the day that begins then count in this quota, topic, bucket, or went to this recipient:
        None is any. What is written because of a mail counts from its arrival, though a week's are judged at once."""
        said = {name: value for name, value in counted.items() if value is not None}
        theirs = (outbox.c[n] == (address_key(v) if n == "recipient" else v) for n, v in said.items())
        counts = sa.func.coalesce(_ARRIVED, outbox.c.at).between(since, since + timedelta(days=2))
        return int(self.value(sa.select(sa.func.count()).where(outbox.c.at > since, counts, *which, *theirs)))

    def withhold(self, topic: str, at: datetime) -> int:
        """One more alarm of a kind that was not sent; how many there are by now."""
        first, one_more = {"topic": topic, "since": at, "number": 1}, {"number": withheld.c.number + 1}
        return int(self.upsert(withheld, first, "topic", one_more, "number"))

    def take_withheld(self, by: datetime) -> list[tuple[str, datetime, int]]:
        """Kinds of alarms of which the first was withheld by then: the kind, when, how many. They are forgotten."""
        over = sa.delete(withheld).where(withheld.c.since <= by).returning(*withheld.c)
        return sorted(self.all(lambda *row: row, over))

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
        """How many letters of that bucket were written since then; of all that end so, to the
        recipient where one is given."""
        if recipient is None:
            return self.many(since, bucket=bucket)
        return self.many(since, outbox.c.bucket.endswith(bucket, autoescape=True), recipient=recipient)

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
        """The letters of that bucket, written since then, that wait to be carried by another,
        oldest first: none of them ever leaves."""
        wanted = {"bucket": bucket, "to": address_key(recipient), "since": since}
        found = self.all(OutgoingLetter, _WAITING, **wanted)
        if named := [letter.message_id for letter in found]:
            self.change(sa.delete(outbox).where(outbox.c.message_id.in_(named)))
        return found

    def _mark(self, *message_ids: str, **values: object) -> None:
        self.change(sa.update(outbox).where(outbox.c.message_id.in_(message_ids)).values(**values))


def digest_of(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
