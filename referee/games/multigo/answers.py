"""What all kinds of answers have in common: how a mail is understood, how a faulty one is mended; moves, and words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, permutations
from typing import Any, ClassVar

from referee.core.answers import FEW, PARTS, A, Body, Part, Reading, RecordedAnswer
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.orders import talk
from referee.core.orders.keyed import KeyedAnswer
from referee.core.orders.sheet import TALK, Sheet, SheetEntry
from referee.core.owing import Demand, Lapse, demand_of_kind, demands
from referee.games.multigo import events as ev
from referee.games.multigo import notation as say
from referee.games.multigo.board import COLOURS, EMPTY, LETTERS, NAME, SYMBOL, drop
from referee.games.multigo.phases import due, phase_of, settle
from referee.games.multigo.state import Record, State, fold
from referee.games.multigo.turns import missed, placings, played, resign, reveal

Entry = SheetEntry[str]


class GoAnswer(KeyedAnswer[State, ev.Event, A], RecordedAnswer[State, ev.Event, A]):
    """A kind of answer with the orders that belong in its mail. Every answer of an open round, or a whole sealed one,
    is followed by what the referee does by itself."""

    notation = say.NOTATION
    fold = fold
    settle = staticmethod(settle)
    closing: ClassVar[tuple[str, ...]] = ()
    # The first order that stands in a mail says which kind of answer it is.
    means: ClassVar[Mapping[str, str]] = {
        "resign": "Resign",
        "move": "Move",
        "pass": "Move",
        "take": "Take",
        "dead": "Dead",
        "ally": "Ally",
        "prefer": "Prefer",
        "press": "Press",
        "comment": "Comment",
    }

    def not_now(self, state: State, demand: Demand) -> Complaint:
        """Why a seat that is in the game may not answer so now."""
        owed = sorted({demand.kind for round_ in due(state) for demand in round_.demands})
        return Complaint(
            "not_now", "2.6", facts={"kind": demand.kind, "owed": owed, "phase": phase_of(state)}
        )

    def untimely(self, state: State, demand: Demand) -> Complaint:
        if state.phase in ("new", "over"):
            return Complaint("match_over", "2.6")
        if demand.seat not in state.active:
            return Complaint("has_resigned", "G24")
        return self.not_now(state, demand)

    # --- a mail --------------------------------------------------------------------------------------------------

    def aim(self, state: State, seat: int, heading: str, body: Body) -> Demand | None:
        """As it is due: there may be several choices of prisoners. A mail is meant by what it orders, else by the keys
        that it leaves blank; one without either, under the heading of all, means what its seat owes."""
        sheet = body.once(self.notation.sheet)
        kind = self.meant(
            state, seat, heading, sheet if sheet.entries else replace(sheet, entries=sheet.blank)
        )
        if heading == "Move" and not (sheet.entries or sheet.blank):
            owed = {demand.kind for demand in demands(due(state), seat)}
            kind = next((kind for kind in self.means.values() if kind in owed), heading)
        return demand_of_kind(due(state), seat, kind) if kind == self.kind else None

    def misplaced(self, sheet: Sheet[str]) -> Iterator[Complaint]:
        for entry in sheet.entries:
            if entry.order not in self.fits:
                facts = {"key": entry.order.capitalize(), "kind": self.kind}
                yield Complaint("foreign_line", "2.7", entry.line, facts)

    # --- forms ---------------------------------------------------------------------------------------------------

    def kept(self, state: State, demand: Demand, sheet: Sheet[str]) -> Iterable[str]:
        """Below the line that the form begins with where a move is asked for or nothing is left."""
        said = (_again(state, entry) for entry in sheet.entries if entry.order not in TALK)
        lines = [line for line in dict.fromkeys(said) if line]
        if any(line.startswith(self.begins) for line in lines) or (lines and self.kind != "Move"):
            return lines
        return [*filter(None, [self.begins]), *lines]


def _again(state: State, entry: Entry) -> str:
    """In the rules' notation where it is understood; nothing for a preference where there is nothing to prefer."""
    order, value = entry.order, entry.value
    if order in ("pass", "resign"):
        return "Move: pass" if order == "pass" else "Resign"
    if order == "prefer" and not state.law.shares:
        return ""
    return f"{order.capitalize()}: {_tidied(order, value, state.law.players) or value}"


