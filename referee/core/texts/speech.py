"""How somebody else's words stand in a letter, so that nobody takes them for ours: every line
behind a mark, or, where they are few, within one pair of quotation marks; cut to a length, with
nothing unseen in them, and nothing that a mail program makes a link of."""

import re
import textwrap
import unicodedata
from collections.abc import Callable
from dataclasses import field

from referee.core.value import Value, without_addresses

MARK = "> "
MOST_LINES = 200  # that a letter shows, as it folds them
MOST_SIGNS = 20_000
FEW = 60  # characters of what stands within a sentence
Fold = Callable[[str], list[str]]
GLUE = "\ufdd3"  # a blank at which no line is broken: no character of any script (Unicode, 23.7)
_ISOLATED = "\N{FIRST STRONG ISOLATE}{}\N{POP DIRECTIONAL ISOLATE}"
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
_JOINERS = frozenset("\u200c\u200d")  # scripts and emoji need them, and they turn nothing
_RIGHT_TO_LEFT = frozenset(("R", "AL"))

# What mail programs make links of: a scheme with slashes, a name of the web, an address. A blank breaks each.
_LINKS = (
    (re.compile(r"(?<=\w):(?=//|\\\\)"), ": "),
    (re.compile(r"\b(mailto|javascript|data|tel|sms|xmpp|magnet|news|callto|skype):(?=\S)", re.I), r"\1: "),
    (re.compile(r"(?<=[^\W_])\.(?=[^\W\d_]{2,24}(?![^\W_]))"), " ."),
    (re.compile(r"(?i)\b(www|ftp|web|m)\.(?=\S)"), r"\1 ."),
)


class NotMarked(TypeError):
    """Words of a player were to be printed as if they were ours."""


class Speech(Value):
    """Somebody's words on their way into a letter. It can't be printed: only what marks them takes the text out."""

    text: str = field(repr=False)

    def __bool__(self) -> bool:
        return bool(self.text.strip())

    def __str__(self) -> str:
        raise NotMarked("somebody's words stand in a letter only as `say.words(...)` or `... | quoted`")

    __html__ = __str__

    def __format__(self, spec: str) -> str:
        return str(self)


def plain(words: Speech | str | None) -> str:
    """The words without addresses, links, and signs that can't be seen or turn what stands round
    them; their lines apart."""
    said = words.text if isinstance(words, Speech) else words or ""
    text = without_addresses("\n".join(said[: 2 * MOST_SIGNS].splitlines()).replace("\t", " "))
    seen = "".join(s for s in text if s == "\n" or s in _JOINERS or unicodedata.category(s) not in _UNSEEN)
    for link, broken in _LINKS:
        seen = link.sub(broken, seen)
    return seen


def folded(line: str) -> list[str]:
    """A line in parts of a page's width; a word that is longer is broken."""
    return textwrap.wrap(line, 70) if len(line) > 70 else [line]


def unmarked(words: Speech | str | None, most: int = MOST_LINES, fold: Fold = folded) -> list[str]:
    """The words in lines as they are shown; that some are left out is told in a last one."""
    text = plain(words).strip("\n")
    lines = [part for line in text[:MOST_SIGNS].split("\n") for part in fold(line.rstrip())]
    cut = len(lines) > most or len(text) > MOST_SIGNS
    return [*lines[:most], "(and more)"] if cut else lines


def marked(words: Speech | str | None, most: int = MOST_LINES, fold: Fold = folded) -> list[str]:
    """The same lines, each behind the mark."""
    return [f"{MARK}{line}".rstrip() for line in unmarked(words, most, fold)]


def few(words: Speech | str | None) -> str:
    """A few words within a sentence: on one line, in one pair of quotation marks."""
    return f'"{short(words)}"'


def short(words: Speech | str | None) -> str:
    """What stands between quotation marks: on one line, and it doesn't end them."""
    text = " ".join(plain(words).replace('"', "'").replace("“", "'").replace("”", "'").split())
    text = f"{text[:FEW].rstrip()}..." if len(text) > FEW else text
    return isolated(text).replace(" ", GLUE)


def called(name: Speech | str, seat: int | None = None) -> str:
    """A name with its seat's number: "Ann Archer (Player 2)"; before there are seats the name alone."""
    text = " ".join(plain(name).split())
    text = isolated(f"{text[:FEW].rstrip()}..." if len(text) > FEW else text)
    return f"{text} (Player {seat})" if seat else text


def isolated(text: str) -> str:
    """The text, kept from turning its neighbours where it is written from right to left."""
    turning = any(unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT for sign in text)
    return _ISOLATED.format(text) if turning else text
