"""The moderator's commands, made of the table of verbs: what is done to a match, and to mails that were put aside."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import typer

from referee.cli.app import out
from referee.cli.arguments import at_desk, verb
from referee.cli.facts import owing
from referee.moderation.acts import NONE, Effect
from referee.moderation.orders import DeskOrder, order_of
from referee.moderation.verbs import VERBS
from referee.offices.register.facts import facts_of


def _carried_out(name: str, context: typer.Context, **said: Any) -> None:
    order = order_of(name, said)
    with at_desk(context, said["now"]) as (referee, at):
        acts = referee.parts.acts
        found = referee.moderator.act(lambda unit: acts.carried_out(unit, order, at), at)
    for outcome in found:
        out("\n".join(_lines(order, outcome)))


def _lines(order: DeskOrder, outcome: Effect) -> Iterator[str]:
    """What was done, what is owed after it, and what undoes it; of a dry run what would be."""
    after = outcome.after
    if after is None:
        yield outcome.said
        return
    yield f"{after.name}: {'it would be so: ' if order.check else ''}{outcome.said}."
    if outcome.moved:
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


for _name, _verb in VERBS.items():
    if _verb.does != "tells" and _name != "open":
        verb(_name, partial(_carried_out, _name))
