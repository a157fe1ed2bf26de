"""Objections and the Statute of Limitations (611): which earlier turn is meant, and whether it may still be undone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.core.block import Vocabulary, action_block
from referee.core.complaint import Complaint, Line
from referee.core.game import Mended, Party, Reading
from referee.games.fourplay.army.catalogue import catalogue_of
from referee.games.fourplay.notation import (
    EMAIL,
    NAME,
    SLOT,
    Key,
    Keyed,
    empty,
    keyed,
    once,
    terms_beside_words,
    whole,
)
from referee.games.fourplay.owing import turn_label
from referee.games.fourplay.state import SEATS, State

_RULE: Final = "611"
_ROUND: Final = Key("Round", ("round", "roundnumber"), r"#?\s*\d+")
_CYCLE: Final = Key("Cycle", ("cycle", "cyclenumber"), r"#?\s*\d+")
_PLAYER: Final = Key(
    "Turn of Player", ("turnofplayer", "turnof", "player", "playernumber", "offender"), r"#?\s*\d+"
)
_REASON: Final = Key("Reason", ("reason", "because", "why", "grounds", "comment"))
_KEYS: Final = (NAME, EMAIL, _ROUND, _CYCLE, _PLAYER, _REASON)

Moment = tuple[int, int, int]  # cycle, round, player


@dataclass(frozen=True, slots=True)
class Objection:
    """An earlier turn said to be illegal, and why. `label` is its round's."""

    cycle: int
    round: int
    player: int
    reason: str
    label: str
    line: Line | None = field(default=None, compare=False, repr=False)


# --- moments ---------------------------------------------------------------------------------------------------------


def latest(state: State) -> Moment | None:
    """The last turn that has been made or begun: now, in play; else the one that ended the last cycle."""
    if state.phase == "play":
        return state.cycle, state.round, state.to_move
    if state.results and state.results[-1].player:
        last = state.results[-1]
        return last.cycle, last.round, last.player
    return None


def last_made(state: State) -> Moment | None:
    """The last turn that can be objected to; None where no turn has been made in this match's play."""
    now = latest(state)
    if now is None or state.phase != "play":
        return now
    cycle, number, player = now
    before = (cycle, number, player - 1) if player > 1 else (cycle, number - 1, SEATS[-1])
    return before if before[1] >= 1 else None


def label_of(state: State, moment: Moment) -> str:
    cycle, number, player = moment
    return turn_label(state, number, player, cycle)


def moment_of(state: State, label: str) -> Moment | None:
    """The turn that a label names."""
    match = re.fullmatch(r"(?:Cycle (\d+) / )?Round (\d+) / Player (\d)", label)
    return (int(match[1] or state.unnamed), int(match[2]), int(match[3])) if match else None


def statute_open(state: State, label: str) -> bool:
    """Until the offender's next turn begins (part 5), though it be one that passes by itself."""
    moment, now = moment_of(state, label), latest(state)
    if moment is None or now is None:
        return False
    cycle, number, player = moment
    return (cycle, number + 1, player) > now


# --- reading ---------------------------------------------------------------------------------------------------------


