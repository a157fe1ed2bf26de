"""Whose measure a letter counts in, and alarms that were withheld."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox", sa.Column("purse", sa.String(length=10), nullable=True))
    op.add_column("outbox", sa.Column("topic", sa.Text(), nullable=True))
    op.create_index("outbox_strangers", "outbox", ["purse", "at"])
    op.create_index("outbox_purses", "outbox", ["purse", "recipient", "at"])
    op.create_index("outbox_topics", "outbox", ["purse", "recipient", "topic", "at"])
    op.create_table(
        "withheld",
        sa.Column("topic", sa.String(length=40), nullable=False),
        sa.Column("since", sa.String(length=27), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("topic"),
    )


def downgrade() -> None:
    op.drop_table("withheld")
    for index in ("outbox_topics", "outbox_purses", "outbox_strangers"):
        op.drop_index(index, "outbox")
    op.drop_column("outbox", "topic")
    op.drop_column("outbox", "purse")
