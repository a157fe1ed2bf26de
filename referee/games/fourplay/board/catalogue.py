"""The piece catalogue (900s): the types of piece, their limits, every way to write their names;
read from data, with every fault at once."""

import difflib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property, lru_cache, partial
from math import prod
from typing import Any, Final, Literal, TypeVar, get_args

from referee.core.value import Value
from referee.games.fourplay.board import primitives as made_of
from referee.games.fourplay.board.primitives import Grant, Hit, Legs, Primitive, Slide, Ways
from referee.games.fourplay.state import DOLLARMAN, KING, NEUTRON

Standing = Literal["complete", "nearly complete", "inferred", "added"]

C = TypeVar("C", bound=str)

MOST_MOVES: Final = 20  # of a piece: each is looked at from every square
MOST_WAYS: Final = 512  # of all its legs, from one square
_IMAGES: Final = 8  # of a vector
SPECIAL: Final = (NEUTRON, KING, DOLLARMAN)


class LimitIfOther(Value):
    """The limit falls to `limit` for a player who owns `least` or more of another piece (911, 912)."""

    piece: str
    least: int
    limit: int


class PieceType(Value):
    """One type of piece. `limit` is per player, None where none is stated; `standing` tells how much of its
    rule survives, `added` marks pieces of our own or of a moderator. `veto`: which limit keeps a piece that becomes its
    victim from capturing, the victim's alone or any (ruling 5)."""

    name: str
    symbol: str
    rule: str
    value: int
    price: int
    description: str
    standing: Standing
    moves: tuple[Primitive, ...]
    plural: str = ""
    limit: int | None = None
    limit_if_other: tuple[LimitIfOther, ...] = ()
    on_capture: Literal["", "become_victim"] = ""
    veto: Literal["", "every limit"] = ""
    end_in: Literal["", "own_quadrant"] = ""
    no_capture: bool = False
    uncapturable: bool = False
    not_mascot: bool = False
    not_in_compound: Literal["", "piece A", "any"] = ""

    @property
    def for_sale(self) -> bool:
        """King and Dollarman are given, the Neutron is nobody's (604.A, 905)."""
        return self.name not in SPECIAL

    @property
    def may_be_mascot(self) -> bool:
        """501: a bought piece that can be captured."""
        return self.for_sale and not self.uncapturable and not self.not_mascot


class Catalogue(Value):
    """The types a match knows, in the catalogue's order, by which the kernel numbers them."""

    types: tuple[PieceType, ...]

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        return {piece.name: number for number, piece in enumerate(self.types)}

    @cached_property
    def grants(self) -> Mapping[int, Grant]:
        """What types lend, by their numbers."""
        moves = ((n, move) for n, piece in enumerate(self.types) for move in piece.moves)
        return {n: move for n, move in moves if isinstance(move, Grant)}

    @cached_property
    def ways(self) -> Sequence[Callable[[int], Ways]]:
        """Where each type can go, by the square it stands on."""
        return [cache(partial(made_of.ways_from, piece.moves, piece.no_capture)) for piece in self.types]

    @cached_property
    def hits(self) -> Sequence[Callable[[int], Mapping[int, tuple[Hit, ...]]]]:
        """What each type can take, by the square it stands on and that of its victim."""
        return [cache(partial(made_of.hits_from, ways)) for ways in self.ways]

    @cached_property
    def by_name(self) -> Mapping[str, PieceType]:
        return {piece.name: piece for piece in self.types}

    @cached_property
    def _words(self) -> Mapping[str, PieceType]:
        """Every way to write a type: name, symbol, plural; names win over symbols, symbols over plurals."""
        names = [(piece.name, piece) for piece in self.types]
        symbols = [(piece.symbol, piece) for piece in self.types]
        plurals = [(w, p) for p in self.types for w in (p.plural, f"{p.name}s", f"{p.name}es")]
        words = {name_key(word): piece for word, piece in reversed((*names, *symbols, *plurals))}
        words.pop("", None)
        return words

    def find(self, word: str) -> PieceType | None:
        """The type a player means by a name, plural or symbol, in any case and spacing."""
        return self._words.get(name_key(word))

    def near(self, word: str, count: int = 3) -> tuple[str, ...]:
        """The names nearest to a word that is none."""
        names = {name_key(piece.name): piece.name for piece in self.types}
        matches = difflib.get_close_matches(name_key(word), names, n=count, cutoff=0.5)
        return tuple(names[match] for match in matches)

    def unknown(self, name: str) -> dict[str, object]:
        """What a complaint says of a name that is no piece's."""
        return {"name": name, "near": list(self.near(name))}

    def limit(self, name: str, owned: Mapping[str, int]) -> int | None:
        """How many of a type a player may have who owns so many of each; None: no limit."""
        piece = self.by_name[name]
        falls = [other.limit for other in piece.limit_if_other if owned.get(other.piece, 0) >= other.least]
        return min(([] if piece.limit is None else [piece.limit]) + falls, default=None)

    def one_more(self, name: str, owned: Mapping[str, int]) -> bool:
        """Whether who owns so many of each may have one more of a type."""
        count = owned.get(name, 0)
        limit = self.limit(name, {**owned, name: count + 1})
        return limit is None or count < limit


