"""Records read back, as anybody may who has one: the record as data, and the one as text, from its words alone."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from referee.core.game import AnyGame
from referee.match.chain import private_again
from referee.match.events import Entry
from referee.match.match import UNOPENED, Match, applied, fold
from referee.match.record.public import NoRecord, Record, entries_of
from referee.match.record.text import DATA, HEAD, SALTS, Salts, redone

_BLOCK = re.compile(r"== (\S+) (answered|conditional|revealed|lapsed|recorded)(?: (.*))?")
_SPAN = re.compile(r"(\d+)(?: to (\d+))?")
_SALT = re.compile(r"(\d+) (\S+) ([0-9a-f]{32})")


def read_back(game: AnyGame, record: Record) -> Match:
    """The match that a record tells of: the same public position as the referee's own."""
    return fold(lambda _: game, entries_of(record))


def read_text_record(game: AnyGame, text: str) -> Match:
    """The match that a text record tells of. Raises NoRecord."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != HEAD:
        raise NoRecord(f"the first line must read: {HEAD}")
    blocks: list[list[str]] = []
    for line in lines[1:]:
        if line.startswith("== "):
            blocks.append([line])
        elif blocks and line.strip() and not line.startswith(" "):
            blocks[-1].append(line)
    told = blocks.pop()[1:] if blocks and blocks[-1][0].rstrip() == DATA else []
    salts = _salts(*(blocks.pop()[1:] if blocks and blocks[-1][0].rstrip() == SALTS else ()))
    data = {entry.position: entry for entry in (private_again(json.loads(line)) for line in told)}
    match, done = UNOPENED, list[Entry]()
    for block in blocks:
        head = _BLOCK.fullmatch(block[0].rstrip())
        if head is None:
            raise NoRecord(f"this is no block: {block[0]!r}")
        if head[2] != "recorded":
            entries, match = redone(game, match, done, block, salts)
        else:
            for entry in (entries := _named(head[3] or "", data)):
                match = applied(game, match, entry, lambda done=tuple(done): done)
        done += entries
    if not match.version:
        raise NoRecord("the text holds no match")
    return match


def _salts(*lines: str) -> Salts:
    told = [(line, _SALT.fullmatch(line.strip())) for line in lines]
    if odd := next((line for line, salt in told if salt is None), None):
        raise NoRecord(f"this line tells no salt: {odd!r}")
    return Salts({(int(salt[1]), salt[2]): salt[3] for _, salt in told if salt is not None})


def _named(label: str, data: Mapping[int, Entry]) -> list[Entry]:
    """The entries from one position to another."""
    span = _SPAN.fullmatch(label)
    if span is None:
        raise NoRecord(f"{label!r} names no entries")
    wanted = range(int(span[1]), int(span[2] or span[1]) + 1)
    if len(wanted) > len(data) or not wanted or any(position not in data for position in wanted):
        raise NoRecord(f"the entries {label} do not all stand at the end")
    return [replace(data[position], cause=data[wanted[0]].version) for position in wanted]
