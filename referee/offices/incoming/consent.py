"""A word of consent: OK to the form of a refusal in which nothing was left to mend (contract, 'Mail in').

The form then counts as if it had been sent, by the mail that says OK: its arrival, its evidence, its subject.
"""

from __future__ import annotations

from typing import Final

from referee.core.block import bare
from referee.core.complaint import Complaint, Line
from referee.core.game import Demand
from referee.match.match import Match, RoundName
from referee.offices.incoming.routing import Route
from referee.offices.outgoing.letters import decoded
from referee.offices.ports.mail import Mail
from referee.offices.ports.store import OutgoingLetter, Unit

_WORDS: Final = frozenset(("ok", "yes"))
_VERDICTS: Final = ("refusal", "receipt", "ignored")  # a later one of these has taken an offer's place

Consented = tuple[str, tuple[Line, ...]]  # the kind under which the form is sent, and its lines


def consents(mail: Mail) -> bool:
    """Whether the sender's own words are OK, or Yes, and nothing else."""
    own = [line for line in mail.own if line.text.strip()]
    return len(own) == 1 and bare(own[0].text) in _WORDS


def bound_rounds(match: Match, demand: Demand | None) -> tuple[RoundName, ...]:
    """The rounds while which the form of an answer that no round waits for may still be sent: all that are open. A
    round that waits for the answer is named by the letter itself."""
    if demand is not None and match.round_of(demand) is not None:
        return ()
    return tuple(RoundName(r.label, r.opened) for r in match.rounds)


def consented(unit: Unit, at: Route, replied: OutgoingLetter | None) -> Consented | Complaint:
    """The form that the word sends, or why it sends nothing."""
    if (
        replied is None
        or replied.kind != "refusal"
        or (replied.match, replied.seat) != (at.match.name, at.seat)
    ):
        return _nothing("elsewhere")
    letter = decoded(replied.body)
    if letter.offered is None:
        return _nothing("left")
    newest = unit.newest_letter(at.match.name, at.seat, _VERDICTS)
    if newest is None or newest.message_id != replied.message_id:
        return _nothing("superseded")
    if not {RoundName(r.label, r.opened) for r in at.match.rounds}.issuperset(letter.offered.rounds):
        return _nothing("over")
    lines = tuple(Line(number, words) for number, words in enumerate(letter.form.splitlines(), 1))
    return letter.offered.heading, lines


def _nothing(why: str) -> Complaint:
    return Complaint("ok_sends_nothing", "house", None, {"why": why})
