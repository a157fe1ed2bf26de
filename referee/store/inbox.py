"""The inbox: every mail kept before it is judged, and what became of it."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
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


_ALL = sa.select(*(inbox.c[name] for name in KeptMail._fields))
_BY_ARRIVAL = _ALL.order_by(inbox.c.arrived, inbox.c.id)
_AT_ONCE = 500  # uids in one statement
_UNKNOWN = dict.fromkeys(("words", "resend", "match", "seat", "strength"))
_OPEN = inbox.c.verdict.is_(None)
_JUDGED = _BY_ARRIVAL.where(~_OPEN)
_UNFILED = (
    sa.select(inbox.c.uid, inbox.c.verdict).where(inbox.c.filed.is_(False), ~_OPEN).order_by(inbox.c.id)
)
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
        return self.first(KeptMail, _ALL.where(inbox.c.id == mail_id))

    def judged_since(self, match: str, at: datetime) -> list[KeptMail]:
        """What players sent about the match, and was settled later than that."""
        sent = inbox.c.verdict.in_(("accepted", "refused", "ignored", "answered"))
        return self.all(KeptMail, _BY_ARRIVAL.where(inbox.c.match == match, inbox.c.settled_at > at, sent))

    def mail_of(self, identity: str) -> KeptMail | None:
        return self.first(KeptMail, _ALL.where(inbox.c.identity == identity))

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
