"""Fourplay Chess behind the seam; how a match begins: rules and catalogue as data, the draw of the
order of play (600), a position to begin from (the option `position`: JSON in the shape of the
public facts, `turn` beside them); how its rules are amended while it runs.

Types of piece may be added and changed, never taken away: every earlier state of the match must be
judged by the amended rules too, when it is rewound to or objected to (611). A type no longer wanted
gets the limit 0."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from referee.core.chance import Chance
from referee.core.game import Amendment, Game, Opening, Setup
from referee.core.options import Options, typed
from referee.core.texts.bounded import BadData, read_json
from referee.games.fourplay import TITLES, cycles, views
from referee.games.fourplay import state as ev
from referee.games.fourplay.board.catalogue import Catalogue, catalogue_of, catalogue_text, read_catalogue
from referee.games.fourplay.board.primitives import NUMBERS
from referee.games.fourplay.forms.declarations import Objecting, Objection, Ready, Resign
from referee.games.fourplay.forms.purchase import Purchase
from referee.games.fourplay.forms.setup import Setup as InitialSetup
from referee.games.fourplay.turns.turn import TurnAnswer


def _tables(setup: Setup) -> tuple[Mapping[str, Any], ...]:
    """The catalogue's tables: `pieces`, and the one that the option `catalogue` adds."""
    more, data = setup.options.text("catalogue"), setup.data
    return (data.get("pieces", {}), *(() if more == "authentic" else (data.get(more, {}),)))


def _rules(setup: Setup) -> ev.Rules:
    """Every option and the whole catalogue, as the match will be judged by them."""
    return typed(ev.Rules, setup.options, pieces=catalogue_text(*_tables(setup)))


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        value = "; ".join(f"{o.limit} with {o.least} or more {o.piece}" for o in value)
    return "none" if value in (None, "") else str(value)


# --- a given position ------------------------------------------------------------------------------------------------

_KEYS: Final = ("cycle", "round", "pieces", "off_board", "money", "gems", "turn")


def given_position(text: str, catalogue: Catalogue) -> tuple[ev.PositionSet | None, tuple[str, ...]]:
    """The position, or None and every reason why it is none."""
    try:
        facts = read_json(text)
    except BadData as why:
        return None, (f"position: {why}.",)
    if not isinstance(facts, Mapping):
        return None, ("position: the JSON must be an object.",)
    given = _Given(facts, catalogue)
    position = given.position()
    return (None, tuple(given.faults)) if given.faults else (position, ())


class _Given:
    """Takes a position apart and collects every fault, in words."""

    def __init__(self, facts: Mapping[str, object], catalogue: Catalogue) -> None:
        self.facts, self.catalogue = facts, catalogue
        self.faults: list[str] = []
        self.pieces: list[ev.Piece] = []

    def fault(self, words: str, wrong: bool = True) -> None:
        self.faults += [f"position: {words}"] if wrong else []

    def position(self) -> ev.PositionSet:
        for key in self.facts:
            self.fault(f"there is no {key!r}; there are {', '.join(_KEYS)}.", key not in _KEYS)
        taken: set[str] = set()
        for row in self.rows("pieces"):
            square = str(row.get("square", "")).lower()
            if square not in NUMBERS:
                self.fault(f"there is no square {row.get('square')!r}.")
            elif square in taken:
                self.fault(f"{square} is taken twice.")
            else:
                taken.add(square)
                self.add(row, square)
        for row in self.rows("off_board"):
            for _ in range(min(self.count(row, "count", 1), 225)):
                self.add(row, None)
        cycle, number, to_move = (self.count(self.facts, key, 1, 1) for key in ("cycle", "round", "turn"))
        money, gems = (self.by_seat(key) for key in ("money", "gems"))
        kings = [piece.owner for piece in self.pieces if piece.type == ev.KING and piece.square]
        for seat in ev.SEATS:
            self.fault(f"Player {seat} has more than one King.", kings.count(seat) > 1)
            mascots = sum(piece.mascot for piece in self.pieces if piece.owner == seat)
            self.fault(f"Player {seat} has more than one Mascot.", mascots > 1)
        lonely = len(set(kings)) < 2 and not self.faults
        self.fault("at least two players need a King on the board, or the cycle is over.", lonely)
        neutrons = sum(piece.type == ev.NEUTRON for piece in self.pieces)
        self.fault("there is more than one Neutron.", neutrons > 1)
        self.fault(f"turn = {to_move} is no player's number.", to_move not in ev.SEATS)
        return ev.PositionSet(cycle, number, to_move, tuple(self.pieces), money, gems)

    def count(self, facts: Mapping[str, object], key: str, default: int, least: int = 0) -> int:
        value = facts.get(key, default)
        if type(value) is not int or not least <= value <= 1_000_000:
            self.fault(f"{key} = {value!r} is no whole number from {least} on.")
            return default
        return value

    def by_seat(self, key: str) -> tuple[int, ...]:
        """F$ or gems by player number; who is left out has none."""
        table = self.facts.get(key, {})
        if not isinstance(table, Mapping) or not {str(name) for name in table} <= set(map(str, ev.SEATS)):
            self.fault(f"{key} must give a number for each of the players 1 to 4.")
            return (0, 0, 0, 0)
        numbers = {str(name): value for name, value in table.items()}
        return tuple(self.count(numbers, str(seat), 0) for seat in ev.SEATS)

    def rows(self, key: str) -> list[Mapping[str, object]]:
        rows = self.facts.get(key, [])
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            self.fault(f"{key} must be a list of objects.")
            return []
        return rows

    def add(self, row: Mapping[str, object], where: str | None) -> None:
        found = self.catalogue.find(str(row.get("piece", "")))
        owner = row.get("player")
        if found is None:
            self.fault(f"there is no piece {row.get('piece')!r}.")
        elif (owner is None) != (found.name == ev.NEUTRON) or (owner is not None and owner not in ev.SEATS):
            self.fault(f"player = {owner!r} is not possible for a {found.name}.")
        else:
            number = len(self.pieces) + 1
            self.pieces.append(ev.Piece(number, found.name, owner, where, bool(row.get("mascot", False))))


