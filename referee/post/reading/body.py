"""From a parsed mail to the words of its body: which parts are read, what of it was not, and an attached form."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email.message import Message

from referee.core.complaint import LeftOut, Line
from referee.post.reading.charset import tidy
from referee.post.reading.leaf import MOST_LINES, AnyMessage, Leaf, leaf_of, quietly
from referee.post.reading.quoting import SAID, PartedBody, own_words
from referee.post.reading.rows import Row
from referee.post.reading.signature import unarmoured

LARGEST_FORM = 262_144  # bytes of a text attachment that may stand for the body
MOST_PARTS = 200
_KEYED = re.compile(r"\W*[^\W\d_][\w ]{0,40}[:=]")  # a form's own line
_STUB = re.compile(
    r"(?:this (?:message|mail|email)|your (?:mail|email)|to view).{0,200}(?:html|mime)",
    re.IGNORECASE | re.DOTALL,
)


# What parts that hold a mail or speak of one are called.
_MESSAGES = {
    "message/rfc822": "attached mail",
    "message/global": "attached mail",
    "message/news": "attached mail",
    "message/delivery-status": "delivery report",
    "message/global-delivery-status": "delivery report",
    "message/disposition-notification": "delivery report",
    "message/partial": "part of a mail sent in pieces",
}

# Texts that no person writes by hand.
_NO_FORMS = re.compile(r"text/(?:rtf|calendar|vcard|x-vcard|directory|rfc822-headers|css|javascript|xml)")


@dataclass
class MailBody:
    """What was gathered: the texts to be read, then their rows, to be parted; and what else the mail holds."""

    chosen: list[Leaf] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    forms: list[Leaf] = field(default_factory=list)  # text attachments, for a mail without words

    @property
    def says_something(self) -> bool:
        """Whether any of the texts does."""
        for leaf in self.chosen:
            text = "\n".join(row.text for row in leaf.read[0][:200]).strip()
            if text and not (len(text) < 400 and _STUB.match(text)):
                return True
        return False


def gather(message: AnyMessage) -> MailBody:
    """Choose what is read: of alternatives the plain text if it says anything, else the HTML; every inline text of
    a mixed mail in order; attachments are named, never decoded."""
    body = MailBody()
    _choose(message, body, 0)
    for leaf in body.chosen:
        if len(body.rows) > MOST_LINES:
            break
        rows, fault = leaf.read
        if fault:
            body.faults.append(fault)
        shift = body.rows[-1].number if body.rows else 0
        body.rows.extend(Row(row.number + shift, row.text, row.depth, row.mark, row.width) for row in rows)
    if len(body.rows) > MOST_LINES:
        del body.rows[MOST_LINES:]
        body.faults.append(f"the mail has more than {MOST_LINES} lines; the rest was not read")
    return body


def children_of(part: AnyMessage) -> list[AnyMessage]:
    """The parts within a part."""
    payload = part.get_payload() if quietly(part.is_multipart, False) else None
    return [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []


def parts_of(message: AnyMessage, most: int) -> Iterator[AnyMessage]:
    """The mail and all parts within it, outermost first, as many at most, without Python's recursion."""
    waiting = deque([message])
    while waiting and most:
        part = waiting.popleft()
        most -= 1
        yield part
        waiting.extend(children_of(part))


def _choose(part: AnyMessage, body: MailBody, depth: int) -> None:
    if len(body.chosen) + len(body.left_out) > MOST_PARTS or depth > 30:
        body.faults.append("the mail has too many parts; not all were read")
        return
    kind = tidy(quietly(part.get_content_type, "text/plain")).lower()[:80]
    children = children_of(part) if kind.startswith("multipart/") else []
    if not children:
        # A multipart without parts: its boundary is missing or never comes. What there is, is read as text.
        _choose_leaf(leaf_of(part, "text/plain" if kind.startswith("multipart/") else kind), body)
    elif kind == "multipart/alternative":
        _choose_alternative(children, body, depth)
    elif kind == "multipart/encrypted":
        body.left_out.append(LeftOut("encrypted text"))
        body.faults.append("the mail is encrypted")
    else:
        for child in children:
            _choose(child, body, depth + 1)


def _choose_leaf(leaf: Leaf, body: MailBody) -> None:
    if leaf.kind in ("text/plain", "text/html", "text/markdown", "text/enriched") and not leaf.attached:
        first = leaf.kind == "text/html" and all(other.kind != "text/html" for other in body.chosen)
        if first and body.chosen and body.says_something:
            body.left_out.append(LeftOut("HTML copy"))
        else:
            body.chosen.append(leaf)
        return
    if leaf.kind.startswith("message/"):
        body.left_out.append(LeftOut(_MESSAGES.get(leaf.kind, f"attachment ({leaf.kind})")))
        if leaf.kind == "message/partial":
            body.faults.append("the mail was sent in pieces; this is one of them")
        return
    texts = leaf.kind.startswith("text/") and not _NO_FORMS.fullmatch(leaf.kind)
    if texts or leaf.name.lower().endswith((".txt", ".text", ".csv", ".tsv", ".md")):
        body.forms.append(leaf)
    body.left_out.append(LeftOut(_attachment(leaf)))


def _attachment(leaf: Leaf) -> str:
    return f"attachment {leaf.name}" if leaf.name else f"attachment ({leaf.kind})"


def _choose_alternative(children: list[AnyMessage], body: MailBody, depth: int) -> None:
    """The first alternative with plain text that says something, else the first that says something at all."""
    tried = [MailBody() for _ in children[:20]]
    for child, inner in zip(children, tried, strict=False):
        _choose(child, inner, depth + 1)
    plain = (one for one in tried if any(leaf.kind != "text/html" for leaf in one.chosen))
    best = next((one for one in (*plain, *tried) if one.says_something), None)
    for one in tried:
        body.left_out.extend(one.left_out)
        body.faults.extend(one.faults)
        body.forms.extend(one.forms)
        if one is best:
            body.chosen.extend(one.chosen)
        elif any(leaf.kind == "text/html" for leaf in one.chosen):
            body.left_out.append(LeftOut("HTML copy"))


def words_of(body: MailBody) -> PartedBody:
    """The body's own words, and below them the first text attachment that holds a form; any that says anything where
    they say nothing, or are but a signature. Whether words beside it hold orders, so that they alone count, only the
    game can tell, which the offices ask."""
    rows, armour = unarmoured(body.rows)
    words = own_words(rows)
    left_out = (*words.left_out, *armour)
    said = () if words.signed_only else words.own
    for leaf in body.forms:
        attached = own_words(leaf.read[0]) if len(leaf.payload) <= LARGEST_FORM else PartedBody((), (), ())
        if attached.own and (not said or any(_KEYED.match(line.text) for line in attached.own)):
            break
        unread = (
            replace(one, said=attached.own[:SAID]) if one.what == _attachment(leaf) else one
            for one in body.left_out
        )
        body.left_out[:] = unread
    else:
        return replace(words, left_out=left_out)
    taken, last = _attachment(leaf), said[-1].number if said else 0
    body.left_out[:] = [one for one in body.left_out if one.what != taken]
    if words.signed_only and (signed := tuple(line for line in words.own if line.text.strip())):
        left_out = (*left_out, LeftOut("signature", len(signed), signed[:SAID]))
    below = tuple(Line(line.number + last, line.text) for line in attached.own)
    return PartedBody(
        own=(*said, *below),
        quoted=words.quoted + attached.quoted,
        left_out=left_out + attached.left_out,
        attached=(below, taken) if said else None,
    )
