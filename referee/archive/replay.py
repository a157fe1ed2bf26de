"""A match as a book: a page for each position, a cover with the contents, its boards, feed, calendar and records."""

from __future__ import annotations

import json
from collections.abc import Sequence

from referee.archive.diary import calendar
from referee.archive.folder import Folder
from referee.archive.forms import write_form
from referee.archive.pages import MatchPages
from referee.core.diagram import Diagram
from referee.core.texts.naming import file_name
from referee.drawing import draw_svg

CHAPTER = (
    25  # turns in the list beside a board: so many pages are written again when one more turn has been made
)
LISTED = 300  # turns on the cover; of a longer match its chapters
NEWEST = 20  # entries in a feed
LONGEST = 100_000  # characters of words on a page
FEED_ROOM = 150_000  # characters of words in a feed
_BEFORE, _AFTER = "window.turns=", ";\n"


def folder_of(name: str) -> str:
    """The folder of a match in the archive."""
    return f"matches/{file_name(name)}"


def known_boards(folder: Folder, name: str, turns: int) -> list[int]:
    """For each of the first `turns` turns that stand in the archive the position whose board it shows (0: none); an
    empty list where that can't be told, and all is to be written anew."""
    raw = folder.read(f"{folder_of(name)}/turns.js")
    try:
        rows = json.loads((raw or b"").decode().removeprefix(_BEFORE).removesuffix(_AFTER))
        boards = [int(board) for _, _, board in rows]
    except (ValueError, TypeError):
        return []
    return boards[:turns] if len(boards) >= turns else []


def first_to_write(published: int, turns: int) -> int:
    """The first of the turns whose words are needed when those after `published` are new: the chapter of the last one
    before them lists them, and the feed holds the newest."""
    return max(0, min(max(published - 1, 0) // CHAPTER * CHAPTER, turns - NEWEST))


class Replay:
    """Writes one match."""

    def __init__(
        self, folder: Folder, pages: MatchPages, known: Sequence[int], before: Diagram | None
    ) -> None:
        """`known` are the boards of turns that were published before; `before` is the board before the first fresh
        turn."""
        self._folder = folder
        self._pages = pages
        self._home = folder_of(pages.summary.name)
        self._boards = list(known[: pages.fresh])
        self._published = len(known)
        self._before = before
        self._writes = pages.form is not None and bool(pages.form.senders)

    @property
    def board(self) -> int:
        """The public position whose board the last turn shows, once it is written; 0 where there is none."""
        return self._boards[-1]

    def write(self) -> None:
        pages, turns = self._pages, self._pages.turns
        self._draw()
        for index in range(pages.fresh, len(turns)):
            self._page(f"{turns[index].number}.html", index)
            if turns[index].proofs:
                self._folder.page(
                    f"{self._home}/{turns[index].number}-proof.html",
                    "proof.html",
                    match=pages.summary,
                    turn=turns[index],
                )
        last = len(turns) - 1
        self._page("last.html", last)
        rows = [[t.number, t.called, b] for t, b in zip(turns, self._boards, strict=True)]
        self._folder.data(f"{self._home}/turns.js", rows, _BEFORE, _AFTER)
        self._cover()
        if pages.form is not None:
            write_form(self._folder, self._home, pages.summary, pages.form, self._picture(last))
        for name, content in pages.records:
            self._folder.write(f"{self._home}/records/{file_name(name)}", content)
        title = f"{pages.summary.title} {pages.summary.name}"
        self._folder.write(f"{self._home}/deadlines.ics", calendar(title, [pages.summary]))
        self._feed()
        if pages.fresh == 0:
            self._tidy()

    def _picture(self, index: int) -> str:
        """The file of the board that a turn shows; "" where it shows none."""
        return f"boards/{self._boards[index]}.svg" if self._boards[index] else ""

    def _draw(self) -> None:
        """The boards of the fresh turns, each where it first stands, and of what one steps through beside them."""
        board, number = self._before, next((board for board in reversed(self._boards) if board), 0)
        for index, turn in enumerate(self._pages.turns[self._pages.fresh :], self._pages.fresh):
            if turn.diagram is not None and turn.diagram != board:
                board, number = turn.diagram, turn.number
                name = f"{self._home}/boards/{number}.svg"
                if index >= self._published or not self._folder.has(name):
                    self._folder.write(name, draw_svg(board).encode())
            self._boards.append(number if turn.diagram is not None else 0)
            for count, step in enumerate(turn.steps, 1):
                file = f"{self._home}/boards/{turn.number}-{count}.svg"
                self._folder.write(file, draw_svg(step.diagram).encode())

    def _page(self, name: str, index: int) -> None:
        turns = self._pages.turns
        start = index // CHAPTER * CHAPTER
        self._folder.page(
            f"{self._home}/{name}",
            "turn.html",
            match=self._pages.summary,
            turn=turns[index],
            told=fitting(turns[index].told, LONGEST),
            picture=self._picture(index),
            number=index + 1,
            count=len(turns),
            first=turns[0],
            previous=turns[index - 1] if index else None,
            writes=self._writes,
            next=turns[index + 1] if index + 1 < len(turns) else None,
            chapter=turns[start : start + CHAPTER],
            chapter_from=start + 1,
            earlier=turns[start - 1] if start else None,
            later=turns[start + CHAPTER] if start + CHAPTER < len(turns) else None,
        )

    def _cover(self) -> None:
        turns = self._pages.turns
        chapters = [turns[at : at + CHAPTER] for at in range(0, len(turns), CHAPTER)]
        self._folder.page(
            f"{self._home}/index.html",
            "match.html",
            match=self._pages.summary,
            turns=turns,
            chapters=chapters,
            listed=len(turns) <= LISTED,
            picture=self._picture(-1),
            rules=self._pages.rules,
            chapter_length=CHAPTER,
            writes=self._writes,
            records=[(name, file_name(name), len(content)) for name, content in self._pages.records],
        )

    def _feed(self) -> None:
        """Only where the archive's address is known: a feed's links must be whole."""
        name = f"{self._home}/feed.atom"
        if not self._folder.place.address:
            return
        room, entries = FEED_ROOM, []
        for turn in self._pages.turns[: -NEWEST - 1 : -1]:
            told = fitting(turn.told, room)
            room -= len(told)
            entries.append((turn, told))
        self._folder.page(name, "feed.atom", match=self._pages.summary, entries=entries)

    def _tidy(self) -> None:
        numbers = {turn.number for turn in self._pages.turns}
        proofs = {f"{t.number}-proof.html" for t in self._pages.turns if t.proofs}
        steps = {f"{t.number}-{n}.svg" for t in self._pages.turns for n in range(1, len(t.steps) + 1)}
        self._folder.tidy(self._home, "[0-9]*.html", {f"{number}.html" for number in numbers} | proofs)
        boards = {f"{board}.svg" for board in self._boards if board}
        self._folder.tidy(f"{self._home}/boards", "[0-9]*.svg", boards | steps)
        if not self._folder.place.address:
            self._folder.tidy(self._home, "feed.atom", ())


def fitting(words: str, room: int) -> str:
    """The words, or, where they would make a page too large to be read, where they stand."""
    return words if len(words) <= room else "These words are too long for a page: they stand in the record."
