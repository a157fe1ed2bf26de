"""Declarations of readiness (601.B), with the Office's name and colours (500), and leaving before play (104)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from referee.core.block import Vocabulary, action_block, bare
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.game import Mended, Party, Reading
from referee.core.orderlike import looks_like_order
from referee.games.fourplay.actions import Declare, Leave
from referee.games.fourplay.army.catalogue import catalogue_of
from referee.games.fourplay.notation import (
    COMMENT,
    RESIGNATIONS,
    Key,
    Keyed,
    comment_lines,
    comment_of,
    empty,
    folded,
    keyed,
    not_understood,
    once,
    terms_beside_words,
    tidied,
)
from referee.games.fourplay.state import State

DECLARATION: Final = "I am ready for battle. Let the Games begin!"

OFFICE: Final = Key("Office", ("office", "officename", "nameofoffice", "myoffice"))
COLOURS: Final = Key(
    "Colours", ("colours", "colors", "colour", "color", "maincolours", "maincolors", "mycolours")
)
TRIM: Final = Key("Trim", ("trim", "trimcolours", "trimcolors", "trimcolour", "trimcolor"))
KEYS: Final = (OFFICE, COLOURS, TRIM, COMMENT)

_RULE: Final = "601.B"
_WORDS: Final = "".join(folded(word) for word in DECLARATION.split())

# The declaration's two sentences, folded, and what people make of them. Both must be there, in their order.
_READY: Final = (
    r"(?:(?:iam|im|weare)(?:all|now)?|(?<!not)(?<!nt)(?<!un)(?<!never)(?<!nearly)(?<!almost)(?<!yet))"
    r"ready(?:for(?:the)?(?:battles?|games?|war|play))?"
)
_BEGIN: Final = r"letthe(?:games?|battles?)(?:begin|start|commence)"
_PART: Final = re.compile(f"{_READY}|{_BEGIN}")
_WHOLE: Final = re.compile(f"{_READY}(?:and|so|now)?{_BEGIN}")


def _says_part(text: str) -> bool:
    """Whether the line holds the declaration or one of its two sentences."""
    return bool(_PART.search(folded(tidied(text))))


def _vocabulary(state: State, name: str) -> Vocabulary:
    def orders(text: str) -> bool:
        return _says_part(text) or keyed(Line(0, text), KEYS).key is not None

    terms = terms_beside_words(catalogue_of(state.rules.pieces))
    own = frozenset(written for key in KEYS for written in key.written)
    return Vocabulary(frozenset(), orders=orders, terms=replace(terms, keys=terms.keys | own), names=(name,))


def read_ready(state: State, lines: Sequence[Line], party: Party) -> Reading[Declare]:
    """The declaration, wherever it stands in the mail; quotes, case, punctuation and line ends do not matter."""
    block = action_block(lines, _vocabulary(state, party.name))
    entries = [keyed(line, KEYS) for line in block.orders]
    office, office_twice = once(entries, OFFICE.name, "500")
    colours, colours_twice = once(entries, COLOURS.name, "500")
    trim, trim_twice = once(entries, TRIM.name, "500")
    doubts = [not_understood(line, KEYS, "500") for line in block.doubtful]
    complaints = [*office_twice, *colours_twice, *trim_twice, *_strange(entries), *doubts]
    if not _WHOLE.search(folded("".join(tidied(line.text) for line in lines))):
        complaints.insert(0, Complaint("declaration_missing", _RULE, None, {"declaration": DECLARATION}))
    main, beside = _palette(colours.value if colours else "")
    action = Declare(
        office=_unquoted(office.value) if office else "",
        colours=main,
        trim=beside + (_colours(trim.value) if trim else ()),
        comment=comment_of(entries),
        office_line=office.line if office else None,
        colours_line=colours.line if colours else trim.line if trim else None,
    )
    orders = tuple(sorted((*block.orders, *block.doubtful), key=lambda line: line.number))
    return Reading(action, tuple(complaints), block.courtesy, orders)


def _strange(entries: Sequence[Keyed]) -> Iterable[Complaint]:
    for entry in entries:
        if entry.key is None and not _says_part(entry.line.text) and folded(entry.value) not in _WORDS:
            yield not_understood(entry.line, KEYS, "500")


def _unquoted(text: str) -> str:
    return text.strip(" \"'")


def _palette(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Main colours, and what follows the word `trim`."""
    main, _, trim = re.sub(
        r"(?i)\b(?:trimmed|with trim|trim)\b(?: colou?rs?)?(?: (?:of|in|with))?:?", "\n", text, count=1
    ).partition("\n")
    return _colours(main), _colours(trim)


def _colours(text: str) -> tuple[str, ...]:
    if empty(text):
        return ()
    parts = re.split(r"[,;/+&]|\b(?:and|with|on)\b", text.lower())
    return tuple(
        dict.fromkeys(" ".join(part.split()).strip(" .\"'()") for part in parts if part.strip(" .\"'()"))
    )


