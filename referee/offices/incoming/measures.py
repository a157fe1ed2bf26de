"""How much of a mail is read: counted before anything is judged, and by counts alone, so that equal mails get equal
answers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.core.complaint import Line
from referee.offices.settings import LimitsSection

# A word, a number or a run of signs. Long ones count once for every so many characters, and so do blanks: whatever the
# lines are made of, their length is within a fixed multiple of their tokens.
_TOKEN = re.compile(r"[^\W\d_]{1,20}|\d{1,10}|_{1,10}|[^\w\s]{1,10}|\s{50}")
# What stands between commas, semicolons or line ends and holds a number or a colon.
_ORDER = re.compile(r"(?:^|[,;])[^,;\d:]*[\d:]")


@dataclass(frozen=True, slots=True)
class Excess:
    """More of something than is read: `what` is "lines", "tokens" or "orders"."""

    what: str
    counted: int
    most: int


def excess(lines: Iterable[Line], limits: LimitsSection) -> tuple[Excess, ...]:
    """Of what the lines hold too much; nothing where they may be judged. Signs that stand for several (U+FDFA for
    eighteen) count as what the games' readers take them for."""
    counted = {"lines": 0, "tokens": 0, "orders": 0}
    for line in lines:
        folded = unicodedata.normalize("NFKC", line.text)
        tokens = len(_TOKEN.findall(folded))
        counted["lines"] += bool(tokens)
        counted["tokens"] += tokens
        counted["orders"] += len(_ORDER.findall(folded))
    most = {"lines": limits.lines, "tokens": limits.tokens, "orders": limits.orders}
    return tuple(Excess(what, counted[what], most[what]) for what in most if counted[what] > most[what])


def in_words(found: Sequence[Excess]) -> str:
    """For the moderator: "12000 tokens (10000 are read)"."""
    return ", ".join(f"{one.counted} {one.what} ({one.most} are read)" for one in found)
