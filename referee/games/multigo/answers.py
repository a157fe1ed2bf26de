"""The kinds of answers: how a mail is understood, how a faulty one is mended; moves, and words; what is chosen beside
moves: prisoners, now or by a standing order (2.5), dead stones and alliances (2.6)."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, islice, permutations
from typing import Any, ClassVar, Final

from referee.core.answers import FEW, PARTS, A, Body, Named, Part, Reading, Said, pointed_at
from referee.core.chance import Chance
from referee.core.orders import talk
from referee.core.orders.keyed import TALK, KeyedAnswer, Sheet, SheetEntry
from referee.core.value import Complaint, Demand, Lapse, Line, demand_of_kind, demands, fault
from referee.games.multigo import notation as say
from referee.games.multigo import state as ev
from referee.games.multigo import turns
from referee.games.multigo.board import COLOURS, EMPTY, LETTERS, NAME, SYMBOL, chain_at, drop
from referee.games.multigo.prisoners import by_order, chooser, choosing, own_too_soon, take
from referee.games.multigo.state import Record, State, counts, tallied

Entry = SheetEntry[str]


class GoAnswer(KeyedAnswer[State, ev.Event, A]):
    """A kind of answer with the orders that belong in its mail. Every answer of an open round, or a
    whole sealed one, is followed by what the referee does by itself."""

    notation = say.NOTATION
    settle = staticmethod(turns.settle)
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
        owed = sorted({demand.kind for round_ in turns.due(state) for demand in round_.demands})
        return fault("not_now", "2.6", kind=demand.kind, owed=owed, phase=turns.phase_of(state))

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
        told = sheet if sheet.entries else replace(sheet, entries=sheet.blank)
        kind = self.meant(state, seat, heading, told)
        if heading == "Move" and not (sheet.entries or sheet.blank):
            owed = {demand.kind for demand in demands(turns.due(state), seat)}
            kind = next((kind for kind in self.means.values() if kind in owed), heading)
        return demand_of_kind(turns.due(state), seat, kind) if kind == self.kind else None

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
        if not (found := sheet.of(*self.orders)):
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

    def possible(self, state: State, demand: Demand, said: Said, named: Named) -> Iterator[Part]:
        """One line: nothing beside another."""
        if self.notation.of(said).of(*self.orders):
            return iter(())
        return islice(self.ways(state, demand, named), PARTS)

    @abstractmethod
    def ways(self, state: State, demand: Demand, named: Named) -> Iterator[Part]:
        """What its line may say; of several things together those that are named."""

    def blank(self, state: State, seat: int) -> tuple[str, ...]:
        return (self.begins, "Comment:")


# --- what entries name -----------------------------------------------------------------------------------------------


def points_named(state: State, entry: Entry, wrong: list[Complaint]) -> tuple[str, ...] | None:
    """The board's points that an entry names; None where any is none."""
    if (names := say.points_in(entry.value)) is None:
        wrong.append(Complaint("no_points", "2.7", entry.line, {"text": entry.value}))
        return None
    faults = [one for name in names if (one := point_fault(state, name, entry.line))]
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
    """The colours of the last order of preference, and its line; none where nobody chooses, which
    is a complaint whenever the mail comes."""
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
        unsaid = fault("nothing_said", "2.7", key=self.kind)
        return super().reading(sheet, None, (*faults, unsaid), lines)


class ResignAnswer(talk.Resignation[State, ev.Event, talk.Resign], Words[talk.Resign]):
    """The seat leaves the match (G24)."""

    fits = frozenset({"resign", "comment"})

    def act(self, record: Record, seat: int, action: talk.Resign) -> None:
        turns.resign(record, seat, "mail", action.comment)


class CommentAnswer(talk.Remark[State, ev.Event, say.Comment], Words[say.Comment]):
    """Words that belong to no move."""

    fits = frozenset({"comment"})
    closing = ("Comment:",)
    sample = "A good game so far."


