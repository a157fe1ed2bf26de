"""Actions as ledgers hold them: with the lines of their canonical text, on which chain heads already mailed depend.

An action itself knows no lines. Since the first release ledgers have kept them beside its parts, the public record's
chain covers them, and a record in words is hashed anew when it is read: so they are still written, and nothing reads
them.
"""

from __future__ import annotations

from typing import Any

from referee.core.codec import Codec, JsonDict, JsonObject
from referee.games.buttons import actions as do
from referee.games.buttons.mail.notation import written

_LINED = (do.PlaceButton, do.MoveButton, do.AcceptDraw, do.PlaySolo, do.OfferDraw)
_NAMES = frozenset(kind.__name__ for kind in _LINED)


class ActionCodec(Codec):
    """The codec of the game's actions."""

    def encode(self, value: Any) -> JsonDict:
        body = super().encode(value)
        if not isinstance(value, _LINED):
            return body
        said = [
            {"number": number, "text": text} for number, text in enumerate(written(value).splitlines(), 1)
        ]
        if isinstance(value, do.PlaySolo):
            behind = said[1:] if value.goal else said
            body["steps"] = [
                {**step, "line": line} for step, line in zip(body["steps"], behind, strict=False)
            ]
        return {**body, "line": said[0]}

    def decode(self, stored: JsonObject) -> Any:
        if stored["is"] not in _NAMES:
            return super().decode(stored)
        body = {key: value for key, value in stored.items() if key != "line"}
        if "steps" in body:
            steps = body["steps"]
            body["steps"] = [{key: part for key, part in step.items() if key != "line"} for step in steps]
        return super().decode(body)
