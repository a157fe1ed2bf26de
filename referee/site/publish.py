"""From the ledger to the archive: the public entries told as in letters, with the boards after each, as a book: a page
for each position, a cover with the contents, its boards, feed, calendar and records. A match that has changed since the
last build is written whole; one that has not is not even read."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from textwrap import shorten
from typing import Any, Protocol

from markupsafe import Markup

from referee.core.diagram import Diagram, changed, difference, unmarked, with_news
from referee.core.game import AnyGame
from referee.core.texts.naming import FORMER, file_name, shown_name
from referee.draw import draw_png, draw_text
from referee.letters.page_words import listed
from referee.letters.speaker import Speaker
from referee.match import events as ev
from referee.match.events import Entrant, Entry
from referee.match.fold import applied, fold
from referee.match.handling.seating import entered
from referee.match.match import UNOPENED, Match
from referee.match.record.public import entries_of, public_record, record_json
from referee.match.record.text import text_record
from referee.offices.club.results import ClubRecord, finished
from referee.site.folder import Folder, calendar, maker, told_time
from referee.site.forms import form_page, script_of, write_form
from referee.site.front import ClubPages, Front, Index
from referee.site.pages import (
    Deadline,
    FormPage,
    GamePage,
    PiecePage,
    Place,
    Sitter,
    Step,
    Summary,
    Turn,
)
from referee.store.matches import Published

CHAPTER = 25  # turns in the list beside a board: so many pages are written again when one more has been made
LISTED = 300  # turns on the cover; of a longer match its chapters
NEWEST = 20  # entries in a feed
LONGEST_MOVE = 160  # characters of a move in a list
LONGEST = 100_000  # characters of words on a page
FEED_ROOM = 150_000  # characters of words in a feed
_BEFORE, _AFTER = "window.turns=", ";\n"


def folder_of(name: str) -> str:
    """The folder of a match in the archive."""
    return f"matches/{file_name(name)}"


@dataclass
class Replay:
    """Writes everything public of one match. `rules` are sentences on how it is played; `records` are files by name,
    offered as they are; `form` is what may be sent now."""

    folder: Folder
    summary: Summary
    turns: Sequence[Turn]
    rules: Sequence[str] = ()
    records: Sequence[tuple[str, bytes]] = ()
    form: FormPage | None = None
    boards: list[int] = field(default_factory=list)  # of each turn the position whose board it shows; 0: none

    def __post_init__(self) -> None:
        self._home = folder_of(self.summary.name)
        self._writes = self.form is not None and bool(self.form.senders)

    def write(self) -> None:
        turns = self.turns
        self._draw()
        for index, turn in enumerate(turns):
            self._page(f"{turn.number}.html", index)
            if turn.proofs:
                name = f"{self._home}/{turn.number}-proof.html"
                self.folder.page(name, "proof.html", match=self.summary, turn=turn)
        last = len(turns) - 1
        self._page("last.html", last)
        rows = [
            [t.number, f"{t.called}: {t.move}" if t.move else t.called, b]
            for t, b in zip(turns, self.boards, strict=True)
        ]
        now = next((t.diagram for t in reversed(turns) if t.diagram), None)
        if now and self.folder.place.address:  # what services that show links can show: no SVG
            self.folder.write(f"{self._home}/card.png", draw_png(now))
        self.folder.data(f"{self._home}/turns.js", rows, _BEFORE, _AFTER)
        self._cover()
        if self.form is not None:
            write_form(self.folder, self._home, self.summary, self.form)
        for name, content in self.records:
            self.folder.write(f"{self._home}/records/{file_name(name)}", content)
        title = f"{self.summary.title} {self.summary.name}"
        self.folder.write(f"{self._home}/deadlines.ics", calendar(title, [self.summary]))
        self._feed()
        self._tidy()

    def _picture(self, index: int) -> str:
        """The file of the board that a turn shows; "" where it shows none."""
        return f"boards/{self.boards[index]}.svg" if self.boards[index] else ""

    def _draw(self) -> None:
        """Each board where it first stands, and what one steps through beside it."""
        board, number = None, 0
        for turn in self.turns:
            if turn.diagram is not None and turn.diagram != board:
                board, number = turn.diagram, turn.number
                self.folder.board(f"{self._home}/boards/{number}.svg", board)
            self.boards.append(number if turn.diagram is not None else 0)
            for count, step in enumerate(turn.steps, 1):
                file = f"{self._home}/boards/{turn.number}-{count}.svg"
                self.folder.board(file, step.diagram)

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
        boards = {f"{board}.svg" for board in self.boards if board}
        self.folder.tidy(f"{self._home}/boards", "[0-9]*.svg", boards | steps)
        if not self.folder.place.address:
            self.folder.tidy(self._home, "feed.atom", ())


def fitting(words: str, room: int) -> str:
    """The words, or, where they would make a page too large to be read, where they stand."""
    return words if len(words) <= room else "These words are too long for a page: they stand in the record."


class Ledgers(Protocol):
    """Where matches are read: the list without their states, then each with its ledger."""

    def published(self) -> Sequence[Published]: ...
    def outline(self, name: str) -> Match: ...
    def history(self, name: str) -> Sequence[Entry]: ...
    def club(self) -> ClubRecord: ...


class FromRecords:
    """Matches as verified records tell of them, of any version: archived without a database."""

    def __init__(self, records: Iterable[Mapping[str, Any]], games: Mapping[str, AnyGame]) -> None:
        self._entries = {str(record["match"]): entries_of(record) for record in records}
        self._games = games

    def published(self) -> Sequence[Published]:
        return [Published(name, told[0].at, told[-1].position) for name, told in self._entries.items()]

    def outline(self, name: str) -> Match:
        return fold(self._games.__getitem__, self._entries[name])

    def history(self, name: str) -> Sequence[Entry]:
        return self._entries[name]

    def club(self) -> ClubRecord:
        """Records tell of matches alone."""
        return ClubRecord()


@dataclass(frozen=True)
class PublicArchive:
    """Builds the archive, from nothing or from what has changed; the bytes are the same."""

    ledgers: Ledgers
    speaker: Speaker
    place: Place
    templates: Sequence[Path]

    def build(self, into: Path) -> Built:
        """Write what has changed into the folder; what was done."""
        folder = Folder(into, self.place, self.templates)
        record, keys = self.ledgers.club(), self.speaker.keys
        own = self.place.own_picture.read_bytes() if self.place.own_picture else b""
        place = (self.place.title, self.place.address, self.place.office, own.hex(), keys.derive("archive"))
        made = maker(self.templates, *place, *(f"{new} {old}" for new, old in sorted(keys.same.items())))
        index = Index(folder)
        listing = self.ledgers.published()
        summaries: list[Summary] = []
        changed: list[str] = []
        for row in listing:
            known = index.summaries.get(row.name)
            if known and (known.made, known.position, known.opened) == (made, row.position, row.opened_at):
                summaries.append(known)
                continue
            match = self.ledgers.outline(row.name)
            if match.known:
                summaries.append(self._match(folder, match, made))
                changed.append(row.name)
        gone = set(index.summaries) - {summary.name for summary in summaries}
        whole = bool(gone) or folder.read("index/made") != made.encode()
        # whoever is forgotten is on no list
        gone = {x.player for s in summaries for x in s.people if x.name.startswith(FORMER)}
        record = replace(record, unlisted=record.unlisted | gone)
        club = ClubPages(folder, self.speaker.keys, record, summaries)
        met = folder.read("index/club") != club.state.encode()
        whole |= met and bool(club.record.unlisted or club.record.unrated)
        if whole or met or changed:
            touched = {summary.name for summary in summaries} if whole else set(changed)
            games = tuple(self._game(game, whole) for game in self.speaker.games.values())
            Front(folder, self.speaker.keys.calendar, club).write(summaries, touched, games, whole=whole)
            index.write(summaries, touched)
        folder.write("index/club", club.state.encode())
        folder.write("index/made", made.encode())
        return Built(len(summaries), len(changed), folder.written, folder.unchanged)

    # --- a match -------------------------------------------------------------------------------------------------

    def _match(self, folder: Folder, match: Match, made: str) -> Summary:
        name, history, game = match.name, self.ledgers.history(match.name), self.speaker.games[match.game]
        turns = tuple(self._turns(game, history))
        summary = self._summary(game, match, history, turns, made)
        record = public_record(game, history)
        files = [
            (f"{name}.json.gz", gzip.compress(record_json(record).encode(), mtime=0)),
            (f"{name}.txt", text_record(game, history, draw_text).encode()),
        ]
        if (sgf := game.sgf(record)) is not None:
            files.append((f"{name}.sgf", sgf.encode()))
        replay = Replay(
            folder,
            summary,
            turns,
            tuple(self.speaker.pages.options(self.speaker.context(match, None))),
            files,
            form_page(
                game,
                match,
                history,
                self._board(match),
                self.speaker.order_subject,
                scripted=folder.ships(script_of(game.slug), f"{game.slug}/form.js"),
            ),
        )
        replay.write()
        return replace(summary, board=replay.boards[-1])

    def _summary(
        self, game: AnyGame, match: Match, history: Sequence[Entry], turns: Sequence[Turn], made: str
    ) -> Summary:
        view = match.view(None)
        vacant = match.vacant
        join = f"join {match.name}"
        if match.seating and len(vacant) > 1:
            join += f" / Player {vacant[0]}"
        return Summary(
            name=match.name,
            game=match.game,
            title=game.title,
            status=match.status,
            phase=view.phase if view else "filling",
            opened=match.opened_at,
            updated=turns[-1].at,
            position=match.position,
            turns=len(turns),
            heading=turns[-1].called,
            people=tuple(self._people(match, history)),
            outcome=_outcome(match),
            winners=match.ended.winners if match.ended else (),
            seats=match.seats,
            vacant=_vacant(match, vacant),
            join=join if vacant else "",
            deadlines=tuple(
                Deadline(d.seat, d.kind, r.label, r.due_for(d.seat), since=r.opened_at) for r, d in match.due
            ),
            made=made,
            finished=finished(match, history, self.speaker.keys),
        )

    def _people(self, match: Match, history: Sequence[Entry]) -> Iterator[Sitter]:
        """Who sits there, then who did before."""
        seated, former = entered(history)
        for seat, entrant in seated.items():
            left = seat in match.vacated
            yield Sitter(seat, shown_name(entrant.name), self._player(entrant), left=left)
        for seat, entrant in former:
            if self._player(entrant) != self._player(seated[seat]):
                yield Sitter(seat, shown_name(entrant.name), self._player(entrant), left=True)

    def _player(self, entrant: Entrant) -> str:
        return self.speaker.keys.player(entrant.name, *entrant.addresses[:1])

    # --- its turns -----------------------------------------------------------------------------------------------

    def _turns(self, game: AnyGame, history: Sequence[Entry]) -> Iterator[Turn]:
        """One turn for each stimulus that left something public; the match is folded along."""
        match, done, before = UNOPENED, list[Entry](), None
        for _, stimulus in groupby(history, key=lambda entry: entry.cause):
            was, stages, shown = match, list[Match](), list[Entry]()
            for entry in stimulus:
                match = applied(game, match, entry, lambda: done)
                done.append(entry)
                stages.append(match)
                shown += [entry] if entry.public else []
            if shown:
                board = self._board(match)
                marked = self._marked(before, board, stages, shown)
                yield self._turn(game, was, match, shown, marked)
                before = board

    def _board(self, match: Match) -> Diagram | None:
        view = match.view(None)
        return view.diagram if view else None

    def _marked(
        self,
        before: Diagram | None,
        board: Diagram | None,
        stages: Sequence[Match],
        shown: Sequence[Entry],
    ) -> Diagram | None:
        """The board that a turn shows, with the squares of that turn marked and no others: the last
        one, unless a new game or cycle, or a turn that passed by itself, has followed at once; then
        the last that stood before. A board that was rewound is told apart as in letters. `stages`
        are the match after each of its entries."""
        if before is None:
            return board
        kinds = {type(entry.event) for entry in shown}
        if board is not None and ev.MatchRewound in kinds:
            return difference(before, board)
        if board is None or unmarked(before, board):
            earlier = [found for stage in reversed(stages) if (found := self._board(stage))]
            fresh = board is None or not board.tokens
            for found in earlier:
                fits = changed(before, found) if fresh else not changed(found, board or found)
                if found.tokens and fits and not unmarked(before, found):
                    return found
            if fresh:
                board = next((found for found in earlier if found.tokens), board)
        elif changed(before, board) or not kinds & {ev.Lapsed, ev.MatchEnded}:
            return board
        return board and with_news(before, board)

    def _turn(
        self, game: AnyGame, was: Match, match: Match, shown: Sequence[Entry], board: Diagram | None
    ) -> Turn:
        context = {**self.speaker.context(match, None), "entries": shown, "when": told_time}
        view = match.view(None)
        happened = [entry.told(game) for entry in shown if isinstance(entry.event, ev.Happened)]
        by, move = _moved(match, shown, [game.listed(event) for event in happened])
        return Turn(
            number=shown[-1].position,
            at=shown[-1].at,
            heading=_heading(shown),
            told=Markup(self.speaker.pages.page("referee/posting.j2", context)),
            standing=Markup(self.speaker.pages.page("site/standing.j2", context)) if view else "",
            diagram=board,
            steps=tuple(Step(*step) for event in happened for step in game.steps(was.inner, event)),
            proofs=tuple(proof for event in happened for proof in game.proofs_of(event)),
            by=by,
            move=move,
        )

    # --- a game --------------------------------------------------------------------------------------------------

    def _game(self, game: AnyGame, whole: bool) -> GamePage:
        """What the archive tells of a game; its pieces are drawn only where its own page is to be written."""
        drawn = game.drawn_pieces(self.speaker.setup(game).data) if whole else ()
        context = {**self.speaker.context(None, None), "about": game, "shown": self.speaker.usual(game)}
        rules = self.speaker.pages.page("site/rules.j2", context)
        heads = [(file_name(head.lower()), head) for head in _HEAD.findall(rules)]
        return GamePage(
            slug=game.slug,
            title=game.title,
            about=" ".join(str(self.speaker.pages.help(game.slug).get("about", "")).split()),
            rules=Markup(_HEAD.sub(lambda h: f'<h3 id="{file_name(h[1].lower())}">{h[1]}</h3>', rules)),
            contents=tuple(heads),
            clauses=tuple(self.speaker.pages.clauses(game.slug).items()),
            pieces=tuple(PiecePage(*piece) for piece in drawn),
        )


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did: how many matches the archive shows, how many of them were read, and files."""

    matches: int
    changed: int
    written: int
    unchanged: int


