"""The layout words of templates, as plain text and as HTML."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from functools import partial

from markupsafe import Markup, escape

from referee.core.diagram import Diagram
from referee.core.texts import speech as theirs
from referee.core.texts.speech import Speech
from referee.drawing import describe, draw_svg, draw_text, picture_key

_WIDTH = 72
_SHORT = 8  # characters of a cell that is not folded
_WIDEST = 80  # columns of what is not filled: boards, orders


_filled = partial(textwrap.fill, width=_WIDTH, break_long_words=False, break_on_hyphens=False)


class TextPage:
    """The layout words of templates, as plain text."""

    def p(self, caller: Callable[[], str]) -> str:
        return self.paragraph(" ".join(caller().split()))

    def paragraph(self, words: str) -> str:
        return f"{_filled(words)}\n\n" if words else ""

    def h(self, text: str) -> str:
        return f"{text}\n{'-' * min(len(text), _WIDTH)}\n\n"

    def items(self, entries: Sequence[str]) -> str:
        def item(entry: str) -> str:
            return _filled(" ".join(str(entry).split()), initial_indent="- ", subsequent_indent="  ")

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
        return f"{draw_text(diagram).rstrip()}\n\n" if diagram else ""


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

    def __init__(self, level: int = 2) -> None:
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
        words = escape(describe(diagram))
        key = [f"<b>{escape(sign)}</b> {escape(meaning)}" for sign, meaning in picture_key(diagram)]
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
            Markup(draw_svg(diagram)), diagram.title
        )
