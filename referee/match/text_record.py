"""The record as plain text: what was sent, in the game's own notation; read back, it gives the same match.

[header: one line of JSON for each entry that no player wrote]
== Round 3 / Player 2 (position 17, 2026-03-01T18:00:00Z)
Player 2, Turn:
| Neutron: h8-h15
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from referee.match.match import AnyGame

HEAD = "referee text record 1"


def text_record(game: AnyGame, record: Mapping[str, Any]) -> str:
    """Every entry on lines of its own: answers in notation, all else as one line of JSON."""
    lines = [HEAD, f"match: {record['match']}", f"game: {game.title} ({game.slug})", ""]
    for entry in record["entries"]:
        lines += _entry_lines(entry)
    lines += ["", f"chain: {record['head']}"]
    return "\n".join(lines) + "\n"


def _entry_lines(entry: Mapping[str, Any]) -> list[str]:
    head = f"== {entry['position']} {entry['at']} {entry['is']}"
    label = f" | {entry['label']}" if entry.get("label") else ""
    if entry["is"] == "Answered":
        return [
            head + label,
            _who(entry["demand"]),
            *(f"| {line}" for line in entry["text"].splitlines()),
            "",
        ]
    if entry["is"] == "RoundRevealed":
        lines = [head + label]
        for answer in entry["answers"]:
            lines += [_who(answer["demand"]), *(f"| {line}" for line in answer["text"].splitlines())]
            lines += [f"nonce {answer['nonce']}", f"seal {answer['seal']}"]
        lines += [f"{_who(demand)} nothing" for demand in entry["missing"]]
        return [*lines, ""]
    body = {k: v for k, v in entry.items() if k not in ("position", "at", "is", "hash")}
    return [head, json.dumps(body, ensure_ascii=False, sort_keys=True), ""]


def _who(demand: Mapping[str, Any]) -> str:
    about = f" ({demand['about']})" if demand.get("about") else ""
    return f"Player {demand['seat']}, {demand['kind']}{about}:"