class PressAnswer(talk.Remark[State, ev.Event, say.Press], Words[say.Press]):
    """A message to all players, where the match allows it (G25)."""

    kind = "Press"
    fits = frozenset({"press"})
    closing = ("Press:",)
    sample = "Shall we look at the corner together?"

    def not_now(self, state: State, demand: Demand) -> Complaint:
        return Complaint("no_press", "G25")

    def act(self, record: Record, seat: int, action: say.Press) -> None:
        record.tell(ev.PressRelayed(seat, action.text))


_TENGEN = "tengen"
_TRIES = 12  # stones that a seeded player looks at


class MoveAnswer(OneLine[say.Move]):
    """A point, a pass; two points in a double opening move, further ones as fallbacks."""

    kind = "Move"
    headings = ("Move", "Seal")
    foreseeable = True
    fits = frozenset({"move", "pass", "prefer", "comment"})
    begins = "Move:"
    orders = ("move", "pass")
    part = "points"

    def named(self, state: State) -> tuple[str, ...]:
        return (_TENGEN,) if state.points.tengen else ()

    def parse(self, state: State, entry: Entry, wrong: list[Complaint]) -> say.Move | None:
        passes = entry.order == "pass" or say.says(entry.value, "pass", "passes")
        points = () if passes else points_named(state, entry, wrong)
        return None if points is None else say.Move(points)

    def ways(self, state: State, demand: Demand, named: Named) -> Iterator[Part]:
        """A pass; a point, or several where the move may name them. Out of turn any point: its board is not there."""
        yield Part("Pass", (), "pass")
        owed, names = demand in demands(turns.due(state), demand.seat), state.points.names
        free = [name for name, at in zip(names, state.board, strict=True) if at == EMPTY or not owed]
        called = {name: [name] for name in free} | {state.points.tengen: [state.points.tengen, _TENGEN]}
        told = [name for name in free if any(one.lower() in named for one in called[name])]
        for size in range(1, state.law.allowed(demand.seat, state.round) + 1):
            some = free if size == 1 and len(free) <= FEW else told
            for points in islice(permutations(some, size), PARTS):
                if not owed or not any(_stone_faults(state, demand.seat, points)):
                    yield Part(
                        f"Move: {' '.join(points)}", say.slots("to", *(called[point] for point in points))
                    )

    def not_now(self, state: State, demand: Demand) -> Complaint:
        """Out of turn the move itself is not judged: the board it is meant for is not there yet, or is gone."""
        owed = (demand for round_ in turns.due(state) for demand in round_.demands)
        if not (waits := next((one.seat for one in owed if one.kind == "Move"), 0)):
            return super().not_now(state, demand)
        return fault("not_your_turn", "2.3", colour=NAME[waits], seat=waits)

    def check(self, state: State, demand: Demand, action: say.Move) -> Iterator[Complaint]:
        if len(action.points) > (allowed := state.law.allowed(demand.seat, state.round)):
            facts = {"allowed": allowed, "given": len(action.points)}
            yield fault("too_many_points", "2.7", f"points.{allowed}", **facts)
        else:
            yield from _stone_faults(state, demand.seat, action.points)

    def write(self, state: State, demand: Demand, action: say.Move) -> str:
        move = f"Move: {' '.join(action.points)}" if action.points else "Pass"
        return self.written([move, say.preference(action.prefer)], action.comment)

    def follow(self, record: Record, answers: Mapping[Demand, say.Move | Lapse]) -> None:
        if record.state.law.parallel:
            said = ((demand.seat, move) for demand, move in answers.items())
            turns.reveal(record, {seat: move for seat, move in said if isinstance(move, say.Move)})
        else:
            super().follow(record, answers)

    def filled_in(self, state: State, demand: Demand, action: say.Move) -> str:
        """A pass stands where a point would."""
        text = super().filled_in(state, demand, action)
        return text if action.points else text.replace("Pass", "Move: pass", 1)

    def act(self, record: Record, seat: int, action: say.Move) -> None:
        if action.prefer:
            record.tell(ev.PreferKept(seat, action.prefer))
        turns.played(record, seat, action, "mail")

    def lapse(self, record: Record, demand: Demand) -> None:
        if turns.out_of_time(record.state, demand.seat):
            turns.resign(record, demand.seat, "deadline")
        else:
            turns.played(record, demand.seat, say.Move(), "deadline")

    def suggest(self, state: State, demand: Demand, chance: Chance) -> say.Move:
        """The most biting of a few stones that fill no eye of their own; a pass where none is
        found, or once the board should be full."""
        area, seat = len(state.board), demand.seat
        owed = demand in demands(turns.due(state), seat)
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
        yield fault("same_point_twice", "2.7", f"points.{number}", point=points[number])
    if state.law.parallel:
        for number, name in enumerate(points):
            if colour := state.colour_at(state.points.index[name]):
                yield _occupied("2.4", name, colour, f"points.{number}")
    elif not twice:
        for number, tried in enumerate(turns.placings(state, seat, points)):
            if tried.fault == "occupied":
                colour = state.colour_at(state.points.index[tried.point])
                yield _occupied("2.3", tried.point, colour, f"points.{number}")
            elif tried.fault:
                yield fault(tried.fault, "2.3", f"points.{number}", point=tried.point)


