"""The archive around the matches: its front, the lists, players, games, the search, feeds and
calendars; of the club what is being formed, events with their crosstables, ratings, who met whom."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from typing import Any, NamedTuple

from referee.club.events import TableSet
from referee.club.standings import Finished, Rating, counted, ratings
from referee.club.tournament import Tournament
from referee.core.diagram import Diagram
from referee.core.texts.naming import FORMER, file_name
from referee.core.value import Value
from referee.draw import describe, picture_size
from referee.match.chain import Keys
from referee.offices.moderator import ClubRecord
from referee.site.folder import Folder, calendar, digest
from referee.site.pages import GamePage, Sitter, Summary, summaries_from

CROSSED = 40  # players in a table of who met whom
SHARD = 100  # matches in a file of the index
PAGE = 50  # matches on a page of a list
NAMES = 200  # players on a page of their list
SHOWN = 40  # matches in each part of the front
RESULTS = 8  # of the last results those with a board
NEWEST = 50  # entries in the front's feed
CALENDAR = 200  # matches in the front's calendar, those with the next deadlines
_FATES = ("running", "won", "drawn", "lost", "not solved", "left")

_AFTER = ";\n"


class Score(NamedTuple):
    """How often one won, drew and lost against another, or all others."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def __str__(self) -> str:
        return f"{self.won}-{self.drawn}-{self.lost}" if any(self) else ""


def _handing(name: object) -> str:
    """How a file of the index begins: scripts that load in any order are found in one value."""
    return f'(window.index??={{}})["{name}"]='


def read_index(folder: Folder) -> dict[str, Summary]:
    """What the archive knows of its matches, by name, in files of its own, for the search and for
    how the next build tells what has changed. Each is a JSON text handed over by a script: only
    scripts load from a folder that is not served. What cannot be read is made again."""

    def handed(name: object) -> Any:
        text = (folder.read(f"index/{name}.js") or b"").decode()
        return json.loads(text.removeprefix(_handing(name)).removesuffix(_AFTER) or "{}")

    found: dict[str, Summary] = {}
    with suppress(ValueError, TypeError, AttributeError):
        for number in range(int(handed("about").get("files", 0))):
            found |= {summary.name: summary for summary in summaries_from(handed(number))}
    return found


def write_index(folder: Folder, summaries: Sequence[Summary], changed: set[str]) -> None:
    """All of them in their order; a file in which no match has changed stays as it is."""
    files = [summaries[at : at + SHARD] for at in range(0, len(summaries), SHARD)]
    for number, rows in enumerate(files):
        if not changed.isdisjoint(row.name for row in rows):
            folder.data(f"index/{number}.js", [row.facts() for row in rows], _handing(number), _AFTER)
    about = {"files": len(files), "matches": len(summaries), "version": 1}
    folder.data("index/about.js", about, _handing("about"), _AFTER)
    folder.tidy("index", "*.js*", {f"index/{number}.js" for number in range(len(files))})


