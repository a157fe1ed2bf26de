"""PNG files as rows of pixels and back, with the standard library: 8 bits for each of red, green and blue."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from itertools import accumulate

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def rows_of(png: bytes) -> list[bytes]:
    """The rows of an opaque PNG (8 bits a channel, with alpha, not interlaced: as resvg writes them)."""
    at, data, width, height = len(_SIGNATURE), b"", 0, 0
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, *form = struct.unpack(">IIBBBBB", body)
            if form != [8, 6, 0, 0, 0]:
                raise ValueError(f"a PNG of an unexpected form: {form}")
        elif kind == b"IDAT":
            data += body
        at += 12 + length
    raw, stride, rows = zlib.decompress(data), 4 * width, []
    planes = [bytes(width)] * 3  # of the row above; what is opaque needs no alpha
    for start in range(0, height * (stride + 1), stride + 1):
        line = raw[start + 1 : start + 1 + stride]
        planes = [_plain(raw[start], line[channel::4], planes[channel]) for channel in range(3)]
        row = bytearray(3 * width)
        for channel, plane in enumerate(planes):
            row[channel::3] = plane
        rows.append(bytes(row))
    return rows


def png_of(rows: Sequence[bytes]) -> bytes:
    """A PNG of rows of red, green and blue; rows like the one above cost next to nothing."""
    width, above, lines = len(rows[0]) // 3, b"", []
    for row in rows:
        lines.append(b"\x02" + bytes(len(row)) if row == above else b"\x00" + row)
        above = row
    header = struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(lines), 6)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _plain(kind: int, line: bytes, above: bytes) -> bytes:
    """Undoes the filter of one channel of a row (PNG specification, part 9)."""
    if kind in (2, 4) and not any(line):
        return above
    match kind:
        case 0:
            return line
        case 1:
            return bytes(value & 255 for value in accumulate(line))
        case 2:
            return bytes((value + up) & 255 for value, up in zip(line, above, strict=True))
        case 3:
            return bytes(_averaged(line, above))
    return bytes(_guessed(line, above))


def _averaged(line: bytes, above: bytes) -> Iterator[int]:
    left = 0
    for value, up in zip(line, above, strict=True):
        left = (value + (left + up) // 2) & 255
        yield left


def _guessed(line: bytes, above: bytes) -> Iterator[int]:
    """The Paeth filter: each value is told from whichever of its neighbours the slope points at."""
    left = corner = 0
    for value, up in zip(line, above, strict=True):
        if left == corner:
            guess = up
        elif up == corner:
            guess = left
        else:
            far_left, far_up, far_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            guess = (
                left
                if far_left <= far_up and far_left <= far_corner
                else up
                if far_up <= far_corner
                else corner
            )
        left, corner = (value + guess) & 255, up
        yield left
