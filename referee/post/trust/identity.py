"""Telling the same mail again: by all of it but the transport, or by what the sender said."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection

from referee.core.texts.addresses import address_key
from referee.post.reading.head import Headers, ParsedMail, read_words

# Fields that servers on the way add or change. What a sender's program writes is not among them.
_TRANSPORT = """
    received delivered-to x-original-to return-path envelope-to x-envelope-to x-envelope-from x-delivered-to
    x-forwarded-to x-forwarded-for x-resolved-to x-received x-loop delivery-date x-attached x-mx-policy
    domainkey-signature authentication-results received-spf x-google-dkim-signature
    x-gm-message-state x-google-smtp-source x-virus-scanned x-virus-status x-rspamd-queue-id x-rspamd-server
    x-rspamd-action x-rspamd-pre-result status x-status x-uid x-uidl x-keywords x-imapbase content-length lines
    x-mozilla-status x-mozilla-status2 x-mozilla-keys
"""
_BEGINNINGS = "arc- x-spam x-ms-exchange- x-microsoft- x-forefront- x-barracuda- x-proofpoint- resent-"
_RECIPIENTS = ("delivered-to", "x-original-to")  # a reply address may stand there alone
_ADDED, _BEGUN = frozenset(_TRANSPORT.split()), tuple(_BEGINNINGS.split())
_HEAD = re.compile(
    rb"(?:[\x21-\x39\x3b-\x7e]+:[^\n]*\n|[ \t][^\n]*\n|From [^\n]*\n)*+"
)  # as far as fields are read


def content_digest(raw: bytes, headers: Headers, trusted: Collection[str] = ()) -> str:
    """A digest of the whole mail without its transport fields, among which no proof is: signatures, what trusted
    servers (in lower case) say, reply addresses. Line ends and folds do not count. 64 hex digits."""
    digest = hashlib.sha256()
    for name, value in headers.fields:
        if not (name in _ADDED or name.startswith(_BEGUN)) or _proves(name, value, trusted):
            digest.update(_field(name, " ".join(value.split())))
    head = _HEAD.match(raw)
    text = raw[head.end() :] if head else raw
    digest.update(b"\n" + text.replace(b"\r\n", b"\n").strip(b"\n"))
    return digest.hexdigest()


def _proves(name: str, value: str, trusted: Collection[str]) -> bool:
    """Whether a field of the transport may prove who sent the mail."""
    if name == "authentication-results":
        return any(server in value.lower() for server in trusted)
    return name in _RECIPIENTS and "+" in value


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
