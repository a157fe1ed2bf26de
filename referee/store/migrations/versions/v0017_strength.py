"""How much a mail proved when it was settled: a later copy of it that proves more is judged too."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("inbox", sa.Column("strength", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("inbox", "strength")
