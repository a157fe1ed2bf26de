"""Objections to earlier turns (611)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from referee.core.answers import Form, Part, Party, Reading
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.owing import Demand
from referee.games.fourplay import events as ev
from referee.games.fourplay.actions import Objection
from referee.games.fourplay.cycles import label_of, last_made, latest
from referee.games.fourplay.folding import Told
from referee.games.fourplay.forms.answers import Sent
from referee.games.fourplay.forms.lots import numbers_in
from referee.games.fourplay.forms.notation import (
    EMAIL,
    NAME,
    NUMBER,
    SLOT,
    Field,
    Filled,
    Keys,
    Said,
    empty,
    whole,
)
from referee.games.fourplay.state import SEATS, State

_RULE: Final = "611"
ROUND: Final = Field("Round, round number", NUMBER)
CYCLE: Final = Field("Cycle, cycle number", NUMBER)
OFFENDER: Final = Field("Turn of Player, turn of, player, player number, offender", NUMBER)
REASON: Final = Field("Reason, because, why, grounds, comment")
_KEYS: Final = Keys(_RULE, (NAME, EMAIL, ROUND, CYCLE, OFFENDER, REASON))


class Objecting(Sent[Objection]):
    """A ruling asked for on an earlier turn; the match rewinds where it was illegal."""

    kind = "Objection"
    headings = ("Objection",)
    actions = (Objection,)
    clause = "house"

    def understood(self, state: State, seat: int, lines: Sequence[Line], party: Party) -> Reading[Objection]:
        """`Round:`, `Turn of Player:` and a reason; the cycle is the present one where it is not stated."""
        said = _KEYS.filled(lines, party, _KEYS.begin)
        sheet, keyed = said.sheet, {entry.line.number: entry.line for entry in said.sheet.entries}
        now = latest(state)
        cycle = _number(said, CYCLE, now[0] if now else state.cycle)
        number, player = _number(said, ROUND), _number(said, OFFENDER)
        words = [entry.value for entry in _reasons(said)]
        words += [line.text.strip() for line in sheet.orders if line.number not in keyed]
        reason = "\n".join(words) or "\n".join(line.text.strip() for line in sheet.courtesy if keyed)
        if not reason:
            said.complain("reason_missing")
        action = None
        if cycle is not None and number is not None and player is not None and reason:
            action = Objection(cycle, number, player, reason, label_of(state, (cycle, number, player)))
            said.lines = sheet.line("round", part="round")
        courtesy = sheet.courtesy if words or action is None else ()
        return replace(said.reading(action), courtesy=courtesy, orders=tuple(keyed.values()))

    def check(self, state: State, demand: Demand, action: Objection) -> Iterable[Complaint]:
        """Only a turn that has been made can be objected to."""
        last = last_made(state)
        moment = (action.cycle, action.round, action.player)
        if last is None or moment > last or min(moment) < 1 or action.player not in SEATS:
            stated = {"cycle": action.cycle, "round": action.round, "player": action.player}
            facts = {**stated, "cycles": state.rules.cycles}
            yield Complaint("no_such_turn", _RULE, facts=facts, part="round")

    def possible(
        self, state: State, demand: Demand, said: Sequence[str], named: Collection[str]
    ) -> Iterator[Part]:
        """The numbers of turns that have been made."""
        last, keys = last_made(state), {line.partition(":")[0] for line in said}
        most = {"Cycle": last[0], "Round": max(state.round, last[1]), "Turn of Player": 4} if last else {}
        for key in (key for key in most if key not in keys):
            for number in numbers_in(named):
                if number <= most[key] and str(number) in named:
                    what = ("what", key.lower().split()[-1])
                    yield Part(f"{key}: {number}", (what, ("number", str(number))), "object")

    def write(self, state: State, demand: Demand, action: Objection) -> str:
        head = [f"Cycle: {action.cycle}", f"Round: {action.round}", f"Turn of Player: {action.player}"]
        return "\n".join([*head, *(f"Reason: {words}" for words in action.reason.splitlines())])

    def blank(self, state: State, seat: int) -> list[str]:
        last = last_made(state)
        cycle = last[0] if last else state.cycle
        return [f"Cycle: {cycle}", f"Round: {SLOT}", f"Turn of Player: {SLOT}", f"Reason: {SLOT}"]

    def mended(self, state: State, demand: Demand, draft: Reading[Objection]) -> Form:
        """What was said of the turn, as it was said; the rest is left to fill in."""
        said: Filled = draft.understood
        blank = dict(line.split(": ") for line in self.blank(state, demand.seat))
        lines = []
        for field in (CYCLE, ROUND, OFFENDER):
            values = dict.fromkeys(entry.value for entry in said.entries(field))
            lines += [f"{field.name}: {value}" for value in values or (blank[field.name],)]
        reason = [entry.value for entry in _reasons(said)]
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


def _reasons(said: Filled) -> list[Said]:
    """The lines of the reason, with its key or without any."""
    return [entry for entry in said.sheet.of("reason", "") if not empty(entry.value)]


def _number(said: Filled, field: Field, default: int | None = None) -> int | None:
    """The number on the line of a key."""
    entry = said.once(field)
    if entry is None:
        if default is None:
            said.complain("objection_lacks", key=field.name)
        return default
    number = whole(re.sub(r"(?i)^(?:round|cycle|player)?\s*#?\s*", "", entry.value.rstrip(" .")))
    if number is None:
        said.complain("number_unread", entry.line, key=field.name, stated=entry.value)
    return number
