"""What the elements of an HTML part are to a reader of mail: quotes, introductions, signatures, or hidden. Mail
programs tell by classes and ids of their own, which are listed here."""

from __future__ import annotations

import re
from collections.abc import Mapping

from referee.post.reading.rows import Mark

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


def is_hidden(attributes: Attributes) -> bool:
    """Whether no reader sees the element."""
    return "hidden" in attributes or _HIDDEN.search(attributes.get("style") or "") is not None


def standing(tag: str, attributes: Attributes, depth: int, mark: Mark) -> tuple[int, Mark]:
    """Quote depth and mark inside an element, given those around it."""
    if not attributes and tag != "blockquote":
        return depth, mark
    names = [*(attributes.get("class") or "").split(), attributes.get("id") or ""]
    if any(_QUOTE.search(name) for name in names) or (
        tag == "blockquote" and not _is_indent(attributes, names)
    ):
        depth += 1
    if any(_ATTRIBUTION.search(name) for name in names):
        return depth, "attribution"
    if any(_TAIL.search(name) for name in names):
        return depth, "tail"
    if any(_SIGNATURE.search(name) or name.lower() == "signature" for name in names):
        return depth, mark or "signature"
    return depth, mark


def _is_indent(attributes: Attributes, names: list[str]) -> bool:
    """Whether a block quote is what an indent button makes: no line at its side, and nobody says it is a quote."""
    style = attributes.get("style") or ""
    borderless = (
        _INDENT.search(style) is not None and "solid" not in style and attributes.get("type") != "cite"
    )
    return borderless or "webkit-indent-blockquote" in names
