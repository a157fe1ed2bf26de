"""The kinds of answers: their words in a mail, what may be said now, how they are mended, and what follows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from referee.core.answers import FEW, A, Named, OwnAnswer, Part, Reading, Said, pointed_at
from referee.core.chance import Chance
from referee.core.duel import other
from referee.core.orders import talk
from referee.core.orders.keyed import BLANK, KeyedAnswer, SheetEntry, keyed
from referee.core.value import LAPSED, REFEREE, Complaint, Demand, Lapse, fault
from referee.games.buttons import duel, puzzle
from referee.games.buttons import notation as do
from referee.games.buttons import state as ev
from referee.games.buttons.board import COLOUR_NAME, SIDES, Colour, walks
from referee.games.buttons.state import Record, State, colour_of, exchanged


class Sent(KeyedAnswer[State, ev.Event, A]):
    """An answer that a player sends by mail."""

    notation = do.NOTATION
    means = talk.beside_turns("move", "place", "accept", "pass", "goal", "undo", "give up")
    by_heading = frozenset(("resign", "offer"))

    def meant(self, state: State, seat: int, heading: str, sheet: do.Orders) -> str:
        """A puzzle knows no resignation and no offer."""
        if not state.rules.solo:
            return super().meant(state, seat, heading, sheet)
        return "Comment" if sheet.said == {"comment"} and not sheet.complaints else "Move"

    def untimely(self, state: State, demand: Demand) -> Complaint:
        """Out of turn the move itself is not judged: the board it is meant for is not there yet, or is gone."""
        if state.ended is not None:
            return Complaint("ended", "house")
        match demand.kind, state.rules.solo:
            case "Offer", False if demand.seat == state.mover:
                return Complaint("offer_with_turn", "5.3")
            case "Offer", False:
                return Complaint("offered_already", "5.3")
            case "Move", True:
                return fault("puzzle_done", "5.4", result=state.result)
            case "Move", False:
                return fault("not_your_turn", "5.3", mover=state.mover)
        return fault("not_now", "house", demand=demand.kind)

    def kept(self, state: State, demand: Demand, sheet: do.Orders) -> list[str]:
        """Every order as it was read, with blank keys for what nobody could read. Orders that have no place in this
        game at all are left out; of a way that was wrongly named its ends are kept, of a button its number."""
        lines = list(_again(state, demand.seat, sheet))
        return lines if state.rules.solo else list(dict.fromkeys(lines))


class Move(Sent[do.Turn | do.PlaySolo]):
    """A turn of the game for two (5.3), or a mail of the puzzle (5.4)."""

    kind = "Move"
    headings = ("Move", "Place", "Goal", "Undo", "Give up", "Accept")
    begins = "Move:"

    def understood(self, state: State, demand: Demand, sheet: do.Orders) -> Reading[do.Turn | do.PlaySolo]:
        return self._mail(sheet) if state.rules.solo else self._turn(sheet)

    def _turn(self, sheet: do.Orders) -> Reading[do.Turn | do.PlaySolo]:
        """A turn of the game for two; its part is `turn`."""
        turns, offers = sheet.of("move", "place", "accept"), sheet.of("offer")
        wrong = [Complaint("no_pass", "5.3", entry.line) for entry in sheet.of("pass")]
        for entry in sheet.of("goal", "undo", "give up"):
            wrong.append(Complaint("solo_only", "5.4", entry.line, {"order": entry.order}))
        for entry in turns[1:]:
            accepts = "accept" in (turns[0].order, entry.order)
            wrong.append(Complaint("accept_is_a_turn" if accepts else "one_turn", "5.3", entry.line))
        action: do.Turn | None = None
        if turns and turns[0].order == "accept":
            wrong += [Complaint("accept_is_a_turn", "5.3", entry.line) for entry in offers[:1]]
            action = do.AcceptDraw(sheet.comment)
        elif turns and turns[0].order == "move":
            action = do.MoveButton(turns[0].value, bool(offers), sheet.comment)
        elif turns:
            colour, value, space = turns[0].value
            action = do.PlaceButton(value, space, colour, bool(offers), sheet.comment)
        return self.reading(sheet, action, wrong, sheet.line("move", "place", "accept", part="turn"))

    def _mail(self, sheet: do.Orders) -> Reading[do.Turn | do.PlaySolo]:
        """A mail of the puzzle; its parts are `goal` and `steps.0`, `steps.1`, ..."""
        goals, ordered = sheet.of("goal"), sheet.of("move", "undo", "give up", "resign")
        wrong = [Complaint("no_pass", "5.4", entry.line) for entry in sheet.of("pass")]
        for entry in sheet.of("place", "offer", "accept"):
            wrong.append(Complaint("two_only", "5.4", entry.line, {"order": entry.order}))
        wrong += [Complaint("two_goals", "5.4", e.line) for e in goals if e.value != goals[0].value]
        if not (goals or ordered):
            return self.reading(sheet, None, wrong)
        lines = {f"steps.{index}": entry.line for index, entry in enumerate(ordered)}
        lines["goal"] = (*goals, *ordered)[0].line
        steps = tuple(do.step_of(entry) for entry in ordered)
        action = do.PlaySolo(steps, goals[0].value if goals else "", sheet.comment)
        return self.reading(sheet, action, wrong, lines)

    def possible(self, state: State, demand: Demand, said: Said, named: Named) -> Iterator[Part]:
        """In the game for two a turn and what may stand beside it, in the puzzle the next step and a goal."""
        sheet, seat = do.NOTATION.of(said), demand.seat
        if not state.cells or state.result or state.ended is not None:
            return
        if state.rules.solo:  # on the board that the steps before leave
            now = _begun(state, sheet)
            for entry in sheet.of("move", "undo", "give up", "resign"):
                now = puzzle.stepped(now, do.step_of(entry))
            legal = [*pointed_at(_moved(now, puzzle.moves(now), named), named)]
            yield from legal
            yield from _unlawful(now, legal, named) if legal else ()
            yield from (part for part, step in _STEPS if not any(puzzle.step_faults(now, step)))
            yield from () if state.goal or sheet.of("goal") else _GOALS
            return
        if not sheet.of("move", "place", "accept"):
            ways = duel.placements(state, seat)
            every = (*_placed(state, colour_of(seat), ways), *_moved(state, duel.moves(state, seat), named))
            legal = [*pointed_at(every, named)]
            yield from legal
            yield from _unlawful(state, legal, named, seat)
            if state.offer == other(seat) and not sheet.of("offer"):
                yield talk.ACCEPT
        if not sheet.of("offer", "accept"):
            yield talk.OFFER

    def write(self, state: State, demand: Demand, action: do.Turn | do.PlaySolo) -> str:
        return do.written(action)

    def check(self, state: State, demand: Demand, action: do.Turn | do.PlaySolo) -> Iterable[Complaint]:
        if isinstance(action, do.PlaySolo) != state.rules.solo:
            return (fault("not_this", "5.5", demand=demand.kind),)
        if isinstance(action, do.PlaySolo):
            return puzzle.solo_faults(state, action)
        return duel.turn_faults(state, demand.seat, action)

    def blank(self, state: State, seat: int) -> list[str]:
        """The keys of what may be played now, with nothing behind them."""
        if state.rules.solo:
            return ["Move:", *([] if state.goal else ["Goal:"])]
        place = ["Place:"] if next(duel.placements(state, seat), None) is not None else []
        return ["Move:", *place, *(["Accept:"] if state.offer == other(seat) else [])]

    def kept(self, state: State, demand: Demand, sheet: do.Orders) -> list[str]:
        """With blank keys where no turn is among the lines; the form of a turn begins with `Move`."""
        lines = super().kept(state, demand, sheet)
        if state.rules.solo:
            played = any(line.startswith(("Move", "Undo", "Give up")) for line in lines)
            goal = ["Goal:"] if not state.goal and not any(line.startswith("Goal") for line in lines) else []
            lines = [*([] if played else ["Move:"]), *lines, *goal]
            lines.sort(key=lambda line: line.startswith("Goal"))
        elif not any(line.startswith(("Move: ", "Place: ", "Accept: ")) for line in lines):
            lines = list(dict.fromkeys([*self.blank(state, demand.seat), *lines]))
        return lines if lines[0].startswith("Move") else ["Move:", *lines]

    def filled_in(self, state: State, demand: Demand, action: do.Turn | do.PlaySolo) -> str:
        """A form of a turn begins with `Move`."""
        text = super().filled_in(state, demand, action)
        return text if text.startswith("Move") else f"Move:\n{text}"

    def follow(self, record: Record, answers: Mapping[Demand, do.Turn | do.PlaySolo | Lapse]) -> None:
        """The answer that came, or the lapse of all that is still owed: with the puzzle's, that of its table."""
        lapsed = tuple(demand.seat for demand, answer in answers.items() if answer is LAPSED)
        if lapsed:
            (puzzle.lapse if record.state.rules.solo else duel.lapse)(record, lapsed)
        else:
            super().follow(record, answers)

    def act(self, record: Record, seat: int, action: do.Turn | do.PlaySolo) -> None:
        if isinstance(action, do.PlaySolo):
            puzzle.play(record, action)
        else:
            duel.play(record, seat, action)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.Turn | do.PlaySolo:
        if state.rules.solo:
            return puzzle.suggested(state, chance)
        return duel.suggested(state, demand.seat, chance)


