"""The published shape of a record in JSON, as a JSON Schema: what any program may rely on when it reads one."""

from __future__ import annotations

from pydantic import TypeAdapter

from referee.core.codec import JsonDict
from referee.match import events as ev
from referee.match.record.public import FORMAT

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NEVER_TOLD = {"Entrant": ("addresses", "zone"), "MatchRewound": ("to",)}  # secret, or of no meaning outside


def record_schema() -> JsonDict:
    """Of an entry only `is` and `position` stand for certain: the rest may be usual in
    that record, and is then said in its table `usual`. What a game writes into `event`, `action` and `data` is its
    own."""
    definitions: JsonDict = {}
    for kind in _public_kinds():
        shape = TypeAdapter(kind).json_schema(mode="serialization", ref_template="#/$defs/{model}")
        definitions.update({name: _loose(name, inner) for name, inner in shape.pop("$defs", {}).items()})
        definitions[kind.__name__] = _entry(kind.__name__, _loose(kind.__name__, shape))
    kinds = [kind.__name__ for kind in _public_kinds()]
    return {
        "$schema": DIALECT,
        "title": FORMAT,
        "description": "The public record of a match: a chain of entries. How the chain, the seals and the draw are "
        "checked stands in how_to_check; `referee verify` does it.",
        "type": "object",
        "required": ["format", "match", "game", "title", "usual", "entries", "head"],
        "properties": {
            "format": {"const": FORMAT},
            "match": {"type": "string", "description": "The match's name."},
            "game": {"type": "string", "description": "The game's slug."},
            "title": {"type": "string", "description": "The game's name for people."},
            "usual": {
                "type": "object",
                "description": "By the kind of an object (its `is`, or its place, such as Answered.demand): what it "
                "says where it does not say otherwise.",
                "additionalProperties": {"type": "object"},
            },
            "entries": {
                "type": "array",
                "minItems": 1,
                "items": {"oneOf": [{"$ref": f"#/$defs/{k}"} for k in kinds]},
            },
            "head": {"$ref": "#/$defs/hash"},
            "how_to_check": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "$defs": {"hash": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, **definitions},
    }


def _public_kinds() -> list[type]:
    """The kinds of events that may stand in a record."""
    return [kind for kind in ev.KINDS if not issubclass(kind, ev.Private)]


def _loose(name: str, shape: JsonDict) -> JsonDict:
    """A shape of which any part may be left out, since it is usual; nothing that is never told."""
    properties = {
        key: value
        for key, value in shape.get("properties", {}).items()
        if key not in _NEVER_TOLD.get(name, ())
    }
    return {**{k: v for k, v in shape.items() if k != "required"}, "properties": properties}


def _entry(name: str, shape: JsonDict) -> JsonDict:
    own = {
        "is": {"const": name},
        "position": {
            "type": "integer",
            "minimum": 1,
            "description": "The public position: letters and rewinds name it.",
        },
        "at": {
            "type": "string",
            "format": "date-time",
            "description": "When; without it, when the entry before was.",
        },
        "salts": _by_place("Names and words in it, by their places, each with its salt.", "^[0-9a-f]{32}$"),
        "forgotten": _by_place(
            "Names and words that were taken out, each with its digest.", "^[0-9a-f]{64}$"
        ),
        "hash": {"$ref": "#/$defs/hash"},
    }
    return {
        **shape,
        "properties": {**own, **shape["properties"]},
        "required": ["is", "position"],
        "additionalProperties": False,
    }


def _by_place(description: str, pattern: str) -> JsonDict:
    held = {"type": "string", "pattern": pattern}
    return {"type": "object", "description": description, "additionalProperties": held}
