"""Every kind of text that could cost more than its length, put in every place of a mail: mails of any size to read."""

import base64
import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from referee.games import found
from referee.mail.reader import MailReader

WORDS = b"Move: b2-d3\r\n"
HEAD = {
    "From": b"Ann <ann@example.org>",
    "To": b"collector@referee.example",
    "Subject": b"Buttons and bridges: Move / Player 1",
    "Date": b"Mon, 02 Mar 2026 00:00:00 +0000",
    "Message-ID": b"<1@example.org>",
}


def _repeated(unit: str, before: str = "", behind: str = "") -> Callable[[int], bytes]:
    """The unit again and again until there are so many bytes."""
    piece = unit.encode("utf-8", "surrogatepass")
    first, last = before.encode(), behind.encode()
    return lambda size: first + (piece * (size // len(piece) + 1))[:size] + last


# What stands in the texts; each is given its size in bytes.
TEXTS: Mapping[str, Callable[[int], bytes]] = {
    "one letter": _repeated("a"),
    "one capital": _repeated("A"),
    "one word again and again": _repeated("word "),
    "marks above and below": _repeated("\u0315\u0300", "a"),
    "marks in falling order": _repeated("\u0345\u035c\u0362\u0315\u0321\u0316\u0300\u0327\u0334", "a"),
    "marks that count once each": _repeated("\u0300\u0301\u0316\u0317", "a"),
    "marks with joiners between": _repeated("\u0300\u200d\u0316\u200b", "a"),
    "marks behind a Hangul letter": _repeated("\u1161\u0300\u11a8\u0316", "\u1100"),
    "letters that fold to marks": _repeated("\u0390\u0345\u1fb4", "a"),
    "one sign that stands for eighteen": _repeated("\ufdfa"),
    "blanks": _repeated(" ", "a", "b"),
    "tabs": _repeated("\t", "a", "b"),
    "blanks and tabs": _repeated(" \t", "a", "b"),
    "wide blanks": _repeated("\u3000\u00a0", "a", "b"),
    "blanks and a line end": _repeated(" " * 200 + "\n", "a", "b"),
    "words far apart": _repeated("x" + " " * 99),
    "CR": _repeated("\r"),
    "LF": _repeated("\n"),
    "CRLF": _repeated("\r\n"),
    "CRLF and a blank": _repeated("\r\n "),
    "CR LF LF": _repeated("\r\n\n"),
    "NEL": _repeated("\u0085"),
    "LS": _repeated("\u2028\u2029"),
    "short lines": _repeated("a\r\n"),
    "opening brackets": _repeated("["),
    "nested brackets": _repeated("[a "),
    "parentheses": _repeated("("),
    "closed comments": _repeated("(a)"),
    "nested comments": lambda size: b"(" * (size // 2) + b")" * (size // 2),
    "angles": _repeated("<"),
    "addresses": _repeated("<a@example.org>, "),
    "an address without an end": _repeated("a.", "<", "@"),
    "at signs": _repeated("a@"),
    "commas": _repeated(","),
    "semicolons": _repeated(";"),
    "colons": _repeated(":"),
    "quotes": _repeated('"'),
    "backslashes": _repeated("\\"),
    "escaped quotes": _repeated('\\"', '"'),
    "quote marks": _repeated(">"),
    "quote marks and blanks": _repeated("> "),
    "quoted lines": _repeated("> a\r\n"),
    "deeper and deeper quotes": lambda size: b"\r\n".join(
        b">" * (n % 400) + b" a" for n in range(max(1, size // 200))
    ),
    "dashes": _repeated("-"),
    "dashes and blanks": _repeated("- "),
    "stars": _repeated("*"),
    "signs before a subject": _repeated("***a*** {b} (re) "),
    "seats": _repeated(" player "),
    "underscores": _repeated("_"),
    "slashes": _repeated("/"),
    "prefixes": _repeated("Re: "),
    "prefixes in brackets": _repeated("[x] Re: "),
    "entities": _repeated("&amp;"),
    "entities that nest": _repeated("&amp", "&"),
    "ampersands": _repeated("&"),
    "numbered entities": _repeated("&#768;&#790;"),
    "encoded words": _repeated("=?utf-8?q?a=C3=A4?= "),
    "encoded words in base64": _repeated("=?utf-8?b?w6TDtg==?= "),
    "encoded words of many charsets": _repeated("=?utf-8?q?a?= =?latin-1?q?b?= "),
    "begun encoded words": _repeated("=?utf-8?q?"),
    "begun encoded words without a charset": _repeated("=?"),
    "one long encoded word": _repeated("=C3=A4", "=?utf-8?q?", "?="),
    "one long encoded word of marks": _repeated("=CC=95=CC=80", "=?utf-8?q?a", "?="),
    "escapes": _repeated("=41"),
    "escapes that nobody declared": _repeated("a=C3=BC"),
    "equal signs": _repeated("="),
    "soft breaks": _repeated("=\r\n"),
    "soft breaks behind blanks": _repeated("= \t", "", "\r\n"),
    "base64": _repeated("QUJD"),
    "base64 with padding": _repeated("QQ=="),
    "base64 junk": _repeated("Q!"),
    "uuencoded": _repeated("M" + "A" * 60 + "\r\n", "begin 644 a\r\n"),
    "begun uuencoding": _repeated("begin 644 "),
    "boundary lines": _repeated("--x\r\n"),
    "boundaries of others": _repeated("--y\r\n"),
    "containers": _repeated("Content-Type: multipart/mixed; boundary=b\n\n--b\n"),
    "mails within": _repeated("Content-Type: message/rfc822\n\n"),
    "header lines": _repeated("X-A: b\r\n"),
    "long header lines": _repeated("X-A: " + "b " * 300 + "\r\n"),
    "parameters": _repeated("; a=b", "text/plain"),
    "parameters in pieces": lambda size: b"text/plain" + b"".join(b"; name*%d*=a" % n for n in range(size // 12 + 1)),
    "parameters in quotes": _repeated('; a="b;c"', "text/plain"),
    "tags": _repeated("a=b; "),
    "different tags": lambda size: b"".join(b"a%d=b; " % n for n in range(max(1, size // 10))),
    "numbers": _repeated("9"),
    "numbers apart": _repeated("9 "),
    "digits of another script": _repeated("\u0967"),
    "times": _repeated("10:10 "),
    "dates": _repeated("On Mon, 1 Jan 2026 "),
    "dates by numbers": _repeated("2026-01-01 "),
    "attributions": _repeated("On Mon, 1 Jan 2026 Ann <ann@example.org> wrote:\r\n"),
    "attributions on one line": _repeated("On 1 Jan Ann <a@example.org> wrote: "),
    "attributions in pieces": _repeated("On 1 Jan 2020 10:00 A\n\n<\nmailto:a@b.c\n> wrote:\n"),
    "attributions and quotes": _repeated("On 1.1.2020 10:00 a@b wrote:\n> x\n"),
    "half attributions": _repeated("On Monday\nwrote:\n"),
    "marks of GroupWise": _repeated(">>> 1.1.2020 10:00 >>>\n> a\n"),
    "marks with initials": _repeated("AB>>> x\n"),
    "marks of bars": _repeated("| a\n", "On 1.1.2020 10:00 a@b wrote:\n"),
    "marked links": _repeated("> (http://x\n(\n"),
    "lines of a phone": _repeated("Sent from my iPhone <\n"),
    "words of lawyers": _repeated("confidential privileged disclaimer\n\n"),
    "heads of forwarded mails": _repeated("From: a@example.org\r\nSubject: b\r\nDate: c\r\n\r\n"),
    "rulers": _repeated("-----Original Message-----\r\n"),
    "rulers that run on": _repeated("--- Original Message ---From: x\n"),
    "signatures": _repeated("-- \r\na\r\n"),
    "armour": _repeated("-----BEGIN PGP SIGNED MESSAGE-----\r\n\r\na\r\n"),
    "armour with an end": _repeated(
        "-----BEGIN PGP PUBLIC KEY BLOCK-----\r\n\r\na\r\n", "", "-----END PGP PUBLIC KEY BLOCK-----\r\n"
    ),
    "armoured signatures": _repeated(
        "-----BEGIN PGP SIGNATURE-----\r\n\r\nQUJD\r\n-----END PGP SIGNATURE-----\r\n"
    ),
    "begun armour": _repeated("-----BEGIN PGP SIGNED MESSAGE-----\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n"),
    "begun keys": _repeated("-----BEGIN PGP PUBLIC KEY BLOCK-----\r\n"),
    "zero-width signs": _repeated("\u200b"),
    "joiners": _repeated("\u200c\u200d"),
    "joiners between letters": _repeated("ä\u200da\u200c"),
    "surrogates": _repeated("\udc80"),
    "bytes of no charset": lambda size: b"\x80\xff" * (size // 2),
    "bytes that look Cyrillic": lambda size: b"\xef\xf0\xe8\xe2\xe5\xf2 " * (size // 7),
    "escapes of ISO-2022": lambda size: b"\x1b$B0!\x1b(B" * (size // 8),
    "labels": _repeated("xn--a."),
    "labels beyond ASCII": _repeated("ä.", "a@", "org"),
    "one label beyond ASCII": _repeated("ä", "a@", ".org"),
    "List-Ids": _repeated("a <a.example.org> "),
    "message ids": _repeated("<a@example.org> "),
    "begun message ids": _repeated("<a"),
    "results": _repeated("; dkim=pass header.d=example.org", "mx.example.org"),
    "results with comments": _repeated("; spf=pass (a) smtp.mailfrom=a", "mx.example.org"),
    "a pass phrase": _repeated("pass phrase "),
    "keys": _repeated("Move: b2-d3\r\n"),
    "squares": _repeated("b2 d3 "),
    "squares between commas": _repeated("b2,d3,"),
    "tags of HTML": _repeated("<b>"),
    "nested divisions": _repeated("<div>"),
    "nested quotes": _repeated("<blockquote>"),
    "nested tables": _repeated("<table><tr><td>"),
    "rules of HTML": _repeated("<hr><br>"),
    "hidden text": _repeated("<p style='display : none'>"),
    "commands of enriched text": _repeated("<a><param>"),
    "values in quotes": _repeated('"a;",'),
    "quotes and line ends": _repeated('"\n'),
    "closed tags": _repeated("<p>a</p>"),
    "closing tags alone": _repeated("</div>"),
    "crossing tags": _repeated("<b><i></b></i>"),
    "unclosed anchors": _repeated("<a href=x>"),
    "begun tags": _repeated("<b "),
    "begun comments": _repeated("<!--"),
    "attributes": lambda size: b"<p " + b" ".join(b"a%d=b" % n for n in range(max(1, size // 8))) + b">",
    "one long attribute": _repeated("a ", '<p class="', '">'),
    "styles": _repeated("color:red;", '<p style="', '">x</p>'),
    "style sheets": _repeated("<style>p{}</style>"),
    "a style sheet": _repeated("p{color:red}", "<style>", "</style>"),
    "lists": _repeated("<ul><li>a"),
    "line breaks of HTML": _repeated("a<br>"),
    "blanks between tags": _repeated("<b> </b> "),
    "formatting that is opened again": _repeated("<font><p>"),
}  # fmt: skip


class Mail(NamedTuple):
    """A kind of text in a place."""

    text: str
    place: str

    def of(self, size: int) -> bytes:
        """The mail with so much of it."""
        return PLACES[self.place](TEXTS[self.text](size))


def _folded(text: bytes) -> bytes:
    """Within one field, whose lines go on behind every line end."""
    return text.replace(b"\n", b"\n ")


def _head(**fields: bytes) -> bytes:
    given = HEAD | {name.replace("_", "-"): value for name, value in fields.items()}
    return b"".join(name.encode() + b": " + value + b"\r\n" for name, value in given.items())


def _field(name: str) -> Callable[[bytes], bytes]:
    """In a header field."""
    key = name.replace("-", "_")
    return lambda text: _head(**{key: _folded(text)}) + b"\r\n" + WORDS


def _within(name: str, before: bytes, behind: bytes) -> Callable[[bytes], bytes]:
    """In the midst of a header field."""
    key = name.replace("-", "_")
    return lambda text: _head(**{key: before + _folded(text) + behind}) + b"\r\n" + WORDS


def _body(kind: bytes, coding: bytes = b"8bit") -> Callable[[bytes], bytes]:
    typed = _head(MIME_Version=b"1.0", Content_Type=kind, Content_Transfer_Encoding=coding)
    return lambda text: typed + b"\r\n" + text + b"\r\n" + WORDS


def _coded(text: bytes) -> bytes:
    typed = _head(
        MIME_Version=b"1.0", Content_Type=b"text/plain; charset=utf-8", Content_Transfer_Encoding=b"base64"
    )
    return typed + b"\r\n" + base64.encodebytes(text)


def _mixed(before: bytes, behind: bytes, kind: bytes = b"multipart/mixed") -> Callable[[bytes], bytes]:
    """In a mail of several parts, between these."""
    head = _head(MIME_Version=b"1.0", Content_Type=kind + b"; boundary=x") + b"\r\n"
    return lambda text: head + before + text + behind + b"\r\n--x--\r\n"


def _part(head: bytes) -> Callable[[bytes], bytes]:
    return _mixed(b"--x\r\n\r\n" + WORDS + b"--x\r\n" + head + b"\r\n\r\n", b"")


def _signed(text: bytes, **fields: bytes) -> bytes:
    """With a DKIM-Signature whose hash of the body is right where the body is WORDS."""
    body = base64.b64encode(hashlib.sha256(WORDS).digest())
    made = (
        b"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=s1; h=from:to:date:subject:x-a; bh="
        + body
        + b"; b=QUJD\r\n"
    )
    return made + _head(**fields) + b"\r\n" + text


_FIELDS = (
    "Subject", "From", "Date", "To", "Cc", "Reply-To", "Message-ID", "References", "In-Reply-To", "List-Id",
    "Content-Type", "Content-Disposition", "Content-Transfer-Encoding", "X-A", "Authentication-Results", "Received",
    "Auto-Submitted", "Return-Path", "DKIM-Signature",
)  # fmt: skip

# Where the text stands in the mail.
PLACES: Mapping[str, Callable[[bytes], bytes]] = {
    "body": _body(b"text/plain; charset=utf-8"),
    "flowed body": _body(b"text/plain; charset=utf-8; format=flowed"),
    "body in base64": _coded,
    "quoted-printable body": _body(b"text/plain; charset=utf-8", b"quoted-printable"),
    "body without a charset": lambda text: _head() + b"\r\n" + text + b"\r\n" + WORDS,
    "HTML body": _body(b"text/html; charset=utf-8"),
    "enriched body": _body(b"text/enriched"),
    "separated values": _body(b"text/csv; name=a.csv"),
    "signed part": _mixed(b"", b"", b"multipart/signed"),
    "HTML division": lambda text: _body(b"text/html; charset=utf-8")(b"<html><div>" + text + b"</div><div>"),
    "attachment": _part(b"Content-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt"),
    "attachment in base64": _part(b"Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64"),
    "HTML part": _part(b"Content-Type: text/html"),
    "enclosed mail": _part(b"Content-Type: message/rfc822"),
    "calendar": _part(b"Content-Type: text/calendar"),
    "delivery report": _mixed(
        b"--x\r\n\r\nno\r\n--x\r\nContent-Type: message/delivery-status\r\n\r\n",
        b"",
        b"multipart/report; report-type=delivery-status",
    ),
    "preamble": _mixed(b"", b"\r\n--x\r\n\r\n" + WORDS),
    "head of a part": _mixed(b"--x\r\nContent-Type: text/plain\r\nX-A: ", b"\r\n\r\n" + WORDS),
    "name of a part": _mixed(b"--x\r\nContent-Disposition: attachment; filename=a", b"\r\n\r\n" + WORDS),
    "lines of the head": lambda text: _head() + text + b"\r\n\r\n" + WORDS,
    "whole mail": lambda text: text,
    **{name: _field(name) for name in _FIELDS},
    "Subject behind a prefix": _within("Subject", b"Re: ", b""),
    "Subject behind the title": _within("Subject", b"Buttons and bridges: ", b" / Player 1"),
    "Subject of a command": _within("Subject", b"press ", b""),
    "name in From": _within("From", b"", b" <ann@example.org>"),
    "quoted name in From": _within("From", b'"', b'" <ann@example.org>'),
    "comment in From": _within("From", b"ann@example.org (", b")"),
    "trusted results": _within("Authentication-Results", b"mx.example.org; ", b""),
    "date with a comment": _within("Date", HEAD["Date"] + b" (", b")"),
    "signed body": lambda text: _signed(text + b"\r\n"),
    "signed Subject": lambda text: _signed(WORDS, Subject=_folded(text)),
    "signed field": lambda text: _signed(WORDS, X_A=_folded(text)),
    "tag of a signature": lambda text: _signed(WORDS).replace(b"; b=", b"; z=" + _folded(text) + b"; b="),
    "fields of a signature": lambda text: _signed(WORDS).replace(b"h=", b"h=" + _folded(text) + b":"),
    "own signature": lambda text: _signed(WORDS).replace(b"b=QUJD", b"b=" + _folded(text)),
}


def every() -> Iterator[Mail]:
    """Each kind of text in each place."""
    return (Mail(text, place) for place in PLACES for text in TEXTS)


def reader() -> MailReader:
    """One that looks at everything: at signatures too, since a server is trusted."""
    games = found()
    office = ("speaker@referee.example", "collector@referee.example", "moderator@referee.example")
    return MailReader(games, games.titles, office, ("mx.example.org",))


def read_whole(reader: MailReader, raw: bytes) -> None:
    """All that is done with a mail's bytes before its limits are known."""
    reader.identify(raw, addressed=True)
    reader.read(raw)
