"""A text's file name is safe everywhere, and no other text's."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.texts.naming import file_name


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
