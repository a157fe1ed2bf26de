"""The sheet of keyed lines: a mail's orders line by line, in the words of a game (contract, 'Mail in')."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from referee.core.complaint import Complaint, Line

_BULLET = re.compile(r"^\s*(?:[-*•‣◦·]\s+|>\s*|\d+[.)]\s+(?=\D))*")
_KEY = re.compile(r"([A-Za-z][\w .$'()/-]{0,40}?)\s*[:：]\s*(.*)", re.DOTALL)


def plain(text: str) -> str:
    """The line without bullets and outer space, runs of space and tabs folded to one space."""
    return " ".join(_BULLET.sub("", text).split())


def bare(text: str) -> str:
    """The line's words alone, in lower case, without the punctuation around them: ' - Pass. ' is 'pass'."""
    return plain(text).strip(" .!,;:*_\"'").lower()


def keyed(text: str) -> tuple[str, str | None]:
    """The key before the first colon, in lower case, and what follows it; (text, None) where there is no key."""
    if match := _KEY.fullmatch(plain(text)):
        return " ".join(match[1].lower().split()), match[2].strip()
    return plain(text).lower(), None


def states(text: str) -> bool:
    """Whether a line is a key with one word behind it that holds a digit: nobody says anything by it but that."""
    return re.fullmatch(r"\S*\d\S*", keyed(text)[1] or "") is not None


_BETWEEN = re.compile(r"(?:[;,]|[.!](?=\s)|\s(?=(?:and|then)\s))\s*(?:(?:and|then)\s+)*", re.I)


def parted(text: str, begins: Callable[[str], bool]) -> Iterator[str]:
    """What a line says, where several things stand behind one another: each from where a part `begins` one."""
    begun, said, led = 0, 0, False  # `led`: there is more than a number before it
    for between in [*_BETWEEN.finditer(text), None]:
        if led and begins(text[said : between.start() if between else len(text)]):
            yield text[begun:said].rstrip(" ,;.!")
            begun, led = said, False
        before, said = said, between.end() if between else said
        led = led or any(map(str.isalpha, text[before:said]))
    yield text[begun:]


def action_block(
    lines: Iterable[Line], begins: Callable[[str], bool]
) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The lines that are orders, from the first to the last that `begins` with something the game
    knows, and those that stand outside the notation; blank ones are dropped."""
    body = [line for line in lines if line.text.strip()]
    known = [index for index, line in enumerate(body) if begins(line.text)]
    first, last = (known[0], known[-1] + 1) if known else (0, 0)
    return tuple(body[first:last]), (*body[:first], *body[last:])


V = TypeVar("V")  # what an entry says, as the game understood it
TALK: Final = frozenset(("comment", "comments", "press"))  # keys and orders of what are words to the others
_LOT: Final = re.compile(r"\s*\d+ +[^\W\d]{2,}")  # so many of something
_SQUARE: Final = re.compile(r"(?<![^\W_])[a-z]{1,2}\d{1,3}(?![^\W_])")
BLANK: Final[Any] = object()  # the value behind a key of a form that was left as it was


@dataclass(frozen=True, slots=True)
class SheetEntry(Generic[V]):
    """One thing that a line orders: what it is ("move"), what it says, and the line as its sender
    wrote it. A line of several moves gives several entries."""

    order: str
    value: V
    line: Line


@dataclass(frozen=True, slots=True)
class Sheet(Generic[V]):
    """A mail as understood: entries in their order, faults of form, the lines taken as courtesy and as orders. `blank`
    are keys of a form that were left as they were: they order nothing, but show what their sender had in hand."""

    entries: tuple[SheetEntry[V], ...]
    complaints: tuple[Complaint, ...]
    courtesy: tuple[Line, ...] = ()
    orders: tuple[Line, ...] = ()
    blank: tuple[SheetEntry[V], ...] = ()

    def of(self, *orders: str) -> tuple[SheetEntry[V], ...]:
        return tuple(entry for entry in self.entries if entry.order in orders)

    @property
    def said(self) -> frozenset[str]:
        """What is ordered, each order once."""
        return frozenset(entry.order for entry in self.entries)

    @property
    def comment(self) -> str:
        """The sender's words to the others."""
        return "\n".join(str(entry.value) for entry in self.of("comment") if entry.value)

    def line(self, *orders: str, part: str) -> dict[str, Line]:
        """The first line of any of these orders as that of a part of the action, for `Reading.lines`."""
        found = self.of(*orders)
        return {part: found[0].line} if found else {}


