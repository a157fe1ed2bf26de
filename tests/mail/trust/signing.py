"""DKIM (RFC 6376, relaxed) without its arithmetic: what a signature covers is hashed, and the hash stands for what a
key would make of it. With a truthful server, which writes on top what holds of a mail."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence

Field = tuple[bytes, bytes]  # the name as it is written, the value with its folds
ALL = ("from", "to", "subject", "date")


class Malformed(Exception):
    """The head holds a line that is no field."""


def signed(
    mail: bytes, domain: str = "example.org", only: Sequence[str] = (), *, open_end: bool = False
) -> bytes:
    """The mail with a signature on top; `open_end` leaves the end of the body unsigned (`l=`)."""
    fields, body = parsed(mail)
    size = f" l={len(_body(body))};" if open_end else ""
    who = f"v=1; a=rsa-sha256; c=relaxed/relaxed; d={domain}; s=s1"
    head = f"{who}; h={':'.join(only or ALL)};{size} bh={_hash(_body(body))}; b="
    return f"DKIM-Signature: {head}{_made(fields, head)}\r\n".encode() + mail


def signatures(mail: bytes) -> Iterator[tuple[dict[str, str], bool]]:
    """Each signature of the mail, topmost first, by its tags, and whether it holds. Raises Malformed."""
    fields, body = parsed(mail)
    for name, value in fields:
        if name.lower() != b"dkim-signature":
            continue
        text = _relaxed(value).decode("latin-1")
        tags = dict(re.findall(r"(\w+)=([^;]*?)\s*(?:;|$)", text))
        covered = _body(body)
        covered = covered[: int(tags["l"])] if "l" in tags else covered
        same = tags["bh"] == _hash(covered)
        yield tags, same and tags["b"] == _made(fields, text[: text.rindex("b=") + 2])


def by_server(mail: bytes, server: str, stated: str = "all") -> bytes:
    """With what a truthful server writes on top: of each signature whether it holds, by its domain, with selector and
    value where it states `all`; and that the way was right, which says nothing of any field."""
    said = []
    for tags, holds in signatures(mail):
        more = f" header.s={tags['s']} header.b={tags['b'][:10]}" if stated == "all" else ""
        said.append(f"dkim={'pass' if holds else 'fail'} header.d={tags['d']}{more}")
    said += ["spf=pass smtp.mailfrom=ann@example.org", "dmarc=pass header.from=example.org"]
    return f"Authentication-Results: {server}; {'; '.join(said)}\r\n".encode() + mail


def parsed(mail: bytes) -> tuple[list[Field], bytes]:
    """The fields and the body. Raises Malformed."""
    head, _, body = re.sub(rb"\r?\n", b"\r\n", mail).partition(b"\r\n\r\n")
    fields: list[Field] = []
    for line in head.split(b"\r\n"):
        if line[:1] in (b" ", b"\t") and fields:
            fields[-1] = fields[-1][0], fields[-1][1] + b"\r\n" + line
        elif found := re.match(rb"([\x21-\x7e]+?):", line):
            fields.append((found[1], line[found.end() :]))
        elif not line.startswith(b"From "):
            raise Malformed(line)
    return fields, body


def _made(fields: Sequence[Field], own: str) -> str:
    """Of a name that is signed twice the lowest field counts first, then the one above it."""
    left = {name: [v for n, v in fields if n.lower().decode("latin-1") == name] for name in own_names(own)}
    said = [name.encode() + b":" + _relaxed(left[name].pop()) for name in own_names(own) if left[name]]
    return _hash(b"\r\n".join([*said, own.encode("latin-1")]))


def own_names(own: str) -> list[str]:
    """The names that `h=` lists."""
    found = re.search(r"\bh=([^;]*)", own)
    return [name.strip().lower() for name in found[1].split(":")] if found else []


def _relaxed(value: bytes) -> bytes:
    return b" ".join(value.split())


def _body(body: bytes) -> bytes:
    lines = [b" ".join(line.rstrip().split()) for line in body.split(b"\r\n")]
    text = b"\r\n".join(lines).rstrip(b"\r\n")
    return text + b"\r\n" if text else b""


def _hash(data: bytes) -> str:
    return b64encode(hashlib.sha256(data).digest()).decode()
