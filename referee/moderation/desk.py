"""The desk. What waits for a person, each with the command that settles it; and kept mails, as far as he may see them.
Until a sealed round is revealed, of a mail that may hold an answer to it only sender, match and reason are told; of one
about a match in which a moderator sits, its number and the commands alone. Who reads by mail is known, and is kept from
what his own matches hold; who has a shell is any of them. Once a day, if anything waits, each moderator has a letter of
it, with what he may know.

And what is ordered there, by the command line or by a moderator's mail: carried out in the caller's transaction, with
what came of it and which command undoes it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from shlex import quote
from typing import Any

from referee.base.errors import CannotDo
from referee.club.events import AddressChanged
from referee.club.proposal import Proposal
from referee.core.diagram import difference
from referee.core.texts.addresses import address_key
from referee.core.texts.bounded import whole
from referee.core.value import Demand, FreeText, Value
from referee.letters.letter import OPEN_QUESTION, Item, Meant, Recipient, decoded
from referee.letters.replies import AT_DESK, from_desk
from referee.mail.reader import MailReader
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
from referee.offices.register import Facts, NewMatch, amended, facts_of, moment, unwritable
from referee.store.post import DRAFT, NEWCOMER, Disposition, KeptMail
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
    opening: Callable[[Unit, NewMatch], Match]

    def carried_out(self, unit: Unit, order: DeskOrder, which: str | None = None) -> list[Effect]:
        """What came of it; of one for all matches, of each. `which` is the mail, or whatever else
        waits, that the order knows by another number."""
        which, asked = which or order.which, order.command
        if order.verb == "reject" and not PARKED.fullmatch(which):
            done = f"Mail {order.which} of {self.reject(unit, which, order.why)} does not count."
            said = f"{done} The letters leave at the next step. {NONE}"
            return [Effect(f"Mail {order.which} does not count; its sender is told why.", said)]
        if VERBS[order.verb].of == "mail":
            return [self.put_back(unit, which, order.verb)]
        if isinstance(asked, NewMatch):
            return [self.open(unit, asked, order.said)]
        if isinstance(asked, Addresses):
            return [(self.ask_new if order.verb == "address" else self.hand_over)(unit, asked)]
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
        return [self._on_match(unit, order, asked, name) for name in names]

    def open(self, unit: Unit, wish: NewMatch, said: str) -> Effect:
        """A match as a mail asks for it: of files it can name none."""
        games = self.proposals.speaker.games
        specs, data = self.proposals.rules(games[wish.game]) if wish.game in games else ((), {})
        if files := [spec.name for spec in specs if spec.kind == "file" and wish.options.get(spec.name)]:
            raise CannotDo(f"{files[0]} is a file: at the shell, on the referee's machine, open reads it.")
        match = self.opening(unit, replace(wish, specs=specs, data=data))
        return Effect(VERBS["open"].done, said, f"end {match.name} --as called-off", match)

    def ask_new(self, unit: Unit, asked: Addresses) -> Effect:
        """The new address of a player who has lost theirs is asked; with its Yes it is theirs."""
        change = AddressChanged(asked.old, asked.new, kept=False)
        why = self.proposals.offices.hindrance(asked.new)
        faults = [f"{asked.new} can't be a player's: {why}."] if why else []
        if address_key(asked.old) == address_key(asked.new) or not self.persons.known(unit, asked.old):
            faults.append(f"Nobody plays here by {asked.old}, or it is no other address.")
        if faults := faults or self.persons.hindrances(unit, change):
            raise CannotDo(*faults)
        self.persons.ask(unit, *asked[:2], f"desk {stamp(unit.now)} address")
        told = f"{asked.new} is asked; with its Yes all that is {asked.old}'s is its own"
        return Effect(f"{told}.", f"{told}. The letters leave at the next step. Until then nothing changes.")

    def hand_over(self, unit: Unit, asked: Addresses) -> Effect:
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
        speaker, cause = self.decisions.speaker, f"desk {stamp(unit.now)} {' '.join(desk)}"
        for each, comes in (*((each, True) for each in come), *((each, False) for each in gone)):
            subject, told = f"You are at the desk{'' if comes else ' no more'}", {"comes": comes}
            reader, key = Recipient(each, "Moderator"), ("desk", cause, each)
            letter = speaker.letter("handed_over", reader, subject, key, unit.now, told=told)
            self.decisions.outbox.post(unit, [from_desk(speaker, letter) if comes else letter])
        there = f"At the desk: {', '.join(offices.at_desk)}"
        undo, heard = f"{asked.new} {'--beside' if asked.off else '--off'}", f"{asked.new} hears"
        if come and gone:
            undo, heard = f"{gone[0]} --from {asked.new}", "Both hear"
        said = f"{there}. The letters leave at the next step."
        return Effect(f"{there}. {heard} of it.", said, undo=f"handover {undo}")

    def _on_match(self, unit: Unit, order: DeskOrder, command: MatchCommand | Amending, name: str) -> Effect:
        before = self.decisions.matches.required(unit, name)
        if isinstance(command, Amending):
            specs, data = self.proposals.rules(self.decisions.matches.game(before))
            command = amended(before, command.options, specs, data if command.data else None, order.why)
        after = self.command(unit, name, command, order.why, check=order.check)
        undo = "" if order.check else undoing(before, command)
        status = after.status if after.status != before.status else ""
        # what is owed in public: that tells nothing of who has answered under seal
        moved = status or _owed(before) != _owed(after)
        was, none = before.board, ("There is no board.",)
        board = () if was is None else difference(was, after.board).sentences if after.board else none
        done, due = VERBS[order.verb].done or order.said, after.due if moved else ()
        return Effect(done, order.said, undo, after, due, status, board)

    def command(
        self, unit: Unit, name: str, command: MatchCommand, why: str, *, check: bool = False
    ) -> Match:
        """Carry out a command on a match; or, to `check` it, find out how the match would stand."""
        who = command.entrant if isinstance(command, ev.EntrantReplaced | ev.SubstituteNamed) else None
        if faults := unwritable(self.proposals.offices, who) if who else ():
            raise CannotDo(*faults)
        match = self.decisions.matches.required(unit, name)
        decision = self.decisions.decide(unit, match, command)
        if isinstance(decision.verdict, Impossible):
            raise CannotDo(f"{name}: {decision.verdict.why}.")
        if not check:
            # what tells the stimulus from all others, by the public position: nothing in a letter may depend on what
            # a seat has sent under seal. What is said to one seat changes no position
            to = command if isinstance(command, ev.SaidToOne) else None
            cause = f"desk {match.position} {verb(command)}"
            cause += f" {to.seat} {stamp(unit.now)} {to.text}" if to else ""
            self.decisions.record(unit, match, decision, cause, why)
            for asked in unit.letters(bucket=OPEN_QUESTION) if to else ():  # its own is answered
                kept = unit.mail_of(decoded(asked).reply.about)
                if to and kept is not None and (kept.match, kept.seat) == (name, to.seat):
                    unit.uncount(asked.message_id)
        return decision.match

    def reject(self, unit: Unit, which: str, why: str) -> str:
        """A mail put aside is settled without effect, and its sender told why; who that is."""
        kept = unit.mail(whole(which) or 0)
        if kept is None or kept.verdict not in (None, "held", "shunted"):
            raise CannotDo(f"There is no mail {which} that was put aside; `referee desk` lists them.")
        reason, about = f"rejected by the moderator: {why}", {"match": kept.match, "seat": kept.seat}
        unit.settle(kept.id, "refused", reason, unit.now, seen_as=kept.verdict, **about)
        if kept.sender is not None:
            self.decisions.told_of(unit, kept, "rejected", at=kept.arrived, why=why)
        return kept.sender or "nobody"

    def put_back(self, unit: Unit, which: str, verb: str) -> Effect:
        """`release` or `unshunt`: mails are judged once more, the referee looks again for its own
        answer in a match, a letter leaves (`reject`: no more), or those are asked whom a proposal names."""
        lets = verb == "release"
        if lets and (asked := self.proposals.let_in(unit, which)):
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
        unit.now, last, done = now, unit.clock().last_pass, []
        if last is None or last <= unit.now:
            raise CannotDo(f"No pass has run ahead of {stamp(unit.now)}.")
        for name in unit.names():
            history = unit.history(name)
            if history[-1].at <= unit.now:
                continue
            if (position := ahead_of(history, unit.now)) is not None:
                self.command(unit, name, do.Rewind(position, why, answered=True), why)
            early = (entry.event for entry in history if entry.at > unit.now)
            for sent in (event for event in early if isinstance(event, ev.SilentReminded)):
                match, event = self.decisions.matches.load(unit, name), ev.ReminderVoided(**vars(sent))
                self.decisions.carry_out(unit, match, event, f"early {stamp(unit.now)} {event}")
            if position is None:
                continue
            given = [(e.event, e.since or e.at) for e in history if e.position <= position]
            stands = {(event.demand.seat, at) for event, at in given if isinstance(event, ev.Answered)}
            for mail in unit.judged_since(name, unit.now):
                if mail.verdict is not None and (mail.seat, mail.arrived) not in stands:
                    unit.reopen(mail.id, mail.verdict, released=mail.released)
            done.append(name)
        self.proposals.turned_back(unit)
        unit.turn_back(unit.now)
        unit.set_clock(right(unit.clock(), unit.now))
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


# --- what waits -----------------------------------------------------------------------------------

_STALLED = timedelta(days=14)  # so long nobody has done anything
_BEHIND = timedelta(minutes=2)  # so far the mailbox may be read behind a pass where workers share the work
_TOLD = 50  # mails put aside that one letter lists, the oldest first
_FIRST = 200  # characters of a mail's own words
_DONE = ("accepted", "refused", "ignored", "discarded")  # so mails of an earlier round may have ended
_read = lru_cache(_TOLD)(MailReader.read)  # what waits is told to each moderator, day after day


class DeskQueue(Value):
    """Looks, and changes nothing; what it tells daily is a letter."""

    reader: MailReader
    proposals: Proposals

    def all_that_waits(
        self, unit: Unit, now: datetime, reader: str | None = None, *, within: bool = False
    ) -> Facts:
        """The contract's facts of the desk, by what they are about; for the moderator at that address what he may know.
        What falls due in this very pass is not late, and `within` it nothing tells of the last one's trouble."""
        if reader is not None:
            now = min(now, unit.clock().watermark or now)
        matches = [self.proposals.matches.outline(unit, name) for name in unit.names()]
        live = [m for m in matches if m.status != "ended"]
        told = [facts_of(m) for m in live]
        mails = unit.aside()
        left = 0 if reader is None else max(0, len(mails) - _TOLD)  # a heap makes no letter that nobody reads
        aside = [(m.verdict, self._listed(unit, m, reader)) for m in mails[: len(mails) - left]]
        guests = (_guest(p, address) for p in self.proposals.forming(unit) for address in p.parked)
        own = {m.name for m in matches if reader is not None and m.seat_of(reader)}
        return {
            "held": [*(told for verdict, told in aside if verdict == "held"), *guests],
            "shunted": [told for verdict, told in aside if verdict == "shunted"],
            "questions": list(self._questions(unit, reader)),
            "failing": list(_failing(unit, live, own)),
            "vacant": [
                {"match": m.name, "status": m.status, "seat": seat if m.seating else None}
                | {"command": f'referee replace {m.name} {seat} "NAME <ADDRESS>" --why TEXT'}
                for m in live
                for seat in m.vacant
            ],
            "late": list(_dues(told, now, late=True)),
            "stalled": list(self._stalled(unit, live, now)),
            "next": sorted(_dues(told, now, late=False), key=lambda due: (due["due_at"], due["match"]))[:10],
            "trouble": [*(() if within else _of_passes(unit)), *self._trouble(unit, own, reader)],
            "last_pass": moment(unit.clock().last_pass),
            **({"left": left} if reader is not None else {}),
        }

    def tell(self, unit: Unit) -> None:
        """The daily letter, to each moderator for whom anything waits."""
        speaker, outbox = self.proposals.speaker, self.proposals.outbox
        for address in self.proposals.offices.at_desk:
            facts = self.all_that_waits(unit, unit.now, address)
            entries = (entry for part in (*NUMBERED, "trouble") for entry in facts[part])
            # a match that still gathers its players, or was paused, does as it should
            if all(entry.get("status") in ("filling", "paused") for entry in entries):
                continue
            told = {"told": (Effect(verb="desk", facts=facts),), "mails": "", "nothing": False, **AT_DESK}
            reader, key = Recipient(address), ("desk", address, unit.now.isoformat())
            meant = Meant(items=items_of(facts))
            letter = speaker.letter("desk", reader, "", key, unit.now, told=told, reply=meant)
            outbox.post(unit, [from_desk(speaker, letter)])

    def aside(self, unit: Unit, match: str, reader: str | None = None) -> list[Facts]:
        """The mails about a match that were put aside."""
        return [self._listed(unit, kept, reader) for kept in unit.aside() if kept.match == match]

    def mail(self, unit: Unit, which: int, reader: str | None = None) -> Facts:
        """A kept mail, whatever became of it. Raises CannotDo."""
        if (kept := unit.mail(which)) is None:
            raise CannotDo(f"There is no mail {which}.")
        facts = self._shown(unit, kept, reader)
        if "subject" not in facts:
            return facts
        read = _read(self.reader, kept.raw, cut=kept.cut)
        lines = [line.text for line in sorted((*read.own, *read.quoted), key=lambda line: line.number)]
        return {**facts, "text": "\n".join(lines)}

    def number(self, unit: Unit, known_by: str, number: int, reader: str | None) -> int:
        """How the reader knows a mail, or a letter, that waits: who plays anywhere by a number that counts nothing."""
        return self.proposals.keys.number(known_by) if self._plays(unit, reader) else number

    def _plays(self, unit: Unit, reader: str | None) -> bool:
        return any(map(unit.seats_of, [reader] if reader else self.proposals.offices.at_desk))

    def meant(self, unit: Unit, which: str, reader: str | None = None) -> str:
        """What the reader means by a number, or by one of a letter. Raises CannotDo."""
        if not (which.isdecimal() or PARKED.fullmatch(which)) or not self._plays(unit, reader):
            return which
        asked = (unit.mail_of(decoded(letter).reply.about) for letter in unit.letters(bucket=OPEN_QUESTION))
        mails = [*unit.aside(), *(kept for kept in asked if kept is not None)]
        known = {str(self.proposals.keys.number(kept.known_by)): str(kept.id) for kept in mails}
        parked = ((self.proposals.keys.number(letter.message_id), number) for number, letter in unit.parked())
        known |= {f"letter-{theirs}": f"letter-{number}" for theirs, number in parked}
        if which not in known:
            raise CannotDo(f"Nothing that waits has the number {which}; `desk` shows what does.")
        return known[which]

    def _questions(self, unit: Unit, reader: str | None) -> Iterator[Facts]:
        """What players have written to a person and nobody has answered; not to who plays there himself."""
        for asked in unit.letters(bucket=OPEN_QUESTION):
            kept = unit.mail_of(decoded(asked).reply.about)
            if kept is None or not kept.raw or not kept.match or not kept.seat:
                continue  # nothing to answer, or nobody: whoever wrote it may be forgotten
            if reader is not None and self._moderated_by_a_player(unit, [kept.match], reader):
                continue
            told = {**self._shown(unit, kept, reader), "seat": kept.seat, "asked": moment(asked.at)}
            yield {**told, "command": f"referee say {kept.match} --seat {kept.seat} TEXT"}

    def sealed(self, unit: Unit, kept: KeptMail) -> bool:
        """Whether the mail may hold an answer to a round that is still sealed. One whose seat is not known counts for
        every seat of its sender; one of nobody known for every match that it names, or any where it was written to a
        reply address. A draft is its seat's own as long as the match goes on."""
        places = [(kept.match, kept.seat or None)] if kept.match else self._places(unit, kept)
        if (kept.reason or "").startswith(DRAFT) and kept.match:
            return self.proposals.matches.outline(unit, kept.match).status != "ended"
        there = [(self.proposals.matches.outline(unit, name), seat) for name, seat in places]
        sealed = ((r, seat) for match, seat in there for r in match.rounds if r.sealed)
        asked = (r for r, seat in sealed if seat is None or any(d.seat == seat for d in r.demands))
        return any(not (kept.arrived < r.begun and kept.verdict in _DONE) for r in asked)

    def _places(self, unit: Unit, kept: KeptMail) -> list[tuple[str, int | None]]:
        if kept.sender and (own := unit.seats_of(kept.sender)):
            return [*own]
        read = _read(self.reader, kept.raw, cut=kept.cut)
        rows, tag = unit.summaries(), read.tag
        return [(r.name, None) for r in rows if read.tokens or r.game == tag.game or r.name in tag.brackets]

    def _listed(self, unit: Unit, kept: KeptMail, reader: str | None) -> Facts:
        """A mail that was put aside."""
        command, shown = "release" if kept.verdict == "held" else "unshunt", self._shown(unit, kept, reader)
        reject = f"referee reject {shown['id']} --why TEXT"
        return {**shown, "command": f"referee {command} {shown['id']}", "or": reject}

    def _shown(self, unit: Unit, kept: KeptMail, reader: str | None) -> Facts:
        """What may be told of a mail, with the first of its own words."""
        number = self.number(unit, kept.known_by, kept.id, reader)
        about = [kept.match] if kept.match else [name for name, _ in self._places(unit, kept)]
        if self._moderated_by_a_player(unit, about, reader):
            return {"id": number, "sealed": True}
        why, sealed = kept.reason or "", self.sealed(unit, kept)
        reason = why.strip().splitlines() or [""]
        facts = {
            **({"new": True} if why.startswith(NEWCOMER) else {}),
            "id": number,
            "from": kept.sender,
            "match": kept.match,
            "why": reason[0].partition(":")[0] if sealed else reason[-1],
            "verdict": kept.verdict,
            "arrived": moment(kept.arrived),
            "sealed": sealed,
        }
        if sealed:
            return facts
        read = _read(self.reader, kept.raw, cut=kept.cut)
        return {**facts, "subject": read.subject, "words": " ".join(line.text for line in read.own)[:_FIRST]}

    def _moderated_by_a_player(self, unit: Unit, names: list[str], reader: str | None) -> bool:
        readers = self.proposals.offices.at_desk if reader is None else (reader,)
        found = (self.proposals.matches.outline(unit, name) for name in names if unit.has_match(name))
        return any(match.seat_of(address) for match in found for address in readers)

    def _trouble(self, unit: Unit, own: set[str], reader: str | None) -> Iterator[Facts]:
        for letter in unit.letters(state="failed"):
            about = letter.match or "no match"
            what, command = f"a letter about {about} can't be delivered", "referee desk"
            if letter.match not in own:
                what = f"a letter ({letter.kind}, {about}) to {letter.recipient} can't be delivered: {letter.note}"
                command = "referee doctor"
            yield {"what": what, "command": command}
        for number, letter in unit.parked():
            number = self.number(unit, letter.message_id, number, reader)
            told = (f" ({letter.kind}) to {letter.recipient}", f": {letter.note}")
            whom, why = ("", "") if letter.match in own else told
            what = f"a letter{whom} about {letter.match or 'no match'} may have left, or not{why}"
            command, other = f"referee release letter-{number}", f"referee reject letter-{number} --why TEXT"
            yield {"what": what, "command": command, "or": other}

    def _stalled(self, unit: Unit, live: list[Match], now: datetime) -> Iterator[Facts]:
        """Matches in which nothing goes on, or can."""
        stuck = unit.stuck()
        for m in live:
            known_of = (*(r.opened_at for r in m.rounds), *(p.closed_at for p in m.past))
            since: datetime | None = max([m.opened_at, *known_of])  # when something happened that all know of
            quiet = now - since if since is not None else timedelta()
            if not m.known:
                why, command = "its ledger can't be read by this version", "referee check"
            elif m.name in stuck:
                why, command = "the referee found no answer of its own", f"referee unshunt {m.name}"
            elif m.status == "paused":
                why, since = f"paused since {moment(m.paused_at)}", m.paused_at
                command = f"referee resume {m.name} --why TEXT"
            elif quiet >= _STALLED:
                why = f"nothing has happened for {quiet.days} days"
                command = f"referee end {m.name} --as called-off --why TEXT"
            else:
                continue
            told = {"match": m.name, "status": m.status, "why": why}
            yield {**told, "since": moment(since), "command": command}


