"""A body's lines on their way from the mail to the sender's own words: plain ones, those wrapped by format=flowed
(RFC 3676), and HTML as a reader would see it, with quotes and signatures marked by what mail programs call them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.core.value import LeftOut, Line, Value
from referee.mail.mail import ARMOUR
from referee.mail.read.decoding import tidy

Origin = Literal["", "attribution", "tail", "signature"]
LONGEST = 10_000  # characters to which flowed lines are joined
MOST_ROWS = 20_000  # of a mail that are read


class Row(Value):
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
    """Of a plain part, tidied; at most three blanks before a quote mark, one between two."""
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


LARGEST = 1_000_000  # characters; what follows is not read
DEEPEST = 400  # elements within elements that are read
MOST_OPEN = 2000  # elements open at once; the parser's time grows with their square
MOST_NODES = 100_000  # elements and texts
MOST_ATTRIBUTES = 250  # of one tag; the parser compares each with all before it


def _elements(names: str) -> frozenset[str]:
    return frozenset(names.split())


_UNSEEN = _elements("style script head title template noscript object svg math select textarea")
_BLOCKS = _elements(
    """
    address article aside blockquote body center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6
    header hr li main nav ol p pre section table tbody tfoot thead tr ul
    """
)
_ENDLESS = _elements(
    "area base br col embed hr img input link meta param source track wbr p li dt dd td th tr option"
)
_SPACED = _elements("p h1 h2 h3 h4 h5 h6 ul ol table pre blockquote")
# A tag with more attributes, or with a longer name, than any program writes; read as the HTML standard has it
# (13.2.5), whatever the tag stands in.
_ATTRIBUTE = r"""[\s/]*+=?[^\s/>=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+|))?+"""
_HEAVY_TAG = re.compile(rf"<[a-zA-Z](?:[^\s/>]{{200}}|[^\s/>]*+(?:{_ATTRIBUTE}){{{MOST_ATTRIBUTES}}})")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:]{0,20})")


@dataclass
class _Page:
    """The text as it is laid out: finished rows, and the one being written."""

    rows: list[Row] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def break_line(self, depth: int, mark: Origin, even_if_empty: bool = False) -> None:
        text = "".join(self.words)
        self.words.clear()
        if text.strip() or even_if_empty:
            self._put(text, depth, mark)

    def gap(self, depth: int, mark: Origin) -> None:
        if self.rows and not self.rows[-1].blank:
            self._put("", depth, mark)

    def _put(self, text: str, depth: int, mark: Origin) -> None:
        for piece in tidy(text).split("\n"):
            self.rows.append(Row(len(self.rows) + 1, piece.rstrip(" "), depth, mark, len(piece)))


class _Where(Value):
    """What holds for the node in hand."""

    depth: int = 0
    mark: Origin = ""
    pre: bool = False
    level: int = 0


def rows_of_html(text: str) -> tuple[list[Row], str | None]:
    """The rows of an HTML part and a fault where not all of it was read. Table rows whose cells are single lines
    become one row with tabs between the cells. The walk keeps its own stack: no nesting exhausts Python's."""
    fault = "the HTML is too long; its end was not read" if len(text) > LARGEST else None
    text = text[:LARGEST]
    if heavy := _HEAVY_TAG.search(text):
        text, fault = text[: heavy.start()], "the HTML has a tag that no program writes; its end was not read"
    if _open_at_once(text) > MOST_OPEN:
        return [], "the HTML is nested too deeply; it was not read"
    body = LexborHTMLParser(text).body
    if body is None:
        return [], fault
    page = _Page()
    stack: list[tuple[LexborNode, _Where, bool]] = [(body, _Where(), False)]
    left = MOST_NODES
    while stack:
        if len(page.rows) > MOST_ROWS:
            return page.rows, fault or f"the HTML has more than {MOST_ROWS} lines; the rest was not read"
        left -= 1
        if not left:
            fault = fault or f"the HTML has more than {MOST_NODES} parts; the rest was not read"
            break
        node, where, leaving = stack.pop()
        if leaving:
            if node.tag in _BLOCKS or node.tag in ("td", "th"):
                page.break_line(where.depth, where.mark)
                if node.tag in _SPACED:
                    page.gap(where.depth, where.mark)
        elif node.is_text_node:
            _write(page, node, where)
        elif node.is_element_node and node.tag not in _UNSEEN:
            if where.level > DEEPEST:
                fault = fault or "the HTML is nested too deeply; its innermost text was not read"
                continue
            inner = _enter(page, node, where)
            if inner is None:
                continue
            stack.append((node, inner, True))
            stack.extend((child, inner, False) for child in reversed(list(node.iter(include_text=True))))
    page.break_line(0, "")
    return page.rows, fault


