"""What becomes of a mail before anyone looks for orders in it; what a bounce says: which of our
letters did not reach whom, and whether for good (RFC 3464, 3463); and which mail is the same
again, by all of it but the transport, or by what the sender said."""

import hashlib
import re
from collections.abc import Collection, Iterator
from email.message import Message

from referee.core.texts.addresses import address_key, without_detail
from referee.mail.mail import Bounce, Failure, Triage
from referee.mail.read.decoding import decode, tidy
from referee.mail.read.head import Headers, ParsedMail, headers_of, loose_addresses, read_words
from referee.mail.read.mail import UNREADABLE
from referee.mail.read.parsing import parts_of, quietly
from referee.mail.read.phrases import FAILURES

# Fields that servers on the way add or change. What a sender's program writes is not among them.
_TRANSPORT = """
    received delivered-to x-original-to return-path envelope-to x-received x-loop delivery-date
    domainkey-signature authentication-results received-spf status x-status x-keywords x-imapbase
    content-length lines
"""
_BEGINNINGS = """
    arc- x-spam x-ms- x-microsoft- x-forefront- x-barracuda- x-proofpoint- resent- x-envelope- x-google-
    x-virus- x-rspamd- x-mozilla- x-forwarded- x-uid x-mx- x-gm- x-resolved- x-delivered-
"""
_RECIPIENTS = ("delivered-to", "x-original-to")  # a reply address may stand there alone
_ADDED, _BEGUN = frozenset(_TRANSPORT.split()), tuple(_BEGINNINGS.split())
_FIELDS_READ = re.compile(rb"(?:[\x21-\x39\x3b-\x7e]+:[^\n]*\n|[ \t][^\n]*\n|From [^\n]*\n)*+")


def content_digest(raw: bytes, headers: Headers, trusted: Collection[str] = ()) -> str:
    """A digest of the whole mail without its transport fields, among which no proof is: signatures, what trusted
    servers (in lower case) say, reply addresses. Line ends and folds do not count. 64 hex digits."""
    digest = hashlib.sha256()
    for name, value in headers.fields:
        proves = name in _RECIPIENTS and "+" in value
        if name == "authentication-results":
            proves = any(server in value.lower() for server in trusted)
        if proves or not (name in _ADDED or name.startswith(_BEGUN)):
            digest.update(_field(name, " ".join(value.split())))
    head = _FIELDS_READ.match(raw)
    text = raw[head.end() :] if head else raw
    digest.update(b"\n" + text.replace(b"\r\n", b"\n").strip(b"\n"))
    return digest.hexdigest()


def words_digest(mail: ParsedMail) -> str:
    """A digest of sender, subject, own words and Date: what a resend under a new Message-ID has in common with the
    first. Blanks at line ends and blank lines do not count."""
    digest = hashlib.sha256()
    sender = address_key(mail.sender.address) if mail.sender else read_words(mail.headers.first("from") or "")
    digest.update(_field("from", sender))
    digest.update(_field("subject", mail.subject))
    digest.update(_field("date", mail.date.isoformat() if mail.date else mail.date_text))
    for line in mail.own:
        if line.text.strip():
            digest.update(_field("line", " ".join(line.text.split())))
    return digest.hexdigest()


def _field(name: str, value: str) -> bytes:
    """Length first, so that no two lists of fields read alike."""
    data = value.encode("utf-8", "surrogatepass")
    return f"{name}:{len(data)}:".encode() + data


_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_REPLY = re.compile(r"\b([45])\d\d[ -]")
_ID = re.compile(r"^message-id:\s*(<[^<>\s]{1,900}>)", re.IGNORECASE | re.MULTILINE)
_ANY_ID = re.compile(r"<[^<>\s]{1,900}>")
MOST_TEXT = 65_536
MOST_PARTS = 100  # that are looked at
MOST_IDS = 20  # Message-IDs that a report may name


def read_bounce(message: Message) -> Bounce:
    """The bounce in this mail; without failures where it names none. Total."""
    parts = list(parts_of(message, MOST_PARTS))
    told = [failure for part in parts for failure in _reported(part)]
    if not told:
        told = list(_worded(message, parts))
    once = {address_key(failure.addresses[0]): failure for failure in told}
    return Bounce(tuple(once.values())[:50], tuple(dict.fromkeys(_letter_ids(message, parts)))[:MOST_IDS])


def _reported(part: Message) -> Iterator[Failure]:
    """The recipient block of a delivery status; delays and successes are no failures."""
    fields = headers_of(part)
    stated = (fields.first("original-recipient") or "", fields.first("final-recipient") or "")
    addresses = tuple(address for value in stated for address in loose_addresses([value])[:1])
    action = fields.said("action")
    if not addresses or action in ("delivered", "relayed", "expanded", "delayed"):
        return
    note = fields.text("diagnostic-code")
    status = _STATUS.search(fields.first("status") or "") or _STATUS.search(note)
    kind = status[1] if status else "5" if action == "failed" else "4"
    yield Failure(tuple(dict.fromkeys(addresses)), status[0] if status else "", kind == "5", note[:300])


def _worded(message: Message, parts: list[Message]) -> Iterator[Failure]:
    """What older mailers say in prose: an address near a status or a reply code."""
    text = "\n".join(_text(part) for part in parts if not quietly(part.is_multipart, False))[:MOST_TEXT]
    status = _STATUS.search(text)
    reply = _REPLY.search(text)
    kind = status[1] if status else reply[1] if reply else "5"
    fields = headers_of(message)
    own = set(loose_addresses([*fields.every("from"), *fields.every("to"), *fields.every("sender")]))
    # the mailer's own words are what stands above the returned letter's head
    copies = ("\nreceived:", "\nreturn-path:", "copy of the message", "original message")
    ends = (text.lower().find(mark) for mark in copies)
    told = loose_addresses([text[: min((end for end in ends if end > 0), default=len(text))]])
    named = loose_addresses(fields.every("x-failed-recipients")) or [one for one in told if one not in own]
    for address in named[:20]:
        yield Failure((address,), status[0] if status else "", kind == "5", "")


