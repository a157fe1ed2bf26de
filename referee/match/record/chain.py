"""The public record as a chain of hashes: each entry's hash covers the one before it.

    hash = SHA-256(previous hash, as hexadecimal text, LF, the entry's public form as canonical JSON)

Canonical JSON: UTF-8, keys sorted, no spaces. The first entry's previous hash is empty. Secret entries have no
public form and leave no trace, not even in a count.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

from referee.match import events as ev
from referee.match.events import Entry


def public_form(entry: Entry) -> dict[str, Any]:
    """What everybody may know of a public entry: no address, no zone, no count of secret entries."""
    body = ev.CODEC.encode(entry.event)
    match entry.event:
        case ev.MatchOpened():
            body["roster"] = [{"name": person["name"]} for person in body["roster"]]
            if body["continues"] is None:
                del body["continues"]  # what older programs wrote keeps its hash
        case ev.EntrantJoined() | ev.EntrantReplaced():
            body["entrant"] = {"name": body["entrant"]["name"]}
        case ev.MatchRewound():
            del body["to"]
    return {"position": entry.position, "at": stamp(entry.at), **body}


def stamp(at: datetime) -> str:
    """The moment in ISO 8601, UTC, with Z."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def hash_of(previous: str, form: dict[str, Any]) -> str:
    return hashlib.sha256(f"{previous}\n{canonical(form)}".encode()).hexdigest()


def link(previous: str, entry: Entry) -> str:
    """The chain's head after a public entry."""
    return hash_of(previous, public_form(entry))


def private_again(form: dict[str, Any]) -> Entry:
    """A public entry read back: persons have names only, and versions are public positions."""
    body = {key: value for key, value in form.items() if key not in ("position", "at")}
    position: int = form["position"]
    if body["is"] == "MatchOpened":
        body["roster"] = [{"name": person["name"], "addresses": []} for person in body["roster"]]
    if body["is"] in ("EntrantJoined", "EntrantReplaced"):
        body["entrant"] = {"name": body["entrant"]["name"], "addresses": []}
    if body["is"] == "MatchRewound":
        body["to"] = body["back_to"]
    return Entry(
        position, position, position, datetime.fromisoformat(form["at"]), ev.CODEC.decode(body), True
    )
