"""A body's lines on their way from the mail to the sender's own words: plain ones, and those wrapped by format=flowed
(RFC 3676)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from referee.core.complaint import LeftOut, Line
from referee.mail.mail import ARMOUR

Origin = Literal["", "attribution", "tail", "signature"]
LONGEST = 10_000  # characters to which flowed lines are joined
MOST_ROWS = 20_000  # of a mail that are read


@dataclass(frozen=True, slots=True)
class Row:
    """One line without its quote marks. `depth` counts them. `mark` is what an HTML part knows of it: it belongs to
    the line that introduces a quote, begins a quoted rest of the mail, or is part of a signature.
    `width` is the line's length as it came, marks included."""

    number: int
    text: str
    depth: int = 0
    mark: Origin = ""
    width: int = 0

    @property
    def blank(self) -> bool:
        return not self.text.strip()

    @property
    def line(self) -> Line:
        return Line(self.number, self.text)


def marked_below(rows: Sequence[Row], index: int, blanks: int) -> bool:
    """Whether the next row that says anything, behind so many blank ones at most, is marked deeper than this one."""
    near = range(index + 1, min(len(rows), index + 2 + blanks))
    below = next((rows[at] for at in near if not rows[at].blank), None)
    return below is not None and below.depth > rows[index].depth


def rows_of_text(text: str) -> list[Row]:
    """Of a plain part, tidied; at most three blanks may stand before a quote mark, one between two."""
    rows = [_row(number, line) for number, line in enumerate(text.split("\n")[: MOST_ROWS + 1], 1)]
    return [_mended(rows, index) for index in range(len(rows))]


def rows_with_marks(rows: Iterable[Row]) -> list[Row]:
    """Rows of HTML that a program made of plain text: the quote marks stand in it as text."""
    read = ((row, _row(row.number, row.text)) for row in rows)
    return [
        replace(row, text=bare.text, depth=row.depth + bare.depth) if bare.depth else row
        for row, bare in read
    ]


def _row(number: int, line: str) -> Row:
    text, depth = line, 0
    while depth < 100:
        bare = text.lstrip(" ") if len(text) - len(text.lstrip(" ")) <= 3 else text
        if not bare.startswith(">"):
            break
        text, depth = bare[1:], depth + 1
    if depth and text.startswith(" "):
        text = text[1:]
    return Row(number, text, depth, width=len(line))


def _mended(rows: list[Row], index: int) -> Row:
    """The row, but for two signs that only look like quote marks: the one that mail stores put before a line that
    begins with "From ", and the end of an address that was folded ("Ann <ann@example.org" above ">:")."""
    row = rows[index]
    if row.depth != 1:
        return row
    above = rows[index - 1] if index else None
    around = [near.depth for near in rows[max(0, index - 1) : index + 2] if near is not row]
    if row.width == len(row.text) + 1 and row.text.startswith("From ") and not any(around):
        return Row(row.number, row.text, 0, width=row.width)
    if above and above.depth == 0 and len(row.text) < 30 and row.text.rstrip().endswith(":"):
        opened = above.text.rfind("<")
        alone = any(near.text.strip() == "<" for near in rows[max(0, index - 3) : index])
        if alone or (opened >= 0 and "@" in above.text[opened:] and ">" not in above.text[opened:]):
            return Row(row.number, ">" + row.text, 0, width=row.width)
    return row


def rows_of_flowed(text: str, delsp: bool) -> Iterator[Row]:
    """Of a part in format=flowed, tidied, soft breaks undone, so that a wrapped order is one line again.

    A line that ends with a blank goes on in the next of the same quote depth; a joined line keeps its first number.
    With `delsp` that blank is no part of the text. The signature mark "-- " joins nothing. Quote marks stand without
    blanks between them; a mark after a blank was put there to be text (4.4, 4.5)."""
    held: Row | None = None
    for number, line in enumerate(text.split("\n")[: MOST_ROWS + 1], 1):
        text = line.lstrip(">")
        depth = len(line) - len(text)
        text = text[1:] if text.startswith(" ") else text
        if held and (held.depth != depth or text == "-- "):
            yield held
            held = None
        soft = text.endswith(" ") and text != "-- "
        said = (held.text if held else "") + (text[:-1] if soft and delsp else text)
        held = Row(held.number if held else number, said, depth, width=len(said) + depth)
        if not soft or len(said) >= LONGEST:
            yield held
            held = None
    if held:
        yield held


# --- armour of OpenPGP ---------------------------------------------------------------------------------------------

SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
SIGNATURE_END = "-----END PGP SIGNATURE-----"
KEY = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
KEY_END = "-----END PGP PUBLIC KEY BLOCK-----"
_ENDS = {SIGNED: SIGNATURE_END, KEY: KEY_END}


def unarmoured(rows: Sequence[Row]) -> tuple[list[Row], list[LeftOut]]:
    """The rows without armour, and what was left out. A block that never ends is no block: its rows stay."""
    kept: list[Row] = []
    left_out: list[LeftOut] = []
    last = {row.text.strip(): index for index, row in enumerate(rows)}
    at = 0
    while at < len(rows):
        begun = "" if rows[at].depth else rows[at].text.strip()
        wanted = _ENDS.get(begun)
        if wanted is None or last.get(wanted, -1) < at:
            kept.append(rows[at])
            at += 1
            continue
        end = next(i for i in range(at + 1, len(rows)) if rows[i].text.strip() == wanted)
        words = [] if begun == KEY else _signed_rows(rows[at : end + 1])
        kept += words
        what = "an OpenPGP key" if begun == KEY else ARMOUR
        left_out.append(LeftOut(what, end + 1 - at - len(words)))
        at = end + 1
    return kept, left_out


def _signed_rows(block: Sequence[Row]) -> list[Row]:
    """The words between the block's head and its signature, dashes put back (RFC 9580, 7.2). Without a head or the
    beginning of a signature all is words."""
    first = next((i for i, row in enumerate(block) if row.blank), None)
    last = next((i for i, row in enumerate(block) if row.text.strip() == SIGNATURE), None)
    if first is None or last is None or last < first:
        return list(block)
    return [replace(row, text=row.text.removeprefix("- ")) for row in block[first + 1 : last]]
