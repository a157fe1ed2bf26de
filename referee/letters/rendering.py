"""Templates to letters: where they lie, how somebody's words come into them, what they may call,
and all the forms of what they make: a template is rendered once for all forms of its page, its
layout words as plain text and as HTML."""

import re
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from html import unescape
from pathlib import Path
from typing import Any, ClassVar

import jinja2
from markupsafe import Markup, escape

from referee.core.diagram import Diagram
from referee.core.options import duration
from referee.core.texts import speech as theirs
from referee.core.value import Complaint, free_text_in
from referee.draw import describe, draw_svg, draw_text, picture_key
from referee.letters import page_words

_WIDTH = 72
_SHORT = 8  # characters of a cell that is not folded
_WIDEST = 80  # columns of what is not filled: boards, orders
CITED = "\N{SYMBOL FOR END OF TRANSMISSION}"  # where links to the cited rules are put once these are known
_CLOSE, _APART = "\ufdd5", "\ufdd6"  # between these no line of plain text is blank
_EVENTS = re.compile(f"{_CLOSE}([^{_APART}]*){_APART}")
# between what another letter would have told and what this one tells
_CARRIED = re.compile(f"{_APART}\\s*{_CLOSE}")
_LISTED = (f"{theirs.MARK}", "- ")  # how what stands below its lead begins
_LAID_OUT = re.compile("^(-{3}|   )", re.MULTILINE)  # a heading, a table, a board

_filled = partial(textwrap.fill, width=_WIDTH, break_long_words=False, break_on_hyphens=False)


