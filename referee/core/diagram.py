"""What a picture is, whatever draws it: a grid of named squares with tokens, tints, links and marks.

A diagram is a value. `referee.draw` turns it into plain text, SVG and PNG and reads it out for
screen readers; all four come from the same value, so they cannot disagree.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, Literal

from referee.core.value import Value

MOST: Final = 24  # squares that a difference tells one by one

# Names of colours, not codes: the drawing chooses shades that stay apart for the colour-blind and in print.
Colour = Literal["none", "black", "white", "red", "blue", "green", "yellow", "purple", "orange", "grey"]

# One shape per owner where owners share a symbol; "star" for what is nobody's.
Shape = Literal["disc", "square", "diamond", "hexagon", "star"]

# "neutral" lies between regions, which the drawing chequers; "home" is a corner or base to be noticed, "hole" is no
# square at all.
Tint = Literal["plain", "neutral", "home", "hole", "region1", "region2", "region3", "region4"]

# Of the last turn: "from" and "to" where it began and ended, "last" the stone or piece just put down,
# "captured" where something was taken, "void" a placement that did not count, "run" part of a line made.
# Of the position: "centre" a special empty square. Of a piece's powers: "quiet" and "target", where it may go and what
# it may take. Of a rewind: "changed" where another token stands than before, "emptied" where none does any more.
MarkKind = Literal[
    "from", "to", "captured", "void", "centre", "last", "run", "quiet", "target", "changed", "emptied"
]
Bond = Literal["bridge", "domino"]
Lattice = Literal["cells", "points", "islands"]


class Token(Value):
    """What stands on a square: `text` is its symbol in every drawing; `name` reads it out ("red Cannon").

    `owner` is the owner's short sign ("2"), where the symbol does not tell: text shows it behind the symbol
    ("Cn2"), pictures on a badge. Symbol and owner together are 1 to 3 visible characters.
    """

    square: str
    text: str
    name: str
    colour: Colour = "none"
    shape: Shape = "disc"
    ringed: bool = False  # a mascot, a claim: drawn with a second outline, `*` in text
    owner: str = ""

    @property
    def look(self) -> dict[str, str]:
        """For a page's script, which puts down more of the kind."""
        return {name: getattr(self, name) for name in ("text", "name", "colour", "shape", "owner")}


class Link(Value):
    """A line between two neighbouring squares: a bridge, or the joint of a domino.

    `text` is the bridge's sign in text ("r"); a domino's joint is drawn by its direction, whatever its text.
    """

    first: str
    second: str
    colour: Colour
    text: str
    bond: Bond = "bridge"


class Mark(Value):
    """Something to notice on a square. `text` is one or two characters (the number of a move within
    the turn); `colour` no drawing looks at, but ledgers hold it."""

    square: str
    kind: MarkKind
    text: str = ""
    colour: Colour = "none"


class Diagram(Value):
    """A board. `columns` left to right, `rows` top to bottom; a square's name is column + row ("h8").

    `lattice` "cells" draws squares, "points" draws crossings of lines (Go), "islands" draws separate spaces.
    At most one token stands on a square. `tints` gives squares other than plain ones; a square may have several
    ("region3" and "home"). `legend` explains symbols; what marks and tints mean is explained by the drawing.
    `sentences` describe the board and the last happening in words, for those who cannot see it.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    lattice: Lattice = "cells"
    tokens: tuple[Token, ...] = ()
    tints: tuple[tuple[str, Tint], ...] = ()
    links: tuple[Link, ...] = ()
    marks: tuple[Mark, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()
    sentences: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Of a part alone: a board is looked up often, and its words and marks tell it from most others."""
        few = len(self.tokens), self.tokens[:1], self.marks
        return hash((self.title, self.columns, self.rows, self.sentences, *few))


# --- two pictures of one board, told apart: what a rewind took back and put back (611) ------------


