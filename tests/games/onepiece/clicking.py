"""How an answer of One Piece For Two is clicked on the page that writes mails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.site.writing import Gesture

FURTHER = {
    "onepiece shown": (
        "onepiece",
        4,
        {"max_claim": "4", "target": "40", "adjudication": "players", "press": "on"},
    )
}


def gestures(kind: str, text: str, facts: dict[str, Any]) -> list[Gesture]:
    return [gesture for line in text.splitlines() for gesture in _line(kind, line)]


def _line(kind: str, line: str) -> Iterator[Gesture]:
    key, _, value = line.partition(": ")
    match key:
        case "Colours" | "Edge":
            yield "choose", "value", value
        case "Move":
            lifted, _, put = value.rpartition(">")
            if lifted:
                yield "square", re.findall(r"[a-z]\d+", lifted)[0]
            yield "square", re.findall(r"R([a-z]\d+)", put)[0]
            yield "square", re.findall(r"B([a-z]\d+)", put)[0]
        case "Claim":
            yield "pick", "claim", value
        case "Demonstrate":
            yield "pick", "ply", value
        case "Give up":
            yield "tick", "over"
        case "Offer" if kind == "Move":
            yield "tick", "offer"
        case "Comment":
            yield "type", "comment", value
        case "Offer" | "Accept" | "Resign":
            return
        case _:
            raise AssertionError(f"{kind}: {line!r} cannot be clicked")