def _occupied(rule: str, point: str, colour: int, part: str) -> Complaint:
    return fault("occupied", rule, part, point=point, colour=COLOURS[colour - 1])


def _bite(state: State, seat: int, point: int) -> int:
    """Stones a placement would take from others, and the contact it makes."""
    cells, own = list(state.board), SYMBOL[seat]
    dead = drop(cells, state.points.neighbours, point, own)
    taken = sum(len(chain) for symbol, chain in dead if symbol != own)
    beside = (state.board[near] for near in state.points.neighbours[point])
    return 4 * taken + sum(symbol not in (EMPTY, own) for symbol in beside)


# --- what is chosen beside moves -------------------------------------------------------------------------------------


_MOST_ORDERED = 5  # colours: all their orders are looked at


class TakeAnswer(OneLine[say.Take]):
    """A seat's whole share of one shared capture."""

    kind = "Take"
    fits = frozenset({"take", "prefer", "comment"})
    begins = "Take:"
    orders = ("take",)
    part = "stones"

    def parse(self, state: State, entry: Entry, wrong: list[Complaint]) -> say.Take | None:
        if not (items := say.counts_in(entry.value)):
            wrong.append(Complaint("no_counts", "2.5", entry.line, {"text": entry.value}))
            return None
        colours = colours_named(state, (word for _, word in items), entry.line, wrong)
        named = tuple(say.Count(colour, n) for colour, (n, _) in zip(colours, items, strict=True) if colour)
        return say.Take(counts(tallied(named, state.law.players)))

    def ways(self, state: State, demand: Demand, named: Named) -> Iterator[Part]:
        """Whole shares: those of the colours that are named, in counts that are named if any is;
        where these don't make one up, also those with others."""
        if (owed := chooser(state)) is None:
            return
        head, seat, share = owed
        others = [0 if colour == seat else there for colour, there in enumerate(head.pool, 1)]
        own = max(0, share - sum(others))  # only where nothing else is left
        told = [colour in named for colour in COLOURS[: len(others)]]
        numbers = [n for n in range(1, share + 1) if str(n) in named] or range(1, share + 1)
        wanted = [numbers if one else () for one in told]
        any_number = range(share + 1)
        tries: list[Sequence[Iterable[int]]] = [
            wanted,
            [x or any_number for x in wanted],
            [any_number] * len(told),
        ]
        if "each" in named:
            tries.insert(0, [(1,) if there else () for there in others])
        found = (list(islice(_shares(others, counted, share - own), PARTS)) for counted in tries)
        yield from pointed_at((_part(others, seat, way, own) for way in next(filter(None, found), ())), named)

    def not_now(self, state: State, demand: Demand) -> Complaint:
        owed = chooser(state)
        waits = NAME[owed[1]] if owed and owed[1] != demand.seat else ""
        return fault("nothing_to_take", "2.5", waits=waits)

    def check(self, state: State, demand: Demand, action: say.Take) -> Iterator[Complaint]:
        head, seat, share = choosing(state)
        wanted = tallied(action.stones, state.law.players)
        for colour, (number, there) in enumerate(zip(wanted, head.pool, strict=True), 1):
            if number > there:
                facts = {"colour": COLOURS[colour - 1], "there": there, "given": number}
                yield fault("take_not_there", "2.5", "stones", **facts)
        if sum(wanted) != share:
            yield fault("take_total", "2.5", "stones", share=share, given=sum(wanted))
        elif own_too_soon(head.pool, seat, action.stones, share):
            yield fault("take_own", "2.5", "stones", colour=COLOURS[seat - 1])

    def write(self, state: State, demand: Demand, action: say.Take) -> str:
        take = f"Take: {say.stones(action.stones)}"
        return self.written([take, say.preference(action.prefer)], action.comment)

    def act(self, record: Record, seat: int, action: say.Take) -> None:
        if action.prefer:
            record.tell(ev.PreferKept(seat, action.prefer))
        take(record, "mail", action.stones, action.comment)

    def lapse(self, record: Record, demand: Demand) -> None:
        take(record, "deadline")

    def suggest(self, state: State, demand: Demand, chance: Chance) -> say.Take:
        head, seat, share = choosing(state)
        return say.Take(by_order(head.pool, seat, share, _colours(state, chance)))

    def public(self, action: say.Take) -> say.Take:
        return replace(action, prefer=())