def _guest(proposal: Proposal, address: str) -> Facts:
    """Somebody unknown here whom a proposal names: he is asked once the moderator says so."""
    return {
        "id": f"{proposal.name} {address}",
        "from": proposal.by.address,
        "match": None,
        "why": f"{address} is named, and nobody knows that address here",
        "subject": f"propose {proposal.made.game}",
        "words": "",
        "verdict": "held",
        "arrived": None,
        "sealed": False,
        "command": f"referee release {proposal.name}",
    }


def _failing(unit: Unit, live: list[Match], own: set[str]) -> Iterator[Facts]:
    """One entry for each address, with the seats that have it; of one in a match of the reader's
    own (`own`) only that there is one."""
    seats: dict[str, list[tuple[Match, int]]] = {}
    for match in live:
        for number in match.numbers:
            for address in match.entrant(number).addresses:
                seats.setdefault(address_key(address), []).append((match, number))
    for person in unit.failing(seats):
        if veiled := [m.name for m, _ in seats[person.address] if m.name in own]:
            told = {"match": veiled[0], "since": moment(person.failing), "sealed": True}
            yield {**told, "command": "referee desk"}
            continue
        yield {
            "address": person.address,
            "seats": [{"match": m.name, "seat": n} for m, n in seats[person.address]],
            "since": moment(person.failing),
            "why": person.note or "",
            # they chose it: no shell may obey it
            "command": f"referee address {quote(person.address)} NEW --why TEXT",
        }


