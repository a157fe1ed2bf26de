"""The kinds of answers: each with its words in a mail, what is wrong with it, and what follows from it."""

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import fields, replace
from functools import lru_cache
from itertools import permutations
from typing import Any, ClassVar, Final, TypeVar, cast

from referee.core.answers import A, Body, Named, OwnAnswer, Part, Party, Reading, Said, pointed_at
from referee.core.chance import Chance
from referee.core.duel import commented
from referee.core.orders import talk
from referee.core.orders.keyed import KeyedAnswer, SheetEntry, bare
from referee.core.value import Complaint, Demand, Lapse, Line, demands, fault
from referee.games.onepiece import board, turns
from referee.games.onepiece import events as ev
from referee.games.onepiece import notation as do
from referee.games.onepiece.events import Record, State, Verdict
from referee.games.onepiece.solver import Search, judged

# --- the moves that may be said, by the cells of their halves ---------------------------------------------------------

_COLOURS = tuple(Part(f"Colours: {colour}", (("colour", colour),)) for colour in board.COLOURS)
_EDGES = tuple(Part(f"Edge: {edge}", (("edge", edge),)) for edge in do.SIDES)
_CELL = re.compile(r"([a-p])([1-9]\d?)")
_OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
_GIVE_UP = Part("Give up", (), "resign")
_KEY = "Move: "


@lru_cache(maxsize=64)
def _plain_moves(grid: board.Grid) -> tuple[Part, ...]:
    """Every legal move: a lifted piece by either of its cells, each half by its own, with its letter or without."""
    return tuple(Part(f"{_KEY}{ply}", tuple(_slots(ply))) for ply in grid.plies())


def _slots(ply: board.Ply) -> Iterator[tuple[str, str]]:
    lifted = board.cells_of(ply.lifted) if ply.lifted else ()
    for roles, cells in ((("from", "from"), lifted), (board.COLOURS, (ply.red, ply.blue))):
        for role, colour, name in zip(roles, board.COLOURS, cells, strict=bool(cells)):
            yield from ((role, f"{colour[0]}{name}"), (role, name))


def _moves(grid: board.Grid, named: Named) -> Iterator[Part]:
    """Those that share a cell with what a mail names; a half is named by its colour too where its
    cell is: "red on c2" is none that has blue there, and "red" alone is no half. From the box also
    by columns and which half lies where: "upright on d, red on top"."""
    columns = {name for name in named if len(name) == 1 and name.isalpha()}
    sides = [name for name in named if name in (*board.COLOURS, *_OPPOSITE)]
    for part in (*pointed_at(_plain_moves(grid), named), *_unlawful(grid, named)):
        halves = {role for role, value in part.slots if value in named and role in board.COLOURS}
        told = [slot for slot in _lying(part) if slot[1] in columns or slot[1] in sides]
        halves |= {role for role, _ in told if role in board.COLOURS}
        yield replace(part, slots=(*part.slots, *((colour, colour) for colour in sorted(halves)), *told))
    if len(columns) + len(sides) < 2 or len(sides) == 1 == len(columns) or any(map(_CELL.fullmatch, named)):
        return  # "red on g" may go on "and blue on h"
    # "red on top", "on top red", "red above blue"; of "below red above" nobody knows which side is red's
    between = len(sides) == 3 and not {sides[0], sides[2]} & {*board.COLOURS}
    starts = (0, 1) if between else (0,)
    ways = [[{*sides[at : at + 2]} for at in range(start, len(sides) - 1, 2)] for start in starts]
    there = [part for part in _plain_moves(grid) if _within(part, columns)]
    so = [part for part in there if any(_turned(part, pairs) for pairs in ways)]
    for part in so or there:
        colours = ((colour, colour) for colour in board.COLOURS)
        yield replace(part, slots=(*part.slots, *_lying(part), *colours))


def _within(part: Part, columns: Set[str]) -> bool:
    """Whether a piece is put down on just these columns, but for that from which it is lifted."""
    here = {value for role, value in _lying(part) if role.startswith("column ")}
    return here <= columns <= here | {value for role, value in _lying(part) if role == "from"}


