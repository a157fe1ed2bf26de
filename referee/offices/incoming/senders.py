"""Who sent a mail: the proofs there are, and whether they are enough for what it asks."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Literal

from referee.core.addresses import address_key
from referee.match.sealing import Keys
from referee.offices.incoming.routing import Route, seats_of
from referee.offices.matches import Matches
from referee.offices.ports.mail import Mail, Signatures
from referee.offices.ports.store import KeptMail, Person, Unit
from referee.offices.settings import Need, Settings

Weight = Literal["enough", "weak", "none"]

_MOST_STATED = 2  # pass phrases in one mail
_COST = {"n": 2**14, "r": 8, "p": 1}  # of scrypt


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a mail's sender. `seats` are those he may speak for, should it be proved that he is who he says;
    `registered` tells that his address is theirs, `vouched` that a server or a signature says the mail is from there,
    `denied` that a trusted server says it is not; `token` that it was sent to a reply address of one of the seats;
    `phrase` None where it holds none, else whether it is the right one; `guarded` that a pass phrase is kept; `signed`
    whether its OpenPGP signature is of a registered key (None: there is none to check); `owned` that the owner has
    said it is his (or the moderator let it pass)."""

    seats: tuple[Route, ...]
    registered: bool
    vouched: bool = False
    denied: bool = False
    token: bool = False
    phrase: bool | None = None
    guarded: bool = False
    signed: bool | None = None
    owned: bool = False

    @property
    def proof(self) -> str:
        """The best of the proofs, by name. Doubtful mails are counted apart by it: forged ones, which prove an address
        at most, use up nothing of what their alleged sender proves himself."""
        found = {
            "phrase": self.phrase is True,
            "signature": self.signed is True,
            "denied": self.refuted,
            "token": self.token and self.registered,
            "vouched": self.vouched and self.registered,
            "token from elsewhere": self.token,
        }
        return next((name for name, so in found.items() if so), "address")

    @property
    def refuted(self) -> bool:
        """Whether a trusted server denies it, and nothing that its sender alone knows says otherwise: less than a From
        that nobody denies."""
        return self.denied and not (self.owned or self.phrase or self.signed)

    @property
    def from_there(self) -> bool:
        """Whether more than a From says that it is from that very address, a player's or not."""
        return self.vouched or (self.registered and self.proved and not self.refuted)

    @property
    def proved(self) -> bool:
        """Whether anything but a From line, which anybody can write, says whose mail it is."""
        return bool(self.owned or self.token or self.vouched or self.phrase or self.signed)

    @property
    def evidence(self) -> str:
        """The proofs in words, for the moderator."""
        words = {
            "a registered address": self.registered,
            "vouched for": self.vouched,
            "denied by the mail server": self.denied,
            "a reply address of a letter": self.token,
            "the right pass phrase": self.phrase is True,
            "a wrong pass phrase": self.phrase is False,
            "a good OpenPGP signature": self.signed is True,
            "a bad OpenPGP signature": self.signed is False,
            "confirmed": self.owned,
        }
        return ", ".join(word for word, so in words.items() if so) or "an unknown address"


UNKNOWN = Standing((), registered=False)


@dataclass(frozen=True, slots=True)
class Senders:
    """Weighs what proves who sent a mail (RFC 8601 results, signatures, reply addresses, pass phrases)."""

    matches: Matches
    keys: Keys
    settings: Settings
    signatures: Signatures | None

    def standing(self, unit: Unit, kept: KeptMail, mail: Mail) -> Standing:
        """What is known of the mail's sender."""
        own = seats_of(unit, self.matches, mail.sender) if mail.sender else ()
        held = {place for token in mail.tokens if (place := unit.seat_of_token(token)) is not None}
        by_token = tuple(Route(self.matches.outline(unit, name), seat) for name, seat in sorted(held))
        seats = own or by_token
        people = [unit.person(address) for address in _speaking(mail, own, by_token)]
        phrase, guarded = self._phrase(mail, people)
        return Standing(
            seats=seats,
            registered=bool(own),
            vouched=mail.evidence[0] == "aligned",
            denied=mail.evidence[0] == "failed",
            token=any((r.match.name, r.seat) in held for r in seats),
            phrase=phrase,
            guarded=guarded,
            signed=self._signed(unit, kept, mail, people),
            owned=kept.confirmed or (kept.released and bool(seats)),
        )

    def weigh(self, standing: Standing, mail: Mail, command: str) -> Weight:
        """Whether it is enough for a command ("order": an answer to a game). Weak: its owner must confirm it."""
        s = standing
        if not s.seats or (s.denied and not s.registered):
            return "none"
        if s.owned:
            return "enough"
        need = self.settings.senders.needed(mail.office, command)
        if need == "confirm" or s.phrase is False:
            return "weak"
        if s.phrase or s.signed:
            return "enough" if s.registered or s.token else "weak"
        if not s.registered or s.denied or s.guarded:
            return "weak"
        return "enough" if self._fulfils(s, need) else "weak"

    @staticmethod
    def _fulfils(s: Standing, need: Need) -> bool:
        """Whether a registered address, with what else there is but a phrase, is what is needed."""
        return {"address": True, "vouched": s.vouched or s.token, "token": s.token}.get(need, False)

    def _signed(self, unit: Unit, kept: KeptMail, mail: Mail, people: list[Person]) -> bool | None:
        """Whether an OpenPGP signature is of a key of the sender's, over all of his words, and came with no other
        mail; None where there is no signature, no key, or nothing to check it with."""
        keys = list(dict.fromkeys(person.key for person in people if person.key))
        signed = mail.signed
        if signed is None or not keys or self.signatures is None:
            return None
        if not signed.whole or unit.signed_before(kept):
            return False
        return any(self.signatures.holds(signed, key) for key in keys)

    @staticmethod
    def _phrase(mail: Mail, people: list[Person]) -> tuple[bool | None, bool]:
        """Whether the pass phrase stated is right (None: none is stated), and whether one is kept at all."""
        hashes = [person.phrase for person in people if person.phrase]
        stated = [words for which, words in mail.phrases if which != "new"]
        if not hashes:
            return None, False
        if not stated:
            return None, True
        if len(set(stated)) > _MOST_STATED:
            return False, True  # whoever knows it states it; this one guesses, and each guess costs a scrypt
        return any(fits(words, kept) for words in stated for kept in hashes), True

    def hashed(self, phrase: str, address: str, identity: str) -> str:
        """A pass phrase as it is kept: scrypt, with a salt of its own (made from the secret, so that runs repeat)."""
        salt = self.keys.derive("phrase-salt", address_key(address), identity)[:32]
        return f"scrypt${salt}${_scrypt(phrase, salt)}"


def _speaking(mail: Mail, own: tuple[Route, ...], by_token: tuple[Route, ...]) -> list[str]:
    """The addresses whose phrase and key count: the sender's, where he has a seat; else those to which the letters go
    whose reply addresses he used. What others of a seat have set says nothing of him."""
    if own and mail.sender:
        return [address_key(mail.sender)]
    return sorted({address_key(r.match.entrant(r.seat).addresses[0]) for r in by_token if r.match.known})


def fits(phrase: str, kept: str) -> bool:
    """Whether the phrase is the one that is kept as this hash."""
    _, salt, digest = kept.split("$")
    return hmac.compare_digest(_scrypt(phrase, salt), digest)


def _scrypt(phrase: str, salt: str) -> str:
    plain = " ".join(phrase.split()).casefold().encode("utf-8", "surrogatepass")
    return hashlib.scrypt(plain, salt=bytes.fromhex(salt), dklen=32, maxmem=64 * 2**20, **_COST).hex()
