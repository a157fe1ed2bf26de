"""How an answer of Fourplay is clicked on the page that writes mails."""

import re
from collections.abc import Iterator
from typing import Any

from tests.site.writing import Gesture

_HEADS = {"Purchases:", "Setup:", "Pieces owned:", "none", ""}


def gestures(kind: str, text: str, facts: dict[str, Any]) -> list[Gesture]:
    found: list[Gesture] = []
    if kind in ("Purchase", "Setup"):
        party = facts["party"]
        found = [] if facts.get("known") else [("type", "email", party.addresses[0])]
    makers = {"Purchase": _purchase, "Setup": _setup, "Turn": _turn, "Objection": _objection, "Ready": _ready}
    return found + (list(makers[kind](text.splitlines())) if kind in makers else [])


def _ready(lines: list[str]) -> Iterator[Gesture]:
    for line in lines:
        key, _, value = line.partition(": ")
        if key in ("Office", "Colours", "Trim", "Comment"):
            yield "type", key.lower(), value


def _purchase(lines: list[str]) -> Iterator[Gesture]:
    for line in lines:
        if lot := re.match(r"(\d+) ([\w' ]+),", line):
            yield "count", f"buy-{lot[2]}", int(lot[1])
        elif line.startswith("Mascot: "):
            yield "pick", "mascot", line.removeprefix("Mascot: ")


def _setup(lines: list[str]) -> Iterator[Gesture]:
    for line in lines[lines.index("Setup:") :]:
        key, _, value = line.partition(": ")
        if line in _HEADS:
            continue
        if key == "Mascot":
            square = value.split()[-1]
            several = next(row for row in lines if row.startswith(value.removesuffix(square).strip() + ": "))
            if several.count(","):
                yield "pick", "mascot", square
            continue
        yield "choose", "hand", key
        for square in value.split(", "):
            yield "square", square


def _turn(lines: list[str]) -> Iterator[Gesture]:
    """A piece, where it goes, and the way where there are several."""
    for line in lines:
        key, _, rest = line.partition(": ")
        stated = rest.split(", ")
        squares = stated[0].split("-")
        shot = next((s.rpartition(" on ")[2] for s in stated if s.startswith("captures") and " on " in s), "")
        if line == "Pass":
            yield "tick", "pass"
        elif key == "Purchase":
            yield "tick", "shop"
            for lot in stated[:-1]:
                count, _, name = lot.partition(" ")
                yield "count", f"buy-{name}", int(count)
        elif key == "Comment":
            yield "type", "comment", rest
        elif squares[0] == "off":
            yield "choose", "hand", "mascot" if "Mascot returned" in stated else key
            yield "square", squares[1]
        elif key == "Neutron":
            yield "square", squares[-1]
        else:
            yield "square", squares[0]
            yield "square", shot if squares[0] == squares[-1] and shot else squares[-1]
            yield "way", "-".join(squares)


def _objection(lines: list[str]) -> Iterator[Gesture]:
    for line in lines:
        key, _, value = line.partition(": ")
        if key == "Reason":
            yield "type", "reason", value
        elif key in ("Round", "Turn of Player"):
            yield "pick", key.split()[-1].lower(), value
