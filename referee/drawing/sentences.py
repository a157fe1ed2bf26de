"""A diagram read out, for screen readers and wherever no picture is shown."""

from __future__ import annotations

import re
from functools import lru_cache

from referee.core.diagram import Diagram
from referee.drawing.grid import grid, visible
from referee.drawing.legend import SIGNS

SHORT = 72  # tokens that are still listed one by one


@lru_cache(maxsize=16)
def describe(diagram: Diagram, short: int = SHORT) -> str:
    """The game's own sentences; then, unless they name every occupied square, who stands where (on a full board how
    many stand there); then the marks and bridges. One paragraph."""
    grid(diagram)  # refuses what contradicts itself
    sentences = [_ended(visible(sentence)) for sentence in diagram.sentences if visible(sentence)]
    told = set(re.findall(r"\w+", " ".join(sentences)))
    if not sentences or any(token.square not in told for token in diagram.tokens):
        sentences += _standing(diagram, short)
    sentences += _marked(diagram)
    sentences += _joined(diagram, short)
    return " ".join(sentences)


def _standing(diagram: Diagram, short: int) -> list[str]:
    if not diagram.tokens:
        return ["The board is empty."]
    named: dict[tuple[str, str], list[str]] = {}
    for token in sorted(diagram.tokens, key=lambda token: token.owner):
        ringed = " (ringed)" if token.ringed else ""
        named.setdefault((visible(token.name) or visible(token.text + token.owner), ringed), []).append(
            token.square
        )
    if len(diagram.tokens) > short:
        counts: dict[str, int] = {}
        for (name, _), squares in named.items():
            counts[name] = counts.get(name, 0) + len(squares)
        return [f"On the board: {', '.join(f'{n} {name}' for name, n in counts.items())}."]
    return [f"{_capital(name)}{ringed}: {', '.join(squares)}." for (name, ringed), squares in named.items()]


def _marked(diagram: Diagram) -> list[str]:
    squares: dict[str, list[str]] = {}
    for mark in diagram.marks:
        if mark.kind == "territory":
            said = f"Territory of {mark.colour}:"
        elif mark.kind == "centre":
            continue
        else:
            said = SIGNS[mark.kind].said
        text = f" ({visible(mark.text)})" if mark.text and mark.kind != "territory" else ""
        squares.setdefault(said, []).append(mark.square + text)
    return [f"{said} {', '.join(found)}." for said, found in squares.items()]


def _joined(diagram: Diagram, short: int) -> list[str]:
    bridges: dict[str, list[str]] = {}
    for link in diagram.links:
        kind = f"{link.colour} bridges" if link.bond == "bridge" else "dominoes"
        bridges.setdefault(kind, []).append(f"{link.first}-{link.second}")
    if len(diagram.links) > short:
        return [f"{_capital(kind)}: {len(found)}." for kind, found in bridges.items()]
    return [f"{_capital(kind)}: {', '.join(found)}." for kind, found in bridges.items()]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _ended(sentence: str) -> str:
    return sentence if sentence[-1:] in ".!?:;" else sentence + "."