class Offer(Sent[talk.OfferDraw], talk.DrawOffer[State, ev.Event]):
    """A draw offered after one's turn, while it is the opponent's (5.3)."""

    clause = "5.3"

    def act(self, record: Record, seat: int, action: talk.OfferDraw) -> None:
        record.tell(ev.DrawOffered(seat), *duel.commented(seat, action.comment))


class Resign(Sent[do.ResignMatch], talk.Resignation[State, ev.Event, do.ResignMatch]):
    """The match given to the opponent (5.3)."""

    clause = "5.3"

    def act(self, record: Record, seat: int, action: do.ResignMatch) -> None:
        record.tell(ev.PlayerResigned(seat), *duel.commented(seat, action.comment))
        record.tell(ev.MatchDecided((other(seat),), "The opponent resigned."))


class Comment(Sent[talk.SendComment], talk.Remark[State, ev.Event, talk.SendComment]):
    """Words to the others."""

    clause = "5.5"

    def act(self, record: Record, seat: int, action: talk.SendComment) -> None:
        record.tell(ev.Commented(seat, action.text, record.state.rules.private))


class Par(OwnAnswer[State, ev.Event, do.SetPar]):
    """The referee's own solution of the puzzle (5.4), secret until the end."""

    kind = "Par"

    def check(self, state: State, demand: Demand, action: do.SetPar) -> Iterable[Complaint]:
        """Replayed from the start."""
        par, cells, index = action.par, state.start, state.rules.ground.index
        right = par.moves is None or len(par.solution) == par.moves
        for first, last in par.solution if par.moves is not None else ():
            right = right and index[last] in state.rules.reach(cells[index[first]], index[first])
            cells = exchanged(cells, index[first], index[last])
        if not right or (par.moves is not None and not puzzle.reached(state.rules, cells, state.goal)):
            yield Complaint("par_wrong", "5.4")

    def write(self, state: State, demand: Demand, action: do.SetPar) -> str:
        par = action.par
        return "no solution found" if par.moves is None else ", ".join("-".join(m) for m in par.solution)

    def act(self, record: Record, seat: int, action: do.SetPar) -> None:
        record.tell(ev.ParFound(action.par))
        puzzle.finish(record)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.SetPar:
        return do.SetPar(puzzle.solved(state.rules, state.start, state.goal, puzzle.NODES))

    def public(self, action: do.SetPar) -> do.SetPar | None:
        return None