def _turned(part: Part, pairs: Iterable[set[str]]) -> bool:
    """Whether its halves lie on the sides that are named with them; "red on e, blue on f" names none."""
    lies = [{role, value} for role, value in _lying(part)]
    return all(pair in lies or pair == {*board.COLOURS} for pair in pairs)


def _lying(part: Part) -> tuple[tuple[str, str], ...]:
    """The columns of a piece that is put down, and on which side of the other each of its halves lies."""
    ply = board.ply_of(part.line.removeprefix(_KEY))
    red, blue = ply.red[0], ply.blue[0]
    if red == blue:
        side = "north" if int(ply.red[1:]) > int(ply.blue[1:]) else "south"
    else:
        side = "east" if red > blue else "west"
    columns = tuple((f"column {column}", column) for column in sorted({red, blue}))
    halves = (("red column", f"r{red}"), ("blue column", f"b{blue}"))
    lifted = {cell[0] for cell in board.cells_of(ply.lifted)} if ply.lifted else ()
    return (*columns, *halves, *(("from", one) for one in lifted), ("red", side), ("blue", _OPPOSITE[side]))


def _unlawful(grid: board.Grid, named: Named) -> Iterator[Part]:
    """A piece from the box on the two cells that a mail names, where none can be put: its fault is told."""
    cells = {found[1] for name in named if (found := re.fullmatch(r"[rb]?([a-p][1-9]\d?)", name))}
    if len(cells) == 2 and grid.box and not any(cells <= {p.red, p.blue} for p in grid.plies()):
        for red, blue in permutations(sorted(cells)):
            ply = board.Ply(red, blue)
            yield Part(f"{_KEY}{ply}", tuple(_slots(ply)))


# --- what all answers have in common ---------------------------------------------------------------------------------

SLOT: Final = "..."
MOVE: Final = f"Move: {SLOT}"


class Sent(KeyedAnswer[State, ev.Event, A]):
    """An answer that a player sends by mail. The parts of its action are the orders of the mail ("move", "claim")."""

    notation = do.NOTATION
    untimely = staticmethod(turns.untimely)
    settle = staticmethod(turns.go_on)
    closing: ClassVar[tuple[str, ...]] = ()

    def meant(self, state: State, seat: int, heading: str, sheet: do.Orders) -> str:
        """The keys in the body say what a mail is, also some that were left blank; the heading where they are silent. A
        mail with a move answers what its seat owes of the kinds that are moves."""
        blank = {entry.order for entry in sheet.blank} & {"move", "offer", "accept", "comment"}
        orders, chosen = sheet.said | blank, ("Colours", "Edge", "Accept", "Offer")
        owed = (demand.kind for demand in demands(turns.due(state), seat))
        turn = next((kind for kind in owed if kind in ("Evidence", "Demonstrate", "Reply")), "Move")
        if "resign" in orders or (heading == "Resign" and orders <= {"comment"}):
            return "Resign"
        if orders & {"move", "demonstrate", "give up"}:
            return turn
        by_key = next((kind for kind in chosen if kind.lower() in orders), "")
        return by_key or (heading if heading in chosen else "Comment" if orders == {"comment"} else turn)

    def misplaced(self, sheet: do.Orders) -> Iterator[Complaint]:
        """And what is said twice, each time otherwise."""
        for entry in sheet.entries:
            if entry.order == "pass":
                yield Complaint("no_pass", "3.3", entry.line)
            elif entry.order == "draw?":
                yield Complaint("only_draws", "3.4", entry.line, {"value": entry.value})
            elif entry.order == "give up" and self.kind in ("Move", "Reply"):
                yield Complaint("nothing_to_give_up", "4.4", entry.line)
            elif entry.order == "accept" and self.kind in ("Move", "Reply", "Demonstrate"):
                yield Complaint("accept_alone", "3.4", entry.line)
            elif entry.order not in self.fits and entry.order != "comment":
                yield Complaint("not_beside", "3.5", entry.line, {"order": entry.order, "kind": self.kind})
        for order in ("move", "claim", "colours", "edge", "demonstrate"):
            said = sheet.of(order)
            for entry in said[1:]:
                if bare(entry.value).replace(" ", "") != bare(said[0].value).replace(" ", ""):
                    facts = {"order": order, "first": said[0].value}
                    yield Complaint("said_twice", "3.5", entry.line, facts)

    # --- forms ---------------------------------------------------------------------------------------------------

    def kept(self, state: State, demand: Demand, sheet: do.Orders) -> list[str]:
        """What has no place in the answer at all, and what nobody could read, is left out; what is
        missing stands as in the blank form, a move first, other keys last."""
        grid = self.grid(state, sheet)
        said = (_again(state, demand, grid, entry) for entry in sheet.entries)
        lines = [line for line in dict.fromkeys(said) if line]
        keys = {line.partition(":")[0] for line in lines}
        lacks = [line for line in self.blank(state, demand.seat) if line.partition(":")[0] not in keys]
        if "Give up" in keys:
            return lines
        return [*(line for line in lacks if line == MOVE), *lines, *(line for line in lacks if line != MOVE)]

    def grid(self, state: State, sheet: do.Orders) -> board.Grid:
        """The grid that a move of the mail is made on."""
        return state.shown_grid


