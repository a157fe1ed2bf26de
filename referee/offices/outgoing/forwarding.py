"""Addresses at which letters do not arrive: what would go there goes to the player's next one."""

from __future__ import annotations

from dataclasses import replace

from referee.offices.book import Book, Unfoldable, UnknownMatch
from referee.offices.outgoing.letters import Letter, decoded, encoded
from referee.offices.people import People
from referee.offices.ports.store import Unit


class Forwarding:
    """Finds where a seat's letters arrive. An answer to a mail goes to its sender only, whatever is known of him."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def forwarded(self, unit: Unit, letter: Letter) -> Letter:
        """The letter, to the seat's next address that works where its own fails; unchanged where none does."""
        if letter.automatic == "auto-replied" or not People(unit).failing([letter.recipient]):
            return letter
        working = self._next(unit, letter)
        return replace(letter, recipient=working) if working else letter

    def sent_again(self, unit: Unit, message_id: str) -> str | None:
        """A letter of ours came back: the same one is queued once more, for the seat's next address, which is given
        back; None where there is none."""
        row = unit.letter(message_id)
        if row is None or not People(unit).failing([row.recipient]):
            return None
        letter = decoded(row.body)
        working = self._next(unit, letter)
        if working is not None:
            unit.redirect(message_id, working, encoded(replace(letter, recipient=working)))
        return working

    def _next(self, unit: Unit, letter: Letter) -> str | None:
        """The first address of the letter's seat that is not known to fail."""
        if letter.match is None or not letter.seat:
            return None
        try:
            addresses = self._book.load(unit, letter.match).entrant(letter.seat).addresses
        except (UnknownMatch, Unfoldable):
            return None
        if letter.recipient.casefold() not in (a.casefold() for a in addresses):
            return None  # the seat is another's now, or it was written to elsewhere
        failing = {person.address for person in People(unit).failing(addresses)}
        return next((a for a in addresses if a.casefold() not in failing), None)
