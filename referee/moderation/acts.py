"""Carries out what is ordered at the desk, by the command line or by a moderator's mail, in the
caller's transaction, and tells what came of it and which command undoes it."""

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from datetime import datetime
from shlex import quote

from referee.base.errors import CannotDo
from referee.club.events import AddressChanged
from referee.core.diagram import difference
from referee.core.texts.addresses import address_key
from referee.core.texts.bounded import whole
from referee.core.value import Demand, FreeText, Value
from referee.letters.letter import OPEN_QUESTION, Recipient, decoded
from referee.letters.replies import from_desk
from referee.match import commands as do
from referee.match import events as ev
from referee.match.chain import stamp
from referee.match.commands import Impossible, MatchCommand
from referee.match.decide import verb
from referee.match.handling.rewinding import ahead_of
from referee.match.match import Match, OpenRound
from referee.moderation.orders import PARKED, Addresses, Amending, DeskOrder
from referee.moderation.verbs import VERBS
from referee.offices.clock.doubt import right
from referee.offices.club import Persons, Proposals
from referee.offices.decisions import Decisions
from referee.offices.register import Facts, NewMatch, amended, unwritable
from referee.store.inbox import Disposition
from referee.store.sql import Unit

NONE = "No command undoes it."


class Effect(Value):
    """What came of an order: in words for a letter (`done`) and for the command line (`said`), and the command that
    undoes it, without its reason; empty where none does. Of one to a match how it stands `after` it; what is owed where
    other things are now, its `status` where it was otherwise, what all see otherwise on the board, in sentences.

    As a letter tells it: `line` is how the desk's letter numbers it or what was written; `faults` why nothing was done;
    `undo` the subject that undoes it, or how it is written; `facts` what was asked for, where it only tells; `order`
    what an OK has done."""

    done: str = ""
    said: str = ""
    undo: str = ""
    after: Match | None = None
    due: Sequence[tuple[OpenRound, Demand]] = ()
    status: str = ""
    board: tuple[str, ...] = ()
    verb: str = ""
    line: FreeText = ""
    faults: tuple[str, ...] = ()
    match: str = ""
    check: bool = False
    order: FreeText = ""
    facts: Facts = field(default_factory=dict)


