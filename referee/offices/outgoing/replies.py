"""The letter that answers one mail, to its sender alone; and letters to a moderator, as the person at the desk: each
gives him a reply address that proves who he is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from referee.core.owing import Demand
from referee.match.match import Match
from referee.match.names import name_fault
from referee.offices.outgoing.kinds import KINDS, about_in_answer
from referee.offices.outgoing.letters import NO_REPLY, AnsweredMail, Letter, Meant, Recipient
from referee.offices.outgoing.speaker import Speaker, asked_rounds

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
    elif part == "held" and not str(entry["id"]).isdigit():
        told = ("release",)
    elif part == "failing" and entry.get("sealed"):
        told = ()
    else:
        told = _WAYS[part] if part != "vacant" or entry["seat"] else ("end as called-off because ...",)
    return [f"{number} {way}" for way in told]


AT_DESK: Mapping[str, object] = {"at": datetime.fromisoformat, "ways": ways}
"""What the templates of the desk are given besides."""


def from_desk(speaker: Speaker, letter: Letter) -> Letter:
    """The letter with the reply address of the moderator it goes to, by which a reply of his may order things."""
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
    """It; `kind` as in KINDS, `demand` what it is about, where that is something due; `reply` tells what a reply to it
    means, where that is not what the seat owes and the form of the context."""
    zone = match.entrant(seat).zone if match and seat else to.zone
    called = match.entrant(seat).name if match and seat else to.name
    # what a stranger writes in its place is not said after him
    reader = Recipient(to.address, "" if name_fault(called) else called, seat, zone)
    # nothing of the mail's own is in it
    about = about_in_answer(kind, str(context.get("topic", "")))
    if match is None:
        subject = about[0].upper() + about[1:]
    elif demand is None:
        subject = speaker.subject(match, about)
    else:
        subject = f"[{match.name}] {speaker.heading_of(match, demand)} - {about}"
    meant = replace(
        reply,
        form=str(context.get("form") or ""),
        rounds=asked_rounds(match, seat) or reply.rounds,
        about=reply.about or to.kept,
    )
    key = ("answer", to.identity, KINDS[kind].notice, to.address)
    letter = speaker.letter(
        kind, reader, subject, key, to.at, match, {**context, "subject": subject}, reply=meant
    )
    above = (*to.references, *((to.message_id,) if to.message_id else ()))[-_REFERENCES:]
    head = replace(letter.head, automatic="auto-replied", in_reply_to=to.message_id, references=above)
    return replace(letter, head=head)
