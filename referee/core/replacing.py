"""A value like another one, but for some fields: `dataclasses.replace`, in a third of the time.

States, matches and letters have some twenty fields each and change one or two of them with every event: what is copied
is what such a change costs. A frozen class with slots sets its fields one by one through `object.__setattr__`; here
they are copied from slot to slot.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from types import MemberDescriptorType
from typing import Any, TypeVar, cast

T = TypeVar("T")
_Setter = Callable[[object, object], None]
_Slots = tuple[Callable[[object], tuple[object, ...]], tuple[_Setter, ...], Mapping[str, _Setter]]


def replace(value: T, /, **changes: Any) -> T:
    """The value with these fields changed. Raises TypeError where it has no such field."""
    kind: Any = type(value)
    slots = _slots(kind)
    if slots is None:
        return cast(T, dataclasses.replace(cast(Any, value), **changes))
    held, setters, by_name = slots
    new: T = object.__new__(kind)
    for put, old in zip(setters, held(value), strict=True):
        put(new, old)
    try:
        for name, given in changes.items():
            by_name[name](new, given)
    except KeyError:
        raise TypeError(f"{kind.__name__} has no field {name!r}") from None
    return new


@cache
def _slots(kind: type[Any]) -> _Slots | None:
    """How the slots of a class are read and set; None of a class that has others than slots, too few to be read at
    once, or makes more of its values than they are."""
    if not dataclasses.is_dataclass(kind):
        return None
    names = [field.name for field in dataclasses.fields(kind) if field.init]
    slots = [getattr(kind, name, None) for name in names]
    simple = (
        len(names) > 1 and len(names) == len(dataclasses.fields(kind)) and not hasattr(kind, "__post_init__")
    )
    if not simple or not all(isinstance(slot, MemberDescriptorType) for slot in slots):
        return None
    setters = tuple(cast(MemberDescriptorType, slot).__set__ for slot in slots)
    return attrgetter(*names), setters, dict(zip(names, setters, strict=True))
