"""Templates to letters: a template is rendered once, and its words laid out twice, as plain text and as HTML."""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.runtime import Macro
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import missing
from markupsafe import Markup, escape

from referee.core import speech as theirs
from referee.core.complaint import Complaint, Line, RuleText
from referee.core.diagram import Diagram
from referee.core.options import duration
from referee.core.speech import Speech
from referee.core.words import free_text_in
from referee.match.match import Match
from referee.post.writing.page_words import Context, PageWords, Worded, abridged

_WIDTH = 72
_WIDEST = 80  # columns of what is not filled: boards, orders


def filled(words: str, before: str = "", behind: str = "") -> str:
    """Words with single blanks between them in lines of the page's width, as `textwrap.fill` breaks them where it
    breaks no word; the first line begins with `before`, all others with `behind`."""
    if len(before) + len(words) <= _WIDTH:
        return before + words
    lines: list[str] = []
    line, room = before, len(before)
    for word in words.split(" "):
        length = len(word)
        if room + length > _WIDTH and len(line) > len(behind if lines else before):
            lines.append(line[:-1])
            line, room = behind, len(behind)
        line += f"{word} "
        room += length + 1
    return "\n".join([*lines, line[:-1]])


class Drawing(Protocol):
    """What the page needs of `referee.drawing`."""

    def text(self, diagram: Diagram) -> str: ...
    def words(self, diagram: Diagram) -> str: ...
    def key(self, diagram: Diagram) -> Sequence[tuple[str, str]]: ...
    def svg(self, diagram: Diagram) -> str: ...


