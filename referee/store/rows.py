"""What every group of rows shares: the connection."""

from __future__ import annotations

import sqlalchemy as sa


class Rows:
    """Statements on one open connection."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection

    def insert_new(self, table: sa.Table, values: dict[str, object], unique: str) -> bool:
        """Insert unless a row with that unique column exists; whether it was inserted."""
        if self.connection.dialect.name == "sqlite":
            from sqlalchemy.dialects.sqlite import insert
        else:
            from sqlalchemy.dialects.postgresql import insert  # type: ignore[assignment]
        statement = insert(table).values(**values).on_conflict_do_nothing(index_elements=[unique])
        inserted = self.connection.execute(statement.returning(table.c[unique]))
        return inserted.first() is not None  # a row count is not to be had from every driver
