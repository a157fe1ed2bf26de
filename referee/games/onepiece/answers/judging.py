"""Claims judged (4.4): the solver's verdict, and what is said in a demonstration."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from referee.core.answers import Body, OwnAnswer, Part, Party, Reading, RecordedAnswer
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.owing import Demand, Lapse
from referee.games.onepiece import actions as do
from referee.games.onepiece import events as ev
from referee.games.onepiece import owing
from referee.games.onepiece.answers import parts
from referee.games.onepiece.answers.sent import MOVE, SLOT, Ordered, move_of, number_in, words_of
from referee.games.onepiece.board import Grid
from referee.games.onepiece.folding import Told, fold
from referee.games.onepiece.notation import Orders
from referee.games.onepiece.play import claims, demonstration, suggesting, turns
from referee.games.onepiece.proofs.adjudication import judged
from referee.games.onepiece.state import State, Verdict

Said = TypeVar("Said", do.Evidence, do.Shown, do.MovePiece)


class Showing(Ordered[Said]):
    """A move of a demonstration; of the claimer, or that he gives up."""

    def check(self, state: State, demand: Demand, action: Said) -> Iterable[Complaint]:
        match action:
            case do.BeginDemonstration():
                return demonstration.beginning_faults(state, action)
            case do.MovePiece():
                return demonstration.shown_faults(state, demand.seat, action)
        return ()

    def possible(
        self, state: State, demand: Demand, said: Sequence[str], named: Collection[str]
    ) -> Iterator[Part]:
        yield from super().possible(state, demand, said, named)
        yield from parts.shown(state, demand.seat, said, named)

    def write(self, state: State, demand: Demand, action: Said) -> str:
        return self.written(action.orders, action.comment)

    def act(self, record: Told, seat: int, action: Said) -> None:
        match action:
            case do.BeginDemonstration():
                demonstration.begin(record, seat, action)
            case do.MovePiece():
                demonstration.show(record, seat, action.ply, "mail", action.comment)
            case do.GiveUpClaim():
                demonstration.give_up(record, seat, action)

    def lapse(self, record: Told, demand: Demand) -> None:
        demonstration.too_late(record, demand)


class Evidence(Showing[do.Evidence]):
    """The beginning of a demonstration: from which ply the claimer plays otherwise, and how; or that he gives up."""

    kind = "Evidence"
    headings = ("Demonstrate", "Give up")
    actions = (do.BeginDemonstration, do.GiveUpClaim)
    fits = frozenset({"demonstrate", "move", "give up"})

    def possible(
        self, state: State, demand: Demand, said: Sequence[str], named: Collection[str]
    ) -> Iterator[Part]:
        return parts.beginning(state, said, named)

    def blank(self, state: State, seat: int) -> list[str]:
        return [f"Demonstrate: {SLOT}", MOVE]

    def said(self, state: State, sheet: Orders, wrong: list[Complaint]) -> do.Evidence | None:
        if sheet.of("give up"):
            return _given_up(sheet, wrong)
        ply = _ply_of(sheet, wrong)
        badly = bool(wrong)
        if badly and not sheet.of("move"):
            return None
        words = words_of(self.grid(state, sheet), sheet, wrong)
        if badly or words is None:
            return None
        return do.BeginDemonstration(ply, words.red, words.blue, words.lifted, sheet.comment)

    def grid(self, state: State, sheet: Orders) -> Grid:
        """As far as the ply that is to be changed is one."""
        ply = _ply_of(sheet, [])
        return state.grid_before(ply) if state.demo is None and 1 <= ply <= state.ply else state.shown_grid

    def kept(self, state: State, demand: Demand, sheet: Orders) -> list[str]:
        """The ply comes before the move."""
        return sorted(super().kept(state, demand, sheet), key=lambda line: not line.startswith("Demonstrate"))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.Evidence:
        return suggesting.beginning(state, chance)


def _given_up(sheet: Orders, wrong: list[Complaint]) -> do.GiveUpClaim:
    """Beside giving up a claim there is no move."""
    wrong += (
        Complaint("not_beside", "3.5", entry.line, {"order": "move", "kind": "give up"})
        for entry in sheet.of("move")
    )
    return do.GiveUpClaim(sheet.comment)


def _ply_of(sheet: Orders, wrong: list[Complaint]) -> int:
    """The ply from which a demonstration plays otherwise; 0 where there is a fault."""
    for entry in sheet.of("demonstrate"):
        return number_in(_PLY, "4.4", entry, wrong) or 0
    wrong.append(Complaint("no_ply", "4.4"))
    return 0


class Demonstrate(Showing[do.Shown]):
    """The claimer's next move of his demonstration; or that he gives up."""

    kind = "Demonstrate"
    actions = (do.MovePiece, do.GiveUpClaim)
    fits = frozenset({"move", "give up", "claim", "offer"})
    begins = MOVE
    parts = (parts.GIVE_UP,)

    def said(self, state: State, sheet: Orders, wrong: list[Complaint]) -> do.Shown | None:
        return _given_up(sheet, wrong) if sheet.of("give up") else move_of(state, sheet, wrong)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.Shown:
        return suggesting.demonstration(state, demand.seat, chance)


