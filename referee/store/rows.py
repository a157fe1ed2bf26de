"""What every group of rows shares: the connection, and inserts that a row of the same name makes void."""

from __future__ import annotations

from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite


class Rows:
    """Statements on one open connection. Those that every mail needs are built once, with names for their values: to
    build one costs more than to run it."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection

    def insert_new(
        self, table: sa.Table, values: dict[str, Any], unique: str, *, numbered: bool = False
    ) -> bool:
        """Insert unless a row with that unique column exists; whether it was inserted. A numbered row's id follows the
        last one's, whatever was undone in between: a repeated pass repeats it."""
        statement = _insert_new(table, unique, numbered, self.connection.dialect.name)
        # a row count is not to be had from every driver
        return self.connection.execute(statement, values).first() is not None


@cache
def _insert_new(table: sa.Table, unique: str, numbered: bool, dialect: str) -> sa.Executable:
    insert = sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)
    if numbered:
        follows = sa.select(sa.func.coalesce(sa.func.max(table.c.id), 0) + 1).scalar_subquery()
        insert = insert.values(id=follows)
    return insert.on_conflict_do_nothing(index_elements=[unique]).returning(table.c[unique])