def _part(others: Sequence[int], seat: int, way: tuple[int, ...], own: int) -> Part:
    """A share; `each` where it is one of every colour."""
    taken = counts(tallied((*counts(way), say.Count(seat, own)), len(others)))
    pairs = zip(
        say.slots("count", *([str(count.stones)] for count in taken)),
        say.slots("colour", *([COLOURS[count.colour - 1]] for count in taken)),
        strict=True,
    )
    each = (("each", "each"),) if way == tuple(map(bool, others)) else ()
    return Part(f"Take: {say.stones(taken)}", (*chain.from_iterable(pairs), *each))


def _shares(pool: Sequence[int], counted: Sequence[Iterable[int]], share: int) -> Iterator[tuple[int, ...]]:
    """Every way to make up a share, of each colour a number that it may be of (none of one
    without), never more than there are."""
    able = [[n for n in may if n <= there] or [0] for there, may in zip(pool, counted, strict=True)]
    left = [{0}]  # what the colours from each one on may come to
    for may in reversed(able):
        left.insert(0, {n + rest for n in may for rest in left[0] if n + rest <= share})

    def made(at: int, rest: int) -> Iterator[tuple[int, ...]]:
        if at == len(able):
            yield ()
        for n in able[at] if at < len(able) else ():
            if rest - n in left[at + 1]:
                yield from ((n, *more) for more in made(at + 1, rest - n))

    return made(0, share) if share in left[0] else iter(())


