"""How a match stands in public, as its last change left it: so that a list of matches reads rows alone. Where it is
missing, the match is asked, and it is written then."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("facts", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("matches", "facts")
