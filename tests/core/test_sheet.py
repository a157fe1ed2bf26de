"""The block of orders in a mail, and the sheet that a game makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.complaint import Complaint, Line
from referee.core.orders.keyed import (
    Sheet,
    SheetEntry,
    bare,
    comment_lines,
    keyed,
    left_out,
    meanings,
    plain,
    sheet_of,
)


def begins(text: str) -> bool:
    key, value = keyed(text)
    return (value is not None and key in ("move", "comment")) or bare(text) == "pass" or text[:1].isdigit()


def lines(text: str) -> list[Line]:
    return [Line(number, line) for number, line in enumerate(text.splitlines(), 1)]


def understood(text: str, line: Line) -> Iterator[SheetEntry[str] | Complaint]:
    key, value = keyed(text)
    if value is None and bare(text) != "pass":
        yield Complaint("unclear", "2.7", line)
    elif key == "comment":
        yield SheetEntry("comment", value or "", line)
    else:
        for part in (value or "pass").split():
            yield SheetEntry("move", part, line)


def block(body: Iterable[Line]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The lines that are orders, and those outside."""
    sheet: Sheet[str] = sheet_of(body, begins, understood)
    return sheet.orders, sheet.courtesy


def test_the_block_runs_from_the_first_to_the_last_line_that_the_game_knows() -> None:
    orders, courtesy = block(lines("Dear Ann,\n\nMove: c3\n\nhm\n- pass.\n\nYours, Ben"))
    assert [line.text for line in orders] == ["Move: c3", "hm", "- pass."]
    assert [line.text for line in courtesy] == ["Dear Ann,", "Yours, Ben"]


def test_a_mail_without_orders_is_courtesy_alone() -> None:
    orders, courtesy = block(lines("Dear Ann,\nwell played"))
    assert (orders, len(courtesy)) == ((), 2)


@given(
    st.lists(
        st.sampled_from(["Move: c3", "pass", "3 Pawn", "hm", "", "  ", "Move:", "Comment: a"]), max_size=9
    )
)
def test_no_line_is_lost_and_none_counts_twice(texts: list[str]) -> None:
    orders, courtesy = block((Line(n, text) for n, text in enumerate(texts)))
    parts = [*orders, *courtesy]
    assert sorted(line.number for line in parts) == [n for n, text in enumerate(texts) if text.strip()]


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("Move: c3", "move", "c3"), ("  * MOVE  :c3 ", "move", "c3"), ("1. Move： c3", "move", "c3"),
        ("Move", "move", None), ("Player's name: a: b", "player's name", "a: b"), ("3: c3", "3: c3", None),
    ],
)  # fmt: skip
def test_a_key_stands_before_the_first_colon(text: str, key: str, value: str | None) -> None:
    assert keyed(text) == (key, value)


def test_every_line_of_the_block_is_understood_or_complained_of() -> None:
    sheet = sheet_of(
        lines("Hello\nMove: c3 d4\nhm\nComment: well\nComment: played\nPass!\nBye"), begins, understood, plain
    )
    assert [(entry.order, entry.value, entry.line.number) for entry in sheet.entries] == [
        ("move", "c3", 2), ("move", "d4", 2), ("comment", "well", 4), ("comment", "played", 5), ("move", "pass", 6),
    ]  # fmt: skip
    assert [complaint.line for complaint in sheet.complaints] == [Line(3, "hm")]
    assert sheet.said == {"move", "comment"}
    assert sheet.comment == "well\nplayed"
    assert sheet.line("move", part="point") == {"point": Line(2, "Move: c3 d4")}
    assert [line.text for line in sheet.courtesy] == ["Hello", "Bye"]
    assert [line.number for line in sheet.orders] == [2, 3, 4, 5, 6]


def test_a_comment_written_down_is_read_back() -> None:
    written = "\n".join(comment_lines("well\nplayed"))
    assert sheet_of(lines(written), begins, understood, plain).comment == "well\nplayed"
    assert comment_lines("") == []


def test_lines_that_were_left_out_are_named_once_each() -> None:
    assert left_out([Line(1, " hm "), None, Line(3, "hm"), Line(4, "eh")]) == (
        'I left out what I could not read: "hm".',
        'I left out what I could not read: "eh".',
    )


def test_words_of_a_group_mean_its_first() -> None:
    assert meanings("pass skip | resign quit") == {
        "pass": "pass", "skip": "pass", "resign": "resign", "quit": "resign",
    }  # fmt: skip
