"""The inbox: every mail kept before it is judged, and what became of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from referee.offices.keeping import KeptMail, NewMail, Settling, Verdict
from referee.store.rows import Rows
from referee.store.tables import inbox, seats

_FIELDS = (
    "id", "uid", "identity", "arrived", "size", "cut", "raw", "message_id", "sender", "released", "verdict",
    "reason", "match", "seat", "confirmed", "proof", "signature", "agreed",
)  # fmt: skip
_COLUMNS = [inbox.c[name] for name in _FIELDS]


class InboxRows(Rows):
    def keep(self, mail: NewMail) -> bool:
        if self.insert_new(inbox, {**_new(mail), "identity": mail.identity}, "identity"):
            return True
        again = {**_new(mail), "raw": b"", "identity": _again(mail), "signature": None}
        settled = {"verdict": "ignored", "reason": "the same mail came before"}
        self.insert_new(inbox, {**again, **settled}, "identity")
        return False

    def knows_uid(self, uid: str) -> bool:
        found = self.connection.execute(sa.select(inbox.c.id).where(inbox.c.uid == uid).limit(1))
        return found.first() is not None

    def next_mail(self, until: datetime, beyond: Iterable[int]) -> KeptMail | None:
        query = (
            sa.select(*_COLUMNS)
            .where(inbox.c.verdict.is_(None), inbox.c.arrived <= until, inbox.c.id.not_in(list(beyond)))
            .order_by(inbox.c.arrived, inbox.c.id)
            .limit(1)
        )
        row = self.connection.execute(query).first()
        return _kept(row) if row else None

    def mail(self, mail_id: int) -> KeptMail | None:
        row = self.connection.execute(sa.select(*_COLUMNS).where(inbox.c.id == mail_id)).first()
        return _kept(row) if row else None

    def mail_of(self, identity: str) -> KeptMail | None:
        row = self.connection.execute(sa.select(*_COLUMNS).where(inbox.c.identity == identity)).first()
        return _kept(row) if row else None

    def mails(self, verdicts: Sequence[Verdict]) -> list[KeptMail]:
        query = (
            sa.select(*_COLUMNS).where(inbox.c.verdict.in_(verdicts)).order_by(inbox.c.arrived, inbox.c.id)
        )
        return [_kept(row) for row in self.connection.execute(query)]

    def newest(self, count: int) -> list[bytes]:
        answered = sa.or_(inbox.c.verdict.is_(None), inbox.c.verdict != "discarded")
        query = sa.select(inbox.c.raw).where(inbox.c.raw != b"", answered)
        query = query.order_by(inbox.c.arrived.desc()).limit(count)
        return [bytes(row.raw) for row in self.connection.execute(query)]

    def open_mails(self) -> int:
        query = sa.select(sa.func.count()).where(inbox.c.verdict.is_(None))
        return int(self.connection.execute(query).scalar_one())

    def settle(self, mail_id: int, settling: Settling, at: datetime) -> None:
        values = {
            "verdict": settling.verdict, "reason": settling.reason, "words": settling.words,
            "resend": settling.resend, "match": settling.match, "seat": settling.seat, "settled_at": at,
        }  # fmt: skip
        self.connection.execute(sa.update(inbox).where(inbox.c.id == mail_id).values(**values))

    def blank(self, mail_id: int, raw: bytes) -> None:
        self.connection.execute(sa.update(inbox).where(inbox.c.id == mail_id).values(raw=raw))

    def reopen(
        self, mail_id: int, *, released: bool, confirmed: bool | None = None, agreed: bool | None = None
    ) -> None:
        values = {"verdict": None, "reason": None, "settled_at": None, "released": released, "filed": False}
        if confirmed is not None:
            values["confirmed"] = confirmed
        if agreed is not None:
            values["agreed"] = agreed
        self.connection.execute(sa.update(inbox).where(inbox.c.id == mail_id).values(**values))

    def unfiled(self) -> list[tuple[str, Verdict]]:
        query = sa.select(inbox.c.uid, inbox.c.verdict).where(
            inbox.c.filed.is_(False), inbox.c.verdict.is_not(None)
        )
        query = query.order_by(inbox.c.id)
        return [(row.uid, row.verdict) for row in self.connection.execute(query)]

    def filed(self, uids: Sequence[str]) -> None:
        for start in range(0, len(uids), 500):
            part = uids[start : start + 500]
            self.connection.execute(sa.update(inbox).where(inbox.c.uid.in_(part)).values(filed=True))

    def resends(self, resend: str) -> list[KeptMail]:
        return self._kept_where(inbox.c.resend == resend)

    def same_words(self, words: str, since: datetime) -> list[KeptMail]:
        return self._kept_where(sa.and_(inbox.c.words == words, inbox.c.arrived >= since))

    def _kept_where(self, condition: sa.ColumnElement[bool]) -> list[KeptMail]:
        query = sa.select(*_COLUMNS).where(condition, inbox.c.verdict.is_not(None))
        query = query.order_by(inbox.c.arrived, inbox.c.id)
        return [_kept(row) for row in self.connection.execute(query)]

    def signed_before(self, mail: KeptMail) -> bool:
        query = sa.select(inbox.c.id).where(
            inbox.c.signature == mail.signature, inbox.c.id != mail.id, inbox.c.verdict.is_not(None)
        )
        return self.connection.execute(query.limit(1)).first() is not None

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
        return [_kept(row) for row in self.connection.execute(query)]


def _new(mail: NewMail) -> dict[str, Any]:
    """The row. Its number follows the last one's, whatever was undone in between: a repeated pass repeats it."""
    number = sa.select(sa.func.coalesce(sa.func.max(inbox.c.id), 0) + 1).scalar_subquery()
    return {
        "id": number, "uid": mail.uid, "arrived": mail.arrived, "size": mail.size, "cut": mail.cut,
        "raw": mail.raw, "message_id": mail.message_id, "sender": mail.sender and mail.sender.casefold(),
        "filed": False, "released": False, "confirmed": False,
        "proof": mail.proof, "signature": mail.signature, "agreed": False,
    }  # fmt: skip


def _again(mail: NewMail) -> str:
    """A row of its own for another copy, by its uid, so that it is counted and filed."""
    return hashlib.sha256(f"again\n{mail.identity}\n{mail.uid}".encode()).hexdigest()


def _kept(row: Any) -> KeptMail:
    return KeptMail(**row._mapping)
