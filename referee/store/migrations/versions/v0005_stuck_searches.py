"""Matches whose own answer the referee could not find, until the moderator lets it try again."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "stuck",
        sa.Column("match", sa.String(length=80), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.name"]),
        sa.PrimaryKeyConstraint("match"),
    )


def downgrade() -> None:
    op.drop_table("stuck")
