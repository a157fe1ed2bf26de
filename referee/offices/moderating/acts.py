"""What is done at the desk, in the caller's transaction: by the command line, and by a moderator's mail; and which
command undoes it, told with every answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from shlex import quote

from referee.base.errors import CannotDo
from referee.match import commands as do
from referee.match.chain.hashes import stamp
from referee.match.commands import Impossible, MatchCommand
from referee.match.events import Answered, Entrant
from referee.match.handling.rewinding import ahead_of
from referee.match.match import Match
from referee.offices.decisions import Decisions
from referee.offices.moderating.grammar import PARKED
from referee.offices.outgoing.letters import OPEN_QUESTION, decoded
from referee.offices.register.matches import Matches, Unfoldable, UnknownMatch
from referee.offices.register.opening import listed
from referee.offices.settings import Offices
from referee.store.inbox import Disposition
from referee.store.sql import Unit

NONE = "No command undoes it."


def in_words(undo: str) -> str:
    """What undoes it, as a sentence for the command line."""
    return f"`referee {undo} --why TEXT` undoes it." if undo else NONE


def undoing(before: Match, command: MatchCommand) -> str:
    """The command that undoes it, without its reason; empty where none does. `before` is the match as it stood."""
    name = before.name
    match command:
        case do.Extend(seat=seat):
            dues = {r.due_for(seat) if seat else r.due_at for r in before.rounds}
            if len(dues) != 1 or None in dues:
                return ""
            until = f"{dues.pop():%Y-%m-%dT%H:%M:%SZ}"
            return f"extend {name}{f' --seat {seat}' if seat else ''} --until {until}"
        case do.Pause():
            return f"resume {name}"
        case do.Resume():
            return f"pause {name}"
        case do.Rewind() | do.End() if before.inner is not None:
            return f"rewind {name} --to {before.position}"
        case do.Rule(legal=False):
            return f"rewind {name} --to {before.position}"
        case do.Amend(options=options, data=None):
            old = " ".join(f"--option {key}={before.options.get(key, '')}" for key in sorted(options))
            return f"amend {name} {old}"
        case do.NameSubstitute(seat=seat) if seat not in before.substitutes:
            return f"substitute {name} {seat} --off"
        case do.Replace(seat=seat) | do.Vacate(seat=seat) if (
            seat in before.numbers and before.inner is not None
        ):
            person = before.entrant(seat)
            if person.addresses:
                who = quote(
                    f"{person.name} <{person.addresses[0]}>"
                )  # he chose his name: no shell may obey it
                return f"replace {name} {seat} {who}"
    return ""


@dataclass(frozen=True, slots=True)
class Acts:
    """Each raises CannotDo, and has done nothing then."""

    matches: Matches
    decisions: Decisions
    offices: Offices

    def command(
        self,
        unit: Unit,
        name: str,
        command: MatchCommand,
        now: datetime,
        why: str = "",
        *,
        check: bool = False,
    ) -> Match:
        """Carry out a command on a match, or, to `check` it, only find out how the match would stand."""
        if isinstance(command, do.Replace | do.NameSubstitute) and (
            faults := self.unwritable(command.entrant)
        ):
            raise CannotDo(*faults)
        match = self.loaded(unit, name)
        decision = self.decisions.decide(unit, match, command, now)
        if isinstance(decision.verdict, Impossible):
            raise CannotDo(f"{name}: {decision.verdict.why}.")
        if not check:
            self.decisions.record(unit, match, decision, now, _cause(match, command, now), why)
            if isinstance(command, do.Say) and command.seat:
                _answer_questions(unit, name, command.seat)
        return decision.match

    def reject(self, unit: Unit, which: int, why: str, now: datetime) -> str:
        """A mail that was put aside is settled without effect, and its sender told why; who that is."""
        kept = unit.mail(which)
        if kept is None or kept.verdict not in ("held", "shunted"):
            raise CannotDo(f"There is no mail {which} that was put aside; `referee desk` lists them.")
        unit.settle(
            which, "refused", f"rejected by the moderator: {why}", now,
            match=kept.match, seat=kept.seat, seen_as=kept.verdict,
        )  # fmt: skip
        if kept.sender is not None:
            self.decisions.told_of(unit, kept, "rejected", now, at=kept.arrived, why=why)
        return kept.sender or "nobody"

    def put_back(self, unit: Unit, which: str, kind: str) -> tuple[list[int], list[str]]:
        """What `release` or `unshunt` lets be judged, or looked for, once more: mails by number, and matches; or lets
        leave, a letter (`letter-7`)."""
        if kind == "release" and (number := PARKED.fullmatch(which)):
            if not unit.unpark(int(number[1])):
                raise CannotDo(f"No letter {number[1]} is parked; `referee desk` lists them.")
            return [], []
        again = self.search_again(unit, which)
        return [] if again and which != "all" else self.release(unit, which, kind), again

    @staticmethod
    def release(unit: Unit, which: str, kind: str) -> list[int]:
        """Put held or shunted mails back in the queue: one by its number, or `all`; their numbers."""
        verdict: Disposition = "held" if kind == "release" else "shunted"
        waiting = unit.mails([verdict])
        chosen = waiting if which == "all" else [mail for mail in waiting if str(mail.id) == which]
        if not chosen and which != "all":
            there_are = listed([mail.id for mail in waiting])
            raise CannotDo(f"There is no {verdict} mail {which!r}; there are: {there_are}.")
        for mail in chosen:
            unit.reopen(mail.id, verdict, released=mail.released or verdict == "held")
        return [mail.id for mail in chosen]

    @staticmethod
    def search_again(unit: Unit, which: str) -> list[str]:
        """Let the referee look once more for its own answer, where it found none: in one match or in `all`."""
        chosen = [name for name in unit.stuck() if which in (name, "all")]
        unit.unstick(chosen)
        return chosen

    def turn_back(self, unit: Unit, now: datetime, why: str) -> list[str]:
        """After passes that ran ahead of the true time: in every match what time alone has done, and was not due, is
        void by an event. Answers stay: what was received since is judged once more. The names of the matches."""
        last, done = unit.clock().last_pass, []
        if last is None or last <= now:
            raise CannotDo(f"No pass has run ahead of {stamp(now)}.")
        for name in unit.names():
            history = unit.history(name)
            position = ahead_of(history, now) if history[-1].at > now else None
            if position is None:
                continue
            self.command(unit, name, do.Rewind(position, why, answered=True), now, why)
            given = [(e.event, e.since or e.at) for e in history if e.position <= position]
            stands = {(event.demand.seat, at) for event, at in given if isinstance(event, Answered)}
            for mail in unit.judged_since(name, now):
                if mail.verdict is not None and (mail.seat, mail.arrived) not in stands:
                    unit.reopen(mail.id, mail.verdict, released=mail.released)
            done.append(name)
        unit.turn_back(now)
        return done

    def loaded(self, unit: Unit, name: str) -> Match:
        try:
            return self.matches.load(unit, name)
        except UnknownMatch:
            raise CannotDo(f"There is no match {name!r}; `referee list` shows them.") from None
        except Unfoldable as error:
            raise CannotDo(f"{error}. It is put aside, and the other matches go on.") from error

    def unwritable(self, *people: Entrant) -> tuple[str, ...]:
        """The addresses with which nobody can be registered, and why."""
        return tuple(
            f"{address} can't be registered: {why}."
            for person in people
            for address in person.addresses
            if (why := self.offices.hindrance(address))
        )


def _answer_questions(unit: Unit, match: str, seat: int) -> None:
    """What that seat has asked a person is answered."""
    for asked in unit.letters_in(OPEN_QUESTION):
        kept = unit.mail_of(decoded(asked).reply.about)
        if kept is not None and (kept.match, kept.seat) == (match, seat):
            unit.uncount(asked.message_id)


def _cause(match: Match, command: MatchCommand, now: datetime) -> str:
    """What tells the stimulus from all others. By the public position: nothing in a letter may depend on what a seat
    has sent under seal. What is said to one seat changes no position."""
    cause = f"desk {match.position} {type(command).__name__}"
    return (
        f"{cause} {command.seat} {stamp(now)} {command.text}"
        if isinstance(command, do.Say) and command.seat
        else cause
    )
