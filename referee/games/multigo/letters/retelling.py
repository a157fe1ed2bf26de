"""A public record read for its story: the game's events as they stand, and who sits where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.core.codec import Codec
from referee.games.multigo.events import Event


def retold(record: Mapping[str, Any], codec: Codec) -> tuple[Event, ...]:
    """The game's public events in order, without those that a rewind took back."""
    told: list[tuple[int, Event]] = []
    for entry in record["entries"]:
        if entry["is"] == "Happened":
            told.append((entry["position"], codec.decode(entry["event"])))
        elif entry["is"] == "MatchRewound":
            told = [(position, event) for position, event in told if position <= entry["back_to"]]
    return tuple(event for _, event in told)


def named(record: Mapping[str, Any]) -> dict[int, str]:
    """The latest name of every seat, where the seats have been given out."""
    roster: list[str] = []
    seats: dict[int, str] = {}
    for entry in record["entries"]:
        match entry["is"]:
            case "MatchOpened":
                roster = [person["name"] for person in entry["roster"]]
            case "EntrantJoined":
                roster.append(entry["entrant"]["name"])
            case "EntrantLeft":
                del roster[entry["seat"] - 1]
            case "MatchBegun":
                seats = dict(zip(entry["seating"], roster, strict=True))
            case "EntrantReplaced":
                seats[entry["seat"]] = entry["entrant"]["name"]
    return seats
