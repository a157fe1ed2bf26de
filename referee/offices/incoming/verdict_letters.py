"""The letter that answers a seat's orders: the verdict, what happened, what is owed next, with its form."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.core.complaint import gathered
from referee.core.game import Demand
from referee.match import events as ev
from referee.match.commands import Accepted, Ignored, Refused, Verdict, Withdrawn
from referee.match.decide import Decision
from referee.match.match import Match, RoundName, owed, unanswered
from referee.offices.incoming.case import Case
from referee.offices.incoming.lines import bound_rounds
from referee.offices.incoming.routing import Route
from referee.offices.matches import Matches
from referee.offices.outgoing.letters import Appointment, Letter, Offered
from referee.offices.outgoing.speaker import Speaker
from referee.offices.settings import Offices, Settings

_LETTERS = {Accepted: "receipt", Withdrawn: "receipt", Refused: "refusal", Ignored: "ignored"}


class VerdictLetters:
    """Receipts, refusals, previews, and word of what is ignored."""

    def __init__(self, matches: Matches, speaker: Speaker, offices: Offices, settings: Settings) -> None:
        self._matches = matches
        self._speaker = speaker
        self._collector = offices.collector
        self._most = settings.limits.complaints

    def letter(
        self, case: Case, before: Match, at: Route, decision: Decision, heading: str, *, previewing: bool
    ) -> Letter:
        """To the mail's sender, about the decision on it; `before` is the match that it was made about, `at` the seat
        as it stands now, `heading` the kind under which the mail was judged."""
        verdict, more = self._shortened(decision.verdict)
        context: dict[str, Any] = {
            "mail": case.mail, "verdict": verdict, "more": more, "arrived": case.kept.arrived,
        }  # fmt: skip
        context.update(self._next(at, verdict))
        context["entries"] = () if previewing else self._own_entries(at, decision)
        context["still"] = not previewing and self._still_owes(at, decision, context["demand"])
        kind = _LETTERS[type(verdict)]
        offered = None
        if isinstance(verdict, Refused) and verdict.ready and not previewing:
            offered = Offered(heading, bound_rounds(at.match, verdict.demand))
        context["offered"] = offered is not None
        if previewing:
            context["outcome"] = kind
            kind = "preview"
        demand = demand_of(verdict)
        r = before.round_of(demand) if demand is not None else None
        rounds = (RoundName(r.label, r.opened),) if r else ()
        entries = () if previewing else self._appointments(case, before, at, verdict)
        letter = self._speaker.answer(
            kind, case.answering, case.now, context, at.match, at.seat, rounds=rounds, appointments=entries
        )
        return replace(letter, offered=offered)

    def _appointments(
        self, case: Case, before: Match, at: Route, verdict: Verdict
    ) -> tuple[Appointment, ...]:
        """What a sealed answer changes in its writer's calendar: no public letter tells of it."""
        r = at.match.round(verdict.label) if isinstance(verdict, Accepted | Withdrawn) else None
        if r is None or not r.sealed:
            return ()
        return self._speaker.appointments(before, at.match, case.now).get(at.seat, ())

    def _shortened(self, verdict: Verdict) -> tuple[Verdict, int]:
        """A refusal with as many faults as are told one by one, and how many more there are. An answer that has more is
        not mended either: its sender gets an empty form."""
        if not isinstance(verdict, Refused):
            return verdict, 0
        single = [one for complaint in verdict.complaints for one in complaint.each]
        if len(single) <= self._most:
            return verdict, 0
        told = gathered(single[: self._most])
        return replace(verdict, complaints=told, mended=None, standing=()), len(single) - self._most

    def _own_entries(self, at: Route, decision: Decision) -> tuple[Any, ...]:
        """What happened that nobody but the seat may know."""
        game = self._matches.game(at.match)
        happened = [e for e in decision.entries if not e.public and isinstance(e.event, ev.Happened)]
        return tuple(
            e for e in happened
            if isinstance(e.event, ev.Happened)
            and game.secret_to(game.events_codec.decode(e.event.event)) == at.seat
        )  # fmt: skip

    def _still_owes(self, at: Route, decision: Decision, demand: Demand | None) -> bool:
        """Whether the seat owes the next answer in a round that stays open: no other letter asks for it."""
        if demand is None or not isinstance(decision.verdict, Accepted):
            return False
        fresh = {e.event.label for e in decision.entries if isinstance(e.event, ev.RoundOpened)}
        r = at.match.round_of(demand)
        game = self._matches.game(at.match)
        return r is not None and r.label not in fresh and demand in unanswered(at.match, game, r)

    def asked(self, at: Route) -> dict[str, Any]:
        """What the seat owes now, with an empty form, for an answer to a mail that was not read."""
        return self._next(at, Refused(None, ()))

    def _next(self, at: Route, verdict: Verdict) -> dict[str, Any]:
        """What the seat owes now, with its form; in a refusal the form is the answer with its faults mended."""
        empty = {"round": None, "demand": None, "due_at": None, "form": "", "send_to": "", "send_as": ""}
        if at.match.inner is None or at.match.status == "ended":
            return empty
        game = self._matches.game(at.match)
        mine = [(r, d) for r, d in owed(at.match, game) if d.seat == at.seat]
        if not isinstance(verdict, Refused):
            return {**empty, **(self._speaker.owing(at.match, *mine[0]) if mine else {})}
        demand = verdict.demand
        if demand is not None and demand not in [d for _, d in mine]:
            if demand in game.open_to(at.match.inner, at.seat):
                form = verdict.mended.text if verdict.mended else self._speaker.form(at.match, demand)
                return {**empty, "demand": demand, "form": form, "send_to": self._collector,
                        "send_as": self._speaker.order_subject(at.match, demand)}  # fmt: skip
            demand = None
        if not mine:
            return empty
        r, owing = next(((r, d) for r, d in mine if d == demand), mine[0])
        facts = self._speaker.owing(at.match, r, owing)
        if owing == verdict.demand and verdict.mended is not None:
            facts["form"] = verdict.mended.text
        return {**empty, **facts}


def demand_of(verdict: Verdict) -> Demand | None:
    """What a verdict on an answer is about."""
    return verdict.demand if isinstance(verdict, Accepted | Withdrawn | Refused | Ignored) else None
