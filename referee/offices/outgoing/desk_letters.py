"""Letters to a moderator, as the person at the desk: each gives him a reply address that proves who he is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from referee.offices.outgoing.letters import Letter
from referee.offices.outgoing.speaker import Speaker

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
