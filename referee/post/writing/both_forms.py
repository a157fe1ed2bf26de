"""The layout words of a letter, whose template is rendered once for both its forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markupsafe import Markup, escape

from referee.core.diagram import Diagram
from referee.core.texts import speech as theirs
from referee.core.texts.speech import Speech
from referee.post.writing.layout import HtmlPage, TextPage

# A piece of a page in both its forms: its text stands before the second of these signs, its HTML behind it. They are
# no characters of any script (Unicode, 23.7); a mail that holds them has them replaced.
_OPENED, _HALF, _CLOSED = "\ufdd0", "\ufdd1", "\ufdd2"
_NO_SIGNS = str.maketrans(dict.fromkeys((_OPENED, _HALF, _CLOSED), "\N{REPLACEMENT CHARACTER}"))


class BothForms:
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
    text, html = parted(words)
    return text, Markup(html)


def parted(page: str) -> tuple[str, str]:
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
