"""Files that came from outside: within bounds they are read, beyond them they are refused in a line."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.texts.bounded import DEEPEST, BadData, read_json, read_toml
from referee.core.texts.naming import file_name

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


# --- a text's file name is safe everywhere, and no other text's --------------------------------------------------


@pytest.mark.parametrize("name", ["fp-1", "a", "match_7", "a.json"])
def test_a_safe_name_is_kept(name: str) -> None:
    assert file_name(name) == name


@given(st.text(max_size=90), st.text(max_size=90))
@settings(max_examples=300)
def test_file_names_are_safe_and_never_shared(first: str, second: str) -> None:
    names = [file_name(text) for text in (first, second)]
    for name in names:
        assert re.fullmatch(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?", name)
        assert ".." not in name
        assert len(name) <= 64
    assert (names[0] == names[1]) == (first == second)


@pytest.mark.parametrize("name", ["..", ".", "con", "NUL.txt", "a/b", "A", "a.", ".a", "a..b", "x" * 300, ""])
def test_a_name_no_folder_could_bear_is_changed(name: str) -> None:
    assert file_name(name) != name
    assert len(file_name(name)) <= 64
