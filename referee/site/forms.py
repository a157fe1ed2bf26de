"""The page on which a player writes his mail by clicking: what each seat may send now, and facts for the scripts.

The page holds the forms themselves too, so that it serves without scripts and for a game that brings none.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from referee.core import seam
from referee.core.answers import AHEAD, Party
from referee.core.diagram import Diagram
from referee.core.game import AnyGame
from referee.core.owing import Demand
from referee.core.seam import Standing
from referee.draw import describe, picture_size
from referee.draw.palette import PAINTS
from referee.draw.svg import lattice_facts
from referee.match import events as ev
from referee.match.events import Entry
from referee.match.match import Match, OpenRound
from referee.site.folder import Folder
from referee.site.pages import FormPage, Summary

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
    match: Match, standing: Standing, seat: int, subject_of: SubjectOf, words_of: Mapping[str, str]
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
    game: AnyGame,
    match: Match,
    history: Sequence[Entry],
    board: Diagram | None,
    subject_of: SubjectOf,
    scripted: bool,
) -> FormPage:
    """The page of a match as it stands. `subject_of(match, demand)` gives an answer's subject;
    `scripted`: the game's script is there."""
    if match.status != "open" or match.standing is None:
        why = {"ended": "The match has ended.", "paused": "The match is paused, and takes no answers."}
        return FormPage(closed=why.get(match.status, "The match has not begun: seats are still free."))
    state = public_state(game, history, match.inner)
    standing = match.standing if state is match.inner else Standing(game, state)
    words: dict[str, str] = {}
    for heading, kind in seam.headings(game).items():
        words.setdefault(kind, heading)
    asks = ((seat, tuple(asks_of(match, standing, seat, subject_of, words))) for seat in match.numbers)
    senders = tuple({"seat": n, "name": match.entrant(n).name, "asks": each} for n, each in asks if each)
    clicked = game.board_form(state) if scripted else None
    waits = "" if senders else "Nothing can be sent now."
    return FormPage(senders, board, clicked, waits)


def script_of(slug: str) -> str:
    """Where the archive keeps a game's own script."""
    return f"forms/{slug}.js"


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
        "to": folder.place.office,
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
