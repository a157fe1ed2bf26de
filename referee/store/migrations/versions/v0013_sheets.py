"""What several letters say alike is kept once: the words of letters, under the digest of their content. Letters that
are there keep theirs in their bodies."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sheets",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.add_column("outbox", sa.Column("sheet", sa.String(length=64), nullable=True))


def downgrade() -> None:
    op.drop_column("outbox", "sheet")
    op.drop_table("sheets")
