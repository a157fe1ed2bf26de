"""The moderator's commands, made of the table of verbs: what is done to a match, and to mails that were put aside; and
`open`. Beside them `propose`, `rematch`; `event`: tournaments; `ratings`: what all results come to."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import typer

from referee.base import shipped
from referee.base.errors import CannotDo, WrongUsage
from referee.cli import app
from referee.cli.facts import owing
from referee.cli.records import record_of
from referee.games import found
from referee.match.arguments import entrant, given
from referee.match.record.public import Continuation, NoRecord, continuation
from referee.moderation.desk import NONE, Effect
from referee.moderation.orders import DeskOrder, order_of
from referee.moderation.verbs import VERBS
from referee.offices.club import MOST_ROUNDS, Announcement, WishedMatch, event_facts, guest_of
from referee.offices.register import Facts, NewMatch, facts_of


def _carried_out(name: str, context: typer.Context, **said: Any) -> None:
    order = order_of(name, said)
    with app.at_desk(context, said["now"]) as (referee, at):
        acts, meant = referee.parts.acts, referee.parts.queue.meant
        done = referee.moderator.act(lambda unit: acts.carried_out(unit, order, meant(unit, order.which)), at)
    for outcome in done:
        app.out("\n".join(_lines(order, outcome)))


def _lines(order: DeskOrder, outcome: Effect) -> Iterator[str]:
    """What was done, what is owed after it, and what undoes it; of a dry run what would be."""
    after = outcome.after
    if after is None:
        yield outcome.said
        return
    yield f"{after.name}: {'it would be so: ' if order.check else ''}{outcome.said}."
    if outcome.due:
        facts = facts_of(after)
        yield from (f"  due: {owing(facts, due)}" for due in facts["due"])
    if outcome.status:
        yield f"  the match is {outcome.status}"
    if order.check:
        yield from (f"  board: {sentence}" for sentence in outcome.board)
        yield "Nothing is changed."
    else:
        undo = f"`referee {outcome.undo} --why TEXT` undoes it." if outcome.undo else NONE
        yield f"The letters leave at the next step. {undo}"


def _open(context: typer.Context, **said: Any) -> None:
    """A file option is replaced by the file's text."""
    game, options, record, position = (said[name] for name in ("game", "option", "record", "at"))
    if position is not None and record is None:
        raise WrongUsage("--at names a position of a record: give --record FILE with it")
    if record is not None and options:
        raise WrongUsage("a match that goes on from a record keeps its options: leave --option away")
    with app.at_desk(context, said["now"]) as (referee, at):
        zone, beside = referee.settings.referee.timezone, referee.located.folder
        if game not in found():
            raise CannotDo(f"There is no game {game!r}. There are: {', '.join(found())}.")
        specs, values = shipped.game_options(game, beside, zone), given(options or [])
        for spec in specs:
            if spec.kind == "file" and values.get(spec.name):
                try:
                    values[spec.name] = shipped.text_of(Path(values[spec.name]))
                except (OSError, ValueError) as error:
                    raise CannotDo(f"{spec.name}: the file can't be read: {error}") from None
                if not values[spec.name].strip():
                    raise CannotDo(f"{spec.name}: the file is empty")
        roster, data = tuple(map(entrant, said["seat"] or ())), shipped.game_data(game, beside)
        goes_on = _continued(game, Path(record), position) if record is not None else None
        asked = said["vacant"] or 0, said["name"], said["seed"], said["beacon"], goes_on
        match = referee.moderator.open(NewMatch(game, roster, values, specs, data, *asked), at)
        app.shown(facts_of(match), [match.name], json=said["json"])
        if referee.offices.collision:
            app.told(referee.offices.collision)


def _continued(game: str, file: Path, at: int | None) -> Continuation:
    """What the match takes over from a record, which is verified first."""
    record, faults = record_of(file)
    if faults:
        raise CannotDo(f"{file} does not verify: {faults[0]}")
    if record["game"] != game:
        raise CannotDo(f"{file} is the record of a match of {record['game']}, not of {game}.")
    try:
        return continuation(found()[game], record, at)
    except NoRecord as error:
        raise CannotDo(f"{file}: {error}.") from None


for _name, _verb in VERBS.items():
    if _verb.does != "tells":
        app.verb(_name, _open if _name == "open" else partial(_carried_out, _name))


# --- the club