def difference(before: Diagram, after: Diagram) -> Diagram:
    """The later picture with every square marked whose token is another than before, and a sentence
    for each; where there are many, with the counts by player and piece."""
    if (before.columns, before.rows) != (after.columns, after.rows):
        return after
    was, now = ({token.square: token for token in board.tokens} for board in (before, after))
    squares = changed(before, after)
    told = [_told(square, was.get(square), now.get(square)) for square in squares]
    told = told if len(squares) <= MOST else [*_counted(before.tokens, after.tokens, len(squares))]
    return replace(after, marks=_news(squares, after), sentences=(*told,) or ("The board is as it was.",))


def changed(before: Diagram, after: Diagram) -> list[str]:
    """The squares whose token is another than before; none of another grid."""
    if (before.columns, before.rows) != (after.columns, after.rows):
        return []
    was, now = (
        {t.square: (t.text, t.owner, t.name, t.ringed) for t in each.tokens} for each in (before, after)
    )
    squares = [c + r for r in after.rows for c in after.columns]
    return [square for square in squares if was.get(square) != now.get(square)]


def unmarked(before: Diagram, after: Diagram) -> list[str]:
    """Those of them that no mark of a turn shows."""
    marked = {mark.square for mark in _of_turn(after)}
    return [square for square in changed(before, after) if square not in marked]


def with_news(before: Diagram, after: Diagram) -> Diagram:
    """The later picture without marks of a turn that the earlier has too, and with all changed
    squares marked, where these are not too many."""
    old, squares = _of_turn(before), unmarked(before, after)
    kept = tuple(m for m in after.marks if old != _of_turn(after) or m.kind == "centre")
    return replace(after, marks=(*kept, *(_news(squares, after) if len(squares) <= MOST else ())))


def _of_turn(board: Diagram) -> tuple[Mark, ...]:
    return tuple(mark for mark in board.marks if mark.kind != "centre")


def _news(squares: Sequence[str], after: Diagram) -> tuple[Mark, ...]:
    stand = {token.square for token in after.tokens}
    return tuple(Mark(square, "changed" if square in stand else "emptied") for square in squares)


def _told(square: str, was: Token | None, now: Token | None) -> str:
    if now is None:
        return f"{square}: {was.name if was else 'nothing'} is gone."
    return f"{square}: {now.name}{f' in place of {was.name}' if was else ' is back'}."


def _counted(was: Sequence[Token], now: Sequence[Token], squares: int) -> Iterator[str]:
    """What a difference of many squares comes to: how many of what are gone and back, player by player."""
    before, after = (Counter((token.owner, token.name) for token in tokens) for tokens in (was, now))
    gone, back = before - after, after - before
    if now:
        yield f"{squares} squares are not as they were."
    else:
        yield f"The board is empty again: all {len(was)} that stood on it are gone."
    yield from (f"Gone{words}." for words in _by_owner(gone))
    yield from (f"Back{words}." for words in _by_owner(back))
    if now and not gone and not back:
        yield "Nothing is gone and nothing is back; what has moved stands where it stood."


def _by_owner(counts: Counter[tuple[str, str]]) -> Iterator[str]:
    """For each owner who, and how many of what. What all names of an owner share ("of Player 2") is
    said once, and what a name says beyond it ("Jester of Player 2, Mascot") stands in brackets."""
    for owner in sorted({owner for owner, _ in counts}):
        named = {name: count for (of, name), count in counts.items() if of == owner}
        ends = {_parted(name)[1] for name in named}
        if len(ends) == 1 and "" not in ends:
            listed = ", ".join(f"{count} {_parted(name)[0]}" for name, count in named.items())
            yield f", of {ends.pop()}: {listed}"
        else:
            yield ": " + ", ".join(f"{count} {name}" for name, count in named.items())


def _parted(name: str) -> tuple[str, str]:
    """A token's name without its owner, and the owner."""
    what, _, beyond = name.partition(" of ")
    owner, _, more = beyond.partition(", ")
    return f"{what} ({more})" if more else what, owner