class Reply(Showing[do.MovePiece]):
    """The opponents' next move of a demonstration: either may answer."""

    kind = "Reply"
    actions = (do.MovePiece,)
    fits = frozenset({"move", "claim", "offer"})
    begins = MOVE
    said = staticmethod(move_of)

    def follow(self, record: Told, answers: Mapping[Demand, do.MovePiece | Lapse]) -> None:
        """For both opponents' silence the referee replies once."""
        super().follow(record, dict([*answers.items()][:1]))

    def lapse(self, record: Told, demand: Demand) -> None:
        demonstration.reply_by_default(record, demand)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.MovePiece:
        return suggesting.reply(state, demand.seat, chance)


_PLY = re.compile(r"(?:from\s+)?(?:ply\s+)?(\d{1,4})\.?", re.IGNORECASE)
_VERDICT = re.compile(
    r"Verdict: (proved|refuted|unknown) after ply (\d+) \((\d+) positions\)"
    r"(?:\nLine: (.*?))?(?:\nLet go: ply (\d+))?"
)
_VERDICTS: Mapping[str, Verdict] = {"proved": "proved", "refuted": "refuted", "unknown": "unknown"}


class VerdictAnswer(
    OwnAnswer[State, ev.Event, do.GiveVerdict], RecordedAnswer[State, ev.Event, do.GiveVerdict]
):
    """What the solver found of a claim: the referee's own answer, which only records say in words; its proof stands
    elsewhere."""

    kind = "Verdict"
    actions = (do.GiveVerdict,)
    fold = fold
    untimely = staticmethod(owing.untimely)
    settle = staticmethod(turns.go_on)

    def read(self, state: State, demand: Demand, body: Body, party: Party) -> Reading[do.GiveVerdict]:
        found = _VERDICT.fullmatch("\n".join(line.text for line in body.lines))
        if found is None:
            return Reading(None, (Complaint("nothing_ordered", "4.4", facts={"kind": self.kind}),))
        line, slip = tuple((found[4] or "").split()), int(found[5] or 0)
        given = do.GiveVerdict(_VERDICTS[found[1]], int(found[2]), int(found[3]), line, slip=slip)
        return Reading(given)

    def check(self, state: State, demand: Demand, action: do.GiveVerdict) -> Iterable[Complaint]:
        return ()

    def write(self, state: State, demand: Demand, action: do.GiveVerdict) -> str:
        shown = f"\nLine: {' '.join(action.line)}" if action.line else ""
        let_go = f"\nLet go: ply {action.slip}" if action.slip else ""
        return f"Verdict: {action.verdict} after ply {action.after} ({action.nodes} positions){shown}{let_go}"

    def act(self, record: Told, seat: int, action: do.GiveVerdict) -> None:
        claims.judge(record, action)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.GiveVerdict:
        return judged(state, state.law.solver_nodes)

    def public(self, action: do.GiveVerdict) -> do.GiveVerdict:
        """The proofs stand in the event alone."""
        return replace(action, proofs=(), slip_proofs=())
