"""What a mail to a seat is taken for: words decide, headings help (contract, 'Mail in'). Where its own words fit one
answer that the seat may give now, the mail is that answer, under whatever subject; where they leave a doubt, they are
asked about before anything counts."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core import seam
from referee.core.answers import Body, GivesUpSeat
from referee.core.game import AnyGame
from referee.core.replacing import replace
from referee.core.seam import gives_up_seat
from referee.match.meanings import Meaning, judged, meaning_of
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
        if said is None and (told := _in_subject(game, case, kind)) is not None:
            return replace(case, doubt=(told,), why="subject")
        if said is not None and (told := _for_another(case, said)) is not None:
            return replace(case, order=None, doubt=(told,), why="seat")
        if said is not None:
            case = _settled(case, at, said, kind)
        return case if holds_other_words(case.mail) else amended(game, at, case, said)


def _elsewhere(case: Case) -> bool:
    """Whether what counts of the mail stands elsewhere than in its words: in the letter that they agree to, in the form
    inside its quote, in a command."""
    ordered = case.order is not None and not case.order.preview
    return ordered or bool(case.form) or consents(case.mail) or picked(case.mail, case.replied) is not None


def _in_subject(game: AnyGame, case: Case, kind: str) -> Meaning | None:
    """The answer that stands in the subject of a fresh mail without words: "Go: Move E6"."""
    at, mail, tag = case.place, case.mail, case.mail.tag
    fresh = case.replied is None and not (mail.quoted or mail.left_out or tag.preview)
    if not fresh or tag.kind is not None or tag.command is not None or case.body(mail.own).sayings:
        return None
    headings = seam.headings(game)
    usual = next((heading for heading, named in headings.items() if named == kind), "")
    text = tag.heading if tag.game is not None else tag.text
    known = (name for name in headings if text.casefold().startswith(f"{name} ".casefold()))
    heading = next(known, None)
    line = f"{heading or usual}: {text[len(heading) :].strip() if heading else text}"
    said = meaning_of(at.match, at.seat, kind, Body.of(line))
    return _whole(case, said) if said is not None else None


def _for_another(case: Case, said: Meaning) -> Meaning | None:
    """An answer under a subject of its sender's own that names another seat."""
    tag = case.mail.tag
    named = tag.stated.get("seat", case.place.seat) != case.place.seat
    own = tag.kind is not None and case.replied is None and not tag.preview
    return _whole(case, said) if named and own else None


def _whole(case: Case, said: Meaning) -> Meaning | None:
    """With its canonical lines; none where anything is wrong with it, or it gives up the seat."""
    return None if isinstance(said.reading.action, GivesUpSeat) else judged(case.place.match, said)


def _settled(case: Case, at: Route, meaning: Meaning, kind: str) -> Case:
    """An order of another kind than the heading's is said to be one."""
    if meaning.demand.kind == kind and case.mail.tag.kind is not None:
        return case
    preview = case.order is not None and case.order.preview
    return replace(case, order=Order(at, meaning.demand.kind, preview=preview))
