"""The kinds of answers: each with its words in a mail, what is wrong with it, and what follows from it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from referee.core.answers import Body, OwnAnswer, Party, Reading, RecordedAnswer
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.orders import talk
from referee.core.orders.block import bare
from referee.core.orders.duel import commented
from referee.core.orders.keyed import KeyedAnswer
from referee.core.owing import Demand, Lapse
from referee.core.replacing import replace
from referee.games.onepiece import actions as do
from referee.games.onepiece import events as ev
from referee.games.onepiece import owing
from referee.games.onepiece.folding import Told, fold
from referee.games.onepiece.mail import reading
from referee.games.onepiece.mail.forms import SLOT, kept
from referee.games.onepiece.mail.sheet import COLOURS, EDGES, NOTATION, Orders
from referee.games.onepiece.play import suggesting, turns
from referee.games.onepiece.proofs.adjudication import judged
from referee.games.onepiece.state import State
from referee.games.onepiece.tournament import claims, demonstration, games

A = TypeVar("A")
Own = TypeVar("Own", bound=do.Own)


class Sent(KeyedAnswer[State, ev.Event, A], RecordedAnswer[State, ev.Event, A]):
    """An answer that a player sends by mail. The parts of its action are the orders of the mail ("move", "claim")."""

    notation = NOTATION
    fold = fold
    closing = ""

    def meant(self, state: State, seat: int, heading: str, sheet: Orders) -> str:
        return reading.meant(state, seat, heading, sheet)

    def misplaced(self, sheet: Orders) -> Iterator[Complaint]:
        yield from reading.misplaced(sheet, self.kind, self.fits)
        yield from reading.repeated(sheet)

    def reading(
        self,
        sheet: Orders,
        action: A | None,
        faults: Iterable[Complaint] = (),
        lines: Mapping[str, Line] | None = None,
    ) -> Reading[A]:
        said = {entry.order: entry.line for entry in reversed(sheet.entries)}
        return super().reading(sheet, action, faults, said)

    def kept(self, state: State, demand: Demand, sheet: Orders) -> list[str]:
        return kept(state, demand, sheet, list(self.blank(state, demand.seat)))

    def untimely(self, state: State, demand: Demand) -> Complaint:
        return owing.untimely(state, demand)

    def settle(self, record: Told) -> None:
        turns.go_on(record)


class Ordered(Sent[Own]):
    """An answer that no other game has so."""

    def understood(self, state: State, demand: Demand, sheet: Orders) -> Reading[Own]:
        action, unsaid = self.said(state, sheet)
        return self.reading(sheet, action, (*self.misplaced(sheet), *unsaid))

    @abstractmethod
    def said(self, state: State, sheet: Orders) -> tuple[Own | None, reading.Faults]:
        """The action that the sheet says, and what it says badly."""

    def write(self, state: State, demand: Demand, action: Own) -> str:
        return self.written(do.ordered(action), action.comment)


# --- colours and edge (3.2) ------------------------------------------------------------------------------------------


class Choice(Ordered[Own]):
    """Both are asked for in one round: what lapses of it lapses together."""

    def follow(self, record: Told, answers: Mapping[Demand, Own | Lapse]) -> None:
        lapsed = [demand for demand, answer in answers.items() if isinstance(answer, Lapse)]
        if not lapsed:
            super().follow(record, answers)
            return
        record.tell(*(ev.AnswerLapsed(demand.seat, demand.kind) for demand in lapsed))
        games.set_up(record, [demand.kind for demand in lapsed])


class Colours(Choice[do.ChooseColours]):
    """The colour of the player who begins."""

    kind = "Colours"
    headings = ("Colours", "Colors")
    actions = (do.ChooseColours,)
    fits = frozenset({"colours"})
    begins = "Colours: red"

    def said(self, state: State, sheet: Orders) -> tuple[do.ChooseColours | None, reading.Faults]:
        for entry in sheet.of("colours"):
            return do.ChooseColours(COLOURS.get(bare(entry.value), ""), sheet.comment), ()
        return None, ()

    def check(self, state: State, demand: Demand, action: do.ChooseColours) -> Iterable[Complaint]:
        return () if action.colour else (Complaint("no_colour", "3.2", part="colours"),)

    def act(self, record: Told, seat: int, action: do.ChooseColours) -> None:
        colour = action.colour or "red"
        record.tell(ev.ColoursChosen(seat, colour, "mail"), *commented(seat, action.comment))
        games.set_up(record)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.ChooseColours:
        return suggesting.colours(chance)


class Edge(Choice[do.ChooseEdge]):
    """The edge of the grid at which the game begins, chosen by the other player."""

    kind = "Edge"
    headings = ("Edge",)
    actions = (do.ChooseEdge,)
    fits = frozenset({"edge"})
    begins = "Edge: south"

    def said(self, state: State, sheet: Orders) -> tuple[do.ChooseEdge | None, reading.Faults]:
        for entry in sheet.of("edge"):
            return do.ChooseEdge(EDGES.get(bare(entry.value), ""), sheet.comment), ()
        return None, ()

    def bare(self, state: State, demand: Demand, text: str) -> tuple[str, ...]:
        named = len(text) > 1 and text in EDGES
        return (f"Edge: {text}",) if named else super().bare(state, demand, text)

    def check(self, state: State, demand: Demand, action: do.ChooseEdge) -> Iterable[Complaint]:
        return () if action.edge else (Complaint("no_edge", "3.2", part="edge"),)

    def act(self, record: Told, seat: int, action: do.ChooseEdge) -> None:
        record.tell(ev.EdgeChosen(seat, action.edge, "mail"), *commented(seat, action.comment))
        games.set_up(record)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.ChooseEdge:
        return suggesting.edge(chance)


# --- play (3.3, 4.2) -------------------------------------------------------------------------------------------------


def move_of(state: State, sheet: Orders) -> tuple[do.MovePiece | None, reading.Faults]:
    """A move with what may stand beside it."""
    words, faults = reading.move(state.shown_grid, sheet)
    if words is None:
        return None, faults
    claim, unread = reading.claim(sheet)
    offer = bool(sheet.of("offer"))
    return do.MovePiece(words.red, words.blue, words.lifted, claim, offer, sheet.comment), unread


class Move(Ordered[do.MovePiece]):
    """A piece put down or relocated, and in a tournament a claim with it."""

    kind = "Move"
    headings = ("Move", "Claim")
    actions = (do.MovePiece,)
    foreseeable = True
    fits = frozenset({"move", "claim", "offer"})
    begins = f"Move: {SLOT}"

    def said(self, state: State, sheet: Orders) -> tuple[do.MovePiece | None, reading.Faults]:
        return move_of(state, sheet)

    def blank(self, state: State, seat: int) -> list[str]:
        return [self.begins, *_claim(state)]

    def filled_in(self, state: State, demand: Demand, action: do.MovePiece) -> str:
        """A claim has a line of its own where one might be added; in a mail it would end a comment."""
        closed = action.claim is not None or action.comment
        return "\n".join([self.write(state, demand, action), *([] if closed else _claim(state))])

    def check(self, state: State, demand: Demand, action: do.MovePiece) -> Iterable[Complaint]:
        return turns.turn_faults(state, demand.seat, action)

    def foreseen(self, state: State, action: do.MovePiece) -> do.MovePiece | None:
        """A claim or an offer makes more of it than a move."""
        return None if action.offer or action.claim is not None else replace(action, comment="")

    def searched(self, state: State, action: do.MovePiece) -> str | None:
        """A claim that nobody makes true is judged by a search (4.4)."""
        judged_here = state.law.tournament and state.law.adjudication == "solver"
        return claims.PART if judged_here and action.claim is not None else None

    def act(self, record: Told, seat: int, action: do.MovePiece) -> None:
        turns.play(record, seat, action)

    def lapse(self, record: Told, demand: Demand) -> None:
        turns.lapse(record, demand.seat)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.MovePiece:
        return suggesting.move(state, demand.seat, chance)


def _claim(state: State) -> list[str]:
    return [f"Claim: {SLOT}"] if claims.may_be_made(state) else []


class Offer(talk.DrawOffer[State, ev.Event], Sent[talk.OfferDraw]):
    """A draw offered, at any time of play."""

    def act(self, record: Told, seat: int, action: talk.OfferDraw) -> None:
        record.tell(*commented(seat, action.comment))
        turns.offer(record, seat)


class Accept(Ordered[talk.AcceptDraw]):
    """The draw that another player has offered."""

    kind = "Accept"
    headings = ("Accept",)
    actions = (talk.AcceptDraw,)
    fits = frozenset({"accept"})
    begins = "Accept: draw"

    def said(self, state: State, sheet: Orders) -> tuple[talk.AcceptDraw, reading.Faults]:
        return talk.AcceptDraw(sheet.comment), ()

    def act(self, record: Told, seat: int, action: talk.AcceptDraw) -> None:
        record.tell(*commented(seat, action.comment))
        turns.accept(record, seat)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> talk.AcceptDraw:
        return talk.AcceptDraw()


# --- claims judged (4.4) ---------------------------------------------------------------------------------------------


class Evidence(Ordered[do.Evidence]):
    """The beginning of a demonstration: from which ply the claimer plays otherwise, and how; or that he gives up."""

    kind = "Evidence"
    headings = ("Demonstrate", "Give up")
    actions = (do.BeginDemonstration, do.GiveUpClaim)
    fits = frozenset({"demonstrate", "move", "give up"})

    def blank(self, state: State, seat: int) -> list[str]:
        return [f"Demonstrate: {SLOT}", f"Move: {SLOT}"]

    def said(self, state: State, sheet: Orders) -> tuple[do.Evidence | None, reading.Faults]:
        if sheet.of("give up"):
            return do.GiveUpClaim(sheet.comment), reading.giving_up(sheet)
        ply, faults = reading.changed_ply(sheet)
        words, unread = reading.move(reading.grid_before(state, ply), sheet)
        if faults:
            return None, (*faults, *(unread if sheet.of("move") else ()))
        if words is None:
            return None, unread
        return do.BeginDemonstration(ply, words.red, words.blue, words.lifted, sheet.comment), ()

    def check(self, state: State, demand: Demand, action: do.Evidence) -> Iterable[Complaint]:
        if isinstance(action, do.GiveUpClaim):
            return ()
        return demonstration.beginning_faults(state, action)

    def act(self, record: Told, seat: int, action: do.Evidence) -> None:
        if isinstance(action, do.GiveUpClaim):
            demonstration.give_up(record, seat, action)
        else:
            demonstration.begin(record, seat, action)

    def lapse(self, record: Told, demand: Demand) -> None:
        demonstration.too_late(record, demand)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.Evidence:
        return suggesting.beginning(state, chance)


class Demonstrate(Ordered[do.Shown]):
    """The claimer's next move of his demonstration; or that he gives up."""

    kind = "Demonstrate"
    actions = (do.MovePiece, do.GiveUpClaim)
    fits = frozenset({"move", "give up", "claim", "offer"})
    begins = f"Move: {SLOT}"

    def said(self, state: State, sheet: Orders) -> tuple[do.Shown | None, reading.Faults]:
        if sheet.of("give up"):
            return do.GiveUpClaim(sheet.comment), reading.giving_up(sheet)
        return move_of(state, sheet)

    def check(self, state: State, demand: Demand, action: do.Shown) -> Iterable[Complaint]:
        if isinstance(action, do.GiveUpClaim):
            return ()
        return demonstration.shown_faults(state, demand.seat, action)

    def act(self, record: Told, seat: int, action: do.Shown) -> None:
        if isinstance(action, do.GiveUpClaim):
            demonstration.give_up(record, seat, action)
        else:
            demonstration.show(record, seat, action.words.ply, "mail", action.comment)

    def lapse(self, record: Told, demand: Demand) -> None:
        demonstration.too_late(record, demand)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.Shown:
        return suggesting.demonstration(state, demand.seat, chance)


