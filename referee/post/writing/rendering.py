"""Templates to letters: where they lie, how somebody's words come into them, what they may call, and all the forms of
what they make."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from referee.core.complaint import Complaint
from referee.core.texts import speech as theirs
from referee.core.texts.speech import Speech
from referee.core.texts.words import free_text_in
from referee.post.writing import page_words
from referee.post.writing.layout import CITED, Forms, HtmlPage, PartPage, TextPage, within
from referee.post.writing.page_words import SHARED, Context, PageWords, Worded, Wordings

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


class Folders:
    """Where templates lie: the first folder that has a file wins."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = [folder for folder in folders if folder.is_dir()]

    def loader(self) -> jinja2.BaseLoader:
        return jinja2.FileSystemLoader([str(folder) for folder in self._folders])

    def text(self, name: str) -> str:
        for folder in self._folders:
            if (path := folder / name).is_file():
                return path.read_text(encoding="utf-8")
        raise FileNotFoundError(f"no template {name}")

    def table(self, name: str) -> dict[str, Any]:
        return tomllib.loads(self.text(name))


class Marking(jinja2.Environment):
    """Jinja, but for what a dot and an attribute's name mean: a field of free words gives these as `Speech`, which no
    template can print unmarked."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        return _as_speech(obj, attribute, super().getattr(obj, attribute))

    def getitem(self, obj: Any, argument: Any) -> Any:
        return _as_speech(obj, argument, super().getitem(obj, argument))


def _as_speech(obj: Any, name: object, value: Any) -> Any:
    kind: type = type(obj)
    return Speech(value) if isinstance(value, str) and name in free_text_in(kind) else value


def environment(loader: jinja2.BaseLoader, page: Forms) -> jinja2.Environment:
    """Templates that speak `page`'s layout words. They are files of the operator and of games, never a mail's, so that
    nothing is kept from them."""
    made = Marking(
        loader=loader,
        bytecode_cache=_compiled(),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_on_its_line,
        lstrip_blocks=True,
        auto_reload=False,  # as complaints and help, which are read once too
    )
    made.globals.update(say=page, called=theirs.called)
    made.filters.update(
        quoted=page.quoted,
        span=page_words.span,
        time=page_words.time_of,
        numbered=page_words.numbered,
        listed=page_words.listed,
        name_of=page_words.name_of,
        name_of_in=page_words.name_of_in,
        orders_alone=page_words.orders_alone,
        words_beside=page_words.words_beside,
    )
    return made


def _on_its_line(value: Any) -> Any:
    """No value ends the line of a template that it stands in."""
    return value.replace("\n", " ") if type(value) is str else value


def _compiled() -> jinja2.BytecodeCache | None:
    """Where compiled templates are kept between runs: Jinja's own folder of this user, which nobody else may write.
    None where there can't be such a folder."""
    try:
        return jinja2.FileSystemBytecodeCache(pattern="referee_letters_%s.cache")
    except (RuntimeError, OSError):
        return None


class Renderer:
    """All letters' words: templates from the given folders (the first that has a file wins)."""

    def __init__(self, folders: Sequence[Path], zone: str = "UTC") -> None:
        # how moments are told to a person in a zone, None: in our own
        self.clock = partial(page_words.clock_in, fallback=zone)
        self._folders = Folders(folders)
        loader = self._folders.loader()
        self._letter, self._part = Forms(TextPage(), HtmlPage()), Forms(PartPage(level=3))
        self._letters, self._parts = environment(loader, self._letter), environment(loader, self._part)
        self._style = cache(lambda: Markup(self._folders.text("letter.css")))
        self._wordings = Wordings(self._folders.table)
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
        """All that a template is rendered with."""
        full = {"when": self.clock(None), **context}
        full.update(PageWords(spoken_by, self._wordings, full).by_name())
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
        modules = (self._letters.get_template(f"{each}.j2").module for each in (where, SHARED))
        return any(hasattr(module, macro) for module in modules)

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