class PreferAnswer(GoAnswer[say.Prefer]):
    """A standing order, sent at any time; private to its seat."""

    kind = "Prefer"
    fits = frozenset({"prefer"})
    begins = "Prefer:"

    def understood(self, state: State, demand: Demand, sheet: Sheet[str]) -> Reading[say.Prefer]:
        wrong: list[Complaint] = []
        colours, lines = preferred(state, sheet, wrong, "colours")
        if not colours and not wrong:
            wrong.append(fault("nothing_said", "2.5", key="Prefer"))
        order = say.Prefer(colours) if colours else None
        return self.reading(sheet, order, (*self.misplaced(sheet), *wrong), lines)

    def possible(self, state: State, demand: Demand, said: Said, named: Named) -> Iterator[Part]:
        """An order of the colours that are named, or of some of them."""
        if self.notation.of(said).of("prefer"):
            return
        seats = range(1, state.law.players + 1)
        told = [seat for seat in seats if COLOURS[seat - 1] in named]
        whole = [len(told)] if 1 < len(told) <= _MOST_ORDERED else []
        sizes = chain(whole, [1], range(2, len(told) + (not whole)))
        orders = chain.from_iterable(permutations(told if size > 1 else seats, size) for size in sizes)
        for order in islice(orders, PARTS):
            named_so = ([COLOURS[seat - 1]] for seat in order)
            yield Part(say.preference(order), say.slots("colour", *named_so), "prefer")

    def not_now(self, state: State, demand: Demand) -> Complaint:
        return Complaint("no_choices", "2.5")

    def write(self, state: State, demand: Demand, action: say.Prefer) -> str:
        return say.preference(action.colours)

    def act(self, record: Record, seat: int, action: say.Prefer) -> None:
        record.tell(ev.PreferKept(seat, action.colours))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> say.Prefer:
        return say.Prefer(_colours(state, chance))

    def public(self, action: say.Prefer) -> None:
        return None


def _colours(state: State, chance: Chance) -> tuple[int, ...]:
    return chance.shuffle(tuple(range(1, state.law.players + 1)), "colours")


class DeadAnswer(OneLine[say.Dead]):
    """One stone of every chain that the seat holds dead; open, and replaceable until all agree."""

    kind = "Dead"
    fits = frozenset({"dead", "comment"})
    begins = "Dead:"
    orders = ("dead",)
    part = "points"

    def parse(self, state: State, entry: Entry, wrong: list[Complaint]) -> say.Dead | None:
        points = () if say.says(entry.value, "none", "nothing", "no") else points_named(state, entry, wrong)
        return None if points is None else say.Dead(tuple(dict.fromkeys(points)))

    def ways(self, state: State, demand: Demand, named: Named) -> Iterator[Part]:
        """None, or a chain by the first of its stones that is named, then also by its colour, which
        alone may be a mere address; several chains by a stone each."""
        yield Part("Dead: none", (("what", "none"), ("what", "alive")))
        names, seen = state.points.names, set[int]()
        chains: list[Part] = []
        told: list[tuple[list[str], str]] = []
        for point, symbol in enumerate(state.board):
            if symbol == EMPTY or point in seen:
                continue
            chain = sorted(chain_at(state.board, state.points.neighbours, point))
            seen.update(chain)
            stones = [names[stone] for stone in chain]
            meant = [stone for stone in stones if stone.lower() in named]
            colour = COLOURS[state.colour_at(point) - 1]
            told += [(meant, colour)] if meant else []
            spoken = (("colour", colour),) if meant else ()
            chains.append(Part(f"Dead: {(meant or stones)[0]}", (*spoken, *say.slots("chain", stones))))
        yield from pointed_at(chains, named)
        places = {stone: place for place, stone in enumerate(named)}
        told.sort(key=lambda one: min(places[stone.lower()] for stone in one[0]))
        for size in range(2, len(told) + 1):
            for several in combinations(told, size):
                colours = say.slots("colour", *([colour] for _, colour in several))
                line = f"Dead: {', '.join(stones[0] for stones, _ in several)}"
                yield Part(line, (*colours, *say.slots("chain", *(stones for stones, _ in several))))

    def check(self, state: State, demand: Demand, action: say.Dead) -> Iterator[Complaint]:
        for number, name in enumerate(action.points):
            if not state.colour_at(state.points.index[name]):
                yield fault("no_stone", "2.6", f"points.{number}", point=name)

    def write(self, state: State, demand: Demand, action: say.Dead) -> str:
        return self.written([f"Dead: {', '.join(action.points) or 'none'}"], action.comment)

    def act(self, record: Record, seat: int, action: say.Dead) -> None:
        record.tell(ev.DeadListed(seat, action.points, "mail", action.comment))

    def lapse(self, record: Record, demand: Demand) -> None:
        """A missing list names none."""
        record.tell(ev.DeadListed(demand.seat, (), "deadline"))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> say.Dead:
        """Mostly none, so that the players agree more often than not."""
        stones = [point for point, symbol in enumerate(state.board) if symbol != EMPTY]
        if not stones or chance.below(6, "dead stones or none"):
            return say.Dead()
        return say.Dead((state.points.names[stones[chance.below(len(stones), "dead stone")]],))


