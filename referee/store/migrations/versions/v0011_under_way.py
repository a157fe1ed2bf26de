"""What was judged last, whether a pass came to its end, and the mails that were in hand when one did not."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("clock", sa.Column("reached", sa.String(length=27), nullable=True))
    op.add_column("clock", sa.Column("under_way", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute("UPDATE clock SET reached = watermark")
    op.create_table(
        "in_hand",
        sa.Column("uid", sa.Text(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("uid"),
    )


def downgrade() -> None:
    op.drop_table("in_hand")
    op.drop_column("clock", "under_way")
    op.drop_column("clock", "reached")
