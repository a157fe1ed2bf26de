"""The record as plain text, in the game's own notation, with boards; read back, it gives the same match.

    referee text record 3
    match: fourplay-1
    == 2026-03-01T18:00:00Z answered Round 3 / Player 2
    Player 2, Turn
    | Neutron: h8-h15
    | Cannon: c11-c3

A block is one stimulus: `answered` by a player, `revealed` (all answers of a sealed round, each
with the nonce of its seal), `lapsed`, or `recorded 7 to 9`: entries that no notation tells, by
their positions. These stand at the end, under `== data`, as JSON, a line each; above them, under
`== salts`, the salts of names and words in the others. The writer reads every block back before it
lets it stand, and records what does not come back the same. Lines that begin with a space are for
the eye: boards, and what happened in a few words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from referee.core import seam
from referee.core.answers import Body
from referee.core.diagram import Diagram
from referee.core.game import AnyGame
from referee.core.value import LAPSED, Demand
from referee.match import events as ev
from referee.match.chain import NO_SALT, canonical, public_form, seal, stamp
from referee.match.handling.counting import lapsed, revealed
from referee.match.ledger import LedgerWriter
from referee.match.match import UNOPENED, Match, applied
from referee.match.record.public import NoRecord, entries_of, public_record

HEAD = "referee text record 3"
BOARD_EVERY = 10  # answers, where nothing else calls for a board before
_WHO = re.compile(r"Player (\d+), ([^\s:(]+)(?: \((.*)\))?(?: nonce ([0-9a-f]+)| (nothing))?")
DATA, SALTS = "== data", "== salts"
_FOR_THE_EYE = (
    " Lines that begin with a space are for the eye; what no notation tells stands at the end, as data."
)
_TURNING = ev.MatchBegun | ev.RoundRevealed | ev.MatchRewound | ev.MatchEnded  # of which a board is shown
_NOTES: Mapping[type[ev.Event], str] = {
    ev.EntrantReplaced: "{e.entrant.name} takes the seat of Player {e.seat}.",
    ev.SeatVacated: "The seat of Player {e.seat} is vacant: {e.why}",
    ev.SubstituteNamed: "{e.entrant.name} is the substitute of Player {e.seat}.",
    ev.CameBack: "{e.entrant.name} plays again, as Player {e.seat}.",
    ev.SeatOffered: "The seat of Player {e.seat} is open to others, after {e.missed} missed in a row.",
    ev.MatchStopped: "The moderator ends the match: {e.why}",
    ev.MatchRewound: "Rewound to {e.label}: {e.why}",
    ev.MatchPaused: "Paused: {e.why}",
    ev.MatchResumed: "Resumed: {e.why}",
    ev.Said: "The moderator: {e.text}",
}
Draw = Callable[[Diagram], str]
_Said = tuple[Demand, str | None, str | None]  # an answer in a block: its text, if one came, and its nonce


class Salts(dict[tuple[int, str], str]):
    """The salts of names and words, by position and place; no block needs another secret."""

    @classmethod
    def of(cls, entries: Iterable[ev.Entry]) -> Salts:
        """Those of what these entries say."""
        told = (
            ((e.position, place), salt) for e in entries for place, salt in e.body.get("salts", {}).items()
        )
        return cls(told)

    def nonce(self, match: str, label: str, opened: int, demand: Demand) -> str:
        raise NoRecord(f"{label!r} is not told by its seals")

    def seed(self, match: str) -> str:
        raise NoRecord("a draw stands among the data")

    def salt(self, match: str, position: int, place: str) -> str:
        return self.get((position, place), NO_SALT)


def text_record(game: AnyGame, history: Sequence[ev.Entry], draw: Draw | None = None) -> str:
    """The public part of a ledger as text; with boards where `draw` draws them."""
    public = entries_of(public_record(game, history))
    lines: list[str] = []
    match, board, answers = UNOPENED, None, 0
    done: list[ev.Entry] = []
    data: list[ev.Entry] = []
    notated: list[ev.Entry] = []
    for group in (list(some) for _, some in groupby(public, key=lambda entry: entry.cause)):
        block = notation(group)
        read = _read_back(game, match, done, block, group) if match.version and block else None
        if block is None or read is None:
            start, end = group[0].position, group[-1].position
            span = f"{start} to {end}" if end > start else f"{start}"
            block = [f"== {stamp(group[0].at)} recorded {span}"]
            data += group
        else:
            notated += group
        for entry in group if read is None else ():
            match = applied(game, match, entry, lambda: done)
        match = read or match
        done.extend(group)
        notes = (f" {line}" for e in group for line in _note(game, e, match).splitlines())
        lines += ["", *block, *notes]
        answers += sum(isinstance(entry.event, ev.Answered) for entry in group)
        now = match.board if draw else None
        # at the start, at a reveal, after a rewind, at a capture, at the end, and every BOARD_EVERY answers
        turns = any(isinstance(entry.event, _TURNING) for entry in group)
        turns = turns or bool(now and any(mark.kind == "captured" for mark in now.marks))
        if draw and now and now != board and (answers >= BOARD_EVERY or turns):
            board, answers = now, 0
            lines += ["", *(f" {line}" for line in draw(now).splitlines())]
    salts = [f"{position} {place} {salt}" for (position, place), salt in Salts.of(notated).items()]
    head = [HEAD, f"match: {match.name}", f"game: {game.title} ({game.slug})", _FOR_THE_EYE]
    told = [*head, *lines, "", *([SALTS, *salts] if salts else []), DATA]
    told += [canonical(public_form(entry)) for entry in data]
    return "\n".join(line.rstrip() for line in told) + "\n"


# --- writing --------------------------------------------------------------------------------------


def notation(group: Sequence[ev.Entry]) -> list[str] | None:
    """The block in notation, where the stimulus begins with something notation tells."""
    at = stamp(group[0].at)
    match group[0].event:
        case ev.Answered(label, demand, text=text) as event:
            how = "conditional" if isinstance(event, ev.AnsweredAhead) else "answered"
            return [f"== {at} {how} {label}".rstrip(), _who(demand), *_quoted(text)]
        case ev.RoundRevealed(label, answers, missing):
            lines = [f"== {at} revealed {label}"]
            for answer in answers:
                lines += [f"{_who(answer.demand)} nonce {answer.nonce}", *_quoted(answer.text)]
            return lines + [f"{_who(demand)} nothing" for demand in missing]
        case ev.Lapsed(label, demands):
            return [f"== {at} lapsed {label}", *map(_who, demands)]
    return None


def _note(game: AnyGame, entry: ev.Entry, match: Match) -> str:
    """What happened, for the eye: what the notation leaves to be worked out, and what no notation tells."""
    match entry.event:
        case ev.Happened(event=event):
            return game.noted(game.events_codec.decode(event))
        case ev.MatchOpened(seats=seats, continues=origin):
            goes_on = f"\nIt goes on from position {origin.position} of {origin.match}." if origin else ""
            return f"A match for {seats} is opened.{goes_on}"
        case ev.MatchBegun():
            return "\n".join(f"Player {seat}: {match.entrant(seat).name}" for seat in match.numbers)
        case ev.StoodIn(seat, entrant, until):
            return f"{entrant.name} stands in for Player {seat} until {stamp(until)}."
        case ev.GraceBegun(label, seats, until):
            whose = f" of {', '.join(f'Player {seat}' for seat in seats)}" if seats else ""
            return f"{label}: grace{whose} until {stamp(until)}"
        case ev.TurnRuled(label, legal, why):
            return f"{label} is ruled {'legal' if legal else 'illegal'}: {why}"
        case ev.DeadlineMoved(label, due_at, why):
            return f"{label} is due by {stamp(due_at)}: {why}"
        case ev.Amended(changes=changes, why=why):
            told = ", ".join(f"{c.name} from {c.before} to {c.after}" for c in changes)
            return f"The rules are amended ({told or 'the data'}): {why}"
        case ev.MatchEnded(winners, reason=reason):
            names = " and ".join(f"{match.entrant(seat).name} (Player {seat})" for seat in winners)
            return f"The match ends. {f'Won by {names}.' if names else 'No winner.'} {reason}"
    words = (words for kind, words in _NOTES.items() if isinstance(entry.event, kind))
    return next(words, "").format(e=entry.event)


def _who(demand: Demand) -> str:
    return f"Player {demand.seat}, {demand.kind}{f' ({demand.about})' if demand.about else ''}"


def _quoted(text: str) -> list[str]:
    return [f"| {line}".rstrip() for line in text.splitlines()]


# --- reading --------------------------------------------------------------------------------------


def _read_back(
    game: AnyGame, match: Match, done: list[ev.Entry], block: list[str], group: Sequence[ev.Entry]
) -> Match | None:
    """The match after a block that gives the same entries, to the byte, when it is read; None of any other."""
    try:
        again, after = redone(game, match, done, block, Salts.of(group))
    except (ValueError, LookupError, TypeError):
        return None
    same = again == group and [*map(public_form, again)] == [*map(public_form, group)]
    return after if same else None


def redone(
    game: AnyGame, match: Match, done: Sequence[ev.Entry], block: Sequence[str], salts: Salts
) -> tuple[list[ev.Entry], Match]:
    """The entries that a block in notation stands for, made again from its words, and the match after
    them. Raises NoRecord."""
    _, at, kind, *rest = block[0].rstrip().split(" ", 3)
    label, said = "".join(rest), _said(block[1:])
    ledger = LedgerWriter(game, match, datetime.fromisoformat(at), lambda: done, salts)
    match kind:
        case "lapsed":
            lapsed(ledger, label, tuple(demand for demand, _, _ in said))
        case "revealed":
            _reveal(ledger, label, said)
        case _:
            ((demand, text, _),) = said
            action = _action(ledger, demand, text or "")
            happenings = seam.resolve(game, match.inner, {demand: action})
            told = ev.AnsweredAhead if kind == "conditional" else ev.Answered
            ledger.write(told(label, demand, game.actions_codec.encode(action), text or ""))
            ledger.happen(happenings)
    ledger.settle()
    return ledger.entries, ledger.match


def _said(lines: Sequence[str]) -> list[_Said]:
    found: list[_Said] = []
    for line in lines:
        if line.startswith("|"):
            demand, text, nonce = found.pop()
            found.append((demand, line[2:] if text is None else f"{text}\n{line[2:]}", nonce))
        elif who := _WHO.fullmatch(line.strip()):
            found.append((Demand(who[2], int(who[1]), who[3] or ""), None, who[4]))
        else:
            raise NoRecord(f"this line says nothing: {line!r}")
    return found


def _action(ledger: LedgerWriter, demand: Demand, text: str) -> Any:
    party = ledger.match.party(demand.seat or 1)
    reading = seam.read(ledger.game, ledger.match.inner, demand, Body.of(text), party)
    if reading.action is None:
        raise NoRecord(f"{_who(demand)}: the answer can't be read: {text!r}")
    return reading.action


def _reveal(ledger: LedgerWriter, label: str, said: Sequence[_Said]) -> None:
    match, r = ledger.match, ledger.match.round(label)
    if r is None:
        raise NoRecord(f"{label!r} is not open")
    actions = {d: LAPSED if text is None else _action(ledger, d, text) for d, text, _ in said}
    opened = tuple(
        ev.Unsealed(d, text, nonce, seal(nonce, match.name, label, r.opened, d, text))
        for d, text, nonce in said
        if text is not None and nonce is not None
    )
    missing = tuple(demand for demand, text, _ in said if text is None)
    revealed(ledger, r, opened, {demand: actions[demand] for demand in r.demands}, missing)
