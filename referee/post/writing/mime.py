"""MIME as bytes (RFC 2045, 2047, 5322): fields that no value can break out of, bodies whose boundaries can't occur in
them. Written for letters of our own, whose shapes are few; everybody else's mails are read by Python's own parser."""

from __future__ import annotations

from base64 import b64encode
from binascii import b2a_qp
from collections.abc import Sequence
from email.header import Header
from email.utils import quote

_CODED = 76  # of base64 on a line
_LINE = 78  # characters a line of a field should not pass
_ATOM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~ ")


class BrokenField(ValueError):
    """A value that a field can't hold: a line end, a control character, or letters where only ASCII may stand."""


def plain(name: str, value: str) -> bytes:
    """A field of ids, addresses and the like: ASCII words, folded between them and nowhere else. Raises BrokenField."""
    if not value.isascii() or not value.isprintable():
        raise BrokenField(f"{name}: {value!r}")
    if len(name) + 2 + len(value) <= _LINE:
        return f"{name}: {value}\r\n".encode()
    words = value.split(" ")
    lines = [f"{name}: {words[0]}"]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) > _LINE:
            lines.append("")
        lines[-1] += f" {word}"
    return ("\r\n".join(lines) + "\r\n").encode()


def spoken(name: str, text: str) -> bytes:
    """A field of words in any language: as they are, or as encoded words (RFC 2047). Raises BrokenField."""
    if not text.isprintable():
        raise BrokenField(f"{name}: {text!r}")
    # what looks like an encoded word is encoded, so that it is read as it was written
    if text.isascii() and "=?" not in text and all(len(word) < _LINE - 2 for word in text.split(" ")):
        return plain(name, text)
    return f"{name}: {_encoded(text, name)}\r\n".encode()


def person(name: str, address: str, shown: str) -> bytes:
    """A field of one address with a person's name, which may be empty. Raises BrokenField."""
    if not shown:
        return plain(name, address)
    if not shown.isprintable():
        raise BrokenField(f"{name}: {shown!r}")
    if not shown.isascii() or "=?" in shown:
        before = f"{name}: {_encoded(shown, name)}"
        gap = "\r\n " if len(before.rpartition("\n")[2]) + len(address) + 3 > _LINE else " "
        return f"{before}{gap}".encode() + plain("", f"<{address}>")[2:]
    phrase = shown if _ATOM.issuperset(shown) else f'"{quote(shown)}"'
    return plain(name, f"{phrase} <{address}>")


def _encoded(text: str, name: str) -> str:
    return Header(text, "utf-8", header_name=name, maxlinelen=_LINE - 2).encode(linesep="\r\n")


# --- bodies ------------------------------------------------------------------------------------------------------


def text_part(text: str, kind: str, *more: bytes) -> bytes:
    """A part of text ("text/plain", or with parameters behind it), in quoted-printable."""
    one_end = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    content = b2a_qp(one_end.encode("utf-8", "replace")).replace(b"\n", b"\r\n")
    kind, *parameters = kind.split("; ")
    shown = "".join(f"; {parameter}" for parameter in ['charset="utf-8"', *parameters])
    head = plain("Content-Type", kind + shown) + plain("Content-Transfer-Encoding", "quoted-printable")
    return b"".join((head, *more, b"\r\n", content, b"\r\n"))


def binary_part(content: bytes, kind: str, *more: bytes) -> bytes:
    """A part of bytes ("image/png"), in base64."""
    head = plain("Content-Type", kind) + plain("Content-Transfer-Encoding", "base64")
    coded = b64encode(content)
    lines = [coded[at : at + _CODED] for at in range(0, len(coded), _CODED)]
    return b"".join((head, *more, b"\r\n", b"\r\n".join(lines), b"\r\n" if lines else b""))


def multipart(kind: str, parts: Sequence[bytes]) -> bytes:
    """Several parts as one ("alternative"). "=_" is in no line of quoted-printable or base64, and of each kind a letter
    has one at most, so that the boundary of a multipart is none of a part of it."""
    boundary = b"=_%s" % kind.encode()
    pieces = [b'Content-Type: multipart/%s; boundary="%s"\r\n\r\n' % (kind.encode(), boundary)]
    pieces += [b"--%s\r\n%s" % (boundary, part) for part in parts]
    return b"".join((*pieces, b"--%s--\r\n" % boundary))


def disposition(how: str, file_name: str) -> bytes:
    return plain("Content-Disposition", f'{how}; filename="{quote(file_name)}"')
