"""The lines of a form that say who sends it (604.B.i, 605.B.i)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from referee.core.answers import Party
from referee.core.complaint import Complaint
from referee.core.orders.sheet import Sheet
from referee.core.texts.addresses import address_key
from referee.games.fourplay.notation.keys import Key, Keys
from referee.games.fourplay.notation.signs import folded, whole

NAME: Final = Key("Name", ("name", "myname", "playername", "nameofplayer"))
PLAYER: Final = Key("Player", ("player", "playernumber", "playerno", "number", "seat"), r"#?\s*\d+")
EMAIL: Final = Key(
    "Email", ("email", "emailaddress", "mail", "mailaddress", "address", "emailadress", "mailto"), r"\S+@\S+"
)
HEADER: Final = (NAME, PLAYER, EMAIL)


def header_complaints(sheet: Sheet[str], party: Party, keys: Keys) -> tuple[Complaint, ...]:
    """Every fault of the three lines. A text without sender (a record read back) owes no header."""
    if not party.name and not party.addresses:
        return ()
    return (*_name(sheet, party, keys), *_number(sheet, party, keys), *_address(sheet, party, keys))


def header_lines(party: Party) -> list[str]:
    """The three lines, filled in, and an empty one."""
    address = party.addresses[0] if party.addresses else ""
    return [f"Name: {party.name}", f"Player: {party.number}", f"Email: {address}", ""]


def _name(sheet: Sheet[str], party: Party, keys: Keys) -> tuple[Complaint, ...]:
    entry, twice = keys.once(sheet, NAME)
    if entry is None:
        return (Complaint("name_missing", keys.rule, None, {"name": party.name}),)
    if same_name(re.sub(r"\([^()]*\)|<[^<>]*>", " ", entry.value), party.name):
        return twice
    return (
        *twice,
        Complaint("name_wrong", keys.rule, entry.line, {"stated": entry.value, "name": party.name}),
    )


def same_name(stated: str, registered: str) -> bool:
    """Whether two names may be one person's: case, spaces, order and accents do not matter, initials may stand for
    words, words may be left out; but one word at least must agree in full, and none may be another's."""
    mine, known = _words(stated), _words(registered)
    if "".join(mine) == "".join(known):
        return True
    full = [word for word in mine if len(word) > 1]
    return any(word in known for word in full) and all(_fits(word, known) for word in full)


def _words(name: str) -> list[str]:
    return [word for part in re.split(r"[^\w']+", name) if (word := folded(part))]


def _fits(word: str, known: Sequence[str]) -> bool:
    """The word is one of the registered name's, or one of which that has the initial only."""
    return word in known or any(len(other) == 1 and word.startswith(other) for other in known)


def _number(sheet: Sheet[str], party: Party, keys: Keys) -> tuple[Complaint, ...]:
    entry, twice = keys.once(sheet, PLAYER)
    if entry is None:
        return (Complaint("number_missing", keys.rule, None, {"number": party.number}),)
    stated = set(re.findall(r"[+-]?\d+", entry.value)) or {
        re.sub(r"(?i)^\s*player\b|[#.\s]", "", entry.value)
    }
    if {whole(number) for number in stated} == {party.number}:
        return twice
    facts = {"stated": entry.value, "number": party.number}
    return (*twice, Complaint("number_wrong", keys.rule, entry.line, facts))


def _address(sheet: Sheet[str], party: Party, keys: Keys) -> tuple[Complaint, ...]:
    entry, twice = keys.once(sheet, EMAIL)
    if entry is None:
        return (Complaint("address_missing", keys.rule),)
    if _stated(entry.value):
        return twice
    return (*twice, Complaint("no_address", keys.rule, entry.line, {"stated": entry.value}))


def _stated(value: str) -> tuple[str, ...]:
    words = re.split(r"[\s<>()\[\]\"',;:]+", value.replace("mailto:", ""))
    return tuple(word.rstrip(".") for word in words if "@" in word)


def unregistered(sheet: Sheet[str], party: Party, keys: Keys) -> tuple[str, ...]:
    """The addresses that a list states beside the registered ones: it counts, and they are asked about (604.B.i)."""
    entry, _ = keys.once(sheet, EMAIL)
    registered = set(map(address_key, party.addresses))
    stated = _stated(entry.value) if entry is not None and registered else ()
    return tuple(address for address in stated if address_key(address) not in registered)
