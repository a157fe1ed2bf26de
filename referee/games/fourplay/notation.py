"""How players write: lines made plain, keys, counts, squares, the header of a list (604.B.i, 605.B.i); words of orders.

Tolerant in form (bullets, case, typographic signs, tabs, tables), so that judging can be strict in meaning. `SLOT`
stands in our forms where something is to be filled in; a line left with it says nothing."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from referee.core.answers import Party
from referee.core.complaint import Complaint, Line
from referee.core.orders.block import Vocabulary, bare, plain
from referee.core.orders.orderlike import Terms, words
from referee.core.orders.sheet import Notation, Sheet, SheetEntry
from referee.core.replacing import replace
from referee.core.texts.addresses import address_key
from referee.games.fourplay.army.catalogue import Catalogue, name_key

SLOT: Final = "..."

_SIGNS: Final = str.maketrans("×✕–—−‑‐‒∼│“”„‘’", 'xx------~|"""\'\'', "\u200b\u200c\u200d\ufeff")
_MONEY: Final = re.compile(r"\$\s?F(?![A-Za-z])")  # turned round
_NUMBERED: Final = re.compile(r"^\d{1,2}[.)]\s+(?=\d)")
_COUNTING: Final = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_NUMBER_WORDS: Final = {word: number for number, word in enumerate(_COUNTING.split(), 1)}


def tidied(text: str) -> str:
    """The line in plain signs: one space between words, no bullets, no asterisks or back quotes, tabs as `|`."""
    signs = unicodedata.normalize("NFKC", text.strip().replace("\t", " | ")).translate(_SIGNS)
    signs = _MONEY.sub("F$", signs.replace("*", " ").replace("`", " "))
    return _NUMBERED.sub("", plain(signs).strip(" |").strip())


def folded(word: str) -> str:
    """The letters and digits of a word, in lower case, without accents."""
    if word.isascii():
        return "".join(filter(str.isalnum, word.lower()))
    bare = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    return "".join(c for c in bare.casefold() if c.isalnum())


def empty(value: str) -> bool:
    """Whether nothing was filled in: only dots, underscores, dashes, or a currency sign beside them."""
    return not re.sub(r"F\$|[\s._\-?|$]", "", value)


def is_slot(text: str) -> bool:
    """Whether the line is one of our form's that was left as it was."""
    return bool(re.match(r"\s*(?:\.{2,}|_{2,})", tidied(text)))


def is_ruling(text: str) -> bool:
    """Whether the line is only drawn (a table's rule, a row of dashes)."""
    return not any(c.isalnum() or c in "~$" for c in tidied(text))


def whole(text: str) -> int | None:
    """The whole number that a text is, in digits or in words up to fifteen."""
    text = text.strip().lower()
    if re.fullmatch(r"[+-]?\d{1,9}", text):
        return int(text)
    return _NUMBER_WORDS.get(text)


def amount(text: str) -> int | None:
    """The whole number of F$, or the value, that a text states: `543`, `F$ 543`, `$543`, `543 F$`, `74 points`."""
    found = re.fullmatch(
        r"(?:F\s?\$|\$\s?F|\$)?\s*([+-]?\d{1,9})\s*(?:F\s?\$|\$\s?F|\$|F|points?|pts?|dollars)?",
        re.sub(r"\([^()]*\)", "", text).strip(" .,;"),
        re.I,
    )
    return int(found[1]) if found else None


# --- keys ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a form: the ways to write it (folded), and what may follow it without a colon."""

    name: str
    written: tuple[str, ...]
    loose: str | None = None  # a pattern for the whole rest of the line

    @property
    def order(self) -> str:
        """What its lines are in a sheet."""
        return self.name.lower()


AMOUNT: Final = r"(?:F\s?\$|\$)?\s*\d+\s*(?:F\s?\$|\$|F|points?)?"

NAME: Final = Key("Name", ("name", "myname", "playername", "nameofplayer"))
PLAYER: Final = Key("Player", ("player", "playernumber", "playerno", "number", "seat"), r"#?\s*\d+")
EMAIL: Final = Key(
    "Email",
    ("email", "emailaddress", "mail", "mailaddress", "address", "emailadress", "mailto"),
    r"\S+@\S+",
)
COMMENT: Final = Key("Comment", ("comment", "comments", "remark"))
HEADER: Final = (NAME, PLAYER, EMAIL)


Said = SheetEntry[str]  # a line with its key, "" where it has none, and what it says, in plain signs


