"""The options of a game: every fault of what is given is told at once, and what is taken stands in one spelling."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.options import OptionSpec, declared, duration, resolved

SPECS = declared(
    {
        "board": {"kind": "size", "default": "19x19", "help": "its size", "least": 2, "most": 25},
        "order": {"kind": "choice", "default": "sequential", "choices": ["sequential", "parallel"], "help": "who"},
        "misses": {"kind": "count", "default": "3", "help": "in a row", "least": 0, "most": 9, "choices": ["never"]},
        "window": {"kind": "duration", "default": "7d", "help": "for a turn", "choices": ["none"]},
        "position": {"kind": "text", "default": "", "help": "to begin with"},
    }
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "given_", "canonical"),
    [
        ("board", " 9 X 13 ", "9x13"), ("board", "9×9", "9x9"), ("board", "1x9", None), ("board", "26x9", None),
        ("board", "9", None), ("board", "009x09", "9x9"), ("order", "PARALLEL", "parallel"), ("order", "both", None),
        ("misses", "+04", "4"), ("misses", "-1", None), ("misses", "10", None), ("misses", "Never", "never"),
        ("misses", "1.5", None), ("misses", "9" * 40, None), ("window", "1D12H", "1d12h"), ("window", "None", "none"),
        ("window", "0", "0"), ("window", "7", None), ("window", "-7d", None), ("window", "", None),
        ("position", " B3 W1 ", " B3 W1 "),
    ],
)  # fmt: skip
def test_what_is_given_is_taken_in_one_spelling_or_not_at_all(
    name: str, given_: str, canonical: str | None
) -> None:
    spec = next(spec for spec in SPECS if spec.name == name)
    assert spec.canonical(given_) == canonical
    options, faults = resolved(SPECS, {name: given_})
    assert options.text(name) == (spec.default if canonical is None else canonical)
    assert len(faults) == (canonical is None)


def test_every_fault_is_told_with_what_may_be_given() -> None:
    _, faults = resolved(SPECS, {"bord": "9x9", "order": "both", "window": "soon", "misses": "2"})
    assert faults == (
        "There is no option 'bord'; did you mean board or order? There are: board, order, misses, window, position.",
        "order = 'both' is not possible; it may be sequential, parallel.",
        "window = 'soon' is not possible; it may be a time such as 7d, 48h or 1d12h up to 3660d or none.",
    )


def test_an_option_tells_what_it_may_be() -> None:
    assert [spec.allowed() for spec in SPECS] == [
        "columns x rows, such as 9x9 from 2 to 25",
        "sequential, parallel",
        "a whole number from 0 to 9 or never",
        "a time such as 7d, 48h or 1d12h up to 3660d or none",
        "text",
    ]


@given(st.text(max_size=30))
def test_what_was_taken_is_taken_again_as_it_stands(text: str) -> None:
    for spec in SPECS:
        taken = spec.canonical(text)
        assert taken is None or spec.canonical(taken) == taken


@pytest.mark.parametrize(
    ("text", "span"),
    [("7d", timedelta(days=7)), ("1w2d3h4m5s", timedelta(9, 3 * 3600 + 4 * 60 + 5)), ("0", timedelta())],
)
def test_a_span_of_time_is_the_sum_of_its_parts(text: str, span: timedelta) -> None:
    assert duration(text) == span
    assert resolved(SPECS, {"window": text})[0].duration("window") == span


@pytest.mark.parametrize("text", ["", "7", "d", "7 d", "7y", "1d-2h", "７d "])
def test_no_other_text_is_a_span_of_time(text: str) -> None:
    with pytest.raises(ValueError, match="no span of time"):
        duration(text)


def test_a_file_is_taken_as_it_is_written() -> None:
    spec = OptionSpec("data", "file", "", "a table")
    assert spec.canonical(" My Table.toml") == " My Table.toml"
