"""The public record as a chain of hashes: each entry's hash covers the one before it.

    hash = SHA-256(previous hash, as hexadecimal text, LF, the entry's public form as canonical JSON)

Canonical JSON: UTF-8, keys sorted, no spaces. The first entry's previous hash is empty. Secret
entries have no public form and leave no trace, not even in a count.

Each name and each text of somebody's own is covered by a salted digest, so that it can be taken out of an entry for
good, and the chain still stands. An entry's `salts` name the places of its texts (names and numbers parted by dots:
"roster.0.name"), each with its salt. Of a text that was taken out `forgotten` holds the digest, in its place stands
`[forgotten 7]` with the entry's position, and its salt is gone: so nobody can try what it may have been.

    digest = SHA-256(salt, as hexadecimal text, LF, the text)

A sealed answer's text stays as it is: its seal covers it, and the round is judged by it.

Seals and seeds are what the referee's secret makes, and anyone checks afterwards.

One formula for every sealed round of every game:

    seal = HMAC-SHA256(key = nonce, message = match LF label LF opened LF seat LF kind LF about LF text)

in hexadecimal, UTF-8; `opened` is the public position at which the round opened. The nonce is made
from the referee's secret, stays with the referee until the reveal, and is then published beside the
text."""

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from referee.base.errors import RefereeError
from referee.core.codec import JsonDict, JsonObject
from referee.core.game import AnyGame
from referee.core.texts.addresses import address_key
from referee.core.value import Demand, Value, words_in
from referee.match import events as ev

_REWINDS = ("MatchRewound", "ClockTurnedBack")

NO_SALT = "0" * 32
_SALT, _DIGEST = re.compile(r"[0-9a-f]{32}"), re.compile(r"[0-9a-f]{64}")
canonical: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def public_form(entry: ev.Entry) -> JsonDict:
    """What everybody may know of a public entry, as it was first written: no address, no zone, no count of secret
    entries. So the chain covers what was written then, and a head that was mailed stays true when shapes change."""
    body = entry.body
    if "roster" in body:
        body["roster"] = [{"name": person["name"]} for person in body["roster"]]
    if "entrant" in body:
        body["entrant"] = {"name": body["entrant"]["name"]}
    if body["is"] in _REWINDS:
        del body["to"]
    return {"position": entry.position, "at": stamp(entry.at), **body}


def stamp(at: datetime) -> str:
    """The moment in ISO 8601, UTC, with Z."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def hash_of(previous: str, form: JsonDict) -> str:
    """The chain's head after a public entry of that form."""
    return hashlib.sha256(f"{previous}\n{canonical(covered(form))}".encode()).hexdigest()


def private_again(form: JsonDict) -> ev.Entry:
    """A public entry read back: persons have names only, and versions are public positions."""
    body = {key: value for key, value in form.items() if key not in ("position", "at")}
    position: int = form["position"]
    if "roster" in body:
        body["roster"] = [{"name": person["name"], "addresses": []} for person in body["roster"]]
    if "entrant" in body:
        body["entrant"] = {"name": body["entrant"]["name"], "addresses": []}
    if body["is"] in _REWINDS:
        body["to"] = body["back_to"]
    at = datetime.fromisoformat(form["at"])
    return ev.Entry(position, position, position, at, ev.CODEC.decode(body), True, written=body)


# --- texts that can be forgotten ------------------------------------------------------------------


class BadWords(RefereeError, ValueError):
    """A salt or digest of an entry is none, or stands for no text; the argument says which."""


def places_of(game: AnyGame, event: ev.Event) -> list[str]:
    """Where names and words stand in a public entry. An answer's text is told beside its action: it
    is somebody's own words only where the action holds some."""
    match event:
        case ev.Happened(stored):
            return [f"event.{place}" for place in words_in(game.events_codec.decode(stored))]
        case ev.Answered(action=stored):
            found = [f"action.{place}" for place in words_in(game.actions_codec.decode(stored))]
            return [*found, "text"] if found else []
        case ev.RoundRevealed():
            return []
        case ev.MatchOpened():
            return [place for place in words_in(event) if place != "beacon"]  # the draw is made with it
    return list(words_in(event))


def in_place(position: int) -> str:
    """What stands where a text was: for names that must differ, another in every entry."""
    return f"[forgotten {position}]"


def covered(form: JsonObject) -> JsonObject:
    """What the chain covers of an entry. Raises BadWords."""
    if "salts" not in form and "forgotten" not in form:
        return form
    body = {name: value for name, value in form.items() if name not in ("salts", "forgotten")}
    digests = _digests(form, _by_place(form, "salts"))
    for place, told in _by_place(form, "forgotten").items():
        if not _DIGEST.fullmatch(told) or place in digests:
            raise BadWords(f"what stands for the forgotten text at {place[:60]!r} is no digest")
        digests[place] = told
    for place in digests:
        _, body = _swapped(body, place, None)
    return {**body, "words": digests}