def _text(part: Message) -> str:
    payload: object = quietly(lambda: part.get_payload(decode=True), None)
    return tidy(decode(payload[:MOST_TEXT])[0]) if isinstance(payload, bytes) else ""


def _letter_ids(message: Message, parts: list[Message]) -> Iterator[str]:
    """The returned letter's Message-ID: from its head as a part or as text, or from the report's references."""
    for part in parts[1:]:
        yield from _ANY_ID.findall(headers_of(part).first("message-id") or "")[:1]
    for part in parts[1:] or parts:
        yield from _ID.findall(_text(part))[:MOST_IDS]
    fields = headers_of(message)
    for name in ("in-reply-to", "references"):
        yield from _ANY_ID.findall(fields.first(name) or "")[-MOST_IDS:]


_MAILERS = re.compile(r"mailerdaemon|postmaster|maildaemon|maildelivery")
_NOBODY = re.compile(r"mailerdaemon|noreply|donotreply|nobody|listserv|majordomo|newsletter|bounces?")
BY_LIST = "a mail through a list"  # a player's counts; of anybody else nothing is said to it
_CAMPAIGNS = "x-campaign x-campaignid feedback-id list-unsubscribe-post"
_SENT_BY = ("mailing-list", "x-mailgun-", "x-sg-", "x-ses-", "x-mandrill-", "x-mj-", "x-pm-")


def rulings(mail: ParsedMail, own: Collection[str]) -> Iterator[Triage]:
    """What each rule says of the mail, the one that counts most first. `own` as for `triage`."""
    headers, address = mail.headers, mail.sender.address if mail.sender else ""
    local = address.lower().partition("@")[0]
    if why := next((fault for fault in mail.faults if fault.startswith(UNREADABLE)), ""):
        yield Triage("hold", why)  # the reader itself stumbled: the moderator looks
    if mail.empty:
        yield Triage("discard", "this is no mail")
    if name := next((name for name, _ in headers.fields if name.startswith("x-referee-")), ""):
        yield Triage("discard", f"a letter of a referee came here ({name})")  # only referees set these fields
    if address_key(address) in own or without_detail(address) in own:  # an answer would be the next one
        yield Triage("discard", "the mail says it is from our own address")
    # a report by RFC 3464, or a mailer's own wording of one; a return receipt is none
    kind = headers.said("content-type")
    if mail.content_type == "multipart/report" and "disposition-notification" not in kind:
        yield Triage("bounce", "a report on a letter that did not arrive")
    failed = _MAILERS.fullmatch(local.replace("-", "")) and any(
        words in mail.subject.lower() for words in FAILURES
    )
    if headers.first("x-failed-recipients") or failed:
        yield Triage("bounce", "a mailer's notice that a letter did not arrive")
    if mail.program:  # RFC 3834
        yield Triage("discard", f"sent by a program: {mail.program}")
    if _NOBODY.fullmatch(local.partition("+")[0].replace("-", "").replace("_", "").replace(".", "")):
        yield Triage("discard", f"from {local}, which is no person")
    if headers.said("return-path").replace(" ", "") == "<>":  # RFC 5321, 4.5.5
        yield Triage("discard", "sent with an empty return path: a program's notice")
    # A mailing list's fields alone are not enough: a player may write through a list, and lists mark all they carry,
    # some as bulk. One that can be left but not written to, or bulk from no list, is.
    precedence = headers.said("precedence")
    through_list = headers.any_of("list-post", "list-id", "x-mailman-version", "x-beenthere")
    advertising = headers.any_of(*_CAMPAIGNS.split())
    if precedence == "junk" or (precedence == "bulk" and not through_list):
        yield Triage("discard", f"bulk mail (Precedence: {precedence})")
    if advertising and headers.any_of("list-unsubscribe") and not headers.any_of("list-post"):
        yield Triage("discard", f"advertising ({advertising})")
    # who checks a signature takes the lowest of several equal fields, who reads the mail the topmost
    if mail.twice:
        yield Triage("hold", f"it has more than one {' and one '.join(mail.twice)}", suspect=True)
    if mail.sender is None:  # there is nobody to answer, and perhaps somebody to deceive
        yield Triage("hold", next((f for f in mail.faults if "From" in f), "the sender cannot be told"))
    if headers.said("x-spam-flag") in ("yes", "true"):  # it may be wrong about a player
        yield Triage("hold", "the mail server marked it as spam", suspect=True)
    wished = headers.said("x-auto-response-suppress")  # by whom an answer is not
    unanswered = bool(advertising) or "auto" in wished or wished == "all"
    unanswered |= any(name.startswith(_SENT_BY) for name, _ in headers.fields)
    if through_list or precedence == "list" or unanswered or headers.any_of("list-unsubscribe"):
        yield Triage("read", BY_LIST)


def triage(mail: ParsedMail, own_addresses: Collection[str]) -> Triage:
    """Where the mail goes; by its fields alone where no more of it has been read. `own_addresses` are those whose mail
    comes here."""
    own = frozenset(map(address_key, own_addresses))
    return next(rulings(mail, own), Triage("read", "a person's mail"))
