"""The lines of a form that say who sends it (604.B.i, 605.B.i)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from referee.core.answers import Party
from referee.core.texts.addresses import address_key
from referee.games.fourplay.notation.keys import Filled
from referee.games.fourplay.notation.signs import folded, whole

NAME: Final = "Name, player name"
EMAIL: Final = "Email, email address, mail, mail address, address, email adress, mailto"
HEADER: Final = (NAME, "Player, player number, player no, number, seat", EMAIL)
NUMBER: Final = r"#?\s*\d+"
LOOSE: Final = {
    "Name": r"(?-i:[A-Z])[\w'.-]*(?: (?-i:[A-Z])[\w'.-]*){1,3}",
    "Player": NUMBER,
    "Email": r"\S+@\S+",
}


def check_header(said: Filled) -> None:
    """Every fault of the three lines. A text without sender (a record read back) owes no header."""
    party = said.party
    if not party.name and not party.addresses:
        return
    name: dict[str, object] = {"name": party.name}
    checked: tuple[tuple[str, str, str, Mapping[str, object], Callable[[str], bool]], ...] = (
        ("Name", "name_missing", "name_wrong", name, lambda value: _is_name(value, party)),
        (
            "Player",
            "number_missing",
            "number_wrong",
            {"number": party.number},
            lambda v: _is_number(v, party),
        ),
        ("Email", "address_missing", "no_address", {}, lambda value: bool(_addresses(value))),
    )
    for key, missing, wrong, facts, right in checked:
        if (entry := said.once(key)) is None:
            said.complain(missing, **facts)
        elif not right(entry.value):
            said.complain(wrong, entry.line, **{"stated": entry.value, **facts})


def header_lines(party: Party) -> list[str]:
    """The three lines, filled in, and an empty one."""
    address = party.addresses[0] if party.addresses else ""
    return [f"Name: {party.name}", f"Player: {party.number}", f"Email: {address}", ""]


def unregistered(said: Filled) -> tuple[str, ...]:
    """The addresses that a list states beside the registered ones: it counts, and they are asked about (604.B.i)."""
    registered = set(map(address_key, said.party.addresses))
    stated = _addresses(said.entries("Email")[0].value) if registered and said.entries("Email") else ()
    return tuple(address for address in stated if address_key(address) not in registered)


def _is_name(value: str, party: Party) -> bool:
    return same_name(re.sub(r"\([^()]*\)|<[^<>]*>", " ", value), party.name)


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


def _is_number(value: str, party: Party) -> bool:
    stated = set(re.findall(r"[+-]?\d+", value)) or {re.sub(r"(?i)^\s*player\b|[#.\s]", "", value)}
    return {whole(number) for number in stated} == {party.number}


def _addresses(value: str) -> tuple[str, ...]:
    words = re.split(r"[\s<>()\[\]\"',;:]+", value.replace("mailto:", ""))
    return tuple(word.rstrip(".") for word in words if "@" in word)
