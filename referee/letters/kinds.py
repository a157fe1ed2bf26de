"""The kinds of letters: how each goes out, and under which subject."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from referee.base import shipped
from referee.core import seam
from referee.core.game import AnyGame


@dataclass(frozen=True, slots=True)
class Kind:
    """How a letter goes out."""

    notice: str  # what its header calls it (contract, "Mail out")
    office: Literal["speaker", "collector"]  # who writes it
    reply_to: Literal["speaker", "collector", "moderator"]
    about: str = ""  # the subject of one that answers a mail
    known_by_id: bool = False
    template: str = ""


# What goes to every seat and every observer (contract, "Mail out").
PUBLIC = frozenset(("announcement", "opened", "lapsed", "rewound", "extended", "ended"))

_DATA = tomllib.loads(shipped.read("templates", "referee/kinds.toml"))
KINDS: Mapping[str, Kind] = {
    name: Kind(office=way["office"], reply_to=way["reply_to"], **how)
    for way in _DATA["ways"]
    for name, how in way["kinds"].items()
}
_DONE: Mapping[str, str] = _DATA["done"]


def about_in_answer(kind: str, topic: str, duty: str = "answer") -> str:
    """What the subject of a letter says that answers a mail, in our own words alone: the mail may be anybody's, and
    whoever reads the letter answers it under what stands there. `duty` is what an answer of theirs is called."""
    told = _DONE.get(f"{topic}_not") if kind == "not_done" else ""
    told = told or _DONE.get(topic) or KINDS[kind].about or _DONE.get(topic.partition("_")[0])
    return (told or "what became of your mail").format(duty=duty)


def heading_for(game: AnyGame, kind: str) -> str:
    """The first heading of a kind of answer; of one that has none, the game's first."""
    named = [heading for heading, of in seam.headings(game).items() if of == kind]
    return named[0] if named else game.answers[0].headings[0]


# --- of what a seat owes --------------------------------------------------------------------------------------

_SEAT = re.compile(r"player \d+", re.IGNORECASE)
_NUMBERED = re.compile(r"(.*?)\s*(\d+)")
_PLAIN = {"ply": "move", "shown ply": "shown move"}  # of a label, in plain words


def staged(words: str, label: str) -> str:
    """The words for an answer with the stage of the match that the label names, if it names one."""
    stages: list[str] = []
    for part in re.split(r" / |, ", label):
        found = _NUMBERED.fullmatch(part)
        if found is None or _SEAT.fullmatch(part):
            continue
        of, number = _PLAIN.get(found[1].lower(), found[1].lower()), found[2]
        if not words.lower().endswith(of):
            stages.append(f"{of} {number}")
        elif number != "1":
            stages.append(f"no. {number}")
    return f"{words} ({', '.join(stages)})" if stages else words
