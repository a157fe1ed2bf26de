"""Templates to letters: a template is rendered once, and its words laid out twice, as plain text and as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from referee.core.complaint import Complaint
from referee.core.texts import speech as theirs
from referee.post.writing.complaints import Wordings, compiled
from referee.post.writing.environment import Folders, environment
from referee.post.writing.layout import CITED, Forms, HtmlPage, PartPage, TextPage, within
from referee.post.writing.moments import clock_in
from referee.post.writing.page_words import Context, PageWords, Worded

_CITATION = re.compile(r"(?:\brules? |\()(\d+(?:\.[0-9A-Za-z]+)*)(?=[^0-9A-Za-z])")


def cited(words: str, clauses: Mapping[str, str]) -> tuple[str, ...]:
    """The clauses that the words cite, "rule 604.F" or "(2.4, step 2)", in their order; of a part that has no words of
    its own the whole."""
    found: dict[str, None] = {}
    for name in _CITATION.findall(words):
        while name and name not in clauses:
            name = name.rpartition(".")[0]
        if name:
            found[name] = None
    return tuple(found)


class Renderer:
    """All letters' words: templates from the given folders (the first that has a file wins)."""

    def __init__(self, folders: Sequence[Path], zone: str = "UTC") -> None:
        # how moments are told to a person in a zone, None: in our own
        self.clock = partial(clock_in, fallback=zone)
        self._folders = Folders(folders)
        loader = self._folders.loader()
        self._letter, self._part = Forms(TextPage(), HtmlPage()), Forms(PartPage(level=3))
        self._letters, self._parts = environment(loader, self._letter), environment(loader, self._part)
        self._style = cache(lambda: Markup(self._folders.text("letter.css")))
        self._wordings = Wordings(self._folders)
        self.help = cache(self._read_help)
        self.clauses = cache(self._read_clauses)

    def letter(self, template: str, context: Context) -> tuple[str, str]:
        """Plain text and HTML of a template; the HTML is a whole document."""
        words = self._words(self._letters, context)
        forms = self._letter.of(self._rendered(template, words))
        text, html = (
            self._linked(form, page, context) for form, page in zip(forms, self._letter.pages, strict=True)
        )
        frame = self._letters.get_template("frame.html.j2")
        whole = frame.render({**words, "body": Markup(html), "style": self._style()})
        return _tidy(text), whole.replace(theirs.GLUE, " ")

    def part(self, template: str, context: Context) -> Markup:
        """A template in both forms at once: a piece of other letters' templates, laid out once for all of them."""
        return Markup(self._rendered(template, self._words(self._letters, context)))

    def _rendered(self, template: str, words: dict[str, Any]) -> str:
        """Words that letters share are there as `parts`."""
        parts = self._letters.get_template("referee/parts.j2").make_module(words)
        return self._letters.get_template(template).render({**words, "parts": parts})

    def page(self, template: str, context: Context) -> str:
        """A template as a part of a page of the archive."""
        rendered = self._parts.get_template(template).render(self._words(self._parts, context))
        return self._part.of(rendered)[0].replace(theirs.GLUE, " ")

    def options(self, context: Context) -> list[str]:
        """The options of the context's match as sentences, in plain text."""
        return [
            self._plain(said)
            for said in self._words(self._letters, context)["option_sentences"](context["match"])
        ]

    def _words(self, spoken_by: jinja2.Environment, context: Context) -> dict[str, Any]:
        """All that a template is rendered with; `speak` calls other templates' macros, which are made once a page."""
        full = dict(context)
        macros = cache(lambda where: spoken_by.get_template(f"{where}.j2").make_module(full))

        def speak(where: str, macro: str, *given: object, missing: str | None = None) -> str:
            module = macros(where)
            if missing is not None and not hasattr(module, macro):
                return missing
            spoken: Markup = getattr(module, macro)(*given)
            return spoken

        def sentence(text: str, facts: Context) -> str:
            return Markup(" ".join(compiled(spoken_by, text).render(facts).split()))

        def worded(complaint: Complaint, game: str) -> Worded:
            return self._wordings.worded(spoken_by, complaint, game, full.get("when") or self.clock(None))

        full.update(PageWords(full, speak, worded, sentence).by_name())
        return full

    def _linked(self, form: str, page: TextPage | HtmlPage, context: Context) -> str:
        """A public letter with links to the rules that it cites, where it has room for them."""
        if CITED not in form:
            return form
        rules = partial(context["referee"].clause_page, context["game"].slug)
        named = cited(form, self.clauses(context["game"].slug))
        links = (page.link(f"Rule {clause}", rules(clause)) for clause in named)
        return form.replace(CITED, "".join(links))

    def wording(self, complaint: Complaint, game: str) -> Worded:
        """A complaint in plain text: `says` and `mend`."""
        told = self._wordings.worded(self._letters, complaint, game, self.clock(None))
        return {**told, "says": self._plain(told["says"]), "mend": self._plain(told["mend"])}

    def _plain(self, words: str) -> str:
        return within(self._letter.pages[0], 0, words).replace(theirs.GLUE, " ")

    def has_macro(self, where: str, macro: str) -> bool:
        return hasattr(self._letters.get_template(f"{where}.j2").module, macro)

    def complaint_codes(self, game: str) -> frozenset[str]:
        return self._wordings.codes(game)

    def _read_help(self, game: str) -> Context:
        own, every = self._folders.table(f"{game}/help.toml"), self._folders.table("referee/options.toml")
        return {**own, "options": {**own.get("options", {}), **every}}

    def _read_clauses(self, game: str) -> Mapping[str, str]:
        """A game's rules by number, each in a sentence; none where nobody has written them down."""
        try:
            return self._folders.table(f"{game}/clauses.toml")
        except FileNotFoundError:
            return {}


def _tidy(text: str) -> str:
    """No trailing space, never more than one blank line, one line end at the end."""
    lines: list[str] = []
    for line in text.splitlines():
        line = line.rstrip()
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip("\n").replace(theirs.GLUE, " ") + "\n"
