"""Who sent a mail: the proofs there are (RFC 8601 results, signatures, reply addresses, pass phrases), and whether they
are enough for what it asks."""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import datetime, timedelta
from hashlib import sha256

from referee.core.replacing import replace
from referee.core.texts.addresses import address_key
from referee.match.chain.sealing import Keys
from referee.match.match import Match
from referee.offices.incoming.case import Case, Mailroom, SenderProof
from referee.offices.incoming.routing import Route, answered_letter, seats_of, seats_of_tokens
from referee.offices.outgoing.letters import decoded
from referee.offices.ports.mail import Made, Mail, Signed, Tag
from referee.offices.register.people import People
from referee.store.inbox import KeptMail
from referee.store.people import Person
from referee.store.sql import Unit

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


def known(case: Case) -> Case:
    """The case with what is known of its sender, a seat's address as it is registered, however the mail spells it; and
    with the letter of ours that it answers. A From alone brings no address back to life, and makes no loop of what
    proves itself; a subject that is but that letter's orders nothing: it names the match, and what the letter was
    about."""
    unit, mail = case.unit, case.mail
    proof = proof_of(case.room, unit, case.kept, mail)
    at = next((at for at in proof.seats if proof.registered and at.match.known), None)
    if at is not None:
        mail = replace(mail, sender=at.match.spelt(at.seat, mail.sender or ""))
    if proof.proved:
        People(unit).heard_of(mail.sender or "", case.kept.arrived)
        mail = replace(mail, words=sha256(f"proved {mail.words}".encode()).hexdigest())
    replied = answered_letter(unit, mail.references)
    letter = None if replied is None else decoded(replied)
    repeats = letter is not None and case.room.reader.repeats(mail.subject, letter.head.subject)
    if letter is not None and repeats:
        trying = mail.tag.preview and not letter.head.subject.endswith("?")
        mail = replace(mail, tag=replace(mail.tag, command=None, argument="", preview=trying))
    case = replace(case, mail=mail, proof=proof, replied=replied, letter=letter, repeats=repeats)
    if case.answering.address != case.sender.address:
        unit.hold("person", address_key(case.answering.address))
    return case


def proof_of(room: Mailroom, unit: Unit, kept: KeptMail, mail: Mail) -> SenderProof:
    """What is known of the mail's sender."""
    own = seats_of(unit, room.matches, mail.sender) if mail.sender else ()
    held = seats_of_tokens(unit, mail.tokens)
    by_token = tuple(Route(room.matches.outline(unit, name), seat) for name, seat in held)
    seats = own or by_token
    # Whose phrase and key count: the sender's, where he has a seat; else of those to whom the letters go whose reply
    # addresses he used. What others of a seat have set says nothing of him.
    speaking = (
        [address_key(mail.sender)]
        if own and mail.sender
        else sorted({address_key(r.match.entrant(r.seat).addresses[0]) for r in by_token if r.match.known})
    )
    people = [unit.person(address) for address in speaking]
    phrase, guarded = _phrase(mail, people)
    signed = _signed(room, kept, mail, seats, people) if mail.signed is not None else None
    signed_for, doubt, digest = signed or (frozenset(), "", "")
    vouched, moderates = mail.evidence.kind == "aligned", room.offices.moderates(mail.sender)
    return SenderProof(
        seats=seats,
        registered=bool(own),
        vouched=vouched,
        denied=mail.evidence.kind == "failed",
        token=any((r.match.name, r.seat) in held for r in seats),
        phrase=phrase,
        guarded=guarded,
        signed=None if signed is None else not doubt,
        signed_for=signed_for,
        doubt=doubt,
        owned=kept.confirmed or (kept.released and (bool(seats) or moderates)),
        signature=digest or (mail.evidence.signature or None if vouched else None),
        moderates=moderates,
        desk=moderates and _to_desk(room.keys, mail, kept.arrived),
    )


def _to_desk(keys: Keys, mail: Mail, arrived: datetime) -> bool:
    """Whether a mail was sent to the reply address that its sender's letters as a moderator give."""
    before = arrived.replace(day=1) - timedelta(days=1)
    return any(keys.desk_token(mail.sender or "", at) in mail.tokens for at in (arrived, before))


# --- whether it is enough -----------------------------------------------------------------------------------------


