"""Statements that every mail needs, run with as little ado as each database allows.

On SQLite a statement is compiled once in a process and goes to the driver as it is: SQLAlchemy takes several times as
long about a statement as SQLite does. On PostgreSQL, where the way to the server and back is what costs, and where
somebody listens to an engine's statements, it runs as any other does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import sqlalchemy as sa

Values = Mapping[str, object]
Row = tuple[Any, ...]
_Convert = Callable[[Any], Any] | None


class Statements:
    """Runs statements in the transaction of a connection; rows are tuples, in the order of the statement's columns."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection
        self._driver = _driver_of(connection)

    def rows(self, statement: sa.Executable, values: Values) -> Sequence[Row]:
        if self._driver is None:
            return self.connection.execute(statement, values).all()
        prepared = _prepared(statement, _keys(statement, values))
        try:
            return prepared.read(self._driver.execute(*prepared.filled_in(values)).fetchall())
        except sqlite3.Error as error:
            raise self._failure(error, statement) from error

    def row(self, statement: sa.Executable, values: Values) -> Row | None:
        """The first row, if there is one."""
        found = self.rows(statement, values)
        return found[0] if found else None

    def values(self, statement: sa.Executable, values: Values) -> list[Any]:
        """The first column of all rows."""
        return [row[0] for row in self.rows(statement, values)]

    def change(self, statement: sa.Executable, values: Values) -> int:
        """How many rows an UPDATE or DELETE without RETURNING has changed."""
        if self._driver is None:
            return self.connection.execute(statement, values).rowcount
        prepared = _prepared(statement, _keys(statement, values))
        try:
            return self._driver.execute(*prepared.filled_in(values)).rowcount
        except sqlite3.Error as error:
            raise self._failure(error, statement) from error

    def write(self, statement: sa.Executable, rows: Sequence[Values]) -> None:
        """An INSERT of several rows, which all have the same columns."""
        if not rows:
            return
        if self._driver is None:
            self.connection.execute(statement, rows)
            return
        prepared = _prepared(statement, _keys(statement, rows[0]))
        filled = [prepared.filled_in(row) for row in rows]
        try:
            self._driver.executemany(filled[0][0], [given for _, given in filled])
        except sqlite3.Error as error:
            raise self._failure(error, statement) from error

    @contextmanager
    def nested(self) -> Iterator[None]:
        """A savepoint: what is done in it is undone where it raises."""
        if self._driver is None:
            with self.connection.begin_nested():
                yield
            return
        self._savepoint("SAVEPOINT")
        try:
            yield
        except BaseException:
            self._savepoint("ROLLBACK TO")
            self._savepoint("RELEASE")
            raise
        self._savepoint("RELEASE")

    def _savepoint(self, words: str) -> None:
        assert self._driver is not None
        try:
            self._driver.execute(f"{words} stimulus")
        except sqlite3.Error as error:
            raise self._failure(error, words) from error

    def _failure(self, error: sqlite3.Error, statement: object) -> BaseException:
        return _failure(error, statement, self.connection.dialect)


def begin_writing(connection: sa.Connection) -> None:
    """Begin a transaction on SQLite with the write lock. Where somebody listens, he hears of it."""
    if (driver := _driver_of(connection)) is None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        return
    try:
        driver.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        raise _failure(error, "BEGIN IMMEDIATE", connection.dialect) from error


def _failure(error: sqlite3.Error, statement: object, dialect: sa.Dialect) -> BaseException:
    """The driver's error as SQLAlchemy's, without the values."""
    return sa.exc.DBAPIError.instance(
        str(statement), None, error, sqlite3.Error, hide_parameters=True, dialect=dialect
    )


def _driver_of(connection: sa.Connection) -> sqlite3.Connection | None:
    """The driver's own connection, where statements go straight to it."""
    if connection.dialect.name != "sqlite" or connection.engine.dispatch.before_cursor_execute:
        return None
    driver = connection.connection.dbapi_connection
    return driver if isinstance(driver, sqlite3.Connection) else None


def _keys(statement: sa.Executable, values: Values) -> tuple[str, ...]:
    """What an INSERT is given says which columns it has; other statements say so themselves."""
    return tuple(values) if statement.is_insert else ()


class _Prepared:
    """A statement in SQLite's words: where its values stand and what they become, and what its columns become."""

    def __init__(self, statement: Any, dialect: sa.Dialect, keys: tuple[str, ...]) -> None:
        self._compiled = statement.compile(dialect=dialect, column_keys=list(keys) or None)
        self._dialect = dialect
        defaults = {c.key: c.default.arg for c in self._compiled.insert_prefetch}
        binds = self._compiled.binds
        self._constants = {
            name: defaults.get(name, bind.effective_value)
            for name, bind in binds.items()
            if name in defaults or not bind.required
        }
        self._lists = [name for name, bind in binds.items() if bind.expanding and bind.required]
        self._forms: dict[tuple[int, ...], tuple[str, list[tuple[str, int | None, _Convert]]]] = {}
        returned = statement.exported_columns if statement.is_select or statement._returning else ()
        self._columns = [
            (index, convert)
            for index, column in enumerate(returned)
            if (convert := column.type.dialect_impl(dialect).result_processor(dialect, None)) is not None
        ]

    def filled_in(self, values: Values) -> tuple[str, list[Any]]:
        """The statement's text and the values in its order."""
        shape = tuple([len(values[name]) for name in self._lists])  # type: ignore[arg-type]
        form = self._forms.get(shape)
        if form is None:
            form = self._forms[shape] = self._form(values)
        text, places = form
        given: list[Any] = []
        for name, index, convert in places:
            value: Any = values[name] if name in values else self._constants[name]
            if index is not None:
                value = value[index]
            given.append(value if convert is None else convert(value))
        return text, given

    def _form(self, values: Values) -> tuple[str, list[tuple[str, int | None, _Convert]]]:
        """The text for lists of that length."""
        state = self._compiled.construct_expanded_state({**self._constants, **values})
        sources: dict[str, tuple[str, int]] = {
            expanded: (name, index)
            for name, several in state.parameter_expansion.items()
            for index, expanded in enumerate(several)
        }
        places = []
        for each in state.positiontup or ():
            name, index = sources.get(each, (each, None))
            kind = self._compiled.binds[name].type.dialect_impl(self._dialect)
            places.append((name, index, kind.bind_processor(self._dialect)))
        return state.statement, places

    def read(self, found: list[Row]) -> list[Row]:
        """Rows as the statement's columns have them."""
        if not self._columns:
            return found
        read = []
        for row in found:
            cells = list(row)
            for index, convert in self._columns:
                cells[index] = convert(cells[index])
            read.append(tuple(cells))
        return read


@cache
def _prepared(statement: sa.Executable, keys: tuple[str, ...]) -> _Prepared:
    return _Prepared(statement, _sqlite(), keys)


@cache
def _sqlite() -> sa.Dialect:
    """What every SQLite file of a process is spoken to in, so that a second store finds the statements of the first."""
    from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

    return SQLiteDialect_pysqlite(dbapi=sqlite3)