def name_key(word: str) -> str:
    """The word as it is compared: without case, spaces, hyphens and underscores."""
    return re.sub(r"[\s_-]+", "", word).casefold()


def catalogue_text(*tables: Mapping[str, Any]) -> str:
    """Catalogue tables as canonical JSON text, as the opening event records it; later tables add to earlier."""
    return json.dumps({"piece": _rows(tables)}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _rows(tables: Iterable[Mapping[str, Any]]) -> list[Any]:
    return [row for table in tables for row in table.get("piece", ())]


@lru_cache(maxsize=64)
def catalogue_of(text: str) -> Catalogue:
    """The catalogue that a match recorded. The text was found without fault when the match was opened."""
    catalogue, faults = read_catalogue(json.loads(text))
    if catalogue is None:
        raise ValueError(f"the recorded catalogue has faults: {' '.join(faults)}")
    return catalogue


# --- reading ---------------------------------------------------------------------------------------------


@dataclass
class _Row:
    """One `[[piece]]` table while it is read: takes its keys one by one and collects faults."""

    table: Mapping[str, Any]
    label: str
    faults: list[str] = field(default_factory=list)

    def fault(self, words: str) -> None:
        self.faults.append(f"{self.label}: {words}")

    def text(self, key: str, default: str | None = None, like: str = "", wrong: str = "") -> str:
        """A text; `wrong` says of one that is not `like` the pattern what it has to be."""
        value = self.table.get(key, default)
        if not isinstance(value, str) or (default is None and not value.strip()):
            self.fault(f"{key} is missing." if key not in self.table else f"{key} = {value!r} is no text.")
            return ""
        if like and not re.fullmatch(like, value.strip()):
            self.fault(wrong.format(value.strip()))
        return value.strip()

    def choice(self, key: str, choices: tuple[C, ...], usual: C) -> C:
        """One of the words that the key may have, the usual one where it is missing."""
        value = self.table.get(key, usual)
        for choice in choices:
            if value == choice:
                return choice
        possible = f"not possible; it may be {', '.join(map(repr, choices))}"
        self.fault(f"{key} = {value!r} is {possible if isinstance(value, str) else 'no text'}.")
        return usual

    def count(
        self, key: str, default: int | None, most: int = 1000, table: Mapping[str, Any] | None = None
    ) -> int:
        source = self.table if table is None else table
        value = source.get(key, default)
        if type(value) is not int or not 0 <= value <= most:
            wrong = f"= {value!r} is no number from 0 to {most}" if key in source else "is missing"
            self.fault(f"{key} {wrong}.")
            return 0
        return value

    def flag(self, key: str) -> bool:
        value = self.table.get(key, False)
        if not isinstance(value, bool):
            self.fault(f"{key} = {value!r} is neither true nor false.")
        return bool(value)


_KEYS: Final = tuple(key.name for key in fields(PieceType))


def read_catalogue(*tables: Mapping[str, Any]) -> tuple[Catalogue | None, tuple[str, ...]]:
    """The catalogue in TOML tables of `[[piece]]` rows, or None and every fault in words, of all of them together."""
    strange = sorted({key for table in tables for key in table if key != "piece"})
    faults = [f"The catalogue knows no {key!r}, only [[piece]] tables." for key in strange]
    if not (rows := _rows(tables)):
        return None, (*faults, "The catalogue has no [[piece]] tables.")
    types: list[PieceType] = []
    for number, table in enumerate(rows, 1):
        if not isinstance(table, Mapping):
            faults.append(f"Piece {number} is no table.")
            continue
        row = _Row(table, f"Piece {number} ({table.get('name', 'no name')})")
        types.append(_piece_type(row))
        faults += row.faults
    faults += _clashes(types)
    return (None, tuple(faults)) if faults else (Catalogue(tuple(types)), ())


def _piece_type(row: _Row) -> PieceType:
    for key in row.table:
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, n=1)
            row.fault(f"there is no key {key!r}" + (f"; did you mean {near[0]!r}?" if near else "."))
    value = row.count("value", None)
    name = row.text("name", like=r"[A-Za-z][A-Za-z' -]{0,29}", wrong=_LETTERS)
    if name.casefold() in _NO_NAMES:
        row.fault(f"{name!r} is a word of the notation and can name no piece.")
    piece = PieceType(
        name=name,
        symbol=row.text("symbol", like=r"[^\s:,.;]{1,2}", wrong=_SYMBOL),
        rule=row.text("rule", "house"),
        value=value,
        price=row.count("price", 1 + 7 * value, 9999),  # part C, from Party Chess
        description=row.text("description"),
        standing=row.choice("standing", get_args(Standing), "added"),
        moves=_moves(row),
        plural=row.text("plural", ""),
        limit=row.count("limit", None, 225) if "limit" in row.table else None,
        limit_if_other=tuple(_limits_if_other(row)),
        on_capture=row.choice("on_capture", ("", "become_victim"), ""),
        veto=row.choice("veto", ("", "every limit"), ""),
        end_in=row.choice("end_in", ("", "own_quadrant"), ""),
        no_capture=row.flag("no_capture"),
        uncapturable=row.flag("uncapturable"),
        not_mascot=row.flag("not_mascot"),
        not_in_compound=row.choice("not_in_compound", ("", "piece A", "any"), ""),
    )
    if piece.no_capture and any(getattr(move, "mode", "") == "capture" for move in piece.moves):
        row.fault("no_capture is true, and yet one of its moves is a capture.")
    if any(isinstance(move, Slide) and move.to_end for move in piece.moves) != (piece.name == NEUTRON):
        row.fault("to_end is for the Neutron, and the Neutron needs it.")
    return piece


