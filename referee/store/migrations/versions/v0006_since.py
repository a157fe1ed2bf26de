"""When a stimulus happened, beside the clock of the pass that found it."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("ledger", sa.Column("since", sa.String(length=27), nullable=True))


def downgrade() -> None:
    op.drop_column("ledger", "since")
