"""Orders to the desk carried out, one after the other, and what is to be told of each; and the desk's letter once a
day, if anything waits, to each moderator, with what he may know of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from shlex import split
from typing import Any

from referee.base.errors import CannotDo
from referee.core.texts.words import FreeText
from referee.match import commands as do
from referee.match.match import Match
from referee.offices.incoming.case import Case
from referee.offices.moderating.acts import undoing
from referee.offices.moderating.grammar import PARKED, Amending, Instruction
from referee.offices.moderating.tray import Tray
from referee.offices.outgoing.letters import Item, Meant, Recipient
from referee.offices.outgoing.outbox import Outbox
from referee.offices.outgoing.replies import AT_DESK, from_desk
from referee.offices.outgoing.speaker import Speaker
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


def carried_out(case: Case, order: Instruction, line: str) -> tuple[Reported, ...]:
    """What came of it; of one for all matches, of each. Nothing is left of what can't be done."""
    try:
        with case.unit.savepoint():
            return tuple(_done(case, order, line))
    except CannotDo as why:
        return (Reported(order.verb, line, tuple(each.replace("`referee ", "`") for each in why.reasons)),)


def _done(case: Case, order: Instruction, line: str) -> list[Reported]:
    unit, tray, acts, reader, verb = case.unit, case.room.tray, case.room.acts, _reader(case), order.verb
    match verb:
        case "desk":
            return [Reported(verb, line, facts=tray.all_that_waits(unit, case.now, reader, within=True))]
        case "list":
            return [Reported(verb, line, facts={"rows": _listed(case)})]
        case "show":
            return [Reported(verb, line, match=order.match or "", facts=_shown(case, order))]
        case "mail":
            return [Reported(verb, line, facts=tray.mail_in(unit, int(order.which), reader))]
        case "reject":
            acts.reject(unit, int(order.which), order.why, case.now)
            done = f"Mail {order.which} does not count; its sender is told why."
            return [Reported(verb, line, done=done)]
        case "release" | "unshunt":
            return [Reported(verb, line, done=_put_back(case, order))]
    names = _running(case) if order.every else [order.match or ""]
    if not names:
        raise CannotDo("No deadline runs anywhere.")
    return [_on_match(case, order, name, line) for name in names]


# --- on a match ----------------------------------------------------------------------------------------------


def _on_match(case: Case, order: Instruction, name: str, line: str) -> Reported:
    before = case.room.acts.loaded(case.unit, name)
    command = order.command
    if isinstance(command, Amending):
        fresh = case.room.data(before.game) if command.data else None
        asked = Amendments(command.options, case.room.rules(before.game), fresh, order.why)
        command = amended(before, asked)
    assert command is not None, "an order about matches without faults has its command"
    after = case.room.acts.command(case.unit, name, command, case.now, order.why, check=order.check)
    moved = after.rounds != before.rounds or after.status != before.status
    due = tuple(Due(d.kind, d.seat, r.due_for(d.seat)) for r, d in after.due) if moved else ()
    undo = "" if order.check else _as_subject(undoing(before, command))
    if before.seat_of(_reader(case)) and isinstance(command, do.Replace | do.Vacate):
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


def _running(case: Case) -> list[str]:
    """The matches in which time runs."""
    found = (case.room.acts.matches.outline(case.unit, name) for name in case.unit.names())
    return [match.name for match in found if any(r.due_at for r in match.rounds)]


def _put_back(case: Case, order: Instruction) -> str:
    if order.verb == "release" and (
        asked := case.room.tray.proposals.let_in(case.unit, order.which, case.now)
    ):
        return f"{', '.join(asked)} will be asked."
    chosen, again = case.room.acts.put_back(case.unit, order.which, order.verb)
    if PARKED.fullmatch(order.which):
        return "It leaves."
    many = "1 mail" if len(chosen) == 1 else f"{len(chosen)} mails"
    mails = f"{many} will be judged." if chosen or not again else ""
    searched = "".join(f" In {name} I look for my own answer once more." for name in again)
    return f"{mails}{searched}".strip()


# --- told ----------------------------------------------------------------------------------------------------


def _listed(case: Case) -> list[Match]:
    live = [case.room.acts.matches.outline(case.unit, name) for name in case.unit.names()]
    return sorted(live, key=lambda match: match.status == "ended")[:_MOST_SHOWN]


def _shown(case: Case, order: Instruction) -> Facts:
    """How a match stands in public; to a moderator who does not play in it also what is his alone."""
    match = case.room.acts.loaded(case.unit, order.match or "")
    shown: Facts = {"match": match, "private": False, "seated": bool(match.seat_of(_reader(case)))}
    if not order.moderator or shown["seated"]:
        return shown
    addresses = [a for n in match.numbers for a in match.entrant(n).addresses]
    return {
        **shown,
        "private": True,
        "answered": answered(match) if match.inner is not None else [],
        "addresses": [(n, list(match.entrant(n).addresses)) for n in match.numbers],
        "failing": case.unit.failing(addresses),
        "aside": case.room.tray.aside_in(case.unit, match.name, _reader(case)),
    }


def _reader(case: Case) -> str:
    return case.mail.sender or ""


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


# --- the desk's letter --------------------------------------------------------------------------------------------


def _waits(entry: Facts) -> bool:
    """Whether it is worth a letter: a match that still gathers its players, or was paused, does as it should."""
    return entry.get("status") not in ("filling", "paused")


@dataclass(frozen=True, slots=True)
class Daily:
    """Looks through the desk."""

    tray: Tray
    speaker: Speaker
    outbox: Outbox

    def tell(self, unit: Unit, now: datetime) -> None:
        for address in self.speaker.offices.at_desk:
            facts = self.tray.all_that_waits(unit, now, address)
            if not any(_waits(entry) for part in (*NUMBERED, "trouble") for entry in facts[part]):
                continue
            told = {"told": (Reported("desk", facts=facts),), "mails": "", "nothing": False, **AT_DESK}
            letter = self.speaker.letter(
                "desk",
                Recipient(address, "", None),
                "What waits at the desk",
                ("desk", address, now.isoformat()),
                now,
                told=told,
                reply=Meant(items=items_of(facts)),
            )
            self.outbox.post(unit, [from_desk(self.speaker, letter)])
