"""Who sent a mail: the proofs there are, and whether they are enough for what it asks."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from referee.core.replacing import replace
from referee.core.texts.addresses import address_key
from referee.match.chain.sealing import Keys
from referee.match.match import Match
from referee.offices.incoming.routing import Route, seats_of, seats_of_tokens
from referee.offices.ports.mail import Made, Mail, Signatures, Signed, Tag
from referee.offices.register.matches import Matches
from referee.offices.settings import Offices, Settings
from referee.store.inbox import KeptMail
from referee.store.people import Person
from referee.store.sql import Unit

Weight = Literal["enough", "weak", "none"]

_SKEW = timedelta(minutes=10)  # between a player's clock and ours
_COMMAND_LASTS = timedelta(days=1)  # a signed command that is of no match: it answers no round
_PERSONAL = frozenset(("timezone", "vacation", "format", "digest", "phrase", "key", "address"))
_NAMELESS = "the signed text does not name the match: write Match: and its name on a line of it"
_STALE = "it was made before this round opened"
_POINTS = "what is signed only points to a letter: write the orders themselves"
_UNSAID = (
    "the signed text does not say what the subject asks: repeat it there on a line, as Subject: and its words"
)
_MOST_STATED = 2  # pass phrases in one mail
_COST = {"n": 2**14, "r": 8, "p": 1}  # of scrypt


@dataclass(frozen=True, slots=True)
class SenderProof:
    """What is known of a mail's sender. `seats` are those he may speak for, should it be proved that he is who he says;
    `registered` tells that his address is theirs, `vouched` that a server or a signature says the mail is from there,
    `denied` that a trusted server says it is not; `token` that it was sent to a reply address of one of the seats;
    `phrase` None where it holds none, else whether it is the right one; `guarded` that a pass phrase is kept; `signed`
    whether its OpenPGP signature is of a registered key and covers what it asks, in the matches `signed_for` (None:
    there is none to check), and `doubt` why not; `owned` that the owner has said it is his (or the moderator let it
    pass). `signature` is the digest of whichever signature proves it. `moderates` tells that the address is a
    moderator's, `desk` that it was sent to his reply address as one."""

    seats: tuple[Route, ...]
    registered: bool
    vouched: bool = False
    denied: bool = False
    token: bool = False
    phrase: bool | None = None
    guarded: bool = False
    signed: bool | None = None
    signed_for: frozenset[str] = frozenset()
    doubt: str = ""
    owned: bool = False
    signature: str | None = None
    moderates: bool = False
    desk: bool = False

    @property
    def best(self) -> str:
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
    def strength(self) -> int:
        """How much is proved: of two mails with the same words the one that proves more is judged."""
        ladder = (
            self.registered,
            self.vouched,
            self.token,
            self.desk or (self.token and self.registered),
            bool(self.signed or self.phrase),
            self.owned,
        )
        return 0 if self.refuted else max((step for step, so in enumerate(ladder, 1) if so), default=0)

    @property
    def proved(self) -> bool:
        """Whether anything but a From line, which anybody can write, says whose mail it is."""
        return bool(self.owned or self.token or self.desk or self.vouched or self.phrase or self.signed)

    @property
    def evidence(self) -> str:
        """The proofs in words, for the moderator."""
        words = {
            "a registered address": self.registered,
            "vouched for": self.vouched,
            "denied by the mail server": self.denied,
            "a reply address of a letter": self.token or self.desk,
            "the right pass phrase": self.phrase is True,
            "a wrong pass phrase": self.phrase is False,
            "a good OpenPGP signature": self.signed is True,
            "a bad OpenPGP signature": self.signed is False,
            "confirmed": self.owned,
        }
        return ", ".join(word for word, so in words.items() if so) or "an unknown address"


@dataclass(frozen=True, slots=True)
class _Checked:
    """An OpenPGP signature: why it proves nothing, or for which matches it does, and what tells it from all others."""

    doubt: str
    matches: frozenset[str] = frozenset()
    digest: str = ""


UNKNOWN = SenderProof((), registered=False)


