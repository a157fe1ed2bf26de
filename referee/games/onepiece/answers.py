"""The kinds of answers: each with its words in a mail, what is wrong with it, and what follows from it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar, TypeVar

from referee.core.answers import Body, OwnAnswer, Party, Reading, single
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.orders import talk
from referee.core.orders.block import bare
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

A = TypeVar("A", bound=do.Sent)


class Sent(KeyedAnswer[State, ev.Event, A]):
    """An answer that a player sends by mail. The parts of its action are the orders of the mail ("move", "claim")."""

    notation = NOTATION
    closing = ""
    fitting: ClassVar[frozenset[str]] = frozenset()  # the orders that may stand in it, beside comments

    # --- the mail ------------------------------------------------------------------------------------------------

    def meant(self, state: State, seat: int, heading: str, sheet: Orders) -> str:
        return reading.meant(state, seat, heading, sheet)

    def understood(self, state: State, demand: Demand, sheet: Orders) -> Reading[A]:
        action, unsaid = self.said(state, sheet)
        faults = (*reading.misplaced(sheet, self.kind, self.fitting), *reading.repeated(sheet), *unsaid)
        lines = {entry.order: entry.line for entry in reversed(sheet.entries)}
        return self.reading(sheet, action, faults, lines)

    @abstractmethod
    def said(self, state: State, sheet: Orders) -> tuple[A | None, reading.Faults]:
        """The action that the sheet says, and what it says badly."""

    def write(self, state: State, demand: Demand, action: A) -> str:
        return "\n".join(do.written(action))

    def kept(self, state: State, demand: Demand, sheet: Orders) -> list[str]:
        return kept(state, demand, sheet, list(self.blank(state, demand.seat)))

    # --- the rules -----------------------------------------------------------------------------------------------

    def untimely(self, state: State, demand: Demand) -> Complaint:
        return owing.untimely(state, demand)

    def resolve(self, state: State, answers: Mapping[Demand, A | Lapse]) -> tuple[ev.Event, ...]:
        """Rounds are open: one answer that came, or the lapse of all that is still owed."""
        record = fold.recorder(state)
        if lapsed := tuple(demand for demand, action in answers.items() if isinstance(action, Lapse)):
            self.lapse(record, lapsed)
        for demand, action in answers.items():
            if not isinstance(action, Lapse):
                self.follow(record, demand.seat, action)
        turns.go_on(record)
        return record.told

    @abstractmethod
    def follow(self, record: Told, seat: int, action: A) -> None:
        """What follows from an answer without faults."""

    def lapse(self, record: Told, lapsed: tuple[Demand, ...]) -> None:
        """What follows where the deadline has passed."""
        raise TypeError(f"{self.kind} can't lapse")


# --- colours and edge (3.2) ------------------------------------------------------------------------------------------


class Choice(Sent[A]):
    """Both are asked for in one round: what lapses of it lapses together."""

    def lapse(self, record: Told, lapsed: tuple[Demand, ...]) -> None:
        record.tell(*(ev.AnswerLapsed(demand.seat, demand.kind) for demand in lapsed))
        games.set_up(record, [demand.kind for demand in lapsed])


class Colours(Choice[do.ChooseColours]):
    """The colour of the player who begins."""

    kind = "Colours"
    headings = ("Colours", "Colors")
    actions = (do.ChooseColours,)
    fitting = frozenset({"colours"})
    begins = "Colours: red"

    def said(self, state: State, sheet: Orders) -> tuple[do.ChooseColours | None, reading.Faults]:
        for entry in sheet.of("colours"):
            return do.ChooseColours(COLOURS.get(bare(entry.value), ""), sheet.comment), ()
        return None, ()

    def check(self, state: State, demand: Demand, action: do.ChooseColours) -> Iterable[Complaint]:
        return () if action.colour else (Complaint("no_colour", "3.2", part="colours"),)

    def follow(self, record: Told, seat: int, action: do.ChooseColours) -> None:
        colour = action.colour or "red"
        record.tell(ev.ColoursChosen(seat, colour, "mail"), *ev.commented(seat, action.comment))
        games.set_up(record)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.ChooseColours:
        return suggesting.colours(chance)


class Edge(Choice[do.ChooseEdge]):
    """The edge of the grid at which the game begins, chosen by the other player."""

    kind = "Edge"
    headings = ("Edge",)
    actions = (do.ChooseEdge,)
    fitting = frozenset({"edge"})
    begins = "Edge: south"

    def said(self, state: State, sheet: Orders) -> tuple[do.ChooseEdge | None, reading.Faults]:
        for entry in sheet.of("edge"):
            return do.ChooseEdge(EDGES.get(bare(entry.value), ""), sheet.comment), ()
        return None, ()

    def check(self, state: State, demand: Demand, action: do.ChooseEdge) -> Iterable[Complaint]:
        return () if action.edge else (Complaint("no_edge", "3.2", part="edge"),)

    def follow(self, record: Told, seat: int, action: do.ChooseEdge) -> None:
        record.tell(ev.EdgeChosen(seat, action.edge, "mail"), *ev.commented(seat, action.comment))
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


class Move(Sent[do.MovePiece]):
    """A piece put down or relocated, and in a tournament a claim with it."""

    kind = "Move"
    headings = ("Move", "Claim")
    actions = (do.MovePiece,)
    fitting = frozenset({"move", "claim", "offer"})
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

    def searched(self, state: State, action: do.MovePiece) -> str | None:
        """A claim that nobody makes true is judged by a search (4.4)."""
        judged_here = state.law.tournament and state.law.adjudication == "solver"
        return claims.PART if judged_here and action.claim is not None else None

    def follow(self, record: Told, seat: int, action: do.MovePiece) -> None:
        turns.play(record, seat, action)

    def lapse(self, record: Told, lapsed: tuple[Demand, ...]) -> None:
        turns.lapse(record, lapsed[0].seat)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.MovePiece:
        return suggesting.move(state, demand.seat, chance)


def _claim(state: State) -> list[str]:
    return [f"Claim: {SLOT}"] if claims.may_be_made(state) else []


class Offer(Sent[talk.OfferDraw]):
    """A draw offered, at any time of play."""

    kind = "Offer"
    headings = ("Offer",)
    actions = (talk.OfferDraw,)
    fitting = frozenset({"offer"})
    begins = "Offer: draw"

    def said(self, state: State, sheet: Orders) -> tuple[talk.OfferDraw, reading.Faults]:
        return talk.OfferDraw(sheet.comment), ()

    def follow(self, record: Told, seat: int, action: talk.OfferDraw) -> None:
        record.tell(*ev.commented(seat, action.comment))
        turns.offer(record, seat)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> talk.OfferDraw:
        return talk.OfferDraw()


class Accept(Sent[talk.AcceptDraw]):
    """The draw that another player has offered."""

    kind = "Accept"
    headings = ("Accept",)
    actions = (talk.AcceptDraw,)
    fitting = frozenset({"accept"})
    begins = "Accept: draw"

    def said(self, state: State, sheet: Orders) -> tuple[talk.AcceptDraw, reading.Faults]:
        return talk.AcceptDraw(sheet.comment), ()

    def follow(self, record: Told, seat: int, action: talk.AcceptDraw) -> None:
        record.tell(*ev.commented(seat, action.comment))
        turns.accept(record, seat)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> talk.AcceptDraw:
        return talk.AcceptDraw()


# --- claims judged (4.4) ---------------------------------------------------------------------------------------------


class Evidence(Sent[do.Evidence]):
    """The beginning of a demonstration: from which ply the claimer plays otherwise, and how; or that he gives up."""

    kind = "Evidence"
    headings = ("Demonstrate", "Give up")
    actions = (do.BeginDemonstration, do.GiveUpClaim)
    fitting = frozenset({"demonstrate", "move", "give up"})

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

    def follow(self, record: Told, seat: int, action: do.Evidence) -> None:
        if isinstance(action, do.GiveUpClaim):
            demonstration.give_up(record, seat, action)
        else:
            demonstration.begin(record, seat, action)

    def lapse(self, record: Told, lapsed: tuple[Demand, ...]) -> None:
        demonstration.too_late(record, lapsed[0])

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.Evidence:
        return suggesting.beginning(state, chance)


class Demonstrate(Sent[do.Shown]):
    """The claimer's next move of his demonstration; or that he gives up."""

    kind = "Demonstrate"
    actions = (do.MovePiece, do.GiveUpClaim)
    fitting = frozenset({"move", "give up", "claim", "offer"})
    begins = f"Move: {SLOT}"

    def said(self, state: State, sheet: Orders) -> tuple[do.Shown | None, reading.Faults]:
        if sheet.of("give up"):
            return do.GiveUpClaim(sheet.comment), reading.giving_up(sheet)
        return move_of(state, sheet)

    def check(self, state: State, demand: Demand, action: do.Shown) -> Iterable[Complaint]:
        if isinstance(action, do.GiveUpClaim):
            return ()
        return demonstration.shown_faults(state, demand.seat, action)

    def follow(self, record: Told, seat: int, action: do.Shown) -> None:
        if isinstance(action, do.GiveUpClaim):
            demonstration.give_up(record, seat, action)
        else:
            demonstration.show(record, seat, action.words.ply, "mail", action.comment)

    def lapse(self, record: Told, lapsed: tuple[Demand, ...]) -> None:
        demonstration.too_late(record, lapsed[0])

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.Shown:
        return suggesting.demonstration(state, demand.seat, chance)


