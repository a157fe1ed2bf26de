"""When the desk was last looked through for the moderators' daily letter."""

import sqlalchemy as sa
from alembic import op

revision = "0120"
down_revision = "0115"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("clock", sa.Column("desk_at", sa.String(27)))
