"""Ledgers that released programs wrote, and what was true of them: how they are kept, and how they are read.

A kept match is one file, `ledgers/PROGRAM/NAME.json.gz`, of

    program   the version that wrote it
    secret    the referee's secret, as text: nonces are made with it
    row       the match's row in the store, its cached state included, as it was stored
    ledger    the rows of the ledger as they were stored, in order: version, position, cause, at, since, public, kind,
              and `body`, the event's JSON text, to the byte
    heads     [public position, first sixteen digits of the chain's head] as letters told them
    seals     the seals in receipts
    standing  how the match stood after some stimuli, the last among them: version, status, owed, and by seat ("" is the
              public) what the game's view said
    record    the public record in JSON, as that program wrote it; text: the same in the game's notation

To keep the ledgers of another version, play matches with it, by mail, each referee in a folder of its own (the tests by
mail leave such folders: `pytest --basetemp=DIR FILES`; rehearsals do with `--keep DIR`), and then, with that very
program:

    python -m tests.match.kept PROGRAM DIR...

which looks through the folders for referees, takes as few small matches as show everything that any of them shows
(every kind of event and answer, every option that was given), and writes them here. Nothing kept is ever changed.
"""

import gzip
import json
import os
import re
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from referee.base import shipped
from referee.core.game import AnyGame
from referee.core.options import resolved
from referee.draw import draw_text
from referee.games import found
from referee.match import events as ev
from referee.match.events import Entry
from referee.match.match import UNOPENED, Match, applied
from referee.match.record.public import public_record, record_json
from referee.match.record.text import text_record

LEDGERS = Path(__file__).with_name("ledgers")
SAMPLES = 10  # stimuli of a match after which its standing is kept
_COLUMNS = ("version", "position", "cause", "at", "since", "public", "kind", "body")
_WORDS = "SELECT content, body FROM outbox JOIN sheets ON sheets.digest = outbox.sheet WHERE match = ?"
_HEAD = re.compile(r"Public position (\d+) of (\S+?)\. The record's chain stands at ([0-9a-f]{16})\.")
_SEAL = re.compile(r"^ *([0-9a-f]{64})$", re.MULTILINE)


