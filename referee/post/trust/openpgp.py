"""OpenPGP signatures and keys in a mail: PGP/MIME (RFC 3156) and text signed in the clear (RFC 9580, 7)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from email.message import Message
from importlib.util import find_spec

from referee.core.complaint import Line
from referee.offices.ports.mail import Certificate, Made, Signed
from referee.post.reading.decoding import undo
from referee.post.reading.head import ParsedMail, read_head
from referee.post.reading.mail import leaf_of, read_mail
from referee.post.reading.parsing import parse, parts_of, quietly
from referee.post.reading.rows import KEY, KEY_END, SIGNATURE, SIGNATURE_END, SIGNED

LARGEST_KEY = 200_000  # bytes of armour
MOST_PARTS = 50

SIGNED_SOMEHOW = re.compile(rb"multipart/signed|" + SIGNED.encode(), re.IGNORECASE)  # worth a closer look
_HEAD_END = re.compile(rb"\r?\n[ \t]*\r?\n")


def signed_in(raw: bytes, mail: ParsedMail) -> Signed | None:
    """What of the mail is signed, and whether that is all of its sender's words; None where nothing is. Total."""
    if quietly(mail.parts.get_content_type, "") == "multipart/signed":
        return _by_mime(raw, mail)
    return _in_the_clear(mail)


def _by_mime(raw: bytes, mail: ParsedMail) -> Signed | None:
    """Exactly two parts: what is signed, bytes as they came with CRLF at the ends of lines, and the signature."""
    boundary = quietly(mail.parts.get_boundary, None)
    head = _HEAD_END.search(raw)
    if not boundary or head is None:
        return None
    mark = re.compile(
        rb"^--" + re.escape(boundary.encode("ascii", "replace")) + rb"(?:--)?[ \t]*\r?(?:\n|\Z)", re.MULTILINE
    )
    marks = list(mark.finditer(raw, head.end()))
    if len(marks) != 3:
        return None
    entity = re.sub(rb"\r?\n\Z", b"", raw[marks[0].end() : marks[1].start()])
    part, _ = parse(raw[marks[1].end() : marks[2].start()])
    payload: object = quietly(lambda: part.get_payload(decode=True), None)
    signature = _block(payload, SIGNATURE, SIGNATURE_END) if isinstance(payload, bytes) else b""
    if not signature:
        return None
    data = entity.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    protected = read_head(entity).headers.text("subject")
    return Signed(data, signature, clear=b"", whole=_says(entity, mail), protected=protected)


def _in_the_clear(mail: ParsedMail) -> Signed | None:
    """The first text part that holds a block signed in the clear, if it holds one only."""
    for part in _texts(mail.parts):
        text = _text(part).replace(b"\r\n", b"\n")
        block = _block(text, SIGNED, SIGNATURE_END)
        if not block or text.count(SIGNED.encode()) > 1:
            continue
        signature = _block(block, SIGNATURE, SIGNATURE_END)
        _, _, words = block.removesuffix(signature).partition(b"\n\n")
        words = re.sub(rb"^- ", b"", words, flags=re.MULTILINE)
        head = f"Content-Type: text/plain; charset={_charset(part)}\nContent-Transfer-Encoding: 8bit\n\n"
        whole = bool(signature) and _says(head.encode("ascii", "replace") + words, mail)
        return Signed(words, signature, clear=block + b"\n", whole=whole)
    return None


def _block(text: bytes, begin: str, end: str) -> bytes:
    """From the first line that is `begin` to the next `end`; empty where there is no such block. In linear time."""
    start = 0 if text.startswith(begin.encode()) else text.find(b"\n" + begin.encode()) + 1
    if not start and not text.startswith(begin.encode()):
        return b""
    stop = text.find(b"\n" + end.encode(), start)
    return text[start : stop + 1 + len(end)] if stop > 0 else b""


def _charset(part: Message) -> str:
    return quietly(lambda: str(part.get_content_charset("utf-8")), "utf-8")


