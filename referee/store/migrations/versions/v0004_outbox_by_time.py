"""Letters by the moment they were written: what was sent within a day is counted."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("outbox_at", "outbox", ["at"], unique=False)


def downgrade() -> None:
    op.drop_index("outbox_at", "outbox")