@dataclass(frozen=True)
class Kept:
    """One file, read."""

    name: str
    facts: Mapping[str, Any]

    @property
    def game(self) -> AnyGame:
        return found()[self.facts["row"]["game"]]

    @property
    def entries(self) -> list[Entry]:
        """The ledger as today's program reads it."""
        return [entry_of(row) for row in self.facts["ledger"]]

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The stored events, as JSON objects."""
        return [json.loads(row["body"]) for row in self.facts["ledger"]]


def kept() -> list[Kept]:
    """All that is kept, of every version."""
    return [
        Kept(
            f"{path.parent.name}/{path.name.partition('.')[0]}",
            json.loads(gzip.decompress(path.read_bytes())),
        )
        for path in sorted(LEDGERS.glob("*/*.json.gz"))
    ]


def entry_of(row: Mapping[str, Any]) -> Entry:
    """A stored row as the store reads it."""
    since = row["since"] and datetime.fromisoformat(row["since"])
    body = json.loads(row["body"])
    return Entry(
        row["version"],
        row["position"],
        row["cause"],
        datetime.fromisoformat(row["at"]),
        ev.CODEC.decode(body),
        bool(row["public"]),
        since,
        body,
    )


def matches(game: AnyGame, entries: Iterable[Entry]) -> Iterator[tuple[Entry, Match]]:
    """The match after each entry."""
    done: list[Entry] = []
    match = UNOPENED
    for entry in entries:
        match = applied(game, match, entry, lambda: done)
        done.append(entry)
        yield entry, match


def standing(game: AnyGame, match: Match) -> dict[str, Any]:
    """What everybody, and what each seat, may know."""
    seats = () if match.inner is None else (None, *match.numbers)
    return plain({
        "version": match.version,
        "status": match.status,
        "owed": [[r.label, r.due_for(d.seat), d.kind, d.seat, d.about] for r, d in match.due],
        "views": {str(seat or ""): view(game, match, seat) for seat in seats},
    })  # fmt: skip


def view(game: AnyGame, match: Match, seat: int | None) -> dict[str, Any]:
    shown = game.view(match.inner, seat)
    board = shown.diagram
    return {
        "phase": shown.phase,
        "position": shown.position,
        "board": board and draw_text(board),
        "sentences": board and board.sentences,
    }


def plain(value: Any) -> Any:
    """The value as it comes back from JSON."""
    return json.loads(json.dumps(value, default=str))


# --- keeping ---------------------------------------------------------------------------------------------------------


def referees(folders: Iterable[Path]) -> Iterator[Path]:
    """Every folder of a referee below these."""
    for folder in folders:
        yield from sorted(path.parent for path in folder.rglob("referee.db"))


def facts_of(program: str, folder: Path) -> Iterator[dict[str, Any]]:
    """All that is to be kept of each match of one referee."""
    database = sqlite3.connect(folder / "referee.db")
    database.row_factory = sqlite3.Row
    own = folder / "referee.secret"  # where there is none, the environment had it
    secret = bytes.fromhex(own.read_text().strip()) if own.exists() else os.environb[b"REFEREE_SECRET"]
    for row in map(dict, database.execute("SELECT * FROM matches")):
        query = f"SELECT {', '.join(_COLUMNS)} FROM ledger WHERE match = ? ORDER BY version"
        ledger = [dict(line) for line in database.execute(query, (row["name"],))]
        entries = [entry_of(line) for line in ledger]
        game = found()[row["game"]]
        rows = list(database.execute(_WORDS, (row["name"],)))
        letters = [json.loads(text)["text"] for text, _ in rows]
        headed = [letter for _, body in rows if (letter := json.loads(body)).get("chain")]
        answers = [e.event.seal for e in entries if isinstance(e.event, ev.Answered) and e.event.seal]
        told = {seal for text in letters for seal in _SEAL.findall(text)}
        yield {
            "program": program,
            "secret": secret.decode("latin-1"),
            "row": row,
            "ledger": ledger,
            "heads": sorted({
                *((letter["position"], letter["chain"][:16]) for letter in headed),
                *(
                    (int(position), head)
                    for text in letters  # of versions that told it in words
                    for position, name, head in _HEAD.findall(" ".join(text.split()))
                    if name == row["name"]
                ),
            }),
            "seals": [seal for seal in answers if seal in told],
            "standing": list(_standings(game, entries)),
            "record": record_json(public_record(game, entries)),
            "text": text_record(game, entries, draw_text),
        }  # fmt: skip


def _standings(game: AnyGame, entries: list[Entry]) -> Iterator[dict[str, Any]]:
    ends = [
        entry.version
        for entry, following in zip(entries, [*entries[1:], None], strict=True)
        if following is None or following.cause != entry.cause
    ]
    step = max(1, len(ends) // SAMPLES)
    wanted = {*ends[::step], ends[-1]}
    for entry, match in matches(game, entries):
        if entry.version in wanted:
            yield standing(game, match)


def shown_by(facts: Mapping[str, Any]) -> frozenset[str]:
    """What a match is worth keeping for."""
    game = found()[facts["row"]["game"]]
    first = json.loads(facts["ledger"][0]["body"])
    usual, _ = resolved(shipped.game_options(game.slug), {})
    found_: set[str] = {
        f"{game.slug} {name}={value if len(value) < 40 else 'data'}"
        for name, value in first["options"].items()
        if value != usual.values.get(name)
    }
    for line in facts["ledger"]:
        body = json.loads(line["body"])
        inner = body.get("event") or body.get("action") or {}
        found_.add(f"{line['kind']} {'public' if line['public'] else 'secret'}")
        found_.add(f"{game.slug} {line['kind']}")
        if inner:
            found_.add(f"{game.slug} {line['kind']} {inner['is']} {line['public']}")
            found_ |= {f"{game.slug} {inner['is']}.{name}" for name, value in inner.items() if value}
    return frozenset(found_)


def keep(program: str, folders: Iterable[Path]) -> None:
    """Write the matches that show everything, the most for their size first."""
    offered: list[tuple[bytes, frozenset[str], dict[str, Any]]] = []
    for folder in referees(folders):
        for facts in facts_of(program, folder):
            text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
            offered.append((gzip.compress(text.encode(), mtime=0), shown_by(facts), facts))
    target = LEDGERS / program
    target.mkdir(parents=True)
    missing = frozenset[str]().union(*(shown for _, shown, _ in offered))
    numbers: dict[str, int] = {}
    while missing:
        packed, shown, facts = max(offered, key=lambda one: (len(one[1] & missing) / len(one[0]), one[0]))
        missing -= shown
        slug = facts["row"]["game"]
        numbers[slug] = numbers.get(slug, 0) + 1
        (target / f"{slug}_{numbers[slug]:02d}.json.gz").write_bytes(packed)


if __name__ == "__main__":
    keep(sys.argv[1], [Path(argument) for argument in sys.argv[2:]])