class TextPage:
    """The layout words of templates, as plain text."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing

    def p(self, caller: Callable[[], str]) -> str:
        return self.paragraph(" ".join(caller().split()))

    def paragraph(self, words: str) -> str:
        return f"{filled(words)}\n\n" if words else ""

    def h(self, text: str) -> str:
        return f"{text}\n{'-' * min(len(text), _WIDTH)}\n\n"

    def items(self, entries: Sequence[str]) -> str:
        def item(entry: str) -> str:
            return filled(" ".join(str(entry).split()), "- ", "  ")

        return "\n".join(map(item, entries)) + "\n\n" if entries else ""

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

    form = pre

    def words(self, said: Speech | str | None, most: int = theirs.MOST_LINES) -> str:
        """Somebody else's words, each line behind a mark."""
        return self.pre("\n".join(theirs.marked(said, most))) if said else ""

    def orders(self, said: Speech | str) -> str:
        """A player's answer as it was understood; what of a long line does not fit goes on below it, indented."""
        return self.pre("\n".join(theirs.marked(said, theirs.MOST_SIGNS, _folded)))

    @staticmethod
    def quoted(said: Speech | str | None) -> str:
        """A few words of somebody else's within a sentence."""
        return theirs.few(said)

    def board(self, diagram: Diagram | None) -> str:
        return f"{self._drawing.text(diagram).rstrip()}\n\n" if diagram else ""


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

    def __init__(self, drawing: Drawing, level: int = 2) -> None:
        self._drawing = drawing
        self._level = level

    def p(self, caller: Callable[[], str]) -> Markup:
        return self.paragraph(" ".join(str.split(caller())))

    def paragraph(self, words: str) -> Markup:
        return Markup(f"<p>{words}</p>\n") if words else Markup()

    def h(self, text: str) -> Markup:
        return Markup(f"<h{self._level}>{escape(text)}</h{self._level}>\n")

    def items(self, entries: Sequence[str]) -> Markup:
        inner = "".join([f"<li>{escape(entry)}</li>\n" for entry in entries])
        return Markup(f"<ul>\n{inner}</ul>\n") if entries else Markup()

    def table(self, head: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
        top = "".join([f"<th>{escape(cell)}</th>" for cell in head])
        body = "".join(
            [f"<tr>{''.join([f'<td>{escape(cell)}</td>' for cell in row])}</tr>\n" for row in rows]
        )
        return Markup(f"<table>\n<tr>{top}</tr>\n{body}</table>\n")

    def link(self, words: str, address: str) -> Markup:
        return Markup(f'<p><a href="{escape(address)}">{escape(words)}</a></p>\n')

    def pre(self, text: str) -> Markup:
        return Markup(f"<pre>{escape(text.rstrip())}</pre>\n")

    def words(self, said: Speech | str | None, most: int = theirs.MOST_LINES) -> Markup:
        return self.orders(Speech("\n".join(theirs.unmarked(said, most)))) if said else Markup()

    def orders(self, said: Speech | str) -> Markup:
        return Markup('<blockquote class="words">{}</blockquote>\n').format(self.pre(theirs.plain(said)))

    @staticmethod
    def quoted(said: Speech | str | None) -> Markup:
        return Markup('<bdi class="words">{}</bdi>').format(theirs.few(said))

    def form(self, text: str) -> Markup:
        return Markup(f'<pre class="form">{escape(text.rstrip())}</pre>\n')

    def board(self, diagram: Diagram | None) -> Markup:
        if diagram is None:
            return Markup()
        words = escape(self._drawing.words(diagram))
        key = [f"<b>{escape(sign)}</b> {escape(meaning)}" for sign, meaning in self._drawing.key(diagram)]
        picture = f'<p><img src="cid:board" alt="{words}" style="max-width:100%"></p>\n'
        return Markup(f'{picture}<p class="key">{" &middot; ".join(key)}</p>\n')


class PartPage(HtmlPage):
    """The layout words for a part of another page, of the archive's: boards stand in it, wide things can be moved."""

    def table(self, head: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
        table = super().table(head, rows)
        return Markup('<div class="wide" tabindex="0">{}</div>\n').format(table)

    def pre(self, text: str) -> Markup:
        return Markup('<pre class="said">{}</pre>\n').format(text.rstrip())

    form = pre

    def board(self, diagram: Diagram | None) -> Markup:
        if diagram is None:
            return Markup()
        return Markup("<figure>{}<figcaption>{}</figcaption></figure>\n").format(
            Markup(self._drawing.svg(diagram)), diagram.title
        )


# A piece of a page in both its forms: its text stands before the second of these signs, its HTML behind it. They are
# no characters of any script (Unicode, 23.7); a mail that holds them has them replaced.
_OPENED, _HALF, _CLOSED = "\ufdd0", "\ufdd1", "\ufdd2"
_NO_SIGNS = str.maketrans(dict.fromkeys((_OPENED, _HALF, _CLOSED), "\N{REPLACEMENT CHARACTER}"))


class BothPages:
    """The layout words of a letter, which lay out what they are given as text and as HTML at once. What a template has
    made of values and words of its own comes as HTML, in which only its own letters are escaped."""

    def __init__(self, text: TextPage, html: HtmlPage) -> None:
        self._text = text
        self._html = html

    def p(self, caller: Callable[[], str]) -> Markup:
        text, html = _of_both(Markup(" ".join(str.split(caller()))))
        return _both(self._text.paragraph(text), self._html.paragraph(html))

    def h(self, text: str) -> Markup:
        return _both(self._text.h(_unescaped(text)), self._html.h(text))

    def items(self, entries: Sequence[str]) -> Markup:
        texts, htmls = zip(*map(_of_both, entries), strict=True) if entries else ((), ())
        return _both(self._text.items(texts), self._html.items(htmls))

    def table(self, head: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
        bare = [[_unescaped(cell) for cell in row] for row in rows]
        return _both(
            self._text.table([_unescaped(cell) for cell in head], bare), self._html.table(head, rows)
        )

    def pre(self, text: str) -> Markup:
        return _both(self._text.pre(_unescaped(text)), self._html.pre(text))

    def link(self, words: str, address: str) -> Markup:
        return _both(self._text.link(_unescaped(words), _unescaped(address)), self._html.link(words, address))

    def form(self, text: str) -> Markup:
        return _both(self._text.form(_unescaped(text)), self._html.form(text))

    def orders(self, said: Speech | str) -> Markup:
        return _both(self._text.orders(said), self._html.orders(said))

    def words(self, said: Speech | str | None, most: int = theirs.MOST_LINES) -> Markup:
        return _both(self._text.words(said, most), self._html.words(said, most))

    def quoted(self, said: Speech | str | None) -> Markup:
        return _both(self._text.quoted(said), self._html.quoted(said))

    def board(self, diagram: Diagram | None) -> Markup:
        return _both(self._text.board(diagram), self._html.board(diagram))


def _both(text: str, html: str) -> Markup:
    if not text and not html:
        return Markup()
    if _OPENED in text or _HALF in text or _CLOSED in text:
        text, html = text.translate(_NO_SIGNS), str(html).translate(_NO_SIGNS)
    return Markup(f"{_OPENED}{text}{_HALF}{html}{_CLOSED}")


def _of_both(words: object) -> tuple[str, str | Markup]:
    """Words of a template as text and as HTML; somebody else's among them stand there in both forms."""
    if not isinstance(words, Markup):
        return str(words), str(words)
    if _OPENED not in words:
        return _unescaped(words), words
    text, html = _parted(words)
    return text, Markup(html)


def _parted(page: str) -> tuple[str, str]:
    """A page in both forms as text and as HTML; what stands between its pieces belongs to both."""
    before, *pieces = page.split(_OPENED)
    texts, htmls = [_unescaped(Markup(before))], [before]
    for piece in pieces:
        text, _, rest = piece.partition(_HALF)
        html, _, between = rest.partition(_CLOSED)
        texts += (text, _unescaped(Markup(between)))
        htmls += (html, between)
    return "".join(texts), "".join(htmls)


def _unescaped(words: object) -> str:
    """Words as they were before a template escaped them."""
    if not isinstance(words, Markup):
        return str(words)
    plain = str.__str__(words)
    if "&" not in plain:
        return plain
    for sign, escaped in _ESCAPED:
        plain = plain.replace(escaped, sign)
    return plain


_ESCAPED = [(sign, str(escape(sign))) for sign in "<>\"'&"]  # & last: it stands in all others


When = Callable[[datetime | None], str]

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


class _Facts(dict[str, Any]):
    """What a page is rendered with, and the templates whose macros speak of it. A template that holds macros alone is
    made into a module once: its macros look up what they speak of each time, and find there what this page is about."""

    def __init__(self) -> None:
        super().__init__()
        self.modules: dict[str | None, TemplateModule] = {}


class _Coder(CodeGenerator):
    """Notes in a template's code whether it holds macros alone: macros, whole templates that it imports, and blank
    lines. What stands under a condition, or is said or set beside macros, may hang on what a page is about."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        super().visit_Template(node, frame)
        self.writeline(f"{_ALONE} = {all(map(_is_of_every_page, node.body))}")


def _is_of_every_page(node: nodes.Node) -> bool:
    if isinstance(node, nodes.Output):
        return all(isinstance(part, nodes.TemplateData) and not part.data.strip() for part in node.nodes)
    return isinstance(node, nodes.Macro | nodes.Import)


_ALONE = "macros_alone"


class _Template(jinja2.Template):
    """A template that keeps its macros where a page takes them with its context; to make them takes as long as to
    speak by a dozen. Only one that holds macros alone is kept, if all that it imports is kept too."""

    def make_module(
        self,
        vars: dict[str, Any] | None = None,
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,
    ) -> TemplateModule:
        alone = self.root_render_func.__globals__[_ALONE]
        if (
            not alone
            or not isinstance(vars, _Facts)
            or any(v is not missing for v in (locals or {}).values())
        ):
            return super().make_module(vars, shared, locals)
        kept = vars.modules.get(self.name)
        if kept is None:
            context = self.new_context(vars, shared=True)
            kept = TemplateModule(self, context)
            imported = [each for each in context.vars.values() if isinstance(each, TemplateModule)]
            if all(any(each is module for module in vars.modules.values()) for each in imported):
                vars.modules[self.name] = kept
        return kept


_FORMATTING = ("format", "format_map")


class _Sandbox(SandboxedEnvironment):
    """The sandbox of templates. What it says of a name hangs on the kind of value alone, and is asked once for each."""

    template_class = _Template
    code_generator_class = _Coder

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._safe: dict[tuple[type, str], bool] = {}
        self._free: dict[type, frozenset[str]] = {}
        self._facts: list[_Facts] = []
        self._loaded: dict[str, jinja2.Template] = {}

    def get_template(
        self, name: str | jinja2.Template, parent: str | None = None, globals: Any = None
    ) -> jinja2.Template:
        """Templates are read once; a page asks for some twenty times."""
        if globals is not None or not isinstance(name, str):
            return super().get_template(name, parent, globals)
        found = self._loaded.get(name)
        if found is None:
            found = self._loaded[name] = super().get_template(name, parent)
        return found

    @contextmanager
    def page(self, given: Context) -> Iterator[_Facts]:
        """What a page is rendered with, its own for as long as it is rendered."""
        try:
            facts = self._facts.pop()
        except IndexError:  # all are in use
            facts = _Facts()
        facts.update(self.globals)
        facts.update(given)
        try:
            yield facts
        finally:
            facts.clear()
            self._facts.append(facts)

    def rendered(self, template: str, facts: _Facts) -> str:
        """A template's words on that page."""
        found = self.get_template(template)
        try:
            page: str = self.concat(found.root_render_func(found.new_context(facts, shared=True)))
        except Exception:  # noqa: BLE001 - it is raised again, with the template's lines in its traceback
            self.handle_exception()
        return page

    def getattr(self, obj: Any, attribute: str) -> Any:
        """What templates mean by a dot. Whatever can be called goes the sandbox's own way (`str.format`), but for
        methods written in Python that have another name."""
        value = getattr(obj, attribute, missing)
        if type(value) is str and attribute in self._free_text(type(obj)):
            return Speech(value)
        if value is missing or not self.is_safe_attribute(obj, attribute, value):
            return super().getattr(obj, attribute)
        if callable(value) and (type(value) is not MethodType or value.__name__ in _FORMATTING):
            return super().getattr(obj, attribute)
        return value

    def getitem(self, obj: Any, argument: Any) -> Any:
        """What filters mean by an attribute's name; somebody's words are as little ours by that way."""
        value = super().getitem(obj, argument)
        if isinstance(value, str) and argument in self._free_text(type(obj)):
            return Speech(value)
        return value

    def _free_text(self, kind: type) -> frozenset[str]:
        found = self._free.get(kind)
        if found is None:
            found = self._free[kind] = free_text_in(kind)
        return found

    def call(self, context: jinja2.runtime.Context, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        """What templates call: macros, and functions and methods that nothing is said of which the sandbox or Jinja
        would heed (that they are unsafe, or want the page's context), at once; all else the sandbox's own way."""
        kind = type(obj)
        function = obj.__func__ if kind is MethodType else obj
        if kind is not Macro and (type(function) is not FunctionType or function.__dict__):
            return super().call(context, obj, *args, **kwargs)
        kwargs.pop("_block_vars", None)
        kwargs.pop("_loop_vars", None)
        return obj(context.eval_ctx, *args, **kwargs) if kind is Macro else obj(*args, **kwargs)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        known = self._safe.get((type(obj), attr))
        if known is None:
            known = self._safe[type(obj), attr] = super().is_safe_attribute(obj, attr, value)
        return known


class Renderer:
    """All letters' words: templates from the given folders (the first that has a file wins)."""

    def __init__(self, folders: Sequence[Path], drawing: Drawing, zone: str = "UTC") -> None:
        self._zone = zone
        self._folders = [folder for folder in folders if folder.is_dir()]
        loader = jinja2.FileSystemLoader([str(folder) for folder in self._folders])
        text, html = TextPage(drawing), HtmlPage(drawing)
        self._text, self._html = text, html
        self._environments = {
            "text": self._environment(loader, text, html=False),
            "both": self._environment(loader, BothPages(text, html), html=True),
            "part": self._environment(loader, PartPage(drawing, level=3), html=True),
        }
        self._style = cache(lambda: Markup(self._file("letter.css")))
        self._complaints = cache(self._read_complaints)
        self._sentence = cache(jinja2.Environment.from_string)  # compiling one takes longer than a whole page
        self.help = cache(self._read_help)
        self.clauses = cache(self._read_clauses)

    @staticmethod
    def _environment(
        loader: jinja2.BaseLoader, page: TextPage | HtmlPage | BothPages, *, html: bool
    ) -> _Sandbox:
        environment = _Sandbox(
            loader=loader,
            bytecode_cache=_compiled("html" if html else "text"),
            autoescape=html,
            undefined=jinja2.StrictUndefined,
            lstrip_blocks=True,
            auto_reload=False,  # as complaints and help, which are read once too
        )
        environment.globals["say"] = page
        environment.globals["called"] = theirs.called
        environment.filters["quoted"] = page.quoted
        environment.filters["span"] = span
        environment.filters["time"] = time_of
        environment.filters["numbered"] = numbered
        environment.filters["listed"] = listed
        environment.filters["name_of"] = name_of
        environment.filters["name_of_in"] = name_of_in
        return environment

    def clock(self, zone: str | None) -> Callable[[datetime | None], str]:
        """How moments are told to a person in that zone; without one, in the referee's own."""
        return clock_in(zone, self._zone)

    def letter(self, template: str, context: Context) -> tuple[str, str]:
        """Plain text and HTML of a template; the HTML is a whole document."""
        rendered, full = self._rendered("both", template, context)
        text, html = _parted(rendered)
        frame = self._environments["both"].get_template("frame.html.j2")
        body = Markup(self._linked(html, self._html, full))
        whole = frame.render({**context, "body": body, "style": self._style()})
        return _tidy(self._linked(text, self._text, full)), whole.replace(theirs.GLUE, " ")

    def page(self, medium: str, template: str, context: Context) -> str:
        """A template as "text", or as "part" of a page of the archive."""
        rendered, _ = self._rendered(medium, template, context)
        return rendered.replace(theirs.GLUE, " ")

    def _rendered(self, medium: str, template: str, context: Context) -> tuple[str, Context]:
        """A template, and all that it was rendered with; `speak` calls other templates' macros."""
        environment = self._environments[medium]

        def speak(where: str, macro: str, *given: object, missing: str | None = None) -> str:
            module = environment.get_template(f"{where}.j2").make_module(facts, shared=True)
            if missing is not None and not hasattr(module, macro):
                return missing
            spoken: str = getattr(module, macro)(*given)  # Markup where values are escaped
            return spoken

        def sentence(text: str, facts: Context) -> str:
            spoken = " ".join(self._sentence(environment, text).render(facts).split())
            return Markup(spoken) if environment.autoescape else spoken

        full: dict[str, Any] = {**context, "cited": _CITED if medium == "both" else ""}
        worded = partial(self._wording, environment, when=full.get("when"))
        full.update(PageWords(full, speak, worded, sentence).by_name())
        with environment.page(full) as facts:
            return environment.rendered(template, facts), full

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
        told = self._wording(self._environments["text"], complaint, game)
        says, mend = (told[part].replace(theirs.GLUE, " ") for part in ("says", "mend"))
        return {**told, "says": says, "mend": mend}

    def has_macro(self, where: str, macro: str) -> bool:
        return hasattr(self._environments["text"].get_template(f"{where}.j2").module, macro)

    def complaint_codes(self, game: str) -> frozenset[str]:
        return frozenset(self._complaints(game))

    def _wording(
        self, environment: jinja2.Environment, complaint: Complaint, game: str, when: When | None = None
    ) -> Worded:
        """The words of a complaint: what is wrong (`says`), what would mend it (`mend`); moments as `when` tells them.
        Of like faults on several lines: the words for all of them (`all_says`, `all_mend`, given `each` with the facts
        of every one), else `cases`, the words of each with its lines."""
        known = self._complaints(game)
        words = (
            known[complaint.code] if complaint.code in known else self._complaints("referee")[complaint.code]
        )

        def spoken(part: str, facts: Context) -> str:
            line = facts.get("line")
            short = {
                name: _shown(fact, line.text if isinstance(line, Line) else "")
                for name, fact in facts.items()
            }
            return " ".join(self._sentence(environment, words.get(part, "")).render(short).split())

        if complaint.also and "all_says" in words:
            several = {"rule": complaint.rule, "each": [dict(one.facts) for one in complaint.each]}
            return {"says": spoken("all_says", several), "mend": spoken("all_mend", several), "cases": []}
        told: dict[tuple[str, str], list[Line]] = {}
        for one in complaint.each:
            facts = {"line": one.line, "rule": one.rule, "when": when or self.clock(None), **one.facts}
            told.setdefault((spoken("says", facts), spoken("mend", facts)), []).extend(one.lines)
        mends = list(dict.fromkeys(mend for _, mend in told))
        cases: list[dict[str, object]] = [
            {"says": says, "mend": mend if len(mends) > 1 else "", "lines": lines}
            for (says, mend), lines in told.items()
        ]
        says = " ".join(says for says, _ in told)
        return {"says": says, "mend": " ".join(mends), "cases": cases if len(told) > 1 else []}

    def _read_complaints(self, game: str) -> dict[str, dict[str, str]]:
        return tomllib.loads(self._file(f"{game}/complaints.toml"))

    def _read_help(self, game: str) -> Context:
        return tomllib.loads(self._file(f"{game}/help.toml"))

    def _read_clauses(self, game: str) -> Mapping[str, str]:
        """A game's rules by number, each in a sentence; none where nobody has written them down."""
        try:
            return tomllib.loads(self._file(f"{game}/clauses.toml"))
        except FileNotFoundError:
            return {}

    def _file(self, name: str) -> str:
        for folder in self._folders:
            if (path := folder / name).is_file():
                return path.read_text(encoding="utf-8")
        raise FileNotFoundError(f"no template {name}")


@cache
def _compiled(medium: str) -> jinja2.BytecodeCache | None:
    """Where compiled templates are kept between runs: Jinja's own folder of this user, which nobody else may write.
    Apart for each medium, since only the HTML is compiled with escapes. None where there can't be such a folder."""
    try:
        return jinja2.FileSystemBytecodeCache(pattern=f"referee_{medium}_{_ALONE}_%s.cache")
    except (RuntimeError, OSError):
        return None


def _tidy(text: str) -> str:
    """No trailing space, never more than one blank line, one line end at the end."""
    lines: list[str] = []
    for line in text.splitlines():
        line = line.rstrip()
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip("\n").replace(theirs.GLUE, " ") + "\n"


def _shown(fact: object, line: str) -> object:
    """A fact of a complaint as its sentence shows it: a sender's words, those of the line at fault above all, without
    what could pass for ours, and no longer than a letter shows them."""
    if not isinstance(fact, str) or isinstance(fact, RuleText):
        return fact
    told = fact.strip().casefold()
    return theirs.short(fact) if told and told in line.casefold() else abridged(theirs.plain(fact))


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def clock_in(zone: str | None, fallback: str) -> Callable[[datetime | None], str]:
    """How a moment is told: in the person's zone where known, with UTC beside it."""
    own = ZoneInfo(zone or fallback)

    def when(at: datetime | None) -> str:
        if at is None:
            return "no deadline"
        local = at.astimezone(own)
        day = f"{_DAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]} {local.year}"
        told = f"{day}, {local.hour:02}:{local.minute:02} {local.tzname()}"
        if local.utcoffset():
            utc = at.astimezone(UTC)
            other = "" if utc.date() == local.date() else f" on {utc.day} {_MONTHS[utc.month - 1]}"
            told += f" ({utc.hour:02}:{utc.minute:02} UTC{other})"
        return told

    return when


def span(length: timedelta | int) -> str:
    """A length of time (a whole number is seconds) in words: "2 weeks", "1 day 12 hours"."""
    seconds = length if isinstance(length, int) else int(length.total_seconds())
    if seconds and seconds % 604800 == 0:
        return _several(seconds // 604800, "week")
    parts = []
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(_several(count, unit))
    return " ".join(parts[:2]) or "no time"


def time_of(option: str) -> str:
    """An option that is a length of time, in words: "7d" is "1 week"."""
    return span(duration(option))


def numbered(lines: Sequence[Line]) -> str:
    """Lines by their numbers: "line 4", "lines 3, 5 and 7 to 16"."""
    runs: list[list[int]] = []
    for number in sorted({line.number for line in lines}):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [word for run in runs for word in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))]
    return f"line{'s' if len(lines) > 1 else ''} {listed(words)}"


def _several(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


@jinja2.pass_context
def name_of(context: jinja2.runtime.Context, seat: int) -> str:
    """A seat's name, in a chain of filters."""
    return str(context["name"](seat))


def name_of_in(seat: int, match: Match) -> str:
    """A seat's name in a match that is not the letter's own."""
    return theirs.called(match.entrant(seat).name, seat if match.seating else None)


def listed(entries: Sequence[object], last: str = "and") -> str:
    """ "a, b and c"."""
    words = [str(entry) for entry in entries]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""
