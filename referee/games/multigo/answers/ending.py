"""After the last pass (2.6): lists of dead stones, and alliances."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.owing import Demand, Lapse
from referee.games.multigo import events as ev
from referee.games.multigo.actions import Ally, Dead
from referee.games.multigo.answers.answer import GoAnswer
from referee.games.multigo.answers.forms import written
from referee.games.multigo.answers.notation import points_in, says, words_in
from referee.games.multigo.answers.reading import Said, point_fault
from referee.games.multigo.board.points import COLOURS, EMPTY
from referee.games.multigo.folding import Told
from referee.games.multigo.play.ending import declare
from referee.games.multigo.state import State, name_of


class DeadAnswer(GoAnswer[Dead]):
    """One stone of every chain that the seat holds dead; open, and replaceable until all agree."""

    kind = "Dead"
    headings = ("Dead",)
    actions = (Dead,)
    fits = frozenset({"dead", "comment"})
    begins = "Dead:"
    closing = "Comment:"

    def said(self, mail: Said) -> Dead | None:
        entry = mail.the("dead", part="points")
        if entry is None:
            return None
        if says(entry.value, "none", "nothing", "no"):
            return Dead((), mail.words())
        points = mail.points(entry)
        return None if points is None else Dead(tuple(dict.fromkeys(points)), mail.words())

    def bare(self, state: State, demand: Demand, text: str) -> tuple[str, ...]:
        if text in ("none", "nothing", "none dead", "none are dead", "none is dead", "no dead stones"):
            return ("Dead: none",)
        points = points_in(re.sub(r" (?:is|are) dead$", "", text))
        return (f"Dead: {', '.join(points)}",) if points else super().bare(state, demand, text)

    def check(self, state: State, demand: Demand, action: Dead) -> Iterator[Complaint]:
        for number, name in enumerate(action.points):
            if fault := point_fault(state, name, f"points.{number}"):
                yield fault
            elif not state.colour_at(state.points.at(name)):
                yield Complaint("no_stone", "2.6", facts={"point": name}, part=f"points.{number}")

    def write(self, state: State, demand: Demand, action: Dead) -> str:
        return written((f"Dead: {', '.join(action.points) or 'none'}",), action.comment)

    def act(self, record: Told, seat: int, action: Dead) -> None:
        record.tell(ev.DeadListed(seat, action.points, "mail", action.comment))

    def lapse(self, record: Told, demand: Demand) -> None:
        """A missing list names none."""
        record.tell(ev.DeadListed(demand.seat, (), "deadline"))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Dead:
        """Mostly none, so that the players agree more often than not."""
        stones = [point for point, symbol in enumerate(state.board) if symbol != EMPTY]
        if not stones or chance.below(6, "dead stones or none"):
            return Dead()
        return Dead((state.points.names[stones[chance.below(len(stones), "dead stone")]],))


class AllyAnswer(GoAnswer[Ally]):
    """All partners of the alliance that the seat would make; sealed."""

    kind = "Ally"
    headings = ("Ally",)
    actions = (Ally,)
    fits = frozenset({"ally", "comment"})
    begins = "Ally:"
    closing = "Comment:"

    def said(self, mail: Said) -> Ally | None:
        entry = mail.the("ally", part="partners")
        if entry is None:
            return None
        if says(entry.value, "none", "nobody", "no one", "no"):
            return Ally((), mail.words())
        seats = mail.colours(entry)
        return None if 0 in seats else Ally(tuple(sorted(set(seats))), mail.words())

    def bare(self, state: State, demand: Demand, text: str) -> tuple[str, ...]:
        """Colours in full: a letter or a number alone may be anything."""
        if text in ("none", "nobody", "no one", "alone", "no ally", "no alliance"):
            return ("Ally: none",)
        if words_in(text) and all(word in COLOURS for word in words_in(text)):
            return (f"Ally: {text}",)
        return super().bare(state, demand, text)

    def check(self, state: State, demand: Demand, action: Ally) -> Iterator[Complaint]:
        partners = set(action.partners) - {demand.seat}
        if action.partners and not partners:
            yield Complaint("ally_self", "2.6", part="partners")
        for seat in sorted(partners - set(state.active)):
            yield Complaint("ally_resigned", "G24", facts={"colour": name_of(seat)}, part="partners")
        if len(partners) + 1 > state.law.max_alliance:
            facts = {"given": len(partners) + 1, "most": state.law.max_alliance}
            yield Complaint("ally_too_many", "2.6", facts=facts, part="partners")

    def write(self, state: State, demand: Demand, action: Ally) -> str:
        partners = ", ".join(name_of(seat) for seat in action.partners)
        return written((f"Ally: {partners or 'none'}",), action.comment)

    def follow(self, record: Told, answers: Mapping[Demand, Ally | Lapse]) -> None:
        declare(record, {demand.seat: answer for demand, answer in answers.items()})

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Ally:
        """Nobody, or the neighbour at the table: two such neighbours often name each other."""
        seat = demand.seat
        partner = seat + 1 if seat % 2 else seat - 1
        if partner not in state.active or chance.below(3, "alliance") == 0:
            return Ally()
        return Ally((partner,))