def _open_at_once(text: str) -> int:
    """About how many elements are open at the deepest point; those without an end do not count."""
    deepest = depth = 0
    for tag in _TAG.finditer(text):
        if tag[2].lower() not in _ENDLESS:
            depth = max(0, depth - 1) if tag[1] else depth + 1
            deepest = max(deepest, depth)
    return deepest


def _write(page: _Page, node: LexborNode, where: _Where) -> None:
    text = node.text_content or ""
    if where.pre:
        *whole, last = text.replace("\r\n", "\n").split("\n")
        for line in whole[:MOST_ROWS]:
            page.words.append(line)
            page.break_line(where.depth, where.mark, even_if_empty=True)
        page.words.append(last)
        return
    folded = re.sub(r"[ \t\r\n\f]+", " ", text)
    if not page.words or page.words[-1].endswith((" ", "\t")):
        folded = folded.removeprefix(" ")
    if folded:
        page.words.append(folded)


def _enter(page: _Page, node: LexborNode, where: _Where) -> _Where | None:
    """What holds inside the element; None where it is not seen or was written whole."""
    tag = node.tag or ""
    attributes = node.attributes
    if "hidden" in attributes or _HIDDEN.search(attributes.get("style") or "") is not None:
        return None
    inner = _Where(where.depth, where.mark, where.pre or tag == "pre", where.level + 1)
    if tag in _BLOCKS:
        page.break_line(where.depth, where.mark)
        if tag in _SPACED:
            page.gap(where.depth, where.mark)
        if tag == "hr":
            return None
        inner = _placed(tag, attributes, inner)
        if tag == "tr" and (cells := _cells(node)) is not None:
            page.words.append("\t".join(cells))
            page.break_line(inner.depth, inner.mark)
            return None
        if tag == "li":
            page.words.append("- ")
    elif tag == "br":
        page.break_line(where.depth, where.mark, even_if_empty=True)
    elif tag in ("td", "th"):
        page.break_line(where.depth, where.mark)
    elif tag == "img":
        page.words.append(attributes.get("alt") or "")
    elif tag in ("span", "a", "table", "font"):
        inner = _placed(tag, attributes, inner)
    return inner


def _cells(row: LexborNode) -> list[str] | None:
    """The texts of a row's cells where there are several and each is one line; else None: a table for layout."""
    cells = [cell for cell in row.iter() if cell.tag in ("td", "th")]
    if len(cells) < 2:
        return None
    texts = []
    for cell in cells:
        if cell.css_first("table, blockquote, li, hr, pre, div + div, p + p") is not None:
            return None
        broken = [br for br in cell.css("br") if br.next is not None]
        if broken:
            return None
        texts.append(" ".join(cell.text(deep=True).split()))
    return texts


# How mail programs call what they put into a mail, by classes and ids of their own.
_ATTRIBUTION = re.compile(r"gmail_attr|moz-cite-prefix|moz-email-headers-table|protonmail_quote_header")
_TAIL = re.compile(r"divRplyFwdMsg|OutlookMessageHeader|appendonsend|mail-editor-reference")
_QUOTE = re.compile(
    r"yahoo_quoted|protonmail_quote|tutanota_quote|zmail_extra|moz-forward-container|WM_QUOTE|replyQuote"
    r"|mail_android_quote|OLK_SRC_BODY_SECTION|AppleOriginalContents"
)
_SIGNATURE = re.compile(
    r"gmail_signature|moz-signature|AppleMailSignature|outlook-mobile-signature|protonmail_sig"
)
_INDENT = re.compile(r"border(?:-left)?\s*:\s*(?:none|0|medium none)", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none|font-size\s*:\s*0(?:px|pt|em)?\s*(?:;|$)", re.IGNORECASE)

Attributes = Mapping[str, str | None]


def _placed(tag: str, attributes: Attributes, where: _Where) -> _Where:
    """What holds inside the element: its quote depth and mark, given those around it."""
    if not attributes and tag != "blockquote":
        return where
    names = [*(attributes.get("class") or "").split(), attributes.get("id") or ""]
    # what an indent button makes is no quote: no line at its side, and nobody says that it is one
    style, cited = attributes.get("style") or "", attributes.get("type") == "cite"
    borderless = _INDENT.search(style) is not None and "solid" not in style and not cited
    indents = tag != "blockquote" or borderless or "webkit-indent-blockquote" in names
    depth = where.depth + (not indents or any(_QUOTE.search(name) for name in names))
    mark = where.mark
    if any(_ATTRIBUTION.search(name) for name in names):
        mark = "attribution"
    elif any(_TAIL.search(name) for name in names):
        mark = "tail"
    elif any(_SIGNATURE.search(name) or name.lower() == "signature" for name in names):
        mark = mark or "signature"
    return replace(where, depth=depth, mark=mark)
