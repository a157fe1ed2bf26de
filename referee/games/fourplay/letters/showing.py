"""A piece shown to newcomers and to whoever writes one: its moves and captures alone, and in an example."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from referee.core.diagram import Diagram, Mark
from referee.games.fourplay.board.catalogue import Catalogue, PieceType, catalogue_of, catalogue_text
from referee.games.fourplay.board.moves import moves_from, neutron_runs
from referee.games.fourplay.board.position import Position
from referee.games.fourplay.board.primitives import SCREENED, Hit, Move
from referee.games.fourplay.board.squares import COLUMNS, NAMES, NUMBERS, SQUARES
from referee.games.fourplay.letters.views import ROWS, TINTS, drawn
from referee.games.fourplay.state import NEUTRON, Piece

_HERE: Final = "d11"
_OWNER, _ENEMY = 2, 3
_TARGETS: Final = 3  # as many captures as an example shows


def piece_diagrams(data: Mapping[str, Any], piece: str) -> tuple[Diagram, ...]:
    """The pictures of a piece of any catalogue without fault, by name or symbol; none where there is no such piece."""
    catalogue = catalogue_of(catalogue_text(*data.values()))
    found = catalogue.find(piece)
    if found is None:
        return ()
    if found.name == NEUTRON:
        return (_drawn(catalogue, found, [Piece(1, NEUTRON, None, "h8")], "on an empty board"),)
    alone = [Piece(1, found.name, _OWNER, _HERE)]
    return (
        _drawn(catalogue, found, alone, "on an empty board"),
        _drawn(catalogue, found, list(_example(catalogue, found)), "in an example"),
    )


def drawn_pieces(data: Mapping[str, Any]) -> tuple[tuple[str, str, tuple[Diagram, ...]], ...]:
    """Every piece of the catalogues: its name, its moves in words, its pictures."""
    catalogue = catalogue_of(catalogue_text(*data.values()))
    return tuple((p.name, p.description, piece_diagrams(data, p.name)) for p in catalogue.by_name.values())


def _example(catalogue: Catalogue, piece: PieceType) -> Iterator[Piece]:
    """Enemies where it can take them, screens where it needs one, a friend; a lender has a friend beside it."""
    here = NUMBERS[_HERE]
    kind = catalogue.numbers[piece.name]
    taken, lanes = {here}, {here}
    men: list[tuple[int, int]] = []
    for target, hit in _varied(catalogue.hits[kind][here]):
        middle = max(0, len(hit.squares) - hit.screens) // 2
        screens = list(hit.squares[middle:][: hit.screens]) if hit.condition == SCREENED else []
        if taken & {target, *hit.squares} or target in lanes:
            continue
        men += [(target, _ENEMY), *((s, _OWNER) for s in screens)]
        taken |= {target, *screens}
        lanes |= set(hit.squares)
        if sum(owner == _ENEMY for _, owner in men) == _TARGETS:
            break
    if kind in catalogue.grants:
        men += [(NUMBERS["e11"], _OWNER), (NUMBERS["j11"], _ENEMY)]
    elif not any(owner == _OWNER for _, owner in men):
        free = (NUMBERS[name] for name in ("f11", "d13", "e12", "c12", "d9"))
        friend = next((s for s in free if s not in taken | lanes), None)
        men += [(friend, _OWNER)] if friend is not None else []
    yield Piece(1, piece.name, _OWNER, _HERE)
    yield from (Piece(n, "Pawn", owner, NAMES[square]) for n, (square, owner) in enumerate(men, 2))


def _varied(hits: Mapping[int, tuple[Hit, ...]]) -> Iterator[tuple[int, Hit]]:
    """Captures in many directions and at many distances: every third one, then the others."""
    listed = [(target, found[0]) for target, found in sorted(hits.items()) if NUMBERS[_HERE] != target]
    yield from (*listed[::3], *listed[1::3], *listed[2::3])


def _drawn(catalogue: Catalogue, piece: PieceType, men: list[Piece], where: str) -> Diagram:
    types, position = catalogue.by_name, Position(catalogue, men)
    position.fix_grants(_OWNER)
    moves = _moves(catalogue, position, piece, men)
    quiet = {NAMES[move.end] for move in moves if not move.captures}
    targets = {NAMES[square] for move in moves for square in move.captures}
    if len(men) == 1:
        targets |= set(_could_take(catalogue, piece))
    marks = [Mark(name, "quiet") for name in sorted(quiet)]
    marks += [Mark(name, "target") for name in sorted(targets)]
    legend = [(piece.symbol, piece.name)]
    legend += [("P", "Pawn")] if len(men) > 1 and piece.name != "Pawn" else []
    return Diagram(
        title=f"{piece.name} (rule {piece.rule}), {where}",
        columns=tuple(COLUMNS),
        rows=ROWS,
        tokens=tuple(drawn(types[man.type], man.square or "", man.owner) for man in men),
        tints=TINTS,
        marks=tuple(marks),
        legend=tuple(legend),
        sentences=(piece.description,),  # the drawing reads the marks out itself
    )


def _moves(catalogue: Catalogue, position: Position, piece: PieceType, men: list[Piece]) -> list[Move]:
    if piece.name == NEUTRON:
        return [Move(run.start, run.end) for run in neutron_runs(position)]
    moves = moves_from(position, NUMBERS[_HERE])
    lenders = catalogue.numbers[piece.name] in catalogue.grants
    friends = [NUMBERS[man.square] for man in men[1:] if lenders and man.owner == _OWNER and man.square]
    return moves + [move for square in friends for move in moves_from(position, square) if move.granted]


def _could_take(catalogue: Catalogue, piece: PieceType) -> Iterable[str]:
    """Where a lone enemy could be taken by the piece, were it there."""
    for square in SQUARES:
        if NAMES[square] != _HERE:
            men = [Piece(1, piece.name, _OWNER, _HERE), Piece(2, "Pawn", _ENEMY, NAMES[square])]
            moves = moves_from(Position(catalogue, men), NUMBERS[_HERE])
            if any(square in move.captures for move in moves):
                yield NAMES[square]
