"""The archive's pages of the club: what is being formed, events with their crosstables, ratings, who met whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import NamedTuple

from referee.archive.folder import Folder, digest
from referee.archive.pages import Summary
from referee.club.events import Guest
from referee.club.ratings import Finished, Rating, ratings
from referee.club.standings import counted
from referee.club.tournament import Tournament
from referee.core.texts.naming import file_name
from referee.match.chain.sealing import Keys
from referee.offices.club.results import ClubRecord

CROSSED = 40  # players in a table of who met whom


class Score(NamedTuple):
    """How often one won, drew and lost against another, or all others."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def __str__(self) -> str:
        return f"{self.won}-{self.drawn}-{self.lost}" if any(self) else ""


@dataclass(frozen=True)
class ClubPages:
    """Made of the club's ledgers and of the results of matches; nothing of it is kept anywhere else."""

    folder: Folder
    keys: Keys
    record: ClubRecord
    summaries: Sequence[Summary]

    @property
    def state(self) -> str:
        """What tells whether anything of the club has changed."""
        seen = [f"{x.name} {x.version}" for x in self.record.forming]
        seen += [f"{x.name} {x.version}" for x in self.record.events]
        return digest(
            *seen, "unlisted", *sorted(self.record.unlisted), "unrated", *sorted(self.record.unrated)
        )

    def player(self, guest: Guest) -> str:
        """What tells the player from all others in public."""
        return self.keys.player(guest.name, guest.address)

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
        rows = [
            (other, called[other], titles[game], Score(**fates))
            for (other, game), fates in self.fates.get(player, {}).items()
            if other not in self.record.unlisted
        ]
        return sorted(rows, key=lambda row: (-sum(row[3]), row[1].casefold(), row[2]))

    @cached_property
    def called(self) -> dict[str, str]:
        return {sitter.player: sitter.name for s in self.summaries for sitter in s.people}

    # --- pages -----------------------------------------------------------------------------------------------------

    def write(self, titles: Mapping[str, str]) -> None:
        """All of them, by the titles of the games."""
        courses, called = self.courses, self.called
        for event in self.record.events:
            self._event(event, titles[event.made.game])
        self.folder.page("events/index.html", "events.html", events=self.record.events, titles=titles)
        self.folder.tidy(
            "events", "*.html", {"index.html", *(f"{file_name(e.name)}.html" for e in self.record.events)}
        )
        tables = []
        for game, title in titles.items():
            course = {p: c for p, c in courses.get(game, {}).items() if p not in self.record.unlisted}
            ranked = sorted(course.items(), key=lambda row: (-row[1][-1].shown, called[row[0]], row[0]))
            tables.append((game, title, [(p, called[p], c[-1], len(c)) for p, c in ranked]))
            self._results(game, title, called)
        self.folder.page("ratings.html", "ratings.html", tables=tables)

    def _event(self, event: Tournament, title: str) -> None:
        rows = event.standings()
        cross = [[_cell(event, row.player, other.player) for other in rows] for row in rows]
        self.folder.page(
            f"events/{file_name(event.name)}.html",
            "event.html",
            event=event,
            title=title,
            rows=[(row, event.guests[row.player], self.player(event.guests[row.player])) for row in rows],
            cross=cross,
            counted=counted,
            breaks=list(rows[0].tie_breaks) if rows else [],
        )

    def _results(self, game: str, title: str, called: Mapping[str, str]) -> None:
        """Who met whom in a game, of those who stand on lists."""
        pairs = {
            player: {other: fates for (other, slug), fates in met.items() if slug == game}
            for player, met in self.fates.items()
            if player not in self.record.unlisted
        }
        scores = {player: Score(**sum(met.values(), Counter())) for player, met in pairs.items() if met}
        listed = sorted(scores, key=lambda p: (-sum(scores[p]), called[p].casefold(), p))
        crossed = listed[:CROSSED]
        self.folder.page(
            f"results/{game}.html",
            "results.html",
            title=title,
            players=[(p, called[p], scores[p]) for p in listed],
            cross=[[Score(**pairs[row].get(column, Counter())) for column in crossed] for row in crossed],
            matches=sum(one.game == game for one in self.finished),
        )


def _cell(event: Tournament, one: str, other: str) -> str:
    return "×" if one == other else " ".join(counted(points) for points in event.met(one, other))
