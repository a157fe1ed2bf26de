"""How an answer of Nine Men's Morris is clicked on the page that writes mails."""

import re
from collections.abc import Iterator

from tests.site.writing import Gesture, by_lines


def _turn(key: str, value: str) -> Iterator[Gesture]:
    if key == "Move":
        yield from (("square", point) for point in re.findall(r"[a-g]\d", value))


gestures = by_lines(_turn)
