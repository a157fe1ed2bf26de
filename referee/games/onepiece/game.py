"""One Piece For Two behind the seam."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from referee.core.answers import AnyAnswer
from referee.core.board_form import BoardForm
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.diagram import Diagram
from referee.core.game import (
    LAPSED,
    Amendment,
    Demand,
    Game,
    Lapsed,
    Mended,
    Opening,
    Outcome,
    Party,
    Reading,
    Round,
    Setup,
    View,
)
from referee.core.legacy import old_answers
from referee.core.options import Options
from referee.games.onepiece import actions as do
from referee.games.onepiece import events as ev
from referee.games.onepiece import owing
from referee.games.onepiece.checking import checked
from referee.games.onepiece.folding import evolved
from referee.games.onepiece.letters import picture
from referee.games.onepiece.letters.clicks import clickable
from referee.games.onepiece.letters.views import viewed
from referee.games.onepiece.mail.forms import form_for, mended_form, written
from referee.games.onepiece.mail.reading import aimed, understood
from referee.games.onepiece.play import opening, turns
from referee.games.onepiece.play.suggesting import suggested
from referee.games.onepiece.proofs import adjudication
from referee.games.onepiece.state import State
from referee.games.onepiece.tale import Tale
from referee.games.onepiece.tournament import demonstration, games


class OnePiece(Game[State, Any]):
    """Two players, in single games or a series; four in a tournament with claims."""

    slug: ClassVar[str] = "onepiece"
    titles: ClassVar[tuple[str, ...]] = ("One Piece For Two", "1P42")
    codec_version = 2
    headings: ClassVar[Mapping[str, str]] = {
        "Move": "Move",
        "Claim": "Move",
        "Colours": "Colours",
        "Colors": "Colours",
        "Edge": "Edge",
        "Offer": "Offer",
        "Accept": "Accept",
        "Demonstrate": "Evidence",
        "Give up": "Evidence",
        "Resign": "Resign",
        "Comment": "Comment",
    }
    happenings: ClassVar[tuple[type, ...]] = ev.KINDS
    actions: ClassVar[tuple[type, ...]] = do.KINDS
    state: ClassVar[type] = State
    computed: ClassVar[tuple[str, ...]] = ("Verdict",)

    @cached_property
    def answers(self) -> tuple[AnyAnswer, ...]:  # type: ignore[override]
        return old_answers(
            self,
            self.headings,
            (
                "Move",
                "Demonstrate",
                "Reply",
                "Evidence",
                "Colours",
                "Edge",
                "Offer",
                "Accept",
                "Resign",
                "Comment",
                "Verdict",
            ),
            self.actions,
        )

    def seats(self, options: Options) -> tuple[int, ...]:
        players = options.text("players")
        return (2, 4) if players == "seats" else (int(players),)

    def faults(self, setup: Setup) -> tuple[str, ...]:
        return opening.faults(setup)

    def opening(self, setup: Setup, chance: Chance) -> Opening[Any]:
        tale = Tale(self.initial())
        tale.tell(*opening.opening_events(setup, chance))
        position, _ = opening.position(tale.state.law, setup.options.text("position"))
        games.set_up(tale, games.BOTH if position else ())
        if position:
            tale.tell(ev.PositionSet(position))
        return Opening(tuple(range(1, setup.seats + 1)), tuple(tale.events))

    def initial(self) -> State:
        return State()

    def evolve(self, state: State, event: Any) -> State:
        return evolved(state, event)

    def amended(self, state: State, setup: Setup) -> Amendment[Any]:
        return Amendment((ev.RulesAmended(opening.law_of(setup.options, setup.seats)),))

    def due(self, state: State) -> tuple[Round, ...]:
        return owing.due(state)

    def open_to(self, state: State, seat: int) -> tuple[Demand, ...]:
        return owing.open_to(state, seat)

    def aim(self, state: State, seat: int, heading: str, lines: Sequence[Line]) -> Demand:
        return aimed(state, seat, self.headings.get(heading, heading), lines)

    def read(self, state: State, demand: Demand, lines: Sequence[Line], party: Party) -> Reading[Any]:
        return understood(state, demand, lines)

    def check(self, state: State, demand: Demand, action: Any) -> tuple[Complaint, ...]:
        return checked(state, demand, action)

    def write(self, state: State, demand: Demand, action: Any) -> str:
        return written(action)

    def form(self, state: State, demand: Demand, party: Party, draft: Any = None) -> str:
        return form_for(state, demand, draft)

    def mended(self, state: State, demand: Demand, party: Party, reading: Reading[Any]) -> Mended:
        return mended_form(state, demand, reading)

    def resolve(self, state: State, answers: Mapping[Demand, Any | Lapsed]) -> tuple[Any, ...]:
        """Rounds are open: one answer that came, or the lapse of all that is still owed."""
        tale = Tale(state)
        if lapsed := [demand for demand, answer in answers.items() if answer is LAPSED]:
            _lapse(tale, lapsed)
        else:
            ((demand, action),) = answers.items()
            _answer(tale, demand, action)
        turns.go_on(tale)
        return tuple(tale.events)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Any:
        return suggested(state, demand, chance)

    def compute(self, state: State, demand: Demand, nodes: int) -> Any:
        """The verdict on the claim that waits, bounded by the match's own limit and the caller's."""
        return adjudication.judged(state, min(nodes, state.law.solver_nodes))

    def view(self, state: State, seat: int | None) -> View:
        return viewed(state)

    def outcome(self, state: State) -> Outcome | None:
        return games.outcome(state)

    def public(self, action: Any) -> Any:
        """What is recorded of an answer: what it orders, not where in the mail it stood; a verdict's proof stands in
        the event alone."""
        if isinstance(action, do.GiveVerdict):
            return replace(action, proofs=(), slip_proofs=())
        if isinstance(action, do.MovePiece):
            return replace(action, line=None, claim_line=None)
        return replace(action, line=None) if getattr(action, "line", None) else action

    def audit(self, state: State, event: Any) -> tuple[str, ...]:
        """A verdict's proofs, checked without the solver."""
        return adjudication.audited(state, event) if isinstance(event, ev.VerdictGiven) else ()

    def steps(self, state: State, event: Any) -> tuple[tuple[str, Diagram], ...]:
        """The line that shows a verdict on a claim."""
        return tuple(picture.stepped(state, event)) if isinstance(event, ev.VerdictGiven) else ()

    def board_form(self, state: State) -> BoardForm:
        return clickable(state)

    def vacant(self, state: State) -> tuple[int, ...]:
        """In a tournament: who has resigned, for whom the referee plays, and who has missed too many moves."""
        return tuple(sorted((*state.gone, *state.vacant)))

    def filled(self, state: State, seat: int) -> tuple[Any, ...]:
        """Another person takes the seat: the referee no longer plays for it."""
        return (ev.SeatFilled(seat),) if seat in (*state.gone, *state.vacant) else ()