def read_objection(state: State, lines: Sequence[Line], party: Party) -> Reading[Objection]:
    """`Round:`, `Turn of Player:` and a reason; the cycle is the present one where it is not stated. A line that speaks
    of squares and pieces is part of the reason, wherever it stands: nothing of it is passed over."""

    def known(text: str) -> bool:
        return keyed(Line(0, text), _KEYS).key is not None

    terms = terms_beside_words(catalogue_of(state.rules.pieces))
    block = action_block(lines, Vocabulary(frozenset(), orders=known, terms=terms, names=(party.name,)))
    entries = [keyed(line, _KEYS) for line in block.orders]
    now = latest(state)
    numbers: list[int | None] = []
    complaints: list[Complaint] = []
    for key, default in ((_CYCLE, now[0] if now else state.cycle), (_ROUND, None), (_PLAYER, None)):
        number, faults = _number(entries, key, default)
        numbers.append(number)
        complaints += faults
    words = [e.value for e in entries if e.key in (_REASON.name, None) and not empty(e.value)]
    words += [line.text.strip() for line in block.doubtful]
    reason = "\n".join(words) or "\n".join(line.text.strip() for line in block.courtesy if block.orders)
    if not reason:
        complaints.append(Complaint("reason_missing", _RULE))
    cycle, number, player = numbers
    if cycle is None or number is None or player is None or not reason:
        return Reading(None, tuple(complaints), block.courtesy, block.orders)
    where = next(e.line for e in entries if e.key == _ROUND.name)
    action = Objection(cycle, number, player, reason, label_of(state, (cycle, number, player)), where)
    return Reading(action, tuple(complaints), () if not words else block.courtesy, block.orders)


def _number(
    entries: Sequence[Keyed], key: Key, default: int | None
) -> tuple[int | None, tuple[Complaint, ...]]:
    """The number on the line of a key."""
    entry, twice = once(entries, key.name, _RULE)
    if entry is None:
        missing = (
            () if default is not None else (Complaint("objection_lacks", _RULE, None, {"key": key.name}),)
        )
        return default, missing
    number = whole(re.sub(r"(?i)^(?:round|cycle|player)?\s*#?\s*", "", entry.value.rstrip(" .")))
    if number is None:
        facts = {"key": key.name, "stated": entry.value}
        return None, (*twice, Complaint("number_unread", _RULE, entry.line, facts))
    return number, twice


def objection_complaints(state: State, action: Objection) -> tuple[Complaint, ...]:
    """Only a turn that has been made can be objected to."""
    last = last_made(state)
    moment = (action.cycle, action.round, action.player)
    if last is None or moment > last or action.round < 1 or action.cycle < 1 or action.player not in SEATS:
        facts = {
            "cycle": action.cycle,
            "round": action.round,
            "player": action.player,
            "cycles": state.rules.cycles,
        }
        return (Complaint("no_such_turn", _RULE, action.line, facts),)
    return ()


# --- writing ---------------------------------------------------------------------------------------------------------


def objection_text(action: Objection) -> str:
    head = [f"Cycle: {action.cycle}", f"Round: {action.round}", f"Turn of Player: {action.player}"]
    return "\n".join([*head, *(f"Reason: {words}" for words in action.reason.splitlines())])


def objection_form(state: State, draft: Objection | None) -> str:
    if draft is not None:
        return objection_text(draft)
    last = last_made(state)
    cycle = last[0] if last else state.cycle
    return f"Cycle: {cycle}\nRound: {SLOT}\nTurn of Player: {SLOT}\nReason: {SLOT}"


def mended_objection(state: State, reading: Reading[Objection]) -> Mended:
    """What was said of the turn, as it was said; the rest is left to fill in."""
    entries = [keyed(line, _KEYS) for line in reading.orders]
    blank = dict(line.split(": ") for line in objection_form(state, None).splitlines())
    lines = []
    for key in (_CYCLE, _ROUND, _PLAYER):
        said = dict.fromkeys(e.value for e in entries if e.key == key.name and not empty(e.value))
        lines += [f"{key.name}: {value}" for value in said or (blank[key.name],)]
    reason = [e.value for e in entries if e.key in (_REASON.name, None) and not empty(e.value)]
    if not reason and reading.orders:
        reason = [line.text.strip() for line in reading.courtesy] or list(
            reading.action.reason.splitlines() if reading.action else ()
        )
    return Mended("\n".join([*lines, *(f"Reason: {words}" for words in reason or [SLOT])]))


def suggested_objection(state: State) -> Objection:
    """An objection to the last turn made."""
    moment = last_made(state)
    assert moment is not None  # else the demand is not open to anybody
    return Objection(*moment, "Was this turn legal?", label_of(state, moment))
