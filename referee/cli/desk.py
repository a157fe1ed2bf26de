"""The moderator's commands: what is done to a match, and to mails that were put aside."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer

from referee.base.errors import WrongUsage
from referee.cli.app import out, referee_of
from referee.cli.arguments import MailNumber, MatchName, Now, Option, Why, at_desk, moment, numeric
from referee.cli.command_line import app
from referee.cli.facts import owing
from referee.core.options import duration
from referee.core.texts.bounded import whole
from referee.match import commands as do
from referee.match import events as ev
from referee.offices.moderating.arguments import entrant, given
from referee.offices.moderating.grammar import PARKED
from referee.offices.moderating.moderator import NONE, in_words, undoing
from referee.offices.register.facts import facts_of
from referee.offices.register.opening import Amendments, amended
from referee.service.wiring import Referee

Seat = Annotated[int | None, numeric("--seat", "Only this seat.")]
Check = Annotated[bool, typer.Option("--check", help="Only tell what would be; nothing is changed.")]
Number = Annotated[int, typer.Argument(min=1, max=99, metavar="N", help="The seat's number.")]
PersonArgument = Annotated[
    str, typer.Argument(metavar='"NAME <ADDRESS>; ZONE"', help="The zone may be left away.")
]
Words = Annotated[str, typer.Argument(metavar="TEXT", help="What to say.")]
Which = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="The mail's number, as alarms and `doctor` tell it; a match whose own answer the referee did not find; "
        "or `all`.",
    ),
]


def _carry_out(
    context: typer.Context,
    match: str,
    command: do.MatchCommand,
    now: str | None,
    why: str,
    said: str,
    *,
    check: bool = False,
) -> None:
    with at_desk(context, now) as (referee, at):
        _done(referee, match, command, at, why, said, check=check)


def _done(
    referee: Referee,
    match: str,
    command: do.MatchCommand,
    at: datetime,
    why: str,
    said: str,
    *,
    check: bool = False,
) -> None:
    """What was done, what is owed after it, and what undoes it; with `check` what would be."""
    before = referee.moderator.match(match)
    after = referee.moderator.command(match, command, at, why, check=check)
    out(f"{after.name}: {f'it would be {said}' if check else said}.")
    if after.rounds != before.rounds or after.status != before.status:
        facts = facts_of(after)
        for due in facts["due"]:
            out(f"  due: {owing(facts, due)}")
        if after.status != before.status:
            out(f"  the match is {after.status}")
    if check:
        out("Nothing is changed.")
        return
    out(f"The letters leave at the next step. {in_words(undoing(before, command))}")


def _because(why: str) -> str:
    if not why.strip():
        raise WrongUsage("say --why: the players are told")
    return " ".join(why.split())


@app.command()
def extend(
    context: typer.Context,
    match: Annotated[str | None, typer.Argument(metavar="MATCH", help="The match's name.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every match in which time runs.")] = False,
    seat: Seat = None,
    by: Annotated[str | None, typer.Option("--by", help="Such as 3d or 12h.", metavar="SPAN")] = None,
    until: Annotated[
        str | None, typer.Option("--until", help="ISO 8601 with offset or Z.", metavar="TIME")
    ] = None,
    why: Why = "",
    now: Now = None,
) -> None:
    """Move a deadline."""
    if (match is None) != every or (every and (seat is not None or until is not None)):
        raise WrongUsage("say either the name of a match, or --all with --by")
    if (by is None) == (until is None):
        raise WrongUsage("say either --by or --until")
    try:
        span = duration(by) if by else None
    except ValueError as error:
        raise WrongUsage(str(error)) from None
    command = do.Extend(_because(why), seat, span, moment(until) if until else None)
    if match is not None:
        _carry_out(context, match, command, now, why, "extended")
        return
    with at_desk(context, now) as (referee, at):
        running = [m.name for m in referee.moderator.matches() if any(r.due_at for r in m.rounds)]
        for name in running:
            _done(referee, name, command, at, why, "extended")
    if not running:
        out("No deadline runs anywhere.")


@app.command()
def pause(context: typer.Context, match: MatchName, why: Why = "", now: Now = None) -> None:
    """Stop a match's clock."""
    _carry_out(context, match, ev.MatchPaused(_because(why)), now, why, "paused")


@app.command()
def resume(context: typer.Context, match: MatchName, why: Why = "", now: Now = None) -> None:
    """Let a paused match go on; the time of the pause is added to every deadline."""
    _carry_out(context, match, ev.MatchResumed(_because(why)), now, why, "resumed")


@app.command()
def rewind(
    context: typer.Context,
    match: MatchName,
    to: Annotated[
        str,
        typer.Option(
            "--to", help='A round such as "Round 3 / Player 2", or a public position.', metavar="WHERE"
        ),
    ],
    check: Check = False,
    why: Why = "",
    now: Now = None,
) -> None:
    """Set the game back; what came later is void."""
    number = whole(to.strip())
    target = to if number is None else number
    reason = why if check else _because(why)
    _carry_out(context, match, do.Rewind(target, reason), now, why, f"rewound to {to}", check=check)


@app.command()
def rule(
    context: typer.Context,
    match: MatchName,
    turn: Annotated[str, typer.Option("--turn", help='Such as "Round 3 / Player 2".', metavar="TURN")],
    illegal: Annotated[bool | None, typer.Option("--illegal/--legal", help="The ruling.")] = None,
    why: Why = "",
    now: Now = None,
) -> None:
    """Rule on an earlier turn; an illegal one within the Statute of Limitations is rewound."""
    if illegal is None:
        raise WrongUsage("say either --illegal or --legal")
    said = "ruled illegal" if illegal else "ruled legal"
    _carry_out(context, match, do.Rule(turn, not illegal, _because(why)), now, why, f"{turn} {said}")


