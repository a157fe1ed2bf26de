"""Which table a match is compared in, so that the others of it are found without reading every match."""

import json

import sqlalchemy as sa
from alembic import op

from referee.store.tables import Foreign

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_BATCH = 500


def upgrade() -> None:
    op.add_column("matches", sa.Column("table", Foreign(indexed=True), nullable=True))
    op.create_index("matches_compared", "matches", ["game", "table"], unique=False)
    connection = op.get_bind()
    ledger = sa.table("ledger", sa.column("match"), sa.column("version"), sa.column("body"))
    matches = sa.table("matches", sa.column("name"), sa.column("table", Foreign(indexed=True)))
    opened = sa.select(ledger.c.match, ledger.c.body).where(
        ledger.c.version == 1, ledger.c.match > sa.bindparam("after")
    )
    opened = opened.order_by(ledger.c.match).limit(_BATCH)
    after = ""
    while rows := connection.execute(opened, {"after": after}).all():
        after = rows[-1].match
        for name, body in rows:
            if table := _table(body):
                connection.execute(sa.update(matches).where(matches.c.name == name).values(table=table))


def _table(body: str) -> str | None:
    """The option, as the match was opened with it; what can't be read tells none."""
    try:
        options = json.loads(body).get("options", {})
        return str(options.get("table") or "") or None
    except (ValueError, AttributeError):
        return None


def downgrade() -> None:
    op.drop_index("matches_compared", "matches")
    op.drop_column("matches", "table")
