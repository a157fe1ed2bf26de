"""Sections of the configuration: each declared once, as a class whose annotations say what a value may be.

A table of the file is read in two ways that can't disagree. What stands there exactly as declared is taken as it is
(`taken`), which costs next to nothing: every command reads the file, most of them for the address of the store alone.
Whatever else there is - a fault, or a value that may still be understood - is judged by pydantic (`judged`), from the
same annotations; it is loaded for nothing but that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    NoReturn,
    TypeGuard,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
)

if TYPE_CHECKING:
    from pydantic import BaseModel, GetCoreSchemaHandler
    from pydantic_core import CoreSchema

S = TypeVar("S", bound="Section")


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Section:
    """A section of the file: named values that stay as they are, each with a default; what it does not know is a
    mistake. Like a dataclass, but no code is made for each class, which cost a command more than all it read here."""

    kinds: ClassVar[Mapping[str, Any]] = {}  # what may stand in it, by name: the annotations

    def __init_subclass__(cls) -> None:
        known: dict[str, Any] = {}
        for above in reversed(cls.__mro__[1:]):
            known |= above.kinds if is_section(above) else {}
        cls.kinds = {**known, **cls.__annotations__}

    def __init__(self, **given: Any) -> None:
        if not self.kinds.keys() >= given.keys():
            raise TypeError(
                f"{type(self).__name__} has no {', '.join(sorted(given.keys() - self.kinds.keys()))}"
            )
        self.__dict__.update({name: getattr(type(self), name) for name in self.kinds}, **given)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} stays as it is")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"
        )


def is_section(kind: Any) -> TypeGuard[type[Section]]:
    return isinstance(kind, type) and issubclass(kind, Section)


class NotPlain(Exception):
    """A value is not exactly as its section declares it; whether it can be understood is pydantic's to say."""


# --- what an annotation may say of a value, beside its type --------------------------------------------------------


class Read:
    """How the file writes such a value ("48h"): a function to the value itself; what it does not know it gives back.
    It raises ValueError, in words for the moderator."""

    def __init__(self, read: Callable[[object], object]) -> None:
        self.read = read

    def __get_pydantic_core_schema__(self, kind: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core.core_schema import no_info_before_validator_function

        return no_info_before_validator_function(self.read, handler(kind))


class Held:
    """What a value must hold to: a function that raises ValueError, in words for the moderator."""

    def __init__(self, check: Callable[[Any], None]) -> None:
        self.check = check

    def __get_pydantic_core_schema__(self, kind: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core.core_schema import no_info_after_validator_function

        return no_info_after_validator_function(self._checked, handler(kind))

    def _checked(self, value: Any) -> Any:
        self.check(value)
        return value


class Bounds(ABC):
    """What a value is compared with. pydantic asks it for its parts, in the words of `annotated_types`."""

    __is_annotated_types_grouped_metadata__: Literal[True] = True

    @abstractmethod
    def __iter__(self) -> Iterator[object]: ...

    @abstractmethod
    def hold(self, value: Any) -> bool: ...


class Above(Bounds):
    """A number above another."""

    def __init__(self, below: int) -> None:
        self.below = below

    def __iter__(self) -> Iterator[object]:
        from annotated_types import Gt

        yield Gt(self.below)

    def hold(self, value: Any) -> bool:
        return bool(value > self.below)


class Within(Bounds):
    """A number from `least` to `most`, both included."""

    def __init__(self, least: int, most: int | None = None) -> None:
        self.least = least
        self.most = most

    def __iter__(self) -> Iterator[object]:
        from annotated_types import Ge, Le

        yield Ge(self.least)
        if self.most is not None:
            yield Le(self.most)

    def hold(self, value: Any) -> bool:
        return bool(value >= self.least and (self.most is None or value <= self.most))


class Long(Bounds):
    """A text of `least` to `most` characters."""

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most

    def __iter__(self) -> Iterator[object]:
        from annotated_types import MaxLen, MinLen

        yield MinLen(self.least)
        yield MaxLen(self.most)

    def hold(self, value: Any) -> bool:
        return self.least <= len(value) <= self.most


# --- read as it stands ---------------------------------------------------------------------------------------------


def taken(section: type[S], table: object) -> S:
    """The section that a table of the file holds exactly as declared. Raises NotPlain."""
    if not isinstance(table, dict):
        raise NotPlain
    if not section.kinds.keys() >= table.keys():
        raise NotPlain
    return section(**{name: _value(section.kinds[name], value) for name, value in table.items()})


def _value(kind: Any, value: object) -> Any:
    """A value of the declared kind. Raises NotPlain."""
    if marks := getattr(kind, "__metadata__", ()):
        return _marked(kind.__origin__, marks, value)
    whole, parts = get_origin(kind), get_args(kind)
    if is_section(kind):
        return taken(kind, value)
    if whole is UnionType:  # with None, which no file can say
        return _value(parts[0], value)
    if whole is Literal and type(value) is str and value in parts:
        return value
    if whole is tuple and type(value) is list:
        return tuple(_value(parts[0], each) for each in value)
    if whole is dict and type(value) is dict:
        return {_value(parts[0], key): _value(parts[1], each) for key, each in value.items()}
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise NotPlain
    return value


def _marked(kind: Any, marks: tuple[object, ...], value: object) -> Any:
    """A value of whose kind more is said than its type. Raises NotPlain."""
    try:
        for mark in marks:
            if isinstance(mark, Read):
                value = mark.read(value)
        value = _value(kind, value)
        for mark in marks:
            if isinstance(mark, Held):
                mark.check(value)
            elif isinstance(mark, Bounds) and not mark.hold(value):
                raise NotPlain
    except (ValueError, OverflowError):
        raise NotPlain from None
    return value


# --- judged --------------------------------------------------------------------------------------------------------


def judged(section: type[S], table: object) -> S:
    """The section that a table holds, as far as it can be understood. Raises pydantic's ValidationError with every
    fault."""
    return _plain(section, _model(section).model_validate(table))


def _model(section: type[Section]) -> type[BaseModel]:
    """The section as a model of pydantic, by the same name."""
    from pydantic import ConfigDict, create_model

    declared: dict[str, Any] = {
        name: (_model(kind) if is_section(kind) else kind, getattr(section, name))
        for name, kind in section.kinds.items()
    }
    return create_model(section.__name__, __config__=ConfigDict(extra="forbid", frozen=True), **declared)


def _plain(section: type[S], model: BaseModel) -> S:
    """What a model of the section holds, where the file said anything of it."""
    said = {name: getattr(model, name) for name in section.kinds if name in model.model_fields_set}
    return section(
        **{
            name: _plain(kind, value) if is_section(kind := section.kinds[name]) else value
            for name, value in said.items()
        }
    )
