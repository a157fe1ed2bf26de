"""Addresses were compared by what case-folding makes of them, which is one for two persons; the ledgers know how each
was written. What is kept of a person moves with the address, unless somebody else's is what it was taken for."""

import json
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

from referee.core.addresses import address_key
from referee.store.tables import Foreign, as_indexed

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_NAMING = ("MatchOpened", "EntrantJoined", "EntrantReplaced", "AddressAdded")
_ADDRESS = Foreign(indexed=True)
_LEDGER = sa.table("ledger", sa.column("match"), sa.column("kind"), sa.column("body"))
_PEOPLE = sa.table("people", sa.column("address", _ADDRESS), sa.column("owner", _ADDRESS))
_OUTBOX = sa.table("outbox", sa.column("recipient", _ADDRESS))
_SEATS = tuple(
    sa.table(name, sa.column("match"), sa.column("address", _ADDRESS)) for name in ("seats", "former_seats")
)


def upgrade() -> None:
    connection, known = op.get_bind(), dict[str, set[str]]()
    rows = sa.select(_LEDGER.c.match, _LEDGER.c.body).where(_LEDGER.c.kind.in_(_NAMING))
    for match, body in connection.execute(rows):
        known.setdefault(match, set()).update(_addresses(json.loads(body)))
    everybody = {address_key(address) for there in known.values() for address in there}
    for match, there in known.items():
        own = set(map(address_key, there))
        for before, now in _changed(there):
            for table in _SEATS if before not in own else ():
                _rewrite(connection, table, table.c.address, before, now, table.c.match == match)
    for before, now in {pair for there in known.values() for pair in _changed(there)}:
        for column in _PEOPLE.c if before not in everybody else ():
            _rewrite(connection, _PEOPLE, column, before, now)
    # both databases agree on the small letters of ASCII, and there are hardly any others in addresses
    connection.execute(sa.update(_OUTBOX).values(recipient=sa.func.lower(_OUTBOX.c.recipient)))


def _changed(addresses: set[str]) -> Iterator[tuple[str, str]]:
    """What each was compared by and is now, where that is another."""
    for address in sorted(addresses):
        if (before := address.casefold()) != (now := address_key(address)):
            yield before, now


def _rewrite(
    connection: sa.Connection,
    table: sa.TableClause,
    column: sa.ColumnClause[str],
    before: str,
    now: str,
    *where: sa.ColumnElement[bool],
) -> None:
    there = sa.select(sa.literal(1)).select_from(table).where(column == as_indexed(now), *where)
    if column.name == "owner" or connection.execute(there.limit(1)).first() is None:
        rows = sa.update(table).where(column == as_indexed(before), *where)
        connection.execute(rows.values({column.name: now}))


def _addresses(body: object) -> Iterator[str]:
    """Those that an event names, wherever they stand in it."""
    waiting = [body]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            yield from [found["address"]] if "address" in found else ()
            yield from found.get("addresses", ())
            waiting += found.values()
        elif isinstance(found, list):
            waiting += found


def downgrade() -> None:
    """What they were compared by can be said of each again, and was wrong: nothing is to be done."""
