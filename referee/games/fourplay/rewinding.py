"""Objections to earlier turns (611)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from referee.core.answers import Form, Party, Reading
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.orders.block import Vocabulary
from referee.core.orders.sheet import Sheet
from referee.core.owing import Demand
from referee.games.fourplay import events as ev
from referee.games.fourplay.actions import Objection
from referee.games.fourplay.answers import Sent
from referee.games.fourplay.board.catalogue import catalogue_of
from referee.games.fourplay.folding import Told
from referee.games.fourplay.notation.header import EMAIL, NAME
from referee.games.fourplay.notation.keys import Key, Keys, Said, filled
from referee.games.fourplay.notation.signs import SLOT, empty, whole
from referee.games.fourplay.notation.terms import terms_beside_words
from referee.games.fourplay.owing import label_of, last_made, latest
from referee.games.fourplay.state import SEATS, State

_RULE: Final = "611"
_ROUND: Final = Key("Round", ("round", "roundnumber"), r"#?\s*\d+")
_CYCLE: Final = Key("Cycle", ("cycle", "cyclenumber"), r"#?\s*\d+")
_PLAYER: Final = Key(
    "Turn of Player", ("turnofplayer", "turnof", "player", "playernumber", "offender"), r"#?\s*\d+"
)
_REASON: Final = Key("Reason", ("reason", "because", "why", "grounds", "comment"))
_KEYS: Final = Keys(_RULE, (NAME, EMAIL, _ROUND, _CYCLE, _PLAYER, _REASON))


class Objecting(Sent[Objection]):
    """A ruling asked for on an earlier turn; the match rewinds where it was illegal."""

    kind = "Objection"
    headings = ("Objection",)
    actions = (Objection,)
    clause = "house"

    def understood(self, state: State, seat: int, lines: Sequence[Line], party: Party) -> Reading[Objection]:
        """`Round:`, `Turn of Player:` and a reason; the cycle is the present one where it is not stated. A line that
        speaks of squares and pieces is part of the reason, wherever it stands: nothing of it is passed over."""
        terms = terms_beside_words(catalogue_of(state.rules.pieces))
        known = Vocabulary(frozenset(), orders=_KEYS.begin, terms=terms, names=(party.name,))
        sheet = _KEYS.sheet(lines, known)
        said = {entry.line.number: entry.line for entry in sheet.entries}
        now = latest(state)
        numbers: list[int | None] = []
        complaints: list[Complaint] = []
        for key, default in ((_CYCLE, now[0] if now else state.cycle), (_ROUND, None), (_PLAYER, None)):
            number, faults = _number(sheet, key, default)
            numbers.append(number)
            complaints += faults
        words = [entry.value for entry in _reasons(sheet)]
        words += [line.text.strip() for line in sheet.orders if line.number not in said]
        reason = "\n".join(words) or "\n".join(line.text.strip() for line in sheet.courtesy if said)
        if not reason:
            complaints.append(Complaint("reason_missing", _RULE))
        cycle, number, player = numbers
        if cycle is None or number is None or player is None or not reason:
            return Reading(None, tuple(complaints), sheet.courtesy, tuple(said.values()), understood=sheet)
        action = Objection(cycle, number, player, reason, label_of(state, (cycle, number, player)))
        where = sheet.line(_ROUND.order, part="round")
        courtesy = sheet.courtesy if words else ()
        return Reading(action, tuple(complaints), courtesy, tuple(said.values()), where, sheet)

    def check(self, state: State, demand: Demand, action: Objection) -> Iterable[Complaint]:
        """Only a turn that has been made can be objected to."""
        last = last_made(state)
        moment = (action.cycle, action.round, action.player)
        if last is None or moment > last or min(moment) < 1 or action.player not in SEATS:
            stated = {"cycle": action.cycle, "round": action.round, "player": action.player}
            facts = {**stated, "cycles": state.rules.cycles}
            yield Complaint("no_such_turn", _RULE, facts=facts, part="round")

    def write(self, state: State, demand: Demand, action: Objection) -> str:
        head = [f"Cycle: {action.cycle}", f"Round: {action.round}", f"Turn of Player: {action.player}"]
        return "\n".join([*head, *(f"Reason: {words}" for words in action.reason.splitlines())])

    def blank(self, state: State, seat: int) -> list[str]:
        last = last_made(state)
        cycle = last[0] if last else state.cycle
        return [f"Cycle: {cycle}", f"Round: {SLOT}", f"Turn of Player: {SLOT}", f"Reason: {SLOT}"]

    def mended(self, state: State, demand: Demand, draft: Reading[Objection]) -> Form:
        """What was said of the turn, as it was said; the rest is left to fill in."""
        sheet: Sheet[str] = draft.understood
        blank = dict(line.split(": ") for line in self.blank(state, demand.seat))
        lines = []
        for key in (_CYCLE, _ROUND, _PLAYER):
            said = dict.fromkeys(entry.value for entry in filled(sheet, key))
            lines += [f"{key.name}: {value}" for value in said or (blank[key.name],)]
        reason = [entry.value for entry in _reasons(sheet)]
        if not reason and draft.orders:
            reason = [line.text.strip() for line in draft.courtesy] or list(
                draft.action.reason.splitlines() if draft.action else ()
            )
        return Form("\n".join([*lines, *(f"Reason: {words}" for words in reason or [SLOT])]))

    def act(self, record: Told, seat: int, action: Objection) -> None:
        record.tell(ev.ObjectionRaised(seat, action.player, action.cycle, action.round, action.reason))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Objection:
        """An objection to the last turn made."""
        moment = last_made(state)
        assert moment is not None  # else the demand is not open to anybody
        return Objection(*moment, "Was this turn legal?", label_of(state, moment))


def _reasons(sheet: Sheet[str]) -> list[Said]:
    """The lines of the reason, with its key or without any."""
    return [entry for entry in sheet.of(_REASON.order, "") if not empty(entry.value)]


def _number(sheet: Sheet[str], key: Key, default: int | None) -> tuple[int | None, tuple[Complaint, ...]]:
    """The number on the line of a key."""
    entry, twice = _KEYS.once(sheet, key)
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
