"""A seeded mutator of mails: bytes changed, cut out, doubled, spliced in, or a mail's end taken from another's."""

import random
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
CORPUS = [
    path.read_bytes() for folder in ("letters", "rough") for path in sorted((HERE / folder).glob("*.eml"))
]
LARGEST = 20_000  # bytes of a mail that are kept
BODY_STARTS = 800  # bytes within which most of what decides a mail's reading stands

# What turns one kind of mail into another when it lands in the right place.
SPLINTERS: tuple[bytes, ...] = (
    b"\r\n", b"\n\n", b"\0", b"=", b"--", b'"', b"<", b">", b"(", b"\\", b"\xff", b"\xe2\x80\x8b",
    b"\x1b$B", b";", b":", b"=?utf-8?b?", b"?=", b"boundary=", b"Content-Type: ", b"multipart/mixed",
    b"multipart/alternative", b"text/html", b"charset=utf-16", b"charset=utf-7", b"charset=zip",
    b"charset=idna", b"charset=hz", b"format=flowed; delsp=yes", b"base64", b"quoted-printable",
    b"uuencode", b"filename*0*=", b"message/rfc822", b"message/delivery-status", b"From: ",
    b"Date: Mon, 99 Foo 0000 99:99:99 +9999", b"Authentication-Results: mx; dkim=",
    b"Final-Recipient: rfc822; ", b"<blockquote>", b"<table><tr><td>a<td>b", b"<pre>",
    b"\nOn Monday 10:00 a@b.c wrote:\n", b"\n-- \n", b"From:\nSent:\nTo:\n",
)  # fmt: skip


def mutated(
    chance: random.Random, seeds: Sequence[bytes] = CORPUS, changes: Sequence[int] = (1, 2, 4, 8, 30)
) -> bytes:
    """One of the seeds with one of these numbers of changes."""
    mail = bytearray(chance.choice(seeds)[:LARGEST])
    for _ in range(chance.choice(changes)):
        _change(mail, chance, seeds)
    return bytes(mail)


def _change(mail: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    reach = len(mail) if chance.random() < 0.6 else min(len(mail), BODY_STARTS)
    where = chance.randrange(reach + 1)
    what = chance.random()
    if what < 0.3 and mail:
        mail[where % len(mail)] = chance.randrange(256)
    elif what < 0.6:
        mail[where:where] = chance.choice(SPLINTERS)
    elif what < 0.75:
        del mail[where : where + chance.randrange(1, 60)]
    elif what < 0.9:
        mail[where:where] = mail[where : where + chance.randrange(1, 200)] * chance.choice((1, 2, 5))
    else:
        other = chance.choice(seeds)
        mail[where:] = other[chance.randrange(len(other) + 1) :][:LARGEST]
