"""Actions as ledgers hold them: with the line of their canonical text that says each part.

An action itself knows no lines. But the chain of the public record, whose head letters tell, covers the bytes of the
answers, and since the first release these have held the lines; so they are put beside the parts when an answer is
recorded, and dropped when it is read back. Of a purchase and a setup, which stay sealed, the record has the text alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from referee.core.codec import Codec
from referee.games.fourplay.actions import Declare, Objection, Turn
from referee.games.fourplay.cycles.readiness import declaration_text
from referee.games.fourplay.turns.forms import written_turn

_BEHIND: Final = ("whole", "total", "kind")  # the keys of an entry that stand behind its line


class ActionCodec(Codec):
    """The codec of Fourplay's actions."""

    def encode(self, value: Any) -> dict[str, Any]:
        body = super().encode(value)
        match value:
            case Turn():
                return _turn(body, written_turn(value).splitlines())
            case Declare():
                text = declaration_text(value).splitlines()
                colours = _line(text, "Colours: ") or _line(text, "Trim: ")
                return {**body, "office_line": _line(text, "Office: "), "colours_line": colours}
            case Objection():
                return {**body, "line": {"number": 2, "text": f"Round: {value.round}"}}
        return body

    def decode(self, stored: Mapping[str, Any]) -> Any:
        return super().decode(_without_lines(stored))


def _line(text: Iterable[str], begins: str) -> dict[str, Any] | None:
    """The first line that begins so."""
    found = ({"number": n, "text": words} for n, words in enumerate(text, 1) if words.startswith(begins))
    return next(found, None)


def _turn(body: dict[str, Any], text: list[str]) -> dict[str, Any]:
    stated = [key for key in ("player", "round", "cycle") if body[key] is not None]
    entries = [
        _entry(entry, {"number": number, "text": text[number - 1]})
        for number, entry in enumerate(body["entries"], len(stated) + 1)
    ]
    heads = {f"{key}_line": _line(text, f"{key.title()}: ") for key in ("player", "round", "cycle")}
    return {**body, "entries": entries, **heads}


def _entry(entry: dict[str, Any], line: dict[str, Any]) -> dict[str, Any]:
    if "claims" in entry:
        entry = {**entry, "claims": [{**claim, "line": None} for claim in entry["claims"]]}
    front = {key: value for key, value in entry.items() if key not in _BEHIND}
    return {**front, "line": line, **{key: entry[key] for key in _BEHIND if key in entry}}


def _without_lines(stored: Any) -> Any:
    if isinstance(stored, Mapping):
        return {key: _without_lines(value) for key, value in stored.items() if not _of_a_line(key)}
    return [_without_lines(one) for one in stored] if isinstance(stored, list) else stored


def _of_a_line(key: str) -> bool:
    return key in ("line", "lines") or key.endswith("_line")