class Close(OwnAnswer[State, ev.Event, do.CloseTable]):
    """The deadline of a puzzle for many: the clock answers."""

    kind = "Close"
    told = do.CloseTable()

    def write(self, state: State, demand: Demand, action: do.CloseTable) -> str:
        return "the deadline has passed"

    def follow(self, record: Record, answers: Mapping[Demand, do.CloseTable | Lapse]) -> None:
        puzzle.lapse(record, (REFEREE,))


ANSWERS = (Move(), Offer(), Resign(), Comment(), Par(), Close())


# --- mending ------------------------------------------------------------------------------------------------------


_ELSEWHERE = {True: ("pass", "place", "offer", "accept"), False: ("pass", "goal", "undo", "give up")}


def _again(state: State, seat: int, sheet: do.Orders) -> Iterator[str]:
    """The lines of the form, in the order of the mail: the first turn, or any step, without a way
    wrongly named; the first button without its colour."""
    solo, first, now = state.rules.solo, True, _begun(state, sheet)
    said = [entry for entry in sheet.entries if entry.order != "comment"]
    faulty = {c.line for c in sheet.complaints if c.line is not None} - {entry.line for entry in said}
    keys = ((do.NOTATION.by_key.get(keyed(do.folded(line.text))[0]), line) for line in faulty)
    said += [SheetEntry(key, BLANK, line) for key, line in keys if key in ("move", "place")]

    def standing(path: tuple[str, ...]) -> tuple[str, ...]:
        """The way as it was named, or its ends alone where only these can stand."""
        ends = path[0], path[-1]
        return ends if wrong(path) and not wrong(ends) else path

    def wrong(way: tuple[str, ...]) -> bool:
        if solo:
            return any(puzzle.step_faults(now, do.Step("move", way)))
        missed = state.mover != seat  # out of turn the move itself is not judged
        return missed or any(duel.turn_faults(state, seat, do.MoveButton(way)))

    for entry in sorted(said, key=lambda entry: entry.line.number):
        if entry.value is BLANK:
            yield f"{entry.order.capitalize()}:"
        elif entry.order in _ELSEWHERE[solo] or (entry.order == "goal" and state.goal):
            continue
        elif solo and entry.order in ("move", "undo", "give up", "resign"):
            step = do.step_of(entry)
            step = replace(step, path=standing(step.path)) if step.path else step
            now = puzzle.stepped(now, step)
            yield do.written(do.PlaySolo((step,)))
        elif entry.order == "move":
            yield do.written(do.MoveButton(standing(entry.value) if first else entry.value))
            first = False
        elif entry.order == "place":
            colour, value, space = entry.value
            yield do.written(do.PlaceButton(value, space, "" if first else colour))
            first = False
        else:
            again = {"goal": f"Goal: {entry.value}", "offer": "Offer: draw", "accept": "Accept: draw"}
            yield again.get(entry.order, entry.order.capitalize())