@dataclass(frozen=True, slots=True)
class Senders:
    """Weighs what proves who sent a mail (RFC 8601 results, signatures, reply addresses, pass phrases)."""

    matches: Matches
    keys: Keys
    offices: Offices
    settings: Settings
    signatures: Signatures | None

    def proof_of(self, unit: Unit, kept: KeptMail, mail: Mail) -> SenderProof:
        """What is known of the mail's sender."""
        own = seats_of(unit, self.matches, mail.sender) if mail.sender else ()
        held = seats_of_tokens(unit, mail.tokens)
        by_token = tuple(Route(self.matches.outline(unit, name), seat) for name, seat in held)
        seats = own or by_token
        moderates = self.offices.moderates(mail.sender)
        people = [unit.person(address) for address in _speaking(mail, own, by_token)]
        phrase, guarded = self._phrase(mail, people)
        signed = self._signed(kept, mail, seats, people)
        vouched = mail.evidence.kind == "aligned"
        return SenderProof(
            seats=seats,
            registered=bool(own),
            vouched=vouched,
            denied=mail.evidence.kind == "failed",
            token=any((r.match.name, r.seat) in held for r in seats),
            phrase=phrase,
            guarded=guarded,
            signed=None if signed is None else not signed.doubt,
            signed_for=signed.matches if signed else frozenset(),
            doubt=signed.doubt if signed else "",
            owned=kept.confirmed or (kept.released and (bool(seats) or moderates)),
            signature=(signed.digest if signed else "")
            or (mail.evidence.signature or None if vouched else None),
            moderates=moderates,
            desk=moderates and self._to_desk(mail, kept.arrived),
        )

    def _to_desk(self, mail: Mail, arrived: datetime) -> bool:
        """Whether a mail was sent to the reply address that its sender's letters as a moderator give."""
        before = arrived.replace(day=1) - timedelta(days=1)
        return any(self.keys.desk_token(mail.sender or "", at) in mail.tokens for at in (arrived, before))

    @staticmethod
    def about(proof: SenderProof, match: str, *, itself: bool) -> SenderProof:
        """The same for that match: an OpenPGP signature says nothing of another than it names, nor anything where the
        signed text does not say itself what it orders."""
        if not proof.signed or (itself and match in proof.signed_for):
            return proof
        doubt = _POINTS if match in proof.signed_for else _NAMELESS
        kept = proof.signature if proof.vouched else None
        return replace(proof, signed=False, doubt=doubt, signature=kept)

    def weigh(self, proof: SenderProof, mail: Mail, command: str) -> Weight:
        """Whether it is enough for a command ("order": an answer to a game). Weak: its owner must confirm it."""
        s = proof
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
        shown = {"address": True, "vouched": s.vouched or s.token, "token": s.token}
        return "enough" if shown.get(need, False) else "weak"

    def may_order(self, proof: SenderProof, mail: Mail) -> bool:
        """Whether it is enough for an order to the desk; else the moderator is asked."""
        if not proof.moderates:
            return False
        if proof.owned:  # by whom he was asked himself, and not the owner of another's seat
            return proof.registered or not proof.seats
        need = self.settings.senders.needed(mail.office, "moderator")
        if need == "confirm" or proof.denied or proof.phrase is False:
            return False
        return bool(proof.phrase) or (need == "token" and proof.desk and not proof.guarded)

    def _signed(
        self, kept: KeptMail, mail: Mail, seats: tuple[Route, ...], people: list[Person]
    ) -> _Checked | None:
        """An OpenPGP signature of a key of the sender's, over all of his words; None where there is no signature, no
        key, or nothing to check it with."""
        keys = list(dict.fromkeys(person.key for person in people if person.key))
        signed = mail.signed
        if signed is None or not keys or self.signatures is None:
            return None
        found = (self.signatures.made(signed, key) for key in keys) if signed.whole else ()
        made = next((one for one in found if one is not None), None)
        if made is None:
            return _Checked("it is not of your key, or not over all of these words")
        matches, doubt = self._covered(kept, mail, signed, made, seats)
        return _Checked(doubt, matches, "" if doubt else made.digest)

    def _covered(
        self, kept: KeptMail, mail: Mail, signed: Signed, made: Made, seats: tuple[Route, ...]
    ) -> tuple[frozenset[str], str]:
        """The matches for which the signed text says all that the mail asks, or why for none: it must name the match,
        be younger than the round, and say what no other than the subject says."""
        said = any(_same(mail.tag, tag) for tag in signed.subjects)
        if said and mail.tag.command in _PERSONAL:
            matches = frozenset(at.match.name for at in seats)
            return (matches, "") if made.at > kept.arrived - _COMMAND_LASTS else (frozenset(), _STALE)
        named = [at for at in seats if _names(signed.text, at.match.name)]
        if not named:
            return frozenset(), _NAMELESS
        young = [at for at in named if made.at + _SKEW >= _begun(at.match)]
        if not young:
            return frozenset(), _STALE
        covered = [at for at in young if said or self._needs_no_subject(mail.tag, at)]
        return frozenset(at.match.name for at in covered), "" if covered else _UNSAID

    def _needs_no_subject(self, tag: Tag, at: Route) -> bool:
        """Whether the subject says nothing beside what the seat owes anyhow."""
        if tag.kind is None or not at.match.known or at.match.inner is None:
            return tag.kind is None and tag.command is None
        demands = at.match.due
        return any(d.seat == at.seat and d.kind == tag.kind for _, d in demands)

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


def _same(asked: Tag, signed: Tag) -> bool:
    """Whether two subjects ask the same."""

    def what(tag: Tag) -> tuple[object, ...]:
        return tag.game, tag.kind, tag.command, tag.argument.casefold(), dict(tag.stated)

    return what(asked) == what(signed)


def _names(text: str, match: str) -> bool:
    """Whether a text names the match, as a word of its own."""
    return re.search(rf"(?<![\w-]){re.escape(match)}(?![\w-])", text, re.IGNORECASE) is not None


def _begun(match: Match) -> datetime:
    """When the newest of its rounds opened."""
    return max((r.begun for r in match.rounds), default=match.opened_at)


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
