"""A match as a book: a page for each position, a cover with the contents, its boards, feed, calendar and records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from referee.archive.diary import calendar
from referee.archive.folder import Folder
from referee.archive.forms import write_form
from referee.archive.pages import FormPage, Summary, Turn
from referee.core.diagram import Diagram
from referee.core.texts.naming import file_name
from referee.drawing import draw_svg

CHAPTER = 25  # turns in the list beside a board: so many pages are written again when one more has been made
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


@dataclass
class Replay:
    """Writes everything public of one match. `turns` in order, those from `fresh` on with what their pages show;
    `boards` are those of turns that were published before, `before` is the board before the first fresh turn; `rules`
    are sentences on how it is played; `records` are files by name, offered as they are; `form` is what may be sent
    now."""

    folder: Folder
    summary: Summary
    turns: Sequence[Turn]
    fresh: int = 0
    boards: Sequence[int] = ()
    before: Diagram | None = None
    rules: Sequence[str] = ()
    records: Sequence[tuple[str, bytes]] = ()
    form: FormPage | None = None

    def __post_init__(self) -> None:
        self._home = folder_of(self.summary.name)
        self._boards = list(self.boards[: self.fresh])
        self._writes = self.form is not None and bool(self.form.senders)

    @property
    def board(self) -> int:
        """The public position whose board the last turn shows, once it is written; 0 where there is none."""
        return self._boards[-1]

    def write(self) -> None:
        turns = self.turns
        self._draw()
        for index in range(self.fresh, len(turns)):
            self._page(f"{turns[index].number}.html", index)
            if turns[index].proofs:
                self.folder.page(
                    f"{self._home}/{turns[index].number}-proof.html",
                    "proof.html",
                    match=self.summary,
                    turn=turns[index],
                )
        last = len(turns) - 1
        self._page("last.html", last)
        rows = [[t.number, t.called, b] for t, b in zip(turns, self._boards, strict=True)]
        self.folder.data(f"{self._home}/turns.js", rows, _BEFORE, _AFTER)
        self._cover()
        if self.form is not None:
            write_form(self.folder, self._home, self.summary, self.form, self._picture(last))
        for name, content in self.records:
            self.folder.write(f"{self._home}/records/{file_name(name)}", content)
        title = f"{self.summary.title} {self.summary.name}"
        self.folder.write(f"{self._home}/deadlines.ics", calendar(title, [self.summary]))
        self._feed()
        if self.fresh == 0:
            self._tidy()

    def _picture(self, index: int) -> str:
        """The file of the board that a turn shows; "" where it shows none."""
        return f"boards/{self._boards[index]}.svg" if self._boards[index] else ""

    def _draw(self) -> None:
        """The boards of the fresh turns, each where it first stands, and of what one steps through beside them."""
        board, number = self.before, next((board for board in reversed(self._boards) if board), 0)
        for index, turn in enumerate(self.turns[self.fresh :], self.fresh):
            if turn.diagram is not None and turn.diagram != board:
                board, number = turn.diagram, turn.number
                name = f"{self._home}/boards/{number}.svg"
                if index >= len(self.boards) or not self.folder.has(name):
                    self.folder.write(name, draw_svg(board).encode())
            self._boards.append(number if turn.diagram is not None else 0)
            for count, step in enumerate(turn.steps, 1):
                file = f"{self._home}/boards/{turn.number}-{count}.svg"
                self.folder.write(file, draw_svg(step.diagram).encode())

    def _page(self, name: str, index: int) -> None:
        turns = self.turns
        start = index // CHAPTER * CHAPTER
        self.folder.page(
            f"{self._home}/{name}",
            "turn.html",
            match=self.summary,
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
        turns = self.turns
        chapters = [turns[at : at + CHAPTER] for at in range(0, len(turns), CHAPTER)]
        self.folder.page(
            f"{self._home}/index.html",
            "match.html",
            match=self.summary,
            turns=turns,
            chapters=chapters,
            listed=len(turns) <= LISTED,
            picture=self._picture(-1),
            rules=self.rules,
            chapter_length=CHAPTER,
            writes=self._writes,
            records=[(name, file_name(name), len(content)) for name, content in self.records],
        )

    def _feed(self) -> None:
        """Only where the archive's address is known: a feed's links must be whole."""
        name = f"{self._home}/feed.atom"
        if not self.folder.place.address:
            return
        room, entries = FEED_ROOM, []
        for turn in self.turns[: -NEWEST - 1 : -1]:
            told = fitting(turn.told, room)
            room -= len(told)
            entries.append((turn, told))
        self.folder.page(name, "feed.atom", match=self.summary, entries=entries)

    def _tidy(self) -> None:
        numbers = {turn.number for turn in self.turns}
        proofs = {f"{t.number}-proof.html" for t in self.turns if t.proofs}
        steps = {f"{t.number}-{n}.svg" for t in self.turns for n in range(1, len(t.steps) + 1)}
        self.folder.tidy(self._home, "[0-9]*.html", {f"{number}.html" for number in numbers} | proofs)
        boards = {f"{board}.svg" for board in self._boards if board}
        self.folder.tidy(f"{self._home}/boards", "[0-9]*.svg", boards | steps)
        if not self.folder.place.address:
            self.folder.tidy(self._home, "feed.atom", ())


def fitting(words: str, room: int) -> str:
    """The words, or, where they would make a page too large to be read, where they stand."""
    return words if len(words) <= room else "These words are too long for a page: they stand in the record."
