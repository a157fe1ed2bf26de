"""How an answer of Go is clicked on the page that writes mails."""

import re
from collections.abc import Iterator
from typing import Any

from tests.site.writing import Gesture

FURTHER = {
    "go with alliances": ("multigo", 4, {"board": "9x9", "coop": "on", "strategic": "on", "dead": "none"}),
    "go with press": ("multigo", 3, {"board": "9x9", "press": "on"}),
}


def gestures(kind: str, text: str, facts: dict[str, Any]) -> list[Gesture]:
    return [gesture for line in text.splitlines() for gesture in _line(kind, line, facts)]


def _line(kind: str, line: str, facts: dict[str, Any]) -> Iterator[Gesture]:
    key, _, value = line.partition(": ")
    words = [word for word in re.split(r"[ ,]+", value) if word]
    match key:
        case "Pass" | "Resign":
            yield from [("tick", "pass")] if key == "Pass" else []
        case "Move" | "Then":
            yield from (("square", point) for point in words)
        case "Take":
            colours = facts["facts"]["colours"]
            for count, colour in zip(words[::2], words[1::2], strict=True):
                yield "count", f"take-{colours.index(colour) + 1}", int(count)
        case "Prefer":
            yield from (("press", colour) for colour in words)
        case "Dead":
            yield from [("tick", "none")] if words == ["none"] else [("square", point) for point in words]
        case "Ally":
            colours = facts["facts"]["colours"]
            if words == ["none"]:
                yield "tick", "none"
            yield from (("tick", f"with-{colours.index(c.lower()) + 1}") for c in words if c != "none")
        case "Comment" | "Press":
            yield "type", "comment", value
        case _:
            raise AssertionError(f"{kind}: {line!r} cannot be clicked")
