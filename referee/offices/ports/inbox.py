"""The inbox: mails as they are kept, and what is asked of their rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, Literal, NamedTuple, Protocol

Disposition = Literal["accepted", "refused", "ignored", "answered", "discarded", "held", "shunted"]
DRAFT: Final = (
    "kept as a draft"  # how the reason of such a mail begins: its words are nobody's but its sender's
)


class NewMail(NamedTuple):
    """A mail to keep."""

    uid: str
    identity: str  # unique for ever: two of the same are one mail
    arrived: datetime
    size: int
    cut: bool
    raw: bytes
    message_id: str | None
    sender: str | None
    proof: str = ""  # what its own signatures prove of its sender
    signature: str | None = None  # a digest of the signature that proves it
    key: str | None = None  # its ordering key, where several workers judge


class KeptMail(NamedTuple):
    """A mail as the inbox has it."""

    id: int  # for the moderator
    uid: str
    identity: str  # for everything derived from it
    arrived: datetime
    size: int
    cut: bool
    raw: bytes
    message_id: str | None
    sender: str | None
    released: bool  # a moderator let it pass triage
    verdict: Disposition | None
    reason: str | None
    match: str | None
    seat: int | None
    confirmed: bool = False  # the person it claims to be from has said it is his
    proof: str = ""
    signature: str | None = None
    agreed: bool = False  # the address that it asks for has said Yes
    strength: int | None = None  # how much it proved when it was settled


class MailStore(Protocol):
    """The rows of mails."""

    def keep(self, mail: NewMail) -> bool:
        """Keep a mail; False where the same mail is there already (it is then only noted under its new uid)."""

    def known_uids(self, uids: Sequence[str]) -> set[str]:
        """Those of them under which a mail is kept."""

    def next_mail(self, until: datetime, beyond: Iterable[int]) -> KeptMail | None:
        """The earliest open mail that arrived by `until`, leaving out the ids in `beyond`."""

    def mail(self, mail_id: int) -> KeptMail | None: ...
    def mail_of(self, identity: str) -> KeptMail | None: ...
    def mails_called(self, message_id: str) -> list[KeptMail]:
        """The mails under a Message-ID that hold anything: their senders chose it, so there may be several."""

    def mails(self, verdicts: Sequence[Disposition]) -> list[KeptMail]: ...
    def newest(self, count: int) -> list[bytes]:
        """The raw mails that arrived last, the newest first; without those that are nobody's, or whose words are struck
        out."""

    def open_mails(self) -> int:
        """How many mails are not settled."""

    def claim(self, uid: str) -> int:
        """Note that a mail is about to be looked at; how often it was before without an end."""

    def forgive(self, uid: str) -> None:
        """The last time it was claimed does not count: the process was ended, and not by the mail."""

    def release_claim(self, uid: str) -> None:
        """It was looked at, and nothing happened to the process."""

    def settle(
        self,
        mail_id: int,
        disposition: Disposition,
        reason: str,
        at: datetime,
        *,
        words: str | None = None,
        resend: str | None = None,
        match: str | None = None,
        seat: int | None = None,
        signature: str | None = None,
        strength: int | None = None,
        seen_as: Disposition | None = None,
    ) -> None:
        """What became of a mail, and why, in words for the moderator; `words`, `resend` and `signature` are the digests
        by which it is known when it comes again, `strength` how much it proved. Raises Again where it is not as it was
        seen: open, or so settled."""

    def blank(self, mail_id: int, raw: bytes) -> None:
        """Keep these bytes of a mail instead of all of it."""

    def reopen(
        self,
        mail_id: int,
        seen_as: Disposition,
        *,
        released: bool,
        confirmed: bool | None = None,
        agreed: bool | None = None,
    ) -> None:
        """Back into the queue; `confirmed` and `agreed` None leave that as it was. Raises Again where it is settled
        otherwise by now."""

    def unfiled(self) -> list[tuple[str, Disposition]]: ...
    def filed(self, settled: Sequence[tuple[str, Disposition]]) -> None:
        """Put away on the server, by uid and verdict; one that was judged otherwise meanwhile is put away again."""

    def resends(self, resend: str, signature: str | None = None) -> list[KeptMail]:
        """Settled mails of the same sender, subject, words and Date, or proved by the same signature, oldest first."""

    def same_words(self, words: str, since: datetime) -> list[KeptMail]:
        """Settled mails of the same sender, subject and words that arrived since then, oldest first."""

    def holding_up(self, match: str, seat: int, since: datetime, by: datetime) -> list[KeptMail]:
        """The mails of the seat that were held or shunted since then and arrived by then, oldest first. One whose
        seat was not found counts for every seat of its sender."""
