"""Buttons and bridges behind the seam; how a match is opened, with every fault named."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from referee.core.chance import Chance, given_seed
from referee.core.duel import other
from referee.core.game import Amendment, Expected, Game, Opening, Setup
from referee.core.options import Options, typed
from referee.core.value import REFEREE, Demand, Round
from referee.games.buttons import TITLES, duel, puzzle, views
from referee.games.buttons import notation as do
from referee.games.buttons import state as ev
from referee.games.buttons.answers import ANSWERS
from referee.games.buttons.board import LINE, board_of, table
from referee.games.buttons.puzzle import pairs_of, reached, solved, supposed

_RANGE = re.compile(r"(\d+)\s*\.\.\s*(\d+)")
_CELL = re.compile(r"\s*(?:([BbWw])(\d{1,2})|(\.{1,2})|(##?))[\s,]*")
_LARGEST_VALUE = 99


def judged(setup: Setup) -> tuple[ev.Rules | None, tuple[str, ...]]:
    """The rules that options and data give, and every reason why no match can be opened so."""
    options = setup.options
    name, data = options.text("bridges"), setup.data.get("board", {})
    layout = data.get(name)
    if isinstance(layout, Mapping):
        board, found = board_of(name, layout)
    else:
        found = (f"There is no board {name!r}; there are: {', '.join(sorted(data)) or 'none'}.",)
        board, layout = None, {}
    values, bad = _values(options.text("values"), layout)
    faults = [*found, *bad]
    if board is None or values is None:
        return None, tuple(faults)
    many = options.text("table").strip()
    private = bool(many) or options.flag("private")
    rules = typed(
        ev.Rules,
        options,
        board=board,
        values=values,
        goal="" if options.text("goal") == "ask" else options.text("goal"),
        window=options.window("move_deadline"),
        holds=options.text("timeout_default") == "wait",
        whole=private or options.text("deadline_for") == "match",
        private=private,
        table=many,
    )
    if len(board.spaces) > 1 and not table(board, rules.longest):
        faults.append(
            f"The board {board.name} with values up to {rules.longest} has too many ways to work out."
        )
    faults += _solo_faults(rules, options)
    if (text := options.text("position")) and not faults:
        faults += position(rules, text)[1]
    return rules, tuple(faults)


def _values(text: str, layout: Mapping[str, Any]) -> tuple[ev.Values | None, list[str]]:
    if text.strip().lower() == "board":
        given = layout.get("values", {})
        texts = [" ".join(str(value) for value in given.get(colour, ())) for colour in ("black", "white")]
    else:
        black, slash, white = text.partition("/")
        texts = [black, white if slash else black]
    rows = [_numbers(row) for row in texts]
    faults = [
        f"The values {row!r} of the {colour} buttons should be at least {LINE} numbers from 1 to {_LARGEST_VALUE}, "
        "such as 1 1 2 2 3 3 4 4 or 1..8."
        for colour, row, found in zip(("black", "white"), texts, rows, strict=True)
        if found is None
    ]
    if rows[0] is None or rows[1] is None:
        return None, list(dict.fromkeys(faults))
    return (rows[0], rows[1]), []


def _numbers(text: str) -> tuple[int, ...] | None:
    found: list[int] = []
    for word in _RANGE.sub(r"\1..\2", text.replace(",", " ")).split():
        if span := _RANGE.fullmatch(word):
            found += range(int(span[1]), min(int(span[2]), _LARGEST_VALUE + 1) + 1)
        elif word.isdecimal():
            found.append(int(word))
        else:
            return None
    possible = len(found) >= LINE and all(1 <= value <= _LARGEST_VALUE for value in found)
    return tuple(sorted(found)) if possible else None


def _solo_faults(rules: ev.Rules, options: Options) -> Iterator[str]:
    """5.4: the board is full, and both colours have the same numbers; nothing of it goes with the game for two."""
    if not rules.solo:
        for name in ("table", "private", "goal", "seed"):
            if options.text(name) not in ("", "off", "ask", "match"):
                yield f"{name} = {options.text(name)!r} is for the solo game: give mode=solo with it."
        return
    black, white = rules.values
    count, spaces = len(black) + len(white), len(rules.board.spaces)
    if count != spaces:
        few = "too few" if count < spaces else "too many"
        yield f"The solo game fills the board: {count} buttons are {few} for {spaces} spaces."
    if black != white:
        yield "The solo game needs the same numbers on black and on white buttons."
    if not pairs_of(rules.board, rules.perspective):
        yield f"The board {rules.board.name} has no two separate parallel lines of four."
    if rules.table and not rules.goal:
        yield "A table compares like with like: give goal=two or goal=four with it."
    if rules.table and rules.window is None:
        yield "A table is published at its deadline: give move_deadline a time."
    if rules.table and rules.holds:
        yield "A table is published at its deadline: timeout_default=wait does not go with it."
    if options.text("starter") != "random":
        yield "The solo game has one player: starter does not go with it."


def position(rules: ev.Rules, text: str) -> tuple[ev.Cells, list[str]]:
    """The cells of a position in words, and every fault of it."""
    board = rules.board
    rows = [row.strip() for row in text.strip().strip("/").split("/")]
    if len(rows) != board.rows:
        return (), [f"The position has {len(rows)} rows; the board {board.name} has {board.rows}."]
    cells: list[str] = []
    faults: list[str] = []
    for number, (row, squares) in enumerate(zip(rows, board.grid, strict=True), 1):
        read = list(_CELL.finditer(row))
        signs = [f"{c[1].upper()}{int(c[2])}" if c[1] else ".." if c[3] else "##" for c in read]
        if "".join(cell[0] for cell in read) != row or len(signs) != board.columns:
            such = f"{board.columns} cells such as B3 W1 .."
            faults.append(f"Row {number} of the position, {row!r}, should be {such}")
            continue
        for square, sign in zip(squares, signs, strict=True):
            if (sign == "##") is (square in board.spaces):
                what = "a space" if sign == "##" else "no space"
                faults.append(f"{square} is {what} of the board {board.name}.")
            elif sign != "##":
                cells.append("" if sign == ".." else sign)
    return tuple(cells), faults or _position_faults(rules, tuple(cells))


def _position_faults(rules: ev.Rules, cells: ev.Cells) -> list[str]:
    supply = Counter(ev.buttons(rules.values))
    faults = [
        f"The position has {n} of {button}; there are {supply[button]}."
        for button, n in Counter(cell for cell in cells if cell).items()
        if n > supply[button]
    ]
    lines = [line for line in rules.ground.lines if {cells[s][:1] for s in line} in ({"B"}, {"W"})]
    if rules.solo:
        if empty := [space for space, cell in zip(rules.board.spaces, cells, strict=True) if not cell]:
            faults.append(f"The solo game fills the board; the position leaves {', '.join(empty)} empty.")
        elif not faults and rules.goal and reached(rules, cells, rules.goal):
            faults.append("The position has reached the goal already.")
    elif lines:
        names = ", ".join("-".join(rules.board.spaces[s] for s in line) for line in lines)
        faults.append(f"The position has a line of four already: {names}.")
    return faults


class Buttons(Game[ev.State, ev.Event]):
    """Two players (5.3) or the solo puzzle (5.4), by Adam Obren."""

    slug = "buttons"
    titles = TITLES
    evolve = staticmethod(ev.fold)
    answers = ANSWERS

    def seats(self, options: Options) -> tuple[int, ...]:
        return (1,) if options.text("mode") == "solo" else (2,)

    def faults(self, setup: Setup) -> tuple[str, ...]:
        return judged(setup)[1]

    def opening(self, setup: Setup, chance: Chance) -> Opening[ev.Event]:
        """Forced passes and the like follow from the start."""
        rules, faults = judged(setup)
        if rules is None or faults:
            raise ValueError("; ".join(faults))
        record, text = ev.Record(ev.fold, self.initial()), setup.options.text("position")
        record.tell(ev.RulesSet(rules))
        if not rules.solo:
            record.tell(ev.StarterDrawn.of(rules.starter, chance))  # O5: either player may begin
        if text:
            record.tell(ev.PositionSet(position(rules, text)[0]))
        elif rules.solo:  # black's buttons in ascending order, then white's, shuffled, fill the spaces
            seed = setup.options.text("seed")
            drawing = chance if seed == "match" else Chance(given_seed(int(seed)))
            before = len(drawing.transcript)
            cells = drawing.shuffle(ev.buttons(rules.values), "the shuffle of the buttons")
            record.tell(ev.ButtonsShuffled(cells, drawing.seed, drawing.transcript[before:]))
        if rules.solo:
            puzzle.look(record)
            puzzle.finish(record)
        else:
            duel.go_on(record)
        return Opening(tuple(range(1, setup.seats + 1)), tuple(record.events))

    def amended(self, state: ev.State, setup: Setup) -> Amendment[ev.Event]:
        rules, faults = judged(setup)
        if rules is not None and rules.board != state.rules.board:
            faults = ("the board of a running match stays as it is",)
        return Amendment(() if rules is None or faults else (ev.RulesAmended(rules),), faults)

    def due(self, state: ev.State) -> tuple[Round, ...]:
        """Two players: the turn. Solo: the player's next mail, and beside it the referee's own solution."""
        if state.ended is not None or not state.rules.board.spaces:
            return ()
        if state.rules.solo:
            par = (Round("Par", (Demand("Par", REFEREE),), None),) if puzzle.wants_par(state) else ()
            return (*puzzle.owed(state), *par)
        label = f"Round {(state.turn + 1) // 2} / Player {state.mover}"
        return (Round(label, (Demand("Move", state.mover),), state.rules.window, holds=state.rules.holds),)

    def open_to(self, state: ev.State, seat: int) -> tuple[Demand, ...]:
        """Words at any time; resignation; an offer of a draw after one's turn, while none stands (5.3)."""
        if (
            state.ended is not None
            or not state.rules.board.spaces
            or seat not in ((1,) if state.rules.solo else (1, 2))
        ):
            return ()
        words = (Demand("Comment", seat),)
        if state.rules.solo:
            return words
        offers = (Demand("Offer", seat),) if state.mover == other(seat) and state.offer != seat else ()
        return (*offers, Demand("Resign", seat), *words)

    def expects(self, state: ev.State, seat: int) -> Expected[ev.State] | None:
        """One's own turn, of the game for two."""
        return None if state.rules.solo else Expected(replace(state, mover=seat))

    view = staticmethod(views.viewed)
    outcome = staticmethod(views.outcome)

    def sees_more(self, state: ev.State, seat: int) -> bool:
        return views.hides(state) and seat == puzzle.PLAYER

    def secret_to(self, event: ev.Event) -> int | None:
        """A private puzzle is its player's alone, and the referee's own solution nobody's, until the end."""
        if isinstance(event, ev.ParFound):
            return REFEREE
        return puzzle.PLAYER if isinstance(event, ev.OFTEN_PRIVATE) and event.private else None

    # --- what it can do besides ----------------------------------------------------------------------------------

    computed = ("Par",)

    def compute(self, state: ev.State, demand: Demand, nodes: int) -> do.SetPar:
        """Par: the referee's own solution of the puzzle, counted from its start."""
        return do.SetPar(solved(state.rules, state.start, state.goal, min(nodes, state.rules.par_nodes)))

    supposed = staticmethod(supposed)

    table = staticmethod(puzzle.compared)
    board_form = staticmethod(views.clickable)


GAME = Buttons()
