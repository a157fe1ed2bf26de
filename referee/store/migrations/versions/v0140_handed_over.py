"""How often a letter was handed over with nobody knowing what became of it; what is known of the machine's clock."""

import sqlalchemy as sa
from alembic import op

revision = "0140"
down_revision = "0130"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox", sa.Column("handed", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("clock", sa.Column("witness", sa.Text()))
