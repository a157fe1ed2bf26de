"""What tables and their rows are made of: each column of a row is said once. Moments are stored as
ISO 8601 text in UTC, of one width, so that they sort and can be read."""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from types import NoneType
from typing import Annotated, Any, Final, get_args, get_type_hints

import sqlalchemy as sa


class Moment(sa.types.TypeDecorator[datetime]):
    """An aware datetime, to the microsecond, as text."""

    impl = sa.String(27)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> str | None:
        return None if value is None else f"{value.astimezone(UTC).isoformat('T', 'microseconds')[:26]}Z"

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> datetime | None:
        return None if value is None else datetime.fromisoformat(value)


class Foreign(sa.types.TypeDecorator[str]):
    """Text that came from outside, whatever is in it: what a database would not take (NUL, lone surrogates) is
    written as escapes, and an index over it never sees more than `LONGEST` characters."""

    impl = sa.Text
    cache_ok = True
    LONGEST = 250

    def __init__(self, *, indexed: bool = False) -> None:
        super().__init__()
        self._longest = self.LONGEST if indexed else None

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        return None if value is None else _storable(value, self._longest)


def _storable(text: str, longest: int | None) -> str:
    """The text as every database takes it; one that is too long ends in the digest of the whole."""
    plain = text.encode("utf-8", "backslashreplace").decode().replace("\x00", "\\x00")
    if longest is None or len(plain) <= longest:
        return plain
    return f"{plain[: longest - 64]}{hashlib.sha256(plain.encode()).hexdigest()}"


def as_indexed(text: str) -> str:
    """What an indexed column of foreign text holds of it: to find it among rows again."""
    return _storable(text, Foreign.LONGEST)


metadata = sa.MetaData()
_TYPES: Final[dict[Any, Any]] = {
    str: sa.Text, int: sa.Integer, bool: sa.Boolean, datetime: Moment, bytes: sa.LargeBinary,
}  # fmt: skip


def table(name: str, /, *parts: sa.schema.SchemaItem, keys: int = 0, **filled: Any) -> sa.Table:
    """A table of these parts, behind columns that are never empty, of which the first so many are
    its key: each by its type or, as a text, by the column of another table that it names."""
    own = []
    for number, (column, told) in enumerate(filled.items()):
        kind = sa.ForeignKey(told) if isinstance(told, str) else told
        own.append(sa.Column(column, kind, primary_key=number < keys, nullable=False))
    return sa.Table(name, metadata, *own, *parts)


def columns(row: type, key: str = "", **more: dict[str, Any]) -> Iterator[sa.Column[Any]]:
    """The columns of a row's fields, one of them the `key`; `more` is what else is said of some."""
    for name, hint in get_type_hints(row, include_extras=True).items():
        plain, *told = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
        optional = NoneType in (kinds := get_args(plain))
        kind = told[0] if told else _TYPES[kinds[0] if optional else plain]
        yield sa.Column(name, kind, primary_key=name == key, nullable=optional, **more.get(name, {}))


INDEXED: Final[dict[str, Any]] = {"index": True}
NO: Final[dict[str, Any]] = {"default": False, "server_default": sa.false()}
ENTRY: Final[dict[str, Any]] = {"at": Moment, "kind": sa.String(40), "body": sa.Text}  # of a ledger
Digest = Annotated[str, sa.String(64)]
Name = Annotated[str, sa.String(80)]  # of a match, or a gathering
NameIfAny = Annotated[str | None, sa.String(80)]
Found = Annotated[str | None, Foreign(indexed=True)]  # words of others that rows are found by
