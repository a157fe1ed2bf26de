"""Bytes to a mail as a value, in one pass: its fields; of its parts the texts that are read; their rows; and of these
the sender's own words. Total: for any bytes there is one, and what could not be read is named."""

import csv
import re
import traceback
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from email.errors import MessageError
from email.message import Message
from functools import cached_property
from io import StringIO
from pathlib import Path

from referee.base.errors import UNFORESEEN
from referee.base.logs import Log
from referee.core.value import LeftOut, Line
from referee.mail.mail import ARMOUR
from referee.mail.read import rows as laid
from referee.mail.read.decoding import decode, is_quoted_printable, tidy, undo
from referee.mail.read.head import ParsedMail, head_of, headers_of, read_words
from referee.mail.read.parsing import children_of, parse, quietly
from referee.mail.read.quoting import SAID, PartedBody, own_words

UNREADABLE = "the mail could not be read"
LARGEST_TEXT = 2_000_000  # bytes of a text part that are read
LARGEST_FORM = 262_144  # bytes of a text attachment that may stand for the body
MOST_PARTS = 200
LONGEST_CELL = 10_000  # characters of a table
log = Log("referee.mail")


def read_mail(raw: bytes) -> ParsedMail:
    """The mail in these bytes.

    What no rule foresaw gives one of faults alone, which triage holds for the moderator; its traceback is logged.
    """
    try:
        message, faults = parse(raw)
        head = head_of(message, headers_of(message), raw)
        body, words = Contents(), PartedBody()
        try:
            choose(message, body)
            words = words_of(body)
        except (*UNFORESEEN, MessageError):
            faults.append("the body could not be read")
        return replace(
            head,
            faults=tuple(dict.fromkeys((*faults, *body.faults, *head.faults))),
            own=words.own,
            quoted=words.quoted,
            left_out=(*words.left_out, *dict.fromkeys(body.left_out)),
            attached=words.attached,
        )
    except Exception as error:
        log.exception("unreadable mail")
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {Path(frame.filename).name}, line {frame.lineno}"
        fault = f"{UNREADABLE}: {where}; the log has its traceback"
        return ParsedMail(left_out=(LeftOut("the whole mail"),), faults=(fault,))


# --- one part that holds no others --------------------------------------------------------------------------------

_PARAMETER = re.compile(r"<param>[^<>]{0,500}</param>", re.IGNORECASE)
_HTML = re.compile(r"<!doctype html|<html", re.IGNORECASE)
_COMMAND = re.compile(r"</?[a-z][a-z0-9-]{0,59}>", re.IGNORECASE)


@dataclass
class Leaf:
    """One part that holds no others. `kind` is its content type in lower case, `stated` what stands beside that, `name`
    its file name or '', `encoding` its Content-Transfer-Encoding, of which this `part` does not know."""

    part: Message
    kind: str
    stated: Mapping[str, object]
    name: str
    attached: bool
    encoding: str

    @property
    def called(self) -> str:
        """As an attachment."""
        if self.kind == "application/pgp-signature":
            return ARMOUR
        return f"attachment {self.name}" if self.name else f"attachment ({self.kind})"

    @cached_property
    def payload(self) -> bytes:
        """The part's bytes as they were sent, still encoded."""
        payload: object = quietly(lambda: self.part.get_payload(decode=True), None)
        return payload if isinstance(payload, bytes) else b""

    @cached_property
    def read(self) -> tuple[list[laid.Row], str | None]:
        """A text part's rows and a fault; decoded when first asked for, and once."""
        text, fault = self._text()
        if self.kind == "text/html" or (self.kind == "text/plain" and _HTML.match(text.lstrip())):
            rows, trouble = laid.rows_of_html(text)
            return laid.rows_with_marks(rows), fault or trouble
        if self.kind == "text/enriched":  # RFC 1896, without its commands; a doubled angle bracket is one
            text = _COMMAND.sub("", _PARAMETER.sub("", text.replace("<<", "\0"))).replace("\0", "<")
        elif self.kind == "text/csv" or self.name.lower().endswith(".csv"):
            text = _tabbed(text)
        if str(self.stated.get("format")).lower() == "flowed":
            delsp = str(self.stated.get("delsp")).lower() == "yes"
            return list(laid.rows_of_flowed(tidy(text), delsp=delsp)), fault
        return laid.rows_of_text(tidy(text)), fault

    def _text(self) -> tuple[str, str | None]:
        """Its characters, as sent but for the charset, and a fault."""
        much, fault = len(self.payload) > LARGEST_TEXT, None
        sent = undo(self.payload[:LARGEST_TEXT], self.encoding)
        if self.encoding.strip().lower() in ("", "7bit", "8bit") and is_quoted_printable(sent):
            sent = undo(sent, "quoted-printable")
            fault = "the text was encoded without saying so; read as quoted-printable"
        charset = self.stated.get("charset")
        charset = charset[-1] if isinstance(charset, tuple) else charset
        text, doubt = decode(sent, charset.strip(" \"'") if isinstance(charset, str) else None)
        if much:
            fault = f"a text is longer than {LARGEST_TEXT} bytes; its end was not read"
        return text, fault or doubt


