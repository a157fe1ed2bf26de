"""The record as plain text, in the game's own notation, with boards; read back, it gives the same match.

    referee text record 3
    match: fourplay-1
    == 2026-03-01T18:00:00Z answered Round 3 / Player 2
    Player 2, Turn
    | Neutron: h8-h15
    | Cannon: c11-c3

A block is one stimulus: `answered` by a player, `revealed` (all answers of a sealed round, each with the nonce of its
seal), `lapsed`, or `recorded 7 to 9`: entries that no notation tells, by their positions. These stand at the end, under
`== data`, as JSON, a line each; above them, under `== salts`, the salts of names and words in the others. The writer
reads every block back before it lets it stand, and records what does not come back the same. Lines that begin with a
space are for the eye: boards, and what happened in a few words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import groupby
from types import MappingProxyType
from typing import Any

from referee.base.errors import RefereeError
from referee.core import seam
from referee.core.answers import Body
from referee.core.diagram import Diagram
from referee.core.game import AnyGame
from referee.core.owing import LAPSED, Demand
from referee.match import events as ev
from referee.match.chain import NO_SALT, canonical, private_again, public_form, seal, stamp
from referee.match.events import Entry
from referee.match.fold import applied
from referee.match.handling.counting import lapsed, revealed
from referee.match.ledger import LedgerWriter
from referee.match.match import UNOPENED, Match

HEAD = "referee text record 3"
BOARD_EVERY = 10  # answers, where nothing else calls for a board before
_BLOCK = re.compile(r"== (\S+) (answered|conditional|revealed|lapsed|recorded)(?: (.*))?")
_SPAN = re.compile(r"(\d+)(?: to (\d+))?")
_DATA, _SALTS = "== data", "== salts"
_SALT = re.compile(r"(\d+) (\S+) ([0-9a-f]{32})")
_FOR_THE_EYE = (
    " Lines that begin with a space are for the eye; what no notation tells stands at the end, as data."
)
Draw = Callable[[Diagram], str]
_WHO = re.compile(r"Player (\d+), ([^\s:(]+)(?: \((.*)\))?(?: nonce ([0-9a-f]+)| (nothing))?")


class NoTextRecord(RefereeError, ValueError):
    """The text is no record of this kind, or does not fit together."""


@dataclass(frozen=True, slots=True)
class _Said:
    """One answer in a block; `text` None where nothing came."""

    demand: Demand
    text: str | None
    nonce: str | None


@dataclass(frozen=True, slots=True)
class _Salts:
    """The salts of names and words, by the entry's position and the place in it; no block needs another secret."""

    known: Mapping[tuple[int, str], str]

    def nonce(self, match: str, label: str, opened: int, demand: Demand) -> str:
        raise NoTextRecord(f"{label!r} is not told by its seals")

    def seed(self, match: str) -> str:
        raise NoTextRecord("a draw stands among the data")

    def salt(self, match: str, position: int, place: str) -> str:
        return self.known.get((position, place), NO_SALT)


