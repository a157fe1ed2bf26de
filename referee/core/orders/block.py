"""The action block: which of a mail's lines are orders, and which are courtesy (contract, 'Mail in')."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from referee.core.complaint import Line
from referee.core.orders.orderlike import Terms, looks_like_order


@dataclass(frozen=True, slots=True)
class OrderWords:
    """What the lines of a game's orders begin with.

    `keys` stand before a colon ("Move: c3"); `words` stand alone on a line ("Pass"); `orders` recognises any
    further order line by its text (a piece line, "10 Pawn, 8 F$ each"); `terms` are the words by which a line
    outside the block is known to look too much like an order to be courtesy. `names` are persons'; they name no
    piece. `blank` recognises a line of a form that was left as it was.
    """

    keys: frozenset[str]
    words: frozenset[str] = frozenset()
    orders: Callable[[str], bool] = lambda text: False
    terms: Terms | None = None
    names: tuple[str, ...] = ()
    blank: Callable[[str], bool] = lambda text: False

    def doubtful(self, text: str) -> bool:
        """Whether a line outside the block looks like an order."""
        return (
            self.terms is not None and not self.blank(text) and looks_like_order(text, self.terms, self.names)
        )

    def cut_off(self, text: str) -> bool:
        """Whether the line is but the beginning of something that the game knows, as where a mail was cut off."""
        word = "".join(filter(str.isalpha, bare(text)))
        known = self.keys | self.words | (self.terms.keys | self.terms.pieces if self.terms else frozenset())
        person = word in "".join(self.names).casefold()
        return len(word) > 2 and not person and any(one.startswith(word) for one in known)

    def begins(self, text: str) -> bool:
        """Whether the line begins with something the game knows."""
        if self.keys:
            key, value = keyed(text)
            if value is not None and key in self.keys:
                return True
        return bare(text) in self.words or self.orders(text)


@dataclass(frozen=True, slots=True)
class Block:
    """The split of a mail: the lines that are orders, those that are courtesy, those too doubtful to pass over."""

    orders: tuple[Line, ...]
    courtesy: tuple[Line, ...]
    doubtful: tuple[Line, ...]


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
    """The block runs from the first to the last line the vocabulary knows; blank lines in it are dropped. The mail's
    last line is no courtesy where it is right below the block and may have been cut off."""
    body = [line for line in lines if line.text.strip()]
    known = [index for index, line in enumerate(body) if vocabulary.begins(line.text)]
    if not known:
        outside: Sequence[Line] = body
        orders: tuple[Line, ...] = ()
    else:
        first, last = known[0], known[-1] + 1
        orders = tuple(body[first:last])
        outside = [*body[:first], *body[last:]]
    doubtful: list[Line] = []
    courtesy: list[Line] = []
    for line in outside:
        below = bool(orders) and line is body[-1] and line.number == orders[-1].number + 1
        doubt = vocabulary.doubtful(line.text) or (below and vocabulary.cut_off(line.text))
        (doubtful if doubt else courtesy).append(line)
    return Block(orders, tuple(courtesy), tuple(doubtful))
