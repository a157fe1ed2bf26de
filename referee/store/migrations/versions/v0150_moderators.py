"""Who is at the desk: at first those of the configuration."""

import sqlalchemy as sa
from alembic import op

revision = "0150"
down_revision = "0140"


def upgrade() -> None:
    op.create_table(
        "moderators",
        sa.Column("address", sa.Text(), primary_key=True),
        sa.Column("place", sa.Integer(), nullable=False),
    )
