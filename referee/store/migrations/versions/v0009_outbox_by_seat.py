"""Letters by the seat they were written for: the newest verdict that a seat was sent."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("outbox_seat", "outbox", ["match", "seat", "kind"], unique=False)


def downgrade() -> None:
    op.drop_index("outbox_seat", "outbox")
