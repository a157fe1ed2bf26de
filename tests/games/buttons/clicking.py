"""How an answer of Buttons and bridges is clicked on the page that writes mails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.site.writing import Gesture


def gestures(kind: str, text: str, facts: dict[str, Any]) -> list[Gesture]:
    return [gesture for line in text.splitlines() for gesture in _line(kind, line)]


def _line(kind: str, line: str) -> Iterator[Gesture]:
    key, _, value = line.partition(": ")
    match key:
        case "Move":
            ends = value.split("-")
            yield from (("square", space) for space in (ends[0], ends[-1]))
        case "Place":
            number, space = value.split()[-2:]
            yield "choose", "value", number.strip("BW")
            yield "square", space
        case "Goal":
            yield "choose", "goal", value
        case "Undo":
            yield "press", "undo"
        case "Give up":
            yield "tick", "over"
        case "Offer" | "Accept" if kind == "Move":
            yield "tick", key.lower()
        case "Comment":
            yield "type", "comment", value
        case "Offer" | "Resign":
            return
        case _:
            raise AssertionError(f"{kind}: {line!r} cannot be clicked")
