"""Which matches have a vacant seat, and who sat in a match before."""

import sqlalchemy as sa
from alembic import op

from referee.store.tables import Foreign

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("vacant", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_matches_vacant", "matches", ["vacant"], unique=False)
    op.execute(sa.text("UPDATE matches SET vacant = true WHERE status = 'filling'"))
    op.create_table(
        "former_seats",
        sa.Column("match", sa.String(length=80), nullable=False),
        sa.Column("address", Foreign(indexed=True), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.name"]),
        sa.PrimaryKeyConstraint("match", "address"),
    )
    op.create_index("former_seats_by_address", "former_seats", ["address"], unique=False)


def downgrade() -> None:
    op.drop_table("former_seats")
    op.drop_index("ix_matches_vacant", "matches")
    op.drop_column("matches", "vacant")
