"""OpenPGP's lines in a body: text signed in the clear is read as any text; keys and signatures are left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.post.reading.quoting import LeftOut
from referee.post.reading.rows import Row

SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
SIGNATURE_END = "-----END PGP SIGNATURE-----"
KEY = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
KEY_END = "-----END PGP PUBLIC KEY BLOCK-----"


_ENDS = {SIGNED: SIGNATURE_END, KEY: KEY_END}


def unarmoured(rows: Sequence[Row]) -> tuple[list[Row], list[LeftOut]]:
    """The rows without armour, and what was left out. A block that never ends is no block: its rows stay."""
    kept: list[Row] = []
    left_out: list[LeftOut] = []
    last = {row.text.strip(): index for index, row in enumerate(rows)}
    at = 0
    while at < len(rows):
        begun = "" if rows[at].depth else rows[at].text.strip()
        wanted = _ENDS.get(begun)
        if wanted is None or last.get(wanted, -1) < at:
            kept.append(rows[at])
            at += 1
            continue
        end = next(i for i in range(at + 1, len(rows)) if rows[i].text.strip() == wanted)
        words = [] if begun == KEY else _signed_rows(rows[at : end + 1])
        kept += words
        what = "an OpenPGP key" if begun == KEY else "an OpenPGP signature"
        left_out.append(LeftOut(what, end + 1 - at - len(words)))
        at = end + 1
    return kept, left_out


def _signed_rows(block: Sequence[Row]) -> list[Row]:
    """The words between the block's head and its signature, dashes put back (RFC 9580, 7.2). Without a head or the
    beginning of a signature all is words."""
    first = next((i for i, row in enumerate(block) if row.blank), None)
    last = next((i for i, row in enumerate(block) if row.text.strip() == SIGNATURE), None)
    if first is None or last is None or last < first:
        return list(block)
    return [replace(row, text=row.text.removeprefix("- ")) for row in block[first + 1 : last]]