def _begun(state: State, sheet: do.Orders) -> State:
    """The puzzle with the goal that a mail names."""
    return puzzle.begun(state, next((entry.value for entry in sheet.of("goal")), ""))


Slots = tuple[tuple[str, str], ...]

_GOALS = tuple(Part(f"Goal: {n}", (("goal", n), ("goal", sign))) for n, sign in (("two", "2"), ("four", "4")))
_STEPS = ((Part("Undo", (), "undo"), do.Step("undo")), (Part("Give up", (), "resign"), do.Step("give up")))


def _placed(state: State, side: Colour, ways: Iterable[tuple[int, int]], said: str = "") -> Iterator[Part]:
    """Numbers and the spaces they are put on; `said` is the colour that the line names."""
    names = state.rules.ground.spaces
    for value, space in ways:
        slots = (*_button(state, f"{side}{value}"), ("to", names[space]))
        yield Part(do.written(do.PlaceButton(value, names[space], said)), slots)


def _unlawful(state: State, legal: Sequence[Part], named: Named, seat: int = 0) -> Iterator[Part]:
    """What a mail names whole and the rules forbid, so that its fault is told and no other turn is
    guessed: a move from one space to another, a number and a space, with the other's colour too."""
    index = state.rules.ground.index
    spaces = [space for space in index if space in named][:FEW]
    values = sorted({value for row in state.rules.values for value in row if str(value) in named})
    told = [{value for _, value in part.slots} for part in legal]

    def lacking(*said: str) -> bool:
        return not any(values.issuperset(said) for values in told)

    ways = ((index[s], index[t]) for s in spaces for t in spaces if s != t and lacking(s, t))
    yield from _moved(state, ways)
    for side in SIDES if seat else ():
        own, word = side == colour_of(seat), COLOUR_NAME[side]
        if own or word in named:
            said = () if own else (word,)
            put = ((v, index[s]) for v in values for s in spaces if lacking(str(v), s, *said))
            yield from _placed(state, side, put, "" if own else side)


def _moved(state: State, ways: Iterable[tuple[int, int]], named: Named = ()) -> Iterator[Part]:
    """Moves by their ends, and by every way whose spaces a mail names, where those are few and more than its ends."""
    ground, cells = state.rules.ground, state.cells
    passed = frozenset(ground.index[name] for name in named if name in ground.index)
    for start, end in ways:
        button = _button(state, cells[start])
        few = 2 <= int(cells[start][1:] or 0) < len(passed) <= FEW and {start, end} <= passed
        for path in (
            (start, end),
            *(walks(state.rules.board, cells[start], start, end, passed) if few else ()),
        ):
            first, *between, last = ground.names(path)
            by = ((f"by {number}", space) for number, space in enumerate(between, 1))
            swapped = () if state.rules.solo or not cells[end] else _button(state, cells[end])[:2]
            there = (("there", slot[1]) for slot in swapped if slot[1] in named and slot not in button)
            slots = (*button, ("from", first), *by, *there, ("to", last))
            yield Part(do.written(do.MoveButton((first, *between, last))), slots)


def _button(state: State, sign: str) -> Slots:
    """A button by its colour and its number; by its sign where no space is called so ("B3"). Nothing names none."""
    if not sign:
        return (("colour", ""), ("number", ""))
    signs = () if sign.lower() in state.rules.ground.index else (("number", sign.lower()),)
    return (("colour", COLOUR_NAME[sign[0]]), ("number", sign[1:]), *signs)
