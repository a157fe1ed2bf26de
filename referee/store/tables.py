"""The tables. Moments are stored as ISO 8601 text in UTC, of one width, so that they sort and can be read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa


class Moment(sa.types.TypeDecorator[datetime]):
    """An aware datetime, to the microsecond, as text."""

    impl = sa.String(27)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> str | None:
        return None if value is None else value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    def process_result_value(self, value: Any, dialect: Any) -> datetime | None:
        return None if value is None else datetime.fromisoformat(value)


metadata = sa.MetaData()

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("name", sa.String(80), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("status", sa.String(10), nullable=False),
    sa.Column("phase", sa.String(80), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("opened_at", Moment, nullable=False),
    sa.Column("stamp", sa.String(80), nullable=False),
    sa.Column("state", sa.Text, nullable=False),  # a cache: the ledger is the truth
    sa.Column("lapses_at", Moment, index=True),
    sa.Column("reminds_at", Moment, index=True),
    sa.Column("computes", sa.Boolean, nullable=False, default=False, index=True),
)

ledger = sa.Table(
    "ledger",
    metadata,
    sa.Column("match", sa.ForeignKey("matches.name"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("cause", sa.Integer, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("match", sa.ForeignKey("matches.name"), primary_key=True),
    sa.Column("address", sa.String(254), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Index("seats_by_address", "address"),
)

inbox = sa.Table(
    "inbox",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("uid", sa.String(255), nullable=False),
    sa.Column("identity", sa.String(64), nullable=False, unique=True),
    sa.Column("arrived", Moment, nullable=False),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("cut", sa.Boolean, nullable=False),
    sa.Column("raw", sa.LargeBinary, nullable=False),
    sa.Column("message_id", sa.String(998)),
    sa.Column("sender", sa.String(320)),
    sa.Column("words", sa.String(64)),  # digest of the sender's own words
    sa.Column("resend", sa.String(64)),  # the same with the mail's own Date
    sa.Column("verdict", sa.String(12)),
    sa.Column("reason", sa.Text),
    sa.Column("match", sa.String(80)),
    sa.Column("seat", sa.Integer),
    sa.Column("settled_at", Moment),
    sa.Column("filed", sa.Boolean, nullable=False, default=False),
    sa.Column("released", sa.Boolean, nullable=False, default=False),
    sa.Index("inbox_open", "verdict", "arrived", "uid"),
    sa.Index("inbox_unfiled", "filed", "verdict"),
    sa.Index("inbox_words", "words"),
    sa.Index("inbox_resend", "resend"),
    sa.Index("inbox_uid", "uid"),
    sa.Index("inbox_message_id", "message_id"),
)

outbox = sa.Table(
    "outbox",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("message_id", sa.String(255), nullable=False, unique=True),
    sa.Column("at", Moment, nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("match", sa.String(80)),
    sa.Column("seat", sa.Integer),
    sa.Column("recipient", sa.String(320), nullable=False),
    sa.Column("answers", sa.String(998)),  # the Message-ID it answers
    sa.Column("thread", sa.String(998)),  # the first Message-ID of that thread
    sa.Column("body", sa.Text, nullable=False),  # the letter, encoded
    sa.Column("state", sa.String(8), nullable=False),  # unsent, sent, failed
    sa.Column("attempts", sa.Integer, nullable=False, default=0),
    sa.Column("next_try", Moment),
    sa.Column("note", sa.Text),
    sa.Column("sent_at", Moment),
    sa.Index("outbox_unsent", "state", "next_try"),
    sa.Index("outbox_answers", "recipient", "thread", "at"),
)

clock = sa.Table(
    "clock",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("last_pass", Moment),
    sa.Column("watermark", Moment),
    sa.Column("heartbeat", Moment),
)