def digest(salt: str, text: Any) -> str:
    """What stands for a text. Raises BadWords."""
    if not isinstance(text, str) or not _SALT.fullmatch(salt):
        raise BadWords("a salt is none, or stands for no text")
    return hashlib.sha256(f"{salt}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


def forgotten(form: JsonObject, places: Iterable[str]) -> JsonDict:
    """The entry without the texts at these places, where they have a salt; its hash is the same."""
    return taken_out(form, _digests(form, {place: form["salts"][place] for place in places}))


def _digests(form: JsonObject, salts: Mapping[str, str]) -> dict[str, str]:
    """What stands for the texts that have these salts, by their places."""
    return {place: digest(salt, _swapped(form, place, None)[0]) for place, salt in salts.items()}


def taken_out(form: JsonObject, gone: Mapping[str, str]) -> JsonDict:
    """The entry with these digests in place of its texts."""
    left = {place: salt for place, salt in _by_place(form, "salts").items() if place not in gone}
    told = {**_by_place(form, "forgotten"), **gone}
    body = {name: value for name, value in form.items() if name not in ("salts", "forgotten")}
    for place in gone:
        _, body = _swapped(body, place, in_place(form["position"]))
    return {**body, **({"salts": left} if left else {}), **({"forgotten": told} if told else {})}


def _by_place(form: JsonObject, name: str) -> Mapping[str, str]:
    """The salts or digests of an entry. Raises BadWords where they are none."""
    told = form.get(name, {})
    if not isinstance(told, Mapping) or not all(isinstance(one, str) for one in told.values()):
        raise BadWords(f"its {name} are no texts by their places")
    return told


def _swapped(value: Any, place: str, text: str | None) -> tuple[Any, Any]:
    """What stands at the place, and a copy with that text there. Raises BadWords where there is no such place."""
    step, _, rest = place.partition(".")
    key: Any = int(step) if isinstance(value, list) and step.isdecimal() else step
    there = key in value if isinstance(value, Mapping) else isinstance(key, int) and key < len(value)
    if not there:
        raise BadWords(f"there is nothing at {place[:60]!r}")
    old, new = _swapped(value[key], rest, text) if rest else (value[key], text)
    return old, {**value, key: new} if isinstance(value, Mapping) else [*value[:key], new, *value[key + 1 :]]


# --- seals, seeds, and what else is made of the referee's secret ----------------------------------

SEAL_RECIPE = """\
import hashlib, hmac
message = "\\n".join([match, label, str(opened), str(seat), kind, about, text])
print(hmac.new(bytes.fromhex(nonce), message.encode(), hashlib.sha256).hexdigest())"""


class Secrets(Protocol):
    """What a match asks of the referee's secret. Whoever checks a record has only what it has published of it."""

    def salt(self, match: str, position: int, place: str) -> str:
        """The salt of a text in the public entry of that position: 32 hexadecimal digits."""

    def nonce(self, match: str, label: str, opened: int, demand: Demand) -> str:
        """The key of an answer's seal."""

    def seed(self, match: str) -> str:
        """The seed of the match's draw."""


class Keys(Value):
    """Everything the referee derives from its secret (bytes, at least 16). `same`: of later
    addresses of people the first."""

    secret: bytes
    same: dict[str, str] = field(default_factory=dict, compare=False)

    def derive(self, purpose: str, *parts: str) -> str:
        """64 hexadecimal digits, different for every purpose and every list of parts."""
        message = "\x1f".join((purpose, *(part.replace("\x1f", "\x1f\x1f") for part in parts)))
        return hmac.digest(self.secret, message.encode(), "sha256").hex()

    def nonce(self, match: str, label: str, opened: int, demand: Demand) -> str:
        return self.derive("seal", match, label, str(opened), str(demand.seat), demand.kind, demand.about)

    def reply_token(self, match: str, seat: int, generation: int) -> str:
        """What stands behind the plus in a seat's reply address: opaque, of no use for another seat or match."""
        return self.derive("reply-token", match, str(seat), str(generation))[:20]

    def invitation_token(self, gathering: str, address: str) -> str:
        """What stands behind the plus in the address by which somebody answers an invitation."""
        return self.derive("invitation", gathering, address_key(address))[:20]

    def stop_token(self, match: str, address: str) -> str:
        """What stands behind the plus in the address by which an observer's letters end."""
        return self.derive("stop-token", match, address_key(address))[:20]

    def desk_token(self, address: str, at: datetime) -> str:
        """What stands behind the plus in a moderator's reply address: his alone, and of use for the
        month of the letter and the next."""
        return self.derive("desk-token", address_key(address), f"{at:%Y-%m}")[:20]

    def player(self, name: str, address: str = "") -> str:
        """What tells players of one name apart in public, and gives no address away: the same for a name and the
        address that a person was first entered with. Two names of one person have nothing in common."""
        key = address_key(address)
        return self.derive("player", " ".join(name.casefold().split()), self.same.get(key, key))[:12]

    def number(self, identity: str) -> int:
        """By which a moderator who plays knows a mail, or a letter, that waits: it tells nothing of how many came."""
        return 100_000 + int(self.derive("number", identity)[:12], 16) % 900_000

    def calendar(self, player: str) -> str:
        """The name of a player's calendar, which nobody can guess."""
        return self.derive("calendar", player)[:32]

    def seed(self, match: str) -> str:
        """The seed of the match's draw."""
        return self.derive("draw", match)

    def salt(self, match: str, position: int, place: str) -> str:
        return self.derive("salt", match, str(position), place)[:32]


def seal(nonce: str, match: str, label: str, opened: int, demand: Demand, text: str) -> str:
    """The keyed seal of an answer's canonical text."""
    parts = (match, label, str(opened), str(demand.seat), demand.kind, demand.about, text)
    return hmac.new(bytes.fromhex(nonce), "\n".join(parts).encode(), hashlib.sha256).hexdigest()


def commitment(seed: str) -> str:
    """What is published of the seed before the draw: its SHA-256."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()
