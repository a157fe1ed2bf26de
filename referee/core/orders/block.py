"""The action block: which of a mail's lines are orders, and which are courtesy (contract, 'Mail in')."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from referee.core.complaint import Line


@dataclass(frozen=True, slots=True)
class OrderWords:
    """What the lines of a game's orders begin with.

    `keys` stand before a colon ("Move: c3"); `words` stand alone on a line ("Pass"); `orders` recognises any
    further order line by its text (a piece line, "10 Pawn, 8 F$ each").
    """

    keys: frozenset[str]
    words: frozenset[str] = frozenset()
    orders: Callable[[str], bool] = lambda text: False

    def begins(self, text: str) -> bool:
        """Whether the line begins with something the game knows."""
        if self.keys:
            key, value = keyed(text)
            if value is not None and key in self.keys:
                return True
        return bare(text) in self.words or self.orders(text)


@dataclass(frozen=True, slots=True)
class Block:
    """The split of a mail: the lines that are orders, and those that stand outside the notation."""

    orders: tuple[Line, ...]
    courtesy: tuple[Line, ...]


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


_BETWEEN = re.compile(r"(?:[;,]|[.!](?=\s)|\s(?=(?:and|then)\s))\s*(?:(?:and|then)\s+)*", re.I)


def parted(text: str, begins: Callable[[str], bool]) -> Iterator[str]:
    """What a line says, where several things stand behind one another: each from where a part `begins` one."""
    begun, said = 0, 0
    for between in [*_BETWEEN.finditer(text), None]:
        led = any(map(str.isalpha, text[begun:said]))  # more than a number before it
        if led and begins(text[said : between.start() if between else len(text)]):
            yield text[begun:said].rstrip(" ,;.!")
            begun = said
        said = between.end() if between else said
    yield text[begun:]


def action_block(lines: Iterable[Line], vocabulary: OrderWords) -> Block:
    """The block runs from the first to the last line the vocabulary knows; blank lines in it are dropped."""
    body = [line for line in lines if line.text.strip()]
    known = [index for index, line in enumerate(body) if vocabulary.begins(line.text)]
    first, last = (known[0], known[-1] + 1) if known else (0, 0)
    return Block(tuple(body[first:last]), (*body[:first], *body[last:]))
