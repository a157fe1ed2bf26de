"""The first lines of a purchase or setup: name, number, address (604.B.i, 605.B.i); no part of the action."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.core.complaint import Complaint
from referee.core.game import Party
from referee.games.fourplay.notation import EMAIL, NAME, PLAYER, Keyed, folded, once, whole


def header_complaints(entries: Sequence[Keyed], party: Party, rule: str) -> tuple[Complaint, ...]:
    """Every fault of the three lines. A text without sender (a record read back) owes no header."""
    if not party.name and not party.addresses:
        return ()
    return (
        *_name(entries, party, rule),
        *_number(entries, party, rule),
        *_address(entries, party, rule),
    )


def header_lines(party: Party) -> list[str]:
    """The three lines, filled in."""
    address = party.addresses[0] if party.addresses else ""
    return [f"Name: {party.name}", f"Player: {party.number}", f"Email: {address}"]


def _name(entries: Sequence[Keyed], party: Party, rule: str) -> tuple[Complaint, ...]:
    entry, twice = once(entries, NAME.name, rule)
    if entry is None:
        return (Complaint("name_missing", rule, None, {"name": party.name}),)
    if same_name(re.sub(r"\([^()]*\)|<[^<>]*>", " ", entry.value), party.name):
        return twice
    return (*twice, Complaint("name_wrong", rule, entry.line, {"stated": entry.value, "name": party.name}))


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


def _number(entries: Sequence[Keyed], party: Party, rule: str) -> tuple[Complaint, ...]:
    entry, twice = once(entries, PLAYER.name, rule)
    if entry is None:
        return (Complaint("number_missing", rule, None, {"number": party.number}),)
    stated = set(re.findall(r"[+-]?\d+", entry.value)) or {
        re.sub(r"(?i)^\s*player\b|[#.\s]", "", entry.value)
    }
    if {whole(number) for number in stated} == {party.number}:
        return twice
    facts = {"stated": entry.value, "number": party.number}
    return (*twice, Complaint("number_wrong", rule, entry.line, facts))


def _address(entries: Sequence[Keyed], party: Party, rule: str) -> tuple[Complaint, ...]:
    entry, twice = once(entries, EMAIL.name, rule)
    if entry is None:
        return (Complaint("address_missing", rule),)
    words = re.split(r"[\s<>()\[\]\"',;:]+", entry.value.replace("mailto:", ""))
    stated = [word for word in words if "@" in word]
    registered = {address.casefold() for address in party.addresses}
    if stated and all(address.casefold().rstrip(".") in registered for address in stated):
        return twice
    return (*twice, Complaint("address_unregistered", rule, entry.line, {"stated": entry.value}))