@app.command
def propose(
    context: typer.Context,
    game: str = app.place("GAME", "The game: see `referee games`."),
    by: str = app.option("--by", '"NAME <ADDRESS>; ZONE"', "Who proposes, and plays.", ...),
    named: list[str] | None = app.option("--with", "ADDRESS", "Who is asked; as often as needed."),
    seats: int = app.numeric("--open", "So many seats for whoever wants one.", 0, 0),
    option: list[str] | None = app.OPTIONS,
    now: str | None = app.NOW,
) -> None:
    guest = guest_of(by)
    with app.at_desk(context, now) as (referee, at):
        if game not in referee.games:
            raise CannotDo(f"There is no game {game!r}. There are: {', '.join(referee.games)}.")
        wish = WishedMatch(referee.games[game], tuple(named or ()), seats, given(option or []))
        proposal = referee.moderator.propose(guest, wish, at)
    app.out(proposal.match or proposal.name)


@app.command
def rematch(
    context: typer.Context,
    match: str = app.MATCH_NAME,
    seat: int = app.numeric("--seat", "Whose wish it is.", 1),
    now: str | None = app.NOW,
) -> None:
    with app.at_desk(context, now) as (referee, at):
        proposal = referee.moderator.rematch(match, seat, at)
    app.out(proposal.match or proposal.name)


_PEOPLE = 'enter: whom, several at once; leave: an address; replace: an address and "NAME <ADDRESS>".'
_ROUNDS = "new: of a Swiss; of a round robin how often all meet."
_ACTIONS = ("new", "enter", "start", "show", "leave", "replace")


@app.command
def event(
    context: typer.Context,
    action: str = typer.Argument(..., metavar="|".join(_ACTIONS)),
    name: str = app.place("NAME", "The event's name."),
    people: list[str] | None = app.place('"NAME <ADDRESS>"', _PEOPLE, None),
    game: str = app.option("--game", "GAME", "new: which game.", ""),
    kind: str = app.option("--kind", "KIND", "new: round-robin or swiss.", ""),
    rounds: int = app.numeric("--rounds", _ROUNDS, 0, 0, MOST_ROUNDS),
    option: list[str] | None = app.OPTIONS,
    now: str | None = app.NOW,
    json: bool = app.JSON,
) -> None:
    if action not in _ACTIONS:
        raise WrongUsage(f"there is no `event {action}`; there are: {', '.join(_ACTIONS)}")
    who = people or []
    if action == "replace" and len(who) != 2:
        raise WrongUsage('replace takes the address of who plays and "Name <address>" of who goes on')
    asked = Announcement(game, kind, rounds, given(option or []))
    with app.at_desk(context, now) as (referee, at):
        office, when = referee.parts.tournaments, None if action == "show" else at
        found = referee.moderator.act(lambda u: office.carried_out(u, action, name, who, asked), when)
    facts = event_facts(found)
    told = [f"{found.name}: {found.status}. The letters leave at the next step."]
    app.shown(facts, _standings(facts) if action == "show" else told, json=json)


def _standings(facts: Facts) -> Iterator[str]:
    yield f"{facts['event']}: {facts['kind']} in {facts['game']}, {facts['status']}"
    for row in facts["standings"]:
        breaks = ", ".join(f"{name} {value}" for name, value in row["tie_breaks"].items())
        yield f"  {row['player']}: {row['points']} ({breaks})"
    for pairing in facts["pairings"]:
        who = " - ".join(pairing["players"])
        yield f"  round {pairing['round']}: {who} {pairing['match'] or ''}".rstrip()
    if not facts["standings"]:
        yield f"  players: {', '.join(facts['players']) or 'none yet'}"


@app.command
def ratings(
    context: typer.Context,
    game: str = app.option("--game", "GAME", "Of this game alone.", ""),
    json: bool = app.JSON,
) -> None:
    with app.referee_of(context) as referee:
        found = referee.moderator.look(referee.moderator.ratings)
    found = {slug: rows for slug, rows in found.items() if game in ("", slug)}
    lines = list[str]()
    for slug, rows in found.items():
        counted = ((row, len(row["course"])) for row in rows)
        told = "  {}: {} ({} match{})".format
        lines += [
            slug,
            *(told(row["player"], row["points"], n, "" if n == 1 else "es") for row, n in counted),
        ]
    app.shown(found, lines or ["No match has been rated yet."], json=json)
