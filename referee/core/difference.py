"""Two pictures of one board, told apart: what a rewind took back and put back (611)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from referee.core.diagram import Diagram, Mark, Token

MOST: Final = 24  # squares that are told one by one


def difference(before: Diagram, after: Diagram) -> Diagram:
    """The later picture with every square marked whose token is another than before, and a sentence for each; where
    there are many, with the counts by player and piece."""
    if (before.columns, before.rows) != (after.columns, after.rows):
        return after
    was = {token.square: token for token in before.tokens}
    now = {token.square: token for token in after.tokens}
    squares = [c + r for r in after.rows for c in after.columns]
    changed = [square for square in squares if _shown(was.get(square)) != _shown(now.get(square))]
    marks = tuple(Mark(square, "changed" if square in now else "emptied") for square in changed)
    if len(changed) > MOST:
        told = tuple(_counted(before.tokens, after.tokens, len(changed)))
    else:
        told = tuple(_told(square, was.get(square), now.get(square)) for square in changed)
    return replace(after, marks=marks, sentences=told or ("The board is as it was.",))


def _shown(token: Token | None) -> tuple[str, str, str, bool] | None:
    return (token.text, token.owner, token.name, token.ringed) if token else None


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
    """For each owner who, and how many of what. What all names of an owner share ("of Player 2") is said once, and
    what a name says beyond it ("Jester of Player 2, Mascot") stands in brackets."""
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
