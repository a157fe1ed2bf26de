"""The public record as a chain of hashes: each entry's hash covers the one before it.

    hash = SHA-256(previous hash, as hexadecimal text, LF, the entry's public form as canonical JSON)

where a digest stands for each name and each text of somebody's own (`salts.covered`).
Canonical JSON: UTF-8, keys sorted, no spaces. The first entry's previous hash is empty. Secret entries have no
public form and leave no trace, not even in a count.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

from referee.core.codec import JsonDict
from referee.match import events as ev
from referee.match.chain.salts import covered
from referee.match.events import Entry


def public_form(entry: Entry) -> JsonDict:
    """What everybody may know of a public entry, as it was first written: no address, no zone, no count of secret
    entries. So the chain covers what was written then, and a head that was mailed stays true when shapes change."""
    body = entry.body
    if "roster" in body:
        body["roster"] = [{"name": person["name"]} for person in body["roster"]]
    if "entrant" in body:
        body["entrant"] = {"name": body["entrant"]["name"]}
    if body["is"] == "MatchRewound":
        del body["to"]
    return {"position": entry.position, "at": stamp(entry.at), **body}


def stamp(at: datetime) -> str:
    """The moment in ISO 8601, UTC, with Z."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: Any) -> str:
    return _CANONICAL.encode(value)


def hash_of(previous: str, form: JsonDict) -> str:
    """The chain's head after a public entry of that form."""
    return hashlib.sha256(f"{previous}\n{canonical(covered(form))}".encode()).hexdigest()


def private_again(form: JsonDict) -> Entry:
    """A public entry read back: persons have names only, and versions are public positions."""
    body = {key: value for key, value in form.items() if key not in ("position", "at")}
    position: int = form["position"]
    if "roster" in body:
        body["roster"] = [{"name": person["name"], "addresses": []} for person in body["roster"]]
    if "entrant" in body:
        body["entrant"] = {"name": body["entrant"]["name"], "addresses": []}
    if body["is"] == "MatchRewound":
        body["to"] = body["back_to"]
    at = datetime.fromisoformat(form["at"])
    return Entry(position, position, position, at, ev.CODEC.decode(body), True, written=body)