def _says(entity: bytes, mail: ParsedMail) -> bool:
    """Whether what is signed, read by itself, holds the very words that the whole mail was read to hold, quoted ones
    included: a form may stand among them."""
    alone = read_mail(entity)
    return _words(alone.own) == _words(mail.own) and _words(alone.quoted) == _words(mail.quoted)


def _words(lines: tuple[Line, ...]) -> list[str]:
    return [line.text.strip() for line in lines if line.text.strip()]


def certificate_in(message: Message) -> str:
    """The first public key in the mail, in the text or attached, in its armour; '' where there is none. Total."""
    for part in _texts(message, attached=True):
        found = _block(_text(part).replace(b"\r\n", b"\n"), KEY, KEY_END)
        if 0 < len(found) <= LARGEST_KEY:
            return found.decode("ascii", "replace") + "\n"
    return ""


def _texts(message: Message, *, attached: bool = False) -> Iterator[Message]:
    """The parts that may hold armour."""
    for part in parts_of(message, MOST_PARTS):
        kind = quietly(part.get_content_type, "text/plain")
        if kind == "text/plain" or (
            attached and kind in ("application/pgp-keys", "application/octet-stream")
        ):
            yield part


def _text(part: Message) -> bytes:
    """The part's bytes, its transfer encoding undone."""
    leaf = leaf_of(part, "text/plain")
    return undo(leaf.payload[: 4 * LARGEST_KEY], leaf.encoding)


class Sequoia:
    """Checks signatures with the library `pysequoia`, an optional part of the installation."""

    @staticmethod
    def installed() -> bool:
        return find_spec("pysequoia") is not None

    def certificate(self, armoured: str) -> Certificate | None:
        """The key, if it is one that can be used; None otherwise."""
        from pysequoia import Cert

        try:
            found = Cert.from_bytes(armoured.encode("ascii", "replace"))
            if found.is_revoked:
                return None
            return Certificate(str(found), str(found.fingerprint))  # the public parts alone
        except BaseException as error:
            if _is_grave(error):
                raise
            return None

    def made(self, signed: Signed, armoured: str) -> Made | None:
        """The signature, if it is of that key over exactly these bytes. Key and signature must be valid today."""
        from pysequoia import Cert, Sig, verify
        from pysequoia.packet import PacketPile

        try:
            key = Cert.from_bytes(armoured.encode("ascii", "replace"))
            if signed.signature.count(SIGNATURE.encode()) != 1:
                return None
            (packet,) = PacketPile.from_bytes(
                signed.signature
            )  # of several, one might hold and another tell when
            if signed.clear:
                found = verify(signed.clear, lambda ids: [key])
                good = bool(found.valid_sigs) and _same(found.bytes or b"", signed.data)
            else:
                signature = Sig.from_bytes(signed.signature)
                found = verify(bytes=signed.data, store=lambda ids: [key], signature=signature)
                good = bool(found.valid_sigs)
            at = packet.signature_created
            return Made(at, _digest(packet.body, signed.data)) if good and at is not None else None
        except BaseException as error:
            if _is_grave(error):
                raise
            return None


def _digest(body: bytes, data: bytes) -> str:
    """Of what a signature is made over: the fields that it protects itself (RFC 9580, 5.2.3), and the text. Whatever
    else is in the packet, anybody can change."""
    size = 4 if body[:1] == b"\x06" else 2
    end = 4 + size + int.from_bytes(body[4 : 4 + size], "big")
    return hashlib.sha256(b"".join((body[:end], b"\n", *_lines(data)))).hexdigest()


def _same(verified: bytes, read: bytes) -> bool:
    """Whether the library verified the very lines that were read: two parsers may see two texts."""
    return _lines(verified) == _lines(read)


def _lines(text: bytes) -> list[bytes]:
    return [line.rstrip() + b"\n" for line in text.replace(b"\r\n", b"\n").strip(b"\n").split(b"\n")]


def _is_grave(error: BaseException) -> bool:
    """Whether it is no complaint of the library. Its panics are no Exceptions; what they are about is a mail."""
    return not isinstance(error, Exception) and type(error).__name__ != "PanicException"
