"""Which address proved which, what the address that a mail names has agreed to, and of what sort a question was."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("owner", sa.Text(), nullable=True))
    op.create_index("people_by_owner", "people", ["owner"])
    op.add_column("inbox", sa.Column("agreed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("outbox", sa.Column("lane", sa.String(length=120), nullable=True))
    op.create_index("outbox_lanes", "outbox", ["lane", "at"])


def downgrade() -> None:
    op.drop_index("outbox_lanes", "outbox")
    op.drop_column("outbox", "lane")
    op.drop_column("inbox", "agreed")
    op.drop_index("people_by_owner", "people")
    op.drop_column("people", "owner")
