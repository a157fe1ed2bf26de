"""Lanes: which mails must be judged one after another. A mail's lane is the match that it is for, found as the
collector finds it but from rows alone; one that names no single match goes in the lane of its sender. Lanes are for
several workers at once: a single desk takes all mails in one row and needs none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.core.texts.addresses import address_key
from referee.logs import Log
from referee.offices.incoming.routing import answered_letter
from referee.offices.ports.mail import Mail, MailReading
from referee.offices.ports.store import OutgoingLetter, Unit
from referee.offices.ports.tools import Overrun, TimeLimit

NOBODY = "from nobody"
log = Log("referee.lanes")


def of_person(address: str | None) -> str:
    """The lane of what somebody writes to no single match. No match has a name with a blank in it."""
    return f"from {address_key(address)}" if address else NOBODY


@dataclass(frozen=True, slots=True)
class Lanes:
    """Finds them. A guess at worst: whoever judges the mail puts it into another lane where this one proves wrong."""

    reader: Callable[[], MailReading]  # made for the first mail
    limit: TimeLimit

    def read(self, uid: str, raw: bytes, *, cut: bool) -> Mail | None:
        """The mail as the collector will see it; None where it can't be looked at."""
        try:
            with self.limit.over(uid):
                return self.reader().read(raw, cut=cut)
        except (Exception, Overrun):
            log.exception("a mail whose lane can't be told")
            return None

    def of(self, unit: Unit, mail: Mail | None) -> str:
        """The lane of a mail."""
        if mail is None:
            return NOBODY
        return self._match(unit, mail, answered_letter(unit, mail)) or of_person(mail.sender)

    def _match(self, unit: Unit, mail: Mail, replied: OutgoingLetter | None) -> str | None:
        """The one match that it is for."""
        if replied is not None and replied.kind == "challenge" and replied.match:
            return replied.match
        tag = mail.tag
        if tag.command is not None and tag.kind is None and (named := self._named(unit, mail)):
            return named
        places = unit.seats_of(mail.sender) if mail.sender else []
        places = places or [at for token in mail.tokens if (at := unit.seat_of_token(token)) is not None]
        rows = unit.summaries({name for name, _ in places})
        rows = [row for row in rows if tag.game in (None, row.game)]
        answered, brackets = replied.match if replied else None, {b.casefold() for b in tag.brackets}
        for choice in (
            [row.name for row in rows if row.name.casefold() in brackets],
            [row.name for row in rows if row.name == answered],
            [row.name for row in rows if row.status != "ended"],
            [row.name for row in rows],
        ):
            if choice:
                return choice[0] if len(choice) == 1 else None
        return None

    @staticmethod
    def _named(unit: Unit, mail: Mail) -> str | None:
        """The first match that brackets or words of a command's argument name."""
        argument = mail.tag.argument
        words = (*mail.tag.brackets, argument.strip("[] "), *argument.replace("/", " ").split())
        there = {row.name for row in unit.summaries(words)}
        return next((word for word in words if word in there), None)
