"""What tables of older versions lack, back to 0.2.0, the first version that was released: they are brought to what the
tables of today say. Pass phrases and OpenPGP keys are forgotten, that somebody kept one stays known."""

import sqlalchemy as sa

from referee.store.tables import metadata

FIRST, LATEST = "0100", "0160"  # the tables of 0.2.0, and today's: whoever changes a table raises it
_GONE = (("people", "phrase"), ("people", "key"), ("inbox", "proof"))
_version = sa.Table(
    "alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True)
)


def version_of(connection: sa.Connection) -> str | None:
    """That of the tables; None where there are none yet."""
    if not connection.dialect.has_table(connection, _version.name):
        return None
    found = connection.execute(sa.select(_version.c.version_num)).scalars().all()
    return found[0] if len(found) == 1 else None


def migrate(connection: sa.Connection) -> None:
    """Bring the tables to this version's shape, whatever there is. A column that is added says what it holds where
    nobody has said anything."""
    metadata.create_all(connection)
    _version.create(connection, checkfirst=True)
    inspector, quoted = sa.inspect(connection), connection.dialect.identifier_preparer.quote
    there = {(table, column["name"]) for table in metadata.tables for column in inspector.get_columns(table)}
    for column in (column for table in metadata.sorted_tables for column in table.columns):
        if (column.table.name, column.name) not in there:
            added = sa.schema.CreateColumn(column).compile(dialect=connection.dialect)
            connection.exec_driver_sql(f"ALTER TABLE {column.table.name} ADD COLUMN {added}")
    if ("people", "phrase") in there:
        people = sa.table("people", *map(sa.column, ("phrase", "key", "guarded")))
        kept = sa.or_(people.c.phrase.is_not(None), people.c.key.is_not(None))
        connection.execute(sa.update(people).where(kept).values(guarded=sa.true()))
    for table, name in (gone for gone in _GONE if gone in there):
        connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {quoted(name)}")
    connection.execute(sa.delete(_version))
    connection.execute(sa.insert(_version).values(version_num=LATEST))
