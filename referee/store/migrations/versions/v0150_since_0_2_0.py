"""What the tables of 0.2.0 lack, the first version that was released; those of revisions between
have some of it. Pass phrases and OpenPGP keys are forgotten, that somebody kept one stays known."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from referee.store.tables import metadata

revision = "0150"
down_revision = None

TABLES = "gatherings club_ledger invitations never_again event_matches club_wishes moderators"
COLUMNS: tuple[tuple[str, sa.Column[Any]], ...] = (
    ("clock", sa.Column("desk_at", sa.String(27))),
    ("clock", sa.Column("witness", sa.Text())),
    ("outbox", sa.Column("handed", sa.Integer(), nullable=False, server_default="0")),
    ("people", sa.Column("apart", sa.Text(), nullable=False, server_default="")),
    ("people", sa.Column("guarded", sa.Boolean(), nullable=False, server_default=sa.false())),
)
GONE = (("people", "phrase"), ("people", "key"), ("inbox", "proof"))


def upgrade() -> None:
    bind = op.get_bind()
    metadata.create_all(bind, [metadata.tables[name] for name in TABLES.split()])
    inspector = sa.inspect(bind)
    there = {name: {each["name"] for each in inspector.get_columns(name)} for name, _ in (*COLUMNS, *GONE)}
    for table, column in COLUMNS:
        if column.name not in there[table]:
            op.add_column(table, column)
    if "phrase" in there["people"]:
        people = sa.table("people", *map(sa.column, ("phrase", "key", "guarded")))
        kept = sa.or_(people.c.phrase.is_not(None), people.c.key.is_not(None))
        op.execute(sa.update(people).where(kept).values(guarded=sa.true()))
    for table, name in GONE:
        if name in there[table]:
            op.drop_column(table, name)