def _dues(told: list[Facts], now: datetime, *, late: bool) -> Iterator[Facts]:
    """Who owes what until when, in public: of a sealed round everybody who was asked."""
    for facts in told:
        for due in facts["due"] if facts["status"] == "open" else ():
            if due["due_at"] is not None and (datetime.fromisoformat(due["due_at"]) < now) is late:
                extend = f"referee extend {facts['match']} --seat {due['seat']} --by 3d --why TEXT"
                yield {"match": facts["match"], **due, **({"command": extend} if late else {})}


def _of_passes(unit: Unit) -> Iterator[Facts]:
    clock = unit.clock()
    if clock.under_way:
        yield {"what": "the last pass broke off", "command": "referee step"}
    read, last = clock.watermark, clock.last_pass
    if read is not None and last is not None and last - read > _BEHIND:
        yield {"what": f"the mailbox was read up to {moment(read)} only", "command": "referee doctor"}


# --- the desk's letter ----------------------------------------------------------------------------

NUMBERED = ("held", "shunted", "questions", "failing", "vacant", "late", "stalled")


def items_of(facts: Mapping[str, Any]) -> tuple[Item, ...]:
    """What the desk's letter numbers, in its order."""
    found = []
    for part in NUMBERED:
        for entry in facts[part]:
            told = [entry.get(name) for name in ("match", "seat", "demand", "due_at", "address", "since")]
            if part in ("held", "shunted", "questions"):
                told = [entry["id"], *(("new",) if entry.get("new") else ())]
            place, number = (entry.get("seats") or [entry])[0], str(entry.get("id", "")).partition(" ")[0]
            found.append(Item((part, *map(str, told)), place.get("match"), place.get("seat"), number))
    return tuple(found)
