"""The inbox: every mail kept before it is judged, and what became of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime

import sqlalchemy as sa

from referee.core.texts.addresses import address_key
from referee.offices.ports.inbox import Disposition, KeptMail, NewMail
from referee.offices.ports.store import Again
from referee.store.engine import Rows
from referee.store.tables import as_indexed, claims, inbox, seats

_COLUMNS = [inbox.c[name] for name in KeptMail._fields]
_ALL = sa.select(*_COLUMNS)
_AT_ONCE = 500  # uids in one statement
_KNOWN = sa.select(inbox.c.uid).where(inbox.c.uid.in_(sa.bindparam("uids", expanding=True)))
_NEXT = (
    _ALL.where(
        inbox.c.verdict.is_(None),
        inbox.c.arrived <= sa.bindparam("until"),
        inbox.c.id.not_in(sa.bindparam("beyond", expanding=True)),
    )
    .order_by(inbox.c.arrived, inbox.c.id)
    .limit(1)
)
_MAIL = _ALL.where(inbox.c.id == sa.bindparam("number"))
_OPEN = sa.select(sa.func.count()).where(inbox.c.verdict.is_(None))
_SETTLED = ("verdict", "reason", "words", "resend", "match", "seat", "settled_at", "strength")
_seen_as = sa.func.coalesce(inbox.c.verdict, "")
_SETTLE = (
    sa.update(inbox)
    .where(inbox.c.id == sa.bindparam("number"), _seen_as == sa.bindparam("seen_as"))
    .values({name: sa.bindparam(f"new_{name}") for name in _SETTLED})
    .values(signature=sa.func.coalesce(sa.bindparam("new_signature", type_=sa.String), inbox.c.signature))
)
_UNFILED = (
    sa.select(inbox.c.uid, inbox.c.verdict)
    .where(inbox.c.filed.is_(False), inbox.c.verdict.is_not(None))
    .order_by(inbox.c.id)
)
_FILED = (
    sa.update(inbox)
    .where(inbox.c.uid.in_(sa.bindparam("uids", expanding=True)), inbox.c.verdict == sa.bindparam("as"))
    .values(filed=True)
)
_JUDGED = _ALL.where(inbox.c.verdict.is_not(None)).order_by(inbox.c.arrived, inbox.c.id)
_RESENDS = _JUDGED.where(
    sa.or_(inbox.c.resend == sa.bindparam("digest"), inbox.c.signature == sa.bindparam("proof"))
)
_SAME_WORDS = _JUDGED.where(inbox.c.words == sa.bindparam("digest"), inbox.c.arrived >= sa.bindparam("since"))


class InboxRows(Rows):
    def keep(self, mail: NewMail) -> bool:
        self.hold("numbers", inbox.name)  # of two that receive at once, each needs a number
        if self.insert_new(inbox, {**_new(mail), "identity": mail.identity}, "identity", numbered=True):
            return True
        if self.known_uids([mail.uid]):  # another receiver has kept this very one, since we asked
            return False
        again = {**_new(mail), "raw": b"", "identity": _again(mail), "signature": None}
        settled = {"verdict": "ignored", "reason": "the same mail came before"}
        self.insert_new(inbox, {**again, **settled}, "identity", numbered=True)
        return False

    def known_uids(self, uids: Sequence[str]) -> set[str]:
        found: set[str] = set()
        for start in range(0, len(uids), _AT_ONCE):
            found.update(self.values(_KNOWN, {"uids": list(uids[start : start + _AT_ONCE])}))
        return {uid for uid in uids if as_indexed(uid) in found}

    def next_mail(self, until: datetime, beyond: Iterable[int]) -> KeptMail | None:
        row = self.row(_NEXT, {"until": until, "beyond": list(beyond)})
        return KeptMail(*row) if row else None

    def mail(self, mail_id: int) -> KeptMail | None:
        row = self.row(_MAIL, {"number": mail_id})
        return KeptMail(*row) if row else None

    def mail_of(self, identity: str) -> KeptMail | None:
        row = self.connection.execute(sa.select(*_COLUMNS).where(inbox.c.identity == identity)).first()
        return KeptMail(*row) if row else None

    def mails_called(self, message_id: str) -> list[KeptMail]:
        query = sa.select(*_COLUMNS).where(inbox.c.message_id == message_id, inbox.c.raw != b"")
        return [
            KeptMail(*row) for row in self.connection.execute(query.order_by(inbox.c.arrived, inbox.c.id))
        ]

    def mails(self, verdicts: Sequence[Disposition]) -> list[KeptMail]:
        query = (
            sa.select(*_COLUMNS).where(inbox.c.verdict.in_(verdicts)).order_by(inbox.c.arrived, inbox.c.id)
        )
        return [KeptMail(*row) for row in self.connection.execute(query)]

    def newest(self, count: int) -> list[bytes]:
        answered = sa.or_(inbox.c.verdict.is_(None), inbox.c.verdict != "discarded")
        query = sa.select(inbox.c.raw).where(inbox.c.raw != b"", answered)
        query = query.order_by(inbox.c.arrived.desc()).limit(count)
        return [bytes(row.raw) for row in self.connection.execute(query)]

    def open_mails(self) -> int:
        return int(self.values(_OPEN, {})[0])

    def claim(self, uid: str) -> int:
        once_more = {"times": claims.c.times + 1}
        return int(self.upsert(claims, {"uid": uid, "times": 1}, "uid", once_more, "times")) - 1

    def forgive(self, uid: str) -> None:
        own = claims.c.uid == uid
        self.connection.execute(sa.delete(claims).where(own, claims.c.times <= 1))
        self.connection.execute(sa.update(claims).where(own).values(times=claims.c.times - 1))

    def release_claim(self, uid: str) -> None:
        self.connection.execute(sa.delete(claims).where(claims.c.uid == uid))

    def settle(
        self,
        mail_id: int,
        disposition: Disposition,
        reason: str,
        at: datetime,
        *,
        words: str | None = None,
        resend: str | None = None,
        match: str | None = None,
        seat: int | None = None,
        signature: str | None = None,
        strength: int | None = None,
        seen_as: Disposition | None = None,
    ) -> None:
        values = (disposition, reason, words, resend, match, seat, at, strength)
        new = {f"new_{name}": value for name, value in zip(_SETTLED, values, strict=True)}
        new["new_signature"] = signature
        if not self.change(_SETTLE, {"number": mail_id, "seen_as": seen_as or "", **new}):
            raise Again

    def blank(self, mail_id: int, raw: bytes) -> None:
        self.connection.execute(sa.update(inbox).where(inbox.c.id == mail_id).values(raw=raw))

    def reopen(
        self,
        mail_id: int,
        seen_as: Disposition,
        *,
        released: bool,
        confirmed: bool | None = None,
        agreed: bool | None = None,
    ) -> None:
        values = {"verdict": None, "reason": None, "settled_at": None, "released": released, "filed": False}
        if confirmed is not None:
            values["confirmed"] = confirmed
        if agreed is not None:
            values["agreed"] = agreed
        still = sa.update(inbox).where(inbox.c.id == mail_id, inbox.c.verdict == seen_as)
        if not self.connection.execute(still.values(**values)).rowcount:
            raise Again

    def unfiled(self) -> list[tuple[str, Disposition]]:
        return [(uid, verdict) for uid, verdict in self.rows(_UNFILED, {})]

    def filed(self, settled: Sequence[tuple[str, Disposition]]) -> None:
        for verdict in sorted({verdict for _, verdict in settled}):
            uids = sorted(uid for uid, found in settled if found == verdict)
            for start in range(0, len(uids), _AT_ONCE):
                self.change(_FILED, {"uids": uids[start : start + _AT_ONCE], "as": verdict})

    def resends(self, resend: str, signature: str | None = None) -> list[KeptMail]:
        return [KeptMail(*row) for row in self.rows(_RESENDS, {"digest": resend, "proof": signature})]

    def same_words(self, words: str, since: datetime) -> list[KeptMail]:
        found = self.rows(_SAME_WORDS, {"digest": words, "since": since})
        return [KeptMail(*row) for row in found]

    def holding_up(self, match: str, seat: int, since: datetime, by: datetime) -> list[KeptMail]:
        own = sa.select(seats.c.address).where(seats.c.match == match, seats.c.seat == seat)
        query = sa.select(*_COLUMNS).where(
            inbox.c.verdict.in_(["held", "shunted"]),
            inbox.c.settled_at >= since,
            inbox.c.arrived <= by,
            sa.func.coalesce(inbox.c.match, match) == match,
            sa.or_(inbox.c.seat == seat, sa.and_(inbox.c.seat.is_(None), inbox.c.sender.in_(own))),
        )
        query = query.order_by(inbox.c.arrived, inbox.c.id)
        return [KeptMail(*row) for row in self.connection.execute(query)]


def _new(mail: NewMail) -> dict[str, object]:
    told = {name: value for name, value in mail._asdict().items() if name != "identity"}
    unsaid = dict.fromkeys(("filed", "released", "confirmed", "agreed"), False)
    return {**told, **unsaid, "sender": mail.sender and address_key(mail.sender)}


def _again(mail: NewMail) -> str:
    """A row of its own for another copy, by its uid, so that it is counted and filed."""
    return hashlib.sha256(f"again\n{mail.identity}\n{mail.uid}".encode()).hexdigest()