def _tidied(order: str, value: str, players: int) -> str:
    """What follows a key, as canonical text has it; nothing where it is not understood."""
    if order in ("move", "dead"):
        if say.says(value, "pass", "passes"):
            return "pass"
        return (", " if order == "dead" else " ").join(say.points_in(value) or ())
    if order == "take":
        counts = [say.Count(say.colour_of(word, players), n) for n, word in say.counts_in(value)]
        return say.stones(counts) if all(count.colour for count in counts) else ""
    seats = [say.colour_of(word, players) for word in say.words_in(value)]
    if 0 in seats:
        return ""
    return ", ".join(dict.fromkeys(NAME[seat] if order == "ally" else COLOURS[seat - 1] for seat in seats))


class OneLine(GoAnswer[A]):
    """An answer that one line says, beside a comment and perhaps an order of preference."""

    orders: ClassVar[tuple[str, ...]]  # of which one stands in its mail
    part: ClassVar[str]  # the part of the action that it says

    def understood(self, state: State, demand: Demand, sheet: Sheet[str]) -> Reading[A]:
        wrong = list(self.misplaced(sheet))
        prefer, lines = preferred(state, sheet, wrong) if "prefer" in self.fits else ((), {})
        found = sheet.of(*self.orders)
        if not found:
            blank = next((entry.line for entry in sheet.blank if entry.order in self.orders), None)
            wrong.append(Complaint("nothing_said", "2.7", blank, {"key": self.kind}))
        wrong += [Complaint("said_twice", "2.7", entry.line, {"key": self.kind}) for entry in found[1:]]
        action: Any = self.parse(state, found[0], wrong) if found else None
        if action is not None:
            action = replace(action, comment=sheet.comment, **({"prefer": prefer} if prefer else {}))
        return self.reading(sheet, action, wrong, lines | sheet.line(*self.orders, part=self.part))

    @abstractmethod
    def parse(self, state: State, entry: Entry, wrong: list[Complaint]) -> A | None:
        """The action that the entry says, without what stands beside it; what is wrong with it is added to the rest."""

    def possible(
        self, state: State, demand: Demand, said: Sequence[str], named: Collection[str]
    ) -> Iterator[Part]:
        """One line: nothing beside another."""
        if Body.of("\n".join(said)).once(self.notation.sheet).of(*self.orders):
            return iter(())
        return islice(self.ways(state, demand, named), PARTS)

    @abstractmethod
    def ways(self, state: State, demand: Demand, named: Collection[str]) -> Iterator[Part]:
        """What its line may say; of several things together those that are named."""

    def blank(self, state: State, seat: int) -> tuple[str, ...]:
        return (self.begins, "Comment:")


# --- what entries name -----------------------------------------------------------------------------------------------


def points_named(state: State, entry: Entry, wrong: list[Complaint]) -> tuple[str, ...] | None:
    """The board's points that an entry names; None where any is none."""
    names = say.points_in(entry.value)
    if names is None:
        wrong.append(Complaint("no_points", "2.7", entry.line, {"text": entry.value}))
        return None
    faults = [fault for name in names if (fault := point_fault(state, name, entry.line))]
    wrong += faults
    return None if faults else names


def point_fault(state: State, name: str, line: Line | None = None) -> Complaint | None:
    """What is wrong with a point's name on this board."""
    if name in state.points.index:
        return None
    if name.startswith("I"):
        return Complaint("column_i", "2.7", line, {"point": name})
    facts = {"point": name, "column": LETTERS[state.width - 1], "row": state.height}
    return Complaint("no_such_point", "2.7", line, facts)


def colours_named(state: State, words: Iterable[str], line: Line, wrong: list[Complaint]) -> tuple[int, ...]:
    """The seats whose colours are named, 0 for a word that names none."""
    seats = []
    for word in words:
        seats.append(say.colour_of(word, state.law.players))
        if not seats[-1]:
            names = ", ".join(NAME[seat] for seat in range(1, state.law.players + 1))
            wrong.append(Complaint("no_colour", "2.1", line, {"text": word, "colours": names}))
    return tuple(seats)


