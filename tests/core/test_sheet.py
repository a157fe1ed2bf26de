"""What a game makes of the block of orders in a mail; the block itself is in each game's notation."""

import pytest

from referee.core.complaint import Line
from referee.core.orders.keyed import comment_lines, keyed, left_out


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("Move: c3", "move", "c3"), ("  * MOVE  :c3 ", "move", "c3"), ("1. Move： c3", "move", "c3"),
        ("Move", "move", None), ("Player's name: a: b", "player's name", "a: b"), ("3: c3", "3: c3", None),
    ],
)  # fmt: skip
def test_a_key_stands_before_the_first_colon(text: str, key: str, value: str | None) -> None:
    assert keyed(text) == (key, value)


def test_a_comment_is_written_line_by_line() -> None:
    assert comment_lines("well\nplayed") == ["Comment: well", "Comment: played"]
    assert comment_lines("") == []


def test_lines_that_were_left_out_are_named_once_each() -> None:
    assert left_out([Line(1, " hm "), None, Line(3, "hm"), Line(4, "eh")]) == (
        'I left out what I could not read: "hm".',
        'I left out what I could not read: "eh".',
    )