def _answer(tale: Tale, demand: Demand, action: Any) -> None:
    seat = demand.seat
    match action:
        case do.ChooseColours(colour, comment) if colour:
            tale.tell(ev.ColoursChosen(seat, colour, "mail"))
            turns.relay(tale, seat, comment)
            games.set_up(tale)
        case do.ChooseEdge(edge, comment):
            tale.tell(ev.EdgeChosen(seat, edge, "mail"))
            turns.relay(tale, seat, comment)
            games.set_up(tale)
        case do.MovePiece(comment=comment) if demand.kind in ("Demonstrate", "Reply"):
            demonstration.show(tale, seat, turns.said(action), "mail", comment)
        case do.MovePiece():
            turns.play(tale, seat, action)
        case do.OfferDraw(comment):
            turns.relay(tale, seat, comment)
            turns.offer(tale, seat)
        case do.AcceptDraw(comment):
            turns.relay(tale, seat, comment)
            turns.accept(tale, seat)
        case do.Resign(comment):
            turns.resign(tale, seat, "mail", comment)
            demonstration.left(tale)
        case do.SendComment(text):
            turns.relay(tale, seat, text)
        case do.BeginDemonstration():
            demonstration.begin(tale, seat, action)
        case do.GiveUpClaim(comment):
            turns.relay(tale, seat, comment)
            demonstration.end(tale, False, "given up")
        case do.GiveVerdict():
            demonstration.rule(tale, action)
        case _:
            raise TypeError(f"{action!r} is no answer to {demand.kind}")


def _lapse(tale: Tale, lapsed: list[Demand]) -> None:
    """The default of what was owed."""
    first = lapsed[0]
    match first.kind:
        case "Colours" | "Edge":
            for demand in lapsed:
                tale.tell(ev.AnswerLapsed(demand.seat, demand.kind))
            games.set_up(tale, [demand.kind for demand in lapsed])
        case "Move":
            turns.lapse(tale, first.seat)
        case _:
            demonstration.lapse(tale, first.kind, first.seat)
