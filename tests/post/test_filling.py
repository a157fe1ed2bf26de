"""Paragraphs are broken as Python's own textwrap breaks them; the sandbox of templates lets nothing through."""

from __future__ import annotations

import textwrap

import jinja2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jinja2.exceptions import SecurityError

from referee.post.writing.rendering import _Sandbox, filled

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


@pytest.mark.parametrize(
    "reach",
    [
        "f.__globals__", "f.__class__.__mro__", "''.__class__", "(1).__class__.__base__", "x.mro()", "f.__code__",
        "g.gi_frame", "x.__subclasses__()", "m.__func__",
    ],
)  # fmt: skip
def test_the_sandbox_stays_shut_however_often_it_is_tried(reach: str) -> None:
    sandbox = _Sandbox(undefined=jinja2.StrictUndefined)
    generator = (n for n in ())
    for _ in range(2):
        with pytest.raises(SecurityError):
            sandbox.from_string(f"{{{{ {reach} }}}}").render(
                f=textwrap.fill, x=str, g=generator, m=sandbox.from_string
            )


class Doer:
    def safe(self, word: str) -> str:
        return f"{word}!"

    def change(self) -> str:
        raise AssertionError("called")

    change.alters_data = True  # type: ignore[attr-defined]

    @jinja2.pass_context
    def told(self, context: jinja2.runtime.Context, word: str) -> str:
        return f"{word} of {context['page']}"


def test_what_templates_call_is_called_as_the_sandbox_would() -> None:
    sandbox = _Sandbox(undefined=jinja2.StrictUndefined, autoescape=True)

    def unsafe() -> str:
        raise AssertionError("called")

    unsafe.unsafe_callable = True  # type: ignore[attr-defined]
    facts = {"doer": Doer(), "unsafe": unsafe, "twice": lambda word: 2 * word, "page": "Ann"}
    said = (
        "{% macro own(word) %}<b>{{ word }}</b>{% endmacro %}"
        "{% for n in [1] %}{{ doer.safe('a') }} {{ doer.told('b') }} {{ twice('c') }} {{ own('<') }}{% endfor %}"
    )
    assert sandbox.from_string(said).render(facts) == "a! b of Ann cc <b>&lt;</b>"
    for reach in ("doer.change()", "unsafe()"):
        with pytest.raises(SecurityError):
            sandbox.from_string(f"{{{{ {reach} }}}}").render(facts)
    for reach in ("'{0.__class__}'.format(doer)", "('<{0.__class__}>' | safe).format(doer)"):
        with pytest.raises((SecurityError, jinja2.UndefinedError)):
            sandbox.from_string(f"{{{{ {reach} }}}}").render(facts)
