"""Pass phrases and OpenPGP keys are forgotten, that somebody kept one stays known; what the referee itself found in
signatures goes."""

import sqlalchemy as sa
from alembic import op

revision = "0130"
down_revision = "0120"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("guarded", sa.Boolean(), nullable=False, server_default=sa.false()))
    people = sa.table("people", *map(sa.column, ("phrase", "key", "guarded")))
    kept = sa.or_(people.c.phrase.is_not(None), people.c.key.is_not(None))
    op.execute(sa.update(people).where(kept).values(guarded=sa.true()))
    op.drop_column("people", "phrase")
    op.drop_column("people", "key")
    op.drop_column("inbox", "proof")