_LETTERS: Final = "name must be of letters, spaces, hyphens and apostrophes, 30 at most, a letter first."
_SYMBOL: Final = "symbol = {!r} is not possible; it has one or two characters (900.A)."
_NO_NAMES: Final = frozenset(
    ("pass", "purchase", "round", "cycle", "player", "comment", "off", "turn", "mascot")
)


def _moves(row: _Row) -> tuple[Primitive, ...]:
    rows = row.table.get("moves")
    if not isinstance(rows, list) or not rows:
        row.fault("moves is missing: a list of primitives.")
        return ()
    if len(rows) > MOST_MOVES:
        row.fault(f"it has {len(rows)} moves; there can be {MOST_MOVES}.")
        return ()
    found: list[Primitive] = []
    for number, table in enumerate(rows, 1):
        move, faults = made_of.primitive(table)
        for words in faults:
            row.fault(f"move {number}: {words}")
        if isinstance(move, Legs) and move.least > len(move.legs):
            there = "is only 1 leg" if len(move.legs) == 1 else f"are only {len(move.legs)} legs"
            row.fault(f"move {number}: least is {move.least}, but there {there}.")
        if isinstance(move, Slide) and move.least > move.most:
            row.fault(f"move {number}: least is {move.least}, more than most, {move.most}.")
        found += [move] if move is not None else []
    if sum(isinstance(move, Grant) for move in found) > 1:
        row.fault("there can be only one grant.")
    ways = sum(prod(_IMAGES * len(set(leg)) for leg in move.legs) for move in found if isinstance(move, Legs))
    if ways > MOST_WAYS:
        row.fault(f"its legs have {ways} ways, with the eight images of each pair; there can be {MOST_WAYS}.")
    return tuple(found)


def _limits_if_other(row: _Row) -> Iterator[LimitIfOther]:
    rows = row.table.get("limit_if_other", [])
    if not isinstance(rows, list) or not all(isinstance(table, Mapping) for table in rows):
        row.fault("limit_if_other must be a list of tables { piece, least, limit }.")
        return
    for table in rows:
        least, limit = (row.count(key, None, 225, table) for key in ("least", "limit"))
        yield LimitIfOther(str(table.get("piece", "")), least, limit)


def _clashes(types: Sequence[PieceType]) -> Iterator[str]:
    """What is wrong between the pieces: names and symbols twice, unknown names, one of the three missing."""
    names = {piece.name for piece in types}
    first: dict[str, str] = {}  # the first piece of each name or symbol
    for piece in types:
        words = {name_key(piece.name), name_key(piece.symbol)} - {""}
        for word in sorted(words & first.keys()):
            yield f"{piece.name} and {first[word]} are both called {word!r} (900.A)."
        for word in words:
            first.setdefault(word, piece.name)
        for limit in piece.limit_if_other:
            if limit.piece not in names:
                yield f"{piece.name}: limit_if_other names {limit.piece!r}, which is no piece."
    for name in SPECIAL:
        if name not in names:
            yield f"There is no {name}; the game can't be played without one."


@lru_cache(maxsize=256)
def called(piece: PieceType) -> tuple[str, ...]:
    """What a mail may call a piece, in small letters: its name, its plural, one word of either."""
    names = [name.lower() for name in (piece.name, piece.plural or f"{piece.name}s")]
    return tuple(dict.fromkeys(word for name in names for word in (name, *name.split())))
