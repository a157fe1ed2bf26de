"""The public archive of every match: the ledger's public entries, told as in letters, with the boards after each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

from markupsafe import Markup

from referee.archive.pages import Deadline, MatchPage, Posting, Sitter
from referee.archive.site import build_site
from referee.drawing import draw_text
from referee.match import events as ev
from referee.match.events import Entry
from referee.match.fold import applied, begun
from referee.match.match import AnyGame, Match, owed, vacancies
from referee.match.record import in_full, public_record, record_json
from referee.match.text_record import text_record
from referee.offices.speaker import Speaker


class Page(Protocol):
    """The renderer: one medium of a template."""

    def page(self, medium: str, template: str, context: Mapping[str, Any]) -> str: ...


History = Callable[[str], Sequence[Entry]]


def publish(
    matches: Iterable[Match],
    history: History,
    games: Mapping[str, AnyGame],
    speaker: Speaker,
    words: Page,
    templates: Sequence[Path],
    into: Path,
) -> int:
    """Write the site; how many matches it shows."""
    pages = [_match_page(games[m.game], m, history(m.name), speaker, words) for m in matches]
    build_site(pages, into, templates=templates)
    return len(pages)


def _match_page(
    game: AnyGame, match: Match, entries: Sequence[Entry], speaker: Speaker, words: Page
) -> MatchPage:
    record = public_record(game, entries)
    files = [
        (f"{match.name}.json", record_json(record)),
        (f"{match.name}.txt", text_record(game, entries, draw_text)),
    ]
    if hasattr(game, "sgf"):
        files.append((f"{match.name}.sgf", game.sgf(in_full(record))))
    view = speaker.view(match, None)
    return MatchPage(
        name=match.name,
        game=game.title,
        status=match.status,
        phase=view.phase if view else "filling",
        roster=tuple(Sitter(n, match.entrant(n).name) for n in match.numbers),
        postings=tuple(_postings(game, entries, speaker, words)),
        outcome=_outcome(match),
        deadlines=tuple(Deadline(d.seat, d.kind, r.label, r.due_for(d.seat)) for r, d in owed(match, game)),
        vacant=_vacant(match, vacancies(match, game)),
        records=tuple((name, text.encode()) for name, text in files),
    )


def _outcome(match: Match) -> str:
    """Who won, and why."""
    if match.ended is None:
        return ""
    names = [match.entrant(seat).name for seat in match.ended.winners]
    won = f"Won by {' and '.join(names)}."
    verdict = won if names else "Not solved." if match.seats == 1 else "A draw."
    return f"{verdict} {match.ended.reason}"


def _vacant(match: Match, seats: Sequence[int]) -> str:
    if not seats or match.seating:
        return ", ".join(f"Player {seat}" for seat in seats)
    return f"{len(seats)} of {match.seats} seats"


def _postings(game: AnyGame, entries: Sequence[Entry], speaker: Speaker, words: Page) -> Iterable[Posting]:
    """One posting for each stimulus that left something public; the match is folded along."""
    match: Match | None = None
    done: list[Entry] = []
    for _, group in groupby(entries, key=lambda entry: entry.cause):
        stimulus = list(group)
        for entry in stimulus:
            match = applied(game, match, entry, lambda: done) if match else begun(entry)
            done.append(entry)
        shown = [entry for entry in stimulus if entry.public]
        if match is None or not shown:
            continue
        context = {**speaker.context(match, None), "entries": shown}
        view = speaker.view(match, None)
        yield Posting(
            number=shown[-1].position,
            at=shown[-1].at,
            told=Markup(words.page("part", "referee/posting.j2", context)),
            diagram=view.diagram if view else None,
            heading=_heading(shown),
        )


def _heading(shown: Sequence[Entry]) -> str:
    """What a posting is about: the round answered, revealed or lapsed; else what happened."""
    labels = [
        e.event.label
        for e in shown
        if isinstance(e.event, ev.Answered | ev.RoundRevealed | ev.Lapsed | ev.MatchRewound)
    ]
    return next(filter(None, labels), "The match opens" if shown[0].version == 1 else "")
