"""What a player can say, and the words that say it: keys, points, colours, counts. Tolerant in form, not in meaning."""

import re
import unicodedata
from collections.abc import Iterable

from referee.core.orders.keyed import Wording, plain
from referee.core.value import FreeText, Value
from referee.games.multigo.board import COLOURS, SYMBOLS


class Count(Value):
    """So many stones of a colour (a seat number)."""

    colour: int
    stones: int


class Move(Value):
    """The points in order, none for a pass. With fallbacks, those after the first are tried in turn."""

    points: tuple[str, ...] = ()
    prefer: tuple[int, ...] = ()
    comment: FreeText = ""


class Take(Value):
    """The prisoners chosen from a shared capture."""

    stones: tuple[Count, ...]
    prefer: tuple[int, ...] = ()
    comment: FreeText = ""


class Prefer(Value):
    """A standing order: the colours in which prisoners are taken."""

    colours: tuple[int, ...]


class Dead(Value):
    """Stones that name dead chains, none for `Dead: none`."""

    points: tuple[str, ...] = ()
    comment: FreeText = ""


class Ally(Value):
    """All partners' seats, none for `Ally: none`."""

    partners: tuple[int, ...] = ()
    comment: FreeText = ""


class Comment(Value):
    text: FreeText


class Press(Value):
    """A message to all players."""

    text: FreeText


_POINT = re.compile(r"([A-Za-z])\s?-?\s?([0-9]{1,2})")
_POINTS = re.compile(r"(?:[A-Za-z]\s?-?\s?[0-9]{1,2}(?:[\s,;&+/]|and\b)*)+\.?", re.IGNORECASE)
_WORDY_MOVE = re.compile(rf"(?:move|seal)\s+({_POINTS.pattern}|pass\W*)", re.IGNORECASE)
_COUNT = re.compile(r"([0-9]{1,3})\s*[x×]?\s*([A-Za-z]+)")
_BETWEEN = re.compile(r"[\s,;&+/.]*")
_NUMBERED = re.compile(r"^(?:player|seat)\s*(?=[1-8]$)")
_SEATS = {
    name: seat
    for seat, (colour, symbol) in enumerate(zip(COLOURS, SYMBOLS, strict=True), 1)
    for name in (colour, f"{colour}s", symbol.lower(), str(seat))
}
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")


def normal(text: str) -> str:
    """Compatibility characters made plain: full-width letters, odd spaces, typographic dashes."""
    return unicodedata.normalize("NFKC", text).translate(_DASHES)


def _keyless(text: str) -> tuple[str, str] | None:
    """ "Move D4": a move whose colon was left out."""
    found = _WORDY_MOVE.fullmatch(plain(text))
    return ("move", found[1]) if found else None


NOTATION = Wording(
    keys="move,moves,seal,seals,sealed|take,takes|prefer,prefers,preference,preferences|dead,dead stones,dead stone"
    "|ally,allies,alliance|comment,comments|press",
    rule="2.7",
    words="pass|resign",
    keyless=_keyless,
    blank="",
    plain=normal,
)


def says(value: str, *words: str) -> bool:
    """Whether the value is one of the words alone."""
    return value.strip(" .!,;:*_\"'()").lower() in words


def points_in(value: str) -> tuple[str, ...] | None:
    """The points a value names, as "D4"; None where it holds anything else."""
    if not _POINTS.fullmatch(value.strip()):
        return None
    return tuple(f"{letter.upper()}{int(row)}" for letter, row in _POINT.findall(value))


def colour_of(word: str, players: int) -> int:
    """The seat a word names: "white", "Whites", "W", "Player 2", "2"; 0 where it names none."""
    text = " ".join(word.strip(" .!,;:*_\"'()").lower().split())
    seat = _SEATS.get(_NUMBERED.sub("", text), 0)
    return seat if seat <= players else 0


def words_in(value: str) -> tuple[str, ...]:
    """The items of a list parted by commas, "and", signs, or spaces: "player 2" stays together."""
    text = re.sub(r"\b(player|seat)\s+([1-8])\b", r"\1\2", value, flags=re.IGNORECASE)
    parts = re.split(r"[\s,;&+/>]+|\band\b", text, flags=re.IGNORECASE)
    return tuple(word for part in parts if (word := part.strip(" .!:*_\"'()-")))


def counts_in(value: str) -> tuple[tuple[int, str], ...]:
    """The counts and colour words of "2 white, 1 blue" or "2W1U"; none if it holds anything else."""
    text = re.sub(r"\band\b", ",", value.strip(), flags=re.IGNORECASE)
    found: list[tuple[int, str]] = []
    at = 0
    while at < len(text):  # one pattern for all items could read "1 x and" in two ways, each time
        item = _COUNT.match(text, at)
        between = _BETWEEN.match(text, item.end()) if item else None
        if item is None or between is None:
            return ()
        found.append((int(item[1]), item[2]))
        at = between.end()
    return tuple(found)


# --- and back --------------------------------------------------------------------------------------------------------


def preference(colours: Iterable[int]) -> str:
    """The order of colours in which a seat takes prisoners; nothing where it has none."""
    named = ", ".join(COLOURS[seat - 1] for seat in colours)
    return f"Prefer: {named}" if named else ""


def stones(counts: Iterable[Count]) -> str:
    """Counts in words: "2 white, 1 blue"."""
    return ", ".join(f"{count.stones} {COLOURS[count.colour - 1]}" for count in counts)


def slots(role: str, *names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """What a line names behind one another, each in all its names: the role counted from the second on."""
    return tuple(
        (f"{role} {number}" if number > 1 else role, name.lower())
        for number, each in enumerate(names, 1)
        for name in each
    )


def seat_names(seat: int) -> tuple[str, ...]:
    """How a mail names a player."""
    return COLOURS[seat - 1], f"player {seat}"
