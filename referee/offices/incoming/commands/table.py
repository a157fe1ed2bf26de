"""Commands to an office, by subject. What one may do to a seat is decided before it comes here."""

from __future__ import annotations

from collections.abc import Callable

from referee.offices.incoming.commands import orders, person, seats, telling
from referee.offices.incoming.commands.clerk import Asked, Clerk, Obeyed, Order

TELLING = frozenset({"help", "status", "games", "record", "board", "preview", "rules", "syntax", "pieces"})
OPEN_TO_ALL = frozenset(
    {"help", "games", "record", "board", "join", "observe", "stop", "status", "rules", "syntax", "pieces"}
)

# None: it can't be done as it was asked; the help letter follows.
Command = Callable[[Clerk, Asked], Obeyed | Order | None]
TABLE: dict[str, Command] = {
    "help": telling.guide,
    "status": telling.status,
    "board": telling.board,
    "games": telling.games,
    "rules": telling.rules,
    "syntax": telling.rules,
    "pieces": telling.rules,
    "record": telling.record,
    "withdraw": orders.withdraw,
    "resign": orders.resign,
    "preview": orders.preview,
    "join": seats.join,
    "observe": seats.observe,
    "stop": seats.observe,
    "timezone": seats.set_zone,
    "vacation": seats.take_absence,
    "press": seats.send_press,
    "renew": seats.renew,
    "address": person.add_address,
    "format": person.set_format,
    "digest": person.set_format,
    "phrase": person.set_phrase,
    "key": person.set_key,
}


def obeyed(clerk: Clerk, asked: Asked) -> Obeyed | Order:
    """Carry the command out, or say in a help letter what is possible."""
    command = TABLE.get(asked.command)
    done = command(clerk, asked) if command else None
    return done if done is not None else clerk.help(asked)
