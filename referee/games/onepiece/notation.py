"""What an answer says, and how a mail says it (3.5): moves in full, by one cell of the lifted
piece, and short, where gravity fixes the row; keys, words, values."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from referee.core.orders.keyed import BLANK, Sheet, SheetEntry, Wording, bare, meanings
from referee.core.value import Complaint, FreeText, Line, Value
from referee.games.onepiece.board import Grid, Ply, cells_of
from referee.games.onepiece.events import Edge, Proof, Verdict


class ChooseColours(Value):
    """The colour of the player who begins; "" was not understood."""

    colour: Literal["", "red", "blue"]
    comment: FreeText = ""


class ChooseEdge(Value):
    """The edge of the grid at which its columns begin; "" was not understood."""

    edge: Edge
    comment: FreeText = ""


class MovePiece(Ply):
    """`claim` None is no claim."""

    claim: int | None = None
    offer: bool = False
    comment: FreeText = ""

    @property
    def orders(self) -> list[str]:
        """Those of its canonical text; reading them gives the action back (law 8)."""
        claim = [] if self.claim is None else [f"Claim: {self.claim}"]
        return [f"Move: {self}", *claim, *(["Offer: draw"] if self.offer else [])]


class BeginDemonstration(Value):
    """The ply from which the claimer plays otherwise, and how."""

    ply: int
    red: str
    blue: str
    lifted: str = ""
    comment: FreeText = ""

    @property
    def move(self) -> Ply:
        return Ply(self.red, self.blue, self.lifted)

    @property
    def orders(self) -> list[str]:
        return [f"Demonstrate: {self.ply}", f"Move: {self.move}"]


class GiveUpClaim(Value):
    """The claimer will not, or no longer, demonstrate his claim."""

    comment: FreeText = ""

    @property
    def orders(self) -> list[str]:
        return ["Give up"]


class GiveVerdict(Value):
    """The referee's own answer: what its solver found, after which ply, with the proof and a line that shows it. `slip`
    is the ply of the claimer's side that let a win go that could be forced; `slip_proofs` show it ply by ply."""

    verdict: Verdict
    after: int
    nodes: int
    line: tuple[str, ...] = ()
    proofs: tuple[Proof, ...] = ()
    slip: int = 0
    slip_proofs: tuple[Proof, ...] = ()


Evidence: TypeAlias = BeginDemonstration | GiveUpClaim  # what a claimer may say before his demonstration
Shown: TypeAlias = MovePiece | GiveUpClaim  # and while it lasts


# Signs that mail programs put for others.
_SIGNS = str.maketrans(
    dict.fromkeys("–—−‑‐‒", "-")
    | dict.fromkeys("→»›⇒➔➜➡", ">")
    | dict.fromkeys("\u200b\u200c\u200d\ufeff\xad*`_")
    | {"ˆ": "^", "＾": "^", "“": '"', "”": '"', "„": '"', "’": "'", "‘": "'"}
)
_HALF = r"(red|blue|r|b)([a-z])0?(\d{1,2})"
_JOINT = r"[-,;/+&]?"
_FULL = re.compile(_HALF + _JOINT + _HALF)
_FLAT = re.compile(r"([a-z])=(red|blue|r|b)[-,/]?(red|blue|r|b)")
_UPRIGHT = re.compile(r"([a-z])\^(red|blue|r|b)")
_LIFTED = re.compile(r"(?:(?:red|blue|r|b))?([a-z])0?(\d{1,2})")
_TO = re.compile(r"(?<=\d) to (?=\S)")
_ARROW = re.compile(r"(?<![-=])[-=]*>")  # a run of dashes is tried from its first one only