def preferred(
    state: State, sheet: Sheet[str], wrong: list[Complaint], part: str = "prefer"
) -> tuple[tuple[int, ...], dict[str, Line]]:
    """The colours of the last order of preference, and its line; none where nobody chooses, which is a complaint
    whenever the mail comes."""
    colours: tuple[int, ...] = ()
    lines: dict[str, Line] = {}
    for entry in sheet.of("prefer"):
        named = colours_named(state, say.words_in(entry.value), entry.line, wrong)
        colours, lines = tuple(dict.fromkeys(filter(None, named))), {part: entry.line}
    if colours and not state.law.shares:
        wrong.append(Complaint("no_choices", "2.5", lines[part]))
        return (), lines
    return colours, lines


# --- words alone -----------------------------------------------------------------------------------------------------


class Words(GoAnswer[A]):
    """An answer of one order alone, which may take several lines."""

    def reading(
        self,
        sheet: Sheet[str],
        action: A | None,
        faults: Iterable[Complaint] = (),
        lines: Mapping[str, Line] | None = None,
    ) -> Reading[A]:
        if sheet.of(self.kind.lower()):
            return super().reading(sheet, action, faults, lines)
        unsaid = Complaint("nothing_said", "2.7", facts={"key": self.kind})
        return super().reading(sheet, None, (*faults, unsaid), lines)


class ResignAnswer(talk.Resignation[State, ev.Event, talk.Resign], Words[talk.Resign]):
    """The seat leaves the match (G24)."""

    actions = (talk.Resign,)
    fits = frozenset({"resign", "comment"})

    def act(self, record: Record, seat: int, action: talk.Resign) -> None:
        resign(record, seat, "mail", action.comment)


class CommentAnswer(talk.Remark[State, ev.Event, say.Comment], Words[say.Comment]):
    """Words that belong to no move."""

    actions = (say.Comment,)
    fits = frozenset({"comment"})
    closing = ("Comment:",)
    sample = "A good game so far."

    def act(self, record: Record, seat: int, action: say.Comment) -> None:
        record.tell(ev.Commented(seat, action.text))


class PressAnswer(talk.Remark[State, ev.Event, say.Press], Words[say.Press]):
    """A message to all players, where the match allows it (G25)."""

    kind = "Press"
    headings = ("Press",)
    actions = (say.Press,)
    fits = frozenset({"press"})
    closing = ("Press:",)
    sample = "Shall we look at the corner together?"

    def not_now(self, state: State, demand: Demand) -> Complaint:
        return Complaint("no_press", "G25")

    def act(self, record: Record, seat: int, action: say.Press) -> None:
        record.tell(ev.PressRelayed(seat, action.text))


_TRIES = 12  # stones that a seeded player looks at


