"""What of a mail to a seat counts, before it is judged: its proofs for that match, its sender's own words and no letter
of ours come back, within the limits, under a heading that says what they are."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.replacing import replace
from referee.core.seam import gives_up_seat
from referee.offices.incoming.case import Case, Settled
from referee.offices.incoming.measures import excess
from referee.offices.incoming.routing import Route, Unrouted
from referee.offices.incoming.senders import Senders
from referee.offices.incoming.trust.doubtful import doubted
from referee.offices.incoming.words.answers import Answers
from referee.offices.incoming.words.lines import as_meant, consents, words_alone
from referee.offices.incoming.words.quotes import Quotes
from referee.offices.register.matches import Matches
from referee.offices.settings import LimitsSection


@dataclass(frozen=True, slots=True)
class OwnWords:
    """Sorts out what a mail to a seat says."""

    matches: Matches
    senders: Senders
    quotes: Quotes
    answers: Answers
    limits: LimitsSection

    def sorted_out(self, case: Case) -> tuple[Case, Settled | None]:
        """The case with the words that count: none of a letter of ours come back, and those of an attached form only
        where those beside it are no orders; and with what its sender's proofs are worth for the match. Refused where it
        is more than is read: of that nothing is sorted out, unless only an attached form makes it too much."""
        at = case.place
        proof = self.senders.about(case.proof, at.match.name, itself=not consents(case.mail))
        if proof is not case.proof:
            case = replace(case, proof=proof, mail=doubted(case.mail, proof))
        if case.kept.cut:
            return case, None
        too_much = self.too_much(case)
        if too_much is not None and excess(words_alone(case.mail).own, self.limits):
            return case, too_much
        game = self.matches.game(at.match)
        ours = self.quotes.beside(at, case)
        case = self.quotes.parted(game, at, case, ours)
        case = replace(case, mail=as_meant(game, at, case))
        too_much = None if too_much is None else self.too_much(case)
        if too_much is None and at.match.inner is not None:
            case = replace(case, passed_over=self.quotes.passed_over(game, at, case, ours))
        return case, too_much

    def too_much(self, case: Case) -> Settled | None:
        """Of more than is read: refused by these counts alone. One above the size limit has an answer of its own."""
        found = () if case.kept.cut else excess(case.mail.own, self.limits)
        return self.answers.too_much(case, found, case.at) if found else None

    def headed(self, case: Case) -> Case | Unrouted[Route]:
        """The case under a heading that its sender has written himself: one that gives up the seat is none where the
        subject only repeats that of an older letter. Unrouted where nothing says what the mail is about."""
        at, tag = case.place, case.mail.tag
        if case.repeats and tag.kind and gives_up_seat(self.matches.game(at.match), tag.kind):
            tag = replace(tag, kind=None)
            case = replace(case, mail=replace(case.mail, tag=tag))
        ordered = case.order is not None or bool(case.doubt)
        if ordered or tag.kind is not None or self._understood(case, at):
            return case
        if case.kept.cut or at.match.status != "open":
            return Unrouted(
                "unknown_heading" if tag.game is not None and not case.repeats else "nothing_asked", (at,)
            )
        return case

    @staticmethod
    def _understood(case: Case, at: Route) -> bool:
        """Whether a subject without a heading still tells what it is about: a reply to a letter of that match, or to
        any where it names no game, or a bare Preview."""
        tag, replied = case.mail.tag, case.replied
        if tag.game is not None:
            return replied is not None and replied.match == at.match.name
        bare = tag.preview and tag.heading.casefold() in ("", at.match.name.casefold())
        return replied is not None or bare