def keyed(line: Line, keys: Iterable[Key]) -> Said:
    """The line split at its key, where it begins with one of the keys."""
    text = tidied(line.text)
    for sign in (":", "=", "|", " - "):
        before, found, after = text.partition(sign)
        if found:
            for key in keys:
                if folded(before) in key.written:
                    return SheetEntry(key.order, after.strip(" |"), line)
    for key in keys:
        if folded(text) in key.written:
            return SheetEntry(key.order, "", line)
        for written in _spoken(text, key):
            return SheetEntry(key.order, written, line)
    return SheetEntry("", text, line)


def _spoken(text: str, key: Key) -> Sequence[str]:
    """What follows a key that has no colon, where it is just what such a key is followed by."""
    if key.loose is None:
        return ()
    words = text.split(" ")
    for size in (3, 2, 1):
        rest = " ".join(words[size:])
        if folded("".join(words[:size])) in key.written and re.fullmatch(key.loose, rest.strip(" ."), re.I):
            return (rest,)
    return ()


def notation(
    keys: Sequence[Key], known: Vocabulary, rule: str, doubt: Callable[[Line], Complaint] | None = None
) -> Notation[str]:
    """How the lines of an answer are read that has a key on each, in whatever signs."""
    return Notation(known, str, lambda text, line: (keyed(line, keys),), rule, doubt)


def filled(sheet: Sheet[str], *keys: Key) -> list[Said]:
    """The lines of those keys in which something was filled in."""
    return [entry for entry in sheet.of(*(key.order for key in keys)) if not empty(entry.value)]


def once(sheet: Sheet[str], key: Key, rule: str) -> tuple[Said | None, tuple[Complaint, ...]]:
    """The entry of a key that is to be said once; a second one that says something else is a complaint."""
    said = filled(sheet, key)
    if not said:
        return None, ()
    others = [entry for entry in said[1:] if folded(entry.value) != folded(said[0].value)]
    return said[0], tuple(
        Complaint("said_twice", rule, other.line, {"key": key.name, "first": said[0].value})
        for other in others
    )


def lines_of(parts: Mapping[str, Said | None]) -> dict[str, Line]:
    """The line of each part of an answer that is said on a line of its own, for `Reading.lines`."""
    return {part: entry.line for part, entry in parts.items() if entry is not None}


def near_key(text: str, keys: Sequence[Key]) -> str | None:
    """The key that was probably meant where a line begins with a word and a colon, and the word is none."""
    before, colon, _ = tidied(text).partition(":")
    names = {folded(key.name): key.name for key in keys}
    near = difflib.get_close_matches(folded(before), names, n=1, cutoff=0.75) if colon else []
    return names[near[0]] if near else None


# In place of a turn, never beside one; a mail of its own.
RESIGNATIONS: Final = frozenset(("resign", "i resign"))


def not_understood(line: Line, keys: Sequence[Key], rule: str) -> Complaint:
    """The complaint about a line that says nothing, with the key it may be meant for."""
    if bare(line.text) in RESIGNATIONS:
        return Complaint("resign_elsewhere", "104", line)
    if (near := near_key(line.text, keys)) is not None:
        return Complaint("key_unknown", rule, line, {"near": near})
    return Complaint("not_understood", "house", line, {"text": line.text.strip()})


# --- squares ---------------------------------------------------------------------------------------------------------

SQUARE_LIKE: Final = re.compile(r"[A-Za-z]{1,2}-?\d{1,3}")


_NO_LETTER: Final = re.compile(r"[\d-]")
_NO_DIGIT: Final = re.compile(r"\D")


def square_of(word: str) -> str:
    """A square as the rules write it: lower case, letter then number, no leading noughts."""
    letters, digits = _NO_LETTER.sub("", word), _NO_DIGIT.sub("", word)
    return f"{letters.lower()}{int(digits)}"


def header_complaints(sheet: Sheet[str], party: Party, rule: str) -> tuple[Complaint, ...]:
    """Every fault of the three lines. A text without sender (a record read back) owes no header."""
    if not party.name and not party.addresses:
        return ()
    return (
        *_name(sheet, party, rule),
        *_number(sheet, party, rule),
        *_address(sheet, party, rule),
    )


def header_lines(party: Party) -> list[str]:
    """The three lines, filled in, and an empty one."""
    address = party.addresses[0] if party.addresses else ""
    return [f"Name: {party.name}", f"Player: {party.number}", f"Email: {address}", ""]