def text_record(game: AnyGame, history: Sequence[Entry], draw: Draw | None = None) -> str:
    """The public part of a ledger as text; with boards where `draw` draws them."""
    first = history[0].event
    assert isinstance(first, ev.MatchOpened)
    lines = [HEAD, f"match: {first.match}", f"game: {game.title} ({game.slug})", _FOR_THE_EYE, ""]
    match = UNOPENED
    done: list[Entry] = []
    data: list[Entry] = []
    boards = _Boards(game, draw)
    for group in _stimuli(history):
        block = notation(group)
        read = _read_back(game, match, done, block, group) if match.version and block else None
        if block is None or read is None:
            start, end = group[0].position, group[-1].position
            span = f"{start} to {end}" if end > start else f"{start}"
            block = [f"== {stamp(group[0].at)} recorded {span}"]
            data += group
        match = read or _after(game, match, done, group)
        done += group
        lines += [*block, *_notes(game, group, match), *boards.after(group, match), ""]
    at_hand = {entry.position for entry in data}
    lines += _salt_lines(e for e in history if e.public and e.position not in at_hand)
    lines += [_DATA, *(canonical(public_form(entry)) for entry in data)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def read_text_record(game: AnyGame, text: str) -> Match:
    """The match that a text record tells of. Raises NoTextRecord."""
    match = UNOPENED
    done: list[Entry] = []
    blocks, data, salts = _blocks(text)
    for block in blocks:
        entries, match = _redone(game, match, done, block, salts, data)
        done += entries
    if not match.version:
        raise NoTextRecord("the text holds no match")
    return match


def _stimuli(history: Sequence[Entry]) -> Iterator[list[Entry]]:
    """The public entries, as everybody may have them, by stimulus."""
    for _, group in groupby(history, key=lambda entry: entry.cause):
        shown = [private_again(public_form(entry)) for entry in group if entry.public]
        if shown:
            yield [_with_cause(entry, shown[0].version) for entry in shown]


def _with_cause(entry: Entry, cause: int) -> Entry:
    return replace(entry, cause=cause)


def _after(game: AnyGame, match: Match, done: Sequence[Entry], group: Sequence[Entry]) -> Match:
    """The match after a stimulus, behind all that was `done` before."""
    for entry in group:
        match = applied(game, match, entry, lambda: done)
    return match


# --- writing --------------------------------------------------------------------------------------


def notation(group: Sequence[Entry]) -> list[str] | None:
    """The block in notation, where the stimulus begins with something notation tells."""
    at = stamp(group[0].at)
    match group[0].event:
        case ev.Answered(label, demand, text=text):
            how = "conditional" if isinstance(group[0].event, ev.AnsweredAhead) else "answered"
            return [f"== {at} {how} {label}".rstrip(), _who(demand), *_quoted(text)]
        case ev.RoundRevealed(label, answers, missing):
            lines = [f"== {at} revealed {label}"]
            for answer in answers:
                lines += [f"{_who(answer.demand)} nonce {answer.nonce}", *_quoted(answer.text)]
            return lines + [f"{_who(demand)} nothing" for demand in missing]
        case ev.Lapsed(label, demands):
            return [f"== {at} lapsed {label}", *map(_who, demands)]
    return None


def _notes(game: AnyGame, group: Sequence[Entry], match: Match) -> Iterator[str]:
    """What happened, for the eye: what the notation leaves to be worked out, and what no notation tells."""
    for entry in group:
        match entry.event:
            case ev.Happened(event=event):
                yield from _indented(game.noted(game.events_codec.decode(event)))
            case ev.MatchOpened(seats=seats, continues=origin):
                yield f" A match for {seats} is opened."
                if origin:
                    yield f" It goes on from position {origin.position} of {origin.match}."
            case ev.MatchBegun():
                yield from (f" Player {seat}: {match.entrant(seat).name}" for seat in match.numbers)
            case ev.EntrantReplaced(seat, entrant):
                yield from _indented(f"{entrant.name} takes the seat of Player {seat}.")
            case ev.SeatVacated(seat, why):
                yield from _indented(f"The seat of Player {seat} is vacant: {why}")
            case ev.SubstituteNamed(seat, entrant):
                yield from _indented(f"{entrant.name} is the substitute of Player {seat}.")
            case ev.StoodIn(seat, entrant, until):
                yield from _indented(f"{entrant.name} stands in for Player {seat} until {stamp(until)}.")
            case ev.CameBack(seat, entrant):
                yield from _indented(f"{entrant.name} plays again, as Player {seat}.")
            case ev.SeatOffered(seat, missed):
                yield f" The seat of Player {seat} is open to others, after {missed} missed in a row."
            case ev.GraceBegun(label, seats, until):
                whose = f" of {', '.join(f'Player {seat}' for seat in seats)}" if seats else ""
                yield from _indented(f"{label}: grace{whose} until {stamp(until)}")
            case ev.MatchStopped(why=why):
                yield from _indented(f"The moderator ends the match: {why}")
            case ev.MatchRewound(label=label, why=why):
                yield from _indented(f"Rewound to {label}: {why}")
            case ev.TurnRuled(label, legal, why):
                yield from _indented(f"{label} is ruled {'legal' if legal else 'illegal'}: {why}")
            case ev.MatchPaused(why):
                yield from _indented(f"Paused: {why}")
            case ev.MatchResumed(why):
                yield from _indented(f"Resumed: {why}")
            case ev.DeadlineMoved(label, due_at, why):
                yield from _indented(f"{label} is due by {stamp(due_at)}: {why}")
            case ev.Amended(changes=changes, why=why):
                told = ", ".join(f"{c.name} from {c.before} to {c.after}" for c in changes)
                yield from _indented(f"The rules are amended ({told or 'the data'}): {why}")
            case ev.Said(text):
                yield from _indented(f"The moderator: {text}")
            case ev.MatchEnded(winners, reason=reason):
                names = " and ".join(f"{match.entrant(seat).name} (Player {seat})" for seat in winners)
                yield from _indented(
                    f"The match ends. {f'Won by {names}.' if names else 'No winner.'} {reason}"
                )


def _indented(words: str) -> list[str]:
    return [f" {line}".rstrip() for line in words.splitlines()]


class _Boards:
    """Where a board is drawn: at the start, at a reveal, after a rewind, at a capture, at the end, and every
    BOARD_EVERY answers: enough to follow the match without a board of one's own. Never twice the same."""

    def __init__(self, game: AnyGame, draw: Draw | None) -> None:
        self._game = game
        self._draw = draw
        self._last: Diagram | None = None
        self._answers = 0

    def after(self, group: Sequence[Entry], match: Match) -> list[str]:
        if self._draw is None or match.standing is None:
            return []
        board = match.standing.view(None).diagram
        self._answers += sum(isinstance(entry.event, ev.Answered) for entry in group)
        if (
            board is None
            or board == self._last
            or not (self._answers >= BOARD_EVERY or _matters(group, board))
        ):
            return []
        self._last, self._answers = board, 0
        return ["", *_indented(self._draw(board))]


def _matters(group: Sequence[Entry], board: Diagram) -> bool:
    turning = ev.MatchBegun | ev.RoundRevealed | ev.MatchRewound | ev.MatchEnded
    return any(isinstance(entry.event, turning) for entry in group) or any(
        mark.kind == "captured" for mark in board.marks
    )


def _salt_lines(entries: Iterable[Entry]) -> list[str]:
    """The salts of what these entries say, a line each, under their heading; nothing where there are none."""
    lines = [
        f"{e.position} {place} {salt}" for e in entries for place, salt in e.body.get("salts", {}).items()
    ]
    return [_SALTS, *lines] if lines else []


def _salt_in(line: str) -> tuple[tuple[int, str], str]:
    if (told := _SALT.fullmatch(line.strip())) is None:
        raise NoTextRecord(f"this line tells no salt: {line!r}")
    return (int(told[1]), told[2]), told[3]


def _who(demand: Demand) -> str:
    return f"Player {demand.seat}, {demand.kind}{f' ({demand.about})' if demand.about else ''}"


def _quoted(text: str) -> list[str]:
    return [f"| {line}".rstrip() for line in text.splitlines()]


# --- reading --------------------------------------------------------------------------------------


def _blocks(text: str) -> tuple[list[list[str]], dict[int, Entry], _Salts]:
    """The blocks, the entries at the end by their positions, and the salts of the others."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != HEAD:
        raise NoTextRecord(f"the first line must read: {HEAD}")
    blocks: list[list[str]] = []
    for line in lines[1:]:
        if line.startswith("== "):
            blocks.append([line])
        elif blocks and line.strip() and not line.startswith(" "):
            blocks[-1].append(line)
    told = blocks.pop()[1:] if blocks and blocks[-1][0].rstrip() == _DATA else []
    salted = blocks.pop()[1:] if blocks and blocks[-1][0].rstrip() == _SALTS else []
    entries = [private_again(json.loads(line)) for line in told]
    return blocks, {entry.position: entry for entry in entries}, _Salts(dict(map(_salt_in, salted)))


def _read_back(
    game: AnyGame, match: Match, done: list[Entry], block: list[str], group: Sequence[Entry]
) -> Match | None:
    """The match after a block that gives the same entries, to the byte, when it is read; None of any other."""
    try:
        again, after = _redone(game, match, done, block, _Salts(dict(map(_salt_in, _salt_lines(group)[1:]))))
    except (NoTextRecord, KeyError, ValueError, LookupError, TypeError):
        return None
    same = again == group and [*map(public_form, again)] == [*map(public_form, group)]
    return after if same else None


def _redone(
    game: AnyGame,
    match: Match,
    done: list[Entry],
    block: list[str],
    salts: _Salts,
    data: Mapping[int, Entry] = MappingProxyType({}),
) -> tuple[list[Entry], Match]:
    """The entries that a block stands for, made again from its words, and the match after them."""
    head = _BLOCK.fullmatch(block[0].rstrip())
    if head is None:
        raise NoTextRecord(f"this is no block: {block[0]!r}")
    at, kind, label = datetime.fromisoformat(head[1]), head[2], head[3] or ""
    if kind == "recorded":
        named = _named(label, data)
        entries = [_with_cause(entry, named[0].version) for entry in named]
        return entries, _after(game, match, done, entries)
    if not match.version:
        raise NoTextRecord("the record does not begin with the opening of a match")
    ledger = LedgerWriter(game, match, at, lambda: done, salts)
    said = _said(block[1:])
    _KINDS[kind](ledger, label, said)
    ledger.settle()
    return ledger.entries, ledger.match


def _named(label: str, data: Mapping[int, Entry]) -> list[Entry]:
    """The entries from one position to another."""
    span = _SPAN.fullmatch(label)
    if span is None:
        raise NoTextRecord(f"{label!r} names no entries")
    wanted = range(int(span[1]), int(span[2] or span[1]) + 1)
    if len(wanted) > len(data) or not wanted or any(position not in data for position in wanted):
        raise NoTextRecord(f"the entries {label} do not all stand at the end")
    return [data[position] for position in wanted]


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


def _action(ledger: LedgerWriter, said: _Said) -> Any:
    party = ledger.match.party(said.demand.seat or 1)
    reading = seam.read(ledger.game, ledger.match.inner, said.demand, Body.of(said.text or ""), party)
    if reading.action is None:
        raise NoTextRecord(f"{_who(said.demand)}: the answer can't be read: {said.text!r}")
    return reading.action


def _answer(
    ledger: LedgerWriter, label: str, said: Sequence[_Said], told: type[ev.Answered] = ev.Answered
) -> None:
    (only,) = said
    action = _action(ledger, only)
    happenings = seam.resolve(ledger.game, ledger.match.inner, {only.demand: action})
    ledger.write(told(label, only.demand, ledger.game.actions_codec.encode(action), only.text or ""))
    ledger.happen(happenings)


def _reveal(ledger: LedgerWriter, label: str, said: Sequence[_Said]) -> None:
    r = ledger.match.round(label)
    if r is None:
        raise NoTextRecord(f"{label!r} is not open")
    actions = {s.demand: LAPSED if s.text is None else _action(ledger, s) for s in said}
    answers = {demand: actions[demand] for demand in r.demands}
    opened = tuple(
        ev.Unsealed(
            s.demand, s.text, s.nonce, seal(s.nonce, ledger.match.name, label, r.opened, s.demand, s.text)
        )
        for s in said
        if s.text is not None and s.nonce is not None
    )
    missing = tuple(s.demand for s in said if s.text is None)
    revealed(ledger, r, opened, answers, missing)


def _lapse(ledger: LedgerWriter, label: str, said: Sequence[_Said]) -> None:
    lapsed(ledger, label, tuple(s.demand for s in said))


_KINDS: Mapping[str, Callable[[LedgerWriter, str, Sequence[_Said]], None]] = {
    "answered": _answer,
    "conditional": partial(_answer, told=ev.AnsweredAhead),
    "revealed": _reveal,
    "lapsed": _lapse,
}
