"""A match's moves, each in a line: for the archive's list, and for who asks for them."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import shorten
from typing import Final, NamedTuple

from referee.core.game import AnyGame
from referee.core.texts.naming import shown_name
from referee.letters.page_words import listed
from referee.match import events as ev
from referee.match.match import UNOPENED, Match, applied

LONGEST: Final = 160  # characters of a move
_BESIDE: Final = re.compile(r"(?i)(?:comment|press|player|round|cycle|name|email)\s*:|\[forgotten")


class Move(NamedTuple):
    """Who answered, or whose time was over ("" for nobody); and what, in the words of the game's
    record, or else in its notation on one line."""

    by: str
    text: str


def stimuli(
    game: AnyGame, history: Sequence[ev.Entry]
) -> Iterator[tuple[Match, list[Match], list[ev.Entry]]]:
    """What befell a match at once, in its order: the match before, and after each entry; those that all may see."""
    match, done = UNOPENED, list[ev.Entry]()
    for _, stimulus in groupby(history, key=lambda entry: entry.cause):
        was, stages, shown = match, list[Match](), list[ev.Entry]()
        for entry in stimulus:
            match = applied(game, match, entry, lambda: done)
            done.append(entry)
            stages.append(match)
            shown += [entry] if entry.public else []
        yield was, stages, shown


def moved(game: AnyGame, match: Match, shown: Sequence[ev.Entry]) -> Move:
    """What the public entries of a stimulus come to; `match` stands as after them."""
    noted = (game.listed(entry.told(game)) for entry in shown if isinstance(entry.event, ev.Happened))
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


def moves_of(game: AnyGame, history: Sequence[ev.Entry]) -> tuple[Move, ...]:
    """All public ones that stand, in their order; those that were set back do not."""
    found = list[tuple[int, Move]]()
    for was, stages, shown in stimuli(game, history):
        back = min((e.event.to for e in shown if isinstance(e.event, ev.MatchRewound)), default=was.version)
        found = [(version, move) for version, move in found if version <= back]
        found.append((stages[-1].version, moved(game, stages[-1], shown)))
    return tuple(move for _, move in found if move.text)
