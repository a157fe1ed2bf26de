"""Macros are made once, and speak of the page they are called on: of no page before it."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import jinja2
import pytest

from referee.letters.rendering import Renderer

PARTS = (
    "{% macro who() %}{{ reader }} of {{ game }}{{ more() }}{% endmacro %}{% macro more() %}!{% endmacro %}"
)
SETTING = "{% set name = reader ~ '?' %}{% macro who() %}{{ name }}{% endmacro %}"


@pytest.fixture
def pages(tmp_path: Path) -> Renderer:
    given = {
        "parts.j2": PARTS,
        "setting.j2": SETTING,
        "taken.j2": '{% import "parts.j2" as parts with context %}{{ parts.who() }}',
        "later.j2": '{% set reader = "Zoe" %}{% import "parts.j2" as parts with context %}{{ parts.who() }}',
        "spoken.j2": '{{ speak("parts", "who") }} {{ speak("setting", "who") }}',
        "both.j2": '{% import "parts.j2" as parts with context %}{{ parts.who() }} {{ speak("parts", "who") }}',
        "broken.j2": '{% import "parts.j2" as parts with context %}{{ parts.who() }}{{ nothing }}',
    }
    for name, text in given.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return Renderer([tmp_path])


def said(pages: Renderer, template: str, reader: str, game: str = "Go") -> str:
    return pages.page(template, {"reader": reader, "game": game}).removeprefix("<p>").removesuffix("</p>\n")


@pytest.mark.parametrize("template", ["taken.j2", "both.j2"])
def test_each_page_is_about_its_own_reader(pages: Renderer, template: str) -> None:
    for reader in ("Ann", "Bob", "Ann"):
        assert set(said(pages, template, reader).split("! ")) <= {f"{reader} of Go", f"{reader} of Go!"}


def test_a_template_that_sets_values_is_made_anew(pages: Renderer) -> None:
    assert said(pages, "spoken.j2", "Ann") == "Ann of Go! Ann?"
    assert said(pages, "spoken.j2", "Bob") == "Bob of Go! Bob?"


# What hangs on the page beside macros: which there are, what they say, what an import of theirs says, what is printed.
HANGING = {
    "chosen": '{% if reader == "Ann" %}{% macro who() %}she{% endmacro %}{% else %}{% macro who() %}he{% endmacro %}'
    "{% endif %}",
    "set": '{% if reader == "Ann" %}{% set name = "she" %}{% else %}{% set name = "he" %}{% endif %}'
    "{% macro who() %}{{ name }}{% endmacro %}",
    "perhaps": '{% if reader == "Ann" %}{% set name = "she" %}{% endif %}'
    "{% macro who() %}{{ name if name is defined else 'he' }}{% endmacro %}",
    "importing": '{% import "chosen.j2" as other with context %}{% macro who() %}{{ other.who() }}{% endmacro %}',
    "taking": '{% from "chosen.j2" import who as other with context %}{% macro who() %}{{ other() }}{% endmacro %}',
    "of_two": '{% if reader == "Ann" %}{% import "she.j2" as one with context %}{% else %}'
    '{% import "he.j2" as one with context %}{% endif %}{% macro who() %}{{ one.who() }}{% endmacro %}',
    "in_a_loop": '{% for one in [reader] %}{% if one == "Ann" %}{% set name = "she" %}{% endif %}{% endfor %}'
    "{% macro who() %}{{ 'she' if reader == 'Ann' else 'he' }}{% endmacro %}",
}


@pytest.mark.parametrize("name", HANGING)
@pytest.mark.parametrize("way", ["spoken", "imported"])
def test_macros_that_hang_on_the_page_are_those_of_each_page(name: str, way: str, tmp_path: Path) -> None:
    for other, text in HANGING.items():
        (tmp_path / f"{other}.j2").write_text(text, encoding="utf-8")
    for one in ("she", "he"):
        text = f"{{% macro who() %}}{one}{{% endmacro %}}"
        (tmp_path / f"{one}.j2").write_text(text, encoding="utf-8")
    spoken = f'{{% import "{name}.j2" as own with context %}}{{{{ own.who() }}}}'
    text = f'{{{{ speak("{name}", "who") }}}}' if way == "spoken" else spoken
    (tmp_path / "page.j2").write_text(text, encoding="utf-8")
    pages = Renderer([tmp_path])
    heard = [said(pages, "page.j2", reader) for reader in ("Ann", "Bob", "Ann", "Bob", "Bob", "Ann")]
    assert heard == ["she", "he", "she", "he", "he", "she"]


def test_what_a_template_prints_itself_is_of_each_page(tmp_path: Path) -> None:
    (tmp_path / "own.j2").write_text("{{ reader }}{% macro who() %}!{% endmacro %}", encoding="utf-8")
    page = '{% import "own.j2" as own with context %}{{ own }}{{ own.who() }}'
    (tmp_path / "page.j2").write_text(page, encoding="utf-8")
    pages = Renderer([tmp_path])
    assert [said(pages, "page.j2", reader) for reader in ("Ann", "Bob")] == ["Ann!", "Bob!"]


def test_what_a_page_sets_itself_reaches_the_macros_it_takes_behind_that(pages: Renderer) -> None:
    assert said(pages, "taken.j2", "Ann") == "Ann of Go!"
    assert said(pages, "later.j2", "Ann") == "Zoe of Go!"
    assert said(pages, "taken.j2", "Bob") == "Bob of Go!"


def test_nothing_of_a_page_is_left_behind(pages: Renderer) -> None:
    assert said(pages, "taken.j2", "Ann") == "Ann of Go!"
    with pytest.raises(jinja2.UndefinedError):
        pages.page("taken.j2", {"game": "Go"})
    with pytest.raises(jinja2.UndefinedError):
        said(pages, "broken.j2", "Cid")
    with pytest.raises(jinja2.UndefinedError):
        pages.page("taken.j2", {"game": "Go"})
    assert said(pages, "taken.j2", "Bob") == "Bob of Go!"


def test_pages_made_side_by_side_do_not_mix(pages: Renderer) -> None:
    heard: dict[str, set[str]] = {name: set() for name in ("Ann", "Bob", "Cid", "Dan")}

    def make(reader: str) -> None:
        for _ in range(300):
            heard[reader].add(said(pages, "both.j2", reader))

    threads = [Thread(target=make, args=(reader,)) for reader in heard]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard == {name: {f"{name} of Go! {name} of Go!"} for name in heard}