class Fourplay(Game[ev.State, ev.Event]):
    """Four armies, four Kings, one Neutron: rules 600-612 and the pieces of 905-962."""

    slug = "fourplay"
    titles = TITLES
    evolve = staticmethod(ev.fold)
    answers = (Ready(), Purchase(), InitialSetup(), TurnAnswer(), Objecting(), Resign(), cycles.Waiting())

    def seats(self, options: Options) -> tuple[int, ...]:
        return (len(ev.SEATS),)

    def faults(self, setup: Setup) -> tuple[str, ...]:
        four = setup.seats == len(ev.SEATS)
        found = () if four else (f"Fourplay has four players, not {setup.seats} (100).",)
        if wrong := read_catalogue(*_tables(setup))[1]:
            return (*found, *wrong)
        text = setup.options.text("position")
        catalogue = catalogue_of(catalogue_text(*_tables(setup)))
        return (*found, *(given_position(text, catalogue)[1] if text else ()))

    def opening(self, setup: Setup, chance: Chance) -> Opening[ev.Event]:
        """The rules, the draw, and a given position where there is one. `faults` has found nothing."""
        opened = ev.MatchOpened(_rules(setup))
        seating = chance.shuffle(ev.SEATS, "order of play")
        events: list[ev.Event] = [opened, ev.OrderDrawn(seating, chance.seed, chance.transcript)]
        if text := setup.options.text("position"):
            position, _ = given_position(text, catalogue_of(opened.rules.pieces))
            if position is not None:
                events += [position, *cycles.turn_begun(ev.fold(ev.fold(ev.State(), opened), position))]
        return Opening(seating, tuple(events))

    def amended(self, state: ev.State, setup: Setup) -> Amendment[ev.Event]:
        """Told key by key; of moves only that they changed, and how the new ones are described."""
        if faults := read_catalogue(*_tables(setup))[1]:
            return Amendment(faults=faults)
        amended = _rules(setup)
        before, after = catalogue_of(state.rules.pieces), catalogue_of(amended.pieces)
        if gone := [name for name in before.by_name if name not in after.by_name]:
            stay = "the pieces of a running match stay known; give the limit 0 to those no longer wanted."
            return Amendment(faults=(f"{', '.join(gone)}: {stay}",))
        changes: list[ev.PieceChange] = []
        for new in after.types:
            if (old := before.by_name.get(new.name)) is None:
                changes.append(ev.PieceChange(new.name, "", "", new.description))
            for field in fields(new) if old is not None else ():
                was, now = getattr(old, field.name), getattr(new, field.name)
                if was != now:
                    told = ("", new.description) if field.name == "moves" else (_words(was), _words(now))
                    changes.append(ev.PieceChange(new.name, field.name, *told))
        return Amendment((ev.RulesAmended(amended, tuple(changes)),))

    due = staticmethod(cycles.due)
    open_to = staticmethod(cycles.open_to)
    expects = staticmethod(cycles.expects)
    asked_next = staticmethod(cycles.asked_next)
    outcome = staticmethod(cycles.outcome)
    view = staticmethod(views.view)

    def objection(self, action: object) -> str | None:
        return action.label if isinstance(action, Objection) else None

    def vacant(self, state: ev.State) -> tuple[int, ...]:
        return state.vacant

    def piece_faults(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        return read_catalogue(*data.values())[1]

    statute_open = staticmethod(cycles.statute_open)
    filled = staticmethod(cycles.filled)
    piece_diagrams = staticmethod(views.piece_diagrams)
    board_form = staticmethod(views.board_form)
    listed = staticmethod(views.listed)
    drawn_pieces = staticmethod(views.drawn_pieces)


GAME = Fourplay()
