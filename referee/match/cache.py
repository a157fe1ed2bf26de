"""The cached state of a match: encoded beside its ledger, dropped when anything about it looks old.

Law: `thaw(game, freeze(game, match)) == match`, and the cache equals the fold.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from referee.match.match import AnyGame, Match

_SHAPE = 6  # raise it when Match or OpenRound change their shape


def stamp(game: AnyGame) -> str:
    """What the cache was written by: shape of the match, game, shape of its state."""
    return f"{_SHAPE}.{game.slug}.{game.codec_version}"


def freeze(game: AnyGame, match: Match) -> str:
    """The match as one JSON text."""
    outer = _adapter(Match).dump_python(replace(match, inner=None), mode="json")
    inner = None if match.inner is None else _adapter(game.state).dump_python(match.inner, mode="json")
    return json.dumps({"match": outer, "inner": inner}, ensure_ascii=False, separators=(",", ":"))


def thaw(game: AnyGame, text: str) -> Match:
    """The match back from its JSON text."""
    stored = json.loads(text)
    match: Match = _adapter(Match).validate_python(stored["match"])
    inner = None if stored["inner"] is None else _adapter(game.state).validate_python(stored["inner"])
    return replace(match, inner=inner)


@cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
