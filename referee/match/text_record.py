"""The record as plain text, in the game's own notation; read back, it gives the same match.

    referee text record 1
    match: fourplay-1
    == 2026-03-01T18:00:00Z answered Round 3 / Player 2
    Player 2, Turn
    | Neutron: h8-h15
    | Cannon: c11-c3

A block is one stimulus: `answered` by a player, `revealed` (all answers of a sealed round, each with the nonce of its
seal), `lapsed`, or `recorded`: entries as JSON, a line each, for what no notation tells. The writer reads every block
back before it lets it stand, and records what does not come back the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from referee.core.complaint import Line
from referee.core.game import LAPSED, Demand
from referee.match import events as ev
from referee.match.chain import canonical, private_again, public_form, stamp
from referee.match.events import Entry
from referee.match.fold import applied, begun
from referee.match.match import AnyGame, Match
from referee.match.pen import Pen
from referee.match.sealing import seal

HEAD = "referee text record 1"
_BLOCK = re.compile(r"== (\S+) (answered|revealed|lapsed|recorded)(?: (.*))?")
_WHO = re.compile(r"Player (\d+), ([^\s:(]+)(?: \((.*)\))?(?: nonce ([0-9a-f]+)| (nothing))?")


class NoTextRecord(ValueError):
    """The text is no record of this kind, or does not fit together."""


@dataclass(frozen=True, slots=True)
class _Said:
    """One answer in a block; `text` None where nothing came."""

    demand: Demand
    text: str | None
    nonce: str | None


def text_record(game: AnyGame, history: Sequence[Entry]) -> str:
    """The public part of a ledger as text."""
    first = history[0].event
    assert isinstance(first, ev.MatchOpened)
    lines = [HEAD, f"match: {first.match}", f"game: {game.title} ({game.slug})", ""]
    match: Match | None = None
    done: list[Entry] = []
    for group in _stimuli(history):
        block = _short(group)
        if match is None or block is None or _redone_safely(game, match, done, block) != group:
            block = _long(group)
        lines += [*block, ""]
        match = _after(game, match, done, group)
    return "\n".join(lines)


def read_text_record(game: AnyGame, text: str) -> Match:
    """The match that a text record tells of. Raises NoTextRecord."""
    match: Match | None = None
    done: list[Entry] = []
    for block in _blocks(text):
        match = _after(game, match, done, _redone(game, match, done, block))
    if match is None:
        raise NoTextRecord("the text holds no match")
    return match


def _stimuli(history: Sequence[Entry]) -> Iterator[list[Entry]]:
    """The public entries, as everybody may have them, by stimulus."""
    for _, group in groupby(history, key=lambda entry: entry.cause):
        shown = [private_again(public_form(entry)) for entry in group if entry.public]
        if shown:
            yield [_with_cause(entry, shown[0].version) for entry in shown]


def _with_cause(entry: Entry, cause: int) -> Entry:
    return Entry(entry.version, entry.position, cause, entry.at, entry.event, True)


def _after(game: AnyGame, match: Match | None, done: list[Entry], group: Sequence[Entry]) -> Match:
    """The match after a stimulus; `done` grows by it."""
    for entry in group:
        match = applied(game, match, entry, lambda: done) if match else begun(entry)
        done.append(entry)
    assert match is not None
    return match


# --- writing -------------------------------------------------------------------------------------------------------


def _short(group: Sequence[Entry]) -> list[str] | None:
    """The block in notation, where the stimulus begins with something notation tells."""
    at = stamp(group[0].at)
    match group[0].event:
        case ev.Answered(label, demand, text=text):
            return [f"== {at} answered {label}".rstrip(), _who(demand), *_quoted(text)]
        case ev.RoundRevealed(label, answers, missing):
            lines = [f"== {at} revealed {label}"]
            for answer in answers:
                lines += [f"{_who(answer.demand)} nonce {answer.nonce}", *_quoted(answer.text)]
            return lines + [f"{_who(demand)} nothing" for demand in missing]
        case ev.Lapsed(label, demands):
            return [f"== {at} lapsed {label}", *map(_who, demands)]
    return None


def _long(group: Sequence[Entry]) -> list[str]:
    return [f"== {stamp(group[0].at)} recorded", *(canonical(public_form(entry)) for entry in group)]


def _who(demand: Demand) -> str:
    return f"Player {demand.seat}, {demand.kind}{f' ({demand.about})' if demand.about else ''}"


def _quoted(text: str) -> list[str]:
    return [f"| {line}".rstrip() for line in text.splitlines()]


# --- reading -------------------------------------------------------------------------------------------------------


def _blocks(text: str) -> Iterator[list[str]]:
    lines = text.splitlines()
    if not lines or lines[0].strip() != HEAD:
        raise NoTextRecord(f"the first line must read: {HEAD}")
    block: list[str] = []
    for line in lines[1:]:
        if line.startswith("== "):
            if block:
                yield block
            block = [line]
        elif block and line.strip():
            block.append(line)
    if block:
        yield block


def _redone_safely(game: AnyGame, match: Match, done: list[Entry], block: list[str]) -> list[Entry] | None:
    try:
        return _redone(game, match, done, block)
    except (NoTextRecord, KeyError, ValueError, LookupError, TypeError):
        return None


def _redone(game: AnyGame, match: Match | None, done: list[Entry], block: list[str]) -> list[Entry]:
    """The entries that a block stands for, made again from its words."""
    head = _BLOCK.fullmatch(block[0].rstrip())
    if head is None:
        raise NoTextRecord(f"this is no block: {block[0]!r}")
    at, kind, label = datetime.fromisoformat(head[1]), head[2], head[3] or ""
    if kind == "recorded":
        entries = [private_again(json.loads(line)) for line in block[1:]]
        return [_with_cause(entry, entries[0].version) for entry in entries]
    if match is None:
        raise NoTextRecord("the record does not begin with the opening of a match")
    pen = Pen(game, match, at, lambda: done)
    said = _said(block[1:])
    {"answered": _answer, "revealed": _reveal, "lapsed": _lapse}[kind](pen, label, said)
    pen.settle()
    return pen.entries


def _said(lines: Sequence[str]) -> list[_Said]:
    found: list[_Said] = []
    for line in lines:
        if line.startswith("|"):
            last = found[-1]
            words = line[2:] if last.text is None else f"{last.text}\n{line[2:]}"
            found[-1] = _Said(last.demand, words, last.nonce)
        elif who := _WHO.fullmatch(line.strip()):
            found.append(_Said(Demand(who[2], int(who[1]), who[3] or ""), None, who[4]))
        else:
            raise NoTextRecord(f"this line says nothing: {line!r}")
    return found


def _action(pen: Pen, said: _Said) -> Any:
    lines = tuple(Line(i, words) for i, words in enumerate((said.text or "").splitlines(), 1))
    reading = pen.game.read(pen.match.inner, said.demand, lines, pen.match.party(said.demand.seat or 1))
    if reading.action is None:
        raise NoTextRecord(f"{_who(said.demand)}: the answer can't be read: {said.text!r}")
    return reading.action


def _answer(pen: Pen, label: str, said: Sequence[_Said]) -> None:
    (only,) = said
    action = _action(pen, only)
    happenings = pen.game.resolve(pen.match.inner, {only.demand: action})
    pen.write(ev.Answered(label, only.demand, pen.game.actions_codec.encode(action), only.text or ""))
    pen.happen(happenings)


def _reveal(pen: Pen, label: str, said: Sequence[_Said]) -> None:
    r = pen.match.round(label)
    if r is None:
        raise NoTextRecord(f"{label!r} is not open")
    actions = {s.demand: LAPSED if s.text is None else _action(pen, s) for s in said}
    answers = {demand: actions[demand] for demand in r.demands}
    opened = tuple(
        ev.Unsealed(
            s.demand, s.text, s.nonce, seal(s.nonce, pen.match.name, label, r.opened, s.demand, s.text)
        )
        for s in said
        if s.text is not None and s.nonce is not None
    )
    missing = tuple(s.demand for s in said if s.text is None)
    happenings = pen.game.resolve(pen.match.inner, answers)
    pen.write(ev.RoundRevealed(label, opened, missing, r.opened))
    pen.happen(happenings)


def _lapse(pen: Pen, label: str, said: Sequence[_Said]) -> None:
    demands = tuple(s.demand for s in said)
    happenings = pen.game.resolve(pen.match.inner, dict.fromkeys(demands, LAPSED))
    pen.write(ev.Lapsed(label, demands))
    pen.happen(happenings)
