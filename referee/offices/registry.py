"""The registry: what a decision leaves behind - the ledger, the match's row, and the letters to everybody."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from referee.core.complaint import Line
from referee.match.announce import notices
from referee.match.decide import Decision
from referee.match.match import Match
from referee.offices.book import Book
from referee.offices.keeping import OutgoingLetter, Unit
from referee.offices.letters import Letter, decoded, encoded
from referee.offices.mail import Mail
from referee.offices.routing import Route
from referee.offices.speaker import Speaker


class Registry:
    """Writes decisions down and queues what must be told."""

    def __init__(self, book: Book, speaker: Speaker) -> None:
        self.book = book
        self._speaker = speaker

    def record(
        self,
        unit: Unit,
        before: Match | None,
        decision: Decision,
        cause: str,
        now: datetime,
        why: str = "",
    ) -> int:
        """Save the entries and queue the letters they call for; how many letters."""
        if not decision.entries:
            return 0
        self.book.save(unit, decision.match, decision.entries, now)
        told = notices(before, decision.match, decision.entries)
        return self.post(unit, self._speaker.told(decision.match, told, cause, now, why, before))

    def post(self, unit: Unit, letters: Iterable[Letter]) -> int:
        """Queue letters for the courier."""
        return sum(unit.send(outgoing(letter)) for letter in letters)

    def has_orders(self, at: Route, mail: Mail) -> bool:
        """Whether the sender's own words hold an order for the game."""
        game = self.book.game(at.match)
        if at.match.inner is None:
            return True
        kind = mail.tag.kind or next(iter(game.headings.values()))
        demand = game.aim(at.match.inner, at.seat, kind, mail.own)
        return game.has_orders(at.match.inner, demand, mail.own)

    @staticmethod
    def quoted_form(mail: Mail, replied: OutgoingLetter | None) -> tuple[Line, ...]:
        """The form inside our own quoted letter, if the sender changed or added a line in it; else nothing."""
        form = decoded(replied.body).form if replied else ""
        ours = [_folded(line) for line in form.splitlines() if line.strip()]
        if not ours:
            return ()
        start = next((i for i, line in enumerate(mail.quoted) if _same_start(line.text, ours[0])), None)
        if start is None:
            return ()
        theirs = tuple(line for line in mail.quoted[start:] if line.text.strip())
        changed = any(_folded(line.text) not in ours for line in theirs)
        return theirs if changed else ()


def outgoing(letter: Letter) -> OutgoingLetter:
    """The letter as a row of the outbox."""
    thread = letter.references[0] if letter.references else letter.in_reply_to
    return OutgoingLetter(
        letter.message_id, letter.at, letter.kind, letter.match, letter.seat, letter.recipient, letter.in_reply_to,
        thread, encoded(letter),
    )  # fmt: skip


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _same_start(line: str, first: str) -> bool:
    """Whether a quoted line is where our form began: its key, whatever now stands behind it."""
    key = first.partition(":")[0]
    return _folded(line).startswith(key)
