"""Whether replies find their way: a letter to one of our reply addresses goes out and must come in again. It also says,
in the name of the server that is trusted to say so, that somebody's domain was vouched for: nobody may believe that."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from email.message import EmailMessage

from referee.base.ports import Courier, Mailbox, MailboxTrouble, Parcel, hand_over
from referee.base.settings import Offices
from referee.mail.read.head import read_head
from referee.mail.sender.authentication import spoken, topmost

_SLICE = 1.0  # seconds
_LARGEST = 100_000  # bytes


def replies_lost(
    courier: Courier,
    mailbox: Mailbox,
    offices: Offices,
    trusted: tuple[str, ...] = (),
    *,
    needed: bool = False,
    patience: float = 20.0,
) -> tuple[str, ...]:
    """For `doctor`: the fault, in plain words with its remedy; empty when the letter came back,
    which takes seconds. `needed`: nothing counts but what comes to such addresses. The letter is
    put away where it arrives; if it comes later, triage throws it away."""
    remedy = "let it take everything for collector+anything"
    remedy += "." if needed else ", or set tokens = false under [senders]."
    address = offices.address("collector", f"probe{secrets.token_hex(8)}")
    message_id = f"<{secrets.token_hex(16)}@{address.rpartition('@')[2]}>"
    somebody = f"{secrets.token_hex(8)}.example.org"
    # what the trusted servers would write of a mail from that domain, in their own names
    forged = tuple(f"{name}; dmarc=pass header.from={somebody}" for name in trusted)
    parcel = Parcel(offices.collector, address, message_id, _letter(offices, address, message_id, forged))
    try:
        before = _handles(mailbox)
        delivery = hand_over(courier, parcel)
        if delivery.fate == "never":
            return (f"The mail server refuses letters to reply addresses ({delivery.note}): {remedy}",)
        if delivery.fate == "later":
            return (f"A letter to a reply address could not be sent: {delivery.note}",)
        if (came := _arrived(mailbox, message_id, before, patience)) is not None:
            return _believed(came, somebody, trusted)
    except MailboxTrouble as trouble:
        return (f"Whether replies arrive could not be seen: {trouble}",)
    waited = f"did not come into the mailbox within {patience:.0f} seconds"
    return (f"A letter to the reply address {address} {waited}. If the mail server is not slow, {remedy}",)


def _handles(mailbox: Mailbox) -> set[str]:
    """The handles of all mails that are there; nothing of them is fetched."""
    found: set[str] = set()

    def noted(uids: Sequence[str]) -> Sequence[str]:
        found.update(uids)
        return uids

    for _ in mailbox.fetch(noted, _LARGEST):
        continue
    return found


def _believed(raw: bytes, domain: str, trusted: tuple[str, ...]) -> tuple[str, ...]:
    """The fault, where the letter came in with the word of a server that never gave it."""
    said = spoken(tuple(topmost(read_head(raw).headers, {name.casefold() for name in trusted})))
    if not any(one.value == "pass" and one.domain("header.from") == domain for one in said):
        return ()
    return (
        f"A letter that says itself, in the name of {' or '.join(trusted)}, who sent it, came in as if that "
        "server had said so: whoever can send by this way may write in anybody's name. Let the mail server remove "
        "such Authentication-Results from what it is given (RFC 8601, section 5); or trust none, and "
        'write need = "token" under [senders].',
    )


def _arrived(mailbox: Mailbox, message_id: str, before: set[str], patience: float) -> bytes | None:
    """The letter as it came in; None where it did not."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        for batch in mailbox.fetch(before.intersection, _LARGEST):
            for arrival in batch:
                before.add(arrival.uid)
                if message_id.encode() in arrival.raw:
                    mailbox.file([(arrival.uid, "done")])
                    return arrival.raw
        mailbox.wait(_SLICE)
    return None


def _letter(offices: Offices, address: str, message_id: str, forged: tuple[str, ...]) -> bytes:
    letter = EmailMessage()
    for field in forged:
        letter["Authentication-Results"] = field
    letter["From"], letter["To"] = offices.collector, address
    letter["Subject"] = "Do replies arrive?"
    letter["Message-ID"] = message_id
    letter["Auto-Submitted"] = "auto-generated"
    letter["X-Referee-Notice"] = "probe"
    letter.set_content(
        "The referee's doctor sent this letter to see whether it arrives. It may be deleted.\n"
    )
    return letter.as_bytes()
