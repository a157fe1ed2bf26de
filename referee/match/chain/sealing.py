"""Seals and seeds: what the referee's secret makes, and how anyone checks it afterwards.

One formula for every sealed round of every game:

    seal = HMAC-SHA256(key = nonce, message = match LF label LF opened LF seat LF kind LF about LF text)

in hexadecimal, UTF-8; `opened` is the public position at which the round opened. The nonce is made from the
referee's secret, stays with the referee until the reveal, and is then published beside the text.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from referee.core.owing import Demand
from referee.core.texts.addresses import address_key

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


@dataclass(frozen=True, slots=True)
class Keys:
    """Everything the referee derives from its secret (bytes, at least 16)."""

    secret: bytes

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
        """What stands behind the plus in a moderator's reply address: his alone, and of use for the month of the letter
        and the next."""
        return self.derive("desk-token", address_key(address), f"{at:%Y-%m}")[:20]

    def player(self, name: str, address: str = "") -> str:
        """What tells players of one name apart in public, and gives no address away: the same for a name and the
        address that a person was first entered with. Two names of one person have nothing in common."""
        return self.derive("player", " ".join(name.casefold().split()), address_key(address))[:12]

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


def given_seed(number: int) -> str:
    """The seed that `open --seed N` stands for."""
    return hashlib.sha256(f"referee seed {number}".encode()).hexdigest()
