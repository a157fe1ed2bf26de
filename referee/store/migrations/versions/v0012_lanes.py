"""What several workers must know of each other: lanes of mails, how far each match has been judged, outages."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("inbox", sa.Column("lane", sa.Text(), nullable=True))
    op.add_column("inbox", sa.Column("waits", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("inbox_lanes", "inbox", ["lane", "verdict", "arrived"])
    op.create_table(
        "lanes",
        sa.Column("match", sa.String(length=80), nullable=False),
        sa.Column("reached", sa.String(length=27), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.name"]),
        sa.PrimaryKeyConstraint("match"),
    )
    op.create_table(
        "outages",
        sa.Column("match", sa.String(length=80), nullable=False),
        sa.Column("since", sa.String(length=27), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.name"]),
        sa.PrimaryKeyConstraint("match", "since"),
    )


def downgrade() -> None:
    op.drop_table("outages")
    op.drop_table("lanes")
    op.drop_index("inbox_lanes", "inbox")
    op.drop_column("inbox", "waits")
    op.drop_column("inbox", "lane")
