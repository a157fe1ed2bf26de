"""Orders to the desk carried out, one after the other, and what is to be told of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from shlex import split
from typing import Any

from referee.base.errors import CannotDo
from referee.core.options import OptionSpec
from referee.core.texts.words import FreeText
from referee.match import commands as do
from referee.match.commands import MatchCommand
from referee.match.match import Match
from referee.offices.moderating.acts import Acts
from referee.offices.moderating.grammar import Instruction
from referee.offices.moderating.tray import Tray
from referee.offices.moderating.undoing import undoing
from referee.offices.outgoing.letters import Item
from referee.offices.register.facts import Facts, answered
from referee.offices.register.opening import Amendments, amended
from referee.store.sql import Unit

_DONE = {
    "extend": "new deadlines", "pause": "paused", "resume": "it goes on", "rewind": "rewound", "amend": "amended",
    "replace": "the seat is somebody else's", "say": "said", "vacate": "the seat is vacant", "end": "ended",
    "rule": "ruled",
}  # fmt: skip
_MOST_SHOWN = 60  # matches of a list


@dataclass(frozen=True, slots=True)
class Due:
    """What is owed after an act."""

    demand: str
    seat: int
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Reported:
    """What came of one order. `line` is how the desk's letter numbers it or what was written; `faults` why nothing was
    done; `undo` the subject that undoes it; `facts` what was asked for, where it only tells."""

    verb: str
    line: FreeText = ""
    faults: tuple[str, ...] = ()
    match: str = ""
    done: str = ""
    status: str = ""
    due: tuple[Due, ...] = ()
    undo: str = ""
    check: bool = False
    final: bool = True  # no command undoes it, where none is named
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DeskOrders:
    """Carries orders out. `rules` are the options of a game and `data` its files, as they are now."""

    acts: Acts
    tray: Tray
    rules: Callable[[str], tuple[OptionSpec, ...]]
    data: Callable[[str], Mapping[str, Any]]

    def carried_out(
        self, unit: Unit, order: Instruction, line: str, reader: str, now: datetime
    ) -> tuple[Reported, ...]:
        """What came of it; of one for all matches, of each. Nothing is left of what can't be done."""
        try:
            with unit.savepoint():
                return tuple(self._done(unit, order, line, reader, now))
        except CannotDo as why:
            return (
                Reported(order.verb, line, tuple(each.replace("`referee ", "`") for each in why.reasons)),
            )

    def _done(self, unit: Unit, order: Instruction, line: str, reader: str, now: datetime) -> list[Reported]:
        match order.verb:
            case "desk":
                return [
                    Reported("desk", line, facts=self.tray.all_that_waits(unit, now, reader, within=True))
                ]
            case "list":
                return [Reported("list", line, facts={"rows": self._listed(unit)})]
            case "show":
                return [
                    Reported("show", line, match=order.match or "", facts=self._shown(unit, order, reader))
                ]
            case "mail":
                return [Reported("mail", line, facts=self.tray.mail_in(unit, int(order.which), reader))]
            case "reject":
                self.acts.reject(unit, int(order.which), order.why, now)
                return [
                    Reported(
                        "reject", line, done=f"Mail {order.which} does not count; its sender is told why."
                    )
                ]
            case "release" | "unshunt":
                return [Reported(order.verb, line, done=self._put_back(unit, order, now))]
        names = self._running(unit) if order.every else [order.match or ""]
        if not names:
            raise CannotDo("No deadline runs anywhere.")
        return [self._on_match(unit, order, name, line, reader, now) for name in names]

    # --- on a match ----------------------------------------------------------------------------------------------

    def _on_match(
        self, unit: Unit, order: Instruction, name: str, line: str, reader: str, now: datetime
    ) -> Reported:
        before = self.acts.loaded(unit, name)
        command = self._command(before, order)
        after = self.acts.command(unit, name, command, now, order.why, check=order.check)
        moved = after.rounds != before.rounds or after.status != before.status
        due = tuple(Due(d.kind, d.seat, r.due_for(d.seat)) for r, d in after.due) if moved else ()
        undo = "" if order.check else _as_subject(undoing(before, command))
        if before.seat_of(reader) and isinstance(command, do.Replace | do.Vacate):
            undo = f'replace {name} {command.seat} "NAME <ADDRESS>"'  # no address of another player's
        return Reported(
            order.verb,
            line,
            match=name,
            done=_DONE[order.verb],
            status=after.status if after.status != before.status else "",
            due=due,
            undo=undo,
            check=order.check,
        )

    def _command(self, match: Match, order: Instruction) -> MatchCommand:
        seat, why = order.seat, order.why
        match order.verb:
            case "extend":
                return do.Extend(why, seat, order.by, order.until)
            case "pause":
                return do.Pause(why)
            case "resume":
                return do.Resume(why)
            case "rewind":
                return do.Rewind(int(order.to) if order.to.isdigit() else order.to, why)
            case "rule":
                return do.Rule(order.to, bool(order.legal), why)
            case "amend":
                fresh = self.data(match.game) if order.data else None
                return amended(match, Amendments(dict(order.options), self.rules(match.game), fresh, why))
            case "say":
                return do.Say(order.text, seat)
            case "end":
                return do.End(order.how, order.winners, why)
        assert seat is not None, "an order without faults names its seat"
        if order.person is not None:
            return do.Replace(seat, order.person, why)
        return do.Vacate(seat, why)

    def _running(self, unit: Unit) -> list[str]:
        """The matches in which time runs."""
        found = (self.acts.matches.outline(unit, name) for name in unit.names())
        return [match.name for match in found if any(r.due_at for r in match.rounds)]

    def _put_back(self, unit: Unit, order: Instruction, now: datetime) -> str:
        if order.verb == "release" and (asked := self.tray.proposals.let_in(unit, order.which, now)):
            return f"{', '.join(asked)} will be asked."
        chosen, again = self.acts.put_back(unit, order.which, order.verb)
        mails = (
            f"{len(chosen)} mail{'' if len(chosen) == 1 else 's'} will be judged."
            if chosen or not again
            else ""
        )
        searched = "".join(f" In {name} I look for my own answer once more." for name in again)
        return f"{mails}{searched}".strip()

    # --- told ----------------------------------------------------------------------------------------------------

    def _listed(self, unit: Unit) -> list[Match]:
        live = [self.acts.matches.outline(unit, name) for name in unit.names()]
        return sorted(live, key=lambda match: match.status == "ended")[:_MOST_SHOWN]

    def _shown(self, unit: Unit, order: Instruction, reader: str) -> Facts:
        """How a match stands in public; to a moderator who does not play in it also what is his alone."""
        match = self.acts.loaded(unit, order.match or "")
        shown: Facts = {"match": match, "private": False, "seated": bool(match.seat_of(reader))}
        if not order.moderator or shown["seated"]:
            return shown
        addresses = [a for n in match.numbers for a in match.entrant(n).addresses]
        return {
            **shown,
            "private": True,
            "answered": answered(match) if match.inner is not None else [],
            "addresses": [(n, list(match.entrant(n).addresses)) for n in match.numbers],
            "failing": unit.failing(addresses),
            "aside": self.tray.aside_in(unit, match.name, reader),
        }


def _as_subject(command: str) -> str:
    """A command line as a subject says it."""
    return " ".join(f'"{word}"' if " " in word else word for word in split(command))


# --- the desk's numbers ---------------------------------------------------------------------------------------------

NUMBERED = ("held", "shunted", "questions", "failing", "vacant", "late", "stalled")


def items_of(facts: Mapping[str, Any]) -> tuple[Item, ...]:
    """What the desk's letter numbers, in its order."""
    return tuple(_item(part, entry) for part in NUMBERED for entry in facts[part])


def _item(part: str, entry: Facts) -> Item:
    if part in ("held", "shunted", "questions"):
        key: tuple[object, ...] = (part, entry["id"])
    else:
        key = (part, *(entry.get(name) for name in ("match", "seat", "demand", "due_at", "address", "since")))
    places = entry.get("seats") or [entry]
    number = str(entry.get("id", "")).partition(" ")[0]
    return Item(tuple(map(str, key)), places[0].get("match"), places[0].get("seat"), number)
