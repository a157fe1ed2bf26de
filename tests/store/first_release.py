"""The tables of version 0.2.0, the first that was released."""

import sqlalchemy as sa
from alembic import op

MOMENT = sa.String(27)


def upgrade() -> None:
    op.create_table(
        "clock",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("last_pass", MOMENT),
        sa.Column("watermark", MOMENT),
        sa.Column("heartbeat", MOMENT),
        sa.Column("reached", MOMENT),
        sa.Column("under_way", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "claims",
        sa.Column("uid", sa.Text(), primary_key=True),
        sa.Column("times", sa.Integer(), nullable=False),
    )
    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("uid", sa.Text(), nullable=False),
        sa.Column("identity", sa.String(64), nullable=False, unique=True),
        sa.Column("arrived", MOMENT, nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("cut", sa.Boolean(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("message_id", sa.Text()),
        sa.Column("sender", sa.Text()),
        sa.Column("words", sa.String(64)),
        sa.Column("resend", sa.String(64)),
        sa.Column("verdict", sa.String(12)),
        sa.Column("reason", sa.Text()),
        sa.Column("match", sa.String(80)),
        sa.Column("seat", sa.Integer()),
        sa.Column("settled_at", MOMENT),
        sa.Column("filed", sa.Boolean(), nullable=False),
        sa.Column("released", sa.Boolean(), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("proof", sa.Text(), nullable=False, server_default=""),
        sa.Column("signature", sa.String(64)),
        sa.Column("strength", sa.Integer()),
        sa.Column("agreed", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("ordering_key", sa.Text()),
        sa.Column("waits", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.create_index("inbox_keys", "inbox", ["ordering_key", "verdict", "arrived"])
    op.create_index("inbox_message_id", "inbox", ["message_id"])
    op.create_index("inbox_open", "inbox", ["verdict", "arrived", "id"])
    op.create_index("inbox_resend", "inbox", ["resend"])
    op.create_index("inbox_uid", "inbox", ["uid"])
    op.create_index("inbox_unfiled", "inbox", ["filed", "verdict"])
    op.create_index("inbox_words", "inbox", ["words"])
    op.create_index("ix_inbox_signature", "inbox", ["signature"])
    op.create_table(
        "matches",
        sa.Column("name", sa.String(80), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("opened_at", MOMENT, nullable=False),
        sa.Column("stamp", sa.String(80), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("lapses_at", MOMENT),
        sa.Column("reminds_at", MOMENT),
        sa.Column("computes", sa.Boolean(), nullable=False),
        sa.Column("vacant", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("table", sa.Text()),
        sa.Column("facts", sa.Text()),
    )
    op.create_index("ix_matches_computes", "matches", ["computes"])
    op.create_index("ix_matches_lapses_at", "matches", ["lapses_at"])
    op.create_index("ix_matches_reminds_at", "matches", ["reminds_at"])
    op.create_index("ix_matches_vacant", "matches", ["vacant"])
    op.create_index("matches_compared", "matches", ["game", "table"])
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("message_id", sa.String(255), nullable=False, unique=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("match", sa.String(80)),
        sa.Column("seat", sa.Integer()),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("answers", sa.Text()),
        sa.Column("thread", sa.Text()),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("sheet", sa.String(64), nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try", MOMENT),
        sa.Column("note", sa.Text()),
        sa.Column("sent_at", MOMENT),
        sa.Column("quota", sa.String(10)),
        sa.Column("topic", sa.Text()),
        sa.Column("bucket", sa.String(120)),
    )
    op.create_index("outbox_answers", "outbox", ["recipient", "thread", "at"])
    op.create_index("outbox_at", "outbox", ["at"])
    op.create_index("outbox_buckets", "outbox", ["bucket", "at"])
    op.create_index("outbox_quotas", "outbox", ["quota", "recipient", "at"])
    op.create_index("outbox_seat", "outbox", ["match", "seat", "kind"])
    op.create_index("outbox_strangers", "outbox", ["quota", "at"])
    op.create_index("outbox_topics", "outbox", ["quota", "recipient", "topic", "at"])
    op.create_index("outbox_unsent", "outbox", ["state", "next_try"])
    op.create_table(
        "people",
        sa.Column("address", sa.Text(), primary_key=True),
        sa.Column("medium", sa.String(8), nullable=False),
        sa.Column("digest", sa.Boolean(), nullable=False),
        sa.Column("phrase", sa.String(200)),
        sa.Column("failing", MOMENT),
        sa.Column("note", sa.Text()),
        sa.Column("key", sa.Text()),
        sa.Column("owner", sa.Text()),
    )
    op.create_index("people_by_owner", "people", ["owner"])
    op.create_table(
        "sheets",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("content", sa.Text(), nullable=False),
    )
    op.create_table(
        "withheld",
        sa.Column("topic", sa.String(40), primary_key=True),
        sa.Column("since", MOMENT, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
    )
    op.create_table(
        "former_seats",
        sa.Column("match", sa.String(80), sa.ForeignKey("matches.name"), primary_key=True),
        sa.Column("address", sa.Text(), primary_key=True),
    )
    op.create_index("former_seats_by_address", "former_seats", ["address"])
    op.create_table(
        "match_clocks",
        sa.Column("match", sa.String(80), sa.ForeignKey("matches.name"), primary_key=True),
        sa.Column("reached", MOMENT, nullable=False),
    )
    op.create_table(
        "ledger",
        sa.Column("match", sa.String(80), sa.ForeignKey("matches.name"), primary_key=True),
        sa.Column("version", sa.Integer(), primary_key=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("cause", sa.Integer(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("since", MOMENT),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
    )
    op.create_table(
        "outages",
        sa.Column("match", sa.String(80), sa.ForeignKey("matches.name"), primary_key=True),
        sa.Column("since", MOMENT, primary_key=True),
        sa.Column("seconds", sa.Integer(), nullable=False),
    )
    op.create_table(
        "reply_tokens",
        sa.Column("token", sa.String(40), primary_key=True),
        sa.Column("match", sa.String(80), sa.ForeignKey("matches.name"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
    )
    op.create_index("ix_reply_tokens_match", "reply_tokens", ["match"])
    op.create_table(
        "seats",
        sa.Column("match", sa.String(80), sa.ForeignKey("matches.name"), primary_key=True),
        sa.Column("address", sa.Text(), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
    )
    op.create_index("seats_by_address", "seats", ["address"])
    op.create_table(
        "stuck",
        sa.Column("match", sa.String(80), sa.ForeignKey("matches.name"), primary_key=True),
        sa.Column("version", sa.Integer(), nullable=False),
    )
