"""The letter that answers one mail, to its sender alone; questions to an address, which its owner
answers by a plain Yes or No; and letters to the moderators: each gives them a reply address that
proves who they are. Who plays in the match that one is about learns only that something waits."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from referee.core.texts.addresses import address_key
from referee.core.value import Demand
from referee.letters.letter import NO_REPLY, AnsweredMail, Item, Letter, Meant, Measure, Recipient
from referee.letters.speaker import KINDS, Speaker, about_in_answer, asked_rounds, thread
from referee.match.match import Match
from referee.match.names import name_fault
from referee.store.post import KeptMail
from referee.store.sql import Unit

_WAYS: Mapping[str, tuple[str, ...]] = {
    "held": ("release", "reject because ...", "mail"),
    "shunted": ("unshunt", "reject because ...", "mail"),
    "questions": ("answer ...",),
    "failing": ('replace "NAME <ADDRESS>" because ...',),
    "vacant": ('replace "NAME <ADDRESS>" because ...',),
    "late": ("extend 3d because ...", 'replace "NAME <ADDRESS>" because ...'),
}


def ways(part: str, entry: Mapping[str, Any], number: int) -> list[str]:
    """What may stand in a line of a reply to settle an entry of the desk's letter."""
    if part == "stalled":
        verb, *rest = str(entry["command"]).removeprefix("referee ").removesuffix(" --why TEXT").split()
        told: tuple[str, ...] = (" ".join((verb, *rest[1:], "because ...")),) if verb != "check" else ()
    elif entry.get("new"):
        told = ("", "reject because ...", "mail")
    elif part == "held" and not str(entry["id"]).isdigit():
        told = ("release",)
    elif part == "failing" and entry.get("sealed"):
        told = ()
    else:
        told = _WAYS[part] if part != "vacant" or entry["seat"] else ("end as called-off because ...",)
    return [f"{number} {way}".strip() for way in told]


AT_DESK: Mapping[str, object] = {"at": datetime.fromisoformat, "ways": ways}
"""What the templates of the desk are given besides."""


def from_desk(speaker: Speaker, letter: Letter) -> Letter:
    """The letter with the reply address of the moderator it goes to, by which a reply of theirs may order things."""
    head = letter.head
    token = speaker.keys.desk_token(head.recipient, head.at)
    return replace(letter, head=replace(head, token=token), reply=replace(letter.reply, desk=True))


_REFERENCES = 20  # of a thread that a letter names


def answer(
    speaker: Speaker,
    kind: str,
    to: AnsweredMail,
    context: Mapping[str, object],
    match: Match | None = None,
    seat: int | None = None,
    demand: Demand | None = None,
    reply: Meant = NO_REPLY,
) -> Letter:
    """It; `kind` as in KINDS, `demand` what it is about, where that is something due; `reply` tells
    what a reply to it means, where that is not what the seat owes and the form of the context."""
    zone = match.entrant(seat).zone if match and seat else to.zone
    called = match.entrant(seat).name if match and seat else to.name
    # what a stranger writes in its place is not said after them
    reader = Recipient(to.address, "" if name_fault(called) else called, seat, zone)
    # nothing of the mail's own is in it
    duty = speaker.duty(match, demand) if match and demand else "answer"
    about = about_in_answer(kind, str(context.get("topic", "")), duty)
    named = match or context.get("named")
    if not isinstance(named, Match):
        subject = about[0].upper() + about[1:]
    elif demand is None or not speaker.fixed(named):
        subject = speaker.subject(named, about)
    else:
        short = about.removeprefix(f"your {duty} ").removeprefix("is ")
        subject = f"[{named.name}] {speaker.heading_of(named, demand)} - {short}"
    form, rounds = str(context.get("form") or ""), asked_rounds(match, seat) or reply.rounds
    meant = replace(reply, form=form, rounds=rounds, about=reply.about or to.kept)
    key = "answer", to.identity, KINDS[kind].notice, to.address
    told = {"heard": to, "arrived": to.arrived, **context, "subject": subject}
    above = (*to.references, *((to.message_id,) if to.message_id else ()))[-_REFERENCES:]
    head = {"automatic": "auto-replied", "in_reply_to": to.message_id, "references": above}
    return speaker.letter(kind, reader, subject, key, to.at, match, told, head=head, reply=meant)


# --- questions to an address; a reply is told by the Message-ID, which nobody else knows ---


def question(
    speaker: Speaker,
    kind: str,
    reader: Recipient,
    identity: str,
    now: datetime,
    told: Mapping[str, object],
    bucket: str,
    match: Match | None = None,
) -> Letter:
    """About a mail, to an address: is it theirs, or is what it says of this address so? What is
    about no match names none."""
    below = thread(match, reader.address) if match is not None and kind == "challenge" else ()
    key, whose = challenge_key(identity, reader.address), kind.partition("_")[0]
    asked: Any = whose if whose in ("address", "substitute") else "mail"
    asks = Meant(about=identity, asks=asked)
    measure = Measure(topic=identity, bucket=bucket)
    return speaker.letter(kind, reader, "", key, now, match, told, below=below, reply=asks, measure=measure)


