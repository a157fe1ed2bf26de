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


class ReplyProbe:
    """For `doctor`. The letter is put away where it arrives; if it comes later, triage throws it away."""

    def __init__(
        self,
        courier: Courier,
        mailbox: Mailbox,
        offices: Offices,
        patience: float = 20.0,
        trusted: tuple[str, ...] = (),
        *,
        needed: bool = False,
    ) -> None:
        """`needed`: nothing counts but what comes to such addresses."""
        self._courier = courier
        self._mailbox = mailbox
        self._offices = offices
        self._patience = patience
        self._trusted = trusted
        self._remedy = "let it take everything for collector+anything"
        self._remedy += "." if needed else ", or set tokens = false under [senders]."

    def examine(self) -> tuple[str, ...]:
        """The fault, in plain words with its remedy; empty when the letter came back. Takes seconds."""
        address = self._offices.address("collector", f"probe{secrets.token_hex(8)}")
        message_id = f"<{secrets.token_hex(16)}@{address.rpartition('@')[2]}>"
        somebody = f"{secrets.token_hex(8)}.example.org"
        raw = _letter(self._offices, address, message_id, self._forged(somebody))
        parcel = Parcel(self._offices.collector, address, message_id, raw)
        try:
            before = self._handles()
            delivery = hand_over(self._courier, parcel)
            if delivery.fate == "never":
                return (
                    f"The mail server refuses letters to reply addresses ({delivery.note}): {self._remedy}",
                )
            if delivery.fate == "later":
                return (f"A letter to a reply address could not be sent: {delivery.note}",)
            if (came := self._arrived(message_id, before)) is not None:
                return self._believed(came, somebody)
        except MailboxTrouble as trouble:
            return (f"Whether replies arrive could not be seen: {trouble}",)
        waited = f"did not come into the mailbox within {self._patience:.0f} seconds"
        return (
            f"A letter to the reply address {address} {waited}. If the mail server is not slow, {self._remedy}",
        )

    def _handles(self) -> set[str]:
        """The handles of all mails that are there; nothing of them is fetched."""
        found: set[str] = set()

        def noted(uids: Sequence[str]) -> Sequence[str]:
            found.update(uids)
            return uids

        for _ in self._mailbox.fetch(noted, _LARGEST):
            continue
        return found

    def _forged(self, domain: str) -> tuple[str, ...]:
        """What the trusted servers would write of a mail from that domain, in their own names."""
        return tuple(f"{name}; dmarc=pass header.from={domain}" for name in self._trusted)

    def _believed(self, raw: bytes, domain: str) -> tuple[str, ...]:
        """The fault, where the letter came in with the word of a server that never gave it."""
        said = spoken(tuple(topmost(read_head(raw).headers, {name.casefold() for name in self._trusted})))
        if not any(one.value == "pass" and one.domain("header.from") == domain for one in said):
            return ()
        return (
            f"A letter that says itself, in the name of {' or '.join(self._trusted)}, who sent it, came in as if that "
            "server had said so: whoever can send by this way may write in anybody's name. Let the mail server remove "
            "such Authentication-Results from what it is given (RFC 8601, section 5); or trust none, and "
            'write need = "token" under [senders].',
        )

    def _arrived(self, message_id: str, before: set[str]) -> bytes | None:
        """The letter as it came in; None where it did not."""
        end = time.monotonic() + self._patience
        while time.monotonic() < end:
            for batch in self._mailbox.fetch(before.intersection, _LARGEST):
                for arrival in batch:
                    before.add(arrival.uid)
                    if message_id.encode() in arrival.raw:
                        self._mailbox.file([(arrival.uid, "done")])
                        return arrival.raw
            self._mailbox.wait(_SLICE)
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
