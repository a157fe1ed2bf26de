"""What is stored of any age is read as one of today's kinds, by way of every change there was."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from referee.core.codec import BadUpcast, Codec, UnknownKind, Upcast


@dataclass(frozen=True)
class Third:
    number: int
    word: str = ""


@dataclass(frozen=True)
class Plain:
    text: str


def step(
    old: str, new: str, change: Callable[[dict[str, Any]], dict[str, Any]] = lambda body: body
) -> Upcast:
    return Upcast(old, new, change)


CHAIN = [
    step("Second", "Third", lambda body: {"number": body["n"]}),
    step("First", "Second", lambda body: {"n": int(body["text"])}),
]


def test_an_object_of_any_age_is_read_in_as_many_steps_as_there_were_changes() -> None:
    codec = Codec([Third, Plain], CHAIN)
    assert codec.decode({"is": "First", "text": "7"}) == Third(7)
    assert codec.decode({"is": "Second", "n": 7}) == Third(7)
    assert codec.decode(codec.encode(Third(7))) == Third(7)


def test_what_was_stored_is_not_changed_by_reading_it() -> None:
    stored = {"is": "First", "text": "7"}
    Codec([Third], CHAIN).decode(stored)
    assert stored == {"is": "First", "text": "7"}


@pytest.mark.parametrize(
    ("upcasts", "why"),
    [
        ([step("A", "B"), step("B", "A")], "circle"),
        ([step("A", "A")], "circle"),
        ([step("A", "B"), step("B", "C"), step("C", "B")], "circle"),
        ([step("A", "Nothing")], "nobody knows"),
        ([step("A", "B"), step("B", "Nothing")], "nobody knows"),
        ([step("Plain", "Third")], "written today"),
        ([step("Third", "Third")], "written today"),
        ([step("A", "Third"), step("A", "Plain")], "two upcasters"),
    ],
)  # fmt: skip
def test_reading_cannot_run_in_a_circle_or_into_nothing(upcasts: list[Upcast], why: str) -> None:
    with pytest.raises(BadUpcast, match=why):
        Codec([Third, Plain], upcasts)


def test_no_upcaster_decides_where_it_leads() -> None:
    """It gives a body, without a kind: one that puts `is` there is not obeyed."""
    codec = Codec([Third], [step("A", "Third", lambda body: {"is": "A", "number": 1})])
    assert codec.decode({"is": "A"}) == Third(1)


def test_a_kind_nobody_knows_is_told_as_such() -> None:
    with pytest.raises(UnknownKind):
        Codec([Third], CHAIN).decode({"is": "Zeroth"})


def test_the_class_of_what_would_be_read_is_told_without_reading_it() -> None:
    codec = Codec([Third, Plain], CHAIN)
    assert codec.kind_of({"is": "First", "text": "no number"}) is Third
    assert codec.kind_of({"is": "Plain"}) is Plain
    with pytest.raises(UnknownKind):
        codec.kind_of({"is": "Zeroth"})
