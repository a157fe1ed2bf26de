"""Mails that are for no seat: who sent them gets the help letter, a seat always, a stranger within his measure."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.replacing import replace
from referee.match.match import Former, Match
from referee.offices.incoming.case import Case, Settled
from referee.offices.incoming.measures import Allowances
from referee.offices.incoming.requests.request import Request, Requests
from referee.offices.incoming.routing import Route, Unrouted


@dataclass(frozen=True, slots=True)
class Strangers:
    """Tells how to write to the referee."""

    allowances: Allowances
    requests: Requests

    def helped(self, case: Case, unrouted: Unrouted[Route], passed: str = "") -> Settled:
        """The help letter, and why it is sent; a stranger gets it at most once a thread and day. `passed`: what became
        of its words to a person."""
        if not case.known:
            unrouted = Unrouted("stranger")
        request, why = Request(case, case.answering), str(unrouted.why)
        former: list[tuple[Match, Former]] = []
        if unrouted.why == "stranger":
            former = self._former(case)
            if (spent := self.allowances.spent_by_stranger(case, [seat for _, seat in former])) is not None:
                return spent
            request = replace(request, to=replace(request.to, name=""))
        why = "replaced" if former else why
        only = unrouted.seats[0] if len(unrouted.seats) == 1 and unrouted.seats[0].match.known else None
        letter = self.requests.help_letter(request, why, unrouted, former, only, {"passed": passed})
        return case.settled("answered", f"help: {why}", letter)

    def spent(self, case: Case) -> Settled | None:
        """A stranger's mail beyond the day's measure; None where there is room for its answer."""
        return self.allowances.spent_by_stranger(case, [seat for _, seat in self._former(case)])

    def _former(self, case: Case) -> list[tuple[Match, Former]]:
        """The seats that the sender had and that are another's now; those of the match that his mail names or answers
        where it does."""
        mail, replied = case.mail, case.replied
        found = self.requests.former(case.unit, mail.sender or "")
        named = {b.casefold() for b in mail.tag.brackets} | ({replied.match} if replied else set())
        return [(match, seat) for match, seat in found if match.name.casefold() in named] or found
