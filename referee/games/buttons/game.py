"""Buttons and bridges behind the seam."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from referee.core.board_form import BoardForm
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.game import (
    LAPSED,
    REFEREE,
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
from referee.core.options import Options
from referee.games.buttons import actions as do
from referee.games.buttons import demands, opening, puzzling, turns, views
from referee.games.buttons import events as ev
from referee.games.buttons.check import checked
from referee.games.buttons.clicks import clickable
from referee.games.buttons.evolve import evolved
from referee.games.buttons.forms import form_for, mended_form
from referee.games.buttons.notation import written
from referee.games.buttons.reading import aimed, understood
from referee.games.buttons.rehearsing import suggested
from referee.games.buttons.solver import solved
from referee.games.buttons.standings import ranked
from referee.games.buttons.state import State


class Buttons(Game[State, Any, Any]):
    """Two players (5.3) or the solo puzzle (5.4), by Adam Obren."""

    slug: ClassVar[str] = "buttons"
    titles: ClassVar[tuple[str, ...]] = ("Buttons", "Buttons and bridges")
    headings: ClassVar[Mapping[str, str]] = {
        "Move": "Move",
        "Place": "Move",
        "Goal": "Move",
        "Undo": "Move",
        "Give up": "Move",
        "Accept": "Move",
        "Offer": "Offer",
        "Resign": "Resign",
        "Comment": "Comment",
    }
    happenings: ClassVar[tuple[type, ...]] = (
        ev.RulesSet,
        ev.RulesAmended,
        ev.StarterDrawn,
        ev.ButtonsShuffled,
        ev.PositionSet,
        ev.ButtonPlaced,
        ev.ButtonMoved,
        ev.PassForced,
        ev.LineMade,
        ev.DrawOffered,
        ev.DrawAgreed,
        ev.PlayerResigned,
        ev.TurnLapsed,
        ev.Commented,
        ev.GoalChosen,
        ev.MoveUndone,
        ev.GoalReached,
        ev.GivenUp,
        ev.MailJudged,
        ev.ParFound,
        ev.TableClosed,
        ev.TrailRevealed,
        ev.ParPublished,
        ev.MatchDecided,
    )
    actions: ClassVar[tuple[type, ...]] = do.KINDS
    state: ClassVar[type] = State
    computed: ClassVar[tuple[str, ...]] = ("Par",)

    def seats(self, options: Options) -> tuple[int, ...]:
        return (1,) if options.text("mode") == "solo" else (2,)

    def faults(self, setup: Setup) -> tuple[str, ...]:
        return opening.judged(setup)[1]

    def opening(self, setup: Setup, chance: Chance) -> Opening[Any]:
        tale = turns.Tale(self.initial())
        tale.tell(*opening.opening_events(setup, chance))
        if tale.state.rules.solo:
            puzzling.look(tale)
            puzzling.finish(tale)
        else:
            turns.go_on(tale)
        return Opening(tuple(range(1, setup.seats + 1)), tuple(tale.events))

    def initial(self) -> State:
        return State()

    def evolve(self, state: State, event: Any) -> State:
        return evolved(state, event)

    def amended(self, state: State, setup: Setup) -> Amendment[Any]:
        rules, faults = opening.judged(setup)
        if rules is not None and rules.board != state.rules.board:
            faults = ("the board of a running match stays as it is",)
        return Amendment(() if rules is None or faults else (ev.RulesAmended(rules),), faults)

    def due(self, state: State) -> tuple[Round, ...]:
        return demands.due(state)

    def open_to(self, state: State, seat: int) -> tuple[Demand, ...]:
        return demands.open_to(state, seat)

    def aim(self, state: State, seat: int, heading: str, lines: Sequence[Line]) -> Demand:
        return aimed(state, seat, heading, lines)

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
        lapsed = tuple(demand.seat for demand, answer in answers.items() if answer is LAPSED)
        if lapsed:
            return (
                puzzling.resolve_lapse(state, lapsed)
                if state.rules.solo
                else turns.resolve_lapse(state, lapsed[0])
            )
        ((demand, action),) = answers.items()
        match action:
            case do.PlaySolo():
                return puzzling.resolve_mail(state, action)
            case do.SetPar():
                return puzzling.resolve_par(state, action)
            case do.CloseTable():
                return puzzling.resolve_lapse(state, (REFEREE,))
            case do.ResignMatch(comment):
                return turns.resolve_resignation(demand.seat, comment)
            case do.OfferDraw(comment):
                said = (ev.Commented(demand.seat, comment),) if comment else ()
                return ev.DrawOffered(demand.seat), *said
            case do.SendComment(text):
                return (ev.Commented(demand.seat, text, state.rules.private),)
            case _:
                return turns.resolve_turn(state, demand.seat, action)

    def leaves(self, action: Any) -> bool:
        return isinstance(action, do.ResignMatch)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Any:
        return suggested(state, demand, chance)

    def compute(self, state: State, demand: Demand, nodes: int) -> Any:
        """Par: the referee's own solution of the puzzle, counted from its start."""
        return do.SetPar(solved(state.rules, state.start, state.goal, min(nodes, state.rules.par_nodes)))

    def view(self, state: State, seat: int | None) -> View:
        return views.viewed(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        return views.outcome(state)

    def table(self, outcomes: Mapping[str, Outcome | None]) -> tuple[tuple[str, ...], ...]:
        rows = ranked(outcomes)
        head = ("Match", "Rank", "Moves", "Result")
        return (head, *((r.match, str(r.rank or "-"), str(r.moves), r.result) for r in rows)) if rows else ()

    def board_form(self, state: State) -> BoardForm:
        return clickable(state)

    def secret_to(self, event: Any) -> int | None:
        """A private puzzle is its player's alone, and the referee's own solution nobody's, until the end."""
        if isinstance(event, ev.ParFound):
            return REFEREE
        return puzzling.PLAYER if getattr(event, "private", False) else None

    def public(self, action: Any) -> Any:
        """What is recorded of an answer: what it orders, not where in the mail it stood."""
        if isinstance(action, do.SetPar):
            return None
        if isinstance(action, do.PlaySolo):
            action = replace(action, steps=tuple(replace(step, line=None) for step in action.steps))
        return replace(action, line=None) if getattr(action, "line", None) else action
