"""What players say: the notation (M8), and the four kinds of answers."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from referee.core.answers import A, Named, Part, Reading, Said, pointed_at
from referee.core.chance import Chance
from referee.core.duel import commented, other
from referee.core.orders import keyed, talk
from referee.core.value import Complaint, Demand, Line, fault
from referee.games.morris import turns
from referee.games.morris.state import INDEX, DrawOffered, Event, MatchDecided, State
from referee.games.morris.turns import Play, Record, Turn

# --- the notation ----------------------------------------------------------------------------------------------------

_POINT = r"[a-z]\d{1,2}"
_PLAY = re.compile(
    rf"(?:({_POINT})\s*(?:-|/|to\b|\s)\s*)?({_POINT})(?:\s*,?\s*(?:and\s+)?(?:x|takes?)\s*({_POINT}))?"
)


def _valued(order: str, value: str, line: Line) -> Iterator[keyed.SheetEntry[Any] | Complaint]:
    if found := _PLAY.fullmatch(value):
        yield keyed.SheetEntry(order, (found[1] or "", found[2], found[3] or ""), line)
    else:
        yield Complaint("move_unclear", "M8", line, {"given": value})


_NOTATION = keyed.Wording(
    keys="move, moves, place, places | offer, offers | accept, accepts | comment, comments",
    words="resign | pass, i pass",
    valued=keyed.with_draws(_valued, "M7"),
    rule="M8",
    plain=lambda text: re.sub("[‐‑‒–—―−→]|-+>", "-", text).strip(" \t*_`"),
)


def played(start: str, end: str, taken: str) -> str:
    """The line that says a turn."""
    return f"Move: {start}{'-' if start else ''}{end}{' x ' if taken else ''}{taken}"


# --- the answers -----------------------------------------------------------------------------------------------------


class Sent(keyed.KeyedAnswer[State, Event, A]):
    """What all kinds have in common."""

    notation = _NOTATION
    means = talk.beside_turns("move", "accept", "pass")
    by_heading = frozenset(("resign", "offer"))

    def untimely(self, state: State, demand: Demand) -> Complaint:
        if demand.kind == "Move":
            return fault("not_your_turn", "M2", mover=state.mover)
        return super().untimely(state, demand)

    def again(self, entry: keyed.SheetEntry[Any]) -> str:
        return played(*entry.value) if entry.order == "move" else super().again(entry)


class Move(Sent[Turn]):
    """A turn (M2 to M5), or the draw accepted instead (M7)."""

    kind = "Move"
    headings = ("Move", "Accept")
    foreseeable = True

    def understood(self, state: State, demand: Demand, sheet: keyed.Sheet[Any]) -> Reading[Turn]:
        turns = sheet.of("move", "accept")
        wrong = [Complaint("one_turn", "M2", entry.line) for entry in turns[1:]]
        wrong += [Complaint("no_pass", "M3", entry.line) for entry in sheet.of("pass")]
        action: Turn | None = None
        if turns and turns[0].order == "move":
            start, end, taken = turns[0].value
            action = Play(start, end, taken, bool(sheet.of("offer")), sheet.comment)
        elif turns:
            action = talk.AcceptDraw(sheet.comment)
            wrong += [Complaint("one_turn", "M2", entry.line) for entry in sheet.of("offer")]
        return self.reading(sheet, action, wrong, sheet.line("move", "accept", part="turn"))

    def possible(self, state: State, demand: Demand, said: Said, named: Named) -> Iterator[Part]:
        """One turn, with each man that its mill may take; the offer beside it, or the draw accepted instead of it."""
        told = self.notation.of(said).said
        if not told & {"move", "accept"}:
            ways = ((one.start, one.end, one.taken) for one in turns.plays(state, demand.seat))
            named_so = ((way, zip(("from", "to", "taken"), way, strict=True)) for way in ways)
            parts = (Part(played(*way), tuple(slot for slot in slots if slot[1])) for way, slots in named_so)
            yield from pointed_at(parts, named)
        if state.offer == other(demand.seat) and not told:
            yield talk.ACCEPT
        if not told & {"accept", "offer"}:
            yield talk.OFFER

    def check(self, state: State, demand: Demand, action: Turn) -> Iterable[Complaint]:
        return turns.faults(state, demand.seat, action)

    def write(self, state: State, demand: Demand, action: Turn) -> str:
        if isinstance(action, talk.AcceptDraw):
            return self.written(["Accept: draw"], action.comment)
        offer = ["Offer: draw"] if action.offer else []
        line = played(action.start, action.end, action.taken)
        return self.written([line, *offer], action.comment)

    def blank(self, state: State, seat: int) -> Iterable[str]:
        return ["Move:", *(["Accept:"] if state.offer == other(seat) else [])]

    def kept(self, state: State, demand: Demand, sheet: keyed.Sheet[Any]) -> Iterator[str]:
        """With the key of a turn where no turn is among the lines."""
        lines = [line for line in super().kept(state, demand, sheet) if line != "Pass"]
        if not any(line.startswith(("Move", "Accept")) for line in lines):
            yield from self.blank(state, demand.seat)
        yield from lines

    act = staticmethod(turns.follow)

    def lapse(self, record: Record, demand: Demand) -> None:
        record.tell(MatchDecided((other(demand.seat),), "The opponent ran out of time."))

    def foreseen(self, state: State, action: Turn) -> Turn | None:
        """What comes with an offer, or ends the match by agreement, is more than a move."""
        if isinstance(action, talk.AcceptDraw) or action.offer:
            return None
        points = {point for point in (action.start, action.end, action.taken) if point}
        return replace(action, comment="") if points <= INDEX.keys() else None

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Turn:
        if state.offer == other(demand.seat) and chance.below(4, "whether to accept") == 0:
            return talk.AcceptDraw()
        seat = demand.seat  # a mill where one can be closed, else any turn
        starts = turns.starts(state, seat)
        possible = [(start, end) for start in starts for end in turns.ends(state, seat, start)]
        mills = [(start, end) for start, end in possible if turns.closes(state, seat, start, end)]
        start, end = (mills or possible)[chance.below(len(mills or possible), "a turn")]
        men = turns.takeable(state, seat)
        taken = men[chance.below(len(men), "whom to take")] if mills else ""
        return Play(start, end, taken, offer=chance.below(30, "whether to offer a draw") == 0)


class Offer(Sent[talk.OfferDraw], talk.DrawOffer[State, Event]):
    clause = "M7"

    def act(self, record: Record, seat: int, action: talk.OfferDraw) -> None:
        record.tell(DrawOffered(seat), *commented(seat, action.comment))


class Leave(Sent[talk.Resign], talk.Resignation[State, Event, talk.Resign]):
    clause = "M6"

    def act(self, record: Record, seat: int, action: talk.Resign) -> None:
        record.tell(*commented(seat, action.comment))
        record.tell(MatchDecided((other(seat),), "The opponent resigned."))


class Comment(Sent[talk.SendComment], talk.Remark[State, Event, talk.SendComment]):
    clause = "M8"


ANSWERS = (Move(), Offer(), Leave(), Comment())
