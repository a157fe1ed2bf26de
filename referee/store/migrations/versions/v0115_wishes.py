"""Who wishes to stay unrated, or on no list."""

import sqlalchemy as sa
from alembic import op

revision = "0115"
down_revision = "0110"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "club_wishes",
        sa.Column("address", sa.Text(), primary_key=True),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("club_wishes")
