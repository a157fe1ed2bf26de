"""Files that came from outside: within bounds they are read, beyond them they are refused in a line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.texts.bounded import DEEPEST, BadData, read_json, read_toml

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=9)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_what_json_can_say_is_read_as_it_is(value: object) -> None:
    assert read_json(json.dumps(value)) == value


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"[]": ', '["\\"]", '])
def test_what_is_nested_too_deeply_is_refused_before_it_is_read(opening: str) -> None:
    with pytest.raises(BadData, match=f"more than {DEEPEST} deep"):
        read_json(opening * 100_000)


def test_brackets_within_words_are_no_nesting() -> None:
    words = "[{" * 1_000
    assert read_json(json.dumps([words])) == [words]


@pytest.mark.parametrize(
    "text", ["NaN", "[Infinity]", '{"a": 1, "a": 1}', '{"b": {"a": 1, "a": 2}}', "", "{", "'a'"]
)
def test_what_programs_read_differently_or_not_at_all_is_refused(text: str) -> None:
    with pytest.raises(BadData) as refused:
        read_json(text)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(
    "text",
    ["a = " + "[" * 100_000, "a = " + "[" * 150 + "]" * 150, "\n".join(f"[{'a.' * n}b]" for n in (90, 150))],
)
def test_a_table_nested_too_deeply_is_refused_too(text: str) -> None:
    with pytest.raises(BadData):
        read_toml(text)


def test_a_table_is_read_as_it_is() -> None:
    assert read_toml('a = 1\n[b]\nc = ["x"]') == {"a": 1, "b": {"c": ["x"]}}
