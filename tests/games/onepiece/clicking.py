"""How an answer of One Piece For Two is clicked on the page that writes mails."""

import re
from collections.abc import Iterator

from tests.site.writing import Gesture, by_lines

FURTHER = {
    "onepiece shown": (
        "onepiece",
        4,
        {"max_claim": "4", "target": "40", "adjudication": "players", "press": "on"},
    )
}


def _turn(key: str, value: str) -> Iterator[Gesture]:
    match key:
        case "Colours" | "Edge":
            yield "choose", "value", value
        case "Move":
            lifted, _, put = value.rpartition(">")
            if lifted:
                yield "square", re.findall(r"[a-z]\d+", lifted)[0]
            yield "square", re.findall(r"R([a-z]\d+)", put)[0]
            yield "square", re.findall(r"B([a-z]\d+)", put)[0]
        case "Claim":
            yield "pick", "claim", value
        case "Demonstrate":
            yield "pick", "ply", value
        case "Give up":
            yield "tick", "over"


gestures = by_lines(_turn)
