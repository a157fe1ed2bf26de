"""The option `position`: a position to begin from, as JSON in the shape of the public facts, `turn` beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.core.texts.bounded import BadData, read_json
from referee.games.fourplay import events as ev
from referee.games.fourplay.board.catalogue import Catalogue
from referee.games.fourplay.board.squares import NUMBERS
from referee.games.fourplay.state import KING, NEUTRON, SEATS, Piece

_KEYS: Final = ("cycle", "round", "pieces", "off_board", "money", "gems", "turn")


class _Reader:
    """Takes a position apart and collects every fault, in words."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.faults: list[str] = []
        self.pieces: list[Piece] = []

    def fault(self, words: str) -> None:
        self.faults.append(f"position: {words}")

    def count(self, facts: Mapping[str, object], key: str, default: int, least: int = 0) -> int:
        value = facts.get(key, default)
        if type(value) is not int or not least <= value <= 1_000_000:
            self.fault(f"{key} = {value!r} is no whole number from {least} on.")
            return default
        return value

    def by_seat(self, facts: Mapping[str, object], key: str) -> tuple[int, ...]:
        """F$ or gems by player number; who is left out has none."""
        table = facts.get(key, {})
        if not isinstance(table, Mapping) or not {str(name) for name in table} <= {
            str(seat) for seat in SEATS
        }:
            self.fault(f"{key} must give a number for each of the players 1 to 4.")
            return (0, 0, 0, 0)
        numbers = {str(name): value for name, value in table.items()}
        return tuple(self.count(numbers, str(seat), 0) for seat in SEATS)

    def rows(self, facts: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
        rows = facts.get(key, [])
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            self.fault(f"{key} must be a list of objects.")
            return []
        return rows

    def add(self, row: Mapping[str, object], where: str | None) -> None:
        found = self.catalogue.find(str(row.get("piece", "")))
        owner = row.get("player")
        if found is None:
            self.fault(f"there is no piece {row.get('piece')!r}.")
        elif (owner is None) != (found.name == NEUTRON) or (owner is not None and owner not in SEATS):
            self.fault(f"player = {owner!r} is not possible for a {found.name}.")
        else:
            number = len(self.pieces) + 1
            self.pieces.append(Piece(number, found.name, owner, where, bool(row.get("mascot", False))))


def given_position(text: str, catalogue: Catalogue) -> tuple[ev.PositionSet | None, tuple[str, ...]]:
    """The position, or None and every reason why it is none."""
    try:
        facts = read_json(text)
    except BadData as why:
        return None, (f"position: {why}.",)
    if not isinstance(facts, Mapping):
        return None, ("position: the JSON must be an object.",)
    reader = _Reader(catalogue)
    for key in facts:
        if key not in _KEYS:
            reader.fault(f"there is no {key!r}; there are {', '.join(_KEYS)}.")
    _on_board(reader, facts)
    _off_board(reader, facts)
    event = ev.PositionSet(
        cycle=reader.count(facts, "cycle", 1, least=1),
        round=reader.count(facts, "round", 1, least=1),
        to_move=reader.count(facts, "turn", 1, least=1),
        pieces=tuple(reader.pieces),
        money=reader.by_seat(facts, "money"),
        gems=reader.by_seat(facts, "gems"),
    )
    _whole(reader, event)
    return (None, tuple(reader.faults)) if reader.faults else (event, ())


def _on_board(reader: _Reader, facts: Mapping[str, object]) -> None:
    taken: set[str] = set()
    for row in reader.rows(facts, "pieces"):
        square = str(row.get("square", "")).lower()
        if square not in NUMBERS:
            reader.fault(f"there is no square {row.get('square')!r}.")
        elif square in taken:
            reader.fault(f"{square} is taken twice.")
        else:
            taken.add(square)
            reader.add(row, square)


def _off_board(reader: _Reader, facts: Mapping[str, object]) -> None:
    for row in reader.rows(facts, "off_board"):
        for _ in range(min(reader.count(row, "count", 1), 225)):
            reader.add(row, None)


def _whole(reader: _Reader, event: ev.PositionSet) -> None:
    """What must hold of the position as a whole."""
    kings = [piece.owner for piece in event.pieces if piece.type == KING and piece.square]
    for seat in SEATS:
        if kings.count(seat) > 1:
            reader.fault(f"Player {seat} has more than one King.")
        if sum(piece.mascot for piece in event.pieces if piece.owner == seat) > 1:
            reader.fault(f"Player {seat} has more than one Mascot.")
    if len(set(kings)) < 2 and not reader.faults:
        reader.fault("at least two players need a King on the board, or the cycle is over.")
    if sum(piece.type == NEUTRON for piece in event.pieces) > 1:
        reader.fault("there is more than one Neutron.")
    if event.to_move not in SEATS:
        reader.fault(f"turn = {event.to_move} is no player's number.")
