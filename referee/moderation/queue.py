"""What waits for a person, each with the command that settles it; and kept mails, as far as he may
see them.

Until a sealed round is revealed, of a mail that may hold an answer to it only sender, match and
reason are told; of one about a match in which a moderator sits, its number and the commands alone.
Who reads by mail is known, and is kept from what his own matches hold; who has a shell is any of
them. Once a day, if anything waits, each moderator has a letter of it, with what he may know."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from shlex import quote
from typing import Any

from referee.base.errors import CannotDo
from referee.club.proposal import Proposal
from referee.core.texts.addresses import address_key
from referee.core.value import Value
from referee.letters.letter import OPEN_QUESTION, Item, Meant, Recipient, decoded
from referee.letters.replies import AT_DESK, from_desk
from referee.mail.reader import MailReader
from referee.match.match import Match
from referee.moderation.acts import Effect
from referee.moderation.orders import PARKED
from referee.offices.club import Proposals
from referee.offices.register import Facts, facts_of, moment
from referee.store.inbox import DRAFT, NEWCOMER, KeptMail
from referee.store.sql import Unit

_STALLED = timedelta(days=14)  # so long nobody has done anything
_BEHIND = timedelta(minutes=2)  # so far the mailbox may be read behind a pass where workers share the work
_TOLD = 50  # mails put aside that one letter lists, the oldest first
_FIRST = 200  # characters of a mail's own words
_DONE = ("accepted", "refused", "ignored", "discarded")  # so a mail of an earlier round may have ended


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
        guests = (_guest(proposal, address) for proposal, address in self.proposals.waiting(unit))
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

    def tell(self, unit: Unit, now: datetime) -> None:
        """The daily letter, to each moderator for whom anything waits."""
        speaker, outbox = self.proposals.speaker, self.proposals.outbox
        for address in self.proposals.offices.at_desk:
            facts = self.all_that_waits(unit, now, address)
            entries = (entry for part in (*NUMBERED, "trouble") for entry in facts[part])
            # a match that still gathers its players, or was paused, does as it should
            if all(entry.get("status") in ("filling", "paused") for entry in entries):
                continue
            told = {"told": (Effect(verb="desk", facts=facts),), "mails": "", "nothing": False, **AT_DESK}
            reader, key = Recipient(address), ("desk", address, now.isoformat())
            meant = Meant(items=items_of(facts))
            letter = speaker.letter("desk", reader, "", key, now, told=told, reply=meant)
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
        read = self.reader.read(kept.raw, cut=kept.cut)
        lines = [line.text for line in sorted((*read.own, *read.quoted), key=lambda line: line.number)]
        return {**facts, "text": "\n".join(lines)}

    def number(self, unit: Unit, known_by: str, number: int, reader: str | None) -> int:
        """How the reader knows a mail, or a letter, that waits: who plays anywhere by a number that counts nothing."""
        return self.proposals.keys.number(known_by) if self._plays(unit, reader) else number

    def _plays(self, unit: Unit, reader: str | None) -> bool:
        return any(map(unit.seats_of, [reader] if reader else self.proposals.offices.at_desk))

    def meant(self, unit: Unit, which: str, reader: str | None = None) -> str:
        """What the reader means by a number, or by one of a letter. Raises CannotDo, at a shell never."""
        if not (which.isdecimal() or PARKED.fullmatch(which)) or not self._plays(unit, reader):
            return which
        asked = (unit.mail_of(decoded(letter).reply.about) for letter in unit.letters(bucket=OPEN_QUESTION))
        mails = [*unit.aside(), *(kept for kept in asked if kept is not None)]
        known = {str(self.proposals.keys.number(kept.known_by)): str(kept.id) for kept in mails}
        parked = ((self.proposals.keys.number(letter.message_id), number) for number, letter in unit.parked())
        known |= {f"letter-{theirs}": f"letter-{number}" for theirs, number in parked}
        if which not in known and reader is not None:
            raise CannotDo(f"Nothing that waits has the number {which}; the subject desk shows what does.")
        return known.get(which, which)

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
        return any(
            not (kept.arrived < r.begun and kept.verdict in _DONE)
            for name, seat in places
            for r in self.proposals.matches.outline(unit, name).rounds
            if r.sealed and (seat is None or any(d.seat == seat for d in r.demands))
        )

    def _places(self, unit: Unit, kept: KeptMail) -> list[tuple[str, int | None]]:
        if kept.sender and (own := unit.seats_of(kept.sender)):
            return [*own]
        read = self.reader.read(kept.raw, cut=kept.cut)
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
        read = self.reader.read(kept.raw, cut=kept.cut)
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


# --- the desk's letter --------------------------------------------------------------------------------------------

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
