"""JSON and TOML that came from outside, read within bounds.

The parsers of both follow what is nested by calling themselves, and so does nearly everything that
is done with the values afterwards: what is nested more deeply than any file of ours is refused
before that, in one line, by counting."""

import json
import re
import tomllib
from typing import Any

DEEPEST = 100  # lists and objects within each other; the deepest of ours have about ten

_JSON_MARKS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)


class BadData(ValueError):
    """A text is no JSON or TOML that the program can use; the message says why, in one line."""


def read_json(text: str) -> Any:
    """The value of a JSON text. Raises BadData."""
    if _depth(text) > DEEPEST:
        raise BadData(f"it is nested more than {DEEPEST} deep")
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except BadData:
        raise
    except (ValueError, RecursionError, MemoryError) as why:
        raise BadData(f"it is no JSON ({why})") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Programs differ in which of two equal names they believe."""
    table = dict(pairs)
    if len(table) < len(pairs):
        raise BadData("a name in it stands twice in one object")
    return table


def _no_number(name: str) -> Any:
    raise BadData(f"{name} is no number in JSON")


def read_toml(text: str) -> dict[str, Any]:
    """The table of a TOML text. Raises BadData."""
    try:
        table = tomllib.loads(text)
        deep = _depth(json.dumps(table, default=str)) > DEEPEST
    except RecursionError:
        deep = True
    except (ValueError, MemoryError) as why:
        raise BadData(f"it is not TOML: {why}") from None
    if deep:
        raise BadData(f"it is nested more than {DEEPEST} deep")
    return table


def _depth(text: str) -> int:
    """How deeply lists and objects stand within each other, by their brackets outside strings."""
    deepest = depth = 0
    for mark in _JSON_MARKS.finditer(text):
        if mark[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark[0] in "]}":
            depth -= 1
    return deepest


def whole(text: str) -> int | None:
    """The whole number that the text is, of nine digits at most; None where it is none. (`isdigit` takes "²".)"""
    return int(text) if len(text) < 10 and text.isdecimal() else None