class MoveAnswer(OneLine[say.Move]):
    """A point, a pass; two points in a double opening move, further ones as fallbacks."""

    kind = "Move"
    headings = ("Move", "Seal")
    actions = (say.Move,)
    foreseeable = True
    fits = frozenset({"move", "pass", "prefer", "comment"})
    begins = "Move:"
    orders = ("move", "pass")
    part = "points"

    def parse(self, state: State, entry: Entry, wrong: list[Complaint]) -> say.Move | None:
        passes = entry.order == "pass" or say.says(entry.value, "pass", "passes")
        points = () if passes else points_named(state, entry, wrong)
        return None if points is None else say.Move(points)

    def ways(self, state: State, demand: Demand, named: Collection[str]) -> Iterator[Part]:
        """A pass; a point, or several where the move may name them. Out of turn any point: its board is not there."""
        yield Part("Pass", (), "pass")
        owed, names = demand in demands(due(state), demand.seat), state.points.names
        free = [name for name, at in zip(names, state.board, strict=True) if at == EMPTY or not owed]
        told = [name for name in free if name.lower() in named]
        for size in range(1, state.law.allowed(demand.seat, state.round) + 1):
            some = free if size == 1 and len(free) <= FEW else told
            for points in islice(permutations(some, size), PARTS):
                if not owed or not any(_stone_faults(state, demand.seat, points)):
                    yield Part(f"Move: {' '.join(points)}", say.slots("to", *([point] for point in points)))

    def not_now(self, state: State, demand: Demand) -> Complaint:
        """Out of turn the move itself is not judged: the board it is meant for is not there yet, or is gone."""
        waits = next(
            (owed.seat for round_ in due(state) for owed in round_.demands if owed.kind == "Move"), 0
        )
        if not waits:
            return super().not_now(state, demand)
        return Complaint("not_your_turn", "2.3", facts={"colour": NAME[waits], "seat": waits})

    def check(self, state: State, demand: Demand, action: say.Move) -> Iterator[Complaint]:
        if len(action.points) > (allowed := state.law.allowed(demand.seat, state.round)):
            facts = {"allowed": allowed, "given": len(action.points)}
            yield Complaint("too_many_points", "2.7", facts=facts, part=f"points.{allowed}")
        else:
            yield from _stone_faults(state, demand.seat, action.points)

    def write(self, state: State, demand: Demand, action: say.Move) -> str:
        first = f"Move: {' '.join(action.points)}" if action.points else "Pass"
        return self.written([first, say.preference(action.prefer)], action.comment)

    def follow(self, record: Record, answers: Mapping[Demand, say.Move | Lapse]) -> None:
        if record.state.law.parallel:
            reveal(
                record, {demand.seat: move for demand, move in answers.items() if isinstance(move, say.Move)}
            )
        else:
            super().follow(record, answers)

    def filled_in(self, state: State, demand: Demand, action: say.Move) -> str:
        """A pass stands where a point would."""
        text = super().filled_in(state, demand, action)
        return text if action.points else text.replace("Pass", "Move: pass", 1)

    def act(self, record: Record, seat: int, action: say.Move) -> None:
        if action.prefer:
            record.tell(ev.PreferKept(seat, action.prefer))
        played(record, seat, action, "mail")

    def lapse(self, record: Record, demand: Demand) -> None:
        missed(record, demand.seat)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> say.Move:
        """The most biting of a few stones that fill no eye of their own; a pass where none is found, or once the board
        should be full."""
        area, seat = len(state.board), demand.seat
        owed = demand in demands(due(state), seat)
        if not owed or state.round > max(6, area // (2 * state.law.players)):
            return say.Move()
        free = [point for point, symbol in enumerate(state.board) if symbol == EMPTY]
        drawn = [free[chance.below(len(free), "move")] for _ in range(min(_TRIES, len(free)))]
        for point in sorted(dict.fromkeys(drawn), key=lambda point: -_bite(state, seat, point)):
            around = {state.board[near] for near in state.points.neighbours[point]}
            move = say.Move((state.points.names[point],))
            if around != {SYMBOL[seat]} and not any(self.check(state, demand, move)):
                return move
        return say.Move()

    def foreseen(self, state: State, action: say.Move) -> say.Move | None:
        if any(point_fault(state, name) for name in action.points):
            return None
        return replace(action, prefer=(), comment="")

    def public(self, action: say.Move) -> say.Move:
        return replace(action, prefer=())


def _stone_faults(state: State, seat: int, points: tuple[str, ...]) -> Iterator[Complaint]:
    """What forbids stones on points of this board, one after another."""
    twice = [number for number, name in enumerate(points) if name in points[:number]]
    for number in twice:
        yield Complaint("same_point_twice", "2.7", facts={"point": points[number]}, part=f"points.{number}")
    if state.law.parallel:
        for number, name in enumerate(points):
            if colour := state.colour_at(state.points.index[name]):
                yield _occupied("2.4", name, colour, f"points.{number}")
    elif not twice:
        for number, tried in enumerate(placings(state, seat, points)):
            if tried.fault == "occupied":
                colour = state.colour_at(state.points.index[tried.point])
                yield _occupied("2.3", tried.point, colour, f"points.{number}")
            elif tried.fault:
                yield Complaint(tried.fault, "2.3", facts={"point": tried.point}, part=f"points.{number}")


def _occupied(rule: str, point: str, colour: int, part: str) -> Complaint:
    return Complaint("occupied", rule, facts={"point": point, "colour": COLOURS[colour - 1]}, part=part)


def _bite(state: State, seat: int, point: int) -> int:
    """Stones a placement would take from others, and the contact it makes."""
    cells, own = list(state.board), SYMBOL[seat]
    dead = drop(cells, state.points.neighbours, point, own)
    taken = sum(len(chain) for symbol, chain in dead if symbol != own)
    beside = (state.board[near] for near in state.points.neighbours[point])
    return 4 * taken + sum(symbol not in (EMPTY, own) for symbol in beside)