class AllyAnswer(OneLine[say.Ally]):
    """All partners of the alliance that the seat would make; sealed."""

    kind = "Ally"
    fits = frozenset({"ally", "comment"})
    begins = "Ally:"
    orders = ("ally",)
    part = "partners"

    def parse(self, state: State, entry: Entry, wrong: list[Complaint]) -> say.Ally | None:
        alone = say.says(entry.value, "none", "nobody", "no one", "no")
        seats = () if alone else colours_named(state, say.words_in(entry.value), entry.line, wrong)
        return None if 0 in seats else say.Ally(tuple(sorted(set(seats))))

    def ways(self, state: State, demand: Demand, named: Named) -> Iterator[Part]:
        """Nobody, or a partner; several that are named together."""
        yield Part("Ally: none", (("partner", "none"),))
        others = [seat for seat in state.active if seat != demand.seat]
        for size in range(1, min(state.law.max_alliance, len(others) + 1)):
            told = [seat for seat in others if size == 1 or not {*say.seat_names(seat)}.isdisjoint(named)]
            for seats in combinations(told, size):
                line = f"Ally: {', '.join(NAME[seat] for seat in seats)}"
                yield Part(line, say.slots("partner", *map(say.seat_names, seats)))

    def check(self, state: State, demand: Demand, action: say.Ally) -> Iterator[Complaint]:
        partners = set(action.partners) - {demand.seat}
        if action.partners and not partners:
            yield fault("ally_self", "2.6", "partners")
        for seat in sorted(partners - set(state.active)):
            yield fault("ally_resigned", "G24", "partners", colour=NAME[seat])
        if len(partners) + 1 > state.law.max_alliance:
            facts = {"given": len(partners) + 1, "most": state.law.max_alliance}
            yield fault("ally_too_many", "2.6", "partners", **facts)

    def write(self, state: State, demand: Demand, action: say.Ally) -> str:
        partners = ", ".join(NAME[seat] for seat in action.partners)
        return self.written([f"Ally: {partners or 'none'}"], action.comment)

    def follow(self, record: Record, answers: Mapping[Demand, say.Ally | Lapse]) -> None:
        """The alliances that follow; the last round of them decides."""
        state, said = record.state, {demand.seat: answer for demand, answer in answers.items()}
        declarations = tuple(
            ev.Declaration(seat, answer.partners, "mail", answer.comment)
            if isinstance(answer := said.get(seat), say.Ally)
            else ev.Declaration(seat, (), "deadline")
            for seat in state.active
        )
        number = state.allied.round + 1 if state.allied else 1
        alliances = tuple(turns.bloc_of(state, seats) for seats in turns.mutual(declarations))
        record.tell(ev.AlliesDeclared(number, declarations, alliances))
        if number >= state.law.ally_rounds:
            turns.decide(record, alliances)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> say.Ally:
        """Nobody, or the neighbour at the table: two such neighbours often name each other."""
        seat = demand.seat
        partner = seat + 1 if seat % 2 else seat - 1
        if partner not in state.active or chance.below(3, "alliance") == 0:
            return say.Ally()
        return say.Ally((partner,))


ANSWERS: Final = (
    *(MoveAnswer(), TakeAnswer(), PreferAnswer(), DeadAnswer(), AllyAnswer()),
    *(ResignAnswer(), CommentAnswer(), PressAnswer()),
)
