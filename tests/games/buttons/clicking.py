"""How an answer of Buttons and bridges is clicked on the page that writes mails."""

from collections.abc import Iterator

from tests.site.writing import Gesture, by_lines


def _turn(key: str, value: str) -> Iterator[Gesture]:
    match key:
        case "Move":
            ends = value.split("-")
            yield from (("square", space) for space in (ends[0], ends[-1]))
        case "Place":
            number, space = value.split()[-2:]
            yield "choose", "value", number.strip("BW")
            yield "square", space
        case "Goal":
            yield "choose", "goal", value
        case "Undo":
            yield "press", "undo"
        case "Give up":
            yield "tick", "over"


gestures = by_lines(_turn)
