"""`replace` gives what `dataclasses.replace` gives."""

import dataclasses
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from referee.core.replacing import replace
from referee.match.match import Match
from referee.offices.outgoing.letters import Head

AT = datetime(2026, 3, 1, tzinfo=UTC)
MATCH = Match("Tern", "buttons", {}, 2, AT, "", False, None, ())
HEAD = Head("speaker", "collector", "ann@example.org", "Ann", "Hello", "<1@x>", AT)


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 2


@dataclass(frozen=True, slots=True)
class Named(Point):
    name: str = "here"
    seen: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Single:
    only: int


@dataclass(frozen=True)
class Loose:
    x: int
    y: int = 2


@dataclass(frozen=True, slots=True)
class Made:
    x: int
    double: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "double", 2 * self.x)


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        (Point(1), {"y": 5}),
        (Point(1), {}),
        (Named(1, 2, "there", [3]), {"x": 7, "seen": []}),
        (Single(1), {"only": 2}),
        (Loose(1), {"x": 4}),
        (Made(2), {"x": 4}),
        (MATCH, {"status": "open", "standing": object(), "version": 9}),
        (HEAD, {"recipient": "", "references": ("<0@x>",), "in_reply_to": None}),
    ],
)
def test_it_is_the_value_with_its_fields_changed(value: Any, changes: dict[str, object]) -> None:
    as_it_was = repr(value)
    changed = replace(value, **changes)
    assert type(changed) is type(value)
    assert changed == dataclasses.replace(value, **changes)
    assert changed is not value
    assert repr(value) == as_it_was


@pytest.mark.parametrize("value", [Point(1), Single(1), Loose(1), Made(1), MATCH, "a text"])
def test_a_field_that_is_not_there_is_an_error(value: Any) -> None:
    with pytest.raises(TypeError):
        replace(value, nowhere=1)


def test_the_copy_is_frozen_too() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(Point(1), y=3).x = 4  # type: ignore[misc]