class Acts(Value):
    """Each raises CannotDo; what it has done then is undone by the caller."""

    decisions: Decisions
    proposals: Proposals
    persons: Persons
    opening: Callable[[Unit, NewMatch, datetime], Match]

    def carried_out(
        self, unit: Unit, order: DeskOrder, now: datetime, which: str | None = None
    ) -> list[Effect]:
        """What came of it; of one for all matches, of each. `which` is the mail, or whatever else
        waits, that the order knows by another number."""
        which, asked = which or order.which, order.command
        if order.verb == "reject" and not PARKED.fullmatch(which):
            done = f"Mail {order.which} of {self.reject(unit, which, order.why, now)} does not count."
            said = f"{done} The letters leave at the next step. {NONE}"
            return [Effect(f"Mail {order.which} does not count; its sender is told why.", said)]
        if VERBS[order.verb].of == "mail":
            return [self.put_back(unit, which, order.verb, now)]
        if isinstance(asked, NewMatch):
            return [self.open(unit, asked, order.said, now)]
        if isinstance(asked, Addresses):
            return [(self.ask_new if order.verb == "address" else self.hand_over)(unit, asked, now)]
        assert asked is not None, "an order about matches without faults has its command"
        names = [order.match or ""]
        if order.every:
            outlines = (self.decisions.matches.outline(unit, name) for name in unit.names())
            found = [m for m in outlines if m.known]
            told = order.verb == "say"  # else deadlines are moved
            timed = (m for m in found if (m.status != "ended" if told else any(r.due_at for r in m.rounds)))
            names = [m.name for m in timed]
        if not names:
            raise CannotDo("No match goes on." if order.verb == "say" else "No deadline runs anywhere.")
        return [self._on_match(unit, order, asked, name, now) for name in names]

    def open(self, unit: Unit, wish: NewMatch, said: str, now: datetime) -> Effect:
        """A match as a mail asks for it: of files it can name none."""
        games = self.proposals.speaker.games
        specs, data = self.proposals.rules(games[wish.game]) if wish.game in games else ((), {})
        if files := [spec.name for spec in specs if spec.kind == "file" and wish.options.get(spec.name)]:
            raise CannotDo(f"{files[0]} is a file: at the shell, on the referee's machine, open reads it.")
        match = self.opening(unit, replace(wish, specs=specs, data=data), now)
        return Effect(VERBS["open"].done, said, f"end {match.name} --as called-off", match)

    def ask_new(self, unit: Unit, asked: Addresses, now: datetime) -> Effect:
        """The new address of a player who has lost theirs is asked; with its Yes it is theirs."""
        change = AddressChanged(asked.old, asked.new, kept=False)
        why = self.proposals.offices.hindrance(asked.new)
        faults = [f"{asked.new} can't be a player's: {why}."] if why else []
        if address_key(asked.old) == address_key(asked.new) or not self.persons.known(unit, asked.old):
            faults.append(f"Nobody plays here by {asked.old}, or it is no other address.")
        if faults := faults or self.persons.hindrances(unit, change, now):
            raise CannotDo(*faults)
        self.persons.ask(unit, *asked[:2], now, f"desk {stamp(now)} address")
        told = f"{asked.new} is asked; with its Yes all that is {asked.old}'s is its own"
        return Effect(f"{told}.", f"{told}. The letters leave at the next step. Until then nothing changes.")

    def hand_over(self, unit: Unit, asked: Addresses, now: datetime) -> Effect:
        """Who comes to the desk, and who leaves it, from now on; both are told."""
        desk, offices = list(self.proposals.offices.at_desk), self.proposals.offices
        leaves = asked.new if asked.off else "" if asked.beside else asked.old or desk[0]
        gone = [each for each in desk if leaves and address_key(each) == address_key(leaves)]
        come = [] if asked.off else [asked.new]
        hindered = ((each, why) for each in come if (why := offices.hindrance(each)))
        faults = [f"{each} can't be a moderator's: {why}." for each, why in hindered]
        faults += [f"{each} is a moderator's already." for each in come if offices.moderates(each)]
        if leaves and not gone:
            faults.append(f"{leaves} moderates nothing here; there are: {', '.join(desk)}.")
        if not come and gone == desk:
            faults.append("Nobody would be at the desk: hand it over to somebody.")
        if faults:
            raise CannotDo(*faults)
        after = [each for one in desk for each in (come if one in gone else [one])]
        unit.seat_moderators(after + come if asked.beside else after)
        speaker, cause = self.decisions.speaker, f"desk {stamp(now)} {' '.join(desk)}"
        for each, comes in (*((each, True) for each in come), *((each, False) for each in gone)):
            subject, told = f"You are at the desk{'' if comes else ' no more'}", {"comes": comes}
            reader, key = Recipient(each, "Moderator"), ("desk", cause, each)
            letter = speaker.letter("handed_over", reader, subject, key, now, told=told)
            self.decisions.outbox.post(unit, [from_desk(speaker, letter) if comes else letter])
        there = f"At the desk: {', '.join(offices.at_desk)}"
        undo, heard = f"{asked.new} {'--beside' if asked.off else '--off'}", f"{asked.new} hears"
        if come and gone:
            undo, heard = f"{gone[0]} --from {asked.new}", "Both hear"
        said = f"{there}. The letters leave at the next step."
        return Effect(f"{there}. {heard} of it.", said, undo=f"handover {undo}")

    def _on_match(
        self, unit: Unit, order: DeskOrder, command: MatchCommand | Amending, name: str, now: datetime
    ) -> Effect:
        before = self.decisions.matches.required(unit, name)
        if isinstance(command, Amending):
            specs, data = self.proposals.rules(self.decisions.matches.game(before))
            command = amended(before, command.options, specs, data if command.data else None, order.why)
        after = self.command(unit, name, command, now, order.why, check=order.check)
        undo = "" if order.check else undoing(before, command)
        status = after.status if after.status != before.status else ""
        # what is owed in public: that tells nothing of who has answered under seal
        moved = status or _owed(before) != _owed(after)
        was, none = before.board, ("There is no board.",)
        board = () if was is None else difference(was, after.board).sentences if after.board else none
        done, due = VERBS[order.verb].done or order.said, after.due if moved else ()
        return Effect(done, order.said, undo, after, due, status, board)

    def command(
        self, unit: Unit, name: str, command: MatchCommand, now: datetime, why: str, *, check: bool = False
    ) -> Match:
        """Carry out a command on a match, or, to `check` it, only find out how the match would stand."""
        who = command.entrant if isinstance(command, ev.EntrantReplaced | ev.SubstituteNamed) else None
        if faults := unwritable(self.proposals.offices, who) if who else ():
            raise CannotDo(*faults)
        match = self.decisions.matches.required(unit, name)
        decision = self.decisions.decide(unit, match, command, now)
        if isinstance(decision.verdict, Impossible):
            raise CannotDo(f"{name}: {decision.verdict.why}.")
        if not check:
            # what tells the stimulus from all others, by the public position: nothing in a letter may depend on what
            # a seat has sent under seal. What is said to one seat changes no position
            to = command if isinstance(command, ev.SaidToOne) else None
            cause = f"desk {match.position} {verb(command)}"
            cause += f" {to.seat} {stamp(now)} {to.text}" if to else ""
            self.decisions.record(unit, match, decision, now, cause, why)
            for asked in unit.letters(bucket=OPEN_QUESTION) if to else ():  # that seat's is answered
                kept = unit.mail_of(decoded(asked).reply.about)
                if to and kept is not None and (kept.match, kept.seat) == (name, to.seat):
                    unit.uncount(asked.message_id)
        return decision.match

    def reject(self, unit: Unit, which: str, why: str, now: datetime) -> str:
        """A mail put aside is settled without effect, and its sender told why; who that is."""
        kept = unit.mail(whole(which) or 0)
        if kept is None or kept.verdict not in (None, "held", "shunted"):
            raise CannotDo(f"There is no mail {which} that was put aside; `referee desk` lists them.")
        reason, about = f"rejected by the moderator: {why}", {"match": kept.match, "seat": kept.seat}
        unit.settle(kept.id, "refused", reason, now, seen_as=kept.verdict, **about)
        if kept.sender is not None:
            self.decisions.told_of(unit, kept, "rejected", now, at=kept.arrived, why=why)
        return kept.sender or "nobody"

    def put_back(self, unit: Unit, which: str, verb: str, now: datetime) -> Effect:
        """`release` or `unshunt`: mails are judged once more, the referee looks again for its own
        answer in a match, a letter leaves (`reject`: no more), or those are asked whom a proposal names."""
        lets = verb == "release"
        if lets and (asked := self.proposals.let_in(unit, which, now)):
            told = f"{', '.join(asked)} will be asked."
            return Effect(told, f"{told} The letters leave at the next step. {NONE}")
        if (lets or verb == "reject") and (number := PARKED.fullmatch(which)):
            if not unit.unpark(int(number[1]), leaves=lets):
                raise CannotDo(f"No letter {number[1]} is parked; `referee desk` lists them.")
            told, step = ("It leaves", " at the next step") if lets else ("It leaves no more", "")
            return Effect(f"{told}.", f"{told}{step}. {NONE}")
        again = [name for name in unit.stuck() if which in (name, "all")]
        unit.unstick(again)
        chosen = [] if again and which != "all" else self.release(unit, which, verb)
        mails = f"{len(chosen)} mail{'' if len(chosen) == 1 else 's'} will be judged"
        counted = bool(chosen or not again)
        once = "the referee looks for its own answer once more at the next step."
        done = [f"{mails}."] * counted + [f"In {name} I look for my own answer once more." for name in again]
        said = [f"{mails} at the next step. {NONE}"] * counted + [f"{name}: {once}" for name in again]
        return Effect(" ".join(done), "\n".join(said))

    @staticmethod
    def release(unit: Unit, which: str, kind: str) -> list[int]:
        """Put held or shunted mails back: one by its number, or `all`; their numbers."""
        verdict: Disposition = "held" if kind == "release" else "shunted"
        waiting = [mail for mail in unit.aside() if mail.verdict == verdict]
        chosen = waiting if which == "all" else [mail for mail in waiting if str(mail.id) == which]
        if not chosen and which != "all":
            raise CannotDo(f"There is no {verdict} mail {which!r}; `referee desk` lists them.")
        for mail in chosen:
            unit.reopen(mail.id, verdict, released=mail.released or verdict == "held")
            unit.mark(mail.id, arrived=min(mail.arrived, unit.clock().last_pass or mail.arrived))
        return [mail.id for mail in chosen]

    def turn_back(self, unit: Unit, now: datetime, why: str) -> list[str]:
        """After passes that ran ahead of the true time: in every match what time alone has done, and was not due, is
        void by an event. Answers stay: what was received since is judged once more. The names of the matches."""
        last, done = unit.clock().last_pass, []
        if last is None or last <= now:
            raise CannotDo(f"No pass has run ahead of {stamp(now)}.")
        for name in unit.names():
            history = unit.history(name)
            if history[-1].at <= now:
                continue
            if (position := ahead_of(history, now)) is not None:
                self.command(unit, name, do.Rewind(position, why, answered=True), now, why)
            for sent in (e.event for e in history if e.at > now and isinstance(e.event, ev.SilentReminded)):
                match, event = self.decisions.matches.load(unit, name), ev.ReminderVoided(**vars(sent))
                self.decisions.carry_out(unit, match, event, now, f"early {stamp(now)} {event}")
            if position is None:
                continue
            given = [(e.event, e.since or e.at) for e in history if e.position <= position]
            stands = {(event.demand.seat, at) for event, at in given if isinstance(event, ev.Answered)}
            for mail in unit.judged_since(name, now):
                if mail.verdict is not None and (mail.seat, mail.arrived) not in stands:
                    unit.reopen(mail.id, mail.verdict, released=mail.released)
            done.append(name)
        self.proposals.turned_back(unit, now)
        unit.turn_back(now)
        unit.set_clock(right(unit.clock(), now))
        return done


def _owed(match: Match) -> list[tuple[object, ...]]:
    return [(r.label, r.opened, demand, r.due_for(demand.seat)) for r, demand in match.due]


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
        case do.Rewind() | ev.TurnRuled(legal=False) | ev.MatchStopped() if before.inner is not None:
            return f"rewind {name} --to {before.position}"
        case do.Amend(options=options, data=None):
            old = " ".join(f"--option {key}={before.options.get(key, '')}" for key in sorted(options))
            return f"amend {name} {old}"
        case ev.SubstituteNamed(seat=seat) if seat not in before.substitutes:
            return f"substitute {name} {seat} --off"
        case ev.EntrantReplaced(seat=seat) | ev.SeatVacated(seat=seat) if before.inner is not None:
            person = before.entrant(seat) if seat in before.numbers else None
            if person is not None and person.addresses:
                who = quote(f"{person.name} <{person.addresses[0]}>")  # a player's name: no shell may obey it
                return f"replace {name} {seat} {who}"
    return ""
