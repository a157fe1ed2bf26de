"""Words of players and moderators: what is free text, and no part of a notation. A field of a
dataclass that holds such words has the type `FreeText`: by that alone they are found, to be freed
of addresses before a ledger has them, and to be kept apart from our own words in letters."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Annotated, Any, TypeAlias, TypeVar

FreeText: TypeAlias = Annotated[str, "FreeText"]  # the mark is looked for (`free_text_in`)
MASK = "[address]"
T = TypeVar("T")

# --- addresses in them ----------------------------------------------------------------------------

_UNSEEN = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
_AT = rf"[{_UNSEEN}]*(?:[@\uff20\ufe6b]|%(?:25)*40|&(?:amp;)*(?:#0*64|#x0*40|commat);?)[{_UNSEEN}]*"
_LOCAL = r"(?:\"[^\"\n]{1,64}\"|[^\s<>()\[\]\",:;@\uff20\ufe6b]{1,128})(?:\([^()\n]{0,64}\))?"
_PART = r"[^\s<>()\[\]\",:;@\uff20\ufe6b/?]{1,253}"
_HOST = rf"(?:\[[^\]\s]{{1,64}}\]|{_PART})"
_BREAK = r"[ \t]{0,4}(?:\r?\n[ \t>|]{0,8})?"
_LABEL = r"[^\s<>()\[\]\",:;@\uff20\ufe6b/?.\u3002\uff0e\uff61]"
_DOT = r"[.\u3002\uff0e\uff61]"
_DOTTED = rf"{_LABEL}{{1,63}}(?:{_DOT}{_LABEL}{{1,63}}){{0,8}}{_DOT}[^\W\d_]{_LABEL}{{0,62}}"
_ADDRESS = re.compile(
    rf"(?:mailto:)?{_LOCAL}{_AT}{_HOST}"  # as one writes it, a host without a dot among them
    rf"|{_LOCAL}{_BREAK}{_AT}{_BREAK}{_DOTTED}"  # with blanks or a line's end round the sign
    rf"|{_LOCAL}{_AT}(?=[ \t]*(?:\n|\Z))",  # the half of one that goes on in another line
    re.IGNORECASE,
)
_SIGN = re.compile(_AT, re.IGNORECASE)
_STOPS = ".!?'`*_~"


def holds_address(text: str) -> bool:
    """Whether the text holds something that a program could take for a mail address."""
    return _SIGN.search(text) is not None and _ADDRESS.search(text) is not None


def without_addresses(text: FreeText) -> FreeText:
    """The text with every address left out that a program could take for one, known or not, however it is encoded; its
    lines stay as many. What only a person reads as an address ("ann at example dot org") stays."""
    return _ADDRESS.sub(_masked, text) if _SIGN.search(text) else text


def _masked(found: re.Match[str]) -> str:
    return MASK + found[0][len(found[0].rstrip(_STOPS)) :] + "\n" * found[0].count("\n")


# --- where they are -------------------------------------------------------------------------------


@cache
def free_text_in(kind: type) -> frozenset[str]:
    """The names of a dataclass's fields that hold words."""
    if not is_dataclass(kind):
        return frozenset()
    return frozenset(f.name for f in fields(kind) if re.search(r"\bFreeText\b", str(f.type)))


def words_in(value: Any, place: str = "", words: bool = False) -> Iterator[str]:
    """Where a value's words stand in its JSON: names and numbers parted by dots. Empty ones are none."""
    before = f"{place}." if place else ""
    if isinstance(value, tuple):
        for index, part in enumerate(value):
            yield from words_in(part, f"{before}{index}", words)
    elif words and value:
        yield place
    elif is_dataclass(value) and not isinstance(value, type):
        free = free_text_in(type(value))
        for name in (field.name for field in fields(value)):
            yield from words_in(getattr(value, name), f"{before}{name}", name in free)


def masked(value: T, words: bool = False) -> T:
    """The value, its words and those of what it holds without addresses; the very value where there are none."""
    fresh: Any = value
    if isinstance(value, tuple):
        fresh = tuple(masked(part, words) for part in value)
        return value if all(a is b for a, b in zip(fresh, value, strict=True)) else fresh
    if words and isinstance(value, str):
        fresh = without_addresses(value)
        return value if fresh == value else fresh
    if words or not is_dataclass(value) or isinstance(value, type):
        return value
    free = free_text_in(type(value))
    held = {field.name: getattr(value, field.name) for field in fields(value)}
    parts = {name: masked(part, name in free) for name, part in held.items()}
    changed = {name: part for name, part in parts.items() if part is not held[name]}
    return replace(value, **changed) if changed else value