def tidied(text: str) -> str:
    """The text in plain signs, without ornaments, one space between words."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_SIGNS).split())


def parsed(grid: Grid, text: str) -> Ply | None:
    """The move that the text says on this grid; None where it is none."""
    if (parts := _split(text)) is None:
        return None
    lifted = _lifted(grid, parts[0])
    lies = "".join(cell[0] for piece in grid.pieces if piece != lifted for cell in cells_of(piece))
    halves = _halves(lies, parts[1])
    return Ply(*halves, lifted) if halves else None


def _split(text: str) -> tuple[str, str] | None:
    """The texts before and after the arrow, small letters without spaces; before is "" for a placement."""
    plain = tidied(text).lower().rstrip(" .,;!").removesuffix(" please").rstrip(" ,")
    before, *after = _ARROW.split(_TO.sub(">", plain).replace(" ", ""))
    if not after:
        return ("", before) if _halves("", before) else None
    lifted = _full(before) or _LIFTED.fullmatch(before)
    return (before, after[0]) if len(after) == 1 and lifted and _halves("", after[0]) else None


def _full(text: str) -> tuple[str, str] | None:
    """The cells of the red and the blue half, given in either order, without leading noughts."""
    if (found := _FULL.fullmatch(text)) is None or found[1][0] == found[4][0]:
        return None
    cells = {found[1][0]: f"{found[2]}{int(found[3])}", found[4][0]: f"{found[5]}{int(found[6])}"}
    return cells["r"], cells["b"]


def _halves(lies: str, text: str) -> tuple[str, str] | None:
    """The cells of the red and the blue half; in short on top of what `lies`, by the columns of all cells taken."""
    if cells := _full(text):
        return cells
    if found := _UPRIGHT.fullmatch(text):
        low, high = (f"{found[1]}{lies.count(found[1]) + up}" for up in (1, 2))
        return (high, low) if found[2][0] == "r" else (low, high)
    if (found := _FLAT.fullmatch(text)) and found[2][0] != found[3][0]:
        columns = found[1], chr(ord(found[1]) + 1)
        left, right = (f"{column}{max(map(lies.count, columns)) + 1}" for column in columns)
        return (left, right) if found[2][0] == "r" else (right, left)
    return None


def _lifted(grid: Grid, text: str) -> str:
    """The piece that lies there, in full; otherwise the text as a cell, or as a piece, for `check` to complain of."""
    if cells := _full(text):
        return Ply(*cells).placed
    if (found := _LIFTED.fullmatch(text)) is None:
        return ""
    cell = f"{found[1]}{int(found[2])}"
    return grid.owners.get(cell, cell)


def short(ply: Ply) -> str:
    """The move in short notation."""
    red, blue = ply.red, ply.blue
    column = min(red[0], blue[0])
    if red[0] == blue[0]:
        target = f"{column}^{'R' if int(red[1:]) > int(blue[1:]) else 'B'}"
    else:
        target = f"{column}={'RB' if red[0] < blue[0] else 'BR'}"
    return f"{cells_of(ply.lifted)[0]}>{target}" if ply.lifted else target


Orders = Sheet[str]  # the value of an entry is its text

COLOURS = meanings("red, r | blue, b", ",")
EDGES = meanings("south, s, bottom | north, n, top | east, e, right | west, w, left", ",")
SIDES = (*dict.fromkeys(EDGES.values()),)
EDGE = re.compile(r"(?:the )?([a-z]+?)(?:ern)?(?: (?:edge|side))?")
_N = r"(?:n\s*[=:]\s*\+?-?\d|no claim\b)"  # how a claim begins, without the key
_CLAIM = re.compile(rf"(.*?)(?<![\s,;])[\s,;]+(?:(?:i\s+)?claim[:\s]+|(?={_N}))(.+)", re.I)
UNCLAIMED = ("no claim", "none", "no")
CLAIMED = re.compile(
    r"(?:(?:an? |the )?win (?:in|at|for) |in )?(?:(?:ply )?x ?\+ ?|n ?[=:] ?)?\+?(-?\d{1,4})"
    r"(?: (?:pl(?:y|ies)|moves?))?[ .!;]*",
    re.I,
)
_SLOT = r"[\s._\-?()\[\]]*"  # a line of a form was left as it was: nothing, or only dots, dashes and the like
_BARE = dict.fromkeys(("red", "blue"), "colours") | dict.fromkeys(("south", "north", "east", "west"), "edge")


def _claims(text: str) -> bool:
    return bare(text) in UNCLAIMED or CLAIMED.fullmatch(text) is not None


def _keyless(text: str) -> tuple[str, str] | None:
    if (word := bare(text)) in ("draw", "offer draw", "offer a draw", "i offer a draw"):
        return "offer", ""
    if word in ("without claim", "without a claim", "i don't claim"):
        return "claim", "none"
    if re.match(_N, word) and _claims(text):
        return "claim", text
    also = re.split(rf"(?<![\s,;])[\s,;]+(?={_N})", text, maxsplit=1, flags=re.I)
    if _split(also[0]) is not None and (len(also) == 1 or _claims(also[1])):
        return "move", text
    return (_BARE[word], word) if word in _BARE else None


def _valued(order: str, value: str, line: Line) -> Iterable[SheetEntry[str]]:
    if order in ("offer", "accept") and bare(value) not in ("draw", "a draw", "the draw", "yes"):
        order = "draw?"
    return (SheetEntry(order, value, line),)


class _Wording(Wording):
    def understood(self, text: str, line: Line) -> Iterator[SheetEntry[str] | Complaint]:
        """A claim may stand behind its move."""
        for entry in super().understood(text, line):
            if isinstance(entry, Complaint) or entry.order != "move" or entry.value is BLANK:
                yield entry
            elif also := _CLAIM.fullmatch(entry.value):
                for order, said in (("move", also[1]), ("claim", also[2])):
                    yield SheetEntry(order, BLANK if re.fullmatch(_SLOT, said) else said, line)
            else:
                yield entry


NOTATION = _Wording(
    keys="move, moves, my move, place, relocate, ply, answer, reply | claim, claims, i claim"
    "| demonstrate, demonstration | colours, colour, colors, color, my colour | edge, game edge | offer | accept"
    "| comment, comments, press",
    words="resign | give up, giveup | pass | accept, accept draw, accept the draw",
    keyless=_keyless,
    valued=_valued,
    blank=_SLOT,
    rule="3.5",
    plain=tidied,
)
