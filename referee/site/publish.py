"""From the ledger to the archive: the public entries told as in letters, with the boards after each, as a book: a page
for each position, a cover with the contents, its boards, feed, calendar and records. A match that has changed since the
last build is written whole; one that has not is not even read. The page on which a player writes a mail by clicking
holds the forms themselves too, so that it serves without scripts and for a game that brings none."""

import gzip
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup

from referee.core import seam
from referee.core.answers import AHEAD, Party
from referee.core.diagram import Diagram, changed, difference, unmarked, with_news
from referee.core.game import AnyGame
from referee.core.texts.naming import file_name, shown_name
from referee.core.value import Demand, Value
from referee.draw import describe, draw_png, draw_text, picture_size
from referee.draw.svg import PAINTS, lattice_facts
from referee.letters.moves import moved, stimuli
from referee.letters.speaker import Speaker
from referee.match import events as ev
from referee.match.events import Entry
from referee.match.handling.seating import entered
from referee.match.match import Match, OpenRound, fold
from referee.match.record.public import entries_of, public_record, record_json, sgf_of
from referee.match.record.text import text_record
from referee.offices.moderator import ClubRecord, Moderator, finished
from referee.site.folder import Folder, calendar, maker, told_time
from referee.site.front import Front, read_index, write_index
from referee.site.pages import Deadline, FormPage, GamePage, Sitter, Summary, Turn

SubjectOf = Callable[[Match, Demand], str]


def public_state(game: AnyGame, history: Sequence[Entry], state: Any) -> Any:
    """The game's state as the public events alone make it: `state` itself where there are no
    others. No page may hold a byte of what a seat has sent in secret."""
    if all(entry.public for entry in history if isinstance(entry.event, ev.Happened)):
        return state
    states: list[Any] = []
    current: Any = None
    for entry in history:
        match entry.event:
            case ev.MatchBegun():
                current = game.initial()
            case ev.Happened(event=raw) if entry.public:
                current = game.evolve(current, game.events_codec.decode(raw))
            case ev.MatchRewound(to=to):
                current = states[to - 1]
        states.append(current)
    return current


