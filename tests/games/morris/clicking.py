"""How an answer of Nine Men's Morris is clicked on the page that writes mails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.site.writing import Gesture


def gestures(kind: str, text: str, facts: dict[str, Any]) -> list[Gesture]:
    return [gesture for line in text.splitlines() for gesture in _line(kind, line)]


def _line(kind: str, line: str) -> Iterator[Gesture]:
    key, _, value = line.partition(": ")
    match key:
        case "Move":
            yield from (("square", point) for point in re.findall(r"[a-g]\d", value))
        case "Offer" | "Accept" if kind == "Move":
            yield "tick", key.lower()
        case "Comment":
            yield "type", "comment", value
        case "Offer" | "Resign":
            return
        case _:
            raise AssertionError(f"{kind}: {line!r} cannot be clicked")