class Reply(Sent[do.MovePiece]):
    """The opponents' next move of a demonstration: either may answer."""

    kind = "Reply"
    actions = (do.MovePiece,)
    fitting = frozenset({"move", "claim", "offer"})
    begins = f"Move: {SLOT}"

    def said(self, state: State, sheet: Orders) -> tuple[do.MovePiece | None, reading.Faults]:
        return move_of(state, sheet)

    def check(self, state: State, demand: Demand, action: do.MovePiece) -> Iterable[Complaint]:
        return demonstration.shown_faults(state, demand.seat, action)

    def follow(self, record: Told, seat: int, action: do.MovePiece) -> None:
        demonstration.show(record, seat, action.words.ply, "mail", action.comment)

    def lapse(self, record: Told, lapsed: tuple[Demand, ...]) -> None:
        demonstration.reply_by_default(record, lapsed[0])

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.MovePiece:
        return suggesting.reply(state, demand.seat, chance)


class Verdict(OwnAnswer[State, ev.Event, do.GiveVerdict]):
    """What the solver found of a claim: the referee's own answer, which only records say in words."""

    kind = "Verdict"
    actions = (do.GiveVerdict,)

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

    def resolve(self, state: State, answers: Mapping[Demand, do.GiveVerdict | Lapse]) -> tuple[ev.Event, ...]:
        _, given = single(answers)
        record = fold.recorder(state)
        claims.judge(record, given)
        turns.go_on(record)
        return record.told

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.GiveVerdict:
        return judged(state, state.law.solver_nodes)

    def public(self, action: do.GiveVerdict) -> do.GiveVerdict:
        """The proofs stand in the event alone."""
        return replace(action, proofs=(), slip_proofs=())


# --- at any time -----------------------------------------------------------------------------------------------------


class Resign(Sent[talk.Resign]):
    """With two players the game is lost; in a tournament the seat is left."""

    kind = "Resign"
    headings = ("Resign",)
    actions = (talk.Resign,)
    fitting = frozenset({"resign"})
    begins = "Resign"

    def said(self, state: State, sheet: Orders) -> tuple[talk.Resign, reading.Faults]:
        return talk.Resign(sheet.comment), ()

    def follow(self, record: Told, seat: int, action: talk.Resign) -> None:
        turns.resign(record, seat, "mail", action.comment)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> talk.Resign:
        return talk.Resign()


class Comment(Sent[talk.SendComment]):
    """Words to the others alone (C12)."""

    kind = "Comment"
    headings = ("Comment",)
    actions = (talk.SendComment,)
    closing = f"Comment: {SLOT}"

    def said(self, state: State, sheet: Orders) -> tuple[talk.SendComment | None, reading.Faults]:
        return talk.SendComment(sheet.comment) if sheet.comment else None, ()

    def follow(self, record: Told, seat: int, action: talk.SendComment) -> None:
        record.tell(*ev.commented(seat, action.text))

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
