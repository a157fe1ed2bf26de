"""The tables of the club: proposals and events, each with a ledger of its own."""

import sqlalchemy as sa
from alembic import op

revision = "0110"
down_revision = "0100"
branch_labels = None
depends_on = None

MOMENT = sa.String(27)


def upgrade() -> None:
    op.create_table(
        "gatherings",
        sa.Column("name", sa.String(80), primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("opened_at", MOMENT, nullable=False),
        sa.Column("wakes_at", MOMENT),
    )
    op.create_index("ix_gatherings_wakes_at", "gatherings", ["wakes_at"])
    op.create_index("ix_gatherings_status", "gatherings", ["status"])
    op.create_table(
        "club_ledger",
        sa.Column("gathering", sa.String(80), sa.ForeignKey("gatherings.name"), primary_key=True),
        sa.Column("version", sa.Integer(), primary_key=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("token", sa.String(40), primary_key=True),
        sa.Column("gathering", sa.String(80), sa.ForeignKey("gatherings.name"), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("agreed", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.create_index("ix_invitations_gathering", "invitations", ["gathering"])
    op.create_index("invitations_by_address", "invitations", ["address"])
    op.create_table(
        "never_again",
        sa.Column("address", sa.Text(), primary_key=True),
        sa.Column("proposer", sa.Text(), primary_key=True),
    )
    op.create_table(
        "event_matches",
        sa.Column("match", sa.String(80), sa.ForeignKey("matches.name"), primary_key=True),
        sa.Column("gathering", sa.String(80), sa.ForeignKey("gatherings.name"), nullable=False),
    )
    op.create_index("ix_event_matches_gathering", "event_matches", ["gathering"])


def downgrade() -> None:
    for table in ("event_matches", "never_again", "invitations", "club_ledger", "gatherings"):
        op.drop_table(table)
