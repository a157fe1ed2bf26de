"""Another version of the program: what it would judge otherwise is found out before it changes anything."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from referee.base import shipped
from referee.base.logs import Log
from referee.core.game import AnyGame
from referee.core.value import Value
from referee.letters.letter import Recipient
from referee.match.events import Entry
from referee.match.match import Match
from referee.match.record.public import public_record
from referee.match.record.verifying import verified
from referee.offices.register.facts import facts_of
from referee.service.wiring import Referee
from referee.store.engine import connect, upgrading
from referee.store.matches import StoredMatch
from referee.store.sql import Unit
from referee.upkeep.checking import folded

log = Log("referee.upkeep")


class Difference(Value):
    """What this version sees otherwise in a match: an event that no longer follows, a verdict that would be another, or
    how the match stands. Behind the first event that does not follow nothing can be judged."""

    match: str
    what: Literal["event", "verdict", "standing"]
    words: str


class Upgrade(Value):
    """How many matches were judged, what differs, and what became of the tables; `older` tells that
    there was something to bring up, `done` that it was."""

    matches: int
    differences: tuple[Difference, ...]
    older: bool
    done: bool

    def facts(self) -> dict[str, Any]:
        told = [{"match": d.match, "what": d.what, "difference": d.words} for d in self.differences]
        return {"matches": self.matches, "differences": told, "older": self.older, "upgraded": self.done}

    def sentence(self) -> str:
        why = " --why TEXT" if self.differences else ""
        end = f"nothing is changed. `referee upgrade{why}` brings the store's tables up."
        if self.done:
            end = "the store's tables are of this version now. No command undoes it; a backup does."
        elif not self.older:
            end = "the store's tables are of this version."
        return f"{self.matches} match{'es' if self.matches != 1 else ''} judged again; {end}"


def upgraded(referee: Referee, *, carry_out: bool, all_the_same: bool) -> Upgrade:
    """Judge every match that goes on again, on tables of this version; these stay where nothing differs, or that is
    wanted `all_the_same`. It is one transaction: until it ends nobody sees anything of it, and passes wait."""
    engine = connect(referee.database)
    try:
        with upgrading(engine) as (connection, older):
            unit = Unit(connection, referee.at_desk)
            rows = [row for row in unit.matches() if row.status != "ended"]
            differences = tuple(one for row in rows for one in _differences(referee, unit, row))
            done = older and carry_out and (all_the_same or not differences)
            if older and not done:
                connection.rollback()
    finally:
        engine.dispose()
    if done or (carry_out and not older):
        _tell_guarded(referee)
    log.info("upgrade", matches=len(rows), differences=len(differences), done=done)
    return Upgrade(len(rows), differences, older, done)


def _tell_guarded(referee: Referee) -> None:
    """Those who kept a pass phrase or a key with 0.2.0 learn once, at one of their addresses, what is needed now."""
    parts = referee.parts
    with referee.store.transaction() as unit:
        guarded = {person.address: person for person in unit.guarded()}
        now = unit.clock().last_pass or datetime.now(UTC)
        for address in (a for a, person in guarded.items() if person.owner not in guarded):
            letter = parts.speaker.letter("unguarded", Recipient(address), "", ("unguarded", address), now)
            parts.outbox.post(unit, [letter])


def _differences(referee: Referee, unit: Unit, row: StoredMatch) -> Iterator[Difference]:
    name, game = row.name, referee.games.get(row.game)
    if game is None:
        yield Difference(name, "standing", f"there is no game {row.game!r} in this version")
        return
    history, match, fault = folded(referee, unit, name)
    if match is None:
        yield Difference(name, "event", fault)
        return
    yield from _judged(referee, game, match, history)
    kept = unit.kept_facts_of(name)
    if kept is not None and kept.facts is not None:
        by, old = map(json.loads(kept.facts).__getitem__, ("by", "facts"))
        made = facts_of(match)
        odd = [what for what in made if json.loads(json.dumps(made[what])) != old.get(what)]
        if by[2] == match.version and odd:
            yield Difference(name, "standing", f"another {', another '.join(odd)}")


def _judged(referee: Referee, game: AnyGame, match: Match, history: Sequence[Entry]) -> Iterator[Difference]:
    """What was told of the match, judged again; and what is still sealed, of which only the verdict is told."""
    declared = shipped.game_options(game.slug, referee.located.folder)
    for fault in verified(public_record(game, history), game, declared):
        yield Difference(match.name, "verdict" if "the rules refuse" in fault else "event", fault)
    for r in match.rounds:
        for answer in r.answered if r.sealed else ():
            action, demand = game.actions_codec.decode(answer.action), answer.demand
            if match.standing is not None and match.standing.check(demand, action):
                words = f"the sealed {demand.kind} of Player {demand.seat} would be refused"
                yield Difference(match.name, "verdict", words)
