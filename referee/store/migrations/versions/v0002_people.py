"""What is kept of an address; reply addresses; mails that their owners confirmed."""

import sqlalchemy as sa
from alembic import op

from referee.store.tables import Moment

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("medium", sa.String(length=8), nullable=False),
        sa.Column("digest", sa.Boolean(), nullable=False),
        sa.Column("phrase", sa.String(length=200), nullable=True),
        sa.Column("failing", Moment(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("address"),
    )
    op.create_table(
        "reply_tokens",
        sa.Column("token", sa.String(length=40), nullable=False),
        sa.Column("match", sa.String(length=80), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.name"]),
        sa.PrimaryKeyConstraint("token"),
    )
    op.create_index(op.f("ix_reply_tokens_match"), "reply_tokens", ["match"], unique=False)
    op.add_column("inbox", sa.Column("confirmed", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("inbox", "confirmed")
    op.drop_table("reply_tokens")
    op.drop_table("people")