def _again(state: State, demand: Demand, grid: board.Grid, entry: SheetEntry[str]) -> str:
    """The line of a form for an order; nothing for one that has no place in the answer."""
    match entry.order:
        case "move":
            return f"Move: {do.parsed(grid, entry.value) or entry.value}"
        case "claim" if demand.kind == "Move" and state.law.tournament:
            return f"Claim: {entry.value}"
        case "offer" if demand.kind == "Offer" or (not state.claims and state.offer != demand.seat):
            return "Offer: draw"
        case "give up" if demand.kind in ("Evidence", "Demonstrate"):
            return "Give up"
        case "accept":
            return "Accept: draw"
        case "resign":
            return "Resign"
        case "colours" | "edge" | "demonstrate":
            return f"{entry.order.capitalize()}: {entry.value}"
    return ""  # a pass, a comment (it comes last), an offer of what can't be offered


class Parsed(Sent[A]):
    """An answer that no other game has so."""

    def understood(self, state: State, demand: Demand, sheet: do.Orders) -> Reading[A]:
        wrong: list[Complaint] = []
        action = self.parse(state, sheet, wrong)
        lines = {entry.order: entry.line for entry in reversed(sheet.entries)}
        return self.reading(sheet, action, (*self.misplaced(sheet), *wrong), lines)

    @abstractmethod
    def parse(self, state: State, sheet: do.Orders, wrong: list[Complaint]) -> A | None:
        """The action that the sheet says; what it says badly is added to the rest."""


# --- moves -----------------------------------------------------------------------------------------------------------


def ply_said(grid: board.Grid, sheet: do.Orders, wrong: list[Complaint]) -> board.Ply | None:
    """The move on that grid. A mail that speaks of a move in other orders must have one."""
    for entry in sheet.of("move"):
        if (ply := do.parsed(grid, entry.value)) is None:
            wrong.append(Complaint("no_such_notation", "3.5", entry.line, {"text": entry.value}))
        return ply
    if sheet.said & {"claim", "demonstrate", "offer"} or any(entry.order == "move" for entry in sheet.blank):
        wrong.append(Complaint("no_move", "4.2" if sheet.of("claim") else "3.5"))
    return None


def move_of(state: State, sheet: do.Orders, wrong: list[Complaint]) -> do.MovePiece | None:
    """A move with what may stand beside it."""
    if (ply := ply_said(state.shown_grid, sheet, wrong)) is None:
        return None
    claim = None
    for entry in sheet.of("claim")[:1]:
        if bare(entry.value) not in do.UNCLAIMED:
            claim = number_in(do.CLAIMED, "4.2", entry, wrong)
    return do.MovePiece(**vars(ply), claim=claim, offer=bool(sheet.of("offer")), comment=sheet.comment)


