"""What a mail's own signatures prove; public keys of players."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("inbox", sa.Column("proof", sa.Text(), nullable=False, server_default=""))
    op.add_column("inbox", sa.Column("signature", sa.String(length=64), nullable=True))
    op.create_index(op.f("ix_inbox_signature"), "inbox", ["signature"], unique=False)
    op.add_column("people", sa.Column("key", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("people", "key")
    op.drop_index(op.f("ix_inbox_signature"), "inbox")
    op.drop_column("inbox", "signature")
    op.drop_column("inbox", "proof")
