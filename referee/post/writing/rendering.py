"""Templates to letters: a template is rendered once, and its words laid out twice, as plain text and as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from markupsafe import Markup

from referee.core.complaint import Complaint
from referee.core.texts import speech as theirs
from referee.post.writing.both_forms import BothForms, parted
from referee.post.writing.complaints import Wordings, compiled
from referee.post.writing.environment import Folders, environment
from referee.post.writing.layout import HtmlPage, PartPage, TextPage
from referee.post.writing.moments import clock_in
from referee.post.writing.page_words import Context, PageWords, Worded

_CITED = (
    "\N{SYMBOL FOR END OF TRANSMISSION}"  # stands where links to the cited rules are put once they are known
)
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
        self.clock = partial(
            clock_in, fallback=zone
        )  # how moments are told to a person in a zone, None: in our own
        self._folders = Folders(folders)
        loader = self._folders.loader()
        text, html = TextPage(), HtmlPage()
        self._text, self._html = text, html
        self._environments = {
            "text": environment(loader, text, html=False),
            "both": environment(loader, BothForms(text, html), html=True),
            "part": environment(loader, PartPage(level=3), html=True),
        }
        self._style = cache(lambda: Markup(self._folders.text("letter.css")))
        self._wordings = Wordings(self._folders)
        self.help = cache(self._read_help)
        self.clauses = cache(self._read_clauses)

    def letter(self, template: str, context: Context) -> tuple[str, str]:
        """Plain text and HTML of a template; the HTML is a whole document."""
        rendered, full = self._rendered("both", template, context)
        text, html = parted(rendered)
        frame = self._environments["both"].get_template("frame.html.j2")
        body = Markup(self._linked(html, self._html, full))
        whole = frame.render({**context, "body": body, "style": self._style()})
        return _tidy(self._linked(text, self._text, full)), whole.replace(theirs.GLUE, " ")

    def part(self, template: str, context: Context) -> Markup:
        """A template as text and HTML at once: a piece of other letters' templates, laid out once for all of them."""
        return Markup(self._rendered("both", template, context)[0])

    def page(self, medium: str, template: str, context: Context) -> str:
        """A template as "text", or as "part" of a page of the archive."""
        rendered, _ = self._rendered(medium, template, context)
        return rendered.replace(theirs.GLUE, " ")

    def _rendered(self, medium: str, template: str, context: Context) -> tuple[str, Context]:
        """A template, and all that it was rendered with; `speak` calls other templates' macros, which are made once a
        page."""
        spoken_by = self._environments[medium]
        full: dict[str, Any] = {**context, "cited": _CITED if medium == "both" else ""}
        macros = cache(lambda where: spoken_by.get_template(f"{where}.j2").make_module(full))

        def speak(where: str, macro: str, *given: object, missing: str | None = None) -> str:
            module = macros(where)
            if missing is not None and not hasattr(module, macro):
                return missing
            spoken: str = getattr(module, macro)(*given)  # Markup where values are escaped
            return spoken

        def sentence(text: str, facts: Context) -> str:
            spoken = " ".join(compiled(spoken_by, text).render(facts).split())
            return Markup(spoken) if spoken_by.autoescape else spoken

        def worded(complaint: Complaint, game: str) -> Worded:
            return self._wordings.worded(spoken_by, complaint, game, full.get("when") or self.clock(None))

        full.update(PageWords(full, speak, worded, sentence).by_name())
        return spoken_by.get_template(template).render(full), full

    def _linked(self, page: str, say: TextPage | HtmlPage, context: Context) -> str:
        """A public letter with links to the rules that it cites, where it has room for them."""
        if _CITED not in page:
            return page
        rules = partial(context["referee"].clause_page, context["game"].slug)
        named = cited(page, self.clauses(context["game"].slug))
        links = (say.link(f"Rule {clause}", rules(clause)) for clause in named)
        return page.replace(_CITED, "".join(links))

    def wording(self, complaint: Complaint, game: str) -> Worded:
        """A complaint in plain text: `says` and `mend`."""
        told = self._wordings.worded(self._environments["text"], complaint, game, self.clock(None))
        says, mend = (told[part].replace(theirs.GLUE, " ") for part in ("says", "mend"))
        return {**told, "says": says, "mend": mend}

    def has_macro(self, where: str, macro: str) -> bool:
        return hasattr(self._environments["text"].get_template(f"{where}.j2").module, macro)

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