def ready_complaints(state: State, seat: int, said: Declare) -> tuple[Complaint, ...]:
    """500: the Office's name and the set of its colours are nobody else's; one or two main colours, at most two of
    trim. Both may be left out."""
    found: list[Complaint] = []
    others = [player for player in state.players if player.seat != seat]
    for player in others:
        if said.office and folded(said.office) == folded(player.office):
            found.append(
                Complaint("office_taken", "500", said.office_line, {"office": said.office, "by": player.seat})
            )
        mine, theirs = {*said.colours, *said.trim}, {*player.colours, *player.trim}
        if mine and mine == theirs:
            facts = {"colours": sorted(mine), "by": player.seat}
            found.append(Complaint("colours_taken", "500", said.colours_line, facts))
    if len(said.colours) > 2 or len(said.trim) > 2 or (said.trim and not said.colours):
        facts = {"main": list(said.colours), "trim": list(said.trim)}
        found.append(Complaint("colours_count", "500", said.colours_line, facts))
    if len(said.office) > 60 or any(len(colour) > 30 for colour in (*said.colours, *said.trim)):
        found.append(Complaint("too_long", "house", said.office_line or said.colours_line))
    return tuple(found)


def ready_text(said: Declare) -> str:
    """The declaration in canonical text."""
    return "\n".join([DECLARATION, *_office_lines(said), *comment_lines(said.comment)])


def _office_lines(said: Declare) -> list[str]:
    lines = [f"Office: {said.office}"] if said.office else []
    if said.colours:
        lines.append(f"Colours: {', '.join(said.colours)}")
    return lines + ([f"Trim: {', '.join(said.trim)}"] if said.trim else [])


def mended_ready(state: State, party: Party, reading: Reading[Declare]) -> Mended:
    """The declaration, with the Office and the colours as they were said: another choice is their owner's."""
    block = action_block(reading.orders, _vocabulary(state, party.name))
    entries = [keyed(line, KEYS) for line in block.orders]
    lines = [
        f"{key.name}: {value}"
        for key in (OFFICE, COLOURS, TRIM)
        for value in dict.fromkeys(e.value for e in entries if e.key == key.name and not empty(e.value))
    ]
    stated = {line.partition(":")[0] for line in lines}
    meant = {
        c.line: c.facts["near"]
        for c in reading.complaints
        if c.code == "key_unknown" and c.line is not None and c.facts["near"] not in stated
    }
    taken = [f"{near}: {line.text.partition(':')[2].strip()}" for line, near in meant.items()]
    chosen = tuple(f'I read "{line.text.strip()}" as `{near}:`.' for line, near in meant.items())
    unread = ("not_understood", "key_unknown", "resign_elsewhere")
    chosen += left_out(c.line for c in reading.complaints if c.code in unread and c.line not in meant)
    return Mended("\n".join([DECLARATION, *lines, *taken, *comment_lines(comment_of(entries))]), chosen)


def left_out(lines: Iterable[Line | None]) -> tuple[str, ...]:
    """What mending says of lines that it left out because nobody could read them."""
    texts = dict.fromkeys(line.text.strip() for line in lines if line is not None)
    return tuple(f'I left out what I could not read: "{text}".' for text in texts)


def mended_leave(reading: Reading[Leave]) -> Mended:
    """A resignation, without what was written beside it."""
    return Mended(leave_text(reading.action or Leave()), left_out(c.line for c in reading.complaints))


def suggested_ready(seat: int, chance: Chance) -> Declare:
    """A declaration, now and then with the name of an Office."""
    return Declare(office=f"Office {seat}" if chance.below(2, "office") else "")


# --- leaving --------------------------------------------------------------------------------------------------------


def read_leave(state: State, lines: Sequence[Line], party: Party) -> Reading[Leave]:
    """The subject says it all; a `Comment:` line goes to everybody, other words are courtesy, but nothing is that looks
    like an order: who leaves and moves at once may mean either."""
    entries = [keyed(line, (COMMENT,)) for line in lines]
    terms = terms_beside_words(catalogue_of(state.rules.pieces))
    words = [entry.line for entry in entries if entry.key is None and entry.line.text.strip()]
    leaving = [line for line in words if bare(line.text) in RESIGNATIONS]
    orders = [
        line for line in words if line not in leaving and looks_like_order(line.text, terms, (party.name,))
    ]
    complaints = tuple(Complaint("beside_leaving", "104", line) for line in orders)
    courtesy = tuple(line for line in words if line not in orders and line not in leaving)
    return Reading(Leave(comment_of(entries)), complaints, courtesy)


def leave_text(leave: Leave) -> str:
    return "\n".join(["Resign", *comment_lines(leave.comment)])
