"""Paragraphs are broken as Python's own textwrap breaks them."""

from __future__ import annotations

import textwrap

from hypothesis import example, given
from hypothesis import strategies as st

from referee.post.writing.layout import filled

WORDS = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=("Zs", "Zl", "Zp", "Cc", "Cs")), min_size=1, max_size=30),
        st.integers(60, 90).map(lambda length: "x" * length),
        st.sampled_from(["a-b", "--", "-", "e.g.", "two-\u00ad", "end."]),
    ),
    max_size=40,
).map(lambda words: " ".join(" ".join(words).split()))


@given(WORDS, st.sampled_from([("", ""), ("- ", "  ")]))
@example("x" * 72, ("", ""))
@example("x" * 71 + " y", ("- ", "  "))
@example("x" * 200 + " y " + "z" * 72, ("- ", "  "))
def test_words_are_filled_as_textwrap_fills_them(words: str, indents: tuple[str, str]) -> None:
    expected = textwrap.fill(
        words, 72, break_long_words=False, break_on_hyphens=False, initial_indent=indents[0],
        subsequent_indent=indents[1],
    )  # fmt: skip
    assert filled(words, *indents) == (expected if words else indents[0])
