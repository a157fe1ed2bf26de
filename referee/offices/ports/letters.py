"""Letters on their way: queued in the transaction that made them, and marked when they are gone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol


class OutgoingLetter(NamedTuple):
    """A letter on its way."""

    message_id: str
    at: datetime
    kind: str
    match: str | None
    seat: int | None  # for which it was written
    recipient: str
    answers: str | None  # the Message-ID of the mail it answers
    thread: str | None  # that of the first of its thread
    body: str  # the encoded letter without its page
    attempts: int = 0
    note: str | None = None
    quota: str | None = None
    topic: str | None = None
    bucket: str | None = None  # of a challenge: with which others it is counted
    sheet: str = ""  # the encoded page


class LetterStore(Protocol):
    """The rows of letters."""

    def send(self, *letters: OutgoingLetter, gathered: bool = False) -> None:
        """Queue letters, or keep them for a digest; one of a Message-ID that is there already is not queued again.
        Letters with equal sheets share one row that holds it."""

    def unsent(self, by: datetime, most: int, to: Collection[str] | None = None) -> list[OutgoingLetter]:
        """What is to leave now (to those readers, where they are given), in the order it was queued, `most` at most."""

    def readers_waiting(self, by: datetime, most: int, beyond: int = 0) -> list[str]:
        """To whom the letters go that are to leave now, one after another, without the first ones."""

    def sent(self, message_ids: Sequence[str], at: datetime) -> None: ...
    def postponed(self, message_id: str, until: datetime, note: str) -> None: ...
    def failed(self, message_id: str, note: str) -> None: ...
    def redirect(self, letter: OutgoingLetter) -> None:
        """Queue a letter that is there once more, for the recipient that it now has."""

    def failures(self) -> list[OutgoingLetter]: ...
    def letter(self, message_id: str) -> OutgoingLetter | None: ...
    def letters_of(self, match: str, seat: int | None = None) -> list[OutgoingLetter]:
        """All letters ever written about a match, or to one seat of it, in their order, whatever became of them."""

    def first_of_threads(self, threads: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Of each recipient and root the first letter of that thread that was written to him: the root itself, or one
        that refers to it; nothing where there is none."""

    def answers_since(self, recipient: str, thread: str | None, since: datetime) -> int:
        """How many letters went to the recipient since then (in that thread, where one is given)."""

    def answers_from(self, quota: str, since: datetime) -> int:
        """How many letters since then count in a quota, whoever got them."""

    def counted(self, quota: str, recipient: str, topic: str | None, since: datetime) -> int:
        """How many letters to the recipient since then count in a quota (on that topic, where one is given)."""

    def withhold(self, topic: str, at: datetime) -> int:
        """One more alarm of a kind that was not sent; how many there are by now."""

    def take_withheld(self, by: datetime) -> list[tuple[str, datetime, int]]:
        """Kinds of alarms of which the first was withheld by then: the kind, when, how many. They are forgotten."""

    def newest_letter(self, match: str, seat: int, kinds: Sequence[str]) -> OutgoingLetter | None:
        """The seat's last letter of these kinds."""

    def last_letters(self, match: str, seat: int, address: str, most: int) -> list[OutgoingLetter]:
        """The seat's letters about the match, and those to the address that are about none, the newest first."""

    def bucket_since(self, bucket: str, since: datetime, recipient: str | None = None) -> int:
        """How many letters of that bucket were written since then; of all that end so, to the recipient where one is
        given."""

    def letters_in(self, bucket: str) -> list[OutgoingLetter]:
        """All letters of that bucket, in their order."""

    def uncount(self, message_id: str) -> None:
        """That letter is counted in its bucket no longer: whom it asked has answered."""

    def gathered(self) -> list[tuple[str, datetime]]:
        """For whom letters are kept for a digest, and when the oldest of them was written."""

    def take_gathered(self, recipient: str) -> list[OutgoingLetter]:
        """His letters kept for a digest, oldest first. They have been told from now on, and nobody else gets them."""
