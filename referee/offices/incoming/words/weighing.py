"""What a mail to a seat is taken for: words decide, headings help (contract, 'Mail in'). Where its own words fit one
answer that the seat may give now, the mail is that answer, under whatever subject; where they leave a doubt, they are
asked about before anything counts."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.replacing import replace
from referee.core.seam import gives_up_seat
from referee.match.meanings import Meaning, meaning_of
from referee.offices.incoming.case import Case, Order
from referee.offices.incoming.routing import Route, picked
from referee.offices.incoming.words.amending import amended
from referee.offices.incoming.words.lines import asked_kind, consents, holds_other_words
from referee.offices.register.matches import Matches


@dataclass(frozen=True, slots=True)
class Weighing:
    """Weighs a mail's words."""

    matches: Matches

    def weighed(self, case: Case) -> Case:
        """The case with what its words may mean; with an order where they mean one thing for sure."""
        at = case.place
        if case.kept.cut or at.match.inner is None or at.match.status != "open" or _elsewhere(case):
            return case
        game = self.matches.game(at.match)
        kind = asked_kind(game, at, case)
        if case.mail.tag.kind and not case.repeats and gives_up_seat(game, kind):
            return case
        said = meaning_of(at.match, at.seat, kind, case.body(case.mail.own))
        if said is not None:
            case = _settled(case, at, said, kind)
        return case if holds_other_words(case.mail) else amended(game, at, case, said)


def _elsewhere(case: Case) -> bool:
    """Whether what counts of the mail stands elsewhere than in its words: in the letter that they agree to, in the form
    inside its quote, in a command."""
    ordered = case.order is not None and not case.order.preview
    return ordered or bool(case.form) or consents(case.mail) or picked(case.mail, case.replied) is not None


def _settled(case: Case, at: Route, meaning: Meaning, kind: str) -> Case:
    """An order of another kind than the heading's is said to be one."""
    if meaning.demand.kind == kind and case.mail.tag.kind is not None:
        return case
    preview = case.order is not None and case.order.preview
    return replace(case, order=Order(at, meaning.demand.kind, preview=preview))
