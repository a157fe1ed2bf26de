"""The moderator's office: opening matches, carrying out what is asked at the desk (by the command
line and by a moderator's mail, in the caller's transaction), which command undoes it, and telling
how things stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from shlex import quote
from typing import TypeVar

from referee.base.errors import CannotDo
from referee.base.settings import Offices
from referee.club.events import Guest
from referee.club.proposal import Proposal
from referee.club.ratings import ratings
from referee.core.game import AnyGame
from referee.core.texts.addresses import address_key
from referee.letters.letter import OPEN_QUESTION, decoded
from referee.match import commands as do
from referee.match import events as ev
from referee.match.chain import Keys, given_seed, stamp
from referee.match.commands import Impossible, MatchCommand
from referee.match.decide import verb
from referee.match.events import Answered, Entrant, Entry
from referee.match.handling.rewinding import ahead_of
from referee.match.handling.seating import entered
from referee.match.match import Match
from referee.offices.club.proposals import Proposals, WishedMatch
from referee.offices.club.results import ClubRecord, finished, rated_facts
from referee.offices.club.tournaments import Tournaments
from referee.offices.decisions import Decisions
from referee.offices.moderating.grammar import PARKED
from referee.offices.register.facts import Facts, answered, facts_of, moment
from referee.offices.register.matches import Matches, Unfoldable, UnknownMatch
from referee.offices.register.opening import NewMatch, listed, numbered, rules_of
from referee.store.engine import again
from referee.store.inbox import Disposition
from referee.store.matches import Published
from referee.store.sql import Store, Unit

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
        case ev.MatchPaused():
            return f"resume {name}"
        case ev.MatchResumed():
            return f"pause {name}"
        case do.Rewind() | ev.MatchStopped() if before.inner is not None:
            return f"rewind {name} --to {before.position}"
        case do.Rule(legal=False):
            return f"rewind {name} --to {before.position}"
        case do.Amend(options=options, data=None):
            old = " ".join(f"--option {key}={before.options.get(key, '')}" for key in sorted(options))
            return f"amend {name} {old}"
        case ev.SubstituteNamed(seat=seat) if seat not in before.substitutes:
            return f"substitute {name} {seat} --off"
        case ev.EntrantReplaced(seat=seat) | ev.SeatVacated(seat=seat) if (
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
        if isinstance(command, ev.EntrantReplaced | ev.SubstituteNamed) and (
            faults := self.unwritable(command.entrant)
        ):
            raise CannotDo(*faults)
        match = self.loaded(unit, name)
        decision = self.decisions.decide(unit, match, command, now)
        if isinstance(decision.verdict, Impossible):
            raise CannotDo(f"{name}: {decision.verdict.why}.")
        if not check:
            self.decisions.record(unit, match, decision, now, _cause(match, command, now), why)
            if isinstance(command, ev.SaidToOne):
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
    cause = f"desk {match.position} {verb(command)}"
    return (
        f"{cause} {command.seat} {stamp(now)} {command.text}" if isinstance(command, ev.SaidToOne) else cause
    )


T = TypeVar("T")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


class Moderator:
    """Every method is one transaction, or several; the letters it calls for leave at the next step."""

    def __init__(
        self,
        store: Store,
        acts: Acts,
        keys: Keys,
        games: Mapping[str, AnyGame],
        proposals: Proposals,
        tournaments: Tournaments,
    ) -> None:
        self._store = store
        self._acts = acts
        self._matches = acts.matches
        self._keys = keys
        self._games = games
        self._proposals = proposals
        self._tournaments = tournaments

    @again
    def act(self, deed: Callable[[Unit], T], now: datetime | None = None) -> T:
        """What is done at the desk, while no pass is under way; at a moment (None: whatever it is) before which nothing
        later stands written. Raises CannotDo."""
        with self._store.exclusive(), self._store.transaction() as unit:
            last = unit.clock().last_pass
            if now is not None and last is not None and now < last:
                then, at = (stamp(moment.replace(microsecond=0)) for moment in (last, now))
                raise CannotDo(f"The last pass was at {then}; {at} is before it.")
            return deed(unit)

    # --- opening -----------------------------------------------------------------------------------------------

    def open(self, asked: NewMatch, now: datetime) -> Match:
        """A new match. Raises CannotDo with every fault."""
        game = self._games.get(asked.game)
        if game is None:
            raise CannotDo(f"There is no game {asked.game!r}. There are: {', '.join(self._games)}.")
        seats = len(asked.roster) + asked.vacant
        options, data, faults = rules_of(game, asked, seats)
        faults = (*self._acts.unwritable(*asked.roster), *faults)
        if faults:
            raise CannotDo(*faults)

        def opened(unit: Unit) -> Match:
            name = self._name(unit, asked)
            seed = given_seed(asked.seed) if asked.seed is not None else self._keys.seed(name)
            command = do.Open(
                name, options.values, data, seats, asked.roster, seed, asked.seed is not None, asked.beacon,
                asked.continuation,
            )  # fmt: skip
            return self._acts.decisions.open(unit, game, command, now)

        return self.act(opened, now)

    @staticmethod
    def _name(unit: Unit, asked: NewMatch) -> str:
        """The name that is asked for, else the game's with a free number."""
        if asked.name is None:
            return numbered(asked.game, unit.has_match)
        if not _NAME.fullmatch(asked.name):
            raise CannotDo(
                f"{asked.name!r} can't name a match: letters, digits, dot, dash and underscore only."
            )
        unit.hold("name", asked.name.lower())
        if unit.has_match_like(asked.name):
            raise CannotDo(f"There is a match {asked.name!r} already.")
        return asked.name

    # --- the desk ----------------------------------------------------------------------------------------------

    def command(
        self, name: str, command: MatchCommand, now: datetime, why: str = "", *, check: bool = False
    ) -> Match:
        """Carry out a command on a match, or, to `check` it, only find out how the match would stand. Raises
        CannotDo."""
        return self.act(lambda unit: self._acts.command(unit, name, command, now, why, check=check), now)

    @again
    def club(self) -> ClubRecord:
        """What all may see of the club, and who wishes to be on no list."""
        with self._store.transaction() as unit:
            forming, events = self._proposals.forming(unit), self._tournaments.all(unit)
            wishes = unit.club_wishes()
            hidden = [self._players(unit, w.address) if not w.listed else set() for w in wishes]
            unrated = [self._players(unit, w.address) if not w.rated else set() for w in wishes]
        return ClubRecord(
            tuple(forming), tuple(events), frozenset().union(*unrated), frozenset().union(*hidden)
        )

    def ratings(self) -> dict[str, list[Facts]]:
        """By game, the best first, every player's course; from the ledgers alone. Who wishes is not among them."""
        record, names, ended = self.club(), {}, []
        for match in self.matches():
            if match.status == "ended" and match.known:
                history = self.history(match.name)
                names.update(
                    {
                        self._keys.player(p.name, *p.addresses[:1]): p.name
                        for p in entered(history)[0].values()
                    }
                )
                ended.append(finished(match, history, self._keys))
        found = ratings((one for one in ended if one is not None), record.unrated)
        return {game: rated_facts(courses, names, record.unlisted) for game, courses in sorted(found.items())}

    def _players(self, unit: Unit, address: str) -> set[str]:
        """What tells whoever has the address from others in public: one for each name he plays under."""
        seated = [(entered(unit.history(name))[0], seat) for name, seat in unit.seats_of(address)]
        people = [roster[seat] for roster, seat in seated if seat in roster]
        return {self._keys.player(person.name, *person.addresses[:1]) for person in people}

    def propose(self, by: Guest, wish: WishedMatch, now: datetime) -> Proposal:
        """For a player. Raises CannotDo with every fault."""

        def proposed(unit: Unit) -> Proposal:
            if faults := self._proposals.faults(unit, wish, by):
                raise CannotDo(*faults)
            return self._proposals.propose(unit, by, wish, now, at_desk=True)

        return self.act(proposed, now)

    def rematch(self, name: str, seat: int, now: datetime) -> Proposal:
        """Of a match that has ended, for whoever has the seat. Raises CannotDo."""
        match = self.match(name)
        if match.status != "ended" or seat not in match.numbers:
            raise CannotDo(f"{name} has not ended, or has no seat {seat}.")
        return self.propose(*self._proposals.rematch(match, seat), now)

    def unfoldable(self) -> tuple[str, ...]:
        """The matches that are put aside since their ledgers can't be folded, in words with a remedy."""
        return tuple(
            f"{why}. The match is put aside, its mails are shunted; the others go on. Give the store a "
            "backup or the program the version that wrote it, then `referee unshunt all`."
            for name in self._names()
            if (why := self._why_unreadable(name))
        )

    def _names(self) -> list[str]:
        with self._store.transaction() as unit:
            return unit.names()

    @again
    def _why_unreadable(self, name: str) -> str:
        """One match at a time: a look at all keeps nobody waiting."""
        with self._store.transaction() as unit:
            return self._matches.why_unreadable(unit, name)

    # --- how things stand --------------------------------------------------------------------------------------

    def match(self, name: str) -> Match:
        with self._store.transaction() as unit:
            return self._acts.loaded(unit, name)

    def matches(self) -> list[Match]:
        """All matches, by their opening; of one that can't be folded the outline."""
        return [self.outline(name) for name in self._names()]

    @again
    def outline(self, name: str) -> Match:
        """The match; of one that can't be folded what its row tells."""
        with self._store.transaction() as unit:
            return self._matches.outline(unit, name)

    def published(self) -> Sequence[Published]:
        """How far every match's public record goes."""
        with self._store.transaction() as unit:
            return unit.published()

    def history(self, name: str) -> Sequence[Entry]:
        self.match(name)
        with self._store.transaction() as unit:
            return unit.history(name)

    @again
    def stand(self, name: str, outlined: bool) -> Facts:
        """How a match stands in public, with its board, kept in its row. Of one that can't be folded the outline, where
        that will do; else it raises CannotDo."""
        with self._store.transaction() as unit:
            found = self._matches.outline if outlined else self._acts.loaded
            return self._matches.stand(unit, found(unit, name))

    def shown(self, name: str, seat: int | None, *, moderator: bool) -> Facts:
        """The facts with the board, as the seat sees them, or with what is the moderator's alone. Raises CannotDo."""
        match = self.match(name)
        if seat is not None and seat not in match.numbers:
            raise CannotDo(f"{name} has no seat {seat}.")
        facts = facts_of(match, seat)
        if moderator and match.inner is not None:
            facts["answered"] = answered(match)
        if moderator:
            facts["failing"] = self._failing(match)
            facts["addresses"] = [
                {"seat": n, "addresses": list(match.entrant(n).addresses)} for n in match.numbers
            ]
        return {**facts, "board": self._matches.board(match, seat)}

    def _failing(self, match: Match) -> list[Facts]:
        """The seats' addresses at which letters do not arrive."""
        held = [(n, address) for n in match.numbers for address in match.entrant(n).addresses]
        with self._store.transaction() as unit:
            found = {person.address: person for person in unit.failing(address for _, address in held)}
        return [
            {"seat": n, "address": address, "since": moment(person.failing), "why": person.note or ""}
            for n, address in held
            if (person := found.get(address_key(address))) is not None
        ]
