"""Whether replies find their way: a letter to one of our reply addresses goes out and must come in again."""

from __future__ import annotations

import secrets
import time
from email.message import EmailMessage

from referee.offices.ports import Courier, Mailbox, MailboxTrouble, Parcel
from referee.offices.settings import Offices

_REMEDY = "let it take everything for collector+anything, or set tokens = false under [senders]."
_SLICE = 1.0  # seconds
_LARGEST = 100_000  # bytes


class ReplyProbe:
    """For `doctor`. The letter is put away where it arrives; if it comes later, triage throws it away."""

    def __init__(self, courier: Courier, mailbox: Mailbox, offices: Offices, patience: float = 20.0) -> None:
        self._courier = courier
        self._mailbox = mailbox
        self._offices = offices
        self._patience = patience

    def examine(self) -> tuple[str, ...]:
        """The fault, in plain words with its remedy; empty when the letter came back. Takes seconds."""
        address = self._offices.address("collector", f"probe{secrets.token_hex(8)}")
        message_id = f"<{secrets.token_hex(16)}@{address.rpartition('@')[2]}>"
        parcel = Parcel(
            self._offices.collector, address, message_id, _letter(self._offices, address, message_id)
        )
        try:
            before = self._handles()
            delivery = self._courier.send(parcel)
            if delivery.fate == "never":
                return (f"The mail server refuses letters to reply addresses ({delivery.note}): {_REMEDY}",)
            if delivery.fate == "later":
                return (f"A letter to a reply address could not be sent: {delivery.note}",)
            if self._arrives(message_id, before):
                return ()
        except MailboxTrouble as trouble:
            return (f"Whether replies arrive could not be seen: {trouble}",)
        waited = f"did not come into the mailbox within {self._patience:.0f} seconds"
        return (
            f"A letter to the reply address {address} {waited}. If the mail server is not slow, {_REMEDY}",
        )

    def _handles(self) -> set[str]:
        """The handles of all mails that are there; nothing of them is fetched."""
        found: set[str] = set()

        def noted(uid: str) -> bool:
            found.add(uid)
            return True

        for _ in self._mailbox.fetch(noted, _LARGEST):
            continue
        return found

    def _arrives(self, message_id: str, before: set[str]) -> bool:
        end = time.monotonic() + self._patience
        while time.monotonic() < end:
            for batch in self._mailbox.fetch(before.__contains__, _LARGEST):
                for arrival in batch:
                    before.add(arrival.uid)
                    if message_id.encode() in arrival.raw:
                        self._mailbox.file([(arrival.uid, "done")])
                        return True
            self._mailbox.wait(_SLICE)
        return False


def _letter(offices: Offices, address: str, message_id: str) -> bytes:
    letter = EmailMessage()
    letter["From"], letter["To"] = offices.collector, address
    letter["Subject"] = "Do replies arrive?"
    letter["Message-ID"] = message_id
    letter["Auto-Submitted"] = "auto-generated"
    letter["X-Referee-Notice"] = "probe"
    letter.set_content(
        "The referee's doctor sent this letter to see whether it arrives. It may be deleted.\n"
    )
    return letter.as_bytes()
