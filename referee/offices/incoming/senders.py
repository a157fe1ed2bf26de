"""Who sent a mail: the proofs there are (RFC 8601 results, reply addresses), and whether they are enough for what it
asks."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256

from referee.core.texts.addresses import address_key
from referee.match.chain.sealing import Keys
from referee.offices.incoming.case import Case, Mailroom, SenderProof
from referee.offices.incoming.routing import Route, answered_letter, seats_of, seats_of_tokens
from referee.offices.outgoing.letters import decoded
from referee.offices.ports.mail import Mail
from referee.offices.register.matches import People
from referee.store.inbox import KeptMail
from referee.store.sql import Unit


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
    # Who once wished to be known more surely: the sender, where he has a seat; else those to whom the letters go whose
    # reply addresses he used. What others of a seat have set says nothing of him.
    speaking = (
        [address_key(mail.sender)]
        if own and mail.sender
        else sorted({address_key(r.match.entrant(r.seat).addresses[0]) for r in by_token if r.match.known})
    )
    vouched, moderates = mail.evidence.kind == "aligned", room.offices.moderates(mail.sender)
    return SenderProof(
        seats=seats,
        registered=bool(own),
        vouched=vouched,
        denied=mail.evidence.kind == "failed",
        token=any((r.match.name, r.seat) in held for r in seats),
        guarded=any(unit.person(address).guarded for address in speaking),
        owned=kept.confirmed or (kept.released and (bool(seats) or moderates)),
        signature=(mail.evidence.signature or None) if vouched else None,
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
    if need == "confirm" or not p.registered or p.denied:
        return True
    shown = {"address": True, "vouched": p.vouched or p.token, "token": p.token}
    return not (p.token if p.guarded else shown[need])


def may_order(case: Case) -> bool:
    """Whether it proves enough for an order to the desk; else the moderator is asked."""
    proof = case.proof
    if not proof.moderates:
        return False
    if proof.owned:  # by whom he was asked himself, and not the owner of another's seat
        return proof.registered or not proof.seats
    need = case.room.settings.senders.needed(case.mail.office, "moderator")
    return need == "token" and proof.desk and not proof.denied
