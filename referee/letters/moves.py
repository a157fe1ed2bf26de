"""A match's moves, each in a line: for the archive's list, and for who asks for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from textwrap import shorten
from typing import Final, NamedTuple

from referee.core.game import AnyGame
from referee.core.texts.naming import shown_name
from referee.letters.page_words import listed
from referee.match import events as ev
from referee.match.events import Entry
from referee.match.fold import applied
from referee.match.match import UNOPENED, Match

LONGEST: Final = 160  # characters of a move
_BESIDE: Final = re.compile(r"(?i)(?:comment|press|player|round|cycle|name|email)\s*:|\[forgotten")


class Move(NamedTuple):
    """Who answered, or whose time was over ("" for nobody); and what, in the words of the game's record, or else in
    its notation on one line."""

    by: str
    text: str


def moved(match: Match, shown: Sequence[Entry], noted: Sequence[str]) -> Move:
    """What the public entries of a stimulus come to; `match` stands as after them."""
    told = shorten("; ".join(filter(None, noted)), LONGEST, placeholder="…")
    for entry in shown:
        match entry.event:
            case ev.Answered(demand=demand, text=text) if demand.seat:
                lines = [line.strip().removeprefix("Move: ") for line in str(text).splitlines()]
                said = "; ".join(line for line in lines if line and not _BESIDE.match(line))
                move = told or shorten(said, LONGEST, placeholder="…")
                return Move(shown_name(match.entrant(demand.seat).name), move)
            case ev.Lapsed(demands=demands):
                late = [shown_name(match.entrant(d.seat).name) for d in demands if d.seat]
                return Move(listed(late), "no answer in time")
            case ev.RoundRevealed():
                return Move("", told)
    return Move("", "")


def moves_of(game: AnyGame, history: Sequence[Entry]) -> tuple[Move, ...]:
    """All public ones that stand, in their order; those that were set back do not."""
    match, done, found = UNOPENED, list[Entry](), list[tuple[int, Move]]()
    for _, stimulus in groupby(history, key=lambda entry: entry.cause):
        begun, shown = len(done), list[Entry]()
        for entry in stimulus:
            match = applied(game, match, entry, lambda: done)
            done.append(entry)
            shown += [entry] if entry.public else []
        back = min((e.event.to for e in shown if isinstance(e.event, ev.MatchRewound)), default=begun)
        found = [(version, move) for version, move in found if version <= back]
        happened = [entry.told(game) for entry in shown if isinstance(entry.event, ev.Happened)]
        found.append((len(done), moved(match, shown, [game.listed(event) for event in happened])))
    return tuple(move for _, move in found if move.text)