def challenge_key(identity: str, address: str, *, again: bool = False) -> tuple[str, ...]:
    """The key of the question about a mail to an address; `again`: of the second and last one."""
    return "challenge", identity, address, *(("again",) if again else ())


# --- to the moderators ------------------------------------------------------------------------------------------

# What may tell of a match more than its players know.
_PRIVATE = frozenset(
    ("held", "shunted", "bounce", "missed", "forged", "disowned", "moved", "undelivered", "parked", "delayed")
)
STRANGERS = "strangers"  # the measure of all alarms about people who play nowhere here


def to_moderator(
    speaker: Speaker, topic: str, subject: str, key: tuple[str, ...], now: datetime, **facts: Any
) -> Letter:
    """An alarm of the kind `topic`; `key` tells it from all others, `facts` are what its words need: a `reason`, the
    `mail` it is about. It is written to the first moderator; the outbox sends it to each."""
    reader = Recipient(speaker.offices.moderator, "Moderator")
    told: dict[str, Any] = {"topic": topic, "reason": "", "mail": None, "about": "", **facts}
    mail: KeptMail | None = told["mail"]
    named = (told["reason"], told["about"], *((mail.match, mail.sender) if mail else ()), facts.get("where"))
    concerns = tuple(str(name) for name in named if name) if topic in _PRIVATE else ()
    number = mail.id if mail is not None and topic in ("held", "shunted") else 0
    letter = speaker.letter("alarm", reader, subject, ("alarm", *key), now, told=told)
    return replace(letter, measure=Measure("alarm", topic), concerns=concerns, number=number, told=told)


def unreached(unit: Unit, address: str, now: datetime) -> tuple[str, ...]:
    """The key of the one alarm of a day about a person whom letters do not reach, at whichever address."""
    return "undelivered", unit.person(address).owner or address_key(address), f"{now:%Y-%m-%d}"


def copies(speaker: Speaker, unit: Unit, letter: Letter) -> Iterator[Letter]:
    """The alarm for each moderator; without what it says where it is about a match in which they
    play. Whoever plays anywhere knows mails by numbers that count nothing."""
    first, *others = speaker.offices.at_desk
    # the matches that it may be about: those it names, and those of whom it names
    told = {name for each in letter.concerns if "@" in each for name, _ in unit.seats_of(each)}
    told |= {row.name for row in unit.summaries(each for each in letter.concerns if "@" not in each)}
    for address in (first, *others):
        copy, head = letter.to(address), letter.head
        if address != first:
            copied = speaker.message_id("alarm to", address, head.message_id)
            copy = replace(copy, head=replace(copy.head, message_id=copied))
        seats = {name for name, _ in unit.seats_of(address)}
        if letter.told and seats:
            copy = _to_player(speaker, copy, veiled=bool(told & seats))
        if letter.told.get("topic") == "newcomer":
            mail = letter.told["mail"]
            number = str(speaker.keys.number(mail.known_by) if seats else mail.id)
            copy = replace(copy, reply=Meant(items=(Item(("held", number, "new"), which=number),)))
        yield from_desk(speaker, copy)


def _to_player(speaker: Speaker, letter: Letter, *, veiled: bool) -> Letter:
    """The alarm for a moderator who plays."""
    head, mail = letter.head, letter.told["mail"]
    context = {**speaker.context(None, Recipient(head.recipient, "Moderator")), **letter.told}
    number = speaker.keys.number(mail.known_by) if mail is not None else 0
    if veiled:
        context |= {"topic": "veiled", "number": number if letter.number else 0, "mail": None}
        head = replace(head, subject="Something about a match in which you play waits")
    elif mail is not None:
        context["mail"] = mail._replace(id=number)
    return replace(letter, page=speaker.page("alarm", context), head=head)


def unreadable(speaker: Speaker, name: str, game: str | None, version: int, why: str, at: datetime) -> Letter:
    """Once for each version of it: the match's ledger can't be read."""
    subject = speaker.titled(name, game, "the ledger can't be read")
    key = ("fault", name, "ledger", str(version))
    return to_moderator(speaker, "unfoldable", subject, key, at, reason=why, about=name)


def counted_about(letter: Letter, seats: Sequence[tuple[str, int]], proof: str) -> Letter:
    """The alarm, counted as one about somebody who has those seats: the first of its kind in a day about each player,
    and about what proves as much, always comes. Without seats it is one about strangers, who have one measure."""
    if not seats:
        return letter.counted(topic=STRANGERS)
    match, seat = seats[0]
    return letter.counted(bucket=f"{letter.measure.topic} about {match}/{seat}, {proof}")