def leaf_of(part: Message, kind: str) -> Leaf:
    """What is asked of a part before anything of it is decoded. Its name is fit for a letter: the last step of a path,
    on one line, no longer than 80 characters."""
    name = quietly(part.get_filename, None)
    if isinstance(name, str):
        plain = read_words(decode(name.encode("utf-8", "surrogateescape"))[0])
        called = re.split(r"[/\\]", plain)[-1].strip(" .\"'")[:80]
    else:
        called = ""
    stated = {said.lower(): value for said, value in reversed(quietly(part.get_params, None) or ())}
    disposition = str(quietly(lambda: part.get("Content-Disposition", ""), "")).strip().lower()
    encoding = str(quietly(lambda: part.get("Content-Transfer-Encoding", ""), ""))
    bare = copy(part)
    del bare["Content-Transfer-Encoding"]  # so that the parser hands over the bytes, broken as they may be
    attached = disposition.startswith("attachment") or bool(name)
    return Leaf(bare, kind, stated, called, attached, encoding)


def _tabbed(text: str) -> str:
    """A table of separated values (RFC 4180, or with the semicolons of countries whose comma is decimal) with tabs
    between its cells, one row a line. What is no such table is kept as it stands."""
    sign = max(";,\t", key=text.partition("\n")[0].count)
    try:
        rows = [
            [" ".join(cell.split()) for cell in row] for row in csv.reader(StringIO(text), delimiter=sign)
        ]
    except csv.Error:
        return text
    return "\n".join("\t".join(cell[:LONGEST_CELL] for cell in row).rstrip() for row in rows)


# --- which parts are read -----------------------------------------------------------------------------------------

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
_READ = ("text/plain", "text/html", "text/markdown", "text/enriched")
# Texts that no person writes by hand.
_NO_FORMS = re.compile(r"text/(?:rtf|calendar|vcard|x-vcard|directory|rfc822-headers|css|javascript|xml)")


@dataclass
class Contents:
    """What a mail holds: the texts to be read, text attachments, which may stand for a mail without words, and what is
    left out."""

    chosen: list[Leaf] = field(default_factory=list)
    forms: list[Leaf] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def says_something(self) -> bool:
        """Whether any of the texts does."""
        for leaf in self.chosen:
            text = "\n".join(row.text for row in leaf.read[0][:200]).strip()
            if text and not (len(text) < 400 and _STUB.match(text)):
                return True
        return False


def choose(part: Message, body: Contents, depth: int = 0) -> None:
    """Choose what is read: of alternatives the plain text if it says anything, else the HTML; every inline text of
    a mixed mail in order; attachments are named, never decoded."""
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
            choose(child, body, depth + 1)


def _choose_leaf(leaf: Leaf, body: Contents) -> None:
    if leaf.kind in _READ and not leaf.attached:
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
    body.left_out.append(LeftOut(leaf.called))


def _choose_alternative(children: list[Message], body: Contents, depth: int) -> None:
    """The first alternative with plain text that says something, else the first that says something at all."""
    tried = [Contents() for _ in children[:20]]
    for child, inner in zip(children, tried, strict=False):
        choose(child, inner, depth + 1)
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


# --- the words of what is read ------------------------------------------------------------------------------------

_KEYED = re.compile(r"\W*[^\W\d_][\w ]{0,40}[:=]")  # a form's own line


def words_of(body: Contents) -> PartedBody:
    """The body's own words, and below them the first text attachment that holds a form; any that says anything where
    they say nothing, or are but a signature. Whether words beside it hold orders, so that they alone count, only the
    game can tell, which the offices ask."""
    rows, armour = laid.unarmoured(_rows_of(body))
    words = own_words(rows)
    left_out = (*words.left_out, *armour)
    said = () if words.signed_only else words.own
    for leaf in body.forms:
        attached = own_words(leaf.read[0]) if len(leaf.payload) <= LARGEST_FORM else PartedBody()
        if attached.own and (not said or any(_KEYED.match(line.text) for line in attached.own)):
            break
        body.left_out[:] = [
            replace(one, said=attached.own[:SAID]) if one.what == leaf.called else one
            for one in body.left_out
        ]
    else:
        return replace(words, left_out=left_out)
    body.left_out[:] = [one for one in body.left_out if one.what != leaf.called]
    if words.signed_only and (signed := tuple(line for line in words.own if line.text.strip())):
        left_out = (*left_out, LeftOut("signature", len(signed), signed[:SAID]))
    last = said[-1].number if said else 0
    below = tuple(Line(line.number + last, line.text) for line in attached.own)
    return PartedBody(
        own=(*said, *below),
        quoted=words.quoted + attached.quoted,
        left_out=left_out + attached.left_out,
        attached=(below, leaf.called) if said else None,
    )


def _rows_of(body: Contents) -> list[laid.Row]:
    """The rows of all texts that are read, numbered through."""
    rows: list[laid.Row] = []
    for leaf in body.chosen:
        if len(rows) > laid.MOST_ROWS:
            break
        read, fault = leaf.read
        if fault:
            body.faults.append(fault)
        shift = rows[-1].number if rows else 0
        rows += (replace(row, number=row.number + shift) for row in read) if shift else read
    if len(rows) > laid.MOST_ROWS:
        del rows[laid.MOST_ROWS :]
        body.faults.append(f"the mail has more than {laid.MOST_ROWS} lines; the rest was not read")
    return rows