def number_in(
    pattern: re.Pattern[str], rule: str, entry: SheetEntry[str], wrong: list[Complaint]
) -> int | None:
    """The number that an entry says."""
    if found := pattern.fullmatch(entry.value.strip()):
        return int(found[1])
    wrong.append(Complaint("no_number", rule, entry.line, {"text": entry.value}))
    return None


class Choice(Parsed[A]):
    """A colour or an edge. Both are asked for in one round: what lapses of it lapses together."""

    chosen: ClassVar[str]  # what is chosen, a field of the action
    values: ClassVar[tuple[str, ...]]
    event: ClassVar[type[ev.ColoursChosen | ev.EdgeChosen]]
    words: ClassVar[Mapping[str, str]]  # and the values they mean
    around: ClassVar[re.Pattern[str]] = re.compile("(.*)")
    unknown: ClassVar[str]  # what is complained of where a text names none

    def value_of(self, text: str, line: Line | None = None) -> str | Complaint:
        """The value that a text names, or what is wrong with it."""
        found = self.around.fullmatch(bare(text))
        return self.words.get(found[1] if found else "") or Complaint(self.unknown, "3.2", line)

    def parse(self, state: State, sheet: do.Orders, wrong: list[Complaint]) -> A | None:
        for entry in sheet.of(self.kind.lower()):
            said = self.value_of(entry.value, entry.line)
            if isinstance(said, str):
                return cast(A, self.actions[0](said, sheet.comment))
            wrong.append(said)
        return None

    def check(self, state: State, demand: Demand, action: A) -> Iterable[Complaint]:
        said = self.value_of(getattr(action, self.chosen))
        return () if isinstance(said, str) else (replace(said, part=self.kind.lower()),)

    def write(self, state: State, demand: Demand, action: Any) -> str:
        return self.written([f"{self.kind}: {getattr(action, self.chosen)}"], action.comment)

    def follow(self, record: Record, answers: Mapping[Demand, A | Lapse]) -> None:
        lapsed = [demand for demand, answer in answers.items() if isinstance(answer, Lapse)]
        if not lapsed:
            super().follow(record, answers)
            return
        record.tell(*(ev.AnswerLapsed(demand.seat, demand.kind) for demand in lapsed))
        turns.set_up(record, [demand.kind for demand in lapsed])

    def act(self, record: Record, seat: int, action: Any) -> None:
        chosen: Any = getattr(action, self.chosen)
        record.tell(self.event(seat, chosen, "mail"), *commented(seat, action.comment))
        turns.set_up(record)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> A:
        return cast(A, self.actions[0](self.values[chance.below(len(self.values), self.chosen)]))


class Colours(Choice[do.ChooseColours]):
    """The colour of the player who begins."""

    kind = "Colours"
    headings = ("Colours", "Colors")
    fits = frozenset({"colours"})
    begins = "Colours: red"
    parts = _COLOURS
    chosen, values, event = "colour", board.COLOURS, ev.ColoursChosen
    words, unknown = do.COLOURS, "no_colour"


class Edge(Choice[do.ChooseEdge]):
    """The edge of the grid at which the game begins, chosen by the other player."""

    kind = "Edge"
    fits = frozenset({"edge"})
    begins = "Edge: south"
    parts = _EDGES
    chosen, values, event = "edge", do.SIDES, ev.EdgeChosen
    words, around, unknown = do.EDGES, do.EDGE, "no_edge"  # south, the eastern side


