"""HTML to rows: what a reader would see, with quotes and signatures marked by what mail programs call them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.mail.read.decoding import tidy
from referee.mail.read.rows import MOST_ROWS, Origin, Row

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


@dataclass(frozen=True, slots=True)
class _Where:
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
            _leave(page, node, where)
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
    """About how many elements are open at the deepest point; those that need no end are not counted."""
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
    """What holds inside the element; None where nothing of it is seen or it has been written whole."""
    tag = node.tag or ""
    attributes = node.attributes
    if _is_hidden(attributes):
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


def _leave(page: _Page, node: LexborNode, where: _Where) -> None:
    tag = node.tag or ""
    if tag in _BLOCKS or tag in ("td", "th"):
        page.break_line(where.depth, where.mark)
        if tag in _SPACED:
            page.gap(where.depth, where.mark)


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


def _is_hidden(attributes: Attributes) -> bool:
    """Whether no reader sees the element."""
    return "hidden" in attributes or _HIDDEN.search(attributes.get("style") or "") is not None


def _placed(tag: str, attributes: Attributes, where: _Where) -> _Where:
    """What holds inside the element: its quote depth and mark, given those around it."""
    if not attributes and tag != "blockquote":
        return where
    names = [*(attributes.get("class") or "").split(), attributes.get("id") or ""]
    indents = tag != "blockquote" or _is_indent(attributes, names)
    depth = where.depth + (not indents or any(_QUOTE.search(name) for name in names))
    mark = where.mark
    if any(_ATTRIBUTION.search(name) for name in names):
        mark = "attribution"
    elif any(_TAIL.search(name) for name in names):
        mark = "tail"
    elif any(_SIGNATURE.search(name) or name.lower() == "signature" for name in names):
        mark = mark or "signature"
    return replace(where, depth=depth, mark=mark)


def _is_indent(attributes: Attributes, names: list[str]) -> bool:
    """Whether a block quote is what an indent button makes: no line at its side, and nobody says it is a quote."""
    style = attributes.get("style") or ""
    borderless = (
        _INDENT.search(style) is not None and "solid" not in style and attributes.get("type") != "cite"
    )
    return borderless or "webkit-indent-blockquote" in names