def _outcome(match: Match) -> str:
    """Who won, and why."""
    if match.ended is None:
        return ""
    names = [match.entrant(seat).name for seat in match.ended.winners]
    won = f"Won by {' and '.join(names)}."
    verdict = won if names else "Not solved." if match.seats == 1 else "A draw."
    return f"{verdict} {match.ended.reason}".strip()


def _vacant(match: Match, seats: Sequence[int]) -> str:
    if not seats or match.seating:
        return ", ".join(f"Player {seat}" for seat in seats)
    return f"{len(seats)} of {match.seats} seats"


def _heading(shown: Sequence[Entry]) -> str:
    """What a turn is about: the round answered, revealed or lapsed; else what happened."""
    labels = [
        e.event.label
        for e in shown
        if isinstance(e.event, ev.Answered | ev.RoundRevealed | ev.Lapsed | ev.MatchRewound)
    ]
    if found := next(filter(None, labels), ""):
        return found
    return next((words for kind, words in _CALLED.items() for e in shown if isinstance(e.event, kind)), "")


def _moved(match: Match, shown: Sequence[Entry], noted: Sequence[str]) -> tuple[str, str]:
    """Who answered, or whose time was over; and what, in the words of the game's record, or else in
    its notation on one line."""
    told = shorten("; ".join(filter(None, noted)), LONGEST_MOVE, placeholder="…")
    for entry in shown:
        match entry.event:
            case ev.Answered(demand=demand, text=text) if demand.seat:
                lines = [line.strip().removeprefix("Move: ") for line in str(text).splitlines()]
                said = "; ".join(line for line in lines if line and not _BESIDE.match(line))
                move = told or shorten(said, LONGEST_MOVE, placeholder="…")
                return shown_name(match.entrant(demand.seat).name), move
            case ev.Lapsed(demands=demands):
                late = [shown_name(match.entrant(d.seat).name) for d in demands if d.seat]
                return listed(late), "no answer in time"
            case ev.RoundRevealed():
                return "", told
    return "", ""


_HEAD = re.compile("<h3>([^<]*)</h3>")
_BESIDE = re.compile(r"(?i)(?:comment|press|player|round|cycle|name|email)\s*:|\[forgotten")
_CALLED: Mapping[type, str] = {
    ev.MatchBegun: "The match begins",
    ev.MatchOpened: "The match opens",
    ev.EntrantJoined: "A player joins",
    ev.EntrantLeft: "A player leaves",
    ev.EntrantReplaced: "A seat changes hands",
    ev.SeatVacated: "A seat is vacant",
    ev.SeatOffered: "A seat is open to others",
    ev.StoodIn: "A substitute stands in",
    ev.CameBack: "A player is back",
    ev.GraceBegun: "Grace is used",
    ev.MatchStopped: "The moderator ends the match",
    ev.Amended: "The rules are amended",
    ev.TurnRuled: "A ruling",
    ev.MatchPaused: "The match is paused",
    ev.MatchResumed: "The match goes on",
    ev.DeadlineMoved: "A deadline moves",
    ev.DowntimeAdded: "Deadlines move",
    ev.AbsenceTaken: "A player is away",
    ev.PressSent: "A player speaks",
    ev.Said: "The moderator speaks",
    ev.MatchEnded: "The match ends",
}