class Move(Parsed[do.MovePiece]):
    """A piece put down or relocated, and in a tournament a claim with it."""

    kind = "Move"
    headings = ("Move", "Claim")
    foreseeable = True
    fits = frozenset({"move", "claim", "offer"})
    parse = staticmethod(move_of)
    act = staticmethod(turns.play)

    def possible(self, state: State, demand: Demand, said: Said, named: Named) -> Iterator[Part]:
        """A move; beside it a claim that is no fault, or that is named, so that its fault is told; or an offer."""
        sheet = do.NOTATION.of(said)
        move = next((do.parsed(state.grid, entry.value) for entry in sheet.of("move")), None)
        if not sheet.of("move"):
            yield from _moves(state.grid, named)
        if sheet.of("claim", "offer"):
            return
        legal = move is not None and not any(board.move_faults(state.grid, move))
        wins = legal and move is not None and board.winner_of(state.grid, move) is not None
        named_so = (int(name) for name in named if re.fullmatch(r"[1-9]\d?", name))
        for n in sorted({*range(2, state.law.max_claim + 1, 2), *named_so}) if state.law.tournament else ():
            if str(n) in named or not any(turns.claim_faults(state, n, wins)):
                yield Part(f"Claim: {n}", (("n", str(n)),), "claim")
        if not state.claims and state.offer != demand.seat:
            yield talk.OFFER

    def blank(self, state: State, seat: int) -> list[str]:
        return [MOVE, *_claim(state)]

    def write(self, state: State, demand: Demand, action: do.MovePiece) -> str:
        return self.written(action.orders, action.comment)

    def filled_in(self, state: State, demand: Demand, action: do.MovePiece) -> str:
        """A claim has a line of its own where one might be added; in a mail it would end a comment."""
        closed = action.claim is not None or action.comment
        return "\n".join([self.write(state, demand, action), *([] if closed else _claim(state))])

    def check(self, state: State, demand: Demand, action: do.MovePiece) -> Iterable[Complaint]:
        return turns.turn_faults(state, demand.seat, action)

    def foreseen(self, state: State, action: do.MovePiece) -> do.MovePiece | None:
        """A claim or an offer makes more of it than a move."""
        return None if action.offer or action.claim is not None else replace(action, comment="")

    def binds(self, action: do.MovePiece) -> bool:
        return action.claim is not None

    def searched(self, state: State, action: do.MovePiece) -> str | None:
        """A claim that nobody makes true is judged by a search (4.4)."""
        judged_here = state.law.tournament and state.law.adjudication == "solver"
        return "claim" if judged_here and action.claim is not None else None

    def lapse(self, record: Record, demand: Demand) -> None:
        """The game is lost, or the referee plays, by `timeout_default`."""
        state, seat = record.state, demand.seat
        record.tell(ev.AnswerLapsed(seat, "Move"))
        if state.law.timeout == "loss":
            turns.won(record, seat, state.ply, "out of time")
            turns.conclude(record)
        elif seat in state.vacant:
            turns.resign(record, seat, "deadline")
        else:
            turns.play_for(record, seat, "deadline")

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.MovePiece:
        """A move, and in a tournament now and then a claim: a true one of 2 where it is seen, rarely a bluff."""
        colour = state.colour_of(demand.seat)
        careless = bool(state.claims) and chance.below(3, "whether to miss a win") == 0
        ply = _chosen(state.grid, colour, chance, careless)
        action = do.MovePiece(**vars(ply))
        if not state.law.tournament or state.claims:
            return action
        n = 2
        after = state.grid.after(ply)  # whether the colour wins with its next move whatever comes
        search = Search(after.cols, after.rows, exact=True, limit=10_000)
        if not search.succeeds(after.seen_by(board.other(colour)), 2):
            if chance.below(60, "whether to bluff"):
                return action
            n = 2 * (1 + chance.below(max(1, state.law.max_claim // 2), "the claim"))
        claiming = replace(action, claim=n)
        return action if any(turns.turn_faults(state, demand.seat, claiming)) else claiming


def _claim(state: State) -> list[str]:
    free = not state.claims or state.law.claims == "multiple"
    return [f"Claim: {SLOT}"] if state.law.tournament and free else []


# --- draws -----------------------------------------------------------------------------------------------------------


class Offer(talk.DrawOffer[State, ev.Event], Sent[talk.OfferDraw]):
    """A draw offered, at any time of play."""

    def act(self, record: Record, seat: int, action: talk.OfferDraw) -> None:
        """Where another's offer stands, to offer is to accept it."""
        record.tell(*commented(seat, action.comment))
        if record.state.offer:
            turns.accept(record, seat)
        else:
            record.tell(ev.DrawOffered(seat))


class Accept(talk.SaidAlone[State, ev.Event, talk.AcceptDraw], Sent[talk.AcceptDraw]):
    """The draw that another player has offered."""

    kind = "Accept"
    fits = frozenset({"accept"})
    begins = "Accept: draw"
    parts = (talk.ACCEPT,)

    def act(self, record: Record, seat: int, action: talk.AcceptDraw) -> None:
        record.tell(*commented(seat, action.comment))
        turns.accept(record, seat)


# --- at any time -----------------------------------------------------------------------------------------------------


class Resign(talk.Resignation[State, ev.Event, talk.Resign], Sent[talk.Resign]):
    """With two players the game is lost; in pairs the seat is left."""

    def act(self, record: Record, seat: int, action: talk.Resign) -> None:
        turns.resign(record, seat, "mail", action.comment)


class Comment(talk.Remark[State, ev.Event, talk.SendComment], Sent[talk.SendComment]):
    """Words to the others alone (C12)."""

    closing = (f"Comment: {SLOT}",)
    sample = "A pretty position."


def _chosen(grid: board.Grid, colour: board.Colour, chance: Chance, careless: bool = False) -> board.Ply:
    """A win where there is one and it is seen; else the best of a few moves drawn: one that forces
    a win, or at least none that hands over a win or allows one at once."""
    search = Search(grid.cols, grid.rows, exact=True, limit=10_000)
    g, at = grid.ground, grid.seen_by(colour)
    if (won := g.winning(*at)) is not None and not careless:
        return g.ply(won, colour)
    steps = g.steps(*at)
    safe = [step for step in steps if g.result(*at[:2], step) == 0] or steps
    tried = [safe[chance.below(len(safe), "which move")] for _ in range(4)]
    sound = [step for step in tried if g.winning(*search.moved(at, step)) is None] or tried
    forcing = (step for step in sound if search.succeeds(search.moved(at, step), 2))
    return g.ply(next(forcing, sound[0]), colour)


def suggested_reply(state: State, seat: int, chance: Chance) -> do.MovePiece:
    """A move of the demonstration."""
    return do.MovePiece(**vars(_chosen(state.shown_grid, state.colour_of(seat), chance)))


Shows = TypeVar("Shows", do.Evidence, do.Shown, do.MovePiece)


class Showing(Parsed[Shows]):
    """A move of a demonstration; of the claimer, or that he gives up."""

    def check(self, state: State, demand: Demand, action: Shows) -> Iterable[Complaint]:
        match action:
            case do.BeginDemonstration():
                return turns.beginning_faults(state, action)
            case do.MovePiece():
                return turns.shown_faults(state, demand.seat, action)
        return ()

    def possible(self, state: State, demand: Demand, said: Said, named: Named) -> Iterator[Part]:
        yield from super().possible(state, demand, said, named)
        going_on = state.phase == "demonstration" and not said
        for part in _moves(state.shown_grid, named) if going_on else ():
            action = do.MovePiece(**vars(board.ply_of(part.line.removeprefix(_KEY))))
            if not any(turns.shown_faults(state, demand.seat, action)):
                yield part

    def write(self, state: State, demand: Demand, action: Shows) -> str:
        return self.written(action.orders, action.comment)

    def act(self, record: Record, seat: int, action: Shows) -> None:
        match action:
            case do.BeginDemonstration():
                record.tell(ev.DemonstrationBegun(record.state.judged[0], action.ply))
                turns.show(record, seat, action.move, "mail", action.comment)
            case do.MovePiece():
                turns.show(record, seat, action, "mail", action.comment)
            case do.GiveUpClaim():
                record.tell(*commented(seat, action.comment))
                turns.end(record, False, "given up")

    def lapse(self, record: Record, demand: Demand) -> None:
        """The claimer's silence ends his claim."""
        record.tell(ev.AnswerLapsed(demand.seat, demand.kind))
        turns.end(record, False, "out of time")


class Evidence(Showing[do.Evidence]):
    """The beginning of a demonstration: from which ply the claimer plays otherwise, and how; or that he gives up."""

    kind = "Evidence"
    headings = ("Demonstrate", "Give up")
    fits = frozenset({"demonstrate", "move", "give up"})

    def possible(self, state: State, demand: Demand, said: Said, named: Named) -> Iterator[Part]:
        """The ply to change and a move in its place, of any that may be changed until one is said; or to give up."""
        sheet = do.NOTATION.of(said)
        plies = state.own_plies(state.judged[0]) if state.phase == "evidence" else ()
        if not (chosen := {entry.value for entry in sheet.of("demonstrate")}):
            yield from (Part(f"Demonstrate: {ply}", (("ply", str(ply)),)) for ply in plies)
        if not sheet.of("move"):
            found: dict[str, Part] = {}
            for ply in (ply for ply in plies if not chosen or str(ply) in chosen):
                for part in _moves(state.grid_before(ply), named):
                    begun = do.BeginDemonstration(ply, **vars(board.ply_of(part.line.removeprefix(_KEY))))
                    if not any(turns.beginning_faults(state, begun)):
                        found.setdefault(part.line, part)
            yield from pointed_at(found.values(), named)
        if not sheet.entries:
            yield _GIVE_UP

    def blank(self, state: State, seat: int) -> list[str]:
        return [f"Demonstrate: {SLOT}", MOVE]

    def parse(self, state: State, sheet: do.Orders, wrong: list[Complaint]) -> do.Evidence | None:
        if sheet.of("give up"):
            return _given_up(sheet, wrong)
        ply = _ply_of(sheet, wrong)
        if (badly := bool(wrong)) and not sheet.of("move"):
            return None
        move = ply_said(self.grid(state, sheet), sheet, wrong)
        if badly or move is None:
            return None
        return do.BeginDemonstration(ply, **vars(move), comment=sheet.comment)

    def grid(self, state: State, sheet: do.Orders) -> board.Grid:
        """As far as the ply that is to be changed is one."""
        ply = _ply_of(sheet, [])
        return state.grid_before(ply) if state.demo is None and 1 <= ply <= state.ply else state.shown_grid

    def kept(self, state: State, demand: Demand, sheet: do.Orders) -> list[str]:
        """The ply comes before the move."""
        return sorted(super().kept(state, demand, sheet), key=lambda line: not line.startswith("Demonstrate"))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.Evidence:
        """Half of the claimers give up; the others change a ply, if they find how."""
        claim = state.judged[0]
        plies = state.own_plies(claim)
        ply = plies[chance.below(len(plies), "which ply to change")]
        move = _chosen(state.grid_before(ply), state.colour_of(claim.seat), chance)
        action = do.BeginDemonstration(ply, **vars(move))
        if chance.below(2, "whether to demonstrate") or any(turns.beginning_faults(state, action)):
            return do.GiveUpClaim()
        return action


def _given_up(sheet: do.Orders, wrong: list[Complaint]) -> do.GiveUpClaim:
    """Beside giving up a claim there is no move."""
    facts = {"order": "move", "kind": "give up"}
    wrong += (Complaint("not_beside", "3.5", entry.line, facts) for entry in sheet.of("move"))
    return do.GiveUpClaim(sheet.comment)


def _ply_of(sheet: do.Orders, wrong: list[Complaint]) -> int:
    """The ply from which a demonstration plays otherwise; 0 where there is a fault."""
    for entry in sheet.of("demonstrate"):
        return number_in(_PLY, "4.4", entry, wrong) or 0
    wrong.append(Complaint("no_ply", "4.4"))
    return 0


class Demonstrate(Showing[do.Shown]):
    """The claimer's next move of his demonstration; or that he gives up."""

    kind = "Demonstrate"
    headings = ()
    fits = frozenset({"move", "give up", "claim", "offer"})
    begins = MOVE
    parts = (_GIVE_UP,)

    def parse(self, state: State, sheet: do.Orders, wrong: list[Complaint]) -> do.Shown | None:
        return _given_up(sheet, wrong) if sheet.of("give up") else move_of(state, sheet, wrong)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.Shown:
        """Where the move would win too early the claimer gives up."""
        action = suggested_reply(state, demand.seat, chance)
        return do.GiveUpClaim() if any(turns.shown_faults(state, demand.seat, action)) else action


class Reply(Showing[do.MovePiece]):
    """The opponents' next move of a demonstration: either may answer."""

    kind = "Reply"
    headings = ()
    fits = frozenset({"move", "claim", "offer"})
    begins = MOVE
    parse = staticmethod(move_of)

    def follow(self, record: Record, answers: Mapping[Demand, do.MovePiece | Lapse]) -> None:
        """For both opponents' silence the referee replies once."""
        super().follow(record, dict([*answers.items()][:1]))

    def lapse(self, record: Record, demand: Demand) -> None:
        state, seat = record.state, demand.seat
        record.tell(ev.AnswerLapsed(seat, demand.kind))
        turns.show(record, seat, board.first_safe(state.shown_grid, state.colour_of(seat)), "deadline")

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.MovePiece:
        return suggested_reply(state, demand.seat, chance)


_PLY = re.compile(r"(?:from\s+)?(?:ply\s+)?(\d{1,4})\.?", re.IGNORECASE)
_VERDICT = re.compile(
    r"Verdict: (proved|refuted|unknown) after ply (\d+) \((\d+) positions\)"
    r"(?:\nLine: (.*?))?(?:\nLet go: ply (\d+))?"
)


class VerdictAnswer(OwnAnswer[State, ev.Event, do.GiveVerdict]):
    """What the solver found of a claim: the referee's own answer, which only records say in words;
    its proof stands elsewhere."""

    kind = "Verdict"
    untimely = staticmethod(turns.untimely)
    settle = staticmethod(turns.go_on)

    def read(self, state: State, demand: Demand, body: Body, party: Party) -> Reading[do.GiveVerdict]:
        if (found := _VERDICT.fullmatch("\n".join(line.text for line in body.lines))) is None:
            return Reading(None, (fault("nothing_ordered", "4.4", kind=self.kind),))
        line, slip = tuple((found[4] or "").split()), int(found[5] or 0)
        given = do.GiveVerdict(cast(Verdict, found[1]), int(found[2]), int(found[3]), line, slip=slip)
        return Reading(given)

    def write(self, state: State, demand: Demand, action: do.GiveVerdict) -> str:
        shown = f"\nLine: {' '.join(action.line)}" if action.line else ""
        let_go = f"\nLet go: ply {action.slip}" if action.slip else ""
        return f"Verdict: {action.verdict} after ply {action.after} ({action.nodes} positions){shown}{let_go}"

    def act(self, record: Record, seat: int, action: do.GiveVerdict) -> None:
        """What it leaves unknown is left to a demonstration."""
        claim = record.state.judged[0]
        start = record.state.grid_before(action.after + 1).pieces
        said = {field.name: getattr(action, field.name) for field in fields(action)}
        record.tell(ev.VerdictGiven(claim=claim, start=start, **said))
        if action.verdict == "unknown":
            record.tell(ev.EvidenceAsked(claim))
        else:
            turns.settle(record, claim, action.verdict == "proved", action.slip)
        turns.judge_rest(record)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.GiveVerdict:
        return judged(state, state.law.solver_nodes)

    def public(self, action: do.GiveVerdict) -> do.GiveVerdict:
        """The proofs stand in the event alone."""
        return replace(action, proofs=(), slip_proofs=())


ANSWERS: Final = (
    *(Move(), Colours(), Edge(), Offer(), Accept(), Evidence(), Demonstrate(), Reply()),
    *(VerdictAnswer(), Resign(), Comment()),
)
