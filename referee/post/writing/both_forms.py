"""The layout words of a letter, whose template is rendered once for both its forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from markupsafe import Markup, escape

from referee.post.writing.layout import HtmlPage, TextPage

# A piece of a page in both its forms: its text stands before the second of these signs, its HTML behind it. They are
# no characters of any script (Unicode, 23.7); a mail that holds them has them replaced.
_OPENED, _HALF, _CLOSED = "\ufdd0", "\ufdd1", "\ufdd2"
_NO_SIGNS = str.maketrans(dict.fromkeys((_OPENED, _HALF, _CLOSED), "\N{REPLACEMENT CHARACTER}"))
_ESCAPED = [(sign, str(escape(sign))) for sign in "<>\"'&"]  # & last: it stands in all others


class BothForms:
    """The layout words of a letter, which lay out what they are given as text and as HTML at once. What a template has
    made of values and words of its own comes as HTML, in which only its own letters are escaped."""

    def __init__(self, text: TextPage, html: HtmlPage) -> None:
        self._text = text
        self._html = html

    def p(self, caller: Callable[[], str]) -> Markup:
        return self.paragraph(Markup(" ".join(str.split(caller()))))

    def __getattr__(self, word: str) -> Callable[..., Markup]:
        """Any other word of the page."""
        as_text, as_html = getattr(self._text, word), getattr(self._html, word)

        def both(*given: Any) -> Markup:
            texts, htmls = zip(*map(_of_both, given), strict=True)
            text, html = as_text(*texts), str(as_html(*htmls))
            if not text and not html:
                return Markup()
            if _OPENED in text or _HALF in text or _CLOSED in text:
                text, html = text.translate(_NO_SIGNS), html.translate(_NO_SIGNS)
            return Markup(f"{_OPENED}{text}{_HALF}{html}{_CLOSED}")

        return both


def _of_both(given: Any) -> tuple[Any, Any]:
    """What a template gives a word, as text and as HTML; somebody else's words among it stand there in both forms."""
    if isinstance(given, list | tuple):
        both = [_of_both(each) for each in given]
        return [text for text, _ in both], [html for _, html in both]
    if not isinstance(given, Markup):
        return given, given
    text, html = parted(given)
    return text, Markup(html)


def parted(page: str) -> tuple[str, str]:
    """A page in both forms as text and as HTML; what stands between its pieces belongs to both."""
    before, *pieces = str.__str__(page).split(_OPENED)  # a string of its own, which escapes nothing
    texts, htmls = [_unescaped(before)], [before]
    for piece in pieces:
        text, _, rest = piece.partition(_HALF)
        html, _, between = rest.partition(_CLOSED)
        texts += (text, _unescaped(between))
        htmls += (html, between)
    return "".join(texts), "".join(htmls)


def _unescaped(words: str) -> str:
    """Words as they were before a template escaped them."""
    if "&" in words:
        for sign, escaped in _ESCAPED:
            words = words.replace(escaped, sign)
    return words
