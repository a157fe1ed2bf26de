"""Arguments that several commands have, and how they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

import typer

from referee.cli.app import referee_of
from referee.cli.command_line import app
from referee.match.arguments import instant
from referee.moderation import verbs
from referee.moderation.verbs import VERBS, Argument
from referee.offices.clock import doubt

if TYPE_CHECKING:
    from referee.service.wiring import Referee


def moment(text: str | None) -> datetime:
    """The moment that an argument names; the machine's clock where there is none."""
    if text is None:
        return doubt.reading().at
    return instant(text)


def clock(referee: Referee, text: str | None) -> datetime:
    """The moment of a command at the desk; without one, what a pass would take for now, never before the last."""
    if text is not None:
        return instant(text)
    with referee.store.transaction() as unit:
        known = unit.clock()
        _, at = doubt.weighed(known, doubt.reading())
        return max(at, known.last_pass or at)


@contextmanager
def at_desk(context: typer.Context, now: str | None) -> Iterator[tuple[Referee, datetime]]:
    """The referee and the clock of a command at its desk, for the length of a block."""
    moment(now)  # what is written wrong is said before anything is read
    with referee_of(context) as referee:
        yield referee, clock(referee, now)


def verb(name: str, run: Callable[..., None]) -> None:
    """The command of a desk's verb, with its arguments and its help as the table has them: `run`
    is given what was said, by name."""

    def command(context: typer.Context, **said: Any) -> None:
        run(context, **{name.removesuffix("_"): value for name, value in said.items()})

    context = Parameter("context", Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    taken = [context, *map(_parameter, VERBS[name].arguments)]
    command.__signature__ = Signature(taken)  # type: ignore[attr-defined]
    app.command(name, help=VERBS[name].help)(command)


def _parameter(argument: Argument) -> Parameter:
    """An argument of a verb as a function takes it; `as` alone would be no name in Python."""
    kind: Any = {"text": str, "number": int, "flag": bool}[argument.kind]
    if argument.many:
        kind = list[kind]
    if not argument.needed and (argument.kind != "flag" or argument.off):
        kind = kind | None
    default = _as_typer_reads_it(argument)
    return Parameter(f"{argument.name}_", Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _as_typer_reads_it(argument: Argument) -> Any:
    shown: dict[str, Any] = {"help": argument.help or None, "metavar": argument.metavar or None}
    if argument.kind == "number":
        shown |= {"min": argument.least, "max": argument.most}
    default = ... if argument.needed else False if argument.kind == "flag" and not argument.off else None
    if argument.place:
        return typer.Argument(default, **shown)
    named = f"--{argument.name}" + (f"/--{argument.off}" if argument.off else "")
    return typer.Option(default, named, **shown)


# What other commands take too.
MATCH_NAME, OPTIONS, NOW, JSON = map(_as_typer_reads_it, (verbs.MATCH, verbs.OPTION, verbs.NOW, verbs.JSON))