def asks_of(
    match: Match, standing: seam.Standing, seat: int, subject_of: SubjectOf, words_of: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Everything a seat may send, what is due first: under which subject, until when (None where no clock runs, or it
    owes nothing), the blank form; `words` say what it is. `standing` is that of the public state."""
    rounds, party = [(r, d) for r in match.rounds for d in r.demands], Party(match.entrant(seat).name, seat)

    def asked(demand: Demand, r: OpenRound | None, words: str, form: str) -> dict[str, Any]:
        told = {"kind": demand.kind, "about": demand.about, "label": r.label if r else "", "words": words}
        when = {"owed": r is not None, "due_at": r.due_for(seat) if r else None}
        return {**told, "subject": subject_of(match, demand), "form": form, **when}

    for demand in standing.may_answer(seat):
        due = next((r for r, d in rounds if d == demand), None)
        form = seam.form(standing.game, standing.state, demand, party).text
        yield asked(demand, due, words_of.get(demand.kind, demand.kind), form)
    owed = [(r, d) for r in standing.due for d in r.demands if seam.foreseeable(standing.game, d)]
    if owed and not any(r.sealed or d.seat == seat for r, d in owed):  # others move, in the open
        form = "\n".join(f"If Player {number}: , then " for number in match.numbers if number != seat)
        yield asked(Demand(AHEAD, seat), None, words_of[AHEAD], form)


def form_page(
    game: AnyGame, match: Match, history: Sequence[Entry], subject_of: SubjectOf, scripted: bool
) -> FormPage:
    """The page of a match as it stands. `subject_of(match, demand)` gives an answer's subject;
    `scripted`: the game's script is there."""
    if match.status != "open" or match.standing is None:
        why = {"ended": "The match has ended.", "paused": "The match is paused, and takes no answers."}
        return FormPage(closed=why.get(match.status, "The match has not begun: seats are still free."))
    state = public_state(game, history, match.inner)
    standing = match.standing if state is match.inner else seam.Standing(game, state)
    words: dict[str, str] = {}
    for heading, kind in seam.headings(game).items():
        words.setdefault(kind, heading)
    asks = ((seat, tuple(asks_of(match, standing, seat, subject_of, words))) for seat in match.numbers)
    senders = tuple({"seat": n, "name": match.entrant(n).name, "asks": each} for n, each in asks if each)
    clicked = game.board_form(state) if scripted else None
    waits = "" if senders else "Nothing can be sent now."
    return FormPage(senders, match.board, clicked, waits)


script_of = "forms/{}.js".format  # where the archive keeps a game's own script


def write_form(folder: Folder, home: str, match: Summary, page: FormPage) -> None:
    """The page and its boards, in the folder of a match. The public one, "", may differ from
    its last turn's."""
    drawn = {"": page.board, **(page.clicked.boards if page.clicked else {})}
    named = [(n, board, f"form-{n or 'now'}.svg") for n, board in sorted(drawn.items()) if board]
    boards = dict[str, Any]()
    for name, board, file in named:
        folder.board(f"{home}/boards/{file}", board)
        told = {"file": f"boards/{file}", "size": picture_size(board), "alt": describe(board)}
        boards[name] = told | lattice_facts(board)
    facts = {
        "game": match.game,
        "match": match.name,
        "to": folder.offices.collector,
        # until when it waits says the page
        "senders": [
            {**sender, "asks": [{k: v for k, v in ask.items() if k != "due_at"} for ask in sender["asks"]]}
            for sender in page.senders
        ],
        "facts": page.clicked.facts if page.clicked else {},
        "boards": boards,
        "paints": {name: [paint.fill, paint.ink, paint.edge] for name, paint in PAINTS.items()},
    }
    script = script_of(match.game) if page.clicked else ""
    # a JSON text that ends no script element and is XML as it stands; ASCII
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    folder.page(f"{home}/play.html", "play.html", match=match, page=page, script=script, facts=text)


# --- the archive ----------------------------------------------------------------------------------------------------

CHAPTER = 25  # turns in the list beside a board: so many pages are written again when one more has been made
LISTED = 300  # turns on the cover; of a longer match its chapters
NEWEST = 20  # entries in a feed
LONGEST = 100_000  # characters of words on a page
FEED_ROOM = 150_000  # characters of words in a feed
_BEFORE, _AFTER = "window.turns=", ";\n"


def folder_of(name: str) -> str:
    """The folder of a match in the archive."""
    return f"matches/{file_name(name)}"


def write_match(
    folder: Folder,
    match: Summary,
    turns: Sequence[Turn],
    rules: Sequence[str] = (),
    records: Sequence[tuple[str, bytes]] = (),
    form: FormPage | None = None,
) -> int:
    """Everything public of one match; the position whose board stands last (0: none). `rules` are
    sentences on how it is played, `records` files by name, offered as they are, `form` what may be
    sent now. What an earlier build left there and nothing shows any more is taken away."""
    home, boards = folder_of(match.name), list(_draw(folder, folder_of(match.name), turns))
    pictures = [f"boards/{board}.svg" if board else "" for board in boards]
    writes = form is not None and bool(form.senders)
    shared = {"match": match, "turns": turns, "size": CHAPTER, "most": LISTED, "writes": writes}
    for name, n in (*((turn.number, n) for n, turn in enumerate(turns)), ("last", len(turns) - 1)):
        told = fitting(turns[n].told, LONGEST)
        folder.page(f"{home}/{name}.html", "turn.html", n=n, told=told, picture=pictures[n], **shared)
    for turn in turns:
        if turn.proofs:
            folder.page(f"{home}/{turn.number}-proof.html", "proof.html", match=match, turn=turn)
    shared |= {"rules": rules, "records": records}
    folder.page(f"{home}/index.html", "match.html", picture=pictures[-1], **shared)
    said = (f"{t.called}: {t.move}" if t.move else t.called for t in turns)
    rows = [[t.number, words, board, t.place] for t, words, board in zip(turns, said, boards, strict=True)]
    folder.data(f"{home}/turns.js", rows, _BEFORE, _AFTER)
    folder.write(f"{home}/deadlines.ics", calendar(f"{match.title} {match.name}", [match]))
    for name, content in records:
        folder.write(f"{home}/records/{file_name(name)}", content)
    if form is not None:
        write_form(folder, home, match, form)
    if folder.offices.site:
        shown = next((t.diagram for t in reversed(turns) if t.diagram), None)
        if shown:  # what services that show links can show: no SVG
            folder.write(f"{home}/card.png", draw_png(shown))
        room, entries = FEED_ROOM, []
        for turn in turns[: -NEWEST - 1 : -1]:
            entries.append((turn, fitting(turn.told, room)))
            room -= len(entries[-1][1])
        # only where the archive's address is known: a feed's links must be whole
        folder.page(f"{home}/feed.atom", "feed.atom", match=match, entries=entries)
    folder.tidy(home, "**/*")
    return boards[-1]


def _draw(folder: Folder, home: str, turns: Sequence[Turn]) -> Iterator[int]:
    """Each board where it first stands, and what one steps through beside it; of each turn the
    position whose board it shows, 0 where it shows none."""
    board, number = None, 0
    for turn in turns:
        if turn.diagram is not None and turn.diagram != board:
            board, number = turn.diagram, turn.number
            folder.board(f"{home}/boards/{number}.svg", board)
        for count, (_, diagram) in enumerate(turn.steps, 1):
            folder.board(f"{home}/boards/{turn.number}-{count}.svg", diagram)
        yield number if turn.diagram is not None else 0


def fitting(words: str, room: int) -> str:
    """The words, or, where they would make a page too large to be read, where they stand."""
    return words if len(words) <= room else "These words are too long for a page: they stand in the record."


class FromRecords:
    """Matches as verified records tell of them, of any version: archived without a database."""

    def __init__(self, records: Iterable[Mapping[str, Any]], games: Mapping[str, AnyGame]) -> None:
        self._entries = {str(record["match"]): entries_of(record) for record in records}
        self._games = games

    def published(self) -> list[tuple[str, datetime, int]]:
        return [(name, told[0].at, told[-1].position) for name, told in self._entries.items()]

    def outline(self, name: str) -> Match:
        return fold(self._games.__getitem__, self._entries[name])

    def history(self, name: str) -> Sequence[Entry]:
        return self._entries[name]

    def club(self) -> ClubRecord:
        """Records tell of matches alone."""
        return ClubRecord()


class PublicArchive(Value):
    """Builds the archive, from nothing or from what has changed; the bytes are the same."""

    ledgers: Moderator | FromRecords
    speaker: Speaker
    picture: Path | None  # the club's
    templates: Sequence[Path]

    def build(self, into: Path) -> int:
        """Write what has changed into the folder; how many matches it shows."""
        offices, keys = self.speaker.offices, self.speaker.keys
        folder = Folder(into, offices, self.picture, self.templates)
        own = self.picture.read_bytes().hex() if self.picture else ""
        club, known = self.ledgers.club(), read_index(folder)  # the club tells who is who
        former = sorted(f"{new} {old}" for new, old in keys.same.items())
        place = (offices.name, offices.site, offices.collector, own)
        made = maker(self.templates, *place, keys.derive("archive"), *former)
        summaries, changed = list[Summary](), set[str]()
        for name, opened, position in self.ledgers.published():
            s, now = known.get(name), (made, position, opened)
            if s and (s.made, s.position, s.opened) == now:
                summaries.append(s)
            elif (match := self.ledgers.outline(name)).known:
                summaries.append(self._match(folder, match, made))
                changed.add(name)
        gone = known.keys() - {s.name for s in summaries}
        whole = bool(gone) or folder.read("index/made") != made.encode()
        front = Front(folder, keys, club, summaries)
        if met := folder.read("index/club") != front.state.encode():
            whole |= bool(front.unlisted or front.record.unrated)
        if whole or met or changed:
            touched = {s.name for s in summaries} if whole else changed
            front.write(touched, [self._game(game, whole) for game in self.speaker.games.values()], whole)
            write_index(folder, summaries, touched)
        folder.write("index/club", front.state.encode())
        folder.write("index/made", made.encode())
        return len(summaries)

    # --- a match -------------------------------------------------------------------------------------------------

    def _match(self, folder: Folder, match: Match, made: str) -> Summary:
        name, history, game = match.name, self.ledgers.history(match.name), self.speaker.games[match.game]
        turns = tuple(self._turns(game, history))
        summary = self._summary(match, history, turns, made)
        record = public_record(game, history)
        files = [
            (f"{name}.json.gz", gzip.compress(record_json(record).encode(), mtime=0)),
            (f"{name}.txt", text_record(game, history, draw_text).encode()),
        ]
        if (sgf := sgf_of(game, match, history)) is not None:
            files.append((f"{name}.sgf", sgf.encode()))
        scripted = folder.ships(script_of(game.slug), f"{game.slug}/form.js")
        form = form_page(game, match, history, self.speaker.order_subject, scripted)
        rules = self.speaker.pages.options(self.speaker.context(match, None))
        return replace(summary, board=write_match(folder, summary, turns, rules, files, form))

    def _summary(self, match: Match, history: Sequence[Entry], turns: Sequence[Turn], made: str) -> Summary:
        vacant = match.vacant
        which = f" / Player {vacant[0]}" if match.seating and len(vacant) > 1 else ""
        return Summary(
            name=match.name,
            game=match.game,
            title=self.speaker.games[match.game].title,
            status=match.status,
            opened=match.opened_at,
            updated=turns[-1].at,
            position=match.position,
            turns=turns[-1].count,
            heading=turns[-1].called,
            people=tuple(self._people(match, history)),
            outcome=_outcome(match),
            winners=match.ended.winners if match.ended else (),
            seats=match.seats,
            vacant=_vacant(match, vacant),
            join=f"join {match.name}{which}" if vacant else "",
            deadlines=tuple(
                Deadline(d.seat, d.kind, r.label, r.due_for(d.seat), since=r.opened_at) for r, d in match.due
            ),
            made=made,
            finished=finished(match, history, self.speaker.keys),
        )

    def _people(self, match: Match, history: Sequence[Entry]) -> Iterator[Sitter]:
        """Who sits there, then who did before."""
        (seated, former), known, keys = entered(history), dict[int, str](), self.speaker.keys
        for seat, entrant in (*seated.items(), *former):
            player = keys.player(entrant.name, *entrant.addresses[:1])
            if seat not in known:
                yield Sitter(seat, shown_name(entrant.name), player, left=seat in match.vacated)
            elif player != known[seat]:
                yield Sitter(seat, shown_name(entrant.name), player, left=True)
            known.setdefault(seat, player)

    # --- its turns -----------------------------------------------------------------------------------------------

    def _turns(self, game: AnyGame, history: Sequence[Entry]) -> Iterator[Turn]:
        """One turn for each stimulus that left something public; the match is folded along."""
        before, count = None, 0
        for was, stages, shown in stimuli(game, history):
            if shown:
                board = stages[-1].board
                turn = self._turn(was, stages[-1], shown, _marked(before, board, stages, shown))
                count += turn.played
                yield replace(turn, count=count)
                before = board

    def _turn(self, was: Match, match: Match, shown: Sequence[Entry], board: Diagram | None) -> Turn:
        game, page = self.speaker.games[match.game], self.speaker.pages.page
        context = {**self.speaker.context(match, None), "entries": shown, "when": told_time}
        told = Markup(page("referee/posting.j2", context))
        standing = Markup(page("site/standing.j2", context)) if match.view(None) else ""
        happened = [entry.told(game) for entry in shown if isinstance(entry.event, ev.Happened)]
        steps = tuple(step for event in happened for step in game.steps(was.inner, event))
        proofs = tuple(proof for event in happened for proof in game.proofs_of(event))
        made, (by, move) = ev.Answered | ev.RoundRevealed | ev.Lapsed, moved(game, match, shown)
        last, played = shown[-1], any(isinstance(entry.event, made) for entry in shown)
        own = last.position, last.at, _heading(shown)
        return Turn(*own, told, standing, board, steps, proofs, by, move, played=played)

    # --- a game --------------------------------------------------------------------------------------------------

    def _game(self, game: AnyGame, whole: bool) -> GamePage:
        """What the archive tells of a game; its pieces are drawn only where its own page is to be written."""
        drawn = game.drawn_pieces(self.speaker.setup(game).data) if whole else ()
        context = {**self.speaker.context(None, None), "about": game, "shown": self.speaker.usual(game)}
        rules = self.speaker.pages.page("site/rules.j2", context)
        heads = [(file_name(head.lower()), head) for head in _HEAD.findall(rules)]
        about = " ".join(str(self.speaker.pages.help(game.slug).get("about", "")).split())
        told = Markup(_HEAD.sub(lambda h: f'<h3 id="{file_name(h[1].lower())}">{h[1]}</h3>', rules))
        clauses = tuple(self.speaker.pages.clauses(game.slug).items())
        return GamePage(game.slug, game.title, about, told, tuple(drawn), clauses, tuple(heads))


def _marked(
    before: Diagram | None, board: Diagram | None, stages: Sequence[Match], shown: Sequence[Entry]
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
        earlier = [found for stage in reversed(stages) if (found := stage.board)]
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
    of_a_round = ev.Answered | ev.RoundRevealed | ev.Lapsed | ev.MatchRewound
    labels = [e.event.label for e in shown if isinstance(e.event, of_a_round)]
    if found := next(filter(None, labels), ""):
        return found
    return next((words for kind, words in _CALLED.items() for e in shown if isinstance(e.event, kind)), "")


_HEAD = re.compile("<h3>([^<]*)</h3>")
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
