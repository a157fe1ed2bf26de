"""The inbox: every mail kept before it is judged, and what became of it; and the outbox: letters queued in the
transaction that made them, sent afterwards, marked when gone."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Final, Literal, NamedTuple

import sqlalchemy as sa

from referee.core.texts.addresses import address_key
from referee.store.engine import AMONG, Again, Rows, given, pair
from referee.store.matches import seats
from referee.store.tables import NO, Digest, Foreign, Found, Moment, NameIfAny, as_indexed, columns, table

# How the reason of a mail begins whose words are nobody's but its sender's.
DRAFT: Final = "kept as a draft"
# And of one whose sender is new here: a moderator decides whether they may begin.
NEWCOMER: Final = "somebody new would play"


Disposition = Literal["accepted", "refused", "ignored", "answered", "discarded", "held", "shunted"]


class KeptMail(NamedTuple):
    """A mail as the inbox has it, or is to have it."""

    id: int  # for the moderator
    uid: Annotated[str, Foreign(indexed=True)]
    identity: Digest  # unique for ever: two of the same are one mail; for everything derived from it
    arrived: datetime
    size: int
    cut: bool
    raw: bytes
    message_id: Found
    sender: Found
    released: bool = False  # a moderator let it pass triage
    verdict: Annotated[Disposition | None, sa.String(12)] = None
    reason: Annotated[str | None, Foreign()] = None
    match: NameIfAny = None
    seat: int | None = None
    confirmed: bool = False  # the person it claims to be from has said it is his
    agreed: bool = False  # the address that it asks for has said Yes
    strength: int | None = None  # how much it proved when it was settled

    @property
    def known_by(self) -> str:
        """What tells it from others and is made of nothing that it says."""
        return f"{self.message_id or self.identity} {self.arrived.isoformat()}"


inbox = table(
    "inbox",
    *columns(KeptMail, "id", identity={"unique": True}, released={"default": False}, confirmed=NO, agreed=NO),
    sa.Column("words", sa.String(64)),  # digest of the sender's own words
    sa.Column("resend", sa.String(64)),  # the same with the mail's own Date
    sa.Column("settled_at", Moment),  # the clock of the pass that settled it
    sa.Column("filed", sa.Boolean, nullable=False, default=False),
    sa.Column("signature", sa.String(64), index=True),  # digest of the signature that proves it
    # with which others it is judged one after another, where several workers judge: a match's name, or whose it is
    sa.Column("ordering_key", Foreign(indexed=True), key="key"),
    # it waits for the referee's own answer: what others wait for must not be held up by it
    sa.Column("waits", sa.Boolean, nullable=False, **NO),
    sa.Index("inbox_open", "verdict", "arrived", "id"),
    sa.Index("inbox_keys", "key", "verdict", "arrived"),
    sa.Index("inbox_unfiled", "filed", "verdict"),
    sa.Index("inbox_words", "words"),
    sa.Index("inbox_resend", "resend"),
    sa.Index("inbox_uid", "uid"),
    sa.Index("inbox_message_id", "message_id"),
)

# mails (by uid) that a pass after a broken one was looking at when it ended; how often
claims = table("claims", keys=1, uid=Foreign(indexed=True), times=sa.Integer)


_MAILS = sa.select(*(inbox.c[name] for name in KeptMail._fields))
_BY_ARRIVAL = _MAILS.order_by(inbox.c.arrived, inbox.c.id)
_AT_ONCE = 500  # uids in one statement
_UNKNOWN = dict.fromkeys(("words", "resend", "match", "seat", "strength"))
_OPEN = inbox.c.verdict.is_(None)
_JUDGED = _BY_ARRIVAL.where(~_OPEN)
_UNFILED = sa.select(inbox.c.uid, inbox.c.verdict).order_by(inbox.c.id)
_UNFILED = _UNFILED.where(inbox.c.filed.is_(False), ~_OPEN)
_NEXT = _BY_ARRIVAL.where(_OPEN, inbox.c.arrived <= given("until"), inbox.c.id.not_in(AMONG)).limit(1)


class MailStore(Rows):
    """The rows of mails."""

    def keep(self, mail: KeptMail, key: str | None = None) -> bool:
        """Keep a mail, whatever its number, under its ordering key, where several workers judge;
        False where the same mail is there already (it is then only noted under its new uid)."""
        self.hold("numbers", inbox.name)  # of two that receive at once, each needs a number
        sender = mail.sender and address_key(mail.sender)
        row = {**mail._asdict(), "key": key, "filed": False, "sender": sender}
        del row["id"]
        if self.insert_new(inbox, row, "identity", numbered=True):
            return True
        if self.known_uids([mail.uid]):  # another receiver has kept this very one, since we asked
            return False
        # a row of its own for another copy, by its uid, so that it is counted and filed
        again = hashlib.sha256(f"again\n{mail.identity}\n{mail.uid}".encode()).hexdigest()
        row |= {"identity": again, "raw": b"", "verdict": "ignored", "reason": "the same mail came before"}
        self.insert_new(inbox, row, "identity", numbered=True)
        return False

    def known_uids(self, uids: Sequence[str]) -> set[str]:
        """Those of them under which a mail is kept."""
        found: set[str] = set()
        for start in range(0, len(uids), _AT_ONCE):
            some = inbox.c.uid.in_(uids[start : start + _AT_ONCE])
            found.update(self.column(sa.select(inbox.c.uid).where(some)))
        return {uid for uid in uids if as_indexed(uid) in found}

    def next_mail(self, until: datetime, beyond: Iterable[int]) -> KeptMail | None:
        """The earliest open mail that arrived by `until`, leaving out the ids in `beyond`."""
        return self.first(KeptMail, _NEXT, until=until, among=list(beyond))

    def mail(self, mail_id: int) -> KeptMail | None:
        return self.first(KeptMail, _MAILS.where(inbox.c.id == mail_id))

    def judged_since(self, match: str, at: datetime) -> list[KeptMail]:
        """What players sent about the match, and was settled later than that."""
        sent = inbox.c.verdict.in_(("accepted", "refused", "ignored", "answered"))
        return self.all(KeptMail, _BY_ARRIVAL.where(inbox.c.match == match, inbox.c.settled_at > at, sent))

    def mail_of(self, identity: str) -> KeptMail | None:
        return self.first(KeptMail, _MAILS.where(inbox.c.identity == identity))

    def mails_called(self, message_id: str) -> list[KeptMail]:
        """The mails under a Message-ID that hold anything: their senders chose it, so there may be several."""
        return self.all(KeptMail, _BY_ARRIVAL.where(inbox.c.message_id == message_id, inbox.c.raw != b""))

    def mails(self, verdicts: Sequence[Disposition], *more: sa.ColumnElement[bool]) -> list[KeptMail]:
        return self.all(KeptMail, _BY_ARRIVAL.where(sa.or_(inbox.c.verdict.in_(verdicts), *more)))

    def held_newcomers(self, address: str) -> list[KeptMail]:
        """The held mails from the address of which a moderator decides whether it may begin."""
        waits = inbox.c.reason.startswith(NEWCOMER)
        own = inbox.c.sender == address_key(address)
        return self.all(KeptMail, _BY_ARRIVAL.where(inbox.c.verdict == "held", own, waits))

    def newest(self, count: int) -> list[bytes]:
        """The raw mails that arrived last, the newest first; without those that are nobody's, or
        whose words are struck out."""
        answered = sa.or_(_OPEN, inbox.c.verdict != "discarded")
        query = sa.select(inbox.c.raw).where(inbox.c.raw != b"", answered)
        return self.all(bytes, query.order_by(inbox.c.arrived.desc()).limit(count))

    def open_mails(self) -> int:
        """How many mails are not settled."""
        return int(self.value(sa.select(sa.func.count()).where(_OPEN)))

    def claim(self, uid: str) -> int:
        """Note that a mail is about to be looked at; how often it was before without an end."""
        once_more = {"times": claims.c.times + 1}
        return int(self.upsert(claims, {"uid": uid, "times": 1}, "uid", once_more, "times")) - 1

    def forgive(self, uid: str) -> None:
        """The last time it was claimed does not count: it was not the mail that ended it."""
        own = claims.c.uid == uid
        self.change(sa.delete(claims).where(own, claims.c.times <= 1))
        self.change(sa.update(claims).where(own).values(times=claims.c.times - 1))

    def release_claim(self, uid: str) -> None:
        """It was looked at, and nothing happened to the process."""
        self.change(sa.delete(claims).where(claims.c.uid == uid))

    def settle(
        self,
        mail_id: int,
        disposition: Disposition,
        reason: str,
        at: datetime,
        *,
        seen_as: Disposition | None = None,
        **known: str | int | None,
    ) -> None:
        """What became of a mail, and why, in words for the moderator. What is `known` of it: `words`, `resend` and
        `signature` are the digests by which it is known when it comes again, `strength` is how much it proved, `match`
        and `seat` are what it was about. Raises Again where it is not as it was seen: open, or so settled."""
        values = {"verdict": disposition, "reason": reason, "settled_at": at, **_UNKNOWN, **known}
        if known.get("signature") is None:
            values.pop("signature", None)  # what was known of it stays
        still = _OPEN if seen_as is None else inbox.c.verdict == seen_as
        if not self.change(sa.update(inbox).where(inbox.c.id == mail_id, still).values(**values)):
            raise Again

    def mark(self, mail_id: int, **known: object) -> None:
        """Keep that of a mail instead of what was: other bytes (`raw`), another `key`, that it `waits`."""
        self.change(sa.update(inbox).where(inbox.c.id == mail_id).values(**known))

    def reopen(self, mail_id: int, seen_as: Disposition, *, released: bool, **said: bool) -> None:
        """Back into the queue, with what was `said` of it: that it is `confirmed`, or `agreed` to.
        Raises Again where it is settled otherwise by now."""
        values = {"verdict": None, "reason": None, "settled_at": None, "released": released, "filed": False}
        found = sa.func.coalesce(inbox.c.verdict, "held")  # whoever has let an open one in may do so again
        still = sa.update(inbox).where(inbox.c.id == mail_id, found == seen_as)
        if not self.change(still.values(**values, **said)):
            raise Again

    def unfiled(self) -> list[tuple[str, Disposition]]:
        return self.all(pair, _UNFILED)

    def filed(self, settled: Sequence[tuple[str, Disposition]]) -> None:
        """Put away on the server, by uid and verdict; one that was judged otherwise meanwhile is put away again."""
        for verdict in sorted({verdict for _, verdict in settled}):
            uids = sorted(uid for uid, found in settled if found == verdict)
            for start in range(0, len(uids), _AT_ONCE):
                some = inbox.c.uid.in_(uids[start : start + _AT_ONCE]), inbox.c.verdict == verdict
                self.change(sa.update(inbox).where(*some).values(filed=True))

    def resends(self, resend: str, signature: str | None = None) -> list[KeptMail]:
        """Settled mails of the same sender, subject, words and Date, or proved by the same signature, oldest first."""
        same = sa.or_(inbox.c.resend == resend, *([inbox.c.signature == signature] if signature else []))
        return self.all(KeptMail, _JUDGED.where(same))

    def same_words(self, words: str, since: datetime) -> list[KeptMail]:
        """Settled mails of the same sender, subject and words that arrived since then, oldest first."""
        return self.all(KeptMail, _JUDGED.where(inbox.c.words == words, inbox.c.arrived >= since))

    def holding_up(self, match: str, seat: int, since: datetime, by: datetime) -> list[KeptMail]:
        """The mails of the seat that were held or shunted since then and arrived by then, oldest
        first. One whose seat was not found counts for every seat of its sender."""
        own = sa.select(seats.c.address).where(seats.c.match == match, seats.c.seat == seat)
        query = _BY_ARRIVAL.where(
            inbox.c.verdict.in_(["held", "shunted"]),
            inbox.c.settled_at >= since,
            inbox.c.arrived <= by,
            sa.func.coalesce(inbox.c.match, match) == match,
            sa.or_(inbox.c.seat == seat, sa.and_(inbox.c.seat.is_(None), inbox.c.sender.in_(own))),
        )
        return self.all(KeptMail, query)


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
_LETTERS = sa.select(*_COLUMNS).join_from(outbox, sheets, sheets.c.digest == outbox.c.sheet)
_IN_ORDER = _LETTERS.order_by(outbox.c.id)
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
        query = _LETTERS.add_columns(outbox.c.id).where(outbox.c.state == "parked").order_by(outbox.c.id)
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
        return self.first(OutgoingLetter, _LETTERS.where(outbox.c.message_id == message_id))

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
        query = _LETTERS.where(outbox.c.match == match, outbox.c.seat == seat, outbox.c.kind.in_(kinds))
        return self.first(OutgoingLetter, query.order_by(outbox.c.id.desc()).limit(1))

    def last_letters(self, match: str, seat: int, address: str, most: int) -> list[OutgoingLetter]:
        """The seat's letters about the match, and those to the address that are about none, the newest first."""
        theirs = sa.and_(outbox.c.match == match, outbox.c.seat == seat)
        of_none = sa.and_(outbox.c.recipient == address_key(address), outbox.c.match.is_(None))
        query = _LETTERS.where(sa.or_(theirs, of_none))
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
        query = _LETTERS.where(outbox.c.id.in_(taken)).order_by(outbox.c.at, outbox.c.id)
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