class TextPage:
    """The layout words of templates, as plain text. Its `marks` stand where links to rules are put,
    and around what has an event a line."""

    marks: ClassVar[Mapping[str, str]] = {"cited": CITED, "close": _CLOSE, "apart": _APART}

    def paragraph(self, words: str) -> str:
        return f"{_filled(words)}\n\n" if words else ""

    def h(self, text: str) -> str:
        return f"{text}\n{'-' * min(len(text), _WIDTH)}\n\n"

    def items(self, entries: Sequence[str]) -> str:
        below = partial(_filled, initial_indent="- ", subsequent_indent="  ")
        return "\n".join(below(" ".join(str(entry).split())) for entry in entries) + "\n\n" if entries else ""

    def table(self, head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
        """Columns as wide as their cells; the last one is folded to the page."""
        grid = [[str(cell) for cell in row] for row in [head, *rows]]
        widths = [max(len(row[i]) for row in grid) for i in range(len(head))]
        fixed = sum(widths[:-1]) + 2 * (len(widths) - 1)
        room = max(_WIDTH - fixed, 24)
        lines: list[str] = []
        for index, row in enumerate(grid):
            start = "".join(f"{cell:<{width + 2}}" for cell, width in zip(row, widths[:-1], strict=False))
            parts = textwrap.wrap(row[-1], room, break_long_words=False) or [""]
            lines += [(start + parts[0]).rstrip(), *(" " * fixed + part for part in parts[1:])]
            if index == 0:
                lines.append("  ".join("-" * w for w in [*widths[:-1], min(widths[-1], room)]))
        return "\n".join(lines) + "\n\n"

    def pre(self, text: str) -> str:
        return f"{text.rstrip()}\n\n"

    def link(self, words: str, address: str) -> str:
        """The address on a line of its own, so that nothing folds it."""
        return f"{textwrap.fill(f'{words}:', _WIDTH)}\n{address}\n\n"

    form, button = pre, link

    def words(self, said: theirs.Speech | str | None, most: int = theirs.MOST_LINES) -> str:
        """Somebody else's words, each line behind a mark."""
        return self.pre("\n".join(theirs.marked(said, most))) if said else ""

    def orders(self, said: theirs.Speech | str) -> str:
        """A player's answer as it was understood; what of a long line does not fit goes on below it, indented."""
        return self.pre("\n".join(theirs.marked(said, theirs.MOST_SIGNS, _folded)))

    @staticmethod
    def quoted(said: theirs.Speech | str | None) -> str:
        """A few words of somebody else's within a sentence."""
        return theirs.few(said)

    def board(self, diagram: Diagram | None, legend: bool = False) -> str:
        return f"{draw_text(diagram, legend=legend, notes=True).rstrip()}\n\n" if diagram else ""


def _folded(line: str) -> list[str]:
    """A line of orders within the width, broken behind commas; what has none there as words are."""
    room = _WIDEST - len(theirs.MARK)
    if len(line) <= room:
        return [line]
    start, *parts = line.split(", ")
    lines = [start]
    for part in parts:
        if len(lines[-1]) + 3 + len(part) <= room:
            lines[-1] += f", {part}"
        else:
            lines[-1] += ","
            lines.append(f"    {part}")
    return [piece for part in lines for piece in (theirs.folded(part) if len(part) > room else [part])]


class HtmlPage:
    """The same layout words, as HTML; `level` is that of its headings."""

    marks: ClassVar[Mapping[str, str]] = {"cited": CITED, "close": "", "apart": ""}

    def __init__(self, level: int = 2) -> None:
        self._level = level

    def paragraph(self, words: str) -> Markup:
        return Markup(f"<p>{words}</p>\n") if words else Markup()

    def h(self, text: str) -> Markup:
        return Markup(f"<h{self._level}>{escape(text)}</h{self._level}>\n")

    def items(self, entries: Sequence[str]) -> Markup:
        inner = "".join([f"<li>{escape(entry)}</li>\n" for entry in entries])
        return Markup(f"<ul>\n{inner}</ul>\n") if entries else Markup()

    def table(self, head: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
        top = "".join([f"<th>{escape(cell)}</th>" for cell in head])
        body = "".join([f"<tr>{''.join(map(self._cell, row))}</tr>\n" for row in rows])
        return Markup(f"<table>\n<tr>{top}</tr>\n{body}</table>\n")

    @staticmethod
    def _cell(value: object) -> str:
        """What is short ("850 F$") stays on one line, however narrow the page."""
        words = str(value)
        return f"<td>{escape(words.replace(' ', chr(0xA0)) if len(words) <= _SHORT else value)}</td>"

    def link(self, words: str, address: str) -> Markup:
        return Markup(f'<p><a href="{escape(address)}">{escape(words)}</a></p>\n')

    def pre(self, text: str) -> Markup:
        return Markup(f"<pre>{escape(text.rstrip())}</pre>\n")

    def words(self, said: theirs.Speech | str | None, most: int = theirs.MOST_LINES) -> Markup:
        return self.orders(theirs.Speech("\n".join(theirs.unmarked(said, most)))) if said else Markup()

    def orders(self, said: theirs.Speech | str) -> Markup:
        return Markup('<blockquote class="words">{}</blockquote>\n').format(self.pre(theirs.plain(said)))

    @staticmethod
    def quoted(said: theirs.Speech | str | None) -> Markup:
        return Markup('<bdi class="words">{}</bdi>').format(theirs.few(said))

    def form(self, text: str) -> Markup:
        return Markup(f'<pre class="form">{escape(text.rstrip())}</pre>\n')

    def button(self, words: str, address: str) -> Markup:
        return Markup('<p><a class="button" href="{}">{}</a></p>\n').format(address, words)

    def board(self, diagram: Diagram | None, legend: bool = False) -> Markup:
        if diagram is None:
            return Markup()
        words = escape(describe(diagram))
        picture = f'<p><img src="cid:board" alt="{words}" style="max-width:100%"></p>\n'
        key = [f"<b>{escape(sign)}</b> {escape(meaning)}" for sign, meaning in picture_key(diagram)]
        told = f'<p class="key">{" &middot; ".join(key)}</p>\n' if legend else ""
        return Markup(picture + told)


class PartPage(HtmlPage):
    """The layout words for a part of another page, of the archive's: boards stand in it, wide things can be moved."""

    marks: ClassVar[Mapping[str, str]] = dict.fromkeys(HtmlPage.marks, "")

    def table(self, head: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
        table = super().table(head, rows)
        return Markup('<div class="wide" tabindex="0">{}</div>\n').format(table)

    def pre(self, text: str) -> Markup:
        return Markup('<pre class="said">{}</pre>\n').format(text.rstrip())

    form = pre

    def board(self, diagram: Diagram | None, legend: bool = False) -> Markup:
        if diagram is None:
            return Markup()
        figure = Markup("<figure>{}<figcaption>{}</figcaption></figure>\n")
        return figure.format(Markup(draw_svg(diagram)), diagram.title)


# --- all forms at once ------------------------------------------------------------------------------------------

# A piece of a page in its forms, one behind the other: a block, or a few words within a line. The signs round it are
# no characters of any script (Unicode, 23.7); a mail that holds them has them replaced.
_BLOCK, _WITHIN, _NEXT, _END = "\ufdd0", "\ufdd4", "\ufdd1", "\ufdd2"
_BLOCKS = re.compile(f"{_BLOCK}([^{_END}]*){_END}")
_PIECES = re.compile(f"[{_BLOCK}{_WITHIN}]([^{_END}]*){_END}")
_SIGNS = re.compile(f"[{_BLOCK}{_WITHIN}{_NEXT}{_END}]")


class Forms:
    """The layout words of a page, which lay out what they are given in all its forms at once. What a template has made
    of values and words of its own comes as HTML, in which only its own letters are escaped."""

    def __init__(self, *pages: TextPage | HtmlPage) -> None:
        self.pages = pages

    def p(self, caller: Callable[[], str]) -> Markup:
        """A paragraph that a template writes in several lines."""
        return self.paragraph(Markup(" ".join(str.split(caller()))))

    def __getattr__(self, word: str) -> Callable[..., Markup]:
        """Any other word of the pages."""
        sign = _WITHIN if word == "quoted" else _BLOCK

        def laid(*given: Any) -> Markup:
            forms = [
                page.marks[word]
                if word in page.marks
                else str(getattr(page, word)(*(_given(page, n, each) for each in given)))
                for n, page in enumerate(self.pages)
            ]
            told = _NEXT.join(_SIGNS.sub("\N{REPLACEMENT CHARACTER}", form) for form in forms)
            return Markup(f"{sign}{told}{_END}") if any(forms) else Markup()

        return laid

    def of(self, rendered: str) -> list[str]:
        """A rendered template in each form. Each line of words that stands outside of all blocks is a paragraph."""
        parts = _BLOCKS.split(str(rendered))
        return ["".join(_parts(page, n, parts)) for n, page in enumerate(self.pages)]


def within(page: TextPage | HtmlPage, n: int, words: str) -> str:
    """What a template has made within a line, in the page's form, the nth."""
    parts = _PIECES.split(str(words))
    parts[1::2] = [piece.split(_NEXT)[n] for piece in parts[1::2]]
    if isinstance(page, TextPage):
        parts[::2] = map(unescape, parts[::2])
    return "".join(parts)


def _given(page: TextPage | HtmlPage, n: int, value: Any) -> Any:
    """What a template gives a word, in the page's form; somebody else's words in it stand there so already."""
    if isinstance(value, list | tuple):
        return [_given(page, n, each) for each in value]
    if not isinstance(value, Markup):
        return value
    words = within(page, n, value)
    return words if isinstance(page, TextPage) else Markup(words)


def _parts(page: TextPage | HtmlPage, n: int, parts: Sequence[str]) -> Iterator[str]:
    """What stands outside of blocks and every second one a block, in the page's form."""
    for index, part in enumerate(parts):
        if index % 2:
            yield part.split(_NEXT)[n]
            continue
        lines = part.split("\n")
        yield "\n".join(
            page.paragraph(within(page, n, " ".join(line.split()))) if line.strip() else line
            for line in lines
        )


_CITATION = re.compile(r"(?:\brules? |\()(\d+(?:\.[0-9A-Za-z]+)*)(?=[^0-9A-Za-z])")


def cited(words: str, clauses: Mapping[str, str]) -> tuple[str, ...]:
    """The clauses that the words cite, "rule 604.F" or "(2.4, step 2)", in their order; of a part
    that has no words of its own the whole."""
    found: dict[str, None] = {}
    for name in _CITATION.findall(words):
        while name and name not in clauses:
            name = name.rpartition(".")[0]
        if name:
            found[name] = None
    return tuple(found)


class Marking(jinja2.Environment):
    """Jinja, but for what a dot and an attribute's name mean: a field of free words gives these as
    `Speech`, which no template can print unmarked."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        return _as_speech(obj, attribute, super().getattr(obj, attribute))

    def getitem(self, obj: Any, argument: Any) -> Any:
        return _as_speech(obj, argument, super().getitem(obj, argument))


def _as_speech(obj: Any, name: object, value: Any) -> Any:
    kind: type = type(obj)
    return theirs.Speech(value) if isinstance(value, str) and name in free_text_in(kind) else value


def environment(loader: jinja2.BaseLoader, page: Forms) -> jinja2.Environment:
    """Templates that speak `page`'s layout words. They are files of the operator and of games,
    never a mail's, so that nothing is kept from them."""
    made = Marking(
        loader=loader,
        bytecode_cache=_compiled(),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        # no value ends the line of a template that it stands in
        finalize=lambda value: value.replace("\n", " ") if type(value) is str else value,
        lstrip_blocks=True,
        auto_reload=False,  # as complaints and help, which are read once too
    )
    made.globals.update(say=page, called=theirs.called)
    made.filters.update({each.__name__: each for each in page_words.FILTERS}, quoted=page.quoted)
    made.filters["time"] = lambda option: page_words.span(duration(option))  # "7d" is "1 week"
    return made


def _compiled() -> jinja2.BytecodeCache | None:
    """Where compiled templates are kept between runs: Jinja's own folder of this user, which nobody
    else may write. None where there can't be such a folder."""
    try:
        return jinja2.FileSystemBytecodeCache(pattern="referee_letters_%s.cache")
    except (RuntimeError, OSError):
        return None


class Renderer:
    """All letters' words: templates from the given folders (the first that has a file wins)."""

    def __init__(self, folders: Sequence[Path], zone: str = "UTC") -> None:
        # how moments are told to a person in a zone, None: in our own
        self.clock = partial(page_words.clock_in, fallback=zone)
        self.moment = partial(page_words.moment_in, fallback=zone)
        loader = jinja2.FileSystemLoader(folders)
        self._letter, self._part = Forms(TextPage(), HtmlPage()), Forms(PartPage(level=3))
        self._letters, self._parts = environment(loader, self._letter), environment(loader, self._part)
        self._text = cache(lambda name: loader.get_source(self._letters, name)[0])
        self._table = cache(lambda name: tomllib.loads(self._text(name)))
        self.help = cache(self._read_help)
        self.clauses = cache(self._read_clauses)

    def letter(self, template: str, context: page_words.Context) -> tuple[str, str]:
        """Plain text and HTML of a template; the HTML is a whole document."""
        words = self._words(self._letters, context)
        forms = self._letter.of(self._rendered(template, words))
        both = zip(forms, self._letter.pages, strict=True)
        text, html = (self._linked(form, page, context) for form, page in both)
        frame = self._letters.get_template("frame.html.j2")
        whole = frame.render({**words, "body": Markup(html), "style": Markup(self._text("letter.css"))})
        return _tidy(text), whole.replace(theirs.GLUE, " ")

    def part(self, template: str, context: page_words.Context) -> Markup:
        """A template in both forms at once: a piece of other letters' templates, laid out once for all of them."""
        return Markup(self._rendered(template, self._words(self._letters, context)))

    def _rendered(self, template: str, words: dict[str, Any]) -> str:
        """Words that letters share are there as `parts`."""
        parts = self._letters.get_template("referee/parts.j2").make_module(words)
        return self._letters.get_template(template).render({**words, "parts": parts})

    def page(self, template: str, context: page_words.Context) -> str:
        """A template as a part of a page of the archive."""
        rendered = self._parts.get_template(template).render(self._words(self._parts, context))
        return self._part.of(rendered)[0].replace(theirs.GLUE, " ")

    def options(self, context: page_words.Context) -> list[str]:
        """The options of the context's match as sentences, in plain text."""
        sentences = self._words(self._letters, context)["option_sentences"](context["match"])
        return [self._plain(said) for said in sentences]

    def _words(self, spoken_by: jinja2.Environment, context: page_words.Context) -> dict[str, Any]:
        """All that a template is rendered with; `mine` are its reader's orders, in a letter that repeats them."""
        full = {"when": self.clock(None), "clauses": self.clauses, "seat": None, "mine": "", **context}
        full.update(page_words.PageWords(spoken_by, self._table, full).by_name())
        return full

    def _linked(self, form: str, page: TextPage | HtmlPage, context: page_words.Context) -> str:
        """A public letter with links to the rules that it cites, where it has room for them."""
        if CITED not in form:
            return form
        rules = partial(context["referee"].clause_page, context["game"].slug)
        named = cited(form, self.clauses(context["game"].slug))
        links = (page.link(f"Rule {clause}", rules(clause)) for clause in named)
        return form.replace(CITED, "".join(links))

    def wording(self, complaint: Complaint, game: str) -> page_words.Worded:
        """A complaint in plain text: `says` and `mend`."""
        words = page_words.PageWords(self._letters, self._table, {"when": self.clock(None)})
        told = words.complaint_in_words(complaint, game)
        return {**told, "says": self._plain(told["says"]), "mend": self._plain(told["mend"])}

    def headline(self, key: str, facts: page_words.Context) -> str:
        """What a subject says of something (`subjects.toml`), in plain text; nothing where it is no news."""
        told = page_words.filled_in(self._letters, self._table("referee/subjects.toml").get(key, ""), facts)
        return told.unescape().replace(theirs.GLUE, " ")

    def _plain(self, words: str) -> str:
        return within(self._letter.pages[0], 0, words).replace(theirs.GLUE, " ")

    def _read_help(self, game: str) -> page_words.Context:
        own, every = self._table(f"{game}/help.toml"), self._table("referee/options.toml")
        return {**own, "options": {**own.get("options", {}), **every}}

    def _read_clauses(self, game: str) -> Mapping[str, str]:
        """A game's rules by number, each in a sentence; none where nobody has written them down."""
        try:
            return self._table(f"{game}/clauses.toml")
        except jinja2.TemplateNotFound:
            return {}


def _tidy(text: str) -> str:
    """No trailing space, one blank line at most, one line end last; what belongs together so."""
    lines: list[str] = []
    for line in _EVENTS.sub(_joined, _CARRIED.sub("\n", text)).splitlines():
        line = line.rstrip()
        if line.startswith(_LISTED) and lines[-2:-1] and not lines[-1] and lines[-2].endswith(":"):
            lines.pop()
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip("\n").replace(theirs.GLUE, " ") + "\n"


def _joined(events: re.Match[str]) -> str:
    """A line an event, unless something is laid out among them."""
    told = events[1].strip("\n")
    return (told if _LAID_OUT.search(told) else re.sub("\n{2,}", "\n", told)) + "\n\n"
