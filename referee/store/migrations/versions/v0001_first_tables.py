"""The first tables: ledgers, seats, inbox, outbox, clock."""

import sqlalchemy as sa
from alembic import op

from referee.store.tables import Moment

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "clock",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("last_pass", Moment(), nullable=True),
        sa.Column("watermark", Moment(), nullable=True),
        sa.Column("heartbeat", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("uid", sa.Text(), nullable=False),
        sa.Column("identity", sa.String(length=64), nullable=False),
        sa.Column("arrived", Moment(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("cut", sa.Boolean(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("sender", sa.Text(), nullable=True),
        sa.Column("words", sa.String(length=64), nullable=True),
        sa.Column("resend", sa.String(length=64), nullable=True),
        sa.Column("verdict", sa.String(length=12), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("match", sa.String(length=80), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("settled_at", Moment(), nullable=True),
        sa.Column("filed", sa.Boolean(), nullable=False),
        sa.Column("released", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("identity"),
    )
    op.create_index("inbox_message_id", "inbox", ["message_id"], unique=False)
    op.create_index("inbox_open", "inbox", ["verdict", "arrived", "id"], unique=False)
    op.create_index("inbox_resend", "inbox", ["resend"], unique=False)
    op.create_index("inbox_uid", "inbox", ["uid"], unique=False)
    op.create_index("inbox_unfiled", "inbox", ["filed", "verdict"], unique=False)
    op.create_index("inbox_words", "inbox", ["words"], unique=False)
    op.create_table(
        "matches",
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("opened_at", Moment(), nullable=False),
        sa.Column("stamp", sa.String(length=80), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("lapses_at", Moment(), nullable=True),
        sa.Column("reminds_at", Moment(), nullable=True),
        sa.Column("computes", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_index(op.f("ix_matches_computes"), "matches", ["computes"], unique=False)
    op.create_index(op.f("ix_matches_lapses_at"), "matches", ["lapses_at"], unique=False)
    op.create_index(op.f("ix_matches_reminds_at"), "matches", ["reminds_at"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(length=255), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("match", sa.String(length=80), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("answers", sa.Text(), nullable=True),
        sa.Column("thread", sa.Text(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try", Moment(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("sent_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("message_id"),
    )
    op.create_index("outbox_answers", "outbox", ["recipient", "thread", "at"], unique=False)
    op.create_index("outbox_unsent", "outbox", ["state", "next_try"], unique=False)
    op.create_table(
        "ledger",
        sa.Column("match", sa.String(length=80), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("cause", sa.Integer(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match"],
            ["matches.name"],
        ),
        sa.PrimaryKeyConstraint("match", "version"),
    )
    op.create_table(
        "seats",
        sa.Column("match", sa.String(length=80), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match"],
            ["matches.name"],
        ),
        sa.PrimaryKeyConstraint("match", "address", "seat"),
    )
    op.create_index("seats_by_address", "seats", ["address"], unique=False)


def downgrade() -> None:
    for table in ("clock", "outbox", "inbox", "seats", "ledger", "matches"):
        op.drop_table(table)
