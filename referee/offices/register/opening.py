"""What the moderator asks for when he opens a match, or amends the rules of one, and every fault of it."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.base.errors import CannotDo
from referee.base.settings import Offices
from referee.core.game import AnyGame
from referee.core.options import Options, OptionSpec, resolved
from referee.core.texts.addresses import address_key
from referee.core.value import Value
from referee.letters.page_words import listed
from referee.match import commands as do
from referee.match.events import Entrant
from referee.match.match import Match
from referee.match.names import name_fault
from referee.match.record.public import Continuation
from referee.match.timing import MOVING, game_setup, timing_faults
from referee.store.sql import Unit


class NewMatch(Value):
    """A match to be opened; `specs` are the options there are, `vacant` how many seats wait for somebody to join."""

    game: str
    roster: tuple[Entrant, ...]
    options: Mapping[str, str]
    specs: tuple[OptionSpec, ...]
    data: Mapping[str, Any]
    vacant: int = 0
    name: str | None = None
    seed: int | None = None
    beacon: str | None = None
    continuation: Continuation | None = None


def rules_of(
    game: AnyGame, asked: NewMatch, seats: int
) -> tuple[Options, Mapping[str, Any], tuple[str, ...]]:
    """The options and data of a match to be opened, and every fault; one that goes on from a record keeps its own."""
    if asked.continuation is not None:
        (goes_on, _), faults = asked.continuation, _unfit(asked.roster)
        if goes_on.seats != len(asked.roster) or asked.vacant:
            wrong = f"The record is of a match for {goes_on.seats}: give as many --seat, in the order of its seats."
            faults = (*faults, wrong)
        return Options(goes_on.options), goes_on.data, faults
    options, faults = resolved(asked.specs, asked.options)
    if faults:
        return options, asked.data, faults
    setup = game_setup(options.values, asked.data, seats)
    allowed = game.seats(options)
    played = f"{game.title} is played by {listed(sorted(allowed), 'or')}, not by {seats}."
    seating = game.faults(setup) if seats in allowed else (played,)
    return options, asked.data, (*_unfit(asked.roster), *seating, *timing_faults(options.values))


def _unfit(roster: Sequence[Entrant]) -> tuple[str, ...]:
    """Addresses that would hold two seats of a match; names under which nobody can play, or not beside those before."""
    known = Counter(address_key(address) for person in roster for address in person.addresses)
    twice = ((address, count) for address, count in known.items() if count > 1)
    said = [
        f"{address} is given for {n} seats, and nobody holds two seats of a match." for address, n in twice
    ]
    faults = ((p.name, name_fault(p.name, [q.name for q in roster[:i]])) for i, p in enumerate(roster))
    return (*said, *(f"The name {name!r} can't be taken: {why}." for name, why in faults if why))


def unwritable(offices: Offices, *people: Entrant) -> tuple[str, ...]:
    """The addresses with which nobody can be registered, and why."""
    found = ((each, offices.hindrance(each)) for person in people for each in person.addresses)
    return tuple(f"{address} can't be registered: {why}." for address, why in found if why)


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


def name_hindrance(unit: Unit, name: str) -> str:
    """Why no match can have that name; empty where one can, which nobody else gives to one before this is done."""
    if not _NAME.fullmatch(name):
        return f"{name[:80]!r} can't name a match: letters, digits, dot, dash and underscore only."
    unit.hold("name", name.lower())
    return f"There is a match {name!r} already." if unit.has_match_like(name) else ""


def numbered(stem: str, taken: Callable[[str], bool]) -> str:
    """The stem, such as a game's name, with the first free number. It is looked for by doubling and halving, since
    numbers are given out in order; where somebody has chosen a number of his own, a free one may be left out."""
    low, high = 0, 1
    while taken(f"{stem}-{high}"):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if taken(f"{stem}-{middle}") else (low, middle)
    return f"{stem}-{high}"


def amended(
    match: Match,
    typed: Mapping[str, str],
    specs: Sequence[OptionSpec],
    data: Mapping[str, Any] | None,
    why: str,
) -> do.Amend:
    """The command that changes the rules of the running match: options by name as they were
    `typed`, the game's `data` where they are to be taken anew. Raises CannotDo with all that is
    wrong: options nobody knows, values that are impossible, rules that are fixed."""
    options, faults = resolved(specs, typed)
    known = {spec.name: spec for spec in specs if spec.name in typed}
    changed = {name: value for name, value in options.values.items() if name in known}
    if MOVING & known.keys() and "zone" not in match.options:  # opened before there was one
        changed["zone"] = options.values["zone"]
    faults = (*faults, *(timing_faults(changed) if not faults else ()))
    new = [spec for name, spec in known.items() if changed[name] != match.options.get(name)]
    if fixed := [spec.name for spec in new if not spec.amend]:
        free = ", ".join(spec.name for spec in specs if spec.amend) or "none"
        verb = "is" if len(fixed) == 1 else "are"
        fixed_since = f"{', '.join(fixed)} {verb} fixed since the match was opened; what may change: {free}."
        faults = (*faults, fixed_since)
    if faults:
        raise CannotDo(*faults)
    return do.Amend(changed, data, any(spec.amend == "again" for spec in new), why)