def _name(sheet: Sheet[str], party: Party, rule: str) -> tuple[Complaint, ...]:
    entry, twice = once(sheet, NAME, rule)
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


def _number(sheet: Sheet[str], party: Party, rule: str) -> tuple[Complaint, ...]:
    entry, twice = once(sheet, PLAYER, rule)
    if entry is None:
        return (Complaint("number_missing", rule, None, {"number": party.number}),)
    stated = set(re.findall(r"[+-]?\d+", entry.value)) or {
        re.sub(r"(?i)^\s*player\b|[#.\s]", "", entry.value)
    }
    if {whole(number) for number in stated} == {party.number}:
        return twice
    facts = {"stated": entry.value, "number": party.number}
    return (*twice, Complaint("number_wrong", rule, entry.line, facts))


def _address(sheet: Sheet[str], party: Party, rule: str) -> tuple[Complaint, ...]:
    entry, twice = once(sheet, EMAIL, rule)
    if entry is None:
        return (Complaint("address_missing", rule),)
    words = re.split(r"[\s<>()\[\]\"',;:]+", entry.value.replace("mailto:", ""))
    stated = [word for word in words if "@" in word]
    registered = set(map(address_key, party.addresses))
    if stated and all(address_key(address.rstrip(".")) in registered for address in stated):
        return twice
    return (*twice, Complaint("address_unregistered", rule, entry.line, {"stated": entry.value}))


_SQUARE = re.compile(r"[a-o]\d{1,2}(?:x[a-o]\d{1,2})?")
_NOTATION = re.compile(
    r"\bboard\b[^.]{0,20}\bno longer odd\b|(?<![a-z\d])(?:off|[a-z]\d{1,2}) ?(?:-{1,2}>?|=?>) ?[a-z]\d{1,2}(?![a-z\d])"
    r"|(?<![a-z\d])x[a-o]\d{1,2}(?!\w)"
    r"|\baggress(?:ive|ion|ively) (?:move )?(?:towards?|to|against)\b|^\W*(?:not )?aggressive\W*$"
    r"|^(?:(?:and|also|not) )*(?:towards?|against) (?:players?|pl\.?|p) ?#?[1-4]\b"
    r"|\bdollars? (?:is |are |was |were )?(?:received|gained|earned)\b"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten) (?:f ?\$|\$ ?f)"
    r"|\bneutron (?:goes |runs |moves )?(?:to (?:the )?)?(?:north|south|east|west|up|down|left|right)"
    r"|\b(?:one|two|\d) (?:steps? |squares? )?(?:up|down|left|right|north|south|east|west)\b"
    r"|^(?:and )?(?:i |we )?(?:purchase|buy|bought)s? (?:nothing|none)\b"
)
_SUM = re.compile(r"f\s?\$|\$\s?f\b|\bfourplay dollars?\b|\b(?:neutron[\s-]?)?gems?\b")
_KEYS = words(
    "move moves purchase purchases buy mascot setup piecesowned totalcost totalcostinf totalvalue totalmaterialvalue "
    "player playernumber round cycle neutronmove placement placements"
)
_ACTIONS = words(
    "move moves moved capture captures captured take takes took taken kill kills killed shoot shoots shot destroy "
    "destroys destroyed place places placed buy buys bought purchase purchases purchased aggressive aggression "
    "aggressively attack attacks attacked promote promotes promoted x"
)
_GESTURES = words("drop drops dropped jump jumps leap leaps slide slides catches caught runs hits hit")


_HEADER = words("player playernumber")  # who sends it: in a turn a statement that must be true


@lru_cache(maxsize=8)
def terms_of(catalogue: Catalogue) -> Terms:
    """The words of orders in a match with these pieces."""
    names = [
        form for piece in catalogue.types for form in (piece.name, piece.plural, f"{piece.name}s") if form
    ]
    return Terms(
        keys=_KEYS,
        whole=words("pass passes passing skip nomove nomoves nopurchase nopurchases"),
        actions=_ACTIONS,
        gestures=_GESTURES,
        pieces=frozenset(map(name_key, names)) | words("mascot mascots"),
        marks=frozenset(name_key(piece.symbol) for piece in catalogue.types),
        square=_SQUARE,
        notation=_NOTATION,
        sum_sign=_SUM,
    )


@lru_cache(maxsize=8)
def terms_beside_words(catalogue: Catalogue) -> Terms:
    """The same for a mail that orders by a word alone (a declaration, a resignation): there a header says nothing."""
    terms = terms_of(catalogue)
    return replace(terms, keys=terms.keys - _HEADER)