class Front(Value):
    """Writes everything that stands around the matches, which are given in the order in which they were opened; what is
    of the club is made of its ledgers and of the results of matches, and kept nowhere else."""

    folder: Folder
    keys: Keys
    record: ClubRecord
    summaries: Sequence[Summary]

    @cached_property
    def unlisted(self) -> Set[str]:
        """Who is on no list: whoever wishes so, and whoever is forgotten."""
        gone = {x.player for s in self.summaries for x in s.people if x.name.startswith(FORMER)}
        return self.record.unlisted | gone

    @property
    def state(self) -> str:
        """What tells whether anything of the club has changed."""
        seen = [f"{x.name} {x.version}" for x in (*self.record.forming, *self.record.events)]
        return digest(*seen, "unlisted", *sorted(self.unlisted), "unrated", *sorted(self.record.unrated))

    # --- results ---------------------------------------------------------------------------------------------------

    @cached_property
    def finished(self) -> list[Finished]:
        return [s.finished for s in self.summaries if s.finished is not None]

    @cached_property
    def courses(self) -> Mapping[str, Mapping[str, Sequence[Rating]]]:
        """Ratings by game and player."""
        return ratings(self.finished, self.record.unrated)

    @cached_property
    def fates(self) -> Mapping[str, Mapping[tuple[str, str], Counter[str]]]:
        """Of each player how he came out, by whom he met and in which game."""
        found: dict[str, dict[tuple[str, str], Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        for one in self.finished:
            for (mine, rank), (other, its) in permutations(zip(one.players, one.ranks, strict=True), 2):
                if mine != other:
                    fate = "drawn" if rank == its else "won" if rank < its else "lost"
                    found[mine][other, one.game][fate] += 1
        return found

    def met(self, player: str) -> list[tuple[str, str, str, Score]]:
        """Whom he met: that one, what he is called, in which game, and how it went."""
        called, titles = self.called, {s.game: s.title for s in self.summaries}
        met = (row for row in self.fates.get(player, {}).items() if row[0][0] not in self.unlisted)
        rows = [(other, called[other], titles[game], Score(**fates)) for (other, game), fates in met]
        return sorted(rows, key=lambda row: (-sum(row[3]), row[1].casefold(), row[2]))

    @cached_property
    def called(self) -> dict[str, str]:
        return {sitter.player: sitter.name for s in self.summaries for sitter in s.people}

    # --- pages --------------------------------------------------------------------------------------------------------

    def write(self, changed: set[str], games: Sequence[GamePage], whole: bool) -> None:
        """`changed` are names of the matches that are not as they were, all of them where
        everything is to be written anew (`whole`)."""
        if whole:
            self._fixed(games)
        self._index(games)
        self._club({game.slug: game.title for game in games})
        self._lists(changed)
        self._players(changed, whole)

    def _fixed(self, games: Sequence[GamePage]) -> None:
        for name in ("style.css", "replay.js", "search.js", "form.js", "times.js", "favicon.svg"):
            self.folder.ships(name, f"site/{name}")
        if self.folder.own_picture:
            self.folder.write(self.folder.emblem, self.folder.own_picture.read_bytes())
        self.folder.page("search.html", "search.html", games=games)
        self.folder.page("games/index.html", "games.html", games=games)
        for game in games:
            pieces = [(name, words, [*self._drawn(game, name, drawn)]) for name, words, drawn in game.pieces]
            self.folder.page(f"games/{game.slug}.html", "game.html", game=game, pieces=pieces)

    def _drawn(
        self, game: GamePage, piece: str, pictures: Sequence[Diagram]
    ) -> Iterator[tuple[str, str, tuple[int, int]]]:
        for count, diagram in enumerate(pictures, 1):
            file = f"{game.slug}/{file_name(piece.lower())}-{count}.svg"
            self.folder.board(f"games/{file}", diagram)
            yield file, describe(diagram), picture_size(diagram)

    def _index(self, games: Sequence[GamePage]) -> None:
        running = [s for s in self.summaries if s.status != "ended"]
        free = [s for s in running if s.vacant]
        newest = sorted(self.summaries, key=lambda s: (s.updated, s.name), reverse=True)
        ended = [s for s in newest if s.status == "ended"]
        playing = [s for s in newest if s.status not in ("ended", "filling")]
        titles = {game.slug: game.title for game in games}
        lists = {"free": free, "playing": playing, "ended": ended, "most": SHOWN, "shown": RESULTS}
        self.folder.page("index.html", "index.html", front=self, games=games, titles=titles, **lists)
        # those with a deadline first, the next one first
        soon = sorted(running, key=lambda s: (s.next_due is None, s.next_due or s.opened, s.name))
        self.folder.write("deadlines.ics", calendar(self.folder.offices.name, soon[:CALENDAR]))
        if self.folder.offices.site:
            entries = [(s, None) for s in newest[:NEWEST]]
            self.folder.page("feed.atom", "feed.atom", match=None, entries=entries)
        self.folder.tidy(".", "feed.atom")

    def _lists(self, changed: set[str]) -> None:
        """All matches by their opening, so that a page once full stays."""
        pages = [self.summaries[at : at + PAGE] for at in range(0, len(self.summaries), PAGE)] or [()]
        for number, rows in enumerate(pages, 1):
            if number >= len(pages) - 1 or changed & {row.name for row in rows}:
                name, beside = f"matches/page-{number}.html", {"number": number, "pages": len(pages)}
                self.folder.page(name, "matches.html", matches=rows, **beside)
        self.folder.page("matches/index.html", "lists.html", pages=pages)

    # --- players -------------------------------------------------------------------------------------------------

    def _players(self, changed: set[str], whole: bool) -> None:
        played: dict[str, list[tuple[Summary, Sitter]]] = defaultdict(list)
        for summary in self.summaries:
            for sitter in summary.people:
                played[sitter.player].append((summary, sitter))
        shown = ((played[player][-1][1].name, player) for player in played.keys() - self.unlisted)
        names = sorted(shown, key=lambda row: (row[0].casefold(), *row))
        listed = [(name, player, len(played[player])) for name, player in names]
        pages = [listed[at : at + NAMES] for at in range(0, len(listed), NAMES)] or [[]]
        for player in sorted({x.player for s in self.summaries if s.name in changed for x in s.people}):
            self._player(player, played[player])
        for number, rows in enumerate(pages, 1):
            name = "players/index.html" if number == 1 else f"players/page-{number}.html"
            self.folder.page(name, "players.html", players=rows, number=number, pages=len(pages))
        if whole:
            self.folder.tidy("players", "*.html")
            self.folder.tidy("calendars", "*.ics")

    def _player(self, player: str, rows: Sequence[tuple[Summary, Sitter]]) -> None:
        """Newest first, on as many pages as it takes; and the calendar of what this player owes."""
        newest = list(rows[::-1])
        fates = Counter((s.title, s.fate(sitter)) for s, sitter in rows)
        titles = sorted({s.title for s, _ in rows})
        decided = ("won", "lost", "drawn")
        kinds = [k for k in _FATES if k in decided or any(fates[title, k] for title in titles)]
        table = [(title, [fates[title, kind] for kind in kinds]) for title in titles]
        pages = [newest[at : at + PAGE] for at in range(0, len(newest), PAGE)]
        games = sorted({(s.title, s.game) for s, _ in rows})
        courses = ((title, self.courses.get(slug, {})) for title, slug in games)
        rated = [(title, course[player]) for title, course in courses if player in course]
        names = [f"{player}{f'-{number}' if number > 1 else ''}.html" for number, _ in enumerate(pages, 1)]
        told: dict[str, Any] = {"called": rows[-1][1].name, "kinds": kinds, "table": table, "names": names}
        told |= {"count": len(rows), "rated": rated, "met": self.met(player)[:PAGE]}
        for number, (name, part) in enumerate(zip(names, pages, strict=True), 1):
            self.folder.page(f"players/{name}", "player.html", rows=part, number=number, **told)
        mine = {s.name: {x.seat for x in s.sitters if x.player == player} for s, _ in rows}
        running = [s for s, _ in rows if s.status != "ended" and mine[s.name]]
        title = f"{self.folder.offices.name}: {rows[-1][1].name}"
        file = f"calendars/{self.keys.calendar(player)}.ics"
        self.folder.write(file, calendar(title, running, lambda s, seat: seat in mine[s.name]))

    # --- the club -----------------------------------------------------------------------------------------------------

    def _club(self, titles: Mapping[str, str]) -> None:
        """Events, ratings and who met whom, by the titles of the games."""
        called, tables = self.called, []
        for event in self.record.events:
            self._event(event, titles[event.made.game])
        self.folder.page("events/index.html", "events.html", events=self.record.events, titles=titles)
        self.folder.tidy("events", "*.html")
        for game, title in titles.items():
            course = {p: c for p, c in self.courses.get(game, {}).items() if p not in self.unlisted}
            ranked = sorted((-c[-1].points, called[p], p, len(c)) for p, c in course.items())
            points = [-row[0] for row in ranked]
            rows = [(_place(points, -n), p, name, -n, count) for n, name, p, count in ranked]
            tables.append((game, title, rows))
            self._results(game, title)
        self.folder.page("ratings.html", "ratings.html", tables=tables)

    def _event(self, event: Tournament, title: str) -> None:
        rows = event.standings()
        guests = [(row, event.guests[row.player]) for row in rows]

        def cell(one: str, other: str) -> str:
            return "×" if one == other else " ".join(map(counted, event.met(one, other)))

        people = [(row, guest, self.keys.player(guest.name, guest.address)) for row, guest in guests]
        cross = [[cell(row.player, other.player) for other in rows] for row in rows]
        scores = {t.match: _points(event, t) for r in event.rounds for t in r.tables}
        told = {"event": event, "title": title, "rows": people, "cross": cross, "scores": scores}
        told |= {"counted": counted, "results": {s.name: s for s in self.summaries}}
        self.folder.page(f"events/{file_name(event.name)}.html", "event.html", **told)

    def _results(self, game: str, title: str) -> None:
        """Who met whom in a game, of those who stand on lists."""
        listed = ((player, met) for player, met in self.fates.items() if player not in self.unlisted)
        pairs = {player: {p: f for (p, slug), f in met.items() if slug == game} for player, met in listed}
        scores = {player: Score(**sum(met.values(), Counter())) for player, met in pairs.items() if met}
        order = sorted(scores, key=lambda p: (-sum(scores[p]), self.called[p].casefold(), p))
        crossed = order[:CROSSED]
        players = [(p, self.called[p], scores[p]) for p in order]
        cross = [[Score(**pairs[row].get(column, Counter())) for column in crossed] for row in crossed]
        told = {"title": title, "players": players, "cross": cross}
        count = sum(one.game == game for one in self.finished)
        self.folder.page(f"results/{game}.html", "results.html", matches=count, **told)


def _points(event: Tournament, table: TableSet) -> str:
    """What each took of it, in the order in which they sit."""
    score = event.scores.get(table.match or "")
    taken = [score.points.get(player, "0") for player in table.players] if score else []
    return " - ".join(counted(Fraction(points)) for points in taken) if any(taken) else ""


def _place(points: Sequence[int], own: int) -> str:
    """A place in a list, which those share who are equal: "2=" beside another of those points."""
    return f"{points.index(own) + 1}{'=' if points.count(own) > 1 else ''}"