class Reply(Ordered[do.MovePiece]):
    """The opponents' next move of a demonstration: either may answer."""

    kind = "Reply"
    actions = (do.MovePiece,)
    fits = frozenset({"move", "claim", "offer"})
    begins = f"Move: {SLOT}"

    def said(self, state: State, sheet: Orders) -> tuple[do.MovePiece | None, reading.Faults]:
        return move_of(state, sheet)

    def check(self, state: State, demand: Demand, action: do.MovePiece) -> Iterable[Complaint]:
        return demonstration.shown_faults(state, demand.seat, action)

    def act(self, record: Told, seat: int, action: do.MovePiece) -> None:
        demonstration.show(record, seat, action.words.ply, "mail", action.comment)

    def follow(self, record: Told, answers: Mapping[Demand, do.MovePiece | Lapse]) -> None:
        """For both opponents' silence the referee replies once."""
        super().follow(record, dict([*answers.items()][:1]))

    def lapse(self, record: Told, demand: Demand) -> None:
        demonstration.reply_by_default(record, demand)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.MovePiece:
        return suggesting.reply(state, demand.seat, chance)


class Verdict(OwnAnswer[State, ev.Event, do.GiveVerdict], RecordedAnswer[State, ev.Event, do.GiveVerdict]):
    """What the solver found of a claim: the referee's own answer, which only records say in words."""

    kind = "Verdict"
    actions = (do.GiveVerdict,)
    fold = fold

    def read(self, state: State, demand: Demand, body: Body, party: Party) -> Reading[do.GiveVerdict]:
        given = reading.verdict("\n".join(line.text for line in body.lines))
        complaint = Complaint("nothing_ordered", "4.4", facts={"kind": self.kind})
        return Reading(given, () if given else (complaint,))

    def untimely(self, state: State, demand: Demand) -> Complaint:
        return owing.untimely(state, demand)

    def check(self, state: State, demand: Demand, action: do.GiveVerdict) -> Iterable[Complaint]:
        return ()

    def write(self, state: State, demand: Demand, action: do.GiveVerdict) -> str:
        shown = f"\nLine: {' '.join(action.line)}" if action.line else ""
        let_go = f"\nLet go: ply {action.slip}" if action.slip else ""
        return f"Verdict: {action.verdict} after ply {action.after} ({action.nodes} positions){shown}{let_go}"

    def act(self, record: Told, seat: int, action: do.GiveVerdict) -> None:
        claims.judge(record, action)
        turns.go_on(record)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.GiveVerdict:
        return judged(state, state.law.solver_nodes)

    def public(self, action: do.GiveVerdict) -> do.GiveVerdict:
        """The proofs stand in the event alone."""
        return replace(action, proofs=(), slip_proofs=())


# --- at any time -----------------------------------------------------------------------------------------------------


class Resign(talk.Resignation[State, ev.Event, talk.Resign], Sent[talk.Resign]):
    """With two players the game is lost; in a tournament the seat is left."""

    actions = (talk.Resign,)

    def act(self, record: Told, seat: int, action: talk.Resign) -> None:
        turns.resign(record, seat, "mail", action.comment)


class Comment(talk.Remark[State, ev.Event], Sent[talk.SendComment]):
    """Words to the others alone (C12)."""

    closing = f"Comment: {SLOT}"

    def act(self, record: Told, seat: int, action: talk.SendComment) -> None:
        record.tell(*commented(seat, action.text))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> talk.SendComment:
        return talk.SendComment("A pretty position.")


ANSWERS = (
    Move(),
    Colours(),
    Edge(),
    Offer(),
    Accept(),
    Evidence(),
    Demonstrate(),
    Reply(),
    Verdict(),
    Resign(),
    Comment(),
)