def sheet_of(
    lines: Iterable[Line],
    begins: Callable[[str], bool],
    understood: Callable[[str, Line], Iterable[SheetEntry[V] | Complaint]],
    plain: Callable[[str], str] = str,
) -> Sheet[V]:
    """Every line of the action block understood, or complained of; total, whatever the lines.

    `begins` tells a line that begins with something the game knows; `plain` makes its signs plain (full width, dashes,
    emphasis) before it is looked at; `understood` gives what a line says, from its plain text and as it was written."""
    own = {line.number: line for line in lines}
    orders, outside = action_block((Line(n, plain(line.text)) for n, line in own.items()), begins)
    told = [one for order in orders for one in understood(order.text, own[order.number])]
    entries = [one for one in told if isinstance(one, SheetEntry)]
    return Sheet(
        tuple(entry for entry in entries if entry.value is not BLANK),
        tuple(one for one in told if isinstance(one, Complaint)),
        tuple(own[line.number] for line in outside),
        tuple(own[line.number] for line in orders),
        tuple(entry for entry in entries if entry.value is BLANK),
    )


def meanings(text: str, between: str = " ") -> dict[str, str]:
    """Words and what they mean: groups parted by `|`, of whose words the first is what all of them mean."""
    groups = ([word.strip() for word in group.split(between) if word.strip()] for group in text.split("|"))
    return {word: group[0] for group in groups for word in group}


def comment_lines(comment: str, key: str = "Comment") -> list[str]:
    """A comment as lines of a form or of canonical text, none for an empty one."""
    return [f"{key}: {line}" for line in comment.splitlines()]


def left_out(lines: Iterable[Line | None], why: str = " what I could not read:") -> tuple[str, ...]:
    """What mending says of lines that it left out (`Form.chosen`): nobody could read them, unless it says otherwise."""
    texts = dict.fromkeys(line.text.strip() for line in lines if line is not None)
    return tuple(f'I left out{why} "{text}".' for text in texts)


def unsaid(form: str, lines: Iterable[Line]) -> Iterator[Line]:
    """The lines of a mail behind a key, with a square in them, or of so many of something, of which
    a form says nothing: no row of it is such a line, has its value, stands behind its key in its
    place; nor does it hold all its squares. Words to the others are none."""
    rows, squares = [_faces(row) for row in form.splitlines()], {*_SQUARE.findall(form.lower())}
    keys = {key for _, _, key in rows}
    left = {_faces(line.text): line for line in lines}
    for face in range(3):
        for said in [*left]:
            row = next((row for row in rows if said[face] == row[face] != ""), None)
            if row is not None:
                rows.remove(row)
                del left[said]
    for (_, value, key), line in left.items():
        named = {*_SQUARE.findall(line.text.lower())}
        elsewhere = bool(named) and named <= squares and key in {"", *keys}
        lot = _LOT.match(line.text)
        some = re.sub(r"^(\d+)x", r"\1", _signs(lot[0])).rstrip("s") if lot is not None else ""
        counted = bool(some) and not any(row.startswith(some) for row, _, _ in rows)
        turned = f"{value}{_signs(key)}".rstrip("s")  # "Pawn: 10" is "10 Pawn"
        elsewhere = elsewhere or (value.isdigit() and any(row.startswith(turned) for row, _, _ in rows))
        if (value or named or counted) and key not in TALK and not elsewhere:
            yield line


def _faces(text: str) -> tuple[str, str, str]:
    """A line, what stands behind its key, in letters and digits alone, and the key; "" for what it lacks."""
    key, value = keyed(text)
    said = _signs(value or "")
    return _signs(text), said, key if said else ""


def _signs(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