@app.command()
def amend(
    context: typer.Context,
    match: MatchName,
    option: Option = None,
    data: Annotated[
        bool,
        typer.Option(
            "--data", help="Take the game's data files (such as fourplay/pieces.toml) as they are now."
        ),
    ] = False,
    check: Check = False,
    why: Why = "",
    now: Now = None,
) -> None:
    """Change options or data of a running match; `games` shows which options may change."""
    if not option and not data:
        raise WrongUsage("say what to amend: --option name=value, or --data")
    with at_desk(context, now) as (referee, at):
        before = referee.moderator.match(match)
        fresh = referee.game_data(before.game) if data else None
        specs = referee.game_options(before.game)
        asked = Amendments(given(option or []), specs, fresh, why if check else _because(why))
        command = amended(before, asked)
        _done(referee, match, command, at, why, "amended", check=check)


@app.command()
def replace(
    context: typer.Context,
    match: MatchName,
    number: Number,
    person: PersonArgument,
    why: Why = "",
    now: Now = None,
) -> None:
    """Give a seat to another person ("Name <address>; Zone")."""
    command = ev.EntrantReplaced(number, entrant(person), _because(why))
    _carry_out(context, match, command, now, why, f"Player {number} is {command.entrant.name}")


@app.command()
def say(
    context: typer.Context, match: MatchName, text: Words, seat: Seat = None, why: Why = "", now: Now = None
) -> None:
    """Tell all players and observers something."""
    _carry_out(context, match, ev.Said(text) if seat is None else ev.SaidToOne(seat, text), now, why, "said")


@app.command()
def end(
    context: typer.Context,
    match: MatchName,
    how: Annotated[str, typer.Option("--as", help="called-off, drawn or won.", metavar="HOW")],
    winner: Annotated[list[int] | None, numeric("--winner", "Who has won; as often as needed.")] = None,
    why: Why = "",
    now: Now = None,
) -> None:
    """End a match: called off, drawn or won."""
    command = ev.MatchStopped(how, tuple(sorted({*(winner or ())})), _because(why))
    _carry_out(context, match, command, now, why, how.replace("-", " "))


@app.command()
def vacate(context: typer.Context, match: MatchName, number: Number, why: Why = "", now: Now = None) -> None:
    """Take a seat from its player; others may join."""
    _carry_out(
        context,
        match,
        ev.SeatVacated(number, _because(why)),
        now,
        why,
        f"the seat of Player {number} is vacant",
    )


@app.command()
def substitute(
    context: typer.Context,
    match: MatchName,
    number: Number,
    person: Annotated[str | None, typer.Argument(metavar='"NAME <ADDRESS>; ZONE"')] = None,
    off: Annotated[bool, typer.Option("--off", help="Nobody any more.")] = False,
    why: Why = "",
    now: Now = None,
) -> None:
    """Name who plays on when a seat falls vacant, and stands in while its player is away."""
    if (person is None) != off:
        raise WrongUsage('say either "Name <address>", or --off')
    if person is None:
        _carry_out(
            context, match, ev.SubstituteDropped(number), now, why, f"Player {number} has no substitute"
        )
        return
    command = ev.SubstituteNamed(number, entrant(person))
    said = f"{command.entrant.name} is the substitute of Player {number}"
    _carry_out(context, match, command, now, why, said)


@app.command()
def reject(
    context: typer.Context,
    which: MailNumber,
    why: Why = "",
    now: Now = None,
) -> None:
    """Settle a held or shunted mail without effect; its sender is told why."""
    reason = _because(why)
    with at_desk(context, now) as (referee, at):
        acts = referee.parts.acts
        sender = referee.moderator.act(lambda unit: acts.reject(unit, which, reason, at), at)
    out(f"Mail {which} of {sender} does not count. The letters leave at the next step. {NONE}")


@app.command()
def release(context: typer.Context, which: Which, why: Why = "", now: Now = None) -> None:
    """Let a held mail (its number, or `all`) be judged; or a held search (its match) be tried again.

    The name of a proposal: those whom it names and nobody knows here are asked."""
    with at_desk(context, now) as (referee, at):
        proposals = referee.parts.proposals
        asked = referee.moderator.act(lambda unit: proposals.let_in(unit, which, at), at)
    if asked:
        out(f"{', '.join(asked)} will be asked. The letters leave at the next step. {NONE}")
        return
    _put_back(context, which, "release")


@app.command()
def unshunt(context: typer.Context, which: Which, why: Why = "", now: Now = None) -> None:
    """Judge a shunted mail (its number, or `all`) once more; or try a held search (its match) again."""
    moment(now)
    _put_back(context, which, "unshunt")


def _put_back(context: typer.Context, which: str, kind: str) -> None:
    with referee_of(context) as referee:
        acts = referee.parts.acts
        chosen, again = referee.moderator.act(lambda unit: acts.put_back(unit, which, kind))
    if PARKED.fullmatch(which):
        out(f"It leaves at the next step. {NONE}")
    elif chosen or not again:
        out(f"{len(chosen)} mail{'' if len(chosen) == 1 else 's'} will be judged at the next step. {NONE}")
    for name in again:
        out(f"{name}: the referee looks for its own answer once more at the next step.")
