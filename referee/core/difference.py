"""Two pictures of one board, told apart: what a rewind took back and put back (611)."""

from __future__ import annotations

from dataclasses import replace

from referee.core.diagram import Diagram, Mark, Token


def difference(before: Diagram, after: Diagram) -> Diagram:
    """The later picture with every square marked whose token is another than before, and a sentence for each."""
    if (before.columns, before.rows) != (after.columns, after.rows):
        return after
    was = {token.square: token for token in before.tokens}
    now = {token.square: token for token in after.tokens}
    squares = [c + r for r in after.rows for c in after.columns]
    changed = [square for square in squares if _shown(was.get(square)) != _shown(now.get(square))]
    marks = tuple(Mark(square, "changed" if square in now else "emptied") for square in changed)
    told = tuple(_told(square, was.get(square), now.get(square)) for square in changed)
    return replace(after, marks=marks, sentences=told or ("The board is as it was.",))


def _shown(token: Token | None) -> tuple[str, str, str, bool] | None:
    return (token.text, token.owner, token.name, token.ringed) if token else None


def _told(square: str, was: Token | None, now: Token | None) -> str:
    if now is None:
        return f"{square}: {was.name if was else 'nothing'} is gone."
    return f"{square}: {now.name}{f' in place of {was.name}' if was else ' is back'}."
