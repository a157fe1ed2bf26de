"""A mail on its way to an action: what its lines name, what is wrong with them, which line says which part."""

from __future__ import annotations

from collections.abc import Collection

from referee.core.complaint import Complaint, Line
from referee.core.orders.sheet import Sheet, SheetEntry
from referee.core.owing import Demand
from referee.games.multigo.actions import PASS
from referee.games.multigo.answers.notation import colour_of, points_in, words_in
from referee.games.multigo.board.points import LETTERS
from referee.games.multigo.state import State, name_of


class Said:
    """The orders of a mail that belong to one kind of answer. Whatever is asked of it notes its complaints, and beside
    them the line of each part of the action. Lives within one call of `read`."""

    def __init__(self, state: State, demand: Demand, sheet: Sheet[str], orders: Collection[str]) -> None:
        self.state, self.demand = state, demand
        self.entries = tuple(entry for entry in sheet.entries if entry.order in orders)
        self.complaints = [
            Complaint("foreign_line", "2.7", entry.line, {"key": key_of(entry), "kind": demand.kind})
            for entry in sheet.entries
            if entry.order not in orders and (entry.value or entry.order in ("pass", "resign"))
        ]
        self.lines: dict[str, Line] = {}

    def complain(self, code: str, rule: str, line: Line | None = None, **facts: object) -> None:
        self.complaints.append(Complaint(code, rule, line, facts))

    def of(self, *orders: str) -> tuple[SheetEntry[str], ...]:
        """The entries of these orders that say something."""
        return tuple(
            e for e in self.entries if e.order in orders and (e.value or e.order in ("pass", "resign"))
        )

    def the(self, *orders: str, part: str) -> SheetEntry[str] | None:
        """The one entry of those orders, which says that part of the action; more than one, or none, is a complaint."""
        found = self.of(*orders)
        if not found:
            blank = next((entry.line for entry in self.entries if entry.order in orders), None)
            self.complain("nothing_said", "2.7", blank, key=orders[0].capitalize())
            return None
        for entry in found[1:]:
            self.complain("said_twice", "2.7", entry.line, key=orders[0].capitalize())
        self.lines[part] = found[0].line
        return found[0]

    def words(self, order: str = "comment") -> str:
        """What the sender says to the others."""
        return "\n".join(entry.value for entry in self.of(order))

    def points(self, entry: SheetEntry[str]) -> tuple[str, ...] | None:
        """The board's points that an entry names; None with complaints where any is none."""
        names = points_in(entry.value)
        if names is None:
            self.complain("no_points", "2.7", entry.line, text=entry.value)
            return None
        faults = [fault for name in names if (fault := point_fault(self.state, name, line=entry.line))]
        self.complaints += faults
        return None if faults else names

    def colours(self, entry: SheetEntry[str]) -> tuple[int, ...]:
        """The seats whose colours an entry lists, 0 with a complaint for a word that is none."""
        return tuple(self.colour(word, entry.line) for word in words_in(entry.value))

    def colour(self, word: str, line: Line) -> int:
        """The seat of the colour, 0 with a complaint where the word is none."""
        colour = colour_of(word, self.state.law.players)
        if colour is None:
            names = ", ".join(name_of(seat) for seat in range(1, self.state.law.players + 1))
            self.complain("no_colour", "2.1", line, text=word, colours=names)
        return colour or 0

    def prefer(self, part: str = "prefer") -> tuple[int, ...]:
        """The colours of the last order of preference (an empty line says nothing); none where nobody chooses, which
        is a complaint whenever the mail comes."""
        colours: tuple[int, ...] = ()
        for entry in self.of("prefer"):
            colours = tuple(dict.fromkeys(colour for colour in self.colours(entry) if colour))
            self.lines[part] = entry.line
        if colours and not self.state.law.shares:
            self.complain("no_choices", "2.5", self.lines[part])
            return ()
        return colours


def key_of(entry: SheetEntry[str]) -> str:
    """How the order begins in a mail: "Move"."""
    return entry.order.capitalize()


def point_fault(state: State, name: str, part: str = "", line: Line | None = None) -> Complaint | None:
    """What is wrong with a point's name on this board."""
    if name == PASS or state.points.index(name) is not None:
        return None
    if name.startswith("I"):
        return Complaint("column_i", "2.7", line, {"point": name}, part=part)
    last = LETTERS[state.width - 1]
    facts = {"point": name, "column": last, "row": state.height}
    return Complaint("no_such_point", "2.7", line, facts, part=part)
