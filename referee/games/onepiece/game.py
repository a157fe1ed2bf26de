"""One Piece For Two behind the seam."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from referee.core.chance import Chance
from referee.core.codec import Codec, JsonDict, Upcast
from referee.core.diagram import Diagram
from referee.core.game import Amendment, Branch, Game, Opening, Seen, Setup, Untold
from referee.core.options import Options
from referee.core.value import Demand
from referee.games.onepiece import TITLES, solver, turns, views
from referee.games.onepiece import events as ev
from referee.games.onepiece import notation as do
from referee.games.onepiece.answers import ANSWERS


class OnePiece(Game[ev.State, ev.Event]):
    """Two players, in single games or a series; four in pairs, in a tournament with claims or without."""

    slug = "onepiece"
    codec_version = 3
    titles = TITLES
    evolve = staticmethod(ev.fold)
    answers = ANSWERS

    def seats(self, options: Options) -> tuple[int, ...]:
        players = options.text("players")
        return (2, 4) if players == "seats" else (int(players),)

    faults = staticmethod(turns.faults)

    def opening(self, setup: Setup, chance: Chance) -> Opening[ev.Event]:
        return Opening(tuple(range(1, setup.seats + 1)), turns.opened(setup, chance))

    def amended(self, state: ev.State, setup: Setup) -> Amendment[ev.Event]:
        return Amendment((ev.LawAmended(turns.law_of(setup.options, setup.seats)),))

    due = staticmethod(turns.due)
    open_to = staticmethod(turns.open_to)
    expects = staticmethod(turns.expects)

    def called(self, state: ev.State, seat: int) -> tuple[str, ...]:
        """None while the colours are still to be chosen."""
        return () if state.phase == "setup" else (state.colour_of(seat),)

    view = staticmethod(views.viewed)
    outcome = staticmethod(turns.outcome)

    @cached_property
    def events_codec(self) -> Codec:
        """Until 0.2.0 the law held how many moves one may miss, which is an option of every match since."""

        def law(told: JsonDict) -> JsonDict:
            return {"law": {name: value for name, value in told["law"].items() if name != "max_timeouts"}}

        older = (Upcast(f"Rules{what}", f"Law{what}", law) for what in ("Set", "Amended"))
        return Codec(self.happenings, older)

    # --- what it can do besides ----------------------------------------------------------------------------------

    computed = ("Verdict",)

    def compute(self, state: ev.State, demand: Demand, nodes: int) -> do.GiveVerdict:
        """The verdict on the claim that waits, bounded by the match's own limit and the caller's."""
        return solver.judged(state, min(nodes, state.law.solver_nodes))

    def audit(self, state: ev.State, event: ev.Event) -> tuple[str, ...]:
        """A verdict's proofs, checked without the solver."""
        return solver.audited(state, event) if isinstance(event, ev.VerdictGiven) else ()

    def supposed(self, state: ev.State, seen: Seen) -> Iterator[Untold]:
        """A verdict's proofs stand in the event alone."""
        given = next((e for e in seen.happened if isinstance(e, ev.VerdictGiven)), None)
        yield Untold(whole={
            demand: replace(action, proofs=given.proofs, slip_proofs=given.slip_proofs)
            for demand, action in seen.answers.items()
            if given and isinstance(action, do.GiveVerdict)
        })  # fmt: skip

    def steps(self, state: ev.State, event: ev.Event) -> tuple[tuple[str, Diagram], ...]:
        """The line that shows a verdict on a claim."""
        return tuple(views.stepped(state, event)) if isinstance(event, ev.VerdictGiven) else ()

    def proofs_of(self, event: ev.Event) -> tuple[Branch, ...]:
        return views.branches(event) if isinstance(event, ev.VerdictGiven) else ()

    board_form = staticmethod(views.clickable)

    def vacant(self, state: ev.State) -> tuple[int, ...]:
        """In pairs: who has resigned, for whom the referee plays, and who has missed too many moves."""
        return tuple(sorted((*state.gone, *state.vacant)))

    def silent(self, state: ev.State, seat: int, missed: int) -> tuple[ev.Event, ...]:
        """The seat is open for takeover, and resigned with the next move it misses."""
        return (ev.SeatOpened(seat, missed),)

    def filled(self, state: ev.State, seat: int) -> tuple[ev.Event, ...]:
        """Another person takes the seat: the referee no longer plays for it."""
        return (ev.SeatFilled(seat),) if seat in (*state.gone, *state.vacant) else ()


GAME = OnePiece()