def weak(case: Case, command: str = "order") -> bool:
    """Whether the mail proves less than a command needs ("order": an answer to a game): then its owner must confirm
    it."""
    p = case.proof
    if not p.seats or (p.denied and not p.registered):
        return True
    if p.owned:
        return False
    need = case.room.settings.senders.needed(case.mail.office, command)
    if need == "confirm" or p.phrase is False:
        return True
    if p.phrase or p.signed:
        return not (p.registered or p.token)
    if not p.registered or p.denied or p.guarded:
        return True
    shown = {"address": True, "vouched": p.vouched or p.token, "token": p.token}
    return not shown.get(need, False)


def may_order(case: Case) -> bool:
    """Whether it proves enough for an order to the desk; else the moderator is asked."""
    proof = case.proof
    if not proof.moderates:
        return False
    if proof.owned:  # by whom he was asked himself, and not the owner of another's seat
        return proof.registered or not proof.seats
    need = case.room.settings.senders.needed(case.mail.office, "moderator")
    if need == "confirm" or proof.denied or proof.phrase is False:
        return False
    return bool(proof.phrase) or (need == "token" and proof.desk and not proof.guarded)


# --- signatures and pass phrases ----------------------------------------------------------------------------------


def about(proof: SenderProof, match: str, *, itself: bool) -> SenderProof:
    """The same for that match: an OpenPGP signature says nothing of another than it names, nor anything where the
    signed text does not say itself what it orders."""
    if itself and match in proof.signed_for:
        return proof
    doubt = _POINTS if match in proof.signed_for else _NAMELESS
    kept = proof.signature if proof.vouched else None
    return replace(proof, signed=False, doubt=doubt, signature=kept)


def doubted(case: Case) -> Case:
    """With what its answer must say of a signature that proves nothing."""
    if case.proof.signed is not False:
        return case
    fault = f"its OpenPGP signature proves nothing ({case.proof.doubt})"
    return replace(case, mail=replace(case.mail, faults=(*case.mail.faults, fault)))


def _signed(
    room: Mailroom, kept: KeptMail, mail: Mail, seats: tuple[Route, ...], people: list[Person]
) -> tuple[frozenset[str], str, str] | None:
    """An OpenPGP signature of a key of the sender's, over all of his words: for which matches it proves them, or why it
    proves nothing, and what tells it from all others. None where there is no signature, no key, or nothing to check it
    with."""
    keys = list(dict.fromkeys(person.key for person in people if person.key))
    signed, signatures = mail.signed, room.signatures
    if signed is None or not keys or signatures is None:
        return None
    found = (signatures.made(signed, key) for key in keys) if signed.whole else ()
    made = next((one for one in found if one is not None), None)
    if made is None:
        return frozenset(), "it is not of your key, or not over all of these words", ""
    matches, doubt = _covered(kept, mail, signed, made, seats)
    return matches, doubt, "" if doubt else made.digest


def _covered(
    kept: KeptMail, mail: Mail, signed: Signed, made: Made, seats: tuple[Route, ...]
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
    covered = [at for at in young if said or _needs_no_subject(mail.tag, at)]
    return frozenset(at.match.name for at in covered), "" if covered else _UNSAID


def _needs_no_subject(tag: Tag, at: Route) -> bool:
    """Whether the subject says nothing beside what the seat owes anyhow."""
    if tag.kind is None or not at.match.known or at.match.inner is None:
        return tag.kind is None and tag.command is None
    demands = at.match.due
    return any(d.seat == at.seat and d.kind == tag.kind for _, d in demands)


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


def hashed(keys: Keys, phrase: str, address: str, identity: str) -> str:
    """A pass phrase as it is kept: scrypt, with a salt of its own (made from the secret, so that runs repeat)."""
    salt = keys.derive("phrase-salt", address_key(address), identity)[:32]
    return f"scrypt${salt}${_scrypt(phrase, salt)}"


def fits(phrase: str, kept: str) -> bool:
    """Whether the phrase is the one that is kept as this hash."""
    _, salt, digest = kept.split("$")
    return hmac.compare_digest(_scrypt(phrase, salt), digest)


def _scrypt(phrase: str, salt: str) -> str:
    plain = " ".join(phrase.split()).casefold().encode("utf-8", "surrogatepass")
    return hashlib.scrypt(plain, salt=bytes.fromhex(salt), dklen=32, maxmem=64 * 2**20, **_COST).hex()
